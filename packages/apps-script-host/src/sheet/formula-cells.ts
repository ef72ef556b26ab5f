// The formulas of a spreadsheet: parsed once for all cells into which each was filled down, and found
// by their cell and by what they read.

import { parseAddress } from './a1-notation';
import type { ReadFormula } from './formula-engine';
import { asFilledDown, readReferences, rowsOf } from './formula-references';
import { inEnglish } from './formula-separators';
import type { Area, KeyIndex } from './key-index';
import type { Rectangle } from './model';
import { hasName, withNames } from './named-cells';
import type { Sparkline } from './native-functions';
import type { PlainGrid } from './plain-grid';
import { columnOf, createReaders, placeOf } from './readers';
import { meet } from './rectangle';

export interface FormulaSheet {
  readonly id: number;
  readonly name: string;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** A formula's text, parsed once for all the cells of a sheet into which it was filled down. */
export interface Pattern {
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

export interface FormulaCell {
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

export interface Seen {
  readonly cells: Area[];
  readonly keys: { readonly index: KeyIndex; readonly key: string }[];
}

const VOLATILE = /\b(?:NOW|TODAY|RAND|RANDARRAY|RANDBETWEEN|INDIRECT|OFFSET)\s*\(/i;

/** Volatile formulas that only the passing of time changes. */
const CLOCK_ALONE = /^=\s*(?:NOW|TODAY)\(\)\s*$/i;

/** The formulas of all sheets, by their cell and by what they read. */
export function createFormulaCells() {
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
    all: () => [...byPlace.values()],
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
export function createDirty() {
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

export const oneCell = ({
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

type IsCustom = ((functionName: string) => boolean) | undefined;

type Place = Pick<FormulaCell, 'sheetId' | 'row' | 'column' | 'text'>;

/** Parsed formulas. Names, sheets and the sheets' sizes affect the parse. */
export function createPatterns(
  grid: PlainGrid,
  sheets: () => readonly FormulaSheet[],
  isCustom: IsCustom,
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
    /** Forgets the parse of each formula with one of these names, which are in lower case. */
    forgetNames: (names: readonly string[]) => {
      for (const [key, { text }] of known) if (hasName(text, names)) known.delete(key);
    },
    forget: () => known.clear(),
  };
}

/** The areas that a formula reads, each once. Names of cells must already be replaced by their addresses. */
function readsOf(
  formula: string,
  ownSheetId: number,
  sheets: readonly FormulaSheet[],
): Pattern['reads'] {
  const known = new Set<string>();
  return readReferences(formula).flatMap(({ text, isLookedUp }) => {
    const written = `${isLookedUp} ${text}`;
    if (known.has(written)) return [];
    known.add(written);
    const address = parseAddress(text);
    const sheetId = address?.sheetName
      ? sheets.find(({ name }) => name.toLowerCase() === address.sheetName?.toLowerCase())?.id
      : ownSheetId;
    if (!address || sheetId === undefined) return [];
    const size = sheets.find(({ id }) => id === sheetId);
    return size ? [{ sheetId, ...address.within(size), rows: rowsOf(text), isLookedUp }] : [];
  });
}

function hasCustom(text: string, isCustom: IsCustom): boolean {
  if (!isCustom) return false;
  const code = text.replace(/"(?:[^"]|"")*"/g, '""');
  return [...code.matchAll(/([A-Za-z_]\w*)\s*\(/g)].some(([, name = '']) =>
    isCustom(name.toUpperCase()),
  );
}
