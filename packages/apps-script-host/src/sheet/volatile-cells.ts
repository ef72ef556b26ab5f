// Decides for which formulas Sheets refuses a custom function: those that depend on functions which
// change by themselves.

import { parseAddress } from './a1-notation';
import type { SheetModel } from './model';

/**
 * Google's words, as people quote them: "This function is not allowed to reference a cell with
 * NOW(), RAND(), or RANDBETWEEN()", recently also with RANDARRAY(), "direct or indirect".
 */
export const VOLATILE_REFUSED =
  'This function is not allowed to reference a cell with NOW(), RAND(), RANDARRAY(), or RANDBETWEEN()';

/** It is not known whether Sheets accepts TODAY(), so this refuses it. */
const VOLATILE = /\b(?:NOW|TODAY|RAND|RANDARRAY|RANDBETWEEN)\s*\(/i;

/** References outside texts, with the name of their sheet if there is one. */
const REFERENCE =
  /(?:(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?\$?[A-Z]{1,3}\$?\d*(?::\$?[A-Z]{0,3}\$?\d*)?(?![\p{L}\p{N}_(])/giu;

/** Whether the formula, or any that it refers to directly or indirectly, has such a function. */
export function refersToVolatile(
  model: Pick<SheetModel, 'formulas' | 'sheets' | 'size'>,
  sheetId: number,
  formula: string,
  seen: Set<string> = new Set(),
): boolean {
  const code = formula.replace(/"(?:[^"]|"")*"/g, '""');
  if (VOLATILE.test(code)) return true;
  return [...code.matchAll(REFERENCE)].some(([text]) => {
    const key = `${sheetId} ${text.toUpperCase()}`;
    const address = seen.has(key) ? null : parseAddress(text);
    seen.add(key);
    if (address === null) return false;
    const { sheetName } = address;
    const isNamed = ({ name }: { readonly name: string }) =>
      name.toLowerCase() === sheetName?.toLowerCase();
    const id = sheetName === null ? sheetId : model.sheets().find(isNamed)?.id;
    if (id === undefined) return false;
    const { lastRow, lastColumn, ...size } = model.size(id);
    const { row, column, rowCount, columnCount } = address.within(size);
    const height = Math.min(rowCount, lastRow - row + 1);
    const width = Math.min(columnCount, lastColumn - column + 1);
    if (height < 1 || width < 1) return false;
    const there = model.formulas(id, { row, column, rowCount: height, columnCount: width });
    return there.flat().some((one) => one !== '' && refersToVolatile(model, id, one, seen));
  });
}
