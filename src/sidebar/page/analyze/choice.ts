// What is chosen on the Analyze page: kept over a new look at the sheet, and read back when kept.
import type {
  BulkChoice,
  BulkColumn,
  BulkLook,
  MarketChoice,
  RowChoice,
} from '../../bulk-contract';
import type { Ran } from './state';

/** Days after which an analysis is old, unless the person says otherwise. */
const USUAL_DAYS = 7;
const DAYS_MAX = 365;

/** What the page keeps while the sidebar is closed. */
export const CHOICE_DRAFT = 'analyze-choice';
export const SEEN_JOB = 'analyze-run';
export const RAN_DRAFT = 'analyze-ran';

/** `B “ASIN”`, or `column B` where it has no header. */
export const columnName = ({ letter, title }: BulkColumn): string =>
  title === '' ? `column ${letter}` : `${letter} “${title}”`;

const hasColumn = ({ columns }: BulkLook, column: number): boolean =>
  columns.some((one) => one.column === column);

/** The person's choice as far as the sheet still has what it names, else what was found. */
export function choiceFor(look: BulkLook, mine: BulkChoice | null): BulkChoice | null {
  if (mine === null || mine.sheetId !== look.sheet.id) return look.choice;
  if (!hasColumn(look, mine.productColumn)) return look.choice;
  const { market } = mine;
  const isMarketGone = market.kind === 'column' && !hasColumn(look, market.column);
  return {
    ...mine,
    headerRow: (look.choice ?? look.byHand)?.headerRow ?? mine.headerRow,
    market: isMarketGone ? (look.choice?.market ?? { kind: 'one', market: 'US' }) : market,
    fields: mine.fields.filter((name) => look.fields.some((field) => field.name === name)),
  };
}

/** What a number of days is taken as; what is no number changes nothing. */
export function daysFrom(text: string, before: number): number {
  const days = Math.round(Number(text));
  return text.trim() === '' || !Number.isFinite(days)
    ? before
    : Math.min(DAYS_MAX, Math.max(1, days));
}

/** Ticks a figure or takes its tick away; the order stays that of the list. */
export function withField(look: BulkLook, choice: BulkChoice, name: string): BulkChoice {
  const isChosen = choice.fields.includes(name);
  const fields = look.fields
    .map((field) => field.name)
    .filter((one) => (one === name ? !isChosen : choice.fields.includes(one)));
  return { ...choice, fields };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function marketFrom(kept: unknown): MarketChoice | null {
  if (!isObject(kept)) return null;
  const column: unknown = Reflect.get(kept, 'column');
  if (typeof column === 'number') return { kind: 'column', column };
  const market: unknown = Reflect.get(kept, 'market');
  return market === 'US' || market === 'UK' ? { kind: 'one', market } : null;
}

const ROW_KINDS = ['all', 'selection', 'visible', 'empty', 'failed'] as const;

function rowsFrom(kept: unknown): RowChoice | null {
  if (!isObject(kept)) return null;
  const days: unknown = Reflect.get(kept, 'days');
  if (typeof days === 'number') return { kind: 'older', days: daysFrom(String(days), USUAL_DAYS) };
  const kind = ROW_KINDS.find((one) => one === Reflect.get(kept, 'kind'));
  return kind === undefined ? null : { kind };
}

/** What was kept from an earlier time, of which nothing is certain. */
export function choiceFrom(kept: unknown): BulkChoice | null {
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
  return { sheetId, headerRow, productColumn, market, rows, fields };
}

export function ranFrom(kept: unknown): Ran | null {
  if (!isObject(kept)) return null;
  const jobId: unknown = Reflect.get(kept, 'jobId');
  const choice = choiceFrom(Reflect.get(kept, 'choice'));
  return typeof jobId !== 'string' || choice === null ? null : { jobId, choice };
}

/** The choice of rows when another kind of it is picked. */
export function rowsOf(kind: string): RowChoice {
  if (kind === 'older') return { kind, days: USUAL_DAYS };
  return rowsFrom({ kind }) ?? { kind: 'all' };
}

/** "into D:F and 2 new columns": where the chosen figures go. */
export function placeText(look: BulkLook, choice: BulkChoice): string {
  const chosen = look.fields.filter(({ name }) => choice.fields.includes(name));
  const there = chosen.flatMap(({ column }) => (column === null ? [] : [column]));
  const added = chosen.length - there.length;
  const newText = added === 0 ? [] : [added === 1 ? '1 new column' : `${added} new columns`];
  return `into ${[...lettersText(there), ...newText].join(' and ')}`;
}

/** Neighbours as a range, a crowd as a count. */
function lettersText(columns: readonly BulkColumn[]): readonly string[] {
  const sorted = [...columns].sort((a, b) => a.column - b.column);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (sorted.length > 1 && last.column - first.column === sorted.length - 1)
    return [`${first.letter}:${last.letter}`];
  if (sorted.length > 4) return [`${sorted.length} columns`];
  return [sorted.map(({ letter }) => letter).join(', ')];
}

/** "Profit, ROI, +3": which figures are written. */
export function fieldsText(look: BulkLook, choice: BulkChoice): string {
  const titles = look.fields
    .filter(({ name }) => choice.fields.includes(name))
    .map(({ title }) => title);
  const more = titles.length - 2;
  return more <= 1 ? titles.join(', ') : `${titles.slice(0, 2).join(', ')}, +${more}`;
}
