// The command, as npx starts it: what it prints for a project in a folder, and what it refuses.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandLine, HELP, repeating, watchedFolder } from '../src/command-line';

const folder = mkdtempSync(join(tmpdir(), 'command-line-'));

const CODE = `/** @customfunction */
function DOUBLE(x) {
  if (typeof x !== 'number') throw new Error('A number, please.');
  return x * 2;
}
function add(a, b) { console.log('adds', a, b); return a + b; }
function rows() { return [['a', 1], ['b', true]]; }
function fetches() { UrlFetchApp.fetch('https://example.com/'); }
function install() { ScriptApp.newTrigger('note').timeBased().everyHours(1).create(); }
function note() { SpreadsheetApp.getActiveSheet().appendRow(['noted', 1]); }
function sleeps() { Utilities.sleep(300000); Utilities.sleep(300000); }
function plan() { ScriptApp.newTrigger('fails').timeBased().everyHours(1).create(); }
function fails() { throw new Error('Late.'); }
function nobody() { return Session.getActiveUser().getEmail(); }
`;

beforeAll(() => writeFileSync(join(folder, 'Code.gs'), CODE));
afterAll(() => rmSync(folder, { recursive: true }));

const said = (...words: readonly string[]) => commandLine([...words, '--project', folder]);

describe('a cell', () => {
  it('shows what its function returns, from cells that are given', async () => {
    const { exitCode, out, aside } = await said('cell', '=DOUBLE(A1)', '--cells', '[[21]]');
    expect([exitCode, out]).toEqual([0, '42']);
    expect(aside).toMatch(/^Returned after 0\.\d\d s at Google's pace, with 0 service calls\.$/);
  });

  it('shows an error, and beside it the reason with its line', async () => {
    const { exitCode, out, aside } = await said('cell', '=DOUBLE("x")');
    expect([exitCode, out]).toEqual([1, '#ERROR!']);
    expect(aside).toMatch(/Error: A number, please\.\n {4}at DOUBLE \(Code\.gs:3:/);
    expect(aside).toMatch(/^ {2}Code\.gs:3 \| if \(typeof x !== 'number'\) throw/m);
    expect(aside).toMatch(/^Failed after/m);
  });

  it('knows no other function', async () => {
    const { exitCode, out, aside } = await said('cell', '=TRIPLE(1)');
    expect([exitCode, out]).toEqual([1, '#NAME?']);
    expect(aside).toContain("Unknown function: 'TRIPLE'.");
  });
});

it('takes the project of the folder it is started in, where no other is named', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(await commandLine(['run', 'add', '1', '2'])).toMatchObject({ exitCode: 0, out: '3' });
  } finally {
    process.chdir(before);
  }
});

