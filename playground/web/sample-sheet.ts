// Builds the spreadsheet that the playground opens with: products in every form in which sellers
// keep them.
import type { ICellData, IStyleData, IWorkbookData } from '@univerjs/core';
import { SAMPLE_ASINS } from '../../src/engine/samples';
import type { Market } from '../api/fees';
import { SAMPLE_PRODUCTS } from '../api/samples';
import { supplierSheet } from './supplier-list';

export const SAMPLE_DOCUMENT_ID = 'sample-document';
const SAMPLE_SHEET_ID = 'products';

interface SampleRow {
  readonly typed: string | number;
  readonly market: Market;
  readonly asin: string;
  readonly remark: string;
  /** The market's cell is left blank, because the link contains the market. */
  readonly marketFromLink?: true;
}

/** What people have in such a column. One formula also reads the first eight as a range. */
const ROWS: readonly SampleRow[] = [
  row('B0XKT7M4QN', 'US', 'B0XKT7M4QN', 'An ASIN'),
  row(' b0rwd 92fhc', 'US', 'B0RWD92FHC', 'Lower case, with spaces'),
  row('https://www.amazon.com/dp/B0TZ4LQ8KV', 'US', 'B0TZ4LQ8KV', 'A link'),
  row('B0SPM17WXB', 'US', 'B0SPM17WXB', ''),
  row(975124838, 'US', '0975124838', 'A number that lost its leading zero'),
  row('0-8147-0932-X', 'US', '081470932X', 'ISBN-10'),
  row('B0QYG58JRT', 'US', 'B0QYG58JRT', ''),
  row('B0ZTN8R4GQ', 'US', 'B0ZTN8R4GQ', ''),
  row('B0XKT7M4QN', 'UK', 'B0XKT7M4QN', 'The same product elsewhere'),
  row('978-0-09-941726-2', 'UK', '009941726X', 'ISBN-13'),
  {
    ...row('amazon.co.uk/dp/B0VTX4S8JD', 'UK', 'B0VTX4S8JD', 'The link says where'),
    marketFromLink: true,
  },
  row('B0WQL35NGP', 'UK', 'B0WQL35NGP', ''),
];

const RANGE_ROWS = 8;

/**
 * Row numbers below the products, after a blank row: a heading, then formulas with one value each.
 */
const FIRST_SINGLE = ROWS.length + 4;
const FIRST_OF_RANGE = FIRST_SINGLE + 7;
const FIRST_FAILED = FIRST_OF_RANGE + RANGE_ROWS + 2;
/** A cell that shows what a failure looks like. */
export const FAILS_ON_PURPOSE = `D${FIRST_FAILED}`;

const HEADERS = [
  'ASIN, ISBN or link',
  'Product',
  'Market',
  'Profit',
  'ROI',
  'Fees',
  'Eligible',
  'Rank drops',
  'Pay at most',
  'Remark',
];
const WIDTHS = [264, 232, 68, 80, 68, 90, 80, 116, 96, 240];
const FIRST_FIGURE = 3;

const MONEY: Readonly<Record<Market, string>> = { US: '"$"#,##0.00', UK: '"£"#,##0.00' };
const PERCENT = '0%';

const CENTRE = 2;
const RIGHT = 3;
const TEXT_CELL = 1;
const NUMBER_CELL = 2;

const BASE: IStyleData = { ff: 'Arial', fs: 10, vt: 2, pd: { l: 6, r: 6 } };
const HEADER: IStyleData = {
  ...BASE,
  bl: 1,
  bg: { rgb: '#e8f0e9' },
  cl: { rgb: '#0f5223' },
};
const SECTION: IStyleData = { ...BASE, bl: 1, cl: { rgb: '#0f5223' } };
const QUIET: IStyleData = { ...BASE, cl: { rgb: '#5f6368' } };

type Cells = Record<number, Record<number, ICellData>>;

/** What the spreadsheet contains when it opens. */
export type Contents =
  /** Only formulas. */
  | 'formulas'
  /** A supplier's list, before the formulas. */
  | 'list'
  /** The same list as received, before any analysis. */
  | 'offers'
  /** The add-on's own samples, which need no key. */
  | 'samples';

