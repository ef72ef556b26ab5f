// Reads single figures as services write them: numbers, numbers as text, money, percentages, yes
// and no.

import { visibleText } from './cell-text';

/** Whether a seller may sell a product. If the service does not say, it is null and never false. */
export type Eligibility = boolean | 'needs approval';

/**
 * The largest possible figure. Up to here a double represents every hundredth, and sums of figures
 * are exact.
 */
const FIGURE_MAX = 1e13;

/** A number as a figure, without a negative zero; undefined if it overflowed or is too large. */
export const asFigure = (number: number): number | undefined =>
  Math.abs(number) <= FIGURE_MAX ? number + 0 : undefined;

/** The longest text of a figure; reading a text as long as a body would take minutes. */
const FIGURE_CHARS_MAX = 60;

/** A footnote's digit or a fraction, which must not become a digit of the number. */
const RAISED = /\p{No}/u;

/** Digits apart, as in "12.50 $3" and "12 50". A blank before exactly three digits separates thousands. */
const TWO_NUMBERS = /\d\s*[$£€]\s*\d|\d\s+(?!\d{3}(?!\d))\d/;

/**
 * A finite number; null for "none given"; undefined for something that is no number.
 *
 * "12.5%" is 0.125, as in a sheet. "12,5" is 12.5 and "1,234.5" is 1234.5; a single comma before
 * exactly three digits separates thousands, which is how both supported markets write.
 */
export function readNumber(value: unknown): number | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return finite(value);
  if (typeof value !== 'string' || value.length > FIGURE_CHARS_MAX || RAISED.test(value))
    return undefined;
  const seen = visibleText(value);
  if (TWO_NUMBERS.test(seen)) return undefined;
  const text = seen.replace(/[\s$£€]|USD|GBP|US(?=\$)/gi, '').replace(/\u2212/g, '-');
  if (/^(n\/?a|null|none|[-–—]*)$/i.test(text)) return null;
  const percent = text.endsWith('%');
  const digits = withDecimalPoint(percent ? text.slice(0, -1) : text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
  return finite(Number(digits) / (percent ? 100 : 1));
}

const finite = (number: number) => (Number.isFinite(number) ? number + 0 : undefined);

function withDecimalPoint(text: string): string {
  const comma = text.lastIndexOf(',');
  const point = text.lastIndexOf('.');
  // A number with thousands never begins with a zero, so "0,412" is less than one.
  const hasThousands = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text);
  const commaIsDecimal = comma > point && (point >= 0 || !hasThousands);
  return commaIsDecimal ? text.replace(/\./g, '').replace(',', '.') : text.replace(/,/g, '');
}

/** Whether a text says that it is a percentage, so that its number is read as a fraction. */
export function isPercentText(value: unknown): boolean {
  return typeof value === 'string' && /%$/.test(visibleText(value));
}

/** An amount of money or a count, read like any number, but a percentage is none. */
export function readAmount(value: unknown): number | null | undefined {
  const number = readNumber(value);
  return isPercentText(value) ? undefined : number;
}

/** Names of totals; the other parts of such an object only explain the total. */
const TOTAL_NAME = /^((grand_?)?total(_?fees?)?|sum|amount)$/i;

/**
 * Names of parts that explain an amount beside them and are none: `referral_percent`. A "rate" may
 * be an amount, as that of shipping.
 */
const PERCENT_NAME = /percent|pct|%/i;

/** The depth of fees, their parts, and the parts of those: more than any known service sends. */
const FEES_DEPTH_MAX = 3;

/**
 * Fees as a number or as an object of parts: its total, else the sum of its parts, each of which
 * may have parts again.
 */
export function readFees(value: unknown, depth = FEES_DEPTH_MAX): number | null | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return readAmount(value);
  if (Array.isArray(value)) return undefined;
  const parts = Object.entries(value).filter(([name]) => !PERCENT_NAME.test(name));
  const total = parts.find(([name]) => TOTAL_NAME.test(name));
  if (total) return readFees(total[1], depth - 1);
  const numbers = parts
    .map(([, part]) => readFees(part, depth - 1))
    .filter((part) => part !== null);
  if (numbers.length === 0) return null;
  // A part that cannot be read makes the sum NaN, which is no figure.
  return asFigure(numbers.reduce<number>((sum, part) => sum + Number(part), 0));
}

const YES = /^(true|yes|y|1|eligible|allowed(_to_sell)?|ok|open|ungated)$/;
const NO = /^(false|no|n|0|ineligible|not_(eligible|allowed)|restricted|blocked|prohibited)$/;
const APPROVAL = /^(((needs|requires)_)?approval(_(required|needed))?|gated)$/;
const UNKNOWN = /^(|unknown|n\/?a|null|none)$/;

/**
 * Whether the product can be sold. A list holds restrictions, as in Amazon's selling-partner API,
 * so an empty list means yes. undefined: the value says neither.
 */
export function readEligibility(value: unknown): Eligibility | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return true;
    return value.some((one) => /approval/i.test(JSON.stringify(one))) ? 'needs approval' : false;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = visibleText(value)
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (YES.test(word)) return true;
  if (NO.test(word)) return false;
  if (APPROVAL.test(word)) return 'needs approval';
  return UNKNOWN.test(word) ? null : undefined;
}

/** A count: a whole number from 0 up. Services without nulls write -1 for "none". */
export function readCount(value: unknown): number | null | undefined {
  const number = readAmount(value);
  if (typeof number !== 'number') return number;
  if (number === -1) return null;
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}
