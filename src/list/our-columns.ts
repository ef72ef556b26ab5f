// Adds our columns beside a list, which look its figures up in the Analysis tab or decide on them, and
// fills their formulas in. In a list, nothing else is ever written, but for what is ordered.

import { type AnalysisTab, AT_ONCE, type Later } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, type SheetCell, stretches } from '../google/cells';
import type { Sheet, SheetSize } from '../google/sheet';
import { AUTOMATIC, WIDTH_AS_NEW } from '../product/cell-formats';
import { titleOf } from '../product/cell-text';
import { nameForm, PRODUCT_TITLE } from '../product/fields';
import { type Filled, type FormulaColumn, isOfOurs } from '../sheet/filled-formulas';
import { METADATA_KEY } from '../sheet/own-tab';
import { refusalOf } from '../sheet/refusal';
import { guardsIn, isAtItsProducts, isGuard } from './bound-titles';
import type { ListPlace, WantedColumns } from './choice';
import {
  deleteBlank,
  freeAtEnd,
  freeBeforeFigures,
  type ListOnSheet,
  refusedAtEnd,
} from './free-columns';
import {
  addMark,
  columnOf,
  groupsOf,
  isOnOurs,
  isSameColumn,
  listIds,
  listOf,
  type MarkedList,
  marksAmong,
  type Placed,
  type PlaceMark,
  placeOf,
  readMarks,
  removeMark,
} from './marked-list';
import {
  decisionsFor,
  freeTitle,
  headsOf,
  lookupsFor,
  type NewColumn,
  type NewHeads,
  plainTitle,
  renamed,
  titleOfOurs,
  type WantedFormula,
} from './new-columns';
import { clearColumns, fillOnce, followTab, TRIES_MAX } from './our-cells';
import { ANY_TAB, decisionsIn, ourColumns } from './row-formulas';

/**
 * Adds what is missing beside the list of what looks figures up, and fills the formulas of all our
 * columns in down to its last product.
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
  const made = addColumns(
    place,
    (view) => planFor(view, wanted),
    (list) => ourColumns(list, tab),
    { known: size, later },
  );
  if (isFailure(made)) return made;
  later(() => followTab(tab, made.list));
  return made.list;
}

/** Adds the columns of figures and of formulas that the list lacks, and fills all formulas in. */
export function ensureFormulas(
  tab: AnalysisTab,
  place: ListPlace,
  figures: readonly WantedColumns[],
  wanted: readonly WantedFormula[],
): Made | Failure {
  const made = addColumns(
    place,
    (view) => ({
      columns: [...figures.flatMap((one) => lookupsFor(view, one)), ...decisionsFor(view, wanted)],
      marks: [],
    }),
    (list) => ourColumns(list, tab, wanted),
    { isGuarded: true },
  );
  if (isFailure(made)) return made;
  followTab(tab, made.list);
  for (const placed of made.list.formulas) {
    const { mark, at } = placed;
    const now = wanted.find((one) => isSameColumn(one, mark));
    if (now === undefined || now.formula === mark.formula) continue;
    removeMark(place.sheet, placed);
    addMark(place.sheet, { ...mark, formula: now.formula }, at);
  }
  return made;
}

/** Binds the titles that decisions read as they are now, and fills in what is missing. */
export const guardTitles = (list: MarkedList): Made | Failure =>
  addColumns(
    list,
    () => ({ columns: [], marks: [] }),
    (bound) => decisionsIn(bound),
    {
      isGuarded: true,
    },
  );

/**
 * Removes formulas of ours, and our titles where nothing is left below them. Returns how many cells
 * people have typed into.
 *
 * @param columns left out: those that work something out.
 */
export function removeFormulas(list: MarkedList, columns = decisionsIn(list)): number | Failure {
  const { sheet, headerRow } = list;
  const theirs = clearColumns(list, columns);
  if (isFailure(theirs)) return theirs;
  let kept = 0;
  for (const [column, count] of theirs) {
    kept += count;
    if (count > 0) continue;
    const head = areaOf(headerRow, column);
    const refusal = refusalOf(sheet.write(head, [['']]), head);
    if (refusal !== null) return refusal;
    sheet.styleColumns(headerRow, column, [WIDTH_AS_NEW], null);
    sheet.showColumns(column, 1);
  }
  for (const { columns, label } of list.groups) {
    const helper = columns.get('helper');
    const title = plainTitle('helper') + (label && ` (${label})`);
    if (helper !== undefined && !theirs.has(helper))
      sheet.write(areaOf(headerRow, helper), [[title]]);
  }
  const view = viewOf(list);
  const others = view === null ? [] : renamed(view, false);
  for (const { area, texts } of others) sheet.write(area, [texts]);
  widen(sheet, others);
  return kept;
}

