// Sort by ROI over lists as sellers keep them: products alone are sorted, or nothing is and the reason is said.
// And the rows behind each number of the page.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { summaryOf } from '../../src/deal/offers';
import { FIELDS, type Field } from '../../src/product/fields';
import { granted, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  type DealWorld,
  dealWorld,
  decide,
  offersIn,
  showCounted,
  sort,
} from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const HEADERS = ['ASIN', 'Note', 'Cost'];
const offer = (at: number): CellValue[] => [US_ASINS[at] ?? '', `Thing ${at}`, 9 - at];

async function decidedOn(
  rows: readonly (readonly CellValue[])[],
  fields: readonly Field[] = ['profit', 'fees', 'sell_price'],
): Promise<void> {
  made = await dealWorld([HEADERS, ...rows]);
  await analyze(made.world, { fields });
  granted(await decide(made.world));
}

/** What a person sees in the list's own columns. */
const own = () => made.sheet.values().map((row) => row.slice(0, HEADERS.length));
const rois = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => made.sheet.byHeader(first + at)['My ROI']);

describe('products alone', () => {
  it('are sorted between a letterhead and a total, which stay', async () => {
    await decidedOn([0, 1, 2, 3, 4].map(offer));
    const { sheet } = made;
    sheet.people({
      ...{ do: 'edit', sheetId: sheet.id, row: 8, column: 2 },
      contents: [['Total', { formula: '=SUM(C2:C6)' }]],
    });
    const total = own()[7];
    granted(await sort(made.world));
    expect(own()[7]).toEqual(total);
    const found = rois(2, 6).filter((roi) => typeof roi === 'number');
    expect(found.length).toBeGreaterThan(2);
    expect(found).toEqual([...found].sort((a, b) => Number(b) - Number(a)));
    expect(new Set(own().map(([asin]) => asin))).toEqual(
      new Set(['ASIN', ...US_ASINS.slice(0, 5), '']),
    );
  });
});

