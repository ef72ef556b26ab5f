// Named ranges, conditional formats, developer metadata, hidden columns and tabs on behalf of a
// script.

import { say } from '../../messages';
import type { Caller, Operations } from '../../service';
import { ServiceException } from '../../service';
import {
  type Bands,
  featuresOf,
  type Metadata,
  type NamedCells,
  ROW_HEIGHT,
} from '../../sheet/book-features';
import type { SheetModel, SortKey } from '../../sheet/model';
import { replaceNames } from '../../sheet/named-cells';
import { isInside, isWithin, meet } from '../../sheet/rectangle';
import { writtenFormulas } from '../../sheet/written-formulas';
import type {
  BandingFacts,
  FeatureCalls,
  MetadataFacts,
  MetadataPlace,
  MetadataScope,
  Place,
} from './calls';
import { checkPlace, checkSheet, modelOf } from './host-book';
import { checkSheetEditable } from './host-protection';

type FeatureOperations = Operations<FeatureCalls>;

export function featureOperations(): FeatureOperations {
  return {
    ...{
      ...ofNames(),
      ...ofRules(),
      ...ofBandings(),
      ...ofFilters(),
      ...ofColumns(),
      ...ofSizes(),
      ...ofTabs(),
      ...ofMetadata(),
    },
  };
}

/**
 * "Name a range" (support.google.com/docs/answer/63175): no cell's address, neither TRUE nor FALSE,
 * at most 250 characters.
 */
const RANGE_NAME = /^(?!(?:true|false|[a-z]{1,3}\d+|r\d*c\d*)$)[a-z_]\w{0,249}$/i;

function ofNames() {
  const without = (model: SheetModel, name: string) =>
    featuresOf(model)
      .names()
      .filter((each) => each.name.toLowerCase() !== name.toLowerCase());
  return {
    'spreadsheet.read.getNamedRanges': (caller) =>
      featuresOf(modelOf(caller))
        .names()
        .map(({ name, sheetId, rectangle }) => ({
          name,
          place: rectangle && { sheetId, ...rectangle },
        })),
    'spreadsheet.write.setNamedRange': (caller, name, place) => {
      const model = modelOf(caller);
      checkPlace(model, place);
      if (!RANGE_NAME.test(name)) throw new ServiceException(say('bad-range-name', name));
      const { sheetId, ...rectangle } = place;
      featuresOf(model).setNames([...without(model, name), { name, sheetId, rectangle }]);
    },
    /** Formulas follow, as in Sheets. */
    'spreadsheet.write.renameNamedRange': (caller, name, newName) => {
      const model = modelOf(caller);
      const isMeant = (each: NamedCells) => each.name.toLowerCase() === name.toLowerCase();
      const named = featuresOf(model).names().find(isMeant);
      if (!named) throw new ServiceException(say('no-range-name', name));
      if (!RANGE_NAME.test(newName)) throw new ServiceException(say('bad-range-name', newName));
      const renamed = { ...named, name: newName };
      const isTaken = without(model, newName).length < featuresOf(model).names().length;
      if (isTaken && !isMeant(renamed))
        throw new ServiceException(`There is a range named "${newName}" already.`);
      featuresOf(model).setNames([...without(model, name), renamed]);
      const put = (word: string) =>
        word.toLowerCase() === name.toLowerCase() ? newName : undefined;
      for (const { sheetId, row, column, formula } of writtenFormulas(model)) {
        const rewritten = replaceNames(formula, put);
        if (rewritten !== formula) model.write(sheetId, row, column, [[{ formula: rewritten }]]);
      }
    },
    'spreadsheet.write.removeNamedRange': (caller, name) => {
      const model = modelOf(caller);
      const left = without(model, name);
      if (left.length === featuresOf(model).names().length)
        throw new ServiceException(say('no-range-name', name));
      featuresOf(model).setNames(left);
    },
  } satisfies Partial<FeatureOperations>;
}

/** Makes an operation on one sheet. An operation that writes checks protection first. */
function on<Args extends readonly unknown[], Result>(
  kind: 'read' | 'write',
  act: (model: SheetModel, sheetId: number, ...args: Args) => Result,
) {
  return (caller: Caller, sheetId: number, ...args: Args): Result => {
    const model = modelOf(caller);
    checkSheet(model, sheetId);
    if (kind === 'write') checkSheetEditable(caller, model, sheetId);
    return act(model, sheetId, ...args);
  };
}