/** Deletes the columns before the list's figures that decisions have left blank, if all is where it was. */
export function closeGap({ sheet, id, groups, formulas }: MarkedList): void {
  const figuresIn = (of: MarkedList['groups']) =>
    of.flatMap(({ columns }) => [...columns.values()]);
  const now = figuresIn(groupsOf(readMarks(sheet) ?? [], id));
  if (`${now}` !== `${figuresIn(groups)}`) return;
  const last = Math.max(0, ...now);
  deleteBlank(
    sheet,
    formulas.map(({ at }) => at).filter((at) => at < last),
  );
}

/** Removes every column of ours beside a list. What its other columns are taken for stays noted. */
export function removeColumns(list: MarkedList): number | Failure {
  const { sheet, id } = list;
  const kept = removeFormulas(list, ourColumns(list, ANY_TAB));
  if (isFailure(kept)) return kept;
  for (const one of (readMarks(sheet) ?? []).filter(isOnOurs))
    if (one.mark.list === id) removeMark(sheet, one);
  return kept;
}

/** The titles that `ensureColumns` would add, or why it may not. For the preview. */
export function titlesToAdd(place: ListPlace, wanted: WantedColumns): readonly string[] | Failure {
  const view = viewOf(place);
  if (view === null) return runProblem('sheet-gone');
  const moved = movedSince(view);
  if (moved !== null) return moved;
  const missing = missingAmong(view, lookupsFor(view, wanted));
  const refused = missing.length === 0 ? null : refusedAtEnd(view, missing.length);
  if (refused !== null) return refused;
  return missing
    .filter(({ isHidden }) => !isHidden)
    .map((column) => freeTitle(column, view.titles));
}

/** What is to stand beside a list. */
interface Plan {
  /** The columns that it is to have, those that are there included. */
  readonly columns: readonly NewColumn[];
  /** Further marks that it lacks. */
  readonly marks: readonly NewMark[];
}

/** A list with its columns, and what was filled in. */
interface Made {
  readonly list: MarkedList;
  readonly filled: Filled;
}

/** Gives columns their widths, where their titles have changed. */
function widen(sheet: Sheet, heads: ReturnType<typeof renamed>): void {
  for (const { area, width } of heads) sheet.setWidths(area.column, [width]);
}

/** @param cellsIn what to fill in. */
function addColumns(
  place: ListPlace,
  plan: (view: View) => Plan,
  cellsIn: (list: MarkedList) => readonly FormulaColumn[],
  {
    known,
    later = AT_ONCE,
    isGuarded = false,
  }: {
    readonly known?: SheetSize | undefined;
    readonly later?: Later;
    /** Whether there are decisions, and the titles that they read are bound as they are by then. */
    readonly isGuarded?: boolean;
  } = {},
): Made | Failure {
  let size = known;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = viewOf(place, size);
    if (seen === null) return runProblem('sheet-gone');
    const moved = movedSince(seen);
    if (moved !== null) return moved;
    const isBare = seen.headerRow === 0;
    const planned = plan(seen);
    if (freeReplaced(seen, cellsIn)) continue;
    const view = isBare ? addHeader(seen) : addMarks(seen, planned);
    if (isFailure(view)) return view;
    // A row on top changes the size, and so may columns that moved. Other changes are filled in next time.
    size = isBare || view === null ? undefined : seen.size;
    const list = view && listOf(place.sheet, view.marks, view.id);
    if (view === null || list === null) continue;
    const heads = headsOf(view, planned.columns);
    // What has a title counts as finished, so a look that is given at once comes before it.
    later(() => giveLook(view, heads));
    const others = isGuarded ? renamed(view, true) : [];
    const titles = [...view.titleCells];
    const written = [...heads, ...others];
    for (const { area, texts } of written) titles.splice(area.column - 1, texts.length, ...texts);
    const guards = isGuarded ? guardsIn(list, titles) : [];
    const filled = fillOnce(list, cellsIn(list), {
      heads: written,
      guards,
      lastRow: view.size.lastRow,
    });
    if (filled === 'moved') continue;
    if (!isFailure(filled)) widen(list.sheet, others);
    return isFailure(filled) ? filled : { list, filled };
  }
  return runProblem('sheet-busy', 'the headers');
}

/**
 * Gives up the columns of ours that people have made theirs: with another title, and with their own
 * cells below it and none of our formulas.
 *
 * @returns whether there were any, so that marks have changed.
 */
