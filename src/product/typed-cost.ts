// Costs as they stand in a cell, also as text: read for the page, and as a formula of a hidden column. Pure.
// Patterns are of RE2, as sheets have it: `\pZ` are blanks, `\pC` and `\pM` what shows nothing.

import {
  AMOUNT_MAX,
  COST_INPUTS,
  type CostCell,
  type CostInput,
  type CostKind,
  NO_COST,
  type RateReading,
  UNITS_MAX,
} from './cost';
import {
  type Currency,
  hasVat,
  type Market,
  marketOfMoney,
  marketRow,
  VAT_MARKETS,
  vatOn,
} from './market';
import { hiddenNumber, isInOwnColumn, isInPlace } from './own-row';

/** A cell without any letter or digit is blank. */
const FILLED = '[\\pL\\pN]';

/** Blanks, and the quotes and the equals sign of `="4.50"`. */
const AROUND = `\\pC\\pM\\pZ='"`;

/** "4", "4.50", "4,50", "1,234.50", "1.234,50", ".5" */
const NUMBER = '[0-9]+[.,]?[0-9]*|[0-9]+,[0-9]{3}\\.[0-9]*|[0-9]+\\.[0-9]{3},[0-9]*|[.,][0-9]+';

/** What is not a decimal: all of "1,234" and of "12", and "12." of "12.50". */
const WHOLE = '^([1-9][0-9]?[0-9]?,[0-9]{3}$|[0-9]+$|.*[.,])';

/** Of an amount. Another currency's sign is none: it is no cost here. */
export function amountPattern(currency: Currency): string {
  const { signs } = marketRow(marketOfMoney(currency));
  return `^(?:${signs}|[${AROUND}])*(${NUMBER})(?:${signs}|[${AROUND}])*$`;
}

const plainPattern = (kind: CostKind) =>
  `^[${AROUND}]*(${NUMBER})[${AROUND}${kind === 'rate' ? '%' : ''}]*$`;

/** JavaScript has braces in `\\p{Z}`. */
const patternOf = (source: string): RegExp =>
  new RegExp(source.replace(/\\p([A-Z])/g, '\\p{$1}'), 'u');

/** A cell of a cost as a number, if it is a text of one; null: it shows nothing. */
export function readTypedCost(cell: CostCell, kind: CostKind, currency: Currency | null): CostCell {
  if (typeof cell !== 'string') return cell;
  if (!patternOf(FILLED).test(cell)) return null;
  const isAmount = kind === 'money' && currency !== null;
  const pattern = isAmount ? amountPattern(currency) : plainPattern(kind);
  const digits = patternOf(pattern).exec(cell.toUpperCase())?.[1];
  if (digits === undefined) return cell;
  const decimals = digits.replace(patternOf(WHOLE), '').length;
  return Number(digits.replace(/[.,]/g, '')) / 10 ** decimals;
}

/**
 * A discount as a fraction. "5%" says by itself what it is.
 *
 * @param as how its column is read; null: nothing in it has said so yet, and 0.5 alone may be either.
 */
export function readDiscount(cell: CostCell, as: RateReading | null): CostCell {
  const rate = readTypedCost(cell, 'rate', null);
  if (typeof rate !== 'number') return rate;
  const isPercentText = typeof cell === 'string' && cell.includes('%');
  if (as === 'fraction') return isPercentText ? rate / 100 : rate;
  const isPercent = as === 'percent' || isPercentText || rate === 0 || rate >= 1;
  return isPercent ? rate / 100 : String(rate);
}

/** "20", "20.0%", "0.2", "S", "20.0% S" */
function ratePattern(percent: number, codes: string): string {
  const [whole = '', decimals = ''] = String(percent).split('.');
  const decimalPart = decimals === '' ? '(?:[.,]0+)?' : `[.,]${decimals}0*`;
  const fraction = percent > 0 ? `|0?[.,]${String(percent / 100).slice(2)}0*` : '';
  const number = `(?:${whole}${decimalPart}${fraction})`;
  return `^[${AROUND}]*(?:${codes}|${number}|${number}[${AROUND}%]+(?:${codes}))[${AROUND}%]*$`;
}

