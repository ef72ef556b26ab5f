// How programs of others are judged, by a folder that stands for a checkout of one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROGRAMS, type Program } from '../scripts/programs/list';
import { judge } from '../scripts/programs/main';

const folder = mkdtempSync(join(tmpdir(), 'programs-'));

beforeAll(() => {
  mkdirSync(join(folder, 'somebody/tools/src'), { recursive: true });
  writeFileSync(join(folder, 'somebody/tools/src/a.gs'), 'function twice(x) { return 2 * x; }');
  writeFileSync(join(folder, 'somebody/tools/b.gs'), 'const HALF = (x) => x / 2;');
});
afterAll(() => rmSync(folder, { recursive: true }));

const program: Program = {
  repository: 'somebody/tools',
  commit: 'a'.repeat(40),
  files: ['src', 'b.gs'],
  job: 'doubles and halves',
  driver: 'function both() { return [twice(4), HALF(4)]; }',
  play: async (host) => (await host.run('both')).value,
  expected: [8, 2],
};

it('a program works if its job gives what is expected, and says what it gives if not', async () => {
  expect((await judge(folder, program)).failure).toBeNull();
  expect((await judge(folder, { ...program, expected: 1 })).failure).toBe('[8,2] instead of 1');
  const missing = { ...program, repository: 'somebody/else' };
  expect((await judge(folder, missing)).failure).toBe('is not in the folder');
});

it('at least thirty are in the list, each with its whole commit', () => {
  expect(PROGRAMS.length).toBeGreaterThanOrEqual(30);
  expect(PROGRAMS.filter(({ commit }) => !/^[\da-f]{40}$/.test(commit))).toEqual([]);
  expect(new Set(PROGRAMS.map(({ repository }) => repository)).size).toBeGreaterThan(20);
});
