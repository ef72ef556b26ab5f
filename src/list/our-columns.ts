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
import type { ListLocation, WantedColumns } from './choice';
import {
  deleteBlank,
  freeAtEnd,
  freeBeforeFigures,
  type ListOnSheet,
  refusedAtEnd,
} from './free-columns';
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
import {
  addTag,
  blocksOf,
  columnOf,
  type FoundTag,
  isOurTag,
  isSameColumn,
  type ListTag,
  listIds,
  listOf,
  listTagOf,
  readTags,
  removeTag,
  type TaggedList,
  tagsAmong,
} from './tagged-list';

/**
 * Adds what is missing beside the list of what looks figures up, and fills the formulas of all our
 * columns in down to its last product.
 *
 * @param size of the sheet, if it was measured a moment ago.
 * @param later takes styles, and the reading whether the tab has changed meanwhile.
 */
export function ensureColumns(
  tab: AnalysisTab,
  location: ListLocation,
  wanted: WantedColumns,
  size?: SheetSize,
  later = AT_ONCE,
): TaggedList | Failure {
  const made = addColumns(
    location,
    (snapshot) => planFor(snapshot, wanted),
    (list) => ourColumns(list, tab),
    { measured: size, later },
  );
  if (isFailure(made)) return made;
  later(() => followTab(tab, made.list));
  return made.list;
}

/** Adds the columns of figures and of formulas that the list lacks, and fills all formulas in. */
export function ensureFormulas(
  tab: AnalysisTab,
  location: ListLocation,
  figures: readonly WantedColumns[],
  wanted: readonly WantedFormula[],
): MadeColumns | Failure {
  const made = addColumns(
    location,
    (snapshot) => ({
      columns: [
        ...figures.flatMap((columns) => lookupsFor(snapshot, columns)),
        ...decisionsFor(snapshot, wanted),
      ],
      tags: [],
    }),
    (list) => ourColumns(list, tab, wanted),
    { isGuarded: true },
  );
  if (isFailure(made)) return made;
  followTab(tab, made.list);
  for (const found of made.list.formulas) {
    const { tag, at } = found;
    const now = wanted.find((formula) => isSameColumn(formula, tag));
    if (now === undefined || now.formula === tag.formula) continue;
    removeTag(location.sheet, found);
    addTag(location.sheet, { ...tag, formula: now.formula }, at);
  }
  return made;
}

