// The rows of a list as offers: each product with its costs, figures and decisions.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, type SheetCell } from '../google/cells';
import { nameColumnsIn } from '../list/cost-columns';
import { type ListRow, readRows, shownOf, type TabRows } from '../list/rows';
import { type DealList, decisionColumn } from './list';
import { type CellOf, inPacks, type Offer, offerIn } from './offers';

/** Reads the Analysis tab. */
export type ReadTab = () => TabRows | Failure;

/** Rows with content in the product column. Barcodes need the Analysis tab, and so do figures. */
export function productRows(
  { list, block }: DealList,
  hasFigures: boolean,
  readTab: ReadTab,
): readonly ListRow[] | Failure {
  const { market } = block;
  const read = (tabRows: TabRows) =>
    readRows({ ...list, market }, tabRows)?.filter(({ content }) => content.kind !== 'blank');
  const plain = hasFigures ? null : read(new Map());
  const isUnread = plain?.some(({ content }) => content.kind === 'unreadable') === true;
  if (!hasFigures && !isUnread) return plain ?? runProblem('sheet-gone');
  const tabRows = readTab();
  return isFailure(tabRows) ? tabRows : (read(tabRows) ?? runProblem('sheet-gone'));
}

/** The decisions that offers repeat. */
const SHOWN = ['verdict', 'why', 'myProfit', 'myRoi', 'maxBuy', 'landedCost'] as const;

/** An offer with its row as it is, from column A on. */
export interface OfferRow {
  readonly offer: Offer;
  readonly cells: readonly SheetCell[];
}

/** @param hasFigures whether offers have the figures of the Analysis tab; else they have none. */
export function offerRows(
  deal: DealList,
  readTab: ReadTab,
  hasFigures: boolean,
  roiIsFraction: boolean,
): readonly OfferRow[] | Failure {
  const { list, ownColumns, costs, terms } = deal;
  const { sheet, headerRow } = list;
  const all = productRows(deal, hasFigures, readTab);
  if (isFailure(all)) return all;
  const rows = all.filter(({ isLeftOut }) => !isLeftOut);
  const { lastRow = 0, lastColumn = 0 } = sheet.size() ?? {};
  const rowCount = lastRow - headerRow;
  const cells = rowCount > 0 ? sheet.values(areaOf(headerRow + 1, 1, rowCount, lastColumn)) : [];
  const cellsIn = ({ row }: ListRow) => cells?.[row - headerRow - 1] ?? [];
  // A product must not get the cells of another row.
  const isMoved = (row: ListRow) => shownOf(cellsIn(row)[list.productColumn - 1]) !== row.shown;
  const moved = rows.find(isMoved);
  if (moved !== undefined) return runProblem('look-again', moved.shown);
  const columns: Readonly<Record<string, number | undefined>> = {
    ...Object.fromEntries(SHOWN.map((role) => [role, decisionColumn(deal, role)])),
    ...Object.fromEntries(Object.entries(costs).map(([key, { column }]) => [key, column])),
    ...nameColumnsIn(ownColumns),
  };
  return rows.map((row) => {
    const own = cellsIn(row);
    const cellOf: CellOf = (key) => {
      const column = columns[key];
      return column === undefined ? undefined : (own[column - 1] ?? '');
    };
    const offer = offerIn(row, cellOf, terms, roiIsFraction);
    return { offer: deal.quantityAs === 'units' ? inPacks(offer) : offer, cells: own };
  });
}

export function offersOf(deal: DealList, readTab: ReadTab): readonly Offer[] | Failure {
  const rows = offerRows(deal, readTab, false, false);
  return isFailure(rows) ? rows : rows.map(({ offer }) => offer);
}
