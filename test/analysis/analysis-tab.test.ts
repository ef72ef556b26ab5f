// The Analysis tab as people find it: how it looks, what is written into it, and what they did to it.
import { describe, expect, it } from '@jest/globals';
import { createPeople } from 'apps-script-host/sheet/people';
import type { AnalysisRow } from '../../src/analysis/analysis-tab';
import { figuresBy } from '../../src/product/fields';
import type { DataChange } from './tab-script';
import { createTabWorld, type TabWorld } from './tab-world';

const AT = Date.UTC(2026, 0, 5, 9);
const TITLES = [
  ...['Key', 'ASIN', 'Market', 'Status', 'Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d'],
  ...['Buy price', 'Sell price', 'Analyzed at', 'Tried at', 'Wanted since', 'Changed', 'Also sent'],
];

const figures = (profit: number) => ({
  ...figuresBy(() => null),
  profit,
  roi: 0.25,
  eligible: 'needs approval' as const,
});

/** An answer for one product, as a job records it. */
const answer = (asin: string, profit: number, atMs = AT): DataChange => ({
  meant: { key: `${asin}|US` },
  becomes: {
    asin,
    market: 'US',
    status: 'OK',
    figures: figures(profit),
    analyzedMs: atMs,
    triedMs: atMs,
    wantedMs: null,
  },
});

const [A, B, C] = ['B000000001', 'B000000002', 'B000000003'] as const;

/** A tab with these products, of which each has its place in the list as its profit. */
function worldWith(...asins: readonly string[]): TabWorld {
  const world = createTabWorld();
  world.record(...asins.map((asin, at) => answer(asin, at + 1)));
  return world;
}

const profitsOf = (world: TabWorld) =>
  Object.fromEntries(
    [...world.read().values()].map(({ key, figures: { profit } }) => [key, profit]),
  );

describe('the tab', () => {
  it('is made behind all other tabs, with its titles, and the active sheet stays active', () => {
    const world = createTabWorld();
    expect(world.call('isThere')).toBe(false);
    expect(world.call('open')).toEqual({ name: 'Analysis', profit: 'E' });
    expect(world.grid.sheets().map(({ name }) => name)).toEqual(['List', 'Analysis']);
    expect(world.cells()).toEqual([TITLES]);
    expect(world.grid.selection().sheetId).toBe(0);
    const id = world.sheetId();
    const titles = { row: 1, column: 1, rowCount: 1, columnCount: TITLES.length };
    expect(world.grid.fontWeights(id, titles)).toEqual([TITLES.map(() => 'bold')]);
    expect(world.grid.frozenRows(id)).toBe(1);
    expect(world.grid.protections(id)).toMatchObject([{ isWarningOnly: true, rectangle: null }]);
    expect(world.call('isThere')).toBe(true);
  });

  it('holds a row as it was recorded, and gives it back', () => {
    const world = createTabWorld();
    const [recorded] = world.record(answer(A, 12.5));
    const row: AnalysisRow = {
      ...{ key: `${A}|US`, asin: A, market: 'US', status: 'OK', figures: figures(12.5) },
      ...{ analyzedMs: AT, triedMs: AT, wantedMs: null, changed: '', alsoSent: '' },
    };
    expect(recorded).toEqual({ before: null, after: row });
    expect([...world.read()]).toEqual([[`${A.toLowerCase()}|us`, row]]);
    const when = new Date(AT);
    const shown = [`${A}|US`, A, 'US', 'OK', 12.5, 0.25, '', 'needs approval', '', '', '', when];
    expect(world.cells()[1]).toEqual([...shown, when, '', '', '']);
  });

  it('changes the row of a key and every row of a product', () => {
    const world = worldWith(A, B);
    world.record({
      meant: { key: `see ${A.toLowerCase()}|us` },
      becomes: { asin: A, market: 'US' },
    });
    const changed = world.record({
      meant: { product: `${A}|US` },
      becomes: { figures: figures(7) },
    });
    expect(
      changed.map(({ before, after }) => [before?.figures.profit, after.figures.profit]),
    ).toEqual([
      [1, 7],
      [null, 7],
    ]);
    expect(profitsOf(world)).toEqual({
      [`${A}|US`]: 7,
      [`${B}|US`]: 2,
      [`see ${A.toLowerCase()}|us`]: 7,
    });
  });

  it('finds its columns wherever they are, and under any name', () => {
    const world = worldWith(A, B);
    const people = createPeople(world.grid);
    const sheetId = world.sheetId();
    people({ do: 'renameSheet', sheetId, name: 'Analysis of mine' });
    people({ do: 'insertColumns', sheetId, first: 1, count: 2 });
    people({ do: 'moveColumns', sheetId, first: 7, count: 1, before: 3 });
    expect(world.call('open')).toEqual({ name: 'Analysis of mine', profit: 'C' });
    world.record(answer(B, 20), answer(C, 30));
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 20, [`${C}|US`]: 30 });
    expect(world.grid.sheets()).toHaveLength(2);
  });
});
