// Adds the columns beside a list that look its figures up in the Analysis tab, and fills their
// formulas in. In a list, nothing else is ever written.

import { type TabColumn, tabTitle } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { AT_ONCE, METADATA_KEY } from '../analysis/tab-layout';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { addressOf, areaOf, stretches } from '../google/cells';
import type { Metadata, Sheet, SheetSize } from '../google/sheet';
import { sheetById } from '../google/spreadsheet';
import {
  AUTOMATIC,
  COUNT,
  figureFormat,
  LETTER_WIDTH,
  MOMENT,
  MOMENT_WIDTH,
  MONEY,
  moneyIn,
  WIDTH_AS_NEW,
} from '../product/cell-formats';
import { seenText } from '../product/cell-text';
import { isField, nameForm, PRODUCT_TITLE, STATUS_TITLE } from '../product/fields';
import type { Market } from '../product/market';
import { titleOf } from './find-columns';
import { fillUnder, type Heads, refusalOf, TRIES_MAX } from './lookup-cells';
import {
  addMark,
  columnMarksOf,
  type GroupMarket,
  groupsOf,
  type LookupGroup,
  type LookupRole,
  listIds,
  listOf,
  type Mark,
  type MarkedList,
  marksAmong,
  type Placed,
  placeOf,
  readMarks,
  removeMark,
} from './marked-list';

/** Where a list is, as a person chose it. */
export interface ListPlace {
  readonly sheetId: number;
  /** 0: there is no header, and the first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  /** The title above the products when they were chosen; left out: there was none. */
  readonly productTitle?: string | undefined;
  readonly marketColumn: number | null;
  /** The same of the markets. */
  readonly marketTitle?: string | undefined;
}

export interface WantedColumns {
  readonly market: GroupMarket;
  /** The market of rows that name none. */
  readonly defaultMarket: Market;
  /** Columns of the tab to show, besides the status and `analyzed_at`, from left to right. */
  readonly columns: readonly TabColumn[];
  /** Whether ROI is shown as a percentage. */
  readonly roiIsFraction: boolean;
}

/** From left to right. The helper stands last, where it parts nothing when it is hidden. */
function rolesOf({ columns }: WantedColumns): readonly LookupRole[] {
  return [...new Set<LookupRole>([...columns, 'status', 'analyzed_at', 'helper'])];
}

/** Titles of columns that the tab calls otherwise. */
const TITLES: Partial<Readonly<Record<LookupRole, string>>> = {
  helper: 'Analysis row',
  status: STATUS_TITLE,
  changed: 'What changed',
  asin: 'ASIN (clean)',
};

const WIDTHS: Partial<Readonly<Record<LookupRole, number>>> = {
  changed: 240,
  status: 120,
  analyzed_at: MOMENT_WIDTH,
};

const plainTitle = (role: LookupRole): string =>
  TITLES[role] ?? (role === 'helper' ? '' : tabTitle(role));

const widthOf = (role: LookupRole): number =>
  WIDTHS[role] ?? Math.max(WIDTH_AS_NEW, LETTER_WIDTH * plainTitle(role).length);

function formatOf(role: LookupRole, { market, roiIsFraction }: WantedColumns): string {
  if (role === 'helper') return COUNT;
  if (['analyzed_at', 'tried_at', 'wanted_since'].includes(role)) return MOMENT;
  // A column of plain text would show our formulas instead of working them out.
  if (!isField(role)) return AUTOMATIC;
  return figureFormat(role, market === 'column' ? MONEY : moneyIn(market), roiIsFraction);
}

/** The sheet as it is: its size, its marks and the titles above the list. */
export interface View {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  /** All metadata of ours, of which the marks are those of lists. */
  readonly noted: readonly Metadata[];
  readonly marks: readonly Placed[];
  readonly headerRow: number;
  /** Titles by column, from the first column on. */
  readonly titles: readonly string[];
  /** The list's id, also if it is not marked yet. */
  readonly id: string;
}

/**
 * null: the sheet is gone.
 *
 * @param known the size as it was measured a moment ago.
 */
export function viewOf(sheet: Sheet, place: ListPlace, known?: SheetSize): View | null {
  const noted = sheet.metadata(METADATA_KEY);
  const size = known ?? sheet.size();
  if (noted === null || size === null) return null;
  const marks = marksAmong(noted);
  const id = idAt(marks, place.productColumn);
  const headerRow = placeOf(marks, id, 'header')?.at ?? place.headerRow;
  const columnCount = Math.max(1, size.lastColumn, ...columnsIn(marks));
  const area = areaOf(headerRow, 1, 1, columnCount);
  const [titles = []] = (headerRow > 0 ? sheet.values(area) : []) ?? [];
  return { sheet, size, noted, marks, headerRow, id, titles: titles.map(seenText) };
}