/** Binds the titles that decisions read as they are now, and fills in what is missing. */
export const guardTitles = (list: TaggedList): MadeColumns | Failure =>
  addColumns(
    list,
    () => ({ columns: [], tags: [] }),
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
export function removeFormulas(list: TaggedList, columns = decisionsIn(list)): number | Failure {
  const { sheet, headerRow } = list;
  const theirs = clearColumns(list, columns);
  if (isFailure(theirs)) return theirs;
  let typedCells = 0;
  for (const [column, count] of theirs) {
    typedCells += count;
    if (count > 0) continue;
    const head = areaOf(headerRow, column);
    const refusal = refusalOf(sheet.write(head, [['']]), head);
    if (refusal !== null) return refusal;
    sheet.styleColumns(headerRow, column, [WIDTH_AS_NEW], null);
    sheet.showColumns(column, 1);
  }
  for (const { columns, label } of list.blocks) {
    const helper = columns.get('helper');
    const title = plainTitle('helper') + (label && ` (${label})`);
    if (helper !== undefined && !theirs.has(helper))
      sheet.write(areaOf(headerRow, helper), [[title]]);
  }
  const snapshot = snapshotOf(list);
  const renamedHeads = snapshot === null ? [] : renamed(snapshot, false);
  for (const { area, texts } of renamedHeads) sheet.write(area, [texts]);
  widen(sheet, renamedHeads);
  return typedCells;
}

/** Deletes the columns before the list's figures that decisions have left blank, if all is where it was. */
export function closeGap({ sheet, id, blocks, formulas }: TaggedList): void {
  const figuresIn = (of: TaggedList['blocks']) =>
    of.flatMap(({ columns }) => [...columns.values()]);
  const now = figuresIn(blocksOf(readTags(sheet) ?? [], id));
  if (`${now}` !== `${figuresIn(blocks)}`) return;
  const last = Math.max(0, ...now);
  deleteBlank(
    sheet,
    formulas.map(({ at }) => at).filter((at) => at < last),
  );
}

/** Removes every column of ours beside a list. What its other columns are taken for stays noted. */
export function removeColumns(list: TaggedList): number | Failure {
  const { sheet, id } = list;
  const typedCells = removeFormulas(list, ourColumns(list, ANY_TAB));
  if (isFailure(typedCells)) return typedCells;
  for (const found of (readTags(sheet) ?? []).filter(isOurTag))
    if (found.tag.list === id) removeTag(sheet, found);
  return typedCells;
}

/** The titles that `ensureColumns` would add, or why it may not. For the preview. */
export function titlesToAdd(
  location: ListLocation,
  wanted: WantedColumns,
): readonly string[] | Failure {
  const snapshot = snapshotOf(location);
  if (snapshot === null) return runProblem('sheet-gone');
  const moved = movedSince(snapshot);
  if (moved !== null) return moved;
  const missing = missingAmong(snapshot, lookupsFor(snapshot, wanted));
  const refused = missing.length === 0 ? null : refusedAtEnd(snapshot, missing.length);
  if (refused !== null) return refused;
  return missing
    .filter(({ isHidden }) => !isHidden)
    .map((column) => freeTitle(column, snapshot.titles));
}

/** What is to stand beside a list. */
interface Plan {
  /** The columns that it is to have, those that are there included. */
  readonly columns: readonly NewColumn[];
  /** Further tags that it lacks. */
  readonly tags: readonly WantedTag[];
}

/** A list with its columns, and what was filled in. */
interface MadeColumns {
  readonly list: TaggedList;
  readonly filled: Filled;
}

/** Gives columns their widths, where their titles have changed. */
function widen(sheet: Sheet, heads: ReturnType<typeof renamed>): void {
  for (const { area, width } of heads) sheet.setWidths(area.column, [width]);
}

/** @param cellsIn what to fill in. */
function addColumns(
  location: ListLocation,
  plan: (snapshot: ListSnapshot) => Plan,
  cellsIn: (list: TaggedList) => readonly FormulaColumn[],
  {
    measured,
    later = AT_ONCE,
    isGuarded = false,
  }: {
    readonly measured?: SheetSize | undefined;
    readonly later?: Later;
    /** Whether there are decisions, and the titles that they read are bound as they are by then. */
    readonly isGuarded?: boolean;
  } = {},
): MadeColumns | Failure {
  let size = measured;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = snapshotOf(location, size);
    if (seen === null) return runProblem('sheet-gone');
    const moved = movedSince(seen);
    if (moved !== null) return moved;
    const isBare = seen.headerRow === 0;
    const planned = plan(seen);
    if (freeReplaced(seen, cellsIn)) continue;
    const snapshot = isBare ? addHeader(seen) : addTags(seen, planned);
    if (isFailure(snapshot)) return snapshot;
    // A row on top changes the size, and so may columns that moved. Other changes are filled in next time.
    size = isBare || snapshot === null ? undefined : seen.size;
    const list = snapshot && listOf(location.sheet, snapshot.tags, snapshot.id);
    if (snapshot === null || list === null) continue;
    const heads = headsOf(snapshot, planned.columns);
    // What has a title counts as finished, so a style that is given at once comes before it.
    later(() => styleHeads(snapshot, heads));
    const renamedHeads = isGuarded ? renamed(snapshot, true) : [];
    const titles = [...snapshot.titleCells];
    const written = [...heads, ...renamedHeads];
    for (const { area, texts } of written) titles.splice(area.column - 1, texts.length, ...texts);
    const guards = isGuarded ? guardsIn(list, titles) : [];
    const filled = fillOnce(list, cellsIn(list), {
      heads: written,
      guards,
      lastRow: snapshot.size.lastRow,
    });
    if (filled === 'moved') continue;
    if (!isFailure(filled)) widen(list.sheet, renamedHeads);
    return isFailure(filled) ? filled : { list, filled };
  }
  return runProblem('sheet-busy', 'the headers');
}

/**
 * Gives up the columns of ours that people have made theirs: with another title, and with their own
 * cells below it and none of our formulas.
 *
 * @returns whether there were any, so that tags have changed.
 */
