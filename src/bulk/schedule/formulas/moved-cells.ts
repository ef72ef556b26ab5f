// Cells that moved while formulas were written: which is which now, and what has to be put back. Pure.

import { columnLetters } from '../../../platform/column-letters';
import type { SheetCell } from '../../../platform/sheet-ports';
import { columnNumber } from './reference';

/** A part of a sheet as it was at a moment, from its first row and from `column` on. */
export interface Snapshot {
  readonly column: number;
  readonly values: readonly (readonly SheetCell[])[];
  /** '' where a cell has none. */
  readonly formulas: readonly (readonly string[])[];
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** A cell that was written, and what is to stand there. Rows and columns count from 1. */
export interface PutBack extends Place {
  readonly content: { readonly value: SheetCell } | { readonly formula: string };
}

/** What formulas show in place of figures: it comes and goes without anybody moving anything. */
const OF_FORMULAS = /^(Not analyzed: |Loading|#)/;

/** The texts that people put into cells, '' for anything else: a row is known by them. */
function textsOf({ values, formulas }: Snapshot): readonly (readonly string[])[] {
  return values.map((cells, down) =>
    cells.map((cell, right) => {
      const isOwn = typeof cell === 'string' && (formulas[down]?.[right] ?? '') === '';
      return isOwn && !OF_FORMULAS.test(cell) ? cell : '';
    }),
  );
}

type Texts = ReturnType<typeof textsOf>;

const marksOf = (lines: Texts, isLeftOut: (at: number) => boolean): readonly string[] =>
  lines.map((line) =>
    line
      .filter((_, at) => !isLeftOut(at))
      .join('\n')
      .trim(),
  );

const turned = (lines: Texts): Texts =>
  (lines[0] ?? []).map((_, at) => lines.map((line) => line[at] ?? ''));

interface Moves {
  /** For each line now, which it was before, both from 0; null: there was none. */
  readonly origins: readonly (number | null)[];
  /** And the other way round. */
  readonly now: ReadonlyMap<number | null, number>;
  readonly isInOrder: boolean;
}

/** null: nothing has moved. */
function movesOf(before: readonly string[], after: readonly string[]): Moves | null {
  if (before.every((mark, at) => mark === after[at])) return null;
  const places = new Map<string, number[]>();
  before.forEach((mark, at) => {
    if (mark !== '') places.set(mark, [...(places.get(mark) ?? []), at]);
  });
  const origins = after.map((mark) => places.get(mark)?.shift() ?? null);
  const taken = new Set(origins);
  // Lines that tell nothing of themselves stay with their neighbours.
  origins.forEach((known, at) => {
    if (known !== null) return;
    const above = at === 0 ? -1 : (origins[at - 1] ?? at - 1);
    const origin = [above + 1, at].find((one) => one < before.length && !taken.has(one)) ?? null;
    origins[at] = origin;
    taken.add(origin);
  });
  if (origins.every((origin, at) => origin === at)) return null;
  const known = origins.filter((origin): origin is number => origin !== null);
  const isInOrder = known.every((origin, at) => origin >= (known[at - 1] ?? 0));
  return { origins, now: new Map(origins.map((origin, at) => [origin, at])), isInOrder };
}

/** What the written cells are to hold now; null: nothing has moved. */
export function putBacks(
  before: Snapshot,
  after: Snapshot,
  cells: readonly Place[],
): readonly PutBack[] | null {
  const first = before.column;
  const [was, is] = [textsOf(before), textsOf(after)];
  const rows = new Set(cells.map(({ row }) => row - 1));
  const columns = new Set(cells.map(({ column }) => column - first));
  const isTitled = was.some((line, down) => !rows.has(down) && line.some((text) => text !== ''));
  const isWritten = (down: number) => isTitled && rows.has(down);
  const across = movesOf(marksOf(turned(was), isWritten), marksOf(turned(is), isWritten));
  const isColumn = (right: number) => columns.has(right);
  const down = across === null ? movesOf(marksOf(was, isColumn), marksOf(is, isColumn)) : null;
  if (across === null && down === null) return null;
  return cells.flatMap(({ row, column }): readonly PutBack[] => {
    const fromRow = originOf(down, row - 1);
    const fromColumn = originOf(across, column - first);
    if (fromRow === row - 1 && fromColumn === column - first) return [];
    if (fromRow === null || fromColumn === null) return [{ row, column, content: { value: '' } }];
    const formula = before.formulas[fromRow]?.[fromColumn] ?? '';
    const value = before.values[fromRow]?.[fromColumn] ?? '';
    if (formula === '') return [{ row, column, content: { value } }];
    const follow = (there: Place, isFixed: boolean): Place => {
      const toColumn = (across?.now.get(there.column - first) ?? there.column - first) + first;
      // What was sorted takes along what it names in its own row; everybody else follows.
      const sorted = isFixed ? there.row : there.row + row - 1 - fromRow;
      const moved = (down?.now.get(there.row - 1) ?? there.row - 1) + 1;
      return { row: down === null || down.isInOrder ? moved : sorted, column: toColumn };
    };
    return [{ row, column, content: { formula: movedFormula(formula, follow) } }];
  });
}

function originOf(moves: Moves | null, at: number): number | null {
  return moves === null ? at : (moves.origins[at] ?? null);
}

/** Texts, cells of other sheets, and cells of the formula's own sheet. */
const TOKEN =
  /"(?:[^"]|"")*"|(?:'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_.]*)![$\p{L}\p{N}:]+|(?<![\p{L}\p{N}_.$])(\$?)([A-Z]{1,3})(\$?)([1-9]\d*)(?![\p{L}\p{N}_.(!])/giu;

function movedFormula(formula: string, follow: (there: Place, isFixed: boolean) => Place): string {
  return formula.replace(TOKEN, (text, dollar = '', letters?: string, fixed = '', row = '') => {
    if (letters === undefined) return text;
    const to = follow({ row: Number(row), column: columnNumber(letters) }, fixed !== '');
    return dollar + columnLetters(to.column) + fixed + to.row;
  });
}