/** The columns that are marked. */
const columnsIn = (marks: readonly Placed[]): readonly number[] =>
  marks.filter(({ noted }) => noted.on === 'column').map(({ at }) => at);

/**
 * The list of these products. If its column of products was deleted, the columns beside it go to
 * the new one.
 */
function idAt(marks: readonly Placed[], productColumn: number): string {
  const products = marks.filter(({ mark }) => mark.role === 'product');
  const own = products.find(({ at }) => at === productColumn);
  if (own !== undefined) return own.mark.list;
  const ids = listIds(marks);
  const orphan = ids.find((id) => placeOf(marks, id, 'product') === undefined);
  if (orphan !== undefined) return orphan;
  return String(ids.reduce((highest, id) => Math.max(highest, Number(id)), 0) + 1);
}

const groupFor = ({ marks, id }: View, market: GroupMarket): LookupGroup | undefined =>
  groupsOf(marks, id).find((one) => one.market === market);

const missingRoles = (view: View, wanted: WantedColumns): readonly LookupRole[] => {
  const there = groupFor(view, wanted.market)?.columns;
  return rolesOf(wanted).filter((role) => !there?.has(role));
};

/** What stands in brackets behind the titles of a group: what tells it from those before it. */
function labelOf(view: View, place: ListPlace, { market }: WantedColumns): string {
  const there = groupFor(view, market);
  if (there !== undefined) return there.label;
  const { marks, id, titles } = view;
  const titleAt = (column: number | null, otherwise: string) =>
    titles[(column ?? 0) - 1] || otherwise;
  const isBesideLists = listIds(marks).some(
    (one) => one !== id && columnMarksOf(marks, one).length,
  );
  const isBesideGroups = columnMarksOf(marks, id).length > 0;
  const marketTitle = market === 'column' ? titleAt(place.marketColumn, 'Market') : market;
  return [
    ...(isBesideLists ? [titleAt(place.productColumn, PRODUCT_TITLE)] : []),
    ...(isBesideGroups ? [marketTitle] : []),
  ].join(', ');
}

/**
 * A title that no other column has. A person's column of the same title stays theirs.
 *
 * @param word tells ours from it.
 */
export function freeTitle(
  plain: string,
  label: string,
  titles: readonly string[],
  word: string,
): string {
  const taken = new Set(titles.map(nameForm));
  for (let number = 0; ; number += 1) {
    const own = number === 0 ? '' : number === 1 ? word : `${word} ${number}`;
    const behind = [label, own].filter((part) => part !== '').join(', ');
    const title = plain + (behind === '' ? '' : ` (${behind})`);
    if (!taken.has(nameForm(title))) return title;
  }
}

const lookupTitle = (role: LookupRole, label: string, titles: readonly string[]): string =>
  freeTitle(plainTitle(role), label, titles, 'analyzed');

/** The titles that `ensureColumns` would add. For the preview. */
export function titlesToAdd(
  sheet: Sheet,
  place: ListPlace,
  wanted: WantedColumns,
): readonly string[] | Failure {
  const view = viewOf(sheet, place);
  if (view === null) return runProblem('sheet-gone');
  const moved = movedSince(view, place);
  if (moved !== null) return moved;
  const label = labelOf(view, place, wanted);
  return missingRoles(view, wanted)
    .filter((role) => role !== 'helper')
    .map((role) => lookupTitle(role, label, view.titles));
}

/**
 * Adds what is missing beside the list and fills its formulas in down to its last product.
 *
 * @param size of the sheet, if it was measured a moment ago.
 * @param later takes what only looks good, and the look whether the tab has changed meanwhile.
 */
export function ensureColumns(
  tab: AnalysisTab,
  place: ListPlace,
  wanted: WantedColumns,
  size?: SheetSize,
  later = AT_ONCE,
): MarkedList | Failure {
  const sheet = sheetById(place.sheetId);
  let known = size;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = sheet && viewOf(sheet, place, known);
    if (sheet === null || seen === null) return runProblem('sheet-gone');
    const moved = movedSince(seen, place);
    if (moved !== null) return moved;
    const isBare = seen.headerRow === 0;
    const view = isBare ? addHeader(seen, place) : markedView(seen, place, wanted);
    if (isFailure(view)) return view;
    // A row on top changes the size; what else people change meanwhile is filled in next time.
    known = isBare ? undefined : seen.size;
    const list = view && listOf(sheet, view.marks, view.id);
    if (view === null || list === null) continue;
    const heads = headsOf(view, wanted);
    const filled = fillUnder(heads, tab, list, view.size.lastRow, later);
    if (isFailure(filled)) return filled;
    if (filled === 'moved') continue;
    later(() => giveLook(view, place, wanted, heads));
    return list;
  }
  return runProblem('sheet-busy', 'the headers');
}

