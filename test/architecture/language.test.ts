// The language of the house: its words are names in the code, and its diagrams draw states of the code.
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { STOP_REASONS } from '../../src/limit/stop';
import { FUNCTION_LINES_MAX, LINES_MAX } from './house-rules';
import { isCode, nodesOf, readTree, type SourceFile } from './source-tree';

const ROOT = resolve(__dirname, '../..');
const SOURCE = readTree(ROOT, 'src').filter(isCode);
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** "EncodedAnalysis", "ROI_UNIT" and "rate-headers" in words, in lower case. */
const wordsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function namesIn(file: SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    if (ts.isVariableStatement(node) && isExported(node))
      return node.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    const isDeclared =
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    return isDeclared && isExported(node) ? [node.name?.text ?? ''] : [];
  });
}

const NAMES = SOURCE.flatMap((file) => [
  ...namesIn(file).map((name) => ({ name, path: file.path })),
  { name: basename(file.path).split('.')[0] ?? '', path: file.path },
]);

describe('the glossary', () => {
  /** Rows of the table under "Words"; several words for one thing stand in one row. */
  const terms = [...(PAGE.split('\n## ')[1] ?? '').matchAll(/^\| ([a-z][a-z, ]*) \|/gm)]
    .flatMap(([, row = '']) => row.split(', '))
    .filter((term) => term !== 'word');

  it('is read', () => {
    expect(terms).toContain('gate');
    expect(terms).toContain('queue');
    expect(terms.length).toBeGreaterThan(20);
  });

  it.each(terms)('has "%s" because the code has it', (term) => {
    const all = term.split(' ');
    const isNamed = NAMES.some(({ name }) => {
      const words = wordsOf(name).map((word) => word.replace(/s$/, ''));
      return all.every((word) => words.includes(word.replace(/s$/, '')));
    });
    expect(isNamed).toBe(true);
  });
});

/** Words that were names once, and what is said in their place: one concept keeps one word. */
const RETIRED: ReadonlyMap<string, string> = new Map([
  ['wish', 'request, selection or command'],
  ['tally', 'counter'],
  ['errand', 'pending request'],
  ['sighting', 'observation'],
  ['payer', 'key owner'],
  ['rhythm', 'back-off'],
  ['told', 'advertised or observed'],
  ['occasion', 'context'],
  ['firing', 'run of a schedule'],
  ['visit', 'run of a schedule'],
  ['packed', 'encoded'],
  ['surroundings', 'environment'],
  ['bones', 'skeleton'],
  ['hands', 'effects'],
  ['sight', 'status'],
  ['home', 'spreadsheet identity'],
  ['warm', 'prefetch'],
]);

describe('no exported name and no file', () => {
  it.each([...RETIRED])('says "%s", which is %s', (word) => {
    const sayIt = NAMES.filter(({ name }) => wordsOf(name).includes(word));
    expect(sayIt.map(({ name, path }) => `${path}: ${name}`)).toEqual([]);
  });
});

/** The members of a union of texts, by file and name. */
function unionOf(path: string, name: string): readonly string[] {
  const file = SOURCE.find((one) => one.path === path);
  const alias = (file ? nodesOf(file) : []).find(
    (node): node is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(node) && node.name.text === name,
  );
  if (!alias || !ts.isUnionTypeNode(alias.type)) throw new Error(`${path} has no union ${name}`);
  return alias.type.types
    .flatMap((type) =>
      ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
    )
    .sort();
}

/** The states of the one diagram under a heading, by the names that it shows. */
function statesUnder(heading: string): readonly string[] {
  const chapter = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(chapter)?.[1] ?? '';
  const shown = new Map(
    [...diagram.matchAll(/state "([^"]+)" as (\w+)/g)].map(([, name = '', id = '']) => [id, name]),
  );
  const ids = [...diagram.matchAll(/^ {2}(\S+) --> (\w+)/gm)].flatMap(([, from, to]) => [from, to]);
  const named = ids.flatMap((id) => (id && id !== '[*]' ? [shown.get(id) ?? id] : []));
  return [...new Set(named)].sort();
}

describe('the states that a diagram draws are those of the code', () => {
  it('for the gate, whose states are open and why nobody calls', () => {
    expect(statesUnder('The gate')).toEqual(['open', ...STOP_REASONS].sort());
  });

  it('for a job', () => {
    expect(statesUnder('A job over a list')).toEqual(unionOf('src/jobs/job.ts', 'JobState'));
  });

  it('for a schedule', () => {
    expect(statesUnder('A schedule')).toEqual(
      unionOf('src/schedules/schedule.ts', 'ScheduleState'),
    );
  });
});

/** Names of files, of cells and of links hold digits that count nothing; so do the steps of a list. */
const counted = PAGE.replace(/`[^`]*`|\]\([^)]*\)/g, '').replace(/^\d+\. /gm, '');

it('the page counts nothing that a rule does not hold', () => {
  const numbers = (counted.match(/\d[\d,.]*\d|\d/g) ?? []).map(Number);
  expect(numbers).toEqual([FUNCTION_LINES_MAX, LINES_MAX]);
});

/** A page that nobody reads to the end is worth less than the files that it names. */
const WORDS_MAX = 4_000;

it('the page can be read in a quarter of an hour', () => {
  expect(PAGE.split(/\s+/).length).toBeLessThan(WORDS_MAX);
});