function freeReplaced(
  { sheet, tags, id, titles, size }: ListSnapshot,
  cellsIn: (list: TaggedList) => readonly FormulaColumn[],
): boolean {
  const list = listOf(sheet, tags, id);
  if (list === null) return false;
  const rowCount = size.lastRow - list.headerRow;
  const suspects = tags.filter(isOurTag).filter(({ tag, at }) => {
    const title = titles[at - 1] ?? '';
    const isOurs = nameForm(title).startsWith(nameForm(titleOfOurs(tag))) || isGuard(title);
    return tag.list === id && title !== '' && !isOurs;
  });
  if (suspects.length === 0 || rowCount <= 0) return false;
  const ours = new Map(cellsIn(list).map((column) => [column.column, column.formula]));
  const theirs = suspects.filter(({ at }) => {
    const formula = ours.get(at);
    if (formula === undefined) return false;
    const area = areaOf(list.headerRow + 1, at, rowCount);
    const formulas = (sheet.formulasR1C1(area) ?? []).map(([text = '']) => text);
    const isFilled = sheet.values(area)?.some(([cell = '']) => cell !== '') === true;
    return isFilled && !formulas.some((text) => isOfOurs(text, formula));
  });
  for (const found of theirs) removeTag(sheet, found);
  return theirs.length > 0;
}

/** The sheet as it is: its size, its tags and the titles above the list. */
interface ListSnapshot extends ListLocation, ListOnSheet {
  /** The list's id, also if it is not tagged yet. */
  readonly id: string;
  /** The title row, from the first column on. */
  readonly titleCells: readonly SheetCell[];
}

/**
 * null: the sheet is gone.
 *
 * @param measured the size as it was measured a moment ago.
 */
function snapshotOf(location: ListLocation, measured?: SheetSize): ListSnapshot | null {
  const { sheet } = location;
  const metadata = sheet.metadata(METADATA_KEY);
  const size = measured ?? sheet.size();
  if (metadata === null || size === null) return null;
  const tags = tagsAmong(metadata);
  const { productColumn, marketColumn } =
    (location.id === undefined ? null : listOf(sheet, tags, location.id)) ?? location;
  const id = idAt(sheet, tags, productColumn);
  const headerRow = listTagOf(tags, id, 'header')?.at ?? location.headerRow;
  const taggedColumns = metadata.flatMap(({ on, at }) => (on === 'column' ? [at] : []));
  const lastColumn = Math.max(1, size.lastColumn, ...taggedColumns);
  const area = areaOf(headerRow, 1, 1, lastColumn);
  const [titleCells = []] = (headerRow > 0 ? sheet.values(area) : []) ?? [];
  return {
    ...location,
    id,
    headerRow,
    productColumn,
    marketColumn,
    lastColumn,
    size,
    tags,
    titleCells,
    titles: titleCells.map(titleOf),
  };
}

/**
 * The list of these products. If its column of products was deleted, or has another title than when it
 * was bound, the columns beside it go to the new one.
 */
function idAt(sheet: Sheet, tags: readonly FoundTag[], productColumn: number): string {
  const products = tags.filter(({ tag }) => tag.role === 'product');
  const own = products.find(({ at }) => at === productColumn);
  if (own !== undefined) return own.tag.list;
  const ids = listIds(tags);
  const orphan = ids.find((id) => {
    const list = listOf(sheet, tags, id);
    return list === null || !isAtItsProducts(list);
  });
  if (orphan !== undefined) return orphan;
  return String(ids.reduce((highest, id) => Math.max(highest, Number(id)), 0) + 1);
}