/** Why the choice holds no longer: another column stands where its products or markets were. */
function movedSince(
  { titles }: View,
  { productColumn, productTitle, marketColumn, marketTitle }: ListPlace,
): Failure | null {
  const chosen = [
    { column: productColumn, title: productTitle },
    { column: marketColumn ?? 0, title: marketTitle },
  ];
  const moved = chosen.find(
    ({ column, title }) => title !== undefined && titleOf(titles[column - 1]) !== title,
  );
  return moved === undefined ? null : runProblem('look-again', moved.title);
}

/** A list without a header gets a row for our titles on top. */
function addHeader({ sheet, marks, id, size }: View, { productColumn }: ListPlace): Failure | null {
  const area = areaOf(1, 1, 1, size.maxColumns);
  const refusal =
    refusalOf(sheet.addRowOnTop(), area) ??
    refusalOf(addMark(sheet, { list: id, role: 'header' }, 1), area) ??
    refusalOf(sheet.write(areaOf(1, productColumn), [[PRODUCT_TITLE]]), areaOf(1, productColumn));
  if (refusal !== null || placeOf(marks, id, 'product') !== undefined) return refusal;
  return refusalOf(addMark(sheet, { list: id, role: 'product' }, productColumn), area);
}

/**
 * The list with marks on it and on free columns for what is missing beside it; null: columns moved
 * in that instant, so that others were marked, which are no longer.
 */
function markedView(view: View, place: ListPlace, wanted: WantedColumns): View | Failure | null {
  const { sheet, marks, headerRow } = view;
  const missing = missingMarks(view, place, wanted);
  if (isFailure(missing) || missing.length === 0) return isFailure(missing) ? missing : view;
  const market = placeOf(marks, view.id, 'market');
  const obsolete = isOtherMarket(view, place) && market !== undefined ? [market] : [];
  for (const one of [...obsolete, ...otherDefaults(view, wanted)]) removeMark(sheet, one);
  for (const [mark, at] of missing) {
    const refusal = refusalOf(addMark(sheet, mark, at), areaOf(headerRow, at));
    if (refusal !== null) return refusal;
  }
  const now = viewOf(sheet, place, view.size);
  if (now === null) return runProblem('sheet-gone');
  const added = missing.map(([mark, at]) => ({
    at,
    placed: now.marks.find(({ noted }) => noted.value === JSON.stringify(mark)),
  }));
  const isStill =
    view.titles.every((title, column) => title === now.titles[column]) &&
    added.every(({ at, placed }) => placed?.at === at);
  if (isStill) return now;
  for (const { placed } of added) if (placed !== undefined) removeMark(sheet, placed);
  return null;
}

/** Whether the markets of the list stand in another column than the marked one. */
const isOtherMarket = ({ marks, id }: View, { marketColumn }: ListPlace): boolean =>
  marketColumn !== null && placeOf(marks, id, 'market')?.at !== marketColumn;

/** The marks that a list lacks, and where they belong. */
function missingMarks(
  view: View,
  place: ListPlace,
  wanted: WantedColumns,
): readonly (readonly [Mark, number])[] | Failure {
  const { marks, id, headerRow } = view;
  const roles = missingRoles(view, wanted);
  const first = roles.length === 0 ? 0 : freeColumn(view, roles.length);
  if (isFailure(first)) return first;
  const chosen = [
    ['header', headerRow],
    ['product', place.productColumn],
  ] as const;
  const market = isOtherMarket(view, place) ? place.marketColumn : null;
  const column = { ...rowMarketOf(wanted), list: id, label: labelOf(view, place, wanted) };
  return [
    ...chosen
      .filter(([role]) => placeOf(marks, id, role) === undefined)
      .map(([role, at]) => [{ list: id, role }, at] as const),
    ...(market === null ? [] : [[{ list: id, role: 'market' }, market] as const]),
    ...otherDefaults(view, wanted).map(
      ({ mark, at }) => [{ ...mark, ...rowMarketOf(wanted) }, at] as const,
    ),
    ...roles.map((role, at) => [{ ...column, role }, first + at] as const),
  ];
}

