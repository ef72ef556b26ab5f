// The arguments of custom functions: cells, products with their markets, the refresh argument, and field
// names with what an analysis has under them.

import { DAY } from '../failures/duration';
import { type Failure, fail, isFailure } from '../failures/failure';
import { isBlank, type Product, readAsin } from './asin';
import { visibleText } from './cell-text';
import {
  ALL_FIELDS,
  type Analysis,
  DEFAULT_FIELDS,
  decisionOfName,
  type FieldValue,
  fieldOfName,
  KNOWN_NAMES,
  nameForm,
  timeOfName,
} from './fields';
import { CURRENCY_WORDS, DEFAULT_MARKET, MARKETS, type Market, readMarket } from './market';

/** What a custom function may return for one cell; null leaves the cell blank. */
export type Cell = string | number | boolean | Date | null;

export type Grid = readonly (readonly unknown[])[];

/** More rows than any known list; a formula over more could not answer within its 30 s. */
const FORMULA_CELLS_MAX = 5_000;

/** Whether an argument is a range of more than one cell. */
export function isRange(argument: unknown): argument is Grid {
  return Array.isArray(argument) && (argument.length > 1 || rowOf(argument[0]).length > 1);
}

/** The cells of an argument, row by row. */
export function cellsOf(argument: unknown): readonly unknown[] {
  return Array.isArray(argument) ? argument.flatMap(rowOf) : [argument];
}

/**
 * The cells of one row. Sheets passes a range as rows; a one-dimensional array counts as one
 * column.
 */
function rowOf(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row : [row];
}

/** The only cell of an argument, or the first of a range. */
export function firstCell(argument: unknown): unknown {
  return cellsOf(argument)[0];
}

/** Whether an optional argument was left out or refers to a blank cell. */
export function isLeftOut(argument: unknown): boolean {
  return cellsOf(argument).every((cell) => cell === undefined || cell === null || cell === '');
}

/**
 * The values of an argument beside a list of products: one value for all of them, or one for each.
 *
 * @param what names the values in the plural, for the message.
 */
export function pairedCells(
  argument: unknown,
  height: number,
  what: string,
): readonly unknown[] | Failure {
  const cells = isLeftOut(argument) ? [undefined] : cellsOf(argument);
  if (cells.length === 1) return Array<unknown>(height).fill(cells[0]);
  if (cells.length === height) return cells;
  const asins = height === 1 ? 'is 1 cell' : `are ${height} cells`;
  return fail({
    kind: 'bad-argument',
    what: `there ${asins} of ASINs, but ${cells.length} of ${what}`,
  });
}

/**
 * Refuses a range with more products than a formula could answer in time; the message says how many.
 * Blank cells do not count: many formulas name a whole column, as in `A2:A`.
 */
export function tooLarge(cells: readonly unknown[]): Failure | undefined {
  const filled = cells.filter((cell) => !isBlank(cell)).length;
  if (filled <= FORMULA_CELLS_MAX) return undefined;
  const [given, most] = [filled, FORMULA_CELLS_MAX].map((count) => count.toLocaleString('en-US'));
  return fail({
    kind: 'bad-argument',
    what: `the range has ${given} filled cells, and one formula can take ${most}. Use a smaller range`,
  });
}

interface Typed {
  readonly asin: unknown;
  readonly market: unknown;
  readonly fields: unknown;
}

/**
 * The arguments of =ANALYZE as they are meant: figures in the market's place, as in
 * `=ANALYZE(A2, "roi")`, are the fields, and a market in the product's place is swapped with it. Both
 * are read so only where they can mean nothing else.
 */
export function asMeant({ asin, market, fields }: Typed): Typed | Failure {
  if (areFields(market)) {
    if (isLeftOut(fields)) return { asin, market: undefined, fields: market };
    const what = `the market comes second, the figures third, as in =ANALYZE(A2, "${DEFAULT_MARKET}", "${visibleText(firstCell(market))}")`;
    return fail({ kind: 'bad-argument', what });
  }
  const isSwapped = !isRange(asin) && isMarketText(firstCell(asin)) && namesProduct(market);
  return isSwapped ? { asin: market, market: asin, fields } : { asin, market, fields };
}

const isMarketText = (cell: unknown) => !isBlank(cell) && !isFailure(readMarket(cell));

const namesProduct = (argument: unknown) =>
  cellsOf(argument).some((cell) => !isBlank(cell) && !isFailure(readAsin(cell)));

/** Whether an argument names figures that every analysis has, and nothing else. */
function areFields(argument: unknown): boolean {
  if (isLeftOut(argument) || cellsOf(argument).length > FIELDS_MAX) return false;
  const names = readFieldNames(cellsOf(argument));
  return names.length > 0 && names.every((name) => name === '' || KNOWN_NAMES.includes(name));
}

/** A product whose market may still have to be filled in with the spreadsheet's default. */
export interface Wanted {
  readonly asin: string;
  readonly market: Market | null;
}

/** One row: a product, the reason why its cell names none, or null for a blank cell. */
export type Question = Wanted | Failure | null;

export function isWanted(question: Question): question is Wanted {
  return question !== null && !isFailure(question);
}

/**
 * The questions in order, one for each cell of `asin`, or the failure of the arguments as a whole.
 * If no market is given, it is the link's, else the spreadsheet's default.
 */
