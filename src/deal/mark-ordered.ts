// Notes beside what the shopping list has that it is ordered, so that the next one leaves it out.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, stretches } from '../google/cells';
import { addTag } from '../list/tagged-list';
import { PRODUCT_TITLE } from '../product/fields';
import { refusalOf } from '../sheet/refusal';
import { type DealList, type ListSelection, openList } from './list';
import { offersOf, type ReadTab } from './offer-rows';
import { lineKey } from './shopping-list';

/** It is read like a column of a person's: by its title, also where its tag is gone. */
const TITLE = 'Already ordered';

/** The column that says what is ordered, at the right of the list if it has none. */
function orderedColumn({ list, costs }: DealList): number | Failure {
  const { sheet, id, headerRow } = list;
  if (costs.ordered !== undefined) return costs.ordered.column;
  const size = sheet.size();
  if (size === null) return runProblem('sheet-gone');
  const column = size.lastColumn + 1;
  const head = areaOf(headerRow, column);
  const grown = column > size.maxColumns ? sheet.addColumns(size.maxColumns, 1) : 'written';
  const refusal =
    refusalOf(grown, head) ??
    refusalOf(sheet.write(head, [[TITLE]]), head) ??
    refusalOf(addTag(sheet, { list: id, role: 'ordered', title: TITLE }, column), head);
  return refusal ?? column;
}

/**
 * Writes the date beside these products, where they are bought and not ordered yet. A formula of a person's
 * stays.
 *
 * @param lines those of the shopping list, by key: what was added since is not on it.
 * @returns beside how many rows it was written.
 */
export function markOrdered(
  selection: ListSelection,
  readTab: ReadTab,
  lines: readonly string[],
  date: Date,
): number | Failure {
  const found = openList(selection);
  if (isFailure(found)) return found;
  if (found === null) return runProblem('look-again', PRODUCT_TITLE);
  const { sheet, headerRow } = found.list;
  const column = orderedColumn(found);
  if (isFailure(column)) return column;
  // Rows are read once the column is there.
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  const offers = deal === null ? [] : offersOf(deal, readTab);
  if (isFailure(offers)) return offers;
  const last = Math.max(headerRow + 1, ...offers.map(({ row }) => row));
  const formulas = sheet.formulas(areaOf(headerRow + 1, column, last - headerRow)) ?? [];
  const ordered = offers.filter(
    (offer) =>
      lines.includes(lineKey(offer)) &&
      offer.quantity !== 0 &&
      !offer.isOrdered &&
      formulas[offer.row - headerRow - 1]?.[0] === '',
  );
  for (const run of stretches(ordered, ({ row }) => row)) {
    const area = areaOf(run[0].row, column, run.length);
    const refusal = refusalOf(
      sheet.write(
        area,
        run.map(() => [date]),
      ),
      area,
    );
    if (refusal !== null) return refusal;
  }
  return ordered.length;
}
