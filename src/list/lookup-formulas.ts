// The formulas by which the rows of a list look their figures up in the Analysis tab, and the keys
// that these formulas look for. In R1C1 notation a formula is the same text in every row.

import type { TabColumn } from '../analysis/analysis-row';
import { UNSEEN_CLASS, withoutUnseen } from '../product/cell-text';
import { isMarket, type Market } from '../product/market';

/** Which market a group of columns is for: one for all rows, or that of the list's market column. */
export type GroupMarket = Market | 'column';

/** A column of ours: the hidden helper, or one that shows a column of the tab. */
export type LookupRole = 'helper' | TabColumn;

/** What the rows of a group name as their market. */
export interface RowMarket {
  readonly market: GroupMarket;
  /** The market of rows whose market cell is blank. */
  readonly defaultMarket: Market;
}

/** The columns of a list that its formulas read, from 1. */
export interface KeyColumns {
  readonly product: number;
  /** null: the list has none, and rows that name their market find nothing. */
  readonly market: number | null;
}

/** A column of the tab as formulas name it: `'Analysis'!C5:C5`. */
export interface TabPlace {
  readonly name: string;
  readonly column: number;
}

const whole = ({ name, column }: TabPlace) => `'${name.replace(/'/g, "''")}'!C${column}:C${column}`;

/** The row of the tab that holds a row's key: a number, '' beside a blank cell, or #N/A. */
export function helperFormula(
  columns: KeyColumns,
  { market, defaultMarket }: RowMarket,
  keys: TabPlace,
): string {
  const product = `RC${columns.product}`;
  const cell = `RC${columns.market ?? columns.product}`;
  const key =
    market === 'column'
      ? `${product}&"|"&IF(${cell}="";"${defaultMarket}";${cell})`
      : `${product}&"|${market}"`;
  const seen = `REGEXREPLACE(${key};"${UNSEEN_CLASS}";"")`;
  return `=IF(${product}="";"";XMATCH(${seen};${whole(keys)};0))`;
}

/** What the tab holds in that row. A figure that the service does not give stays blank. */
export const figureFormula = (product: number, helper: number, shown: TabPlace): string =>
  `=IF(RC${product}="";"";IFNA(INDEX(${whole(shown)};RC${helper});""))`;

/**
 * The key of a row as the helper's formula joins it, from the cells of product and market.
 * "B07FZ8S74R|US"
 */
export function rowKey(
  product: unknown,
  market: unknown,
  group: GroupMarket,
  defaultMarket: Market,
): string {
  const named = group === 'column' ? joined(market) || defaultMarket : group;
  return withoutUnseen(`${joined(product)}|${named}`);
}

/** A cell's value as "&" joins it to a text. */
function joined(cell: unknown): string {
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '');
}

/** Texts in quotes, names of sheets in quotes, and what may be written in several ways. */
const WRITTEN = /("(?:[^"]|"")*")|'((?:[^']|'')*)'|\[0\]|\s+|;|[^"'\s;[]+|\[/g;

/** The formula in one way of writing: Sheets returns it with its own case, commas and quotes. */
function normal(formula: string): string {
  return formula
    .replace(WRITTEN, (part, text?: string, sheetName?: string) => {
      if (text !== undefined) return text;
      if (sheetName !== undefined) return sheetName.toUpperCase();
      if (part === '[0]' || /^\s/.test(part)) return '';
      return part === ';' ? ',' : part.toUpperCase();
    })
    .replace(/!C(\d+):C\1(?!\d)/g, '!C$1');
}

/** Whether two formulas say the same. */
export const isSameFormula = (one: string, other: string): boolean =>
  one === other || normal(one) === normal(other);

/** Texts in quotes, a reference that is lost, the sheet before a reference, and a reference. */
const REFERRING =
  /("(?:[^"]|"")*")|#REF!|(?:'(?:[^']|'')*'|[\p{L}\p{N}_.]+)!|(?<![\p{L}\p{N}_.])(?:R(?:\[-?\d+\]|\d+)?)?C(?:\[-?\d+\]|\d+)?(?![\p{L}\p{N}_.(])/giu;

/** The formula without what it refers to, and without the market that it names. */
function shape(formula: string): string {
  const open = formula.replace(REFERRING, (part, text?: string) => {
    if (text !== undefined) return isMarket(text.slice(1, -1)) ? '"market"' : text;
    return part !== '#REF!' && part.endsWith('!') ? '' : '#';
  });
  return normal(open).replace(/#:#/g, '#');
}

/**
 * Whether a formula is this one of ours, also where its references are lost or moved: the tab or
 * a column was deleted, a product was cut and pasted into another row, or the default market is
 * another one by now.
 */
export const isOfOurs = (formula: string, ours: string): boolean =>
  formula !== '' && (isSameFormula(formula, ours) || shape(formula) === shape(ours));
