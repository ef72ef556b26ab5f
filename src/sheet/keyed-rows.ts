// Rows of a tab of ours, each known by its key: read, changed as a whole, and looked at again afterwards,
// because people sort, cut and delete at any moment. The caller has the lease, so nobody else does.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, type SheetCell, stretches } from '../google/cells';
import { unlessBusy } from '../google/service-call';
import type { Sheet } from '../google/sheet';
import { AUTOMATIC } from '../product/cell-formats';
import {
  blockProblem,
  completeColumns,
  isSameLayout,
  type Layout,
  type OwnColumns,
  tabKeepsChanging,
  tabProtected,
} from './tagged-columns';

/** Gives the cell of a column of one row; undefined where the tab lacks it. */
export type CellsOf<Column extends string> = (column: Column) => SheetCell | undefined;

/** `Seen` is a row as it stands in the tab, before it is known what of it counts. */
export interface RowTable<Column extends string, Row, Seen extends Row = Row>
  extends OwnColumns<Column> {
  /** Those by which a row is found, the key first. */
  readonly ids: readonly [Column, ...Column[]];
  /** Those that hold all of a row, `ids` among them. The others show it to people and are never read. */
  readonly kept: readonly Column[];
  /** The key in a cell, as lookups compare it; '' in titles, blank cells and whatever else people put there. */
  readonly keyIn: (cell: SheetCell | undefined) => string;
  readonly rowIn: (cells: CellsOf<Column>) => Seen;
  readonly cellOf: (row: Row, column: Column) => SheetCell;
  /** By key; of several rows with one key, the newest. */
  readonly newest: (rows: readonly Seen[]) => ReadonlyMap<string, Row>;
  /** The row for a key whose row a write has hit. @param before what its cells of `ids` said. */
  readonly lost: (key: string, before: Row | undefined) => Row;
}

/** A row as it was found and as it was written. */
export interface Recorded<Row> {
  readonly before: Row | null;
  readonly after: Row;
}

/** A row of the tab and what it holds, or is to hold. */
export interface AssignedRow<Row> {
  readonly row: number;
  readonly key: string;
  readonly data: Row;
}

export interface KeyedRows<Column extends string, Row> {
  /** By key. */
  read(): ReadonlyMap<string, Row> | Failure;
  /**
   * Writes rows whole and with their keys, so that none has another's cells, and reads the keys again. What
   * a person has moved in that instant is written again; a row that was hit comes back as a lost one.
   *
   * @param meant which rows are read, by the cells of `ids` of all: it says of each whether it is.
   * @param become the rows that change, by key.
   * @returns those that are written. Others are as they were.
   */
  put(
    meant: (all: readonly CellsOf<Column>[]) => (ids: CellsOf<Column>) => boolean,
    become: (rows: ReadonlyMap<string, Row>) => ReadonlyMap<string, Recorded<Row>>,
  ): readonly Recorded<Row>[] | Failure;
  /**
   * Deletes rows, where keys repeat or there are too many of them.
   *
   * @param surplus which rows go. @param isOver whether there are too many.
   */
  tidy(
    rowsMax: number,
    surplus: (rows: readonly AssignedRow<Row>[], isOver: boolean) => readonly AssignedRow<Row>[],
  ): void;
}

/**
 * Each time a person must have acted again. Ending sooner would leave figures in the columns that a person
 * has moved under the last write.
 */
const TRIES_MAX = 10;

/** Reading a row that is not needed costs a five-hundredth of a further call. */
const GAP_ROWS = 500;

/** Blank rows that are added with the rows that are needed. */
const SPARE_ROWS = 500;

/** How many stretches of rows `tidy` deletes, each with a call. */
const DELETIONS_MAX = 100;

/** The key of each row from the first one on; '' where a row has none. */
export type Keys = readonly string[];

/** What a reading found, all at one moment. */
interface KeysReading<Column extends string> {
  readonly layout: Layout<Column>;
  readonly keys: Keys;
}

const rowOf = ({ row }: { readonly row: number }): number => row;

