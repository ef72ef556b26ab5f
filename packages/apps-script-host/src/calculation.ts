// Calculates native formulas in a plain grid immediately after each change, as Sheets does, and after
// all that a script has written at once.

import { parseAddress } from './sheet/a1-notation';
import { featuresOf } from './sheet/book-features';
import { createDateSerial, isDate } from './sheet/date-serial';
import {
  createFormulaEngine,
  type EvaluatedFormula,
  type FormulaEngine,
  type Outcome,
  type ReadFormula,
} from './sheet/formula-engine';
import { asFilledDown, readReferences, rowsOf } from './sheet/formula-references';
import { inEnglish } from './sheet/formula-separators';
import type { Result } from './sheet/grid-contents';
import { type Area, createKeyIndexes, type KeyIndex } from './sheet/key-index';
import type { Rectangle, SheetChange } from './sheet/model';
import { withNames } from './sheet/named-cells';
import type { Sparkline } from './sheet/native-functions';
import { isDateFormat } from './sheet/number-format';
import type { PlainGrid } from './sheet/plain-grid';
import { type Changes, columnOf, createChanges, createReaders, placeOf } from './sheet/readers';
import { meet } from './sheet/rectangle';

export interface CalculationOptions {
  readonly nowMs: () => number;
  /** Formulas that call such a function are calculated elsewhere. */
  readonly isCustom?: (functionName: string) => boolean;
  /** The price GOOGLEFINANCE returns for a symbol. Defaults to no prices. */
  readonly quote?: (symbol: string) => number | null;
}

export interface Calculation {
  /** Recalculates every formula, as opening the file does. */
  readonly all: () => void;
  /** The chart that a formula draws in its cell. null: none. */
  readonly sparkline: (sheetId: number, row: number, column: number) => Sparkline | null;
  /** How often formulas were calculated, and columns read for their keys, since the beginning. */
  readonly work: () => { readonly formulas: number; readonly indexes: number };
}

/** A formula's text, parsed once for all the cells of a sheet into which it was filled down. */
interface Pattern {
  readonly text: string;
  /** null: the text cannot be parsed. */
  readonly english: string | null;
  /** The row of the cell for which the text was parsed. */
  readonly row: number;
  readonly reads: readonly (Area & {
    readonly rows: ReturnType<typeof rowsOf>;
    readonly isLookedUp: boolean;
  })[];
  /**
   * Recalculated at every change: NOW and similar functions, and formulas that read cells which
   * they do not name.
   */
  readonly isVolatile: boolean;
  readonly isClockAlone: boolean;
  readonly isCustom: boolean;
  /** The engine's own parsed form, once the formula has been calculated. */
  engines: ReadFormula | null;
}

interface FormulaCell {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly pattern: Pattern;
  /** The areas that the formula names, except for those in which it looks something up. */
  readonly reads: readonly Area[];
  /** The areas in which it looks something up. */
  readonly lookedUp: readonly Area[];
  /** What its lookups depended on at the last calculation. null: it was not calculated. */
  seen: Seen | null;
  /** The formula's own cell and the neighbours that it has filled. */
  spill: Rectangle | null;
  /** True if existing content blocks the cells that the formula would fill. */
  isBlocked: boolean;
  sparkline: Sparkline | null;
}

interface Seen {
  readonly cells: Area[];
  readonly keys: { readonly index: KeyIndex; readonly key: string }[];
}

