// A formula as it reads after columns went elsewhere and its row as well. Pure.

import { columnLetters } from '../platform/column-letters';

/** Texts, names of other sheets with what follows, and then references, which are no parts of names. */
const PIECES =
  /"(?:[^"]|"")*"|(?:'(?:[^']|'')*'|[A-Za-z_][\w.]*)![$\w:]+|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\w(.!])|(?<![\w.$])(\$?)([A-Z]{1,3}):(\$?)([A-Z]{1,3})(?![\w(.!$])/g;

const numberOf = (letters: string) =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/**
 * @param columnNow where a column stands by now.
 * @param row the formula's row before, and now: references to it follow. Those to other rows stay,
 *   as do those to other sheets.
 */
export function movedFormula(
  formula: string,
  columnNow: (column: number) => number,
  row: { readonly from: number; readonly to: number },
): string {
  const moved = (letters: string) => columnLetters(columnNow(numberOf(letters)));
  return formula.replace(
    PIECES,
    (all, fixed, letters, fixedRow, number, fixedFirst, first, fixedLast, last) => {
      if (letters !== undefined) {
        const isOwn = fixedRow === '' && Number(number) === row.from;
        return `${fixed}${moved(letters)}${fixedRow}${isOwn ? row.to : number}`;
      }
      if (first === undefined) return all;
      return `${fixedFirst}${moved(first)}:${fixedLast}${moved(last)}`;
    },
  );
}
