// Calculates native formulas in a plain grid immediately after each change, as Sheets does, and after
// all that a script has written at once.

import { parseAddress, toA1 } from './sheet/a1-notation';
import { featuresOf } from './sheet/book-features';
import { createDateSerial, isDate } from './sheet/date-serial';
import {
  createFormulaEngine,
  type EvaluatedFormula,
  type FormulaEngine,
  type Outcome,
  type ReadFormula,
} from './sheet/formula-engine';
import { asFilledDown, referenceTexts, rowsOf } from './sheet/formula-references';
import { inEnglish } from './sheet/formula-separators';
import type { Result } from './sheet/grid-contents';
import type { Rectangle, SheetChange } from './sheet/model';
import type { Sparkline } from './sheet/native-functions';
import { isDateFormat } from './sheet/number-format';
import type { PlainGrid } from './sheet/plain-grid';
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
}

type Area = Rectangle & { readonly sheetId: number };

/** A formula's text, parsed once for all the cells of a sheet into which it was filled down. */
interface Pattern {
  readonly text: string;
  /** null: the text cannot be parsed. */
  readonly english: string | null;
  /** The row of the cell for which the text was parsed. */
  readonly row: number;
  readonly reads: readonly (Area & { readonly rows: ReturnType<typeof rowsOf> })[];
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
  /** The areas that the formula names. */
  readonly reads: readonly Area[];
  /** The formula's own cell and the neighbours that it has filled. */
  spill: Rectangle | null;
  /** True if existing content blocks the cells that the formula would fill. */
  isBlocked: boolean;
  sparkline: Sparkline | null;
}

