// A sheet in the simplest way that can be right: every row and column has an identity of its own.

/** A formula that names one cell, with "$" before its row, so that sorting leaves it as it is. */
export interface Naming {
  readonly row: number;
  readonly column: number;
}

export type NaiveContent = string | number | boolean | Naming;

interface NaiveCell {
  readonly content: NaiveContent;
  readonly format: string;
}

const BLANK: NaiveCell = { content: '', format: 'General' };

function isNaming(content: NaiveContent): content is Naming {
  return typeof content === 'object';
}

/** Rows and columns count from 0. Formulas name identities, so nothing has to be shifted. */
export function createNaiveGrid(rowCount: number, columnCount: number) {
  let identities = 0;
  const fresh = (count: number) =>
    Array.from({ length: count }, () => {
      identities += 1;
      return identities;
    });
  const lines = { row: fresh(rowCount), column: fresh(columnCount) };
  const cells = new Map<string, NaiveCell>();
  const key = (row: number, column: number) => `${lines.row[row]}/${lines.column[column]}`;
  const at = (row: number, column: number) => cells.get(key(row, column)) ?? BLANK;
  const formula = ({ row, column }: Naming) => {
    const [rowNow, columnNow] = [lines.row.indexOf(row), lines.column.indexOf(column)];
    if (rowNow < 0 || columnNow < 0) return '=#REF!';
    return `=${String.fromCharCode(65 + columnNow)}$${rowNow + 1}`;
  };
  const everyCell = <Read>(read: (cell: NaiveCell) => Read) =>
    lines.row.map((_row, row) => lines.column.map((_column, column) => read(at(row, column))));
  return {
    rows: () => lines.row.length,
    columns: () => lines.column.length,
    write: (row: number, column: number, content: Exclude<NaiveContent, Naming>) => {
      cells.set(key(row, column), { ...at(row, column), content });
    },
    /** Puts a formula into the cell and gives its text. */
    name: (row: number, column: number, namedRow: number, namedColumn: number) => {
      const naming = { row: lines.row[namedRow] ?? 0, column: lines.column[namedColumn] ?? 0 };
      cells.set(key(row, column), { ...at(row, column), content: naming });
      return formula(naming);
    },
    format: (row: number, column: number, format: string) => {
      cells.set(key(row, column), { ...at(row, column), format });
    },
    insert: (axis: 'row' | 'column', before: number, count: number) => {
      lines[axis].splice(before, 0, ...fresh(count));
    },
    remove: (axis: 'row' | 'column', first: number, count: number) => {
      lines[axis].splice(first, count);
    },
    move: (axis: 'row' | 'column', first: number, count: number, before: number) => {
      if (before >= first && before <= first + count) return;
      const moved = lines[axis].splice(first, count);
      lines[axis].splice(before < first ? before : before - count, 0, ...moved);
    },
    sort: (firstRow: number, column: number, ascending: boolean) => {
      const rows = lines.row
        .slice(firstRow)
        .map((_row, down) => lines.column.map((_column, place) => at(firstRow + down, place)));
      const sorted = sortedBy(rows, (row) => row[column]?.content ?? '', ascending);
      sorted.forEach((row, down) => {
        row.forEach((cell, place) => {
          cells.set(key(firstRow + down, place), cell);
        });
      });
    },
    values: () => everyCell(({ content }) => (isNaming(content) ? '' : content)),
    formulas: () => everyCell(({ content }) => (isNaming(content) ? formula(content) : '')),
    formats: () => everyCell(({ format }) => format),
  };
}

/** One row after another is put before the first that has to come later than it. */
function sortedBy<Row>(
  rows: readonly Row[],
  contentOf: (row: Row) => NaiveContent,
  ascending: boolean,
): Row[] {
  const sorted: Row[] = [];
  for (const row of rows) {
    const later = sorted.findIndex((other) =>
      isBefore(contentOf(row), contentOf(other), ascending),
    );
    sorted.splice(later === -1 ? sorted.length : later, 0, row);
  }
  return sorted;
}

const TYPES_IN_ORDER = ['number', 'string', 'boolean'];

/** Formulas without a result count as blank, and blanks come last either way. */
function isBefore(one: NaiveContent, other: NaiveContent, ascending: boolean): boolean {
  if (one === '' || isNaming(one)) return false;
  if (other === '' || isNaming(other)) return true;
  const types = [one, other].map((content) => TYPES_IN_ORDER.indexOf(typeof content));
  const [oneType = 0, otherType = 0] = types;
  if (oneType !== otherType) return oneType < otherType === ascending;
  return ascending ? one < other : one > other;
}
