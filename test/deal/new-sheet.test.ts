// A new deal sheet on the emulated host: what it holds, that it decides at once, and that it is made whole or not at all.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf } from '../../playground/api/state';
import { costColumnsOf, MARKS } from '../../src/deal/decision-plan';
import { newDealSheet, SHEET_KINDS, type SheetKind } from '../../src/deal/new-sheet';
import { newRulesTab } from '../../src/deal/rules-tab';
import { choiceOf, granted, runAll, US_ASINS } from '../doors/bulk-list';
import { type DealWorld, dealWorld, lookAt } from '../doors/deal-list';

/** In pixels, on the narrow side. */
const BOLD_LETTER = 7;

let made: DealWorld;

afterEach(() => made.world.stop());

/** As the page makes it: rules, then the sheet, which is on view then. */
async function makeSheet(kind: SheetKind, hasSamples: boolean) {
  const { world } = made;
  granted(await world.rpc('deals.tab', newRulesTab(hasSamples ? 1 : null)));
  return granted(await world.rpc('deals.tab', newDealSheet(kind, hasSamples)));
}

const cellsOf = (sheetId: number) => {
  const { grid } = made.sheet;
  const { lastRow, lastColumn } = grid.size(sheetId);
  return grid.values(sheetId, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
};
const under = (cells: readonly (readonly CellValue[])[], title: string) =>
  cells.slice(1).map((row) => row[cells[0]?.indexOf(title) ?? 0]);

/** A connected spreadsheet where samples answer all the same, as the cells of a formula. */
async function answerSamples(sheetId: number): Promise<void> {
  const { world, sheet } = made;
  granted(await world.rpc('connection.clear', {}));
  granted(await world.rpc('demo.start', {}));
  for (const [at, row] of cellsOf(sheetId).slice(1).entries()) {
    const column = (cellsOf(sheetId)[0]?.indexOf('Profit') ?? 0) + 1;
    const area = { row: at + 2, column, rowCount: 1, columnCount: 1 };
    const formula = String(sheet.grid.formulas(sheetId, area)[0]?.[0]);
    const [, fields] = /^=ANALYZE\(A\d+[;,]\s?C\d+[;,]\s?"(.+)"\)$/.exec(formula) ?? [];
    const { value } = await world.show('ANALYZE', row[0], row[2], fields);
    sheet.people({
      ...{ do: 'edit', sheetId, row: at + 2, column },
      contents: value as CellValue[][],
    });
  }
}

describe.each(SHEET_KINDS)('a sheet for %s', (kind) => {
  it('shows samples that pass, nearly pass and fail, without a key and without a call', async () => {
    made = await dealWorld([['']]);
    const { sheetId } = await makeSheet(kind, true);
    await answerSamples(Number(sheetId));
    const cells = cellsOf(Number(sheetId));
    expect(under(cells, 'Verdict')).toEqual(['Buy', 'Maybe', 'Skip']);
    expect(under(cells, 'Why')[1]).toBe('Needs approval');
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
    sheet.people({
      ...{ do: 'edit', sheetId: id, row: 2, column: 1 },
      contents: US_ASINS.slice(0, 3).map((asin) => [asin]),
    });
    expect(await choiceOf(world)).toMatchObject({
      ...{ sheetId: id, productColumn: 1, headerRow: 1 },
      market: { kind: 'column', column: 3 },
      fields: expect.arrayContaining(['profit', 'sell_price']),
    });
    const before = cellsOf(id)[0] ?? [];
    before.forEach((title, at) => {
      const width = sheet.grid.columnWidth(id, at + 1);
      expect(width).toBeGreaterThanOrEqual(BOLD_LETTER * String(title).length);
    });
    await runAll(world);
    const cells = cellsOf(id);
    expect(cells[0]).toEqual(before);
    expect(under(cells, 'Analysis status')[0]).toMatch(/^OK/);
    expect(under(cells, 'Sell price')).toEqual(Array(3).fill(expect.any(Number)));
    // Costs stand in the first row alone; the others say what they lack.
    expect(under(cells, 'Verdict')).toEqual([
      expect.stringMatching(/^(Buy|Maybe|Skip)$/),
      ...['No verdict', 'No verdict'],
    ]);
    expect(under(cells, 'Why').slice(1)).toEqual(['No cost', 'No cost']);
    const { cost, quantity } = costColumnsOf((await lookAt(world)).look);
    expect([cost?.title, quantity?.title]).toEqual([
      expect.stringMatching(/^(Pack c|C)ost$/),
      'Quantity',
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
      MARKS.map(({ text }) => text),
    );
    expect(grid.frozenRows(id)).toBe(1);
    const again = await makeSheet('wholesale', false);
    expect(again).toMatchObject({ name: 'Wholesale 2' });
  });

  it.each(['de_DE', 'en_GB'])('decides in a spreadsheet of %s', async (locale) => {
    made = await dealWorld([['']], { locale });
    const { sheetId } = await makeSheet('restock', true);
    await answerSamples(Number(sheetId));
    expect(under(cellsOf(Number(sheetId)), 'Verdict')).toEqual(['Buy', 'Maybe', 'Skip']);
  });

  it('is not there at all where one of its parts is refused', async () => {
    made = await dealWorld([['']]);
    const { world, sheet } = made;
    granted(await world.rpc('deals.tab', newRulesTab(1)));
    const before = sheet.grid.sheets();
    const tab = newDealSheet('wholesale', false);
    // No cell of a new tab is so far right.
    const styles = [...tab.styles, { at: 'ZZ1', isBold: true }];
    await expect(world.rpc('deals.tab', { ...tab, styles })).resolves.toMatchObject({ ok: false });
    expect(sheet.grid.sheets()).toEqual(before);
  });
});