export function readQuestions(asin: unknown, market: unknown): readonly Question[] | Failure {
  const asins = cellsOf(asin);
  const large = tooLarge(asins);
  if (large !== undefined) return large;
  const markets = pairedCells(market, asins.length, 'markets');
  return isFailure(markets) ? markets : asins.map((cell, i) => readQuestion(cell, markets[i]));
}

function readQuestion(asin: unknown, market: unknown): Question {
  if (isBlank(asin)) return null;
  const reading = readAsin(asin);
  if (isFailure(reading)) return reading;
  const chosen = isBlank(market) ? reading.market : readMarket(market);
  return isFailure(chosen) ? chosen : { asin: reading.asin, market: chosen };
}

/** The product that is asked for, with the settings' default market filled in. */
export function productOf(
  { asin, market }: Wanted,
  defaultMarket: Market = DEFAULT_MARKET,
): Product {
  return { asin, market: market ?? defaultMarket };
}

/**
 * Reads a refresh argument: a date or time means "not older than this", and anything else is just a
 * text.
 */
export function readRefresh(refresh: unknown, nowMs: number) {
  if (isLeftOut(refresh)) return {};
  const isMoment = refresh instanceof Date && !Number.isNaN(refresh.getTime());
  if (!isMoment) return { tag: String(refresh).slice(0, 60) };
  // A cell cannot wait for a moment in the future, so until then it is treated as a text.
  const isPast = refresh.getTime() <= nowMs;
  return isPast ? { notBeforeMs: refresh.getTime() } : { tag: refresh.toISOString() };
}

/** Five times as many as any answer has. Each is a column beside every product. */
const FIELDS_MAX = 200;

/** The names asked for, or the default ones if the argument is left out or blank. */
export function fieldNamesOf(fields: unknown): readonly string[] | Failure {
  if (isLeftOut(fields)) return DEFAULT_FIELDS;
  const cells = cellsOf(fields);
  const names = cells.length > FIELDS_MAX ? cells : readFieldNames(cells);
  if (names.length > FIELDS_MAX)
    return fail({ kind: 'bad-argument', what: `one formula can show ${FIELDS_MAX} fields` });
  return names.length === 0 ? DEFAULT_FIELDS : (names as readonly string[]);
}

/**
 * The names in a `fields` argument; [] if nothing is named. A blank header cell is a blank column,
 * but in a text with commas, empty parts and an empty end name nothing.
 */
export function readFieldNames(cells: readonly unknown[]): readonly string[] {
  const trimmed = cells.length === 1 ? namesInText(visibleText(cells[0])) : cells.map(visibleText);
  if (trimmed.every((name) => name === '')) return [];
  return trimmed.flatMap((given) => {
    const name = given.slice(0, NAME_CHARS_MAX);
    if (name.toLowerCase() === 'all') return ALL_FIELDS;
    const resolve = (text: string) => fieldOfName(text) ?? timeOfName(text) ?? decisionOfName(text);
    return resolve(name) ?? resolve(name.replace(UNIT, '')) ?? name;
  });
}

/** What headers say behind the name of a figure: "ROI (%)", "Fees ($)", "Profit (UK)". */
const UNIT = new RegExp(`\\s*\\(([%\\p{Sc}]|${CURRENCY_WORDS}|${MARKETS.join('|')})\\)$`, 'iu');

/** More names than any formula shows; the rest of a very long text is not read. */
const NAMES_MAX = 1_000;

/** Longer than any field's name; a cell may hold 50,000 characters. */
const NAME_CHARS_MAX = 100;

function namesInText(text: string): readonly string[] {
  const names = text.split(/[,;\n]/, NAMES_MAX).map(visibleText);
  return names.filter((name) => name !== '');
}

/** The value of one field; undefined if this analysis has no such field. */
export function fieldValue(
  analysis: Analysis,
  name: string,
  nowMs: number,
): FieldValue | undefined {
  if (name === '') return null;
  const time = timeOfName(name);
  if (time === 'age') return Math.max(0, Math.floor((nowMs - analysis.fetchedAtMs) / DAY));
  if (time === 'as_of') return new Date(analysis.fetchedAtMs);
  const field = fieldOfName(name);
  if (field !== undefined) return analysis.figures[field];
  const form = nameForm(name);
  return analysis.extras.find(([extra]) => nameForm(extra) === form)?.[1];
}

/**
 * How many analyses are searched for similar names; further ones nearly always have the same names.
 */
const NAMED_MAX = 20;

/** The failure for a name that no analysis has, with the most similar existing name. */
export function unknownField(name: string, analyses: readonly Analysis[]): Failure {
  const names = new Set([
    ...KNOWN_NAMES,
    ...analyses.slice(0, NAMED_MAX).flatMap((analysis) => analysis.extras.map(([n]) => n)),
  ]);
  const nearest = nearestName(name, [...names]);
  return fail({ kind: 'bad-field', input: name.slice(0, 40), ...(nearest ? { nearest } : {}) });
}

/** The name with the fewest typing errors, if few enough that it may have been meant. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const form = nameForm(name).slice(0, 40);
  const distances = names.map((known) => ({ known, slips: editDistance(form, nameForm(known)) }));
  const best = distances.sort((a, b) => a.slips - b.slips)[0];
  return best !== undefined && best.slips <= Math.max(2, form.length / 3) ? best.known : undefined;
}

/** Levenshtein distance: the number of inserted, deleted and replaced characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