/** A rate of VAT in percent, and the pattern of what lists write for it. */
interface ReadRate {
  readonly percent: number;
  readonly pattern: string;
}

/** Without VAT nothing that a row says counts, but an error is none. */
const ANY_RATE: ReadRate = { percent: COST_INPUTS.vatRate.blank, pattern: '^[^#]' };
const NO_RATE: ReadRate = { ...ANY_RATE, pattern: '^$' };

/** The rates that products bear on a market. */
const ratesOn = (market: Market): readonly ReadRate[] =>
  hasVat(market)
    ? vatOn(market).rates.map(({ rate, codes }) => {
        const percent = Number((rate * 100).toFixed(2));
        return { percent, pattern: ratePattern(percent, codes) };
      })
    : [ANY_RATE];

/**
 * A rate of VAT in percent; null: the rules say it. What is none, such as the code "A", stays.
 *
 * @param market whose rates and codes count: "S" is 20 % in the UK.
 */
export function readVatRate(cell: CostCell, market: Market): CostCell {
  const text = String(cell ?? '').toUpperCase();
  if (!patternOf(FILLED).test(text)) return null;
  const rate = ratesOn(market).find(({ pattern }) => patternOf(pattern).test(text));
  return rate === ANY_RATE ? null : (rate?.percent ?? String(cell));
}

/** The places of rates, from 1 on: as many as a market has at most. */
const rateNumbers = (): readonly number[] =>
  Array.from(
    { length: Math.max(...VAT_MARKETS.map((market) => vatOn(market).rates.length)) },
    (_, at) => at + 1,
  );

/** What the tab "Deal rules" has of each market for each of them. */
export type RateCell = `READ_VAT_${number}` | `VAT_RATE_${number}`;

const rateCells = (rateNumber: number) =>
  [`READ_VAT_${rateNumber}`, `VAT_RATE_${rateNumber}`] as const;

export const allRateCells = (): readonly RateCell[] => rateNumbers().flatMap(rateCells);

export const isRateCell = (name: string): name is RateCell =>
  allRateCells().some((cell) => cell === name);

export function rateContent(name: RateCell, market: Market) {
  const rateNumber = Number(name.split('_')[2]);
  const { percent, pattern } = ratesOn(market)[rateNumber - 1] ?? NO_RATE;
  return name === `READ_VAT_${rateNumber}`
    ? { label: `VAT as text, ${rateNumber}`, text: pattern }
    : { label: `VAT in percent, ${rateNumber}`, formula: `=${Math.round(percent * 100)}/100` };
}

const [READ_UNITS, READ_RATE, READ_WHOLE] = ['READ_UNITS', 'READ_RATE', 'READ_WHOLE'] as const;

/** The named cells of the tab "Deal rules" with patterns, which are too long for a formula. */
export const patterns = () => [
  { name: READ_UNITS, label: 'Costs as text: units', text: plainPattern('count') },
  { name: READ_RATE, label: 'Costs as text: rates', text: plainPattern('rate') },
  { name: READ_WHOLE, label: 'Costs as text: all but decimals', text: WHOLE },
];

const TESTS: Readonly<Record<Exclude<CostInput, 'discount' | 'vatRate'>, string>> = {
  cost: `(x>0)*(x<=${AMOUNT_MAX})`,
  pack: `(x>0)*(x<=${UNITS_MAX})`,
  multipack: `(x>0)*(x<=${UNITS_MAX})`,
  salesTax: `(x>=0)*(x<=${AMOUNT_MAX})`,
  prep: `(x>=0)*(x<=${AMOUNT_MAX})`,
  shipping: `(x>=0)*(x<=${AMOUNT_MAX})`,
  other: `(x>=0)*(x<=${AMOUNT_MAX})`,
};

/** The number in a text. VALUE gets digits only, because what else it reads depends on the locale. */
const textNumber = (cell: string, pattern: string): string =>
  `LET(t;REGEXEXTRACT(${cell};${pattern});VALUE(REGEXREPLACE(t;"[.,]";""))/10^LEN(REGEXREPLACE(t;${READ_WHOLE};"")))`;

