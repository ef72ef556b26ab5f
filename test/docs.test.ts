// What people read: every link leads somewhere, every command exists and takes what is shown with it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { WAYS } from '../scripts/deploy/ways';
import { FIELDS, KNOWN_NAMES } from '../src/product/fields';
import {
  blocksOf,
  COMMANDS,
  type Command,
  FILES,
  HOST,
  PAGES,
  ROOT,
  STARTS,
  textOf,
  withoutBlocks,
} from './documented-commands';

/** Code shows what could stand there, and links nowhere. */
const prose = (page: string) => withoutBlocks(page).replace(/`[^`\n]*`/g, '');

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (page: string): readonly string[] =>
  [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Pictures included, also as `<img src>`; between brackets; and by a name that is explained below. */
const linksOf = (page: string): readonly string[] =>
  [
    ...prose(page).matchAll(
      /(?:\]\(|\b(?:src|srcset|href)="|^\[[^\]^]+\]: )<?([^)"\s>]+)|<(https?:[^>]*)>/gm,
    ),
  ].map(([, to, address]) => to ?? address ?? '');

function problemOf(page: string, link: string): string | null {
  if (/^https:\/\//.test(link)) return URL.canParse(link) ? null : `${page}: ${link} is no address`;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${page}: ${link} leads nowhere`;
  const isThere = anchor === undefined || anchorsOf(target).includes(anchor);
  return isThere ? null : `${page}: ${target} has no heading "#${anchor}"`;
}

test('pages are found wherever they lie', () => {
  for (const page of ['README.md', 'docs/guide.md', 'docs/decisions/0003-zod-mini.md'])
    expect(PAGES).toContain(page);
  for (const folder of ['listing', HOST]) expect(PAGES).toContain(join(folder, 'README.md'));
  expect(PAGES).toContain('.github/pull_request_template.md');
});

/** Those of a shell are run; those of scripts are, with the packed host; pictures are drawn by GitHub. */
const KINDS = ['sh', 'js', 'mermaid'];

test('every block says what it is, and a line of a shell is a command that is known here', () => {
  const blocks = PAGES.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));
  expect(blocks.length).toBeGreaterThan(8);
  const odd = blocks.filter(({ kind }) => !KINDS.includes(kind));
  expect(odd.map(({ page, code }) => `${page}: ${code}`)).toEqual([]);
  const lines = blocks.flatMap(({ page, kind, code }) =>
    (kind === 'sh' ? code.split('\n') : []).flatMap((line) =>
      line.split(' && ').map((part) => ({ page, part: part.trim() })),
    ),
  );
  const unknown = lines.filter(({ part }) => !/^(?:#.*)?$/.test(part) && !STARTS.test(part));
  expect(unknown.map(({ page, part }) => `${page}: ${part}`)).toEqual([]);
  const scripts = new Set(blocks.flatMap(({ page, kind }) => (kind === 'js' ? [page] : [])));
  expect([...scripts]).toEqual([join(HOST, 'README.md')]);
});

/** A file in words, perhaps without the folders before it. */
const NAMED_FILE =
  /(?<![\w/.:-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|[mc]?js|json|md|html|css|svg|png)\b/g;

test('every file that a page names in words is there', () => {
  const named = PAGES.flatMap((page) =>
    [...withoutBlocks(page).matchAll(NAMED_FILE)].map(([path]) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  const isFound = (path: string) => FILES.some((file) => `/${file}`.endsWith(`/${path}`));
  const lost = named.filter(({ path }) => !path.startsWith('..') && !isFound(path));
  expect([...new Set(lost.map(({ page, path }) => `${page}: ${path}`))]).toEqual([]);
});

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
  const [, name = ''] = /^npm (?:run (?:-s )?)?([a-z:]+)/.exec(text) ?? [];
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

/** What npm runs by itself, before it packs. */
const isOfNpm = (script: string) => script === 'prepack';

test('every command that a page names exists, and every command is told of', () => {
  expect(COMMANDS.length).toBeGreaterThan(50);
  expect(COMMANDS.filter((command) => !isThere(command))).toEqual([]);
  for (const { folder, scripts } of MANIFESTS) {
    const own = COMMANDS.filter(({ text }) => / -w /.test(text) === (folder !== '.'));
    const told = new Set(own.map(({ text }) => scriptOf(text)?.name));
    const untold = Object.keys(scripts).filter((name) => !told.has(name) && !isOfNpm(name));
    expect(untold).toEqual([]);
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

test('every picture is shown by a page', () => {
  const shown = new Set(PAGES.flatMap(linksOf).map((link) => link.replace(/^.*\//, '')));
  const pictures = readdirSync(join(ROOT, 'docs/images'));
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
});

/** GitHub shows larger ones, slowly. */
const MOST_BYTES = 1_500_000;

test('the picture at the head of the README moves, and is soon there', () => {
  const picture = readFileSync(join(ROOT, 'docs/images/tour.png'));
  expect(picture.includes('acTL')).toBe(true);
  expect(picture.length).toBeLessThan(MOST_BYTES);
});

test('every figure is named where formulas are explained, and every name where one is unknown', () => {
  const namesIn = (page: string, sentence: RegExp) =>
    [...(sentence.exec(textOf(page))?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(namesIn('README.md', /\*\*Fields\*\* are (.*?), `"all"`/)).toEqual(FIELDS);
  const known = namesIn('docs/troubleshooting.md', /Use one of (.*), or a name/);
  expect(known.sort()).toEqual([...KNOWN_NAMES, 'all'].sort());
});