function ofRules() {
  return {
    'spreadsheet.read.getConditionalFormatRules': on('read', (model, sheetId) =>
      featuresOf(model)
        .look(sheetId)
        .rules.map(({ rectangles, ...rule }) => ({
          ...rule,
          places: rectangles.map((rectangle) => ({ sheetId, ...rectangle })),
        })),
    ),
    'spreadsheet.write.setConditionalFormatRules': on('write', (model, sheetId, rules) => {
      const places = rules.flatMap((rule) => rule.places);
      for (const place of places) checkPlace(model, place);
      if (places.some((place) => place.sheetId !== sheetId))
        throw new ServiceException(say('rule-elsewhere'));
      const kept = rules.map(({ places: own, ...rule }) => ({
        ...rule,
        rectangles: own.map(({ sheetId: _, ...rectangle }) => rectangle),
      }));
      featuresOf(model).setLook(sheetId, { rules: kept });
    }) as FeatureOperations['spreadsheet.write.setConditionalFormatRules'],
  } satisfies Partial<FeatureOperations>;
}

function ofBandings() {
  const factsOf = (sheetId: number, { rectangle, ...bands }: Bands): BandingFacts => ({
    ...bands,
    place: { sheetId, ...rectangle },
  });
  return {
    'spreadsheet.read.getBandings': on('read', (model, sheetId) =>
      featuresOf(model)
        .look(sheetId)
        .bandings.map((bands) => factsOf(sheetId, bands)),
    ),
    'spreadsheet.write.setBanding': (caller: Caller, { place, ...facts }: BandingFacts) => {
      const model = modelOf(caller);
      checkPlace(model, place);
      checkSheetEditable(caller, model, place.sheetId);
      const features = featuresOf(model);
      const { sheetId, row, column, rowCount, columnCount } = place;
      const others = features.look(sheetId).bandings.filter(({ id }) => id !== facts.id);
      if (others.some(({ rectangle }) => meet(rectangle, place)))
        throw new ServiceException(
          'You cannot add alternating background colors to a range that already has alternating background colors.',
        );
      const rectangle = { row, column, rowCount, columnCount };
      const bands = { ...facts, id: facts.id ?? features.nextId(), rectangle };
      features.setLook(sheetId, { bandings: [...others, bands] });
      return factsOf(sheetId, bands);
    },
    'spreadsheet.write.removeBanding': on('write', (model, sheetId, id: number) => {
      const features = featuresOf(model);
      const { bandings } = features.look(sheetId);
      features.setLook(sheetId, { bandings: bandings.filter((each) => each.id !== id) });
    }),
  } satisfies Partial<FeatureOperations>;
}

function ofFilters() {
  return {
    'spreadsheet.read.getFilterSort': on(
      'read',
      (model, sheetId) => featuresOf(model).look(sheetId).filterSort,
    ),
    /** Reference of Filter.sort: "excluding the first row (the header row)". */
    'spreadsheet.write.sortFilter': on('write', (model, sheetId, key: SortKey) => {
      const filter = model.filter(sheetId);
      if (!filter) throw new ServiceException('There is no filter in this sheet');
      const { row, rowCount, ...columns } = filter.rectangle;
      if (rowCount > 1)
        model.sort(sheetId, { ...columns, row: row + 1, rowCount: rowCount - 1 }, [key]);
      featuresOf(model).setLook(sheetId, { filterSort: key });
    }),
  } satisfies Partial<FeatureOperations>;
}

function ofColumns() {
  const columns = (model: SheetModel, sheetId: number, first: number, count: number) => {
    const { maxColumns } = model.size(sheetId);
    const span = { row: 1, column: first, rowCount: 1, columnCount: count };
    if (count < 1 || !isInside(span, { maxRows: 1, maxColumns }))
      throw new ServiceException(say('columns-outside'));
    return Array.from({ length: count }, (_, at) => first + at);
  };
  return {
    'spreadsheet.read.isColumnHiddenByUser': on('read', (model, sheetId, column: number) => {
      columns(model, sheetId, column, 1);
      return featuresOf(model).look(sheetId).hiddenColumns.includes(column);
    }),
    'spreadsheet.write.hideColumns': on('write', (model, sheetId, first: number, count: number) => {
      const features = featuresOf(model);
      const hidden = [
        ...features.look(sheetId).hiddenColumns,
        ...columns(model, sheetId, first, count),
      ];
      features.setLook(sheetId, { hiddenColumns: [...new Set(hidden)] });
    }),
    'spreadsheet.write.showColumns': on('write', (model, sheetId, first: number, count: number) => {
      const features = featuresOf(model);
      const shown = columns(model, sheetId, first, count);
      const { hiddenColumns } = features.look(sheetId);
      features.setLook(sheetId, {
        hiddenColumns: hiddenColumns.filter((column) => !shown.includes(column)),
      });
    }),
  } satisfies Partial<FeatureOperations>;
}