const VOLATILE = /\b(?:NOW|TODAY|RAND|RANDARRAY|RANDBETWEEN|INDIRECT|OFFSET)\s*\(/i;

/** Volatile formulas that only the passing of time changes. */
const CLOCK_ALONE = /^=\s*(?:NOW|TODAY)\(\)\s*$/i;

const UNREADABLE: EvaluatedFormula = { rows: [['#ERROR!']] };

/** What Sheets shows for a formula that depends on itself. */
const CIRCULAR = '#REF!';

export function calculating(grid: PlainGrid, options: CalculationOptions): Calculation {
  const names = featuresOf(grid);
  const book = readingOf(grid);
  const cells = new Map<string, FormulaCell>();
  const values = createValues(grid);
  let isOwn = false;
  /**
   * In whole seconds. Formulas that read the clock are recalculated when this number has changed.
   */
  const nowSeconds = () => Math.floor(options.nowMs() / 1_000);
  let workedAt = Number.NaN;
  const patterns = createPatterns(grid, book.sheets, options.isCustom);
  // Loading the engine takes longer than an entire test of a sheet without formulas.
  let loaded: FormulaEngine | null = null;
  const engine = () => {
    loaded ??= createFormulaEngine({
      sheets: book.sheets,
      nowSerial: () => values.toSerial(new Date(nowSeconds() * 1_000)),
      quote: options.quote ?? (() => null),
      read: values.read,
    });
    return loaded;
  };
  const evaluated = (cell: FormulaCell): EvaluatedFormula => {
    const { pattern } = cell;
    const { english, row } = pattern;
    if (english === null) return UNREADABLE;
    pattern.engines ??= engine().read(english, { ...cell, row });
    return pattern.engines.evaluate(cell);
  };
  const dirty = new Map<string, FormulaCell>();
  const underWay = new Set<string>();

  function settle(key: string): void {
    const cell = dirty.get(key);
    if (cell === undefined) return;
    if (underWay.has(key)) {
      values.put(cell.sheetId, { ...cell, value: CIRCULAR, isSpilled: false });
      dirty.delete(key);
      return;
    }
    underWay.add(key);
    for (const area of cell.reads) settleArea(area);
    if (dirty.has(key)) {
      const found = evaluated(cell);
      dirty.delete(key);
      show(cell, found);
    }
    underWay.delete(key);
  }

  /**
   * Calculates the cells of an area before the formula that reads them, because the engine
   * evaluates one formula at a time.
   */
  function settleArea(area: Area): void {
    if (area.rowCount * area.columnCount === 1) {
      settle(keyOf(area.sheetId, area.row, area.column));
      return;
    }
    for (const [key, cell] of [...dirty]) {
      if (cell.sheetId === area.sheetId && meet(area, oneCell(cell))) settle(key);
    }
  }

  function show(cell: FormulaCell, { rows, format, sparkline }: EvaluatedFormula): void {
    cell.sparkline = sparkline ?? null;
    const { sheetId, row, column } = cell;
    const own = rows[0]?.[0] ?? null;
    if (rows.length === 1 && rows[0]?.length === 1) {
      const shown = own !== null && typeof own === 'number' && format && isDateFormat(format);
      const value = shown ? values.toDate(own) : (own ?? '');
      values.put(sheetId, { row, column, value, isSpilled: false });
      return;
    }
    const spill = { row, column, rowCount: rows.length, columnCount: rows[0]?.length ?? 1 };
    cell.isBlocked = !hasRoom(grid, sheetId, spill, cell);
    if (cell.isBlocked) {
      values.put(sheetId, { row, column, value: '#REF!', isSpilled: false });
      return;
    }
    cell.spill = spill;
    rows.forEach((outcomes, down) => {
      outcomes.forEach((outcome, right) => {
        const isSpilled = down + right > 0;
        const value = outcome ?? (isSpilled ? null : '');
        values.put(sheetId, { row: row + down, column: column + right, value, isSpilled });
      });
    });
  }

  /** Marks everything that reads the changed areas, and in turn everything that reads that. */
  function spread(changed: readonly Area[]): void {
    let areas = changed;
    while (areas.length > 0) {
      const isMet = meetingAny(areas);
      const next = [...cells].filter(([key, { reads }]) => !dirty.has(key) && reads.some(isMet));
      for (const [key, cell] of next) dirty.set(key, cell);
      areas = next.flatMap(([, cell]) => [
        { sheetId: cell.sheetId, ...(cell.spill ?? oneCell(cell)) },
      ]);
    }
  }

  function work(changed: readonly Area[]): void {
    const hasClockMoved = workedAt !== nowSeconds();
    workedAt = nowSeconds();
    for (const [key, cell] of cells)
      if (cell.pattern.isVolatile && (hasClockMoved || !cell.pattern.isClockAlone))
        dirty.set(key, cell);
    spread([
      ...changed,
      ...[...dirty.values()].map((cell) => ({ sheetId: cell.sheetId, ...oneCell(cell) })),
    ]);
    // Other formulas read the cells that a formula has just filled. A spill that reads a spill
    // settles in two rounds.
    for (let round = 0; round < 4 && dirty.size > 0; round += 1) {
      for (const key of [...dirty.keys()]) settle(key);
      const filled = values.takeSpilled();
      spread(filled);
    }
    dirty.clear();
    isOwn = true;
    values.write();
    isOwn = false;
  }

  function look(sheetId: number, within: Rectangle): void {
    const { lastRow, lastColumn } = grid.size(sheetId);
    for (const [key, cell] of cells)
      if (cell.sheetId === sheetId && meet(within, oneCell(cell))) cells.delete(key);
    const rowCount = Math.min(lastRow - within.row + 1, within.rowCount);
    const columnCount = Math.min(lastColumn - within.column + 1, within.columnCount);
    if (rowCount < 1 || columnCount < 1) return;
    grid.formulas(sheetId, { ...within, rowCount, columnCount }).forEach((texts, down) => {
      texts.forEach((text, right) => {
        if (text === '') return;
        const [row, column] = [within.row + down, within.column + right];
        const cell = patterns.cell({ sheetId, row, column, text });
        if (cell.pattern.isCustom) return;
        const key = keyOf(sheetId, row, column);
        cells.set(key, cell);
        dirty.set(key, cell);
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
      for (const [key, cell] of cells) {
        if (cell.sheetId !== id || !isArrayFormula(cell)) continue;
        cell.spill = null;
        dirty.set(key, cell);
      }
      return places.map((place) => ({ sheetId: id, ...oneCell(place) }));
    });
  }

  function again(): void {
    cells.clear();
    dirty.clear();
    patterns.forget();
    book.forget();
    for (const { id, maxRows, maxColumns } of book.sheets())
      look(id, { row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns });
    work(unspill(book.sheets().map(({ id }) => id)));
  }

  const isArrayFormula = (cell: FormulaCell) => cell.spill !== null || cell.isBlocked;
  const hasSpills = (sheetId: number) =>
    [...cells.values()].some((cell) => cell.sheetId === sheetId && isArrayFormula(cell)) ||
    grid.spilled(sheetId).length > 0;
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
    sparkline: (sheetId, row, column) => cells.get(keyOf(sheetId, row, column))?.sparkline ?? null,
  };
}

const keyOf = (sheetId: number, row: number, column: number) => `${sheetId} ${row} ${column}`;

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
      const reads = pattern.reads.map((area) =>
        area.rows === 'moving' ? { ...area, row: area.row + row - pattern.row } : area,
      );
      return { ...place, pattern, reads, spill: null, isBlocked: false, sparkline: null };
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
  return referenceTexts(formula).flatMap((text) => {
    const address = parseAddress(text);
    const sheetId = address?.sheetName
      ? sheets.find(({ name }) => name.toLowerCase() === address.sheetName?.toLowerCase())?.id
      : ownSheetId;
    if (!address || sheetId === undefined) return [];
    const size = sheets.find(({ id }) => id === sheetId);
    return size ? [{ sheetId, ...address.within(size), rows: rowsOf(text) }] : [];
  });
}

/**
 * Matches texts, sheet names and words that may be the name of cells, which are followed by neither
 * "(" nor "!".
 */
const WORD = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][\w.]*(?![\w.]*[(!])/g;

/** The formula with each name of cells replaced by their address. */
function withNames(grid: PlainGrid, formula: string): string {
  const names = featuresOf(grid).names();
  if (names.length === 0) return formula;
  const byName = new Map(names.map((each) => [each.name.toLowerCase(), each]));
  return formula.replace(WORD, (word) => {
    const named = byName.get(word.toLowerCase());
    if (named === undefined) return word;
    const sheet = grid.sheets().find(({ id }) => id === named.sheetId);
    if (!sheet || !named.rectangle) return '#REF!';
    const fixed = toA1(named.rectangle).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
    return `'${sheet.name.replaceAll("'", "''")}'!${fixed}`;
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

/**
 * Returns a test for whether an area meets any of these. Areas of the same columns are merged into
 * one, with the rows between them.
 */
function meetingAny(areas: readonly Area[]) {
  const found = new Map<string, Area>();
  for (const area of areas) {
    const key = `${area.sheetId} ${area.column} ${area.columnCount}`;
    const before = found.get(key);
    found.set(key, before ? { ...area, ...around(before, area) } : area);
  }
  const merged = [...found.values()];
  return (area: Area) => merged.some((each) => each.sheetId === area.sheetId && meet(each, area));
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

/** A number for a cell, quicker to look up than a text. Sheets have at most 18,278 columns. */
const placeOf = (sheetId: number, row: number, column: number) =>
  (sheetId * 10_000_000 + row) * 20_000 + column;

/** Values that have been calculated but not yet written, layered over those in the grid. */
function createValues(grid: PlainGrid) {
  const { toSerial, toDate } = createDateSerial(grid.timeZone());
  const fresh = new Map<number, Result & { readonly sheetId: number }>();
  let spilled: Area[] = [];
  return {
    toSerial,
    toDate,
    read: (sheetId: number, row: number, column: number): Outcome => {
      const known = fresh.size === 0 ? undefined : fresh.get(placeOf(sheetId, row, column));
      if (known === undefined) return grid.readCell(sheetId, row, column);
      return isDate(known.value) ? toSerial(known.value) : known.value;
    },
    put: (sheetId: number, { row, column, value, isSpilled }: Result) => {
      fresh.set(placeOf(sheetId, row, column), { sheetId, row, column, value, isSpilled });
      if (isSpilled && value !== null) spilled.push({ sheetId, ...oneCell({ row, column }) });
    },
    takeSpilled: () => {
      const taken = spilled;
      spilled = [];
      return taken;
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