function freeReplaced(
  { sheet, marks, id, titles, size }: View,
  cellsIn: (list: MarkedList) => readonly FormulaColumn[],
): boolean {
  const list = listOf(sheet, marks, id);
  if (list === null) return false;
  const rowCount = size.lastRow - list.headerRow;
  const suspects = marks.filter(isOnOurs).filter(({ mark, at }) => {
    const title = titles[at - 1] ?? '';
    const isOurs = nameForm(title).startsWith(nameForm(titleOfOurs(mark))) || isGuard(title);
    return mark.list === id && title !== '' && !isOurs;
  });
  if (suspects.length === 0 || rowCount <= 0) return false;
  const ours = new Map(cellsIn(list).map((one) => [one.column, one.formula]));
  const theirs = suspects.filter(({ at }) => {
    const formula = ours.get(at);
    if (formula === undefined) return false;
    const area = areaOf(list.headerRow + 1, at, rowCount);
    const formulas = (sheet.formulasR1C1(area) ?? []).map(([text = '']) => text);
    const isFilled = sheet.values(area)?.some(([cell = '']) => cell !== '') === true;
    return isFilled && !formulas.some((one) => isOfOurs(one, formula));
  });
  for (const one of theirs) removeMark(sheet, one);
  return theirs.length > 0;
}

/** The sheet as it is: its size, its marks and the titles above the list. */
interface View extends ListPlace, ListOnSheet {
  /** The list's id, also if it is not marked yet. */
  readonly id: string;
  /** The title row, from the first column on. */
  readonly titleCells: readonly SheetCell[];
}

/**
 * null: the sheet is gone.
 *
 * @param known the size as it was measured a moment ago.
 */
function viewOf(place: ListPlace, known?: SheetSize): View | null {
  const { sheet } = place;
  const noted = sheet.metadata(METADATA_KEY);
  const size = known ?? sheet.size();
  if (noted === null || size === null) return null;
  const marks = marksAmong(noted);
  const { productColumn, marketColumn } =
    (place.id === undefined ? null : listOf(sheet, marks, place.id)) ?? place;
  const id = idAt(sheet, marks, productColumn);
  const headerRow = placeOf(marks, id, 'header')?.at ?? place.headerRow;
  const marked = noted.flatMap(({ on, at }) => (on === 'column' ? [at] : []));
  const lastColumn = Math.max(1, size.lastColumn, ...marked);
  const area = areaOf(headerRow, 1, 1, lastColumn);
  const [titleCells = []] = (headerRow > 0 ? sheet.values(area) : []) ?? [];
  return {
    ...place,
    id,
    headerRow,
    productColumn,
    marketColumn,
    lastColumn,
    size,
    marks,
    titleCells,
    titles: titleCells.map(titleOf),
  };
}

/**
 * The list of these products. If its column of products was deleted, or has another title than when it
 * was bound, the columns beside it go to the new one.
 */
function idAt(sheet: Sheet, marks: readonly Placed[], productColumn: number): string {
  const products = marks.filter(({ mark }) => mark.role === 'product');
  const own = products.find(({ at }) => at === productColumn);
  if (own !== undefined) return own.mark.list;
  const ids = listIds(marks);
  const orphan = ids.find((id) => {
    const list = listOf(sheet, marks, id);
    return list === null || !isAtItsProducts(list);
  });
  if (orphan !== undefined) return orphan;
  return String(ids.reduce((highest, id) => Math.max(highest, Number(id)), 0) + 1);
}

/** Why the choice holds no longer: another column stands where its products or markets were. */
function movedSince({ titles, ...place }: View): Failure | null {
  const { productColumn, productTitle, marketColumn, marketTitle } = place;
  const chosen = [
    { column: productColumn, title: productTitle },
    { column: marketColumn ?? 0, title: marketTitle },
  ];
  const moved = chosen.find(
    ({ column, title }) => title !== undefined && (titles[column - 1] ?? '') !== title,
  );
  return moved === undefined ? null : runProblem('look-again', moved.title);
}

/** A list without a header gets a row for our titles on top. */
function addHeader({ sheet, marks, id, size, productColumn }: View): Failure | null {
  const area = areaOf(1, 1, 1, size.maxColumns);
  const refusal =
    refusalOf(sheet.addRowOnTop(), area) ??
    refusalOf(addMark(sheet, { list: id, role: 'header' }, 1), area) ??
    refusalOf(sheet.write(areaOf(1, productColumn), [[PRODUCT_TITLE]]), areaOf(1, productColumn));
  if (refusal !== null || placeOf(marks, id, 'product') !== undefined) return refusal;
  return refusalOf(addMark(sheet, { list: id, role: 'product' }, productColumn), area);
}

interface NewMark {
  readonly mark: PlaceMark;
  /** Where it belongs. */
  readonly at: number;
}

/**
 * The list with marks on it and on free columns for what is missing beside it; null: columns moved
 * meanwhile. If others were marked, they are no longer.
 */