/** The default market matters only to rows that name their own. */
const rowMarketOf = ({ market, defaultMarket }: WantedColumns) => ({
  market,
  defaultMarket: market === 'column' ? defaultMarket : market,
});

/** Columns of the group whose mark names another default market. */
const otherDefaults = ({ marks, id }: View, wanted: WantedColumns) =>
  columnMarksOf(marks, id).filter(
    ({ mark }) =>
      mark.market === wanted.market && mark.defaultMarket !== rowMarketOf(wanted).defaultMarket,
  );

/** The first of so many free columns at the right end, where this person may write. */
export function freeColumn(
  { sheet, size, headerRow, noted }: Pick<View, 'sheet' | 'size' | 'headerRow' | 'noted'>,
  count: number,
): number | Failure {
  // Columns of lookups and of decisions are marked before they have a title.
  const marked = noted.flatMap(({ on, at }) => (on === 'column' ? [at] : []));
  let first = Math.max(size.lastColumn, ...marked) + 1;
  const rowCount = Math.max(1, size.lastRow - headerRow + 1);
  // A merged cell shows its content in its first column and reaches into others.
  const right = size.maxColumns - first + 1;
  const merges = right > 0 ? (sheet.merges(areaOf(headerRow, first, rowCount, right)) ?? []) : [];
  for (const { column, columnCount } of merges) first = Math.max(first, column + columnCount);
  const lacking = first + count - 1 - size.maxColumns;
  const head = areaOf(headerRow, first, 1, count);
  const grown = lacking > 0 ? sheet.addColumns(size.maxColumns, lacking) : 'written';
  const refusal = refusalOf(grown, head);
  if (refusal !== null) return refusal;
  const below = areaOf(headerRow, first, rowCount, count);
  if (sheet.canEdit(below)) return first;
  const blocked = sheet.canEdit(head) ? below : head;
  return fail({ kind: 'protected', cells: addressOf(blocked) });
}

/** Columns of ours that have no title yet, in groups of neighbours. */
interface NewColumns extends Heads {
  readonly stretches: readonly (readonly [OwnColumn, ...OwnColumn[]])[];
}

/** The titles of columns of ours that have none. */
function headsOf(view: View, wanted: WantedColumns): NewColumns {
  const { sheet, titles, headerRow } = view;
  const group = groupFor(view, wanted.market);
  const bare = [...(group?.columns ?? [])]
    .map(([role, column]) => ({ role, column }))
    .filter(({ column }) => (titles[column - 1] ?? '') === '')
    .sort((a, b) => a.column - b.column);
  const groups = stretches(bare, ({ column }) => column);
  const taken = [...titles];
  const heads = groups.map((stretch) => {
    const texts = stretch.map(({ role }) => lookupTitle(role, group?.label ?? '', taken));
    taken.push(...texts);
    return { texts, area: areaOf(headerRow, stretch[0].column, 1, stretch.length) };
  });
  return {
    areas: heads.map(({ area }) => area),
    stretches: groups,
    write() {
      for (const { texts, area } of heads) {
        const refusal = refusalOf(sheet.write(area, [texts]), area);
        if (refusal !== null) return refusal;
      }
      return null;
    },
  };
}

/** A column of ours in the sheet. */
interface OwnColumn {
  readonly role: LookupRole;
  readonly column: number;
}

/** Formats, the look of titles, widths, and the helper hidden. */
function giveLook(
  { sheet, headerRow, marks, size }: View,
  { productColumn }: ListPlace,
  wanted: WantedColumns,
  { stretches: made }: NewColumns,
): void {
  // Columns that moved since then keep the look that they have.
  if (made.length === 0 || !isDeepSame(readMarks(sheet), marks)) return;
  const rowCount = Math.max(1, size.maxRows - headerRow);
  for (const stretch of made) {
    const first = stretch[0].column;
    const formats = stretch.map(({ role }) => formatOf(role, wanted));
    const below = areaOf(headerRow + 1, first, rowCount, stretch.length);
    sheet.setFormats(below, Array<readonly string[]>(rowCount).fill(formats));
    const helper = stretch.find(({ role }) => role === 'helper');
    if (helper !== undefined) sheet.hideColumns(helper.column, 1);
    const widths = stretch.map(({ role }) => widthOf(role));
    sheet.styleColumns(headerRow, first, widths, productColumn);
  }
}

const isDeepSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
