// What people read: every link leads somewhere, every command exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { WAYS } from '../scripts/deploy/ways';

const ROOT = resolve(__dirname, '..');

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const PAGES = [
  ...pagesIn('.'),
  ...pagesIn('docs'),
  ...pagesIn('docs/decisions'),
  ...pagesIn('listing'),
];

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

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

/** "npm start", "npm run bench", "node scripts/x.mjs", each as a page writes it. */
const commandsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/\b(?:npm (?:run )?[a-z]+|node scripts\/[\w./-]+)/g)].map(
    ([command]) => command,
  );

const scripts = (): readonly string[] => {
  const parsed: unknown = JSON.parse(textOf('package.json'));
  const named: unknown = parsed instanceof Object ? Reflect.get(parsed, 'scripts') : null;
  return named instanceof Object ? Object.keys(named) : [];
};

function isThere(command: string): boolean {
  const [program, first = '', second = ''] = command.split(' ');
  if (program === 'node') return existsSync(join(ROOT, first));
  if (first === 'run') return scripts().includes(second);
  return first === 'ci' || scripts().includes(first);
}

test('every command that a page names exists, and every command is told of', () => {
  const commands = PAGES.flatMap(commandsOf);
  expect(commands.filter((command) => !isThere(command))).toEqual([]);
  const told = new Set(commands.map((command) => command.split(' ').at(-1)));
  expect(scripts().filter((name) => !told.has(name))).toEqual([]);
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
