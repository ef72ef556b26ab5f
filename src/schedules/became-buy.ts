// What became a Buy: what a list says of its products, by its columns *Verdict* and *Why*, before a run and
// after.

import { keyOfProduct, type RecordedRow } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import {
  type ChangeRule,
  changeTracker,
  isComparable,
  type Logged,
  type LogLine,
  logChanges,
  NOTHING_LOGGED,
} from '../analysis/changes';
import { whileLeased } from '../analysis/leased';
import type { Engine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { formulaColumn, type MarkedList, markedList } from '../list/marked-list';
import {
  cellsBelow,
  type KnownRows,
  type ListRow,
  listRows,
  productOf,
  shownOf,
} from '../list/rows';
import { productKey } from '../product/asin';
import { ruleWords } from '../product/fields';

/** The column of a list that says what to do with a product. */
const VERDICT_TITLE = 'Verdict';
const BUY = 'Buy';

/** The kind of the rule. */
export const BECAME_BUY = 'became-buy';

/** Reasons that do not stand against buying: the figures were only old, or there is a note. */
const NO_MATTER = /^(Figures older than .* days?|Sell price estimated|Check units and cost)$/;

/**
 * What a list says of a row, by its columns *Verdict* and *Why*. A product that is no Buy only
 * because its figures are old counts as one: age alone is no news.
 */
export function verdictIn(verdict: string, why: string): string {
  const isOnlyOld = verdict === 'Maybe' && why.split('; ').every((one) => NO_MATTER.test(one));
  return isOnlyOld ? BUY : verdict;
}

/** What a list says of each product (`productKey`), in each of its rows. */
export type Verdicts = ReadonlyMap<string, readonly string[]>;

/** The lines for known products that a list calls a Buy now and did not before. */
export function becameBuy(
  rows: readonly RecordedRow[],
  before: Verdicts,
  now: Verdicts,
  atMs: number,
): readonly LogLine[] {
  const lines = new Map<string, LogLine>();
  for (const row of rows) {
    const product = keyOfProduct(row.after);
    const [was = [], is = []] = [before.get(product), now.get(product)];
    if (!isComparable(row) || was.length === 0) continue;
    if (!is.includes(BUY) || was.includes(BUY)) continue;
    lines.set(product, {
      atMs,
      asin: row.after.asin,
      market: row.after.market,
      figure: VERDICT_TITLE,
      before: was[0] ?? '',
      after: BUY,
      marked: ruleWords({ kind: BECAME_BUY }),
    });
  }
  return [...lines.values()];
}

/** How often a list is read, if rows move meanwhile. */
const READS_MAX = 5;

/**
 * What a list says of each product now, by its columns *Verdict* and *Why*. It says nothing if it has
 * no decisions; a failure if rows have moved at each reading.
 */
export function readVerdicts(list: MarkedList, known: KnownRows): Verdicts | Failure {
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const verdicts = readOnce(list, known);
    if (verdicts !== null) return verdicts;
  }
  return runProblem('sheet-busy', `the sheet "${list.sheet.name() ?? ''}"`);
}

/** null: rows have moved. */
function readOnce({ sheet, id }: MarkedList, known: KnownRows): Verdicts | null {
  // People may have moved its columns meanwhile.
  const list = markedList({ sheetId: sheet.id, listId: id });
  const rows = list && listRows(list, known);
  if (list === null || rows === null) return new Map();
  const verdicts = verdictsBeside(list, rows);
  if (verdicts.size === 0) return verdicts;
  const products = cellsBelow(list, list.productColumn);
  const isThere = ({ row, shown }: ListRow) =>
    shownOf(products[row - list.headerRow - 1]) === shown;
  return rows.every(isThere) ? verdicts : null;
}

function verdictsBeside(list: MarkedList, rows: readonly ListRow[]): Verdicts {
  const verdicts = new Map<string, readonly string[]>();
  for (const { market } of list.groups) {
    const column = formulaColumn(list, 'verdict', market);
    if (column === undefined) continue;
    const why = formulaColumn(list, 'why', market);
    const words = cellsBelow(list, column);
    const reasons = why === undefined ? [] : cellsBelow(list, why);
    for (const row of rows) {
      const product = productOf(row);
      if (product === null || (market !== 'column' && product.market !== market)) continue;
      const at = row.row - list.headerRow - 1;
      const verdict = verdictIn(String(words[at] ?? ''), String(reasons[at] ?? ''));
      const key = productKey(product);
      verdicts.set(key, [...(verdicts.get(key) ?? []), verdict]);
    }
  }
  return verdicts;
}

/** A list before a run. */
interface ListBefore {
  readonly list: MarkedList;
  readonly tab: AnalysisTab;
  readonly known: KnownRows;
  readonly verdicts: Verdicts;
}

/** Logs the products that have become a Buy, and marks their rows. */
export function noteBought(
  platform: Platform,
  engine: Engine,
  { list, tab, known, verdicts }: ListBefore,
  rules: readonly ChangeRule[],
): Logged | Failure {
  const after = tab.read();
  if (isFailure(after)) return after;
  const settled = [...after].flatMap(([key, row]): readonly RecordedRow[] => {
    const before = known.get(key) ?? null;
    return row.triedMs === before?.triedMs ? [] : [{ before, after: row }];
  });
  const now = readVerdicts(list, known);
  if (isFailure(now)) return now;
  const bought = becameBuy(settled, verdicts, now, platform.clock.nowMs());
  const products = new Set(bought.map(keyOfProduct));
  const rows = settled.filter(({ after }) => products.has(keyOfProduct(after)));
  if (rows.length === 0) return NOTHING_LOGGED;
  const tracker = changeTracker(platform, rules);
  const words = [ruleWords({ kind: BECAME_BUY })];
  return whileLeased(platform, 'writing results', () => {
    const logged = logChanges(engine, bought);
    const written = tab.record(
      rows.map((row) => [
        { key: row.after.key },
        (before) => before && { ...before, changed: tracker.mark(row, words) ?? before.changed },
      ]),
    );
    return isFailure(written) ? { ...logged, problem: logged.problem ?? written } : logged;
  });
}