function addMarks(view: View, plan: Plan): View | Failure | null {
  const { sheet, headerRow } = view;
  const columns = missingAmong(view, plan.columns);
  const places = placesFor(view, columns);
  if (places === null || isFailure(places)) return places;
  const placeAt = (number: number) => places[number] ?? 0;
  const added = [
    ...plan.marks,
    ...columns.map(({ mark }, number) => ({ mark, at: placeAt(number) })),
  ];
  if (added.length === 0) return view;
  for (const { mark } of plan.marks) {
    const before = placeOf(view.marks, view.id, mark.role);
    if (before !== undefined) removeMark(sheet, before);
  }
  for (const { mark, at } of added) {
    const refusal = refusalOf(addMark(sheet, mark, at), areaOf(headerRow, at));
    if (refusal !== null) return refusal;
  }
  const now = viewOf(view, view.size);
  if (now === null) return runProblem('sheet-gone');
  const placed = added.map(({ mark }) =>
    now.marks.find(({ noted }) => noted.value === JSON.stringify(mark)),
  );
  const isFree = (_: NewColumn, number: number) => (now.titles[placeAt(number) - 1] ?? '') === '';
  const isStill =
    view.titles.every((title, column) => title === now.titles[column]) &&
    columns.every(isFree) &&
    added.every(({ at }, number) => placed[number]?.at === at);
  if (isStill) return now;
  for (const one of placed) if (one !== undefined) removeMark(sheet, one);
  return null;
}

/** Where each of these columns goes; null: columns were inserted, and the others have moved. */
function placesFor(view: View, columns: readonly NewColumn[]): readonly number[] | Failure | null {
  const isInFront = ({ mark, isHidden }: NewColumn) => 'formula' in mark && !isHidden;
  const count = columns.filter(isInFront).length;
  const front = count === 0 ? null : freeBeforeFigures(view, count);
  if (front === 'moved') return null;
  const others = columns.length - (front === null ? 0 : count);
  const end = others === 0 ? 0 : freeAtEnd(view, others);
  if (isFailure(end)) return end;
  let inFront = front ?? 0;
  let atEnd = end;
  return columns.map((one) => {
    if (front !== null && isInFront(one)) return inFront++;
    return atEnd++;
  });
}

/** What a list is to have for what is wanted. Its markets may stand in another column by now. */
function planFor(view: View, wanted: WantedColumns): Plan {
  const { marks, id: list, headerRow, productColumn, marketColumn } = view;
  const { market, defaultMarket } = wanted;
  /** What is bound stays as it was seen then, while it stands there. */
  const boundAt = (role: 'product' | 'market', at: number): PlaceMark => {
    const before = placeOf(marks, list, role);
    const title = before?.at === at ? before.mark.title : undefined;
    return { ...before?.mark, list, role, title: title ?? view.titles[at - 1] ?? '' };
  };
  const marked: NewMark[] = [
    { mark: { list, role: 'header' }, at: headerRow },
    {
      mark: {
        ...boundAt('product', productColumn),
        ...(market === 'column' && { defaultMarket }),
      },
      at: productColumn,
    },
  ];
  if (market === 'column' && marketColumn !== null)
    marked.push({ mark: boundAt('market', marketColumn), at: marketColumn });
  const isThere = ({ mark, at }: NewMark) =>
    marks.some((one) => one.at === at && one.noted.value === JSON.stringify(mark));
  return { columns: lookupsFor(view, wanted), marks: marked.filter((one) => !isThere(one)) };
}

const missingAmong = ({ marks }: View, columns: readonly NewColumn[]): readonly NewColumn[] =>
  columns.filter(({ mark }) => columnOf(marks, mark) === undefined);

/** Formats, the look of titles, widths, and what is hidden. */
function giveLook(
  { sheet, headerRow, marks, size, productColumn }: View,
  heads: readonly NewHeads[],
): void {
  // Columns that moved since then keep the look that they have.
  const isStill = () => JSON.stringify(readMarks(sheet)) === JSON.stringify(marks);
  if (heads.length === 0 || !isStill()) return;
  for (const { area, columns } of heads) {
    const hidden = [...columns.keys()].filter((right) => columns[right]?.isHidden);
    for (const stretch of stretches(hidden, (right) => right))
      sheet.hideColumns(area.column + stretch[0], stretch.length);
    const widths = columns.map(({ width }) => width);
    sheet.styleColumns(headerRow, area.column, widths, productColumn);
  }
  // Last, since Google carries out what it has put off before it hides columns or copies formats.
  const rowCount = Math.max(1, size.maxRows - headerRow);
  for (const { area, columns } of heads) {
    const formats = columns.map(({ format }) => format);
    const below = { ...area, row: headerRow + 1, rowCount };
    sheet.setFormats(below, Array<readonly string[]>(rowCount).fill(formats));
    // Beside a centered column a new one is centered, too.
    const texts = [...columns.keys()].filter((right) => formats[right] === AUTOMATIC);
    for (const stretch of stretches(texts, (right) => right))
      sheet.alignLeft({ ...below, column: area.column + stretch[0], columnCount: stretch.length });
  }
}
