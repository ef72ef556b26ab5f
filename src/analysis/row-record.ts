// All that is known of a product as one text: the hidden cell *Record* of its row in the Analysis tab, which code
// and the formulas of lists read. A cell is moved, sorted, pushed and pasted whole, so no act of a person's in
// the tab gives a product another's figures: the columns beside it only show what it says. Pure.

import { DAY, SECOND } from '../failures/duration';
import {
  eligibilityOfWord,
  FIELDS,
  type Figures,
  fieldKind,
  figureCell,
  figuresBy,
  isField,
} from '../product/fields';
import { isMarket } from '../product/market';

/** One row of the tab. */
export interface AnalysisRow {
  /** What lists look up: the product cell's text, "|" and the market's text. "B0…|US" */
  readonly key: string;
  /** '' while none is known: the product cell cannot be read, or it is a barcode. */
  readonly asin: string;
  /** "US"; '' if the market's text names none. */
  readonly market: string;
  /** A plain word of the table of failures, "OK", "Waiting", or ''. */
  readonly status: string;
  /** null where there is none. ROI is a fraction wherever its unit is known. */
  readonly figures: Figures;
  /** When the figures were fetched, ms since 1970, whole seconds; null: there are none. */
  readonly analyzedMs: number | null;
  /** When the service was last asked, whatever it said. */
  readonly triedMs: number | null;
  /** Since when the product waits to be asked; null: it does not. */
  readonly wantedMs: number | null;
  /** The rules that the latest change met. "No longer eligible · 21 Nov, 6:04" */
  readonly changed: string;
  /** Further fields of the service. "sales_rank: 1200; brand: Acme" */
  readonly alsoSent: string;
  /** With whose key the figures came, and how they were read: a short hash. '': there are none. */
  readonly fetchedWith: string;
  /** See `Baseline`. '': nothing but what the row shows. */
  readonly told: string;
}

/** Stands before each part, and in no part. */
const MARK = '¦';

/** What it begins with: letters, so that Sheets takes it for a text. */
const BEGIN = 'row';

/** The parts that lists can show, named as the columns of the tab that show them, too. */
export const LISTED_COLUMNS = [
  ...(['asin', 'market', 'status'] as const),
  ...FIELDS,
  ...(['analyzed_at', 'changed'] as const),
] as const;

export type ListedColumn = (typeof LISTED_COLUMNS)[number];

/** Whether a list shows it as a number; a moment is one, as sheets count days. */
const isNumber = (column: ListedColumn): boolean =>
  column === 'analyzed_at' || (isField(column) && fieldKind(column) !== 'flag');

/** The day 1970-01-01 as sheets count days. */
const SERIAL_1970 = 25_569;

/** The most decimals of a figure. */
const DECIMALS_MAX = 9;

/** Whole numbers up to here keep every digit, in sheets, too. */
const DIGITS = 1e15;

/** A number without a decimal sign, which locales write and read in different ways: "-1995E-2" is -19.95. */
function digitsOf(number: number): string {
  let decimals = 0;
  const text = () => `${Math.round(number * 10 ** decimals)}${decimals > 0 ? `E-${decimals}` : ''}`;
  const hasRoom = () => Math.abs(number) * 10 ** (decimals + 1) < DIGITS;
  while (decimals < DECIMALS_MAX && Number(text()) !== number && hasRoom()) decimals += 1;
  return text();
}

const plain = (text: string): string => text.replaceAll(MARK, '|');

const seconds = (ms: number | null): string => (ms === null ? '' : String(Math.round(ms / SECOND)));

/**
 * The record of a row: "row¦asin=B07FZ8S74R¦status=OK¦profit=595E-2¦…¦key=B07FZ8S74R|US"
 *
 * @param aheadMs how far the spreadsheet's time is ahead of UTC at a moment: its dates are in its own time.
 */
export function recordOf(row: AnalysisRow, aheadMs: (atMs: number) => number): string {
  const { analyzedMs } = row;
  const date =
    analyzedMs === null ? '' : digitsOf((analyzedMs + aheadMs(analyzedMs)) / DAY + SERIAL_1970);
  const figures = figuresBy((field) => row.figures[field]);
  const parts: readonly (readonly [name: string, value: string])[] = [
    ['asin', plain(row.asin)],
    ['market', row.market],
    ['status', plain(row.status)],
    ...Object.entries(figures).map(([field, figure]) => {
      const cell = figureCell(figure);
      return [field, typeof cell === 'number' ? digitsOf(cell) : cell] as const;
    }),
    ['analyzed_at', date],
    ['analyzed', seconds(row.analyzedMs)],
    ['tried', seconds(row.triedMs)],
    ['wanted', seconds(row.wantedMs)],
    ['with', plain(row.fetchedWith)],
    ['changed', plain(row.changed)],
    ['also', plain(row.alsoSent)],
    ['told', plain(row.told)],
  ];
  const written = parts.map(([name, value]) => `${MARK}${name}=${value}`).join('');
  return `${BEGIN}${written}${KEY_PART}${row.key}`;
}

/** Last, because a key may hold anything. */
const KEY_PART = `${MARK}key=`;

/** The row that a record tells of; null: the cell holds none. */
export function rowOfRecord(text: string): AnalysisRow | null {
  const end = text.indexOf(KEY_PART);
  if (end < 0 || !text.startsWith(BEGIN)) return null;
  const parts = new Map(
    text
      .slice(0, end)
      .split(MARK)
      .map((part) => {
        const at = part.indexOf('=');
        return [part.slice(0, at), part.slice(at + 1)];
      }),
  );
  const part = (name: string) => parts.get(name) ?? '';
  const ms = (name: string) => (part(name) === '' ? null : Number(part(name)) * SECOND);
  const market = part('market');
  return {
    key: text.slice(end + KEY_PART.length),
    asin: part('asin'),
    market: isMarket(market) ? market : '',
    status: part('status'),
    figures: figuresBy((field) => {
      const figure = part(field);
      if (fieldKind(field) === 'flag') return eligibilityOfWord(figure) ?? null;
      return figure === '' ? null : Number(figure);
    }),
    analyzedMs: ms('analyzed'),
    triedMs: ms('tried'),
    wantedMs: ms('wanted'),
    changed: part('changed'),
    alsoSent: part('also'),
    fetchedWith: part('with'),
    told: part('told'),
  };
}

/** Whether a record is of this key, as a formula asks it. @param record and @param key are formulas. */
export const isRecordOf = (record: string, key: string): string =>
  `RIGHT(${record};LEN(${key})+${KEY_PART.length})="${KEY_PART}"&${key}`;

/**
 * What a record says, as a formula: an error where it says nothing.
 *
 * @param record a formula that gives it.
 */
export function partIn(record: string, column: ListedColumn): string {
  const text = `REGEXEXTRACT(${record};"${MARK}${column}=([^${MARK}]+)")`;
  return isNumber(column) ? `${text}*1` : text;
}
