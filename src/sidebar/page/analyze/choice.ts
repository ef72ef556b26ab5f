// The choice of a list on the Analyze page: its initial value, what the sheet still has of it, and
// reading a stored one.

import { hasCosts } from '../../../list/cost-columns';
import { visibleText } from '../../../product/cell-text';
import { isMarket } from '../../../product/market';
import type { Choice, ListColumn, ListInView } from '../../api/jobs';
import { isObject } from '../ui/page';

type RowSelection = Choice['rows'];
type Field = ListInView['fields'][number];

/** The age in days at which an analysis counts as old, unless the person enters another. */
const USUAL_DAYS = 7;
const DAYS_MAX = 365;

const hasColumn = ({ columns }: ListInView, column: number): boolean =>
  columns.some((one) => one.column === column);

/** Titles of columns that say where a product is sold. */
const MARKET_TITLE = /market|country|region|site|amazon|locale/i;

/** Columns whose title names markets, those that were found to hold them, and the chosen one. */
export function marketColumns(look: ListInView, choice: Choice): readonly ListColumn[] {
  const columns = [choice, look.choice ?? look.byHand].map((one) =>
    one?.market.kind === 'column' ? one.market.column : null,
  );
  return look.columns.filter(
    ({ column, title }) =>
      columns.includes(column) || (column !== choice.productColumn && MARKET_TITLE.test(title)),
  );
}

/** A paste leaves its cells selected, and nobody means them by that: all of a list is no selection. */
function withoutPaste(look: ListInView, choice: Choice): Choice {
  const isPaste = choice.rows.kind === 'selection' && look.selectedRows >= look.listRows;
  return isPaste ? { ...choice, rows: { kind: 'all' } } : choice;
}

/**
 * The initial choice. A list with costs is meant for decisions, which need the sell price, so the
 * sell price is selected for the first run unless the person deselects it.
 */
function foundChoice(look: ListInView): Choice | null {
  if (look.choice === null) return null;
  const choice = withoutPaste(look, look.choice);
  const { columns, fields } = look;
  const isFirst = fields.every(({ column }) => column === null);
  if (!isFirst || choice.fields.includes('sell_price')) return choice;
  const isPriced = hasCosts({ columns });
  return isPriced ? withField(look, choice, 'sell_price') : choice;
}

/** The choice with this column of products, and the title that it has now. */
export function withProducts(
  { columns }: ListInView,
  { productTitle: _, ...choice }: Omit<Choice, 'productColumn'>,
  productColumn: number,
): Choice {
  const title = columns.find(({ column }) => column === productColumn)?.title;
  return { ...choice, productColumn, ...(title && { productTitle: title }) };
}

/** Markets by a column, with the title that it has now. */
export function marketsIn({ columns }: ListInView, column: number): Choice['market'] {
  const title = columns.find((one) => one.column === column)?.title;
  return { kind: 'column', column, ...(title && { title }) };
}

/** The person's choice as far as the sheet still has its columns, else the one that was found. */
export function choiceFor(look: ListInView, mine: Choice | null): Choice | null {
  if (mine === null || mine.sheetId !== look.sheet.id) return foundChoice(look);
  if (!hasColumn(look, mine.productColumn)) return foundChoice(look);
  const { market } = mine;
  const isMarketGone = market.kind === 'column' && !hasColumn(look, market.column);
  const marketNow = market.kind === 'column' ? marketsIn(look, market.column) : market;
  return {
    ...withProducts(look, mine, mine.productColumn),
    headerRow: (look.choice ?? look.byHand)?.headerRow ?? mine.headerRow,
    market: isMarketGone ? (look.choice?.market ?? { kind: 'one', market: 'US' }) : marketNow,
    fields: mine.fields.filter((name) => look.fields.some((field) => field.name === name)),
  };
}

/** The number of days that a text means; a text that is no number changes nothing. */
export function daysFrom(text: string, before: number): number {
  const typed = visibleText(text);
  const days = Math.round(Number(typed));
  return typed === '' || !Number.isFinite(days) ? before : Math.min(DAYS_MAX, Math.max(1, days));
}

/** Selects or deselects a figure; the figures keep the order of the list. */
export function withField(look: ListInView, choice: Choice, name: Field['name']): Choice {
  const isChosen = choice.fields.includes(name);
  const fields = look.fields
    .map((field) => field.name)
    .filter((one) => (one === name ? !isChosen : choice.fields.includes(one)));
  return { ...choice, fields };
}

function marketFrom(kept: unknown): Choice['market'] | null {
  if (!isObject(kept)) return null;
  const column: unknown = Reflect.get(kept, 'column');
  if (typeof column === 'number') return { kind: 'column', column };
  const market: unknown = Reflect.get(kept, 'market');
  return isMarket(market) ? { kind: 'one', market } : null;
}

const ROW_KINDS = ['all', 'selection', 'visible', 'empty', 'failed'] as const;

function rowsFrom(kept: unknown): RowSelection | null {
  if (!isObject(kept)) return null;
  const days: unknown = Reflect.get(kept, 'days');
  if (typeof days === 'number') return { kind: 'older', days: daysFrom(String(days), USUAL_DAYS) };
  const kind = ROW_KINDS.find((one) => one === Reflect.get(kept, 'kind'));
  return kind === undefined ? null : { kind };
}

/** Reads a stored choice, which may be anything. */
export function choiceFrom(kept: unknown): Choice | null {
  if (!isObject(kept)) return null;
  const [sheetId, headerRow, productColumn, fields] = [
    'sheetId',
    'headerRow',
    'productColumn',
    'fields',
  ].map((name): unknown => Reflect.get(kept, name));
  const market = marketFrom(Reflect.get(kept, 'market'));
  const rows = rowsFrom(Reflect.get(kept, 'rows'));
  if (typeof sheetId !== 'number' || typeof headerRow !== 'number') return null;
  if (typeof productColumn !== 'number' || market === null || rows === null) return null;
  if (!Array.isArray(fields) || !fields.every((one) => typeof one === 'string')) return null;
  // Names that are no longer figures are dropped once the sheet has been inspected.
  return { sheetId, headerRow, productColumn, market, rows, fields: fields as Choice['fields'] };
}

/** The selection of rows after another kind of it was picked. */
export function rowsOf(kind: string): RowSelection {
  if (kind === 'older') return { kind, days: USUAL_DAYS };
  return rowsFrom({ kind }) ?? { kind: 'all' };
}

/** The titles of the figures that will be shown. */
export const titlesOfFields = ({ fields }: ListInView, choice: Choice): readonly string[] =>
  fields.filter(({ name }) => choice.fields.includes(name)).map(({ title }) => title);