const VOLATILE = /\b(?:NOW|TODAY|RAND|RANDARRAY|RANDBETWEEN|INDIRECT|OFFSET)\s*\(/i;

/** Volatile formulas that only the passing of time changes. */
const CLOCK_ALONE = /^=\s*(?:NOW|TODAY)\(\)\s*$/i;

const UNREADABLE: EvaluatedFormula = { rows: [['#ERROR!']] };

/** What Sheets shows for a formula that depends on itself. */
const CIRCULAR = '#REF!';

/**
 * After a change, the formulas that it may concern are visited, each after those that it reads. A
 * visited formula is calculated if something that it reads has another value than before.
 */
export function calculating(grid: PlainGrid, options: CalculationOptions): Calculation {
  const names = featuresOf(grid);
  const book = readingOf(grid);
  const cells = createFormulaCells();
  const values = createValues(grid);
  const indexes = createKeyIndexes(values.read);
  const changed = createChanges();
  /** Of these, what formulas have put into other cells than their own. */
  const filled = createChanges();
  let formulas = 0;
  let isOwn = false;
  /**
   * In whole seconds. Formulas that read the clock are recalculated when this number has changed.
   */
  const nowSeconds = () => Math.floor(options.nowMs() / 1_000);
  let workedAt = Number.NaN;
  const patterns = createPatterns(grid, book.sheets, options.isCustom);
  let seeing: Seen = { cells: [], keys: [] };
  // Loading the engine takes longer than an entire test of a sheet without formulas.
  let loaded: FormulaEngine | null = null;
  const engine = () => {
    loaded ??= createFormulaEngine({
      sheets: book.sheets,
      nowSerial: () => values.toSerial(new Date(nowSeconds() * 1_000)),
      quote: options.quote ?? (() => null),
      read: values.read,
      indexes,
      sawCells: (area) => seeing.cells.push(area),
      sawKey: (index, key) => seeing.keys.push({ index, key }),
    });
    return loaded;
  };
  const evaluated = (cell: FormulaCell): EvaluatedFormula => {
    const { pattern } = cell;
    const { english, row } = pattern;
    if (english === null) return UNREADABLE;
    try {
      pattern.engines ??= engine().read(english, { ...cell, row });
      return pattern.engines.evaluate(cell);
    } catch {
      // The engine fails at some functions and arguments. Other formulas go on.
      return UNREADABLE;
    }
  };
  /** To be visited. true: to be calculated whatever the cells hold that it reads. */
  const dirty = createDirty();
  const underWay = new Set<FormulaCell>();

  /** Notes that these cells have other values than before. */
  function note(area: Area, isFilled = false): void {
    changed.addCells(area);
    if (isFilled) filled.addCells(area);
    for (const index of indexes.all()) {
      const keys = index.takeOver(area);
      changed.addKeys(index, keys);
      if (isFilled) filled.addKeys(index, keys);
    }
  }

  const isConcerned = ({ reads, lookedUp, seen }: FormulaCell): boolean =>
    reads.some(changed.meets) ||
    (seen
      ? seen.cells.some(changed.meets) ||
        seen.keys.some(({ index, key }) => changed.hasKey(index, key))
      : lookedUp.some(changed.meets));

  function settle(cell: FormulaCell): void {
    if (!dirty.has(cell)) return;
    if (underWay.has(cell)) {
      put(cell, { ...cell, value: CIRCULAR, isSpilled: false });
      cells.see(cell, null);
      dirty.delete(cell);
      return;
    }
    underWay.add(cell);
    for (const area of cell.reads) settleArea(area);
    for (const area of cell.lookedUp) settleArea(area);
    if (dirty.has(cell)) {
      const isCalculated = dirty.isCertain(cell) || isConcerned(cell);
      if (isCalculated) {
        formulas += 1;
        seeing = { cells: [], keys: [] };
        const found = evaluated(cell);
        cells.see(cell, seeing);
        dirty.delete(cell);
        show(cell, found);
      } else dirty.delete(cell);
    }
    underWay.delete(cell);
  }

  /**
   * Calculates the cells of an area before the formula that reads them, because the engine
   * evaluates one formula at a time.
   */
  const settleArea = (area: Area): void => dirty.in(area, settle);

  function put({ sheetId }: FormulaCell, result: Result): void {
    const { row, column } = result;
    if (values.put(sheetId, result))
      note({ sheetId, ...oneCell({ row, column }) }, result.isSpilled);
  }

  function show(cell: FormulaCell, { rows, format, sparkline }: EvaluatedFormula): void {
    cell.sparkline = sparkline ?? null;
    const { sheetId, row, column } = cell;
    const own = rows[0]?.[0] ?? null;
    if (rows.length === 1 && rows[0]?.length === 1) {
      const shown = own !== null && typeof own === 'number' && format && isDateFormat(format);
      const value = shown ? values.toDate(own) : (own ?? '');
      put(cell, { row, column, value, isSpilled: false });
      return;
    }
    const spill = { row, column, rowCount: rows.length, columnCount: rows[0]?.length ?? 1 };
    const isBlocked = !hasRoom(grid, sheetId, spill, cell);
    cells.fill(cell, isBlocked ? null : spill, isBlocked);
    if (isBlocked) {
      put(cell, { row, column, value: '#REF!', isSpilled: false });
      return;
    }
    rows.forEach((outcomes, down) => {
      outcomes.forEach((outcome, right) => {
        const isSpilled = down + right > 0;
        const value = outcome ?? (isSpilled ? null : '');
        put(cell, { row: row + down, column: column + right, value, isSpilled });
      });
    });
  }

  /** Marks everything that depends on the changes, and in turn everything that may read that. */
  function spread(changes: Changes): void {
    const next = new Set(dirty.all());
    const visit = (cell: FormulaCell) => {
      if (dirty.has(cell)) return;
      dirty.add(cell, false);
      next.add(cell);
    };
    for (const area of joined(changes.areas())) cells.readersOf(area, visit);
    changes.eachKey((index, key) => cells.seekersOf(index, key, visit));
    while (next.size > 0) {
      const areas = [...next].map(areaOf);
      next.clear();
      for (const area of joined(areas)) {
        cells.readersOf(area, visit);
        cells.lookersIn(area, visit);
      }
    }
  }

  function work(areas: readonly Area[]): void {
    const hasClockMoved = workedAt !== nowSeconds();
    workedAt = nowSeconds();
    for (const cell of cells.volatile())
      if (hasClockMoved || !cell.pattern.isClockAlone) dirty.add(cell, true);
    for (const area of areas) note(area);
    spread(changed);
    // Formulas that read what another fills may have been calculated before it. A spill that reads
    // a spill settles in two rounds.
    for (let round = 0; round < 4 && dirty.size() > 0; round += 1) {
      filled.forget();
      for (const cell of dirty.all()) settle(cell);
      spread(filled);
    }
    dirty.clear();
    changed.forget();
    isOwn = true;
    values.write();
    isOwn = false;
  }

  function look(sheetId: number, within: Rectangle): void {
    const { lastRow, lastColumn } = grid.size(sheetId);
    cells.removeIn({ sheetId, ...within });
    const rowCount = Math.min(lastRow - within.row + 1, within.rowCount);
    const columnCount = Math.min(lastColumn - within.column + 1, within.columnCount);
    if (rowCount < 1 || columnCount < 1) return;
    grid.formulas(sheetId, { ...within, rowCount, columnCount }).forEach((texts, down) => {
      texts.forEach((text, right) => {
        if (text === '') return;
        const [row, column] = [within.row + down, within.column + right];
        const cell = patterns.cell({ sheetId, row, column, text });
        if (cell.pattern.isCustom) return;
        cells.add(cell);
        dirty.add(cell, true);
      });
    });
  }

  /**
   * Takes back every spill on the sheets so that all are calculated again, because typed, inserted
   * or moved cells may now block them.
   */
  function unspill(sheetIds: readonly number[]): readonly Area[] {
    return sheetIds.flatMap((id) => {
      const places = grid.spilled(id);
      for (const place of places) values.put(id, { ...place, value: null, isSpilled: true });
      for (const cell of cells.arrays(id)) {
        cells.fill(cell, null, false);
        dirty.add(cell, true);
      }
      return places.map((place) => ({ sheetId: id, ...oneCell(place) }));
    });
  }

  function again(): void {
    cells.forget();
    dirty.clear();
    indexes.forget();
    patterns.forget();
    book.forget();
    for (const { id, maxRows, maxColumns } of book.sheets())
      look(id, { row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns });
    work(unspill(book.sheets().map(({ id }) => id)));
  }

  const hasSpills = (sheetId: number) =>
    cells.arrays(sheetId).length > 0 || grid.spilled(sheetId).length > 0;
  function follow(changes: readonly SheetChange[]): void {
    const touched = changes.flatMap((change): Area[] =>
      change.kind === 'cells' ? [{ sheetId: change.sheetId, ...change.rectangle }] : [],
    );
    if (touched.length < changes.length) {
      again();
      return;
    }
    for (const { sheetId, ...rectangle } of touched) look(sheetId, rectangle);
    const sheetIds = [...new Set(touched.map(({ sheetId }) => sheetId))];
    work([...touched, ...unspill(sheetIds.filter(hasSpills))]);
  }
  const waiting: SheetChange[] = [];
  grid.onChange((change) => {
    if (change.kind === 'marks' || isOwn) return;
    if (names.isTogether()) waiting.push(change);
    else follow([change]);
  });
  names.onTogether(() => {
    if (waiting.length > 0) follow(waiting.splice(0));
  });
  names.onNames(again);
  again();
  return {
    all: again,
    sparkline: (sheetId, row, column) => cells.at(sheetId, row, column)?.sparkline ?? null,
    work: () => ({ formulas, indexes: indexes.made() }),
  };
}

/** The formulas of all sheets, by their cell and by what they read. */
function createFormulaCells() {
  const byPlace = new Map<number, FormulaCell>();
  const volatile = new Set<FormulaCell>();
  const arrays = new Set<FormulaCell>();
  const readers = createReaders<FormulaCell>();
  const lookers = createReaders<FormulaCell>();
  /** By what the lookups of the last calculation depended on. */
  const seers = createReaders<FormulaCell>();
  const seekers = new Map<KeyIndex, Map<string, Set<FormulaCell>>>();
  const see = (cell: FormulaCell, seen: Seen | null) => {
    for (const area of cell.seen?.cells ?? []) seers.remove(area, cell);
    for (const { index, key } of cell.seen?.keys ?? []) seekers.get(index)?.get(key)?.delete(cell);
    cell.seen = seen;
    for (const area of seen?.cells ?? []) seers.add(area, cell);
    for (const { index, key } of seen?.keys ?? []) {
      const keys = seekers.get(index) ?? new Map<string, Set<FormulaCell>>();
      seekers.set(index, keys);
      keys.set(key, (keys.get(key) ?? new Set()).add(cell));
    }
  };
  const remove = (cell: FormulaCell) => {
    see(cell, null);
    for (const area of cell.reads) readers.remove(area, cell);
    for (const area of cell.lookedUp) lookers.remove(area, cell);
    volatile.delete(cell);
    arrays.delete(cell);
    byPlace.delete(placeOf(cell.sheetId, cell.row, cell.column));
  };
  return {
    at: (sheetId: number, row: number, column: number) =>
      byPlace.get(placeOf(sheetId, row, column)),
    add: (cell: FormulaCell) => {
      byPlace.set(placeOf(cell.sheetId, cell.row, cell.column), cell);
      for (const area of cell.reads) readers.add(area, cell);
      for (const area of cell.lookedUp) lookers.add(area, cell);
      if (cell.pattern.isVolatile) volatile.add(cell);
    },
    removeIn: (area: Area) => {
      const { sheetId, row, column, rowCount, columnCount } = area;
      if (rowCount * columnCount > byPlace.size) {
        for (const cell of [...byPlace.values()])
          if (cell.sheetId === sheetId && meet(area, oneCell(cell))) remove(cell);
        return;
      }
      for (let down = 0; down < rowCount; down += 1)
        for (let right = 0; right < columnCount; right += 1) {
          const cell = byPlace.get(placeOf(sheetId, row + down, column + right));
          if (cell) remove(cell);
        }
    },
    see,
    /** Notes which cells a formula has filled, or that it could not. */
    fill: (cell: FormulaCell, spill: Rectangle | null, isBlocked: boolean) => {
      cell.spill = spill;
      cell.isBlocked = isBlocked;
      if (spill || isBlocked) arrays.add(cell);
      else arrays.delete(cell);
    },
    volatile: () => volatile.values(),
    arrays: (sheetId: number) => [...arrays].filter((cell) => cell.sheetId === sheetId),
    /** The formulas that depend on a cell of the area, as far as is known without its value. */
    readersOf: (area: Area, visit: (cell: FormulaCell) => void) => {
      readers.of(area, visit);
      seers.of(area, visit);
      lookers.of(area, (cell) => {
        if (cell.seen === null) visit(cell);
      });
    },
    seekersOf: (index: KeyIndex, key: string, visit: (cell: FormulaCell) => void) =>
      seekers.get(index)?.get(key)?.forEach(visit),
    /** The formulas that look something up in an area with one of these cells. */
    lookersIn: lookers.of,
    forget: () => {
      byPlace.clear();
      volatile.clear();
      arrays.clear();
      readers.forget();
      lookers.forget();
      seers.forget();
      seekers.clear();
    },
  };
}

/** The formulas to be visited, by column, because most areas that are read hold none of them. */
function createDirty() {
  const certain = new Map<FormulaCell, boolean>();
  const columns = new Map<number, Map<number, FormulaCell>>();
  return {
    add: (cell: FormulaCell, isCertain: boolean) => {
      certain.set(cell, isCertain || (certain.get(cell) ?? false));
      const column = columnOf(cell.sheetId, cell.column);
      columns.set(column, (columns.get(column) ?? new Map()).set(cell.row, cell));
    },
    delete: (cell: FormulaCell) => {
      certain.delete(cell);
      const column = columnOf(cell.sheetId, cell.column);
      const rows = columns.get(column);
      rows?.delete(cell.row);
      if (rows?.size === 0) columns.delete(column);
    },
    has: (cell: FormulaCell) => certain.has(cell),
    isCertain: (cell: FormulaCell) => certain.get(cell) ?? false,
    size: () => certain.size,
    all: () => certain.keys(),
    in: (
      { sheetId, row, column, rowCount, columnCount }: Area,
      visit: (cell: FormulaCell) => void,
    ) => {
      for (let right = 0; right < columnCount && columns.size > 0; right += 1) {
        const rows = columns.get(columnOf(sheetId, column + right));
        if (!rows) continue;
        if (rowCount < rows.size) {
          for (let down = 0; down < rowCount; down += 1) {
            const cell = rows.get(row + down);
            if (cell) visit(cell);
          }
          continue;
        }
        for (const cell of [...rows.values()])
          if (cell.row >= row && cell.row < row + rowCount) visit(cell);
      }
    },
    clear: () => {
      certain.clear();
      columns.clear();
    },
  };
}

const oneCell = ({
  row,
  column,
}: {
  readonly row: number;
  readonly column: number;
}): Rectangle => ({
  row,
  column,
  rowCount: 1,
  columnCount: 1,
});

type Place = Pick<FormulaCell, 'sheetId' | 'row' | 'column' | 'text'>;

/** Parsed formulas. Names, sheets and the sheets' sizes affect the parse. */
function createPatterns(
  grid: PlainGrid,
  sheets: ReturnType<typeof readingOf>['sheets'],
  isCustom: CalculationOptions['isCustom'],
) {
  const known = new Map<string, Pattern>();
  const readIn = ({ sheetId, row, text }: Place): Pattern => {
    const named = withNames(grid, text);
    return {
      text,
      english: inEnglish(named, grid.locale()),
      row,
      reads: readsOf(named, sheetId, sheets()),
      isVolatile: VOLATILE.test(text),
      isClockAlone: CLOCK_ALONE.test(text),
      isCustom: hasCustom(text, isCustom),
      engines: null,
    };
  };
  const isFor = ({ reads, text }: Pattern, place: Place) =>
    text === place.text || reads.every(({ rows }) => rows !== 'mixed');
  return {
    cell: (place: Place): FormulaCell => {
      const { sheetId, row, text } = place;
      const key = `${sheetId} ${asFilledDown(text, row)}`;
      const before = known.get(key);
      const pattern = before && isFor(before, place) ? before : readIn(place);
      known.set(key, pattern);
      const areas = pattern.reads.map((area) =>
        area.rows === 'moving' ? { ...area, row: area.row + row - pattern.row } : area,
      );
      const reads = areas.filter(({ isLookedUp }) => !isLookedUp);
      const lookedUp = areas.filter(({ isLookedUp }) => isLookedUp);
      const fresh = { seen: null, spill: null, isBlocked: false, sparkline: null };
      return { ...place, pattern, reads, lookedUp, ...fresh };
    },
    forget: () => known.clear(),
  };
}

/** The areas that a formula reads. Names of cells must already be replaced by their addresses. */
function readsOf(
  formula: string,
  ownSheetId: number,
  sheets: ReturnType<ReturnType<typeof readingOf>['sheets']>,
): Pattern['reads'] {
  return readReferences(formula).flatMap(({ text, isLookedUp }) => {
    const address = parseAddress(text);
    const sheetId = address?.sheetName
      ? sheets.find(({ name }) => name.toLowerCase() === address.sheetName?.toLowerCase())?.id
      : ownSheetId;
    if (!address || sheetId === undefined) return [];
    const size = sheets.find(({ id }) => id === sheetId);
    return size ? [{ sheetId, ...address.within(size), rows: rowsOf(text), isLookedUp }] : [];
  });
}

function hasCustom(text: string, isCustom: CalculationOptions['isCustom']): boolean {
  if (!isCustom) return false;
  const code = text.replace(/"(?:[^"]|"")*"/g, '""');
  return [...code.matchAll(/([A-Za-z_]\w*)\s*\(/g)].some(([, name = '']) =>
    isCustom(name.toUpperCase()),
  );
}

/**
 * Whether the cells that a formula is to fill are free of other content. If they are not, Google
 * shows #REF!.
 */
function hasRoom(grid: PlainGrid, sheetId: number, spill: Rectangle, origin: FormulaCell): boolean {
  const { maxRows, maxColumns } = grid.size(sheetId);
  // Google adds the missing rows. This host refuses, so a test cannot rely on that.
  if (spill.row + spill.rowCount - 1 > maxRows || spill.column + spill.columnCount - 1 > maxColumns)
    return false;
  const filled = new Set(grid.spilled(sheetId).map(({ row, column }) => `${row} ${column}`));
  const formulas = grid.formulas(sheetId, spill);
  return grid.values(sheetId, spill).every((row, down) =>
    row.every((value, right) => {
      const [at, across] = [spill.row + down, spill.column + right];
      if (at === origin.row && across === origin.column) return true;
      if (formulas[down]?.[right]) return false;
      return value === '' || filled.has(`${at} ${across}`);
    }),
  );
}

/** The cells that a formula fills. */
const areaOf = (cell: FormulaCell): Area => ({
  sheetId: cell.sheetId,
  ...(cell.spill ?? oneCell(cell)),
});

/** Areas of the same columns joined into one, with the rows between them. */
function joined(areas: readonly Area[]): readonly Area[] {
  const found = new Map<string, Area>();
  for (const area of areas) {
    const key = `${area.sheetId} ${area.column} ${area.columnCount}`;
    const before = found.get(key);
    found.set(key, before ? { ...area, ...around(before, area) } : area);
  }
  return [...found.values()];
}

function around(one: Rectangle, other: Rectangle): Rectangle {
  const row = Math.min(one.row, other.row);
  const end = Math.max(one.row + one.rowCount, other.row + other.rowCount);
  return { ...one, row, rowCount: end - row };
}

function readingOf(grid: PlainGrid) {
  let sheets: readonly { id: number; name: string; maxRows: number; maxColumns: number }[] | null =
    null;
  return {
    sheets: () => {
      sheets ??= grid.sheets().map((tab) => ({ ...tab, ...grid.size(tab.id) }));
      return sheets;
    },
    forget: () => {
      sheets = null;
    },
  };
}

/** Values that have been calculated but not yet written, layered over those in the grid. */
function createValues(grid: PlainGrid) {
  const { toSerial, toDate } = createDateSerial(grid.timeZone());
  const fresh = new Map<number, Result & { readonly sheetId: number }>();
  const read = (sheetId: number, row: number, column: number): Outcome => {
    const known = fresh.size === 0 ? undefined : fresh.get(placeOf(sheetId, row, column));
    if (known === undefined) return grid.readCell(sheetId, row, column);
    return isDate(known.value) ? toSerial(known.value) : known.value;
  };
  return {
    toSerial,
    toDate,
    read,
    /** Returns whether formulas read another value there than before. */
    put: (sheetId: number, { row, column, value, isSpilled }: Result): boolean => {
      const before = read(sheetId, row, column);
      fresh.set(placeOf(sheetId, row, column), { sheetId, row, column, value, isSpilled });
      return read(sheetId, row, column) !== before;
    },
    write: () => {
      const results = [...fresh.values()];
      fresh.clear();
      for (const id of new Set(results.map(({ sheetId }) => sheetId)))
        grid.setResults(
          id,
          results.filter(({ sheetId }) => sheetId === id),
        );
    },
  };
}
