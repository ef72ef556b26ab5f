// What people read: every link leads somewhere, every command exists and takes what is shown with it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { WAYS } from '../scripts/deploy/ways';
import { COMMANDS, type Command, HOST, PAGES, ROOT, textOf } from './documented-commands';

/** Code shows what could stand there, and links nowhere. */
const prose = (page: string) => textOf(page).replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Pictures included, which pages also show as `<img src>`. */
const linksOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/(?:\]\(|<img src="|srcset=")([^)"\s]+)/g)].map(([, to = '']) => to);

function problemOf(page: string, link: string): string | null {
  if (/^https:\/\//.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${page}: ${link} leads nowhere`;
  const isThere = anchor === undefined || anchorsOf(target).includes(anchor);
  return isThere ? null : `${page}: ${target} has no heading "#${anchor}"`;
}

test('every link leads to a file that is there, and to a heading of it', () => {
  const links = PAGES.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(30);
  expect(links.flatMap(({ page, link }) => problemOf(page, link) ?? [])).toEqual([]);
});

interface Manifest {
  readonly folder: string;
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const MANIFESTS = ['.', HOST].map(
  (folder): Manifest => ({ folder, ...JSON.parse(textOf(join(folder, 'package.json'))) }),
);

/** What npm runs for "npm run bench -- gate" or "npm run build -w apps-script-host". */
function scriptOf(text: string): { readonly name: string; readonly program: string } | null {
  const [, workspace] = / -w (\S+)/.exec(text) ?? [];
  const manifest = MANIFESTS.find(({ name, folder }) =>
    workspace === undefined ? folder === '.' : name === workspace,
  );
  const [, name = ''] = /^npm (?:run (?:-s )?)?([a-z]+)/.exec(text) ?? [];
  const script = manifest?.scripts[name];
  const [file] = script?.match(/[\w/.-]+\.(?:ts|mjs)$/) ?? [];
  return manifest && script ? { name, program: file ? join(manifest.folder, file) : '' } : null;
}

/** npm's own, and those of its commands that a page may name. */
const OF_NPM = /^npm (?:ci|pack(?: \.\/\.cache\/apps-script-host)?|install --save-dev \S+\.tgz)$/;

/** The host's own, which is there where it is installed. */
const HOST_COMMAND = 'npx apps-script-host ';

/** What is started by it, for a look at the options that it takes. */
function programOf(text: string): string | undefined {
  if (text.startsWith(HOST_COMMAND)) return join(HOST, 'src/command-line.ts');
  return scriptOf(text)?.program || /^node (\S+)/.exec(text)?.[1];
}

function isThere({ text }: Command): boolean {
  const [program = '', first = ''] = text.split(' ');
  if (program === 'node') return existsSync(join(ROOT, first));
  if (text.startsWith(HOST_COMMAND)) return true;
  if (program === 'npx') return existsSync(join(ROOT, 'node_modules/.bin', first));
  return OF_NPM.test(text) || scriptOf(text) !== null;
}

/** The program with the files beside it that it is made of. */
function sourceOf(program: string, seen = new Set<string>()): string {
  const file = ['', '.ts', '.mjs'].map((ending) => program + ending).find(isFile);
  if (file === undefined || seen.has(file)) return '';
  seen.add(file);
  const text = textOf(file);
  const near = [...text.matchAll(/'(\.\/[^']+)'/g)].map(([, path = '']) => path);
  return [text, ...near.map((path) => sourceOf(join(dirname(file), path), seen))].join('\n');
}

const isFile = (path: string) =>
  existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile();

/** Options as `parseArgs` has them by name, or as a program looks for them in its arguments. */
function takes(source: string, option: string): boolean {
  const name = option.slice(2);
  const key = `(?:\\b${name}|'${name}')`;
  return new RegExp(`'${option}'|${key}: (?:flag\\b|\\{ *(?:type|default)\\b)`).test(source);
}

test('every command that a page names exists, and every command is told of', () => {
  expect(COMMANDS.length).toBeGreaterThan(50);
  expect(COMMANDS.filter((command) => !isThere(command))).toEqual([]);
  for (const { folder, scripts } of MANIFESTS) {
    const own = COMMANDS.filter(({ text }) => / -w /.test(text) === (folder !== '.'));
    const told = new Set(own.map(({ text }) => scriptOf(text)?.name));
    expect(Object.keys(scripts).filter((name) => !told.has(name))).toEqual([]);
  }
});

test('every option that a page shows is one that its command takes', () => {
  const shown = COMMANDS.flatMap(({ page, text, options }) => {
    const program = programOf(text);
    return program ? options.map((option) => ({ page, text, option, program })) : [];
  });
  expect(shown.length).toBeGreaterThan(20);
  const wrong = shown.filter(({ option, program }) => !takes(sourceOf(program), option));
  expect(wrong.map(({ page, text, option }) => `${page}: ${text} takes no ${option}`)).toEqual([]);
  expect(takes(sourceOf('scripts/deploy.mjs'), '--nothing')).toBe(false);
});

test('every path that a command is given is there', () => {
  const paths = COMMANDS.flatMap(({ text }) => text.match(/(?<= )(?:\w[\w-]*\/)+[\w.-]+/g) ?? []);
  expect(paths.length).toBeGreaterThan(2);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the help of the deployment names every option of it that a page shows', () => {
  const script = join(ROOT, 'scripts/deploy.mjs');
  const help = execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  const shown = COMMANDS.filter(({ text }) => scriptOf(text)?.name === 'deploy');
  const options = new Set(shown.flatMap((command) => command.options));
  expect(options.size).toBeGreaterThan(4);
  expect([...options].filter((option) => !help.includes(option))).toEqual([]);
});

test('the README tells of each way of installing what the deployment tells', () => {
  const rows = WAYS.map(({ name, how, works, but }) => `| ${name} | ${how} | ${works} | ${but} |`);
  expect(rows.filter((row) => !textOf('README.md').includes(row))).toEqual([]);
});

/** GitHub shows larger ones, slowly. */
const MOST_BYTES = 1_500_000;

test('the picture at the head of the README moves, and is soon there', () => {
  const picture = readFileSync(join(ROOT, 'docs/images/tour.png'));
  expect(picture.includes('acTL')).toBe(true);
  expect(picture.length).toBeLessThan(MOST_BYTES);
});