/**
 * Assumed widths of a letter and of a cell's edges in a column that is fitted to its content.
 * Google does not publish them.
 */
const LETTER_PIXELS = 7;
const EDGES_PIXELS = 6;

function ofSizes() {
  const checkRows = (model: SheetModel, sheetId: number, first: number, count: number) => {
    const { maxRows } = model.size(sheetId);
    const span = { row: first, column: 1, rowCount: count, columnCount: 1 };
    if (!isInside(span, { maxRows, maxColumns: 1 }))
      throw new ServiceException(say('rows-outside'));
  };
  const setRowHeights = on(
    'write',
    (model, sheetId, first: number, count: number, pixels: number) => {
      checkRows(model, sheetId, first, count);
      const features = featuresOf(model);
      const others = features
        .look(sheetId)
        .rowHeights.filter(({ row }) => row < first || row >= first + count);
      const made = Array.from({ length: count }, (_, at) => ({ row: first + at, pixels }));
      features.setLook(sheetId, { rowHeights: [...others, ...made] });
    },
  );
  return {
    'spreadsheet.read.getRowHeight': on('read', (model, sheetId, row: number) => {
      checkRows(model, sheetId, row, 1);
      const { rowHeights } = featuresOf(model).look(sheetId);
      return rowHeights.find((each) => each.row === row)?.pixels ?? ROW_HEIGHT;
    }),
    'spreadsheet.write.setRowHeight': setRowHeights,
    'spreadsheet.write.setRowHeights': setRowHeights,
    'spreadsheet.write.autoResizeColumns': on(
      'write',
      (model, sheetId, first: number, count: number) => {
        const { lastRow, maxColumns } = model.size(sheetId);
        const span = { row: 1, column: first, rowCount: 1, columnCount: count };
        if (!isInside(span, { maxRows: 1, maxColumns }))
          throw new ServiceException(say('columns-outside'));
        if (lastRow === 0) return;
        const shown = model.displayValues(sheetId, { ...span, rowCount: lastRow });
        for (let at = 0; at < count; at += 1) {
          const letters = shown.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0);
          if (letters > 0)
            model.setColumnWidths(sheetId, first + at, 1, letters * LETTER_PIXELS + EDGES_PIXELS);
        }
      },
    ),
    'spreadsheet.read.hasHiddenGridlines': on(
      'read',
      (model, sheetId) => featuresOf(model).look(sheetId).hasHiddenGridlines,
    ),
    'spreadsheet.write.setHiddenGridlines': on('write', (model, sheetId, isHidden: boolean) =>
      featuresOf(model).setLook(sheetId, { hasHiddenGridlines: isHidden }),
    ),
  } satisfies Partial<FeatureOperations>;
}

function ofTabs() {
  const hide = (isHidden: boolean) =>
    on('write', (model, sheetId) => {
      const features = featuresOf(model);
      const others = model.sheets().filter(({ id }) => id !== sheetId);
      if (isHidden && others.every(({ id }) => features.look(id).isHidden))
        throw new ServiceException(say('last-sheet'));
      features.setLook(sheetId, { isHidden });
    });
  return {
    'spreadsheet.read.getTabColor': on(
      'read',
      (model, sheetId) => featuresOf(model).look(sheetId).tabColor,
    ),
    'spreadsheet.write.setTabColor': on('write', (model, sheetId, tabColor: string | null) =>
      featuresOf(model).setLook(sheetId, { tabColor }),
    ),
    'spreadsheet.read.isSheetHidden': on(
      'read',
      (model, sheetId) => featuresOf(model).look(sheetId).isHidden,
    ),
    'spreadsheet.write.hideSheet': hide(true),
    'spreadsheet.write.showSheet': hide(false),
  } satisfies Partial<FeatureOperations>;
}

/** "Read & write metadata": 30,000 characters for each sheet, and the same for the spreadsheet. */
const METADATA_CHARACTERS = 30_000;

function placed(
  model: SheetModel,
  where: MetadataPlace,
): Omit<Metadata, 'id' | 'key' | 'value' | 'visibility'> {
  const { sheetId, place } = where;
  if (place === null || sheetId === null) return { sheetId, rectangle: null, axis: null };
  checkPlace(model, place);
  const { sheetId: _, ...rectangle } = place;
  const { maxRows, maxColumns } = model.size(sheetId);
  if (rectangle.rowCount === maxRows && rectangle.columnCount === 1)
    return { sheetId, rectangle, axis: 'column' };
  if (rectangle.columnCount === maxColumns && rectangle.rowCount === 1)
    return { sheetId, rectangle, axis: 'row' };
  throw new ServiceException(say('metadata-place'));
}