describe('a function', () => {
  it('gets its arguments as JSON or as texts, and its log stands beside the value', async () => {
    expect(await said('run', 'add', '1', '2')).toMatchObject({ exitCode: 0, out: '3' });
    const { out, aside } = await said('run', 'add', 'one', ' two');
    expect(out).toBe('one two');
    expect(aside).toContain('adds one  two');
  });

  it('returns rows as they are copied out of a sheet', async () => {
    expect((await said('run', 'rows')).out).toBe('a\t1\nb\ttrue');
  });

  it('fails at a service with the line of the script that called it', async () => {
    const { exitCode, out, aside } = await said('run', 'fetches');
    expect([exitCode, out]).toEqual([1, '']);
    expect(aside).toMatch(
      /^Exception: DNS error: https:\/\/example\.com\/ \(no such site here.*\n {4}at fetches \(Code\.gs:8:\d+\)\n {2}Code\.gs:8 \| function fetches/,
    );
    expect(aside).toMatch(/^ {2}in UrlFetchApp\.fetch, service call 1\nFailed/m);
  });

  it('that runs out of time is told with the call that it hung in and the limit', async () => {
    expect((await said('run', 'sleeps')).aside).toMatch(
      /^Exception: Exceeded maximum execution time\n {2}in Utilities\.sleep, service call 2\n {2}at the limit longRunMs: 360000\nRan out of time/m,
    );
  });

  it('that is not there is told by its name alone', async () => {
    const { aside } = await said('run', 'nothing');
    expect(aside).toMatch(/^Exception: Script function not found: nothing\nFailed/);
  });

  it('leaves triggers behind, which hours fire, and cells, which are shown', async () => {
    // Half an hour more, since triggers are some minutes late.
    const { out } = await said('run', 'install', '--hours', '2.5', '--show', 'A1:B3');
    expect(out).toBe('noted\t1\nnoted\t1\n\t');
  });

  it('tells of triggers that failed meanwhile', async () => {
    const { exitCode, aside } = await said('run', 'plan', '--hours', '1.5');
    expect(exitCode).toBe(0);
    expect(aside).toMatch(
      /^fails \(clock\) at 2026-01-05T10:\S+ threw: Error: Late\.\n {2}Code\.gs:\d+ \| function fails/m,
    );
  });

  it('is traced call by call, the same with the same seed', async () => {
    const traced = async (seed: string) =>
      (await said('run', 'install', '--trace', '--seed', seed)).aside;
    expect(await traced('7')).toMatch(/call {5}script\.createTrigger note/);
    expect(await traced('7')).toBe(await traced('7'));
    expect(await traced('8')).not.toBe(await traced('7'));
  });

  it('runs as a web app, and in the language of an account', async () => {
    expect((await said('run', 'note', '--profile', 'web')).exitCode).toBe(1);
    expect((await said('run', 'nothing', '--locale', 'de')).aside).toMatch(/nicht gefunden/);
  });
});

describe('words that it does not know', () => {
  it.each([
    [['hello'], 'Say "cell FORMULA" or "run FUNCTION". --help has the rest.'],
    [['run'], 'Say "cell FORMULA" or "run FUNCTION". --help has the rest.'],
    [['run', 'add', '--colour'], "Unknown option '--colour'"],
    [['run', 'add', '--seed', 'x'], '--seed takes a number, not "x".'],
    [['run', 'add', '--hours', '-1'], "Option '--hours' argument is ambiguous."],
    [['run', 'add', '--profile', 'doc'], '--profile takes bound, add-on, web, not "doc".'],
    [['cell', '=DOUBLE(1)', '--cells', '[1]'], '--cells takes rows of cells'],
    [['run', 'add', '--show', 'Other!A1'], 'There are no cells Other!A1.'],
  ])('%j are refused', async (words, why) => {
    const { exitCode, out, aside } = await said(...words);
    expect([exitCode, out]).toEqual([1, '']);
    expect(aside).toContain(why);
  });

  it('a folder without a script says so', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'no-script-'));
    const { exitCode, aside } = await commandLine(['run', 'f', '--project', empty]);
    rmSync(empty, { recursive: true });
    expect(exitCode).toBe(1);
    expect(aside).toContain(`There is no script in ${empty}`);
  });

  it('nothing at all is the help', async () => {
    expect(await commandLine([])).toEqual({ exitCode: 0, out: HELP, aside: '' });
    expect((await said('--help')).out).toBe(HELP);
  });
});

it('takes the folder of the project before the function', async () => {
  expect(await commandLine(['run', folder, 'add', '1', '2'])).toMatchObject({ out: '3' });
  expect(await commandLine(['cell', folder, '=DOUBLE(4)'])).toMatchObject({ out: '8' });
});

describe('watching', () => {
  it('is of the folder of the project, where it was asked for', () => {
    expect(watchedFolder(['run', folder, 'add', '--watch'])).toBe(folder);
    expect(watchedFolder(['run', 'add', '--watch', '--project', folder])).toBe(folder);
    expect(watchedFolder(['run', 'add'])).toBeNull();
    expect(watchedFolder(['run', '--nonsense'])).toBeNull();
  });

  it('runs once more for all that changed during a run', async () => {
    const ends: (() => void)[] = [];
    const again = repeating(() => new Promise((resolve) => ends.push(resolve)));
    again();
    again();
    again();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
  });
});