const rowCellsOf =
  <Column extends string>(
    line: readonly SheetCell[],
    { columns }: Layout<Column>,
    first: number,
  ): CellsOf<Column> =>
  (column) =>
    line[(columns.get(column) ?? 0) - first];

/** The first and the last of these columns. */
function boundsOf<Column extends string>(
  { columns: all }: Layout<Column>,
  columns: readonly Column[],
): readonly [first: number, last: number] {
  const numbers = columns.map((column) => all.get(column) ?? 1);
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** @param begin where the columns were a moment ago. */
export function keyedRows<Column extends string, Row, Seen extends Row>(
  sheet: Sheet,
  begin: Layout<Column>,
  table: RowTable<Column, Row, Seen>,
): KeyedRows<Column, Row> {
  const [keyColumn] = table.ids;
  const keyOf = (cells: CellsOf<Column>): string => table.keyIn(cells(keyColumn));
  const layoutNow = () => completeColumns(sheet, table);

  /** Reads while none of our columns moves. */
  function whileStill<Found>(
    from: Layout<Column> | Failure,
    read: (layout: Layout<Column>) => Found | null,
  ): { readonly layout: Layout<Column>; readonly found: Found } | Failure {
    let layout = from;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (isFailure(layout)) return layout;
      const found = read(layout);
      const now = layoutNow();
      if (found !== null && !isFailure(now) && isSameLayout(layout, now)) return { layout, found };
      layout = now;
    }
    return tabKeepsChanging(table.title);
  }

  /** The cells of these columns in every row of the sheet; null: the sheet has changed. */
  function readColumns(
    layout: Layout<Column>,
    columns: readonly Column[],
  ): readonly CellsOf<Column>[] | null {
    const [first, last] = boundsOf(layout, columns);
    const lines = sheet.columns(first, last - first + 1);
    return lines?.map((line) => rowCellsOf(line, layout, first)) ?? null;
  }

  function readKeys(from: Layout<Column> | Failure): KeysReading<Column> | Failure {
    const read = whileStill(from, (layout) => readColumns(layout, [keyColumn]));
    return isFailure(read) ? read : { layout: read.layout, keys: read.found.map(keyOf) };
  }

  function readRows(
    layout: Layout<Column>,
    rows: readonly number[],
  ): readonly AssignedRow<Seen>[] | null {
    const [first, last] = boundsOf(layout, table.kept);
    const read: AssignedRow<Seen>[] = [];
    for (const stretch of stretches(rows, (row) => row, GAP_ROWS)) {
      const [top] = stretch;
      const rowCount = (stretch[stretch.length - 1] ?? top) - top + 1;
      const lines = sheet.values(areaOf(top, first, rowCount, last - first + 1));
      if (lines === null) return null;
      for (const row of stretch) {
        const cells = rowCellsOf(lines[row - top] ?? [], layout, first);
        read.push({ row, key: keyOf(cells), data: table.rowIn(cells) });
      }
    }
    return read;
  }

  function readAll(): readonly AssignedRow<Seen>[] | Failure {
    const read = whileStill(begin, (layout) => readColumns(layout, table.kept));
    if (isFailure(read)) return read;
    return read.found.flatMap((cells, at) => {
      const key = keyOf(cells);
      return key === '' ? [] : [{ row: at + 1, key, data: table.rowIn(cells) }];
    });
  }

  /**
   * Writes rows, and reads the keys again.
   *
   * @param lost a row for a key that had one before.
   * @returns the keys that are still to be written.
   */
  function write(
    from: KeysReading<Column>,
    rows: ReadonlyMap<string, Row>,
    lost: (key: string) => Row,
  ): ReadonlySet<string> | Failure {
    const wanted = new Map(rows);
    let before = from;
    let left: ReadonlySet<string> = new Set(rows.keys());
    for (let tries = 0; tries < TRIES_MAX && left.size > 0; tries += 1) {
      for (const key of left) if (!wanted.has(key)) wanted.set(key, lost(key));
      const data = new Map([...wanted].filter(([key]) => left.has(key)));
      const { layout, keys } = before;
      const assigned = assignedIn(keys, data);
      if (isFailure(assigned)) return assigned;
      const problem = writeStretches(layout, assigned, tries > 0);
      if (problem !== null) return problem;
      // The read carries the write out, and fails where its rows or columns are gone by then.
      const readNow = () => readKeys(layout);
      const seen = unlessBusy(readNow);
      const now = isFailure(seen) && seen.kind === 'google-busy' ? readNow() : seen;
      if (isFailure(now)) return now;
      const rejected = sheet.rejected();
      if (rejected !== null) return runProblem('rejected', `${table.title}!${rejected}`);
      const hasShifted = !isSameLayout(layout, now.layout);
      left = keysToRepeat({ before: keys, assigned, after: now.keys, hasShifted });
      before = now;
    }
    return left;
  }

  function assignedIn(
    keys: Keys,
    rows: ReadonlyMap<string, Row>,
  ): readonly AssignedRow<Row>[] | Failure {
    const present = new Set(keys);
    if ([...rows.keys()].every((key) => present.has(key))) return assignRows(rows, keys, 0);
    const lastRow = sheet.lastRow();
    if (lastRow === null) return runProblem('sheet-gone');
    const assigned = assignRows(rows, keys, lastRow);
    // A whole column is read, so there are as many keys as the sheet has rows.
    const more = (assigned[assigned.length - 1]?.row ?? 0) - keys.length;
    const added = more > 0 ? sheet.addRows(keys.length, more + SPARE_ROWS) : 'written';
    if (added === 'full') return runProblem('full');
    return added === 'protected' ? tabProtected(table.title) : assigned;
  }

  /** @param setsFormats a date that was written into another column made its cell one of dates. */
  function writeStretches(
    layout: Layout<Column>,
    assigned: readonly AssignedRow<Row>[],
    setsFormats: boolean,
  ): Failure | null {
    const { first, last } = layout;
    const columnAt = new Map([...layout.columns].map(([column, at]) => [at, column] as const));
    const block = Array.from({ length: last - first + 1 }, (_, at) => columnAt.get(first + at));
    const formats = block.map((column) =>
      column === undefined ? AUTOMATIC : table.formatOf(column),
    );
    for (const stretch of stretches(assigned, rowOf)) {
      const area = areaOf(stretch[0].row, first, stretch.length, block.length);
      const cells = stretch.map(({ data }) =>
        block.map((column) => (column === undefined ? '' : table.cellOf(data, column))),
      );
      if (setsFormats)
        sheet.setFormats(
          area,
          stretch.map(() => formats),
        );
      // Where rows are gone by now, the next reading shows what is missing.
      if (sheet.write(area, cells) === 'protected') return tabProtected(table.title);
    }
    return null;
  }

  return {
    read() {
      const rows = readAll();
      return isFailure(rows) ? rows : table.newest(rows.map(({ data }) => data));
    },

    put(meant, become) {
      const read = whileStill(begin, (layout) => {
        const ids = readColumns(layout, table.ids);
        if (ids === null) return null;
        const keys = ids.map(keyOf);
        const isMeant = meant(ids);
        const numbers = ids.flatMap((cells, at) =>
          keys[at] !== '' && isMeant(cells) ? [at + 1] : [],
        );
        const rows = readRows(layout, numbers);
        // Rows may have moved between the two readings.
        return rows?.every(({ row, key }) => key === keys[row - 1]) ? { ids, keys, rows } : null;
      });
      if (isFailure(read)) return read;
      const { layout } = read;
      const problem = blockProblem(layout);
      if (problem !== null) return problem;
      const { ids, keys, rows } = read.found;
      const changed = become(table.newest(rows.map(({ data }) => data)));
      const after = new Map([...changed].map(([key, recorded]) => [key, recorded.after] as const));
      const rowsOfKeys = rowsByKey(keys);
      const left = write({ layout, keys }, after, (key) => {
        const cells = ids[(rowsOfKeys.get(key)?.[0] ?? 0) - 1];
        return table.lost(key, cells && table.newest([table.rowIn(cells)]).get(key));
      });
      if (isFailure(left)) return left;
      const written = [...changed].filter(([key]) => !left.has(key)).map(([, row]) => row);
      return written.length === 0 && changed.size > 0 ? tabKeepsChanging(table.title) : written;
    },

    tidy(rowsMax, surplus) {
      const read = readKeys(layoutNow());
      if (isFailure(read) || blockProblem(read.layout) !== null) return;
      const count = read.keys.filter((key) => key !== '').length;
      if (rowsByKey(read.keys).size === count && count <= rowsMax) return;
      const rows = readAll();
      if (isFailure(rows)) return;
      const deleted = stretches(surplus(rows, count > rowsMax), rowOf).slice(-DELETIONS_MAX);
      // From the bottom up, because rows below a deleted one move up.
      for (const stretch of [...deleted].reverse())
        sheet.deleteRows(stretch[0].row, stretch.length);
      const now = readKeys(read.layout);
      if (isFailure(now)) return;
      const gone = new Set(deleted.flat().map(rowOf));
      const stays = new Map(
        rows.filter(({ row }) => !gone.has(row)).map((assigned) => [assigned.key, assigned.data]),
      );
      const present = new Set(now.keys);
      const lost = (key: string) => table.lost(key, stays.get(key));
      const missing = [...stays.keys()].filter((key) => !present.has(key));
      write(now, new Map(missing.map((key) => [key, lost(key)] as const)), lost);
    },
  };
}

