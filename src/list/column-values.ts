// What the cells below a title look like: they confirm what the title says, or contradict it. Pure.

import type { SheetCell } from '../google/cells';
import { isBarcode } from '../product/asin';
import { visibleText } from '../product/cell-text';
import { VAT_MARKETS } from '../product/market';
import { readVatRate } from '../product/typed-cost';
import type { ColumnRole } from './title-words';

/** Cells of a column that are at hand, as they are. */
export type ColumnValues = readonly SheetCell[];

/** This share of the filled cells decides. */
const MOST = 0.8;

/** Amounts of an offer are still that where fewer can be read: the other rows say *Check cost*, *Check prep*. */
const AMOUNTS_MIN = 0.5;
const OF_OFFER: readonly ColumnRole[] = [
  'cost',
  'prep',
  'shipping',
  'other',
  'discount',
  'multipack',
];

/** `-`, `n/a` and Keepa's −1 say that nothing is known. */
const isFilled = (value: SheetCell): boolean =>
  !/^(-|–|-1|n\/?a)?$/i.test(typeof value === 'object' ? 'date' : visibleText(value));

/** Whether most of the filled cells are such; null: none is filled. */
export function most(
  values: ColumnValues,
  test: (value: SheetCell) => boolean,
  share = MOST,
): boolean | null {
  const filled = values.filter(isFilled);
  return filled.length === 0 ? null : filled.filter(test).length >= share * filled.length;
}

/** "£4.50", "1,234.50", "1.234,50", "4,50", "20%" as numbers. A date is none. */
function numberIn(value: SheetCell): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const text = visibleText(value)
    .replace(/[£€$\s]|GBP|USD|EUR/g, '')
    .replace(/^[A-Za-z]{1,3}\.?(?=\d)|%$/g, '');
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)
    ? text.replace(/,/g, '')
    : text.replace(/^(-?\d{1,3})\.(\d{3}),(\d+)$|^(-?\d+),(\d{1,2})$/, '$1$2$4.$3$5');
  return /^-?\d*\.?\d+$/.test(plain) ? Number(plain) : null;
}

const withoutUnit = (value: SheetCell): SheetCell =>
  typeof value === 'string' ? value.replace(/\s*(ea|each|units?|pcs?|ct)\.?\s*$/i, '') : value;

/** "12 pcs" is 12. */
export const countIn = (value: SheetCell): number | null => numberIn(withoutUnit(value));

/** The number of a pack, which "12 x 500 ml" and "6/1LB" begin with. */
export function packIn(value: SheetCell): number | null {
  const many = typeof value === 'string' ? /^\s*(\d+)\s*[x×*/]\s*\d/i.exec(value) : null;
  return many ? Number(many[1]) : countIn(value);
}

/** A larger one is no number of things that are bought or packed. */
const COUNT_MAX = 10_000;

const isCountNumber = (count: number | null): boolean =>
  count !== null && Number.isInteger(count) && count >= 1 && count <= COUNT_MAX;

const isCount = (value: SheetCell): boolean => isCountNumber(countIn(value));

/** "Set of 2", "4.80 inc VAT", "12": what is meant is a number. */
export const isTextOfNumber = (value: SheetCell): boolean =>
  typeof value === 'string' && /\d/.test(value);

/** Whether half of the cells are numbers of units, and not only texts about them. */
export const areCounts = (values: ColumnValues): boolean =>
  most(values, isCount, AMOUNTS_MIN) !== false;

export const isAmount = (value: SheetCell): boolean => (numberIn(value) ?? -1) >= 0;

/** "25%" is a share of something. */
const isMoney = (value: SheetCell): boolean => isAmount(value) && !String(value).includes('%');

/** What people note beside a thing that is done or not: a date, "yes", "x", a checkbox. */
export const isTick = (value: SheetCell): boolean =>
  typeof value === 'object' ||
  /^(y|yes|n|no|x|true|false|done|ordered|bought|pending|cancell?ed|tbc|[✓✔☑])$/i.test(
    visibleText(value),
  );

/** "Z", "T1", "20%", 0.2, 5 */
export const isVatRate = (value: SheetCell): boolean =>
  typeof value !== 'object' &&
  VAT_MARKETS.some((market) => typeof readVatRate(value, market) === 'number');

export const amountIn = numberIn;

/**
 * The rates of a column, 0 apart, that do not say by themselves what they are, as "5%" does. A column is
 * read as one: 0.5 beside 5 is 0.5 %.
 */
export const openRates = (values: ColumnValues): readonly number[] =>
  values.flatMap((value) => (String(value).includes('%') ? [] : numberIn(value) || []));

/** What a role's cells must look like; others may look like anything. */
const TESTS: Partial<Readonly<Record<ColumnRole, (value: SheetCell) => boolean>>> = {
  cost: isMoney,
  prep: isMoney,
  shipping: isMoney,
  other: isMoney,
  salesTax: isAmount,
  pack: (value) => isCountNumber(packIn(value)),
  multipack: (value) => isCount(value) || isTextOfNumber(value),
  // "-10%" is a discount, too: the row's decision says that it is to be checked.
  discount: (value) => numberIn(value) !== null,
  barcode: (value) => isBarcode(value) || /^[\d\s-]{3,}(\.0)?$/.test(String(value)),
  // Prices of several suppliers stand under their names.
  supplier: (value) => !isAmount(value) && !/^https?:/i.test(String(value)),
};

/** What was found of a column's cells: titles are read once for each cost that a person may choose. */
const others = new WeakMap<ColumnValues, Map<ColumnRole, boolean>>();

/** Whether a column's cells are not what its title says. */
export function areOther(role: ColumnRole, values: ColumnValues): boolean {
  const test = TESTS[role];
  if (test === undefined) return false;
  const answers = others.get(values) ?? new Map<ColumnRole, boolean>();
  others.set(values, answers);
  const found =
    answers.get(role) ?? most(values, test, OF_OFFER.includes(role) ? AMOUNTS_MIN : MOST) === false;
  answers.set(role, found);
  return found;
}
