// People who act in a list at any call while its columns are made or filled in: what is theirs stays.

import { describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import fc from 'fast-check';
import type { WantedFormula } from '../../src/list/new-columns';
import { sampleSize } from '../sample';
import { createSheetWorld, WANTED } from '../sheet/sheet-world';

/** A column that works something out of another one of ours. */
const TWICE: WantedFormula = {
  role: 'twice',
  market: 'US',
  formula: '=IF({profit}="";"";{profit}*2)',
  ...{ title: 'Twice', width: 100, format: '0.00', isHidden: false },
};

const RUNS = sampleSize(90, 20);
const ROWS = [1, 2, 3, 4, 5];
const asinAt = (at: number) => `B00000000${at}`;
const column = fc.integer({ min: 1, max: 8 });

const act = fc.oneof(
  fc.record({
    do: fc.constantFrom('insertColumns' as const, 'insertRows' as const),
    sheetId: fc.constant(0),
    first: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 2 }),
  }),
  fc
    .record({
      do: fc.constant('moveColumns' as const),
      sheetId: fc.constant(0),
      first: column,
      count: fc.constant(1),
      before: column,
    })
    .filter(({ first, before }) => before < first || before > first + 1),
);

/** Between two readings of how wide the sheet is. */
const INSERTED = { do: 'insertColumns', sheetId: 0, first: 2, count: 1 } as const;

/** A list of theirs, into which somebody acts at the call of this number. */
function actingAt(number: number, one: Act) {
  const state = { calls: 0, isOn: false, hasActed: false };
  const rows = ROWS.map((at) => [asinAt(at), at * 1_000, `=${at}+0.5`]);
  const world = createSheetWorld([['ASIN', 'Cost', 'Note'], ...rows], {
    betweenCalls: () => {
      if (!state.isOn) return [];
      state.calls += 1;
      if (state.calls !== number) return [];
      state.hasActed = true;
      return [one];
    },
  });
  world.fill(...ROWS.map((at) => ({ key: `${asinAt(at)}|US`, figures: { profit: at } })));
  return { world, state };
}

/** Rows by their product: what is theirs, and the profit that stands beside it. */
function rowsIn({ cells, grid, id }: ReturnType<typeof createSheetWorld>) {
  const all = cells();
  const { lastRow, lastColumn } = grid.size(id);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const formulas = grid.formulas(id, area);
  const profit = String(all.flat().find((cell) => /^Profit\b/.test(String(cell))) ?? '');
  const titles = all.find((row) => row.includes('ASIN') || row.includes(profit)) ?? [];
  return ROWS.map((at) => {
    const line = all.findIndex((row) => row.includes(asinAt(at)));
    const row = all[line] ?? [];
    return {
      hasTheirs:
        row.includes(at * 1_000) &&
        (formulas[line] ?? []).some((formula) => formula === `=${at}+0.5`),
      shown: row[titles.indexOf(profit)] ?? '',
      twice: row[titles.indexOf('Twice')] ?? '',
    };
  });
}

describe('when a person acts at any call while columns are made or filled in', () => {
  it('what is theirs stays, or they are told, and no figure stands beside another product', () => {
    const seen = { acts: 0, told: 0, again: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 160 }), act, fc.boolean(), (number, one, isThere) => {
        const { world, state } = actingAt(number, one);
        if (isThere) {
          world.ensure();
          world.grid.write(world.id, 1, 10, [['Mine'], [11], [12]]);
          world.grid.write(world.id, 2, 4, [[''], ['']]);
        }
        state.isOn = true;
        const made = world.call('ensure', [world.place, WANTED]);
        const list = 'kind' in made ? made : world.call('decide', [world.id, made.id, [TWICE]]);
        state.isOn = false;
        if (!state.hasActed) return;
        seen.acts += 1;
        const rows = rowsIn(world);
        if ('kind' in list && list.kind === 'run' && list.why === 'overwritten') {
          seen.told += 1;
          return;
        }
        if ('kind' in list) seen.again += 1;
        expect(rows.map(({ hasTheirs }) => hasTheirs)).toEqual(ROWS.map(() => true));
        expect(world.cells().flat()).toEqual(
          expect.arrayContaining(['ASIN', 'Cost', 'Note', ...(isThere ? ['Mine', 11, 12] : [])]),
        );
        for (const [at, { shown, twice }] of rows.entries()) {
          const profit = ROWS[at] ?? 0;
          expect([profit, '', '#REF!']).toContain(shown);
          expect([2 * profit, '', '#REF!']).toContain(twice);
        }
      }),
      { numRuns: RUNS, seed: 33, examples: [[14, INSERTED, false]] },
    );
    expect(seen.acts).toBeGreaterThan(RUNS / 2);
    expect(seen.told).toBeLessThan(6);
  }, 120_000);
});
