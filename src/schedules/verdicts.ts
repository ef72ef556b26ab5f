// What a list says of its products, by its columns *Verdict* and *Why*.

import { type Failure, runProblem } from '../failures/failure';
import {
  cellsBelow,
  type ListRow,
  listRows,
  productOfRow,
  shownOf,
  type TabRows,
} from '../list/rows';
import { formulaColumn, type TaggedList, taggedList } from '../list/tagged-list';
import { productKey } from '../product/asin';
import { VERDICTS, type Verdict } from '../product/verdict';

export const BUY = 'Buy';

/** Reasons that do not stand against buying: the figures were only old, or there is a note. */
const NO_MATTER = /^(Figures older than .* days?|Sell price estimated|Check units and cost)$/;

/**
 * What a list says of a row, by its columns *Verdict* and *Why*. A product that is no Buy only
 * because its figures are old counts as one: age alone is no news.
 */
export function verdictIn(verdict: string, why: string): string {
  const isOnlyOld =
    verdict === 'Maybe' && why.split('; ').every((reason) => NO_MATTER.test(reason));
  return isOnlyOld ? BUY : verdict;
}

/** What a list says of each product (`productKey`), in each of its rows. */
export type Verdicts = ReadonlyMap<string, readonly string[]>;

/** What it says of a product in all of its rows; undefined: no verdict of ours. */
export function verdictOf(words: readonly string[] = []): Verdict | undefined {
  const found = words.filter((word): word is Verdict => VERDICTS.includes(word as Verdict));
  return found.find((word) => word === BUY) ?? found[0];
}

/** How often a list is read, if rows move meanwhile. */
const READS_MAX = 5;

/**
 * What a list says of each product now, by its columns *Verdict* and *Why*. It says nothing if it has
 * no decisions; a failure if rows have moved at each reading.
 */
export function readVerdicts(list: TaggedList, tabRows: TabRows): Verdicts | Failure {
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const verdicts = readOnce(list, tabRows);
    if (verdicts !== null) return verdicts;
  }
  return runProblem('sheet-busy', `the sheet "${list.sheet.name() ?? ''}"`);
}

/** null: rows have moved. */
function readOnce({ sheet, id }: TaggedList, tabRows: TabRows): Verdicts | null {
  // People may have moved its columns meanwhile.
  const list = taggedList({ sheetId: sheet.id, listId: id });
  const rows = list && listRows(list, tabRows);
  if (list === null || rows === null) return new Map();
  const verdicts = columnVerdicts(list, rows);
  if (verdicts.size === 0) return verdicts;
  const products = cellsBelow(list, list.productColumn);
  const isThere = ({ row, shown }: ListRow) =>
    shownOf(products[row - list.headerRow - 1]) === shown;
  return rows.every(isThere) ? verdicts : null;
}

function columnVerdicts(list: TaggedList, rows: readonly ListRow[]): Verdicts {
  const verdicts = new Map<string, readonly string[]>();
  for (const { market } of list.blocks) {
    const column = formulaColumn(list, 'verdict', market);
    if (column === undefined) continue;
    const why = formulaColumn(list, 'why', market);
    const words = cellsBelow(list, column);
    const reasons = why === undefined ? [] : cellsBelow(list, why);
    for (const row of rows) {
      const product = productOfRow(row);
      if (product === null || (market !== 'column' && product.market !== market)) continue;
      const at = row.row - list.headerRow - 1;
      const verdict = verdictIn(String(words[at] ?? ''), String(reasons[at] ?? ''));
      const key = productKey(product);
      verdicts.set(key, [...(verdicts.get(key) ?? []), verdict]);
    }
  }
  return verdicts;
}
