// The figures that rows show before they are refreshed: what whoever looks at them knows so far.

import type { Field, FieldValue } from '../../analysis/fields';
import type { Area, Sheet, SheetCell } from '../../platform/sheet-ports';
import { type KnownColumn, sideBySide } from '../our-columns';
import { identityOf, isMisplaced, type Row } from '../rows';
import type { FieldValues } from './changes';

export interface ShownFigures {
  /** As they stand in the sheet: ROI in the unit of the answer. */
  readonly values: FieldValues;
  /** When they were fetched. */
  readonly atMs: number;
}

/**
 * By product key, of several rows those that are oldest. A row counts whose status tells that its
 * figures are those of its product. One call for each run of columns.
 *
 * @param sinceMs figures from before that moment were read in another way, or with another key.
 */
export function shownFigures(
  sheet: Sheet,
  rows: readonly Row[],
  columns: readonly KnownColumn[],
  fields: readonly Field[],
  sinceMs: number,
): ReadonlyMap<string, ShownFigures> {
  const telling = rows.filter(
    (row) => row.status.kind === 'ok' && !isMisplaced(row) && (row.atMs ?? 0) >= sinceMs,
  );
  if (telling.length === 0) return new Map();
  const first = Math.min(...telling.map(({ row }) => row));
  const rowCount = Math.max(...telling.map(({ row }) => row)) - first + 1;
  const cellIn = reader(sheet, { row: first, rowCount }, columns, fields);
  const oldestLast = [...telling].sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  return new Map(
    oldestLast.map((row) => {
      const pairs = fields.map((field) => [field, figureOf(field, cellIn(field, row.row - first))]);
      return [identityOf(row), { values: Object.fromEntries(pairs), atMs: row.atMs ?? 0 }];
    }),
  );
}

function reader(
  sheet: Sheet,
  place: Pick<Area, 'row' | 'rowCount'>,
  columns: readonly KnownColumn[],
  fields: readonly Field[],
): (field: Field, down: number) => SheetCell | undefined {
  const wanted = columns.filter(({ key }) => fields.some((field) => field === key));
  const cells = new Map<string, readonly (SheetCell | undefined)[]>();
  for (const group of sideBySide(wanted)) {
    const column = group[0]?.column ?? 1;
    const rows = sheet.values({ ...place, column, columnCount: group.length }) ?? [];
    for (const [at, { key }] of group.entries())
      cells.set(
        key,
        rows.map((row) => row[at]),
      );
  }
  return (field, down) => cells.get(field)?.[down];
}

/** What somebody wrote over a figure is none; undefined: nothing is known. */
function figureOf(field: Field, cell: SheetCell | undefined): FieldValue | undefined {
  if (typeof cell === 'number') return cell;
  const isWord = typeof cell === 'boolean' || (typeof cell === 'string' && cell !== '');
  return field === 'eligible' && isWord ? cell : undefined;
}
