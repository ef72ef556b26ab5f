// The formulas of ours in the rows of a list: those that look figures up in the Analysis tab, and those that
// decide on them. In R1C1 notation each is the same text in every row.

import type { TabColumn } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { isRecordOf, type ListedColumn, partIn } from '../analysis/row-record';
import { KEYLESS_CLASS, keyText } from '../product/cell-text';
import type { Market } from '../product/market';
import { isInOwnColumn, isInPlace, isWorkedOut } from '../product/own-row';
import { type FormulaColumn, isOfOurs, withoutTab } from '../sheet/filled-formulas';
import {
  type FormulaTag,
  type FoundTag,
  formulaColumn,
  isSameColumn,
  type MarketBlock,
  type MarketSource,
  type TaggedList,
} from './tagged-list';

/** A column of the tab as formulas name it: `'Analysis'!C5:C5`. */
interface TabPlace {
  readonly name: string;
  readonly column: number;
}

const whole = ({ name, column }: TabPlace) => `'${name.replace(/'/g, "''")}'!C${column}:C${column}`;

/** More than any row number of the tab. Formulas hold its digits: each of them would work 10^6 out anew. */
const ROWS = 1_000_000;

/**
 * The row of the tab that holds the row's key, a million less, so that no number of a person's is one: -999988
 * for row 12. Blank beside a blank cell and where a cell has moved, also on the tab, whose records name their
 * keys; #N/A: the tab has no such key. In R1C1 notation a formula is the same text in every row.
 */
function helperFormula(
  list: TaggedList,
  own: number,
  market: MarketSource,
  keys: TabPlace,
  records: TabPlace,
): string {
  const { headerRow, productColumn, marketColumn, defaultMarket } = list;
  const product = `RC${productColumn}`;
  const isNamed = market === 'column' && marketColumn !== null;
  // Without a column of markets, rows that should name theirs find nothing.
  const cell = `RC${marketColumn ?? productColumn}`;
  const key =
    market === 'column'
      ? `${product}&"|"&IF(${cell}="";"${defaultMarket}";${cell})`
      : `${product}&"|${market}"`;
  const read = [...new Set([productColumn, ...(isNamed ? [marketColumn] : [])])];
  const isMeant = [
    ...read.map((column) => isInPlace(`RC${column}`, `R${headerRow}C${column}`)),
    isInOwnColumn(`R${headerRow}C${own}`),
    `${product}<>""`,
  ].join(';');
  const found = `XMATCH(k;${whole(keys)};0)`;
  const isItsRecord = isRecordOf(`INDEX(${whole(records)};n)`, 'k');
  const seen = `REGEXREPLACE(${key};"${KEYLESS_CLASS}";"")`;
  return `=IF(AND(${isMeant});LET(k;${seen};n;${found};IF(${isItsRecord};n-${ROWS};));)`;
}

/**
 * What the record in that row says; blank where the helper is not this row's, no formula, or in another sheet,
 * and where it stands under another figure's title.
 */
function figureFormula(
  headerRow: number,
  own: number,
  at: number,
  role: ListedColumn,
  records: TabPlace,
): string {
  const helper = `RC${at}`;
  const isHere = `(ROW(${helper})=ROW())/(SHEET(${helper})=SHEET())`;
  const isOwn = `(${isInOwnColumn(`R${headerRow}C${own}`)})/${isWorkedOut(helper)}`;
  const row = `(${helper}+${ROWS})/${isHere}/${isOwn}`;
  return `=IFERROR(${partIn(`INDEX(${whole(records)};${row})`, role)})`;
}

/**
 * A formula in R1C1 notation, for the cells of this column. "{fees}" stands for the row's cell in the
 * column of that role, be it the list's, the market's or the whole list's; "{verdict UK}" for that of
 * another market; "{fees!}" for the column's title, "{own!}" for that of the formula's own column.
 */
function formulaIn(
  list: TaggedList,
  { tag: { market }, at }: FoundTag<FormulaTag>,
  formula: string,
): string {
  return formula.replace(/\{([a-zA-Z][^}!]*)(!?)\}/g, (_, name: string, isTitle: string) => {
    const column = name === 'own' ? at : columnNamed(list, name, market);
    if (column === undefined) return '#REF!';
    const row = isTitle === '' ? 'R' : `R${list.headerRow}`;
    // Where the formula is copied to another column, its own title stays behind.
    if (name === 'own') return `${row}C${at}`;
    return column === at ? `${row}C` : `${row}C[${column - at}]`;
  });
}

