// Costs that stand in a cell as text: which ones are read, in the page and in a formula. Pure.
// Patterns are of RE2, as sheets have it, and without braces, which mean cells in our formulas: `\pZ` are
// blanks, `\pC` and `\pM` what shows nothing.

import { visibleText } from './cell-text';
import type { CostCell, CostKind } from './cost';
import { readNumber } from './figures';
import type { Currency } from './market';

/** Signs and guards around a number: blanks, quotes and the equals sign of `="4.50"`. */
const AROUND = `[\\pC\\pM\\pZ='"]*`;
const THOUSANDS = '[1-9][0-9]?[0-9]?(,[0-9][0-9][0-9])+';
const NUMBER = `([0-9]+|[0-9,]*\\.[0-9]+|[0-9,]+\\.|[0-9.]*,[0-9]+|[0-9.]+,|${THOUSANDS})`;
const SIGNS: Readonly<Record<Currency, string>> = { USD: '(USD|US\\$|\\$)', GBP: '(GBP|£)' };

/** "4.50", "4,50"; a rate may have "%". */
const PLAIN = `^${AROUND}${NUMBER}${AROUND}$`;
const RATE = `^${AROUND}${NUMBER}${AROUND}%?${AROUND}$`;
const NOTHING = `^${AROUND}$`;

/** Also "$4.50" and "4.50 USD", in upper case. Another currency's sign is none: it is no cost here. */
const moneyPattern = (currency: Currency): string => {
  const sign = `(${SIGNS[currency]}${AROUND})?`;
  return `^${AROUND}${sign}${NUMBER}${AROUND}${sign}$`;
};

/** The pattern for JavaScript, which has braces in `\\p{Z}`. */
const patternOf = (source: string): RegExp =>
  new RegExp(source.replace(/\\p([A-Z])/g, '\\p{$1}'), 'u');

/** A cell of a cost as a number, if it is a text of one; null: it shows nothing. */
export function readTypedCost(cell: CostCell, kind: CostKind, currency: Currency | null): CostCell {
  if (typeof cell !== 'string') return cell;
  if (patternOf(NOTHING).test(cell)) return null;
  const money = currency === null ? PLAIN : moneyPattern(currency);
  const pattern = kind === 'rate' ? RATE : kind === 'money' ? money : PLAIN;
  const isRead = patternOf(pattern).test(cell.toUpperCase());
  return isRead ? (readNumber(visibleText(cell.replace(/[='"]/g, ''))) ?? cell) : cell;
}

/** Which pattern money fits, as a formula: known beforehand unless the currency is that of a cell. */
function ofMoney(currency: string | null): string {
  if (currency === null) return quoted(PLAIN);
  const [known] = (['USD', 'GBP'] as const).filter((one) => currency === `"${one}"`);
  if (known !== undefined) return quoted(moneyPattern(known));
  return `IF(${currency}="GBP";${quoted(moneyPattern('GBP'))};${quoted(moneyPattern('USD'))})`;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/**
 * The same as a formula. VALUE gets digits only, because what else it reads depends on the locale.
 *
 * @param currency gives "USD" or "GBP"; null: no sign of a currency is read.
 */
export function typedCost(cell: string, kind: CostKind, currency: string | null): string {
  const pattern =
    kind === 'rate' ? quoted(RATE) : kind === 'money' ? ofMoney(currency) : quoted(PLAIN);
  const isThousands = `REGEXMATCH(${cell};"^[^0-9]*${THOUSANDS}[^0-9]*$")`;
  const decimals = `LEN(IFERROR(REGEXEXTRACT(${cell};"[.,]([0-9]*)[^0-9.,]*$");""))`;
  const digits = `VALUE(REGEXREPLACE(${cell};"[^0-9]";""))`;
  const number = `${digits}/10^IF(${isThousands};0;${decimals})`;
  const share = kind === 'rate' ? `/IF(REGEXMATCH(${cell};"%");100;1)` : '';
  const read = `IF(REGEXMATCH(UPPER(${cell});${pattern});${number}${share};${cell})`;
  return `IF(ISTEXT(${cell});IF(REGEXMATCH(${cell};${quoted(NOTHING)});"";${read});${cell})`;
}