/** The rows of each key, from 1. */
function rowsByKey(keys: Keys): ReadonlyMap<string, readonly number[]> {
  const rows = new Map<string, number[]>();
  keys.forEach((key, at) => {
    if (key === '') return;
    const numbers = rows.get(key);
    if (numbers === undefined) rows.set(key, [at + 1]);
    else numbers.push(at + 1);
  });
  return rows;
}

/**
 * A row for each occurrence of a key, from the top down, so that rows with one key are equal. A key that
 * has none gets a row that another of these keys has too many: a write that met another row left
 * both, and would else leave more copies each time. Otherwise it gets one below the last row.
 */
export function assignRows<Row>(
  rows: ReadonlyMap<string, Row>,
  keys: Keys,
  lastRow: number,
): readonly AssignedRow<Row>[] {
  const present = rowsByKey(keys);
  const surplus = [...rows.keys()].flatMap((key) => present.get(key)?.slice(1) ?? []);
  // Rows may have been deleted since the keys were read.
  let free = keys.reduce((last, key, at) => (key === '' ? last : Math.max(last, at + 1)), lastRow);
  const homes = new Map<string, number>();
  for (const key of rows.keys()) if (!present.has(key)) homes.set(key, surplus.shift() ?? ++free);
  const given = new Set(homes.values());
  const rowsFor = (key: string) =>
    present.get(key)?.filter((row) => !given.has(row)) ?? [homes.get(key) ?? 0];
  const assigned = [...rows].flatMap(([key, data]) =>
    rowsFor(key).map((row) => ({ row, key, data })),
  );
  return assigned.sort((a, b) => a.row - b.row);
}

/** A write, with the keys that stood in the tab before it and stand there after it. */
export interface Write {
  readonly before: Keys;
  readonly assigned: readonly Pick<AssignedRow<unknown>, 'row' | 'key'>[];
  readonly after: Keys;
  /** Columns moved meanwhile, so that the write may have met others. */
  readonly hasShifted: boolean;
}

/**
 * The keys that have to be written again because a person moved rows or columns meanwhile: those
 * written that have more or fewer rows than were written, and others that have become fewer, because
 * the write may have hit their rows.
 */
export function keysToRepeat({ before, assigned, after, hasShifted }: Write): ReadonlySet<string> {
  const now = rowsByKey(after);
  const again = new Set<string>();
  const written = new Map<string, number>();
  for (const { key } of assigned) written.set(key, (written.get(key) ?? 0) + 1);
  for (const [key, rows] of written)
    if (hasShifted || now.get(key)?.length !== rows) again.add(key);
  for (const [key, rows] of rowsByKey(before))
    if (!written.has(key) && (now.get(key)?.length ?? 0) < rows.length) again.add(key);
  if (hasShifted) for (const { row } of assigned) again.add(after[row - 1] ?? '');
  again.delete('');
  return again;
}