function columnNamed(
  list: TaggedList,
  name: string,
  market: FormulaTag['market'],
): number | undefined {
  const [role = '', other = market] = name.split(' ');
  const block = list.blocks.find((candidate) => candidate.market === market) ?? list.blocks[0];
  return (
    (role === 'product' ? list.productColumn : undefined) ??
    list.costs.get(role as never) ??
    formulaColumn(list, role, other as FormulaTag['market']) ??
    formulaColumn(list, role, 'both') ??
    block?.columns.get(role as never)
  );
}

/**
 * The key of a row as the helper's formula joins it, from the cells of product and market.
 * "B07FZ8S74R|US"
 */
export function rowKey(
  product: unknown,
  market: unknown,
  source: MarketSource,
  defaultMarket: Market,
): string {
  const named = source === 'column' ? joined(market) || defaultMarket : source;
  return keyText(`${joined(product)}|${named}`);
}

/** A cell's value as "&" joins it to a text. */
function joined(cell: unknown): string {
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '');
}

/** What formulas name the tab and its columns by. */
export type TabReferences = Pick<AnalysisTab, 'name' | 'layout'>;

/**
 * Every column of ours beside a list.
 *
 * @param wanted what decisions should hold; left out: what they hold, and who may not write them gets
 *   figures all the same.
 */
export const ourColumns = (
  list: TaggedList,
  tab: TabReferences,
  wanted?: readonly Omit<FormulaTag, 'list'>[],
): readonly FormulaColumn[] => [
  ...list.blocks.flatMap((block) => lookupsIn(list, block, tab)),
  ...decisionsIn(list, wanted).map((one) => ({ ...one, isExtra: wanted === undefined })),
];

/** The columns of a block; none where it lacks its helper, or the tab has just been deleted. */
function lookupsIn(
  list: TaggedList,
  block: MarketBlock,
  tab: TabReferences,
): readonly FormulaColumn[] {
  const helper = block.columns.get('helper');
  const { name } = tab;
  if (helper === undefined || name === '') return [];
  const at = (column: TabColumn) => ({
    name,
    column: tab.layout.columns.get(column) ?? 0,
  });
  return [...block.columns].map(([role, column]) => ({
    column,
    formula:
      role === 'helper'
        ? helperFormula(list, helper, block.market, at('key'), at('record'))
        : figureFormula(list.headerRow, column, helper, role, at('record')),
    helper,
  }));
}

/**
 * The columns that work something out.
 *
 * @param wanted what each should hold, and no others; left out: what they were made for.
 */
export function decisionsIn(
  list: TaggedList,
  wanted: readonly Omit<FormulaTag, 'list'>[] = list.formulas.map(({ tag }) => tag),
): readonly FormulaColumn[] {
  return list.formulas.flatMap((placed) => {
    const now = wanted.find((one) => isSameColumn(one, placed.tag));
    if (now === undefined) return [];
    return {
      column: placed.at,
      formula: formulaIn(list, placed, now.formula),
      former: formulaIn(list, placed, placed.tag.formula),
    };
  });
}

/** A tab that nothing is looked up in: for comparing formulas apart from the tab that they name. */
export const ANY_TAB: TabReferences = {
  name: 'Analysis',
  layout: { columns: new Map(), first: 0, last: 0 },
};

/** The hidden columns that read cells of a person's, and whether a formula there names other cells. */
export function movesIn(list: TaggedList): readonly {
  readonly column: number;
  isMoved(formula: string): boolean;
}[] {
  const helpers = list.blocks.flatMap((block) =>
    lookupsIn(list, block, ANY_TAB).filter(({ column, helper }) => column === helper),
  );
  const readers = decisionsIn(list).filter(({ column }) =>
    list.formulas.some(({ tag, at }) => at === column && tag.role.endsWith('Number')),
  );
  return [...helpers, ...readers].map(({ column, formula }) => {
    const meant = withoutTab(formula);
    return {
      column,
      isMoved: (one) => withoutTab(one) !== meant && isOfOurs(one, formula),
    };
  });
}
