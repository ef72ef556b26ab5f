// A new deal sheet on the emulated host: what it holds, that it decides at once, and that it is made whole or not at all.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf } from '../../playground/api/state';
import { HIGHLIGHTS } from '../../src/deal/decision-plan';
import { SHEET_KINDS, type SheetKind } from '../../src/deal/new-sheet';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, type DealWorld, dealWorld, lookAt } from '../doors/deal-list';

/** In pixels, on the narrow side. */
const BOLD_LETTER = 7;

/** What the usual rules say of the samples at the prices that they are offered for. */
const SAMPLE_VERDICTS = [
  ...['Buy', 'Buy', 'Buy', 'Maybe', 'Buy', 'Skip'],
  ...['Skip', 'Skip', 'Buy', 'Maybe', 'Buy', 'Skip'],
];

let made: DealWorld;

afterEach(() => made.world.stop());

/** As the page makes it: it is on view then. */
async function makeSheet(kind: SheetKind, hasSamples: boolean) {
  const { world } = made;
  if (hasSamples) {
    granted(await world.rpc('connection.clear', {}));
    granted(await world.rpc('demo.start', {}));
  }
  return granted(await world.rpc('deals.newSheet', { kind, hasSamples }));
}

const cellsOf = (sheetId: number) => {
  const { grid } = made.sheet;
  const { lastRow, lastColumn } = grid.size(sheetId);
  return grid.values(sheetId, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
};
const under = (cells: readonly (readonly CellValue[])[], title: string) =>
  cells.slice(1).map((row) => row[cells[0]?.indexOf(title) ?? 0]);

describe.each(SHEET_KINDS)('a sheet for %s', (kind) => {
  it('shows a dozen samples, decided, without a key and without a call', async () => {
    made = await dealWorld([['']]);
    const { sheetId, name } = await makeSheet(kind, true);
    expect(name).toBe('Samples');
    const cells = cellsOf(Number(sheetId));
    expect(under(cells, 'Verdict')).toEqual(SAMPLE_VERDICTS);
    expect(under(cells, 'Why')[3]).toBe('Needs approval');
    expect(under(cells, 'My ROI')[0]).toBeCloseTo(0.8565);
    expect(arrivalsOf(made.world.service())).toEqual([]);
    const cost = (cells[0]?.findIndex((title) => /cost/i.test(String(title))) ?? 0) + 1;
    made.sheet.people({
      ...{ do: 'edit', sheetId: Number(sheetId), row: 2, column: cost },
      contents: [[9_999]],
    });
    expect(under(cellsOf(Number(sheetId)), 'Verdict')[0]).toBe('Skip');
  });

  it('is a list whose figures a run fills, and whose costs are found', async () => {
    made = await dealWorld([['']]);
    const { world, sheet } = made;
    const { sheetId } = await makeSheet(kind, false);
    const id = Number(sheetId);
    expect(arrivalsOf(world.service())).toEqual([]);
    sheet.people({
      ...{ do: 'edit', sheetId: id, row: 2, column: 1 },
      contents: US_ASINS.slice(0, 3).map((asin) => [asin]),
    });
    expect((granted(await world.rpc('list.look')) as { choice?: object }).choice).toMatchObject({
      ...{ sheetId: id, productColumn: 1, headerRow: 1 },
      market: { kind: 'column', column: 3 },
      fields: expect.arrayContaining(['profit', 'sell_price']),
    });
    const before = cellsOf(id)[0] ?? [];
    before.forEach((title, at) => {
      // Hidden columns are as wide as they were.
      if (sheet.features.look(id).hiddenColumns.includes(at + 1)) return;
      const width = sheet.grid.columnWidth(id, at + 1);
      expect(width).toBeGreaterThanOrEqual(BOLD_LETTER * String(title).length);
    });
    await analyze(world);
    const cells = cellsOf(id);
    expect(cells[0]).toEqual(before);
    expect(under(cells, 'Analysis status')[0]).toBe('OK');
    expect(under(cells, 'Sell price')).toEqual(Array(3).fill(expect.any(Number)));
    // Costs stand in the first row alone; the others say what they lack.
    expect(under(cells, 'Verdict')).toEqual([
      expect.stringMatching(/^(Buy|Maybe|Skip)$/),
      ...['No verdict', 'No verdict'],
    ]);
    expect(under(cells, 'Why').slice(1)).toEqual(['No cost', 'No cost']);
    const { cost, quantity } = (await lookAt(world)).costs;
    expect([cost?.title, quantity?.title]).toEqual([
      expect.stringMatching(/^(Pack c|C)ost$/),
      expect.stringMatching(/^(Quantity|Packs to buy)$/),
    ]);
  });
});

describe('a new deal sheet', () => {
  it('takes markets from a dropdown alone, marks verdicts and keeps its header on view', async () => {
    made = await dealWorld([['']]);
    const { sheetId } = await makeSheet('wholesale', false);
    const id = Number(sheetId);
    const { grid, features } = made.sheet;
    expect(grid.dropdowns(id)).toEqual([
      expect.objectContaining({
        ...{ options: ['US', 'UK'] },
        rectangle: { row: 2, column: 3, rowCount: 999, columnCount: 1 },
      }),
    ]);
    expect(features.look(id).rules.map(({ values }) => values[0])).toEqual(
      HIGHLIGHTS.map(({ text }) => text),
    );
    expect(grid.frozenRows(id)).toBe(1);
    const again = await makeSheet('wholesale', false);
    expect(again).toMatchObject({ name: 'Wholesale 2' });
  });

  it.each(['de_DE', 'en_GB'])('decides in a spreadsheet of %s', async (locale) => {
    made = await dealWorld([['']], { locale });
    const { sheetId } = await makeSheet('arbitrage', true);
    expect(under(cellsOf(Number(sheetId)), 'Verdict')).toEqual(SAMPLE_VERDICTS);
  });
});
