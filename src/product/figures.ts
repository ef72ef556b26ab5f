// Reads single figures as services write them: numbers, numbers as text, money, percentages, yes and no.

/** What a seller may do with a product. A service that says nothing leaves it null, never false. */
export type Eligibility = boolean | 'needs approval';

/** No figure is larger: up to here a double holds every hundredth, and sums of figures are exact. */
const FIGURE_MAX = 1e13;

/** A number as a figure, with no minus before a zero; undefined for what overflowed or is too large. */
export const asFigure = (number: number): number | undefined =>
  Math.abs(number) <= FIGURE_MAX ? number + 0 : undefined;

/** No figure is written longer; a text as long as a body would be read for minutes. */
const FIGURE_CHARS_MAX = 60;

/**
 * A finite number, null for "none given", undefined for something that is no number.
 *
 * "12.5%" is 0.125, as in a sheet. "12,5" is 12.5 and "1,234.5" is 1234.5; a lone comma before
 * exactly three digits separates thousands, which is how both supported markets write.
 */
export function readNumber(value: unknown): number | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return finite(value);
  if (typeof value !== 'string' || value.length > FIGURE_CHARS_MAX) return undefined;
  const text = value.replace(/[\s\u00A0$£€]|USD|GBP/gi, '').replace(/\u2212/g, '-');
  if (text === '' || /^(n\/?a|null|none|-|—)$/i.test(text)) return null;
  const percent = text.endsWith('%');
  const digits = withDecimalPoint(percent ? text.slice(0, -1) : text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
  return finite(Number(digits) / (percent ? 100 : 1));
}

const finite = (number: number) => (Number.isFinite(number) ? number + 0 : undefined);

function withDecimalPoint(text: string): string {
  const comma = text.lastIndexOf(',');
  const point = text.lastIndexOf('.');
  // No number with thousands begins with a zero: "0,412" is less than one.
  const hasThousands = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text);
  const commaIsDecimal = comma > point && (point >= 0 || !hasThousands);
  return commaIsDecimal ? text.replace(/\./g, '').replace(',', '.') : text.replace(/,/g, '');
}

/** Whether a text says of itself that it is a percentage, so that its number is read as a fraction. */
export function isPercentText(value: unknown): boolean {
  return typeof value === 'string' && /%\s*$/.test(value);
}

/** Totals are known by these names; other parts of the same object then only explain the total. */
const TOTAL_NAMES = ['total', 'totalfees', 'total_fees', 'sum', 'amount'];

/** A fee, its parts, and what those are made of: more than any service is known to send. */
const FEES_DEPTH_MAX = 3;

/**
 * Fees as a number, or as an object of parts: its total, else the sum of its parts, each of which
 * may be made of parts again.
 */
export function readFees(value: unknown, depth = FEES_DEPTH_MAX): number | null | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return readNumber(value);
  if (Array.isArray(value)) return undefined;
  const parts = Object.entries(value);
  const total = parts.find(([name]) => TOTAL_NAMES.includes(name.toLowerCase()));
  if (total) return readNumber(total[1]);
  const numbers = parts
    .map(([, part]) => readFees(part, depth - 1))
    .filter((part) => part !== null);
  if (numbers.length === 0) return null;
  return numbers.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : asFigure(sum + part)),
    0,
  );
}

const YES = /^(true|yes|y|1|eligible|allowed|allowed_to_sell|ok|open|ungated)$/;
const NO = /^(false|no|n|0|ineligible|not_eligible|not_allowed|restricted|blocked|prohibited)$/;
const APPROVAL = /^(approval_required|needs_approval|requires_approval|gated|approval)$/;
const UNKNOWN = /^(|unknown|n\/?a|null|none)$/;

/**
 * Whether the product can be sold. A list holds the restrictions (the selling-partner interface's
 * way), so an empty one means yes. undefined: something that says neither.
 */
export function readEligibility(value: unknown): Eligibility | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return true;
    return value.some((one) => /approval/i.test(JSON.stringify(one))) ? 'needs approval' : false;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (YES.test(word)) return true;
  if (NO.test(word)) return false;
  if (APPROVAL.test(word)) return 'needs approval';
  return UNKNOWN.test(word) ? null : undefined;
}

/** A count: a whole number from 0 up. Services that count with numbers alone write -1 for "none". */
export function readCount(value: unknown): number | null | undefined {
  const number = readNumber(value);
  if (number === null || number === undefined) return number;
  if (number === -1) return null;
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}
