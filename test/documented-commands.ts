// What the pages that people read tell them to type.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '..');

/** The one package in it. */
export const HOST = 'packages/apps-script-host';

/** What is installed, built or kept by tools. */
const isOthers = (name: string) =>
  ['node_modules', 'dist', 'coverage', 'reports'].includes(name) ||
  (name.startsWith('.') && name !== '.github');

/** Every file of the project, wherever it lies. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !isOthers(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

export const FILES = filesIn('.');

export const PAGES = FILES.filter((path) => path.endsWith('.md'));

export const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** As a page shows them: in running text between backticks, or a line of a block with the notes beside it. */
export interface Command {
  readonly page: string;
  /** Without notes: "npm run bench -- gate --seeds 10". */
  readonly text: string;
  /** Every option in it and in its notes. */
  readonly options: readonly string[];
}

export const STARTS = /^(?:npm|npx|node) /;

/** A block between fences, which may stand in a list, with what its first line says that it is. */
const BLOCK = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

export const blocksOf = (page: string) =>
  [...textOf(page).matchAll(BLOCK)].map(([, kind = '', code = '']) => ({ kind, code }));

export const withoutBlocks = (page: string) => textOf(page).replace(BLOCK, '');

function commandsOf(page: string): readonly Command[] {
  const blocks = blocksOf(page).flatMap(({ kind, code }) => (kind === 'sh' ? [code] : []));
  // What goes on in a note below is about the same command.
  const lines = blocks.flatMap((code) => code.replace(/\n\s+#/g, ' #').split('\n'));
  const spans = [...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
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
