// The table of columns that a run may write: titles, formats, values, and whose content a cell has.

import type { SheetCell } from '../platform/ports';
import { type Analysis, fieldValue } from '../product/analysis';
import {
  AUTOMATIC,
  COUNT,
  LETTER_WIDTH,
  MOMENT,
  MOMENT_WIDTH,
  moneyIn,
  NUMBER,
  PERCENT,
  TEXT,
  WIDTH_AS_NEW,
} from '../product/cell-formats';
import {
  FIELDS,
  type Field,
  fieldKind,
  fieldOfName,
  fieldTitle,
  nameForm,
  STATUS_TITLE,
} from '../product/fields';
import type { Market } from '../product/market';

export {
  AUTOMATIC,
  MOMENT,
  MOMENT_WIDTH,
  MONEY,
  moneyIn,
  NUMBER,
  PERCENT,
  TEXT,
  WIDTH_AS_NEW,
} from '../product/cell-formats';

/** The result of a row. */
export interface Outcome {
  /**
   * The analysis of the answer or, for a failure, the product's last one; undefined: there is none.
   */
  readonly analysis: Analysis | undefined;
  readonly statusText: string;
  /** The rules that the row's changes met; undefined: none. */
  readonly news: string | undefined;
  readonly nowMs: number;
}

/** What a run has to write. */
export interface Wanted {
  readonly fields: readonly Field[];
  readonly marksChanges?: boolean | undefined;
}

interface OutputColumn {
  /** The title of a column that we add. */
  readonly title: string;
  /** `ours`: only we give a column this title. `anyone's`: the content shows who filled it. */
  readonly titleIs: 'ours' | "anyone's";
  /** Whether a header means this column. */
  readonly isNamed: (header: string) => boolean;
  readonly isWanted: (wanted: Wanted) => boolean;
  /** @param isFraction whether ratios are fractions, which a sheet shows as percentages. */
  readonly format: (market: Market, isFraction: boolean) => string;
  /** In pixels, if a figure's width is not enough. */
  readonly width?: number;
  /**
   * The new content of a cell; undefined, only for columns of words: the present content stays,
   * unless it belongs to another product.
   */
  readonly value: (outcome: Outcome) => SheetCell | undefined;
  /**
   * Who owns a filled cell. `run`: we do, or else the row is left alone. `time` and `figure`: we do
   * in rows with a time if the content looks like ours; the status remembers which figures belong
   * to a person. `words`: we do if the content looks like ours.
   */
  readonly whose: 'run' | 'time' | 'figure' | 'words';
  readonly isLikeOurs: (cell: SheetCell) => boolean;
}

/** "No longer eligible · 5 Jan 09:00", in the column that shows which rules a change met. */
export const MARK = /^(.+) · (\d{1,2}) ([A-Z][a-z]{2}) (\d\d):(\d\d)$/;

const isNumberOrDate = (cell: SheetCell) => typeof cell === 'object' || typeof cell === 'number';
const isFlag = (cell: SheetCell) => typeof cell === 'boolean' || cell === 'needs approval';
const isHeader = (title: string) => (header: string) => nameForm(header) === nameForm(title);

/** Columns beside the figures, in the order in which they are added after them. */
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

/**
 * "Cost" and similar titles hold what somebody else charges, although a service may use such a name
 * for its buy price.
 */
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

/** The table's row for a column; undefined: no run writes it. */
export const outputColumn = (key: string): OutputColumn | undefined => COLUMNS.get(key);

/** The columns that a run fills, with figures in the order of the choice. */
export function wantedKeys(wanted: Wanted): readonly OutputKey[] {
  const isWanted = (key: OutputKey) => outputColumn(key)?.isWanted(wanted) === true;
  return [...wanted.fields, ...BESIDE_KEYS.filter(isWanted)];
}

/** Whether a title is that of a figure, which a person may have replaced in some rows. */
export const isFigureTitle = (title: string): boolean =>
  [...COLUMNS.values()].some((one) => one.whose === 'figure' && one.title === title);