describe('nothing is sorted, and the reason is said', () => {
  const HEADING = ['Kitchen', '', ''];

  it.each([
    [
      'a heading between products',
      [offer(0), HEADING, offer(1)],
      'Row 3 ("Kitchen") is no product',
    ],
    ['a blank row between products', [offer(0), ['', '', ''], offer(1)], 'Row 3 has no product'],
  ])('for %s', async (_, rows, reason) => {
    await decidedOn(rows);
    const before = own();
    const { failure } = await sort(made.world);
    expect(failure?.message).toContain(reason);
    expect(failure?.message).toContain(
      'so nothing was sorted. Sort the rows by hand, part by part.',
    );
    expect(own()).toEqual(before);
  });

  it('for merged cells over two offers', async () => {
    await decidedOn([0, 1, 2].map(offer));
    const { sheet } = made;
    const rectangle = { row: 2, column: 2, rowCount: 2, columnCount: 1 };
    sheet.people({ do: 'merge', sheetId: sheet.id, rectangle });
    const before = own();
    const { failure } = await sort(made.world);
    expect(failure?.message).toContain('The cells B2:B3 are merged');
    expect(own()).toEqual(before);
  });

  it.each([
    ['=ARRAYFORMULA(C2:C4*2)', 2],
    ['=SORT(C2:C4)', 2],
    ['={C2;C3;C4}', 2],
    ['=UNIQUE(C2:C4)', 2],
    ['=INDIRECT("C2:C4")', 2],
    ['=FILTER(C2:C4,C2:C4>0)', 2],
    // The title and the rows below it.
    ['={"Note";C2:C4}', 1],
  ])('for a formula that fills the rows from above: %s', async (formula, row) => {
    await decidedOn([0, 1, 2].map(offer));
    const { sheet } = made;
    sheet.people({
      ...{ do: 'edit', sheetId: sheet.id, row, column: 2 },
      contents: [{ formula }, '', '', ''].slice(0, 5 - row).map((cell) => [cell]),
    });
    const before = own();
    expect(before.slice(1).map(([, note]) => typeof note)).toEqual(Array(3).fill('number'));
    const { failure } = await sort(made.world);
    expect(failure?.message).toContain(`The formula in B${row} fills several rows`);
    expect(own()).toEqual(before);
  });

  async function sortedWith(formulas: readonly string[]) {
    await decidedOn([0, 1, 2].map(offer));
    const { sheet, world } = made;
    sheet.grid.renameSheet(sheet.id, 'List');
    sheet.grid.write(sheet.grid.addSheet('Prices', 2), 1, 1, [['Price'], [4], [5], [6], [7]]);
    const replies: string[] = [];
    for (const formula of formulas) {
      const contents = [[{ formula }]];
      sheet.people({ do: 'edit', sheetId: sheet.id, row: 3, column: 2, contents });
      replies.push((await sort(world)).failure?.message ?? 'sorted');
    }
    return replies;
  }

  it('for a formula that reads other rows', async () => {
    const formulas = [
      '=C3+B4',
      '=C3-C2',
      '=SUM(C$2:C3)',
      '=C3/$C$2',
      '=MAX(C$3:C$4)',
      '=Prices!A3',
      "=VLOOKUP(C3,'Prices'!A2:A5,1)",
      '=ROWS(INDIRECT("C2:C4"))',
    ];
    const refusal = /^The formula in B3 (reads other|fills several) rows, so nothing was sorted/;
    expect(await sortedWith(formulas)).toEqual(formulas.map(() => expect.stringMatching(refusal)));
    expect(made.sheet.byHeader(2).ASIN).toBe(US_ASINS[0]);
  });

  it('and not for one that reads its own row, whole columns or cells beside the list', async () => {
    const formulas = [
      '=C3*2',
      '=List!C3&" R[1]C[1] D9"',
      '=C3/SUM(C:C)',
      '=C3/SUM(C$2:C$4)',
      '=C3*$B$1',
      "=VLOOKUP(C3,'Prices'!$A$2:$A$5,1)+Prices!$A$2",
      '=COUNTIF($A:$A,$A3)',
    ];
    expect(await sortedWith(formulas)).toEqual(formulas.map(() => 'sorted'));
  });

  it("and not for each row's own formula", async () => {
    await decidedOn([0, 1, 2].map(offer));
    const { sheet } = made;
    sheet.people({
      ...{ do: 'edit', sheetId: sheet.id, row: 2, column: 2 },
      contents: [
        [{ formula: '=ARRAYFORMULA(C2*2)' }],
        [{ formula: '=ARRAYFORMULA(C3*2)' }],
        [{ formula: '=ARRAYFORMULA(C4*2)' }],
      ],
    });
    granted(await sort(made.world));
    for (const row of [2, 3, 4])
      expect(made.sheet.byHeader(row).Note).toBe(2 * Number(made.sheet.byHeader(row).Cost));
  });
});

describe('the numbers of the page', () => {
  it('lead to the rows that they count, wherever these are by now', async () => {
    // The last one is no product.
    const offers = US_ASINS.slice(0, 30).map((asin, at) => [asin, `Thing ${at}`, 4 + (at % 9)]);
    await decidedOn([...offers, ['B0ZZZZZZZZZ', 'Thing', 4]], FIELDS);
    const { verdicts, reasons, undecided } = summaryOf(await offersIn(made.world));
    made.sheet.grid.insertRows(made.sheet.id, 4, 1);
    const show = async (words: string | null) => {
      const shown = await showCounted(made.world, words);
      const { rectangle, others = [] } = made.sheet.grid.selection();
      const rows = [rectangle, ...others].flatMap(({ row, rowCount }) =>
        Array.from({ length: rowCount }, (_, at) => made.sheet.byHeader(row + at)),
      );
      expect(rows).toHaveLength(shown);
      return rows;
    };
    for (const verdict of ['Buy', 'Maybe', 'Skip'] as const) {
      if (verdicts[verdict] === 0) continue;
      const rows = await show(verdict);
      expect(rows.map(({ Verdict }) => Verdict)).toEqual(rows.map(() => verdict));
      expect(rows).toHaveLength(verdicts[verdict]);
    }
    expect(reasons.length).toBeGreaterThan(1);
    for (const { reason, rows: count } of reasons) {
      const rows = await show(reason);
      expect(rows.map(({ Why }) => String(Why).includes(reason))).toEqual(rows.map(() => true));
      expect(rows).toHaveLength(count);
    }
    expect(undecided).toBeGreaterThan(0);
    const statuses = (await show(null)).map((row) => row['Analysis status']);
    expect(statuses).toHaveLength(undecided);
    expect(statuses).not.toContain('OK');
  });
});
