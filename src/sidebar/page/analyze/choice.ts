// The choice of a list on the Analyze page: its initial value, what the sheet still has of it, and
// reading a stored one.

import { hasCosts, otherColumnsOf } from '../../../deal/decision-plan';
import { visibleText } from '../../../product/cell-text';
import { isMarket } from '../../../product/market';
import type { Choice, RowSelection } from '../../../runs/run';
import type { BulkColumn, BulkField, BulkInspection } from '../../api/runs';
import { isObject } from '../ui/page';

/** The age in days at which an analysis counts as old, unless the person enters another. */
const USUAL_DAYS = 7;
const DAYS_MAX = 365;

const hasColumn = ({ columns }: BulkInspection, column: number): boolean =>
  columns.some((one) => one.column === column);

/** Columns that may hold the market, and the chosen one. */
export function marketColumns(look: BulkInspection, choice: Choice): readonly BulkColumn[] {
  const { productColumn, market } = choice;
  const chosen = market.kind === 'column' ? market.column : null;
  const figures = look.fields.flatMap(({ column }) => column ?? []);
  const others = otherColumnsOf({ columns: look.columns, figures, beside: [] });
  return look.columns.filter(
    (one) => one.column === chosen || (others.includes(one) && one.column !== productColumn),
  );
}

/**
 * The initial choice. A list with costs is meant for decisions, which need the sell price, so the
 * sell price is selected for the first run unless the person deselects it.
 */
function foundChoice(look: BulkInspection): Choice | null {
  const { choice, columns, fields } = look;
  const isFirst = fields.every(({ column }) => column === null);
  if (choice === null || !isFirst || choice.fields.includes('sell_price')) return choice;
  const isPriced = hasCosts({ columns, figures: [], beside: [] });
  return isPriced ? withField(look, choice, 'sell_price') : choice;
}

/** The person's choice as far as the sheet still has its columns, else the one that was found. */
export function choiceFor(look: BulkInspection, mine: Choice | null): Choice | null {
  if (mine === null || mine.sheetId !== look.sheet.id) return foundChoice(look);
  if (!hasColumn(look, mine.productColumn)) return foundChoice(look);
  const { market } = mine;
  const isMarketGone = market.kind === 'column' && !hasColumn(look, market.column);
  return {
    ...mine,
    headerRow: (look.choice ?? look.byHand)?.headerRow ?? mine.headerRow,
    market: isMarketGone ? (look.choice?.market ?? { kind: 'one', market: 'US' }) : market,
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
export function withField(look: BulkInspection, choice: Choice, name: BulkField['name']): Choice {
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

/** Where the chosen figures will be written. */
export function placeOfFields(look: BulkInspection, choice: Choice) {
  const chosen = look.fields.filter(({ name }) => choice.fields.includes(name));
  const there = chosen.flatMap(({ column }) => (column === null ? [] : [column]));
  return { there, added: chosen.length - there.length };
}

/** The titles of the figures that will be written. */
export const titlesOfFields = ({ fields }: BulkInspection, choice: Choice): readonly string[] =>
  fields.filter(({ name }) => choice.fields.includes(name)).map(({ title }) => title);