export function sampleWorkbook(
  contents: Contents,
): Partial<IWorkbookData> & { readonly id: string } {
  const products = productSheet();
  const sheets = {
    formulas: [products],
    list: [supplierSheet(), products],
    offers: [supplierSheet()],
    samples: [samplesSheet()],
  }[contents];
  return {
    id: SAMPLE_DOCUMENT_ID,
    name: 'Products to check',
    defaultStyle: BASE,
    sheetOrder: sheets.map(({ id }) => id ?? ''),
    sheets: Object.fromEntries(sheets.map((sheet) => [sheet.id, { ...sheet, defaultStyle: BASE }])),
  };
}

type SheetData = IWorkbookData['sheets'][string];

/** The cells are blank until samples are switched on, and then show answers. */
function samplesSheet(): SheetData {
  const titles = ['ASIN', 'Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops'];
  const cells: Cells = {
    0: Object.fromEntries(titles.map((title, at) => [at, { ...text(title, HEADER) }])),
  };
  SAMPLE_ASINS.forEach((asin, at) => {
    const blanks = figureStyles('US').map((style, field) => [field + 1, { s: style }] as const);
    const answer = formula(
      `=IFERROR(ANALYZE(A${at + 2},,,ANALYZE_REFRESH),"")`,
      figureStyles('US')[0] ?? BASE,
    );
    cells[at + 1] = { ...Object.fromEntries(blanks), 0: text(asin), 1: answer };
  });
  return {
    id: 'samples',
    name: 'Samples',
    rowCount: 200,
    columnCount: 20,
    defaultRowHeight: 24,
    defaultColumnWidth: 88,
    // Eligible is wide enough for "Needs approval".
    columnData: { 0: { w: 120 }, 4: { w: 124 }, 5: { w: 100 } },
    freeze: { xSplit: 0, ySplit: 1, startRow: 1, startColumn: -1 },
    cellData: cells,
  };
}

function productSheet(): SheetData {
  const cells: Cells = { 0: Object.fromEntries(HEADERS.map((text, at) => [at, header(text, at)])) };
  ROWS.forEach((one, at) => {
    cells[at + 1] = productRow(one, at + 2);
  });
  addLabelled(cells, FIRST_SINGLE, 'One figure at a time', SINGLES);
  addRange(cells);
  addLabelled(cells, FIRST_FAILED, 'When there is no answer', FAILURES);
  return {
    id: SAMPLE_SHEET_ID,
    name: 'Products',
    rowCount: 200,
    columnCount: 20,
    defaultRowHeight: 24,
    defaultColumnWidth: 88,
    columnData: Object.fromEntries(WIDTHS.map((width, at) => [at, { w: width }])),
    rowData: { 0: { h: 32 } },
    freeze: { xSplit: 0, ySplit: 1, startRow: 1, startColumn: -1 },
    cellData: cells,
  };
}

function row(typed: string | number, market: Market, asin: string, remark: string): SampleRow {
  return { typed, market, asin, remark };
}

function header(text: string, column: number): ICellData {
  return { v: text, t: TEXT_CELL, s: { ...HEADER, ht: alignment(column) } };
}

function alignment(column: number): number {
  if (column === 2 || column === 6) return CENTRE;
  return column >= FIRST_FIGURE && column <= 8 ? RIGHT : 1;
}

function text(value: string, style: IStyleData = BASE): ICellData {
  return { v: value, t: TEXT_CELL, s: style };
}

function formula(content: string, style: IStyleData): ICellData {
  return { f: content, s: style };
}

/** Formats of the five usual figures: profit, ROI, fees, eligible, rank drops. */
function figureStyles(market: Market): readonly IStyleData[] {
  const money = { ...BASE, ht: RIGHT, n: { pattern: MONEY[market] } };
  return [
    money,
    { ...BASE, ht: RIGHT, n: { pattern: PERCENT } },
    money,
    { ...BASE, ht: CENTRE },
    { ...BASE, ht: RIGHT },
  ];
}

