// The threat model and the page on privacy: whatever they claim names what proves it, and that is there.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(__dirname, '..');
const PAGES = ['docs/threat-model.md', 'docs/privacy.md'];

/** Under this heading alone a sentence may say that nothing stands against it. */
const OPEN_HEADING = 'What is left open';

/** Columns that name things; the others claim something of them. */
const NAMING = ['store', 'attacker', 'wants', 'what', 'where', 'called', 'permission'];

const GOOGLE = /^Google: <https:\/\/(?:developers|support)\.google\.com\/[^>]+>$/;
const OPEN = 'Nothing stands against it.';
const REF = /\[\^([\w-]+)\]/g;
const ENDS_WITH_REF = /\[\^[\w-]+\]$/;

interface Claim {
  readonly text: string;
  readonly heading: string;
}

interface Page {
  readonly claims: readonly Claim[];
  /** What each footnote says, by its name. */
  readonly notes: ReadonlyMap<string, string>;
}

/** A sentence ends with its footnotes, behind its full stop. */
const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.?!](?:\[\^[\w-]+\])*)\s+(?=["*`]*[A-Z])/).map((part) => part.trim());

const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Each part of a cell, up to a semicolon or the end of a sentence, is a claim. */
function claimsOfTable(lines: readonly string[]): readonly string[] {
  const [head = '', , ...rows] = lines;
  const claiming = cellsOf(head).map((title) => !NAMING.includes(title));
  return rows
    .flatMap((row) => cellsOf(row).filter((_, column) => claiming[column]))
    .filter((cell) => cell !== '' && cell !== '–')
    .flatMap((cell) => cell.split(/;\s+/))
    .flatMap(sentencesOf);
}

function claimsOfBlock(block: string): readonly string[] {
  const lines = block.split('\n');
  if (block.startsWith('|')) return claimsOfTable(lines);
  if (block.startsWith('- ')) return lines.flatMap((line) => sentencesOf(line.slice(2)));
  return sentencesOf(lines.join(' '));
}

function readPage(text: string): Page {
  const isNote = (block: string) => block.startsWith('[^');
  const blocks = text.split(/\n{2,}/).map((block) => block.trim());
  const notes = blocks.filter(isNote).flatMap((block) => block.split('\n'));
  const claims: Claim[] = [];
  let heading = '';
  for (const block of blocks) {
    if (block.startsWith('#')) heading = block.replace(/^#+ /, '');
    else if (block !== '' && !isNote(block))
      for (const claim of claimsOfBlock(block)) claims.push({ text: claim, heading });
  }
  return {
    claims,
    notes: new Map(
      notes.map((note) => {
        const [, name = '', says = ''] = /^\[\^([\w-]+)\]: (.+)$/.exec(note) ?? [];
        return [name, says];
      }),
    ),
  };
}

const refsOf = (text: string): readonly string[] =>
  [...text.matchAll(REF)].map(([, name = '']) => name);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a file has a test, or a group of tests, of this title. */
const hasTitle = (source: string, title: string): boolean =>
  new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`).test(source);

/** Why a footnote proves nothing; null: it is a test, or what Google says, or says that nothing does. */
function whyNoProof(says: string): string | null {
  if (GOOGLE.test(says) || says === OPEN) return null;
  const [path = '', ...titles] = says.split(' › ');
  const [, file = ''] = /^`(test\/[\w./-]+\.test\.ts)`$/.exec(path) ?? [];
  if (titles.length === 0 || file === '' || !existsSync(join(ROOT, file)))
    return `names no test: ${says}`;
  const source = readFileSync(join(ROOT, file), 'utf8');
  const missing = titles.filter((title) => !hasTitle(source, title));
  return missing.length === 0 ? null : `${file} has no test "${missing.join('", "')}"`;
}

function faultsIn({ claims, notes }: Page): readonly string[] {
  const used = new Set(claims.flatMap(({ text }) => refsOf(text)));
  const isOpen = (name: string) => notes.get(name) === OPEN;
  return [
    ...claims
      .filter(({ text }) => !ENDS_WITH_REF.test(text))
      .map(({ text }) => `names nothing that proves it: ${text}`),
    ...claims
      .filter(({ text, heading }) => heading !== OPEN_HEADING && refsOf(text).some(isOpen))
      .map(({ text }) => `is open, but not told under "${OPEN_HEADING}": ${text}`),
    ...[...used].filter((name) => !notes.has(name)).map((name) => `there is no footnote ${name}`),
    ...[...notes.keys()].filter((name) => !used.has(name)).map((name) => `nobody uses ${name}`),
    ...[...notes].flatMap(([name, says]) => {
      const why = whyNoProof(says);
      return why === null ? [] : [`${name} ${why}`];
    }),
  ];
}

describe.each(PAGES)('%s', (path) => {
  const page = readPage(readFileSync(join(ROOT, path), 'utf8'));

  it('names for each claim the test that proves it, or where Google says so', () => {
    expect(page.claims.length).toBeGreaterThan(30);
    expect(faultsIn(page)).toEqual([]);
  });
});

describe('a page', () => {
  const NOTE = '[^one]: `test/claims.test.ts` › a page › is refused where %s';
  const faults = (text: string) => faultsIn(readPage(text));

  it('is taken with a test for each sentence, item and cell', () => {
    const table = '| store | holds |\n|---|---|\n| cache | answers[^one]; no key[^one] |';
    expect(
      faults(`# T\n\nSo it is.[^one] And so.[^one]\n\n- An item.[^one]\n\n${table}\n\n${NOTE}`),
    ).toEqual([]);
  });

  it.each([
    ['a sentence has none', `So it is. And so.[^one]\n\n${NOTE}`],
    ['an item has none', `- So it is.[^one]\n- And so.\n\n${NOTE}`],
    ['a part of a cell has none', `| store | holds |\n|---|---|\n| a | b; c[^one] |\n\n${NOTE}`],
    ['the footnote is not there', 'So it is.[^one]'],
    ['the footnote is not used', `So it is.[^one]\n\n${NOTE}\n[^two]: ${OPEN}`],
    ['the file is not there', `So it is.[^one]\n\n${NOTE.replace('claims', 'clams')}`],
    ['the test is not there', `So it is.[^one]\n\n${NOTE.replace('refused', 'praised')}`],
    ['no test is named', 'So it is.[^one]\n\n[^one]: `test/claims.test.ts`'],
    ['what is open is told elsewhere', `# T\n\nSo it is.[^one]\n\n[^one]: ${OPEN}`],
  ])('is refused where %s', (_why, text) => {
    expect(faults(text)).toHaveLength(1);
  });
});