function checkedPlace(caller: Caller, where: MetadataPlace) {
  const model = modelOf(caller);
  if (where.sheetId !== null) {
    checkSheet(model, where.sheetId);
    checkSheetEditable(caller, model, where.sheetId);
  }
  return placed(model, where);
}

function ofMetadata() {
  /** Puts metadata in place of all there is, unless a sheet or the spreadsheet would hold too much. */
  const put = (caller: Caller, next: readonly Metadata[], sheetId: number | null) => {
    const characters = next
      .filter((each) => each.sheetId === sheetId)
      .reduce((sum, each) => sum + each.key.length + (each.value?.length ?? 0), 0);
    if (characters > METADATA_CHARACTERS)
      throw new ServiceException(say('metadata-full'), {
        name: 'characters of metadata',
        value: METADATA_CHARACTERS,
      });
    featuresOf(modelOf(caller)).setMetadata(next);
  };
  const change = (caller: Caller, id: number, next: (one: Metadata) => readonly Metadata[]) => {
    const model = modelOf(caller);
    const all = featuresOf(model).metadata();
    const before = all.find((each) => each.id === id);
    if (!before) throw new ServiceException(say('metadata-gone'));
    if (before.sheetId !== null) checkSheetEditable(caller, model, before.sheetId);
    const after = next(before);
    const left = all.flatMap((each) => (each === before ? after : each));
    put(caller, left, (after[0] ?? before).sheetId);
  };
  return {
    'spreadsheet.write.addDeveloperMetadata': (caller, where, { key, value, visibility }) => {
      const place = checkedPlace(caller, where);
      const features = featuresOf(modelOf(caller));
      const made = { ...place, id: features.nextId(), key, value, visibility };
      put(caller, [...features.metadata(), made], made.sheetId);
    },
    'spreadsheet.write.moveDeveloperMetadata': (caller, id, where) => {
      const place = checkedPlace(caller, where);
      change(caller, id, (one) => [{ ...one, ...place }]);
    },
    'spreadsheet.write.setDeveloperMetadata': (caller, id, part) =>
      change(caller, id, (one) => [{ ...one, ...part }]),
    'spreadsheet.write.removeDeveloperMetadata': (caller, id) => change(caller, id, () => []),
    'spreadsheet.read.getDeveloperMetadata': (caller, where, how, wanted) => {
      const model = modelOf(caller);
      return featuresOf(model)
        .metadata()
        .filter((each) => isThere(model, each, where, how))
        .map((each) => factsOf(model, each))
        .filter(
          (each) =>
            (wanted.key === undefined || each.key === wanted.key) &&
            (wanted.value === undefined || each.value === wanted.value) &&
            (wanted.id === undefined || each.id === wanted.id) &&
            (wanted.visibility === undefined || each.visibility === wanted.visibility) &&
            (wanted.location === undefined || each.location === wanted.location),
        );
    },
  } satisfies Partial<FeatureOperations>;
}

/**
 * Whether metadata lies exactly at the place, within it or across it. A finder of a sheet also finds
 * the metadata of its rows and columns, and one of a range what is "fully contained within that
 * range" (reference of Range.createDeveloperMetadataFinder): row 3 in 1:5 but not in A1:D5.
 */
function isThere(
  model: SheetModel,
  each: Metadata,
  { sheetId, place }: MetadataPlace,
  how: MetadataScope,
): boolean {
  if (sheetId === null) return how !== 'exact' || each.sheetId === null;
  if (each.sheetId !== sheetId) return false;
  if (place === null) return how !== 'exact' || each.rectangle === null;
  checkPlace(model, place);
  const line = factsOf(model, each).place;
  if (!line) return false;
  if (how === 'intersecting') return meet(line, place);
  const isOneLine = line.rowCount === place.rowCount && line.columnCount === place.columnCount;
  return isWithin(line, place) && (how === 'within' || isOneLine);
}

function factsOf(model: SheetModel, each: Metadata): MetadataFacts {
  const { id, key, value, visibility, sheetId, rectangle, axis } = each;
  const location = sheetId === null ? 'SPREADSHEET' : 'SHEET';
  const known = { id, key, value, visibility, sheetId };
  if (sheetId === null || !rectangle || !axis) return { ...known, place: null, location };
  const { maxRows, maxColumns } = model.size(sheetId);
  const place: Place =
    axis === 'row'
      ? { sheetId, row: rectangle.row, column: 1, rowCount: 1, columnCount: maxColumns }
      : { sheetId, row: 1, column: rectangle.column, rowCount: maxRows, columnCount: 1 };
  return { ...known, place, location: axis === 'row' ? 'ROW' : 'COLUMN' };
}
