// Calculates native formulas in a plain grid immediately after each change, as Sheets does, and after
// all that a script has written at once.

import { featuresOf } from './sheet/book-features';
import { createDateSerial, isDate, isDateSerial } from './sheet/date-serial';
import {
  createDirty,
  createFormulaCells,
  createPatterns,
  type FormulaCell,
  type FormulaSheet,
  oneCell,
  type Seen,
} from './sheet/formula-cells';
import {
  createFormulaEngine,
  type EvaluatedFormula,
  type FormulaEngine,
  type Outcome,
} from './sheet/formula-engine';
import type { Shift } from './sheet/formula-references';
import type { Result } from './sheet/grid-contents';
import { type Area, createKeyIndexes } from './sheet/key-index';
import type { Rectangle, SheetChange } from './sheet/model';
import { hasName } from './sheet/named-cells';
import type { Sparkline } from './sheet/native-functions';
import { isDateFormat } from './sheet/number-format';
import { shiftOf } from './sheet/overlays';
import type { PlainGrid } from './sheet/plain-grid';
import { type Changes, createChanges, placeOf } from './sheet/readers';
import { seenAfter, shiftedPlace } from './sheet/shifted-formulas';

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
      formulaAt: (sheetId, row, column) =>
        grid.formulas(Number(sheetId), oneCell({ row, column }))[0]?.[0] ?? '',
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
      const shown = typeof own === 'number' && isDateSerial(own) && format && isDateFormat(format);
      const value = shown ? values.toDate(own) : own;
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
        put(cell, { row: row + down, column: column + right, value: outcome, isSpilled });
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

  /**
   * Keeps what formulas have come to that rows or columns have only moved, or that do not read the
   * sheet. A long list would otherwise be calculated anew for each inserted row.
   */
  function shiftAll(sheetId: number, shift: Shift): void {
    const before = cells.all();
    const sheetsBefore = book.sheets();
    forget();
    for (const { id, maxRows, maxColumns } of book.sheets())
      look(id, { row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns });
    const shifted = { sheetId, shift, sheets: sheetsBefore, over: indexes.over };
    for (const old of before) {
      const place = shiftedPlace(old, shifted);
      const cell = place && cells.at(old.sheetId, place.row, place.column);
      const seen = cell && seenAfter(old, cell, shifted);
      if (!seen) continue;
      cells.see(cell, seen);
      cell.sparkline = old.sparkline;
      dirty.delete(cell);
    }
    work(unspill(book.sheets().map(({ id }) => id)));
  }

  function forget(): void {
    cells.forget();
    dirty.clear();
    indexes.forget();
    patterns.forget();
    book.forget();
  }

  function again(): void {
    forget();
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
      const [first] = changes;
      const shift = changes.length === 1 && first ? shiftOf(first) : null;
      if (shift && first && 'sheetId' in first) shiftAll(first.sheetId, shift);
      else again();
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
  names.onNames((changed) => {
    patterns.forgetNames(changed);
    const known = new Map<string, boolean>();
    const hasChanged = (text: string) => {
      const found = known.get(text) ?? hasName(text, changed);
      known.set(text, found);
      return found;
    };
    const concerned = cells.all().filter(({ pattern }) => hasChanged(pattern.text));
    for (const cell of concerned) look(cell.sheetId, oneCell(cell));
    const sheetIds = [...new Set(concerned.map(({ sheetId }) => sheetId))];
    work(unspill(sheetIds.filter(hasSpills)));
  });
  again();
  return {
    all: again,
    sparkline: (sheetId, row, column) => cells.at(sheetId, row, column)?.sparkline ?? null,
    work: () => ({ formulas, indexes: indexes.made() }),
  };
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
  let sheets: readonly FormulaSheet[] | null = null;
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
