// The titles that a person's columns had when they were bound, and the guard in the title row that compares
// them with what they are now.

import { areaOf, type SheetCell, stretches } from '../google/cells';
import { TITLE_CHARS, titleOf } from '../product/cell-text';
import { CHECK_COLUMNS, TITLES_OK } from '../product/own-row';
import { type Binding, formulaColumn, type TaggedList } from './tagged-list';

/** Upper and lower case are the same to "=" in a sheet. */
export const isSameTitle = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A column that has another title than when it was taken for this. */
export interface Rebound extends Binding {
  /** Its title now. */
  readonly now: string;
}

/** The columns of a person's whose titles are others by now. @param titles from column A on. */
export const reboundIn = (
  { bindings }: Pick<TaggedList, 'bindings'>,
  titles: readonly string[],
): readonly Rebound[] =>
  bindings
    .map((binding) => ({ ...binding, now: titles[binding.column - 1] ?? '' }))
    .filter(({ title, now }) => !isSameTitle(title, now));

/** Whether the column of products has the title that it was bound with. */
export function isAtItsProducts({
  sheet,
  headerRow,
  productColumn,
  bindings,
}: TaggedList): boolean {
  const bound = bindings.find(({ role }) => role === 'product');
  const cell = sheet.values(areaOf(headerRow, productColumn))?.[0]?.[0];
  return bound === undefined || isSameTitle(bound.title, titleOf(cell));
}

/** A title cell of ours that is no plain title. In R1C1 notation, or a text. */
export interface TitleCell {
  readonly column: number;
  readonly formula?: string;
  readonly text?: string;
}

/**
 * The title cells of each market's hidden columns: of *Reasons*, the titles of all columns that
 * decisions read, as they were bound; of the helper, a formula that compares them with what they are
 * now. So every decision says *Check columns* at once where another list is pasted over this one.
 *
 * @param cells the title row from column A on.
 */
export function guardsIn(list: TaggedList, cells: readonly SheetCell[]): readonly TitleCell[] {
  const hidden = list.blocks.flatMap(({ market, columns }) => [
    columns.get('helper'),
    formulaColumn(list, 'reasons', market),
  ]);
  // The guards of two lists in one row would read each other in a circle.
  const plain = cells
    .map((title, at) => ({ title: titleOf(title), column: at + 1 }))
    .filter(({ title, column }) => !hidden.includes(column) && !isGuard(title))
    .map(({ column }) => column);
  return list.blocks.flatMap(({ market, columns }): readonly TitleCell[] => {
    const [helper, bound] = [columns.get('helper'), formulaColumn(list, 'reasons', market)];
    if (helper === undefined || bound === undefined) return [];
    // Those for both markets read costs.
    const decided = list.formulas.filter(
      ({ tag, at }) => [market, 'both'].includes(tag.market) && at !== bound,
    );
    const ours = [...columns.values(), ...decided.map(({ at }) => at)];
    const theirs = new Map(list.bindings.map(({ column, title }) => [column, title]));
    const read = [...new Set([...theirs.keys(), ...ours])]
      .filter((column) => column !== helper && isComparable(cells[column - 1]))
      .sort((a, b) => a - b);
    const text = read
      .map((column) => {
        const now = String(cells[column - 1] ?? '');
        const was = theirs.get(column) ?? titleOf(now);
        return isSameTitle(was, titleOf(now)) ? now : was;
      })
      .join('|');
    const cell = (column: number) => `R${list.headerRow}C${column}`;
    const isSame = `TEXTJOIN("|";FALSE;${read.map(cell).join(';')})=${cell(bound)}`;
    // A reference follows a title that was cut away; a range over the row does not.
    const row = stretches(plain, (column) => column).map(
      (run) => `${cell(run[0])}:${cell(run[run.length - 1] ?? run[0])}`,
    );
    // Two signs between titles: the bound ones have one, and their cell may be moved into this row.
    const framed = (text: string) => `LOWER("||"&${text}&"||")`;
    const shown = framed(`TEXTJOIN("||";FALSE;${row.join(';')})`);
    const lost = `ISERROR(FIND(${framed(`SPLIT(${cell(bound)};"|")`)};${shown}))`;
    const isShown = `SUMPRODUCT(--${lost})=0`;
    return [
      { column: bound, text },
      {
        column: helper,
        formula: `=IFERROR(IF(AND(${isSame};${isShown});"${TITLES_OK}";"${CHECK_COLUMNS}");"${CHECK_COLUMNS}")`,
      },
    ];
  });
}

/** Whether a title is one of these, which are no titles. */
export const isGuard = (title: string): boolean =>
  title === TITLES_OK || title === CHECK_COLUMNS || title.includes('|');

/** Whether a title is the same text for a formula: no date, and not longer than is compared. */
const isComparable = (cell: SheetCell = ''): boolean =>
  typeof cell === 'string' ? titleOf(cell).length < TITLE_CHARS : Number.isInteger(cell);
