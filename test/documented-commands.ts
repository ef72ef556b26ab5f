// What the pages that people read tell them to type.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '..');

/** The one package in it. */
export const HOST = 'packages/apps-script-host';

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

export const PAGES = [
  ...pagesIn('.'),
  ...pagesIn('docs'),
  ...pagesIn('docs/decisions'),
  ...pagesIn('listing'),
  ...pagesIn(HOST),
  ...pagesIn('.github'),
];

export const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** As a page shows them: in running text between backticks, or a line of a block with the notes beside it. */
export interface Command {
  readonly page: string;
  /** Without notes: "npm run bench -- gate --seeds 10". */
  readonly text: string;
  /** Every option in it and in its notes. */
  readonly options: readonly string[];
}

const STARTS = /^(?:npm|npx|node) /;

function commandsOf(page: string): readonly Command[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/```(?:sh|bash)?\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  // What goes on in a note below is about the same command.
  const lines = blocks.flatMap((code) => code.replace(/\n\s+#/g, ' #').split('\n'));
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  return [...lines, ...spans]
    .flatMap((code) => code.split(' && '))
    .filter((code) => STARTS.test(code))
    .map((code) => ({
      page,
      text: code.replace(/\s+#.*/, '').trim(),
      options: [...code.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option = '']) => option),
    }));
}

export const COMMANDS = PAGES.flatMap(commandsOf);
