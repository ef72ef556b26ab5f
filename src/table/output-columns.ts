// The columns that a run may write: the one table of their titles, formats, values, and whose a cell is.

import type { SheetCell } from '../platform/ports';
import { type Analysis, fieldValue } from '../product/analysis';
import {
  FIELDS,
  type Field,
  fieldKind,
  fieldOfName,
  fieldTitle,
  nameForm,
  STATUS_TITLE,
} from '../product/fields';
import { type Market, marketRow } from '../product/market';

/** Without a currency. */
export const MONEY = '#,##0.00';
export const moneyIn = (market: Market) => `[$${marketRow(market).sign}]${MONEY}`;
export const PERCENT = '0.0%';
export const NUMBER = '0.00';
const COUNT = '0';
/** Whatever a service says about eligibility; and our own words are never a number. */
export const AUTOMATIC = '0.###############';

/** Of a column that nobody made wider, in pixels: room for a figure. */
export const WIDTH_AS_NEW = 100;
/** Of a letter of a bold title, on the wide side. */
const LETTER_WIDTH = 9;

export const MOMENT = 'yyyy-mm-dd hh:mm';
/** So that a moment is not cut, in pixels. */
export const MOMENT_WIDTH = 120;
export const TEXT = '@';

/** What came of a row. */
export interface Outcome {
  /** The answer's, or where it failed the last one of the product; undefined: there is none. */
  readonly analysis: Analysis | undefined;
  readonly statusText: string;
  /** Rules that were crossed; undefined: no news. */
  readonly news: string | undefined;
  readonly nowMs: number;
}

/** What a run is to fill. */
export interface Wanted {
  readonly fields: readonly Field[];
  readonly marksChanges?: boolean | undefined;
}

interface OutputColumn {
  /** What we call it where we add it. */
  readonly title: string;
  /** `ours`: nobody but us heads a column so. `anyone's`: it is looked at who filled it. */
  readonly titleIs: 'ours' | "anyone's";
  /** Whether a header stands for it. */
  readonly isNamed: (header: string) => boolean;
  readonly isWanted: (wanted: Wanted) => boolean;
  /** @param isFraction whether ratios come as fractions, which a sheet shows as percentages. */
  readonly format: (market: Market, isFraction: boolean) => string;
  /** In pixels, where a figure's width does not do. */
  readonly width?: number;
  /** What it is to hold; undefined, for words alone: what stands there, unless it is another product's. */
  readonly value: (outcome: Outcome) => SheetCell | undefined;
  /**
   * Whose a filled cell is. `run`: ours, or its row is left alone. `time`, `figure`: ours in rows with
   * a time if it is like ours, and the status remembers which figures are somebody's own. `words`: ours
   * if it is like ours.
   */
  readonly whose: 'run' | 'time' | 'figure' | 'words';
  readonly isLikeOurs: (cell: SheetCell) => boolean;
}

/** "No longer eligible · 5 Jan 09:00", in the column that tells of rules that were crossed. */
export const MARK = /^(.+) · (\d{1,2}) ([A-Z][a-z]{2}) (\d\d):(\d\d)$/;

const isNumberOrDate = (cell: SheetCell) => typeof cell === 'object' || typeof cell === 'number';
const isFlag = (cell: SheetCell) => typeof cell === 'boolean' || cell === 'needs approval';
const isHeader = (title: string) => (header: string) => nameForm(header) === nameForm(title);

/** Beside the figures, in the order in which they are added behind them. */
const BESIDE = {
  change: {
    title: 'What changed',
    titleIs: 'ours',
    isNamed: isHeader('What changed'),
    isWanted: ({ marksChanges }) => marksChanges === true,
    format: () => TEXT,
    width: 240,
    value: ({ news }) => news,
    whose: 'words',
    isLikeOurs: (cell) => MARK.test(String(cell)),
  },
  status: {
    title: STATUS_TITLE,
    titleIs: 'ours',
    isNamed: isHeader(STATUS_TITLE),
    isWanted: () => true,
    format: () => TEXT,
    width: 120,
    value: ({ statusText }) => statusText,
    whose: 'run',
    isLikeOurs: () => true,
  },
  at: {
    title: 'Analyzed at',
    titleIs: "anyone's",
    isNamed: isHeader('Analyzed at'),
    isWanted: () => true,
    format: () => MOMENT,
    width: MOMENT_WIDTH,
    value: ({ analysis }) => (analysis ? new Date(analysis.fetchedAtMs) : ''),
    whose: 'time',
    isLikeOurs: isNumberOrDate,
  },
} as const satisfies Readonly<Record<string, OutputColumn>>;

export type OutputKey = Field | keyof typeof BESIDE;

const FORMATS = {
  money: moneyIn,
  ratio: (_: Market, isFraction: boolean) => (isFraction ? PERCENT : NUMBER),
  count: () => COUNT,
  flag: () => AUTOMATIC,
} as const;

/** "Cost" and its like are what somebody else was asked for, though a service may call its own so. */
const OWN_BUY_PRICE = /^buy(price)?$/;

const figureColumn = (field: Field): OutputColumn => ({
  title: fieldTitle(field),
  titleIs: "anyone's",
  isNamed: (header) =>
    fieldOfName(header) === field &&
    (field !== 'buy_price' || OWN_BUY_PRICE.test(nameForm(header))),
  isWanted: ({ fields }) => fields.includes(field),
  format: FORMATS[fieldKind(field)],
  width: Math.max(WIDTH_AS_NEW, LETTER_WIDTH * fieldTitle(field).length),
  value: ({ analysis, nowMs }) => (analysis && fieldValue(analysis, field, nowMs)) ?? '',
  whose: 'figure',
  isLikeOurs: fieldKind(field) === 'flag' ? isFlag : isNumberOrDate,
});

const COLUMNS: ReadonlyMap<string, OutputColumn> = new Map<string, OutputColumn>([
  ...FIELDS.map((field) => [field, figureColumn(field)] as const),
  ...Object.entries(BESIDE),
]);

const BESIDE_KEYS = Object.keys(BESIDE) as (keyof typeof BESIDE)[];

export const OUTPUT_KEYS: readonly OutputKey[] = [...FIELDS, ...BESIDE_KEYS];

/** The row of a column; undefined: it is none that a run writes. */
export const outputColumn = (key: string): OutputColumn | undefined => COLUMNS.get(key);

/** Those that a run fills, figures in the order in which they were chosen. */
export function wantedKeys(wanted: Wanted): readonly OutputKey[] {
  const isWanted = (key: OutputKey) => outputColumn(key)?.isWanted(wanted) === true;
  return [...wanted.fields, ...BESIDE_KEYS.filter(isWanted)];
}

/** Titles of figures, one of which may be somebody's own in a row. */
export const isFigureTitle = (title: string): boolean =>
  [...COLUMNS.values()].some((one) => one.whose === 'figure' && one.title === title);
