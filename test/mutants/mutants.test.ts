// The table of faults as it has to be to be worth anything, and the runner's own decisions.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALL_FAULTS } from './all-faults';
import { inAreas, ofChanged } from './choice';
import { AREAS, faultyText, type PlacedFault, pathOf, rememberedAs, testPathsOf } from './fault';
import { verdictOf } from './workshop';

const ROOT = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the table of faults', () => {
  it('has 120 at least, and three for each folder', () => {
    expect(ALL_FAULTS.length).toBeGreaterThanOrEqual(120);
    for (const area of AREAS) expect(inAreas(ALL_FAULTS, [area]).length).toBeGreaterThanOrEqual(3);
  });

  it('says of each what it means, in words of its own', () => {
    for (const { words } of ALL_FAULTS) expect(words).toMatch(/^[A-Z].* .*\.$/);
    expect(new Set(ALL_FAULTS.map(({ words }) => words)).size).toBe(ALL_FAULTS.length);
  });

  it('names what stands in the source, once, and puts something else there', () => {
    for (const fault of ALL_FAULTS) {
      const faulty = faultyText(fault, read(pathOf(fault)));
      expect(faulty).toEqual(expect.any(String));
      expect(faulty).not.toBe(read(pathOf(fault)));
    }
  });

  it('names tests that are there', () => {
    for (const fault of ALL_FAULTS) {
      expect(fault.tests.length).toBeGreaterThan(0);
      expect(testPathsOf(fault).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    }
  });
});

const [FIRST, SECOND] = ALL_FAULTS as readonly [PlacedFault, PlacedFault];

describe('a fault', () => {
  it('that the source has no more, or twice, is told', () => {
    const why = { why: expect.stringContaining(FIRST.from) };
    expect(faultyText(FIRST, '')).toEqual(why);
    expect(faultyText(FIRST, FIRST.from + FIRST.from)).toEqual(why);
    expect(faultyText({ ...FIRST, also: { from: 'gone', to: '' } }, FIRST.from)).toMatchObject({
      why: expect.stringContaining('gone'),
    });
  });

  it('is put in as it is written, whatever signs are in it', () => {
    const fault = { ...FIRST, from: 'a', to: '$& $1 $$', also: { from: 'b', to: 'c' } };
    expect(faultyText(fault, 'x a b')).toBe('x $& $1 $$ c');
  });

  it('is remembered until it, its file or its tests change', () => {
    const known = rememberedAs(FIRST, read);
    expect(rememberedAs({ ...FIRST }, read)).toBe(known);
    expect(rememberedAs({ ...FIRST, to: '' }, read)).not.toBe(known);
    for (const path of [pathOf(FIRST), ...testPathsOf(FIRST)])
      expect(rememberedAs(FIRST, (one) => read(one) + (one === path ? ' ' : ''))).not.toBe(known);
  });
});

describe('a run over what changed', () => {
  it('takes the faults of those files first, and ten at least', () => {
    const changed = ofChanged(ALL_FAULTS, [pathOf(FIRST)], 'c0ffee');
    expect(changed).toContain(FIRST);
    expect(changed.length).toBeGreaterThanOrEqual(10);
    expect(new Set(changed).size).toBe(changed.length);
    expect(ofChanged(ALL_FAULTS, ALL_FAULTS.map(pathOf), 'c0ffee')).toHaveLength(ALL_FAULTS.length);
  });

  it('takes others with another commit, so that all come round', () => {
    const commits = Array.from({ length: 150 }, (_, at) => `commit ${at}`);
    const faults = ALL_FAULTS.slice(0, 60);
    const seen = new Set(commits.flatMap((commit) => ofChanged(faults, [], commit)));
    expect(seen.size).toBe(faults.length);
    expect(ofChanged([FIRST, SECOND], [], 'c0ffee')).toHaveLength(2);
  });
});

describe('what Jest says', () => {
  it.each([
    ['Tests:       1 failed, 25 passed, 26 total', 1, 'failed'],
    ['Tests:       26 passed, 26 total', 0, 'passed'],
    // None fits the name, or the file could not be read.
    ['Tests:       26 skipped, 26 total', 0, 'not-run'],
    ['Test Suites: 1 failed, 1 total\nTests:       0 total', 1, 'not-run'],
    ['Error: Not built.', 1, 'not-run'],
  ])('%j is %d, %s', (said, code, kind) => {
    expect(verdictOf({ said, code })).toMatchObject({ kind });
  });
});