/** A discount in `x`: whether it can be used, and what it is in percent. See `readDiscount`. */
function discountIn(
  cell: string,
  as: RateReading | null,
): readonly [test: string, percent: string] {
  if (as === 'fraction') return ['(x>=0)*(x<1)', 'x*100'];
  const isSaid = `((x=0)+(x>=1)+(x>0)*REGEXMATCH(${cell}&"";"%"))`;
  return [`(x<100)*${as === null ? isSaid : '(x>=0)'}`, 'x'];
}

/**
 * A cost as the hidden number that other formulas count with; in its place, what is wrong with it, also
 * where the cell was moved to another row. A blank is one unit, no discount, no amount; a rate comes in
 * percent.
 *
 * @param market the row's, as a text or the cell that says it.
 * @param money the named pattern of amounts, or a formula for it.
 * @param as how discounts are read.
 */
export function costFormula(
  key: CostInput,
  cell: string,
  { market, money }: { readonly market: string; readonly money: string },
  as: RateReading | null,
): string {
  const { kind, blank, problem } = COST_INPUTS[key];
  const isMeant = `AND(${isInPlace(cell, `{${key}!}`)};${isInOwnColumn('{own!}')})`;
  const isFilled = `REGEXMATCH(${cell}&"";"${FILLED}")`;
  const ifMeant = (shown: string) => `=IFERROR(IFS(${isMeant};${shown});"${problem}")`;
  if (key === 'vatRate') {
    const rates = rateNumbers()
      .map(rateCells)
      .map(([read, rate]) => `REGEXMATCH(t;INDEX(${read};n));INDEX(${rate};n)`);
    const at = `n;XMATCH(${market};MARKET_ID)`;
    const read = `IF(${isFilled};LET(t;UPPER(${cell}&"");${at};IFS(${rates.join(';')}));${blank})`;
    return ifMeant(hiddenNumber(read));
  }
  const share = kind === 'rate' && as === 'fraction' ? `/100^REGEXMATCH(${cell};"%")` : '';
  // The signs of amounts are letters.
  const seen = kind === 'money' ? `UPPER(${cell})` : cell;
  const pattern = { money, count: READ_UNITS, rate: READ_RATE, vat: '' }[kind];
  const text = `${textNumber(seen, pattern)}${share}`;
  const [test, usable] = key === 'discount' ? discountIn(cell, as) : [TESTS[key], 'x'];
  const ifBlank = key === 'cost' ? `"${NO_COST}"` : String(blank);
  const read = `IF(ISNUMBER(${cell});${cell};IF(${isFilled};${text};${ifBlank}))`;
  const none = key === 'cost' ? 'IFS(ISTEXT(x);x)' : 'NA()';
  const shown = `LET(x;${read};IF(${test};${hiddenNumber(usable)};${none}))`;
  return ifMeant(shown);
}

/** In place of a quantity that cannot be read or is not whole: "24/48", "OOS", 2.5, a date. */
export const CHECK_QUANTITY = 'Check quantity';

/** How many packs are bought. 0 buys nothing, a blank one; null: the cell does not say it. */
export function readQuantity(cell: CostCell): number | null {
  const quantity = readTypedCost(cell, 'count', null);
  if (quantity === null || quantity === '') return 1;
  const isWhole = typeof quantity === 'number' && Number.isInteger(quantity);
  const isRead = isWhole && quantity >= 0 && quantity <= UNITS_MAX;
  return isRead ? quantity : null;
}

/** The same for a range of cells, in an array formula; what does not say it buys nothing. */
export const quantityFormula = (cells: string): string => {
  const number = `IF(ISNUMBER(q);q;${textNumber('q', READ_UNITS)})`;
  const ifRead = `LET(n;${number};IF((n>=0)*(n<=${UNITS_MAX})*(n=INT(n));n;0))`;
  return `LET(q;${cells};IFERROR(${ifRead};IF(REGEXMATCH(q&"";"${FILLED}");0;1)))`;
};