/** Why the choice holds no longer: another column stands where its products or markets were. */
function movedSince({ titles, ...location }: ListSnapshot): Failure | null {
  const { productColumn, productTitle, marketColumn, marketTitle } = location;
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
function addHeader({ sheet, tags, id, size, productColumn }: ListSnapshot): Failure | null {
  const area = areaOf(1, 1, 1, size.maxColumns);
  const refusal =
    refusalOf(sheet.addRowOnTop(), area) ??
    refusalOf(addTag(sheet, { list: id, role: 'header' }, 1), area) ??
    refusalOf(sheet.write(areaOf(1, productColumn), [[PRODUCT_TITLE]]), areaOf(1, productColumn));
  if (refusal !== null || listTagOf(tags, id, 'product') !== undefined) return refusal;
  return refusalOf(addTag(sheet, { list: id, role: 'product' }, productColumn), area);
}

interface WantedTag {
  readonly tag: ListTag;
  /** Where it belongs. */
  readonly at: number;
}

/**
 * The list with tags on it and on free columns for what is missing beside it; null: columns moved
 * meanwhile. If others were tagged, they are no longer.
 */
function addTags(snapshot: ListSnapshot, plan: Plan): ListSnapshot | Failure | null {
  const { sheet, headerRow } = snapshot;
  const columns = missingAmong(snapshot, plan.columns);
  const targets = targetsFor(snapshot, columns);
  if (targets === null || isFailure(targets)) return targets;
  const targetAt = (number: number) => targets[number] ?? 0;
  const added = [
    ...plan.tags,
    ...columns.map(({ tag }, number) => ({ tag, at: targetAt(number) })),
  ];
  if (added.length === 0) return snapshot;
  for (const { tag } of plan.tags) {
    const before = listTagOf(snapshot.tags, snapshot.id, tag.role);
    if (before !== undefined) removeTag(sheet, before);
  }
  for (const { tag, at } of added) {
    const refusal = refusalOf(addTag(sheet, tag, at), areaOf(headerRow, at));
    if (refusal !== null) return refusal;
  }
  const now = snapshotOf(snapshot, snapshot.size);
  if (now === null) return runProblem('sheet-gone');
  const addedTags = added.map(({ tag }) =>
    now.tags.find(({ metadata }) => metadata.value === JSON.stringify(tag)),
  );
  const isFree = (_: NewColumn, number: number) => (now.titles[targetAt(number) - 1] ?? '') === '';
  const isStill =
    snapshot.titles.every((title, column) => title === now.titles[column]) &&
    columns.every(isFree) &&
    added.every(({ at }, number) => addedTags[number]?.at === at);
  if (isStill) return now;
  for (const found of addedTags) if (found !== undefined) removeTag(sheet, found);
  return null;
}

/** Where each of these columns goes; null: columns were inserted, and the others have moved. */
function targetsFor(
  snapshot: ListSnapshot,
  columns: readonly NewColumn[],
): readonly number[] | Failure | null {
  const isInFront = ({ tag, isHidden }: NewColumn) => 'formula' in tag && !isHidden;
  const count = columns.filter(isInFront).length;
  const front = count === 0 ? null : freeBeforeFigures(snapshot, count);
  if (front === 'moved') return null;
  const atEndCount = columns.length - (front === null ? 0 : count);
  const end = atEndCount === 0 ? 0 : freeAtEnd(snapshot, atEndCount);
  if (isFailure(end)) return end;
  let inFront = front ?? 0;
  let atEnd = end;
  return columns.map((column) => {
    if (front !== null && isInFront(column)) return inFront++;
    return atEnd++;
  });
}

/** What a list is to have for what is wanted. Its markets may stand in another column by now. */
function planFor(snapshot: ListSnapshot, wanted: WantedColumns): Plan {
  const { tags, id: list, headerRow, productColumn, marketColumn } = snapshot;
  const { market, defaultMarket } = wanted;
  /** What is bound stays as it was seen then, while it stands there. */
  const boundAt = (role: 'product' | 'market', at: number): ListTag => {
    const before = listTagOf(tags, list, role);
    const title = before?.at === at ? before.tag.title : undefined;
    return { ...before?.tag, list, role, title: title ?? snapshot.titles[at - 1] ?? '' };
  };
  const wantedTags: WantedTag[] = [
    { tag: { list, role: 'header' }, at: headerRow },
    {
      tag: {
        ...boundAt('product', productColumn),
        ...(market === 'column' && { defaultMarket }),
      },
      at: productColumn,
    },
  ];
  if (market === 'column' && marketColumn !== null)
    wantedTags.push({ tag: boundAt('market', marketColumn), at: marketColumn });
  const isTagged = ({ tag, at }: WantedTag) =>
    tags.some((found) => found.at === at && found.metadata.value === JSON.stringify(tag));
  return {
    columns: lookupsFor(snapshot, wanted),
    tags: wantedTags.filter((wantedTag) => !isTagged(wantedTag)),
  };
}

const missingAmong = (
  { tags }: ListSnapshot,
  columns: readonly NewColumn[],
): readonly NewColumn[] => columns.filter(({ tag }) => columnOf(tags, tag) === undefined);

/** Formats, the style of titles, widths, and what is hidden. */
function styleHeads(
  { sheet, headerRow, tags, size, productColumn }: ListSnapshot,
  heads: readonly NewHeads[],
): void {
  // Columns that moved since then keep the style that they have.
  const isStill = () => JSON.stringify(readTags(sheet)) === JSON.stringify(tags);
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