/** `number` counts rows from 1, as formulas do. */
function productRow(one: SampleRow, number: number): Record<number, ICellData> {
  const sample = SAMPLE_PRODUCTS.find(
    (product) => product.asin === one.asin && product.market === one.market,
  );
  const styles = figureStyles(one.market);
  const blanks = styles.map((style, at) => [FIRST_FIGURE + at, { s: style }] as const);
  return {
    ...Object.fromEntries(blanks),
    0:
      typeof one.typed === 'number'
        ? { v: one.typed, t: NUMBER_CELL, s: { ...BASE, ht: 1 } }
        : text(one.typed),
    1: text(sample?.title ?? ''),
    2: text(one.marketFromLink ? '' : one.market, { ...BASE, ht: CENTRE }),
    3: formula(`=ANALYZE(A${number},C${number})`, styles[0] ?? BASE),
    // What to pay in the UK depends on the seller's VAT, which nobody has said yet.
    8:
      one.market === 'UK'
        ? text('')
        : formula(`=ANALYZE_MAX_BUY(A${number},C${number})`, styles[0] ?? BASE),
    9: text(one.remark, QUIET),
  };
}

type Labelled = readonly [label: string, content: string, style: IStyleData];

const US_MONEY = figureStyles('US')[0] ?? BASE;
const TEXT_AT_RIGHT: IStyleData = { ...BASE, ht: RIGHT };

const SINGLES: readonly Labelled[] = [
  ['ROI of the stoneware mugs', '=ANALYZE(A2,"US","roi")', figureStyles('US')[1] ?? BASE],
  [
    'Profit of the teapot in the UK',
    '=ANALYZE("B0VTX4S8JD","UK","profit")',
    figureStyles('UK')[0] ?? BASE,
  ],
  ['Most to pay for the marbles, for 50% ROI', '=ANALYZE_MAX_BUY(A4,"US",50%)', US_MONEY],
  ['Buy the travel charger?', '=ANALYZE(A5,"US","verdict")', TEXT_AT_RIGHT],
  ['What stands against the face serum?', '=ANALYZE(A8,"US","why")', TEXT_AT_RIGHT],
];

const FAILURES: readonly Labelled[] = [
  ['Not a product, so this fails', '=ANALYZE("B0-UNKNOWN","US","profit")', US_MONEY],
  [
    'The same, with another value instead',
    `=IFERROR(${FAILS_ON_PURPOSE},"no answer")`,
    TEXT_AT_RIGHT,
  ],
];

/**
 * Adds formulas with one value each, and their text beside them.
 *
 * @param first number of the first row, counted from 1
 */
function addLabelled(
  cells: Cells,
  first: number,
  heading: string,
  rows: readonly Labelled[],
): void {
  cells[first - 2] = { 0: text(heading, SECTION) };
  rows.forEach(([label, content, style], index) => {
    const shown = text(content, QUIET);
    cells[first - 1 + index] = {
      0: text(label),
      3: formula(content, style),
      4: { ...shown, t: TEXT_CELL },
    };
  });
}

/** Adds one formula for several products, under the header row that another formula makes. */
function addRange(cells: Cells): void {
  const at = FIRST_OF_RANGE - 1;
  const styles = figureStyles('US');
  cells[at - 1] = {
    0: text('Eight products with one formula', SECTION),
    3: formula('=ANALYZE_FIELDS()', { ...SECTION, ht: RIGHT }),
    ...Object.fromEntries([4, 5, 6, 7].map((column) => [column, { s: { ...SECTION, ht: RIGHT } }])),
  };
  for (let index = 0; index < RANGE_ROWS; index += 1) {
    cells[at + index] = {
      ...Object.fromEntries(styles.map((style, field) => [FIRST_FIGURE + field, { s: style }])),
      0: formula(`=B${index + 2}`, BASE),
    };
  }
  const first = cells[at] ?? {};
  cells[at] = { ...first, 3: formula(`=ANALYZE(A2:A${RANGE_ROWS + 1},"US")`, styles[0] ?? BASE) };
}
