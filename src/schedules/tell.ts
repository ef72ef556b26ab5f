// Tells what a schedule's rules meet in its list and was not told yet, whoever has fetched it: the schedule
// itself, another one, or a person's own run.

import { foldedKey, keyOfProduct } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { baselineOf } from '../analysis/baseline';
import {
  changeTracker,
  type Logged,
  type LogLine,
  logChanges,
  logLines,
  NOTHING_LOGGED,
  newsIn,
  readLog,
  withNews,
} from '../analysis/changes';
import type { AnalysisRow } from '../analysis/row-record';
import type { Engine } from '../engine/engine';
import { type Failure, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { type ListRow, listRows, type TabRows } from '../list/rows';
import type { TaggedList } from '../list/tagged-list';
import { ruleWords, TITLES } from '../product/fields';
import { isMeant, type ListTask } from './due';
import { lastEndMs, type Schedule } from './schedule';
import { BUY, readVerdicts, type Verdicts, verdictOf } from './verdicts';

const BECAME_BUY = { kind: 'became-buy' } as const;

/** A list whose rows a schedule tells of. */
export interface NewsList {
  readonly list: TaggedList;
  readonly tab: AnalysisTab;
  /** Every row of the tab. */
  readonly tabRows: TabRows;
}

/** Logs what is news to this schedule and marks the rows. The caller has the lease. */
export function tellNews(
  platform: Platform,
  engine: Engine,
  schedule: Schedule,
  task: ListTask,
  { list, tab, tabRows }: NewsList,
): Logged | Failure {
  const { id, settings } = schedule;
  const { rules } = settings;
  const rows = rules.length === 0 ? null : listRows(list, tabRows);
  if (rows === null) return NOTHING_LOGGED;
  const asksForBuys = rules.some(({ kind }) => kind === BECAME_BUY.kind);
  const verdicts: Verdicts | Failure = asksForBuys ? readVerdicts(list, tabRows) : new Map();
  if (isFailure(verdicts)) return verdicts;
  const telling = { name: id, rules };
  const tracker = changeTracker(platform, telling);
  const noted = (row: AnalysisRow): AnalysisRow => {
    const verdict = verdictOf(verdicts.get(keyOfProduct(row)));
    const after = verdict === undefined ? row : withNews(row, verdictName(id), verdict);
    const isBought = verdict === BUY && wasNone(row, id) !== null;
    return tracker.marked(row, after, isBought ? [ruleWords(BECAME_BUY)] : []);
  };
  const own = ownRows(
    rows.filter(({ tabRow: row }) => isMeant(row, task)),
    engine.fetchedWith,
  );
  const changed = own.filter((row) => noted(row) !== row);
  if (changed.length === 0) return NOTHING_LOGGED;
  const nowMs = platform.clock.nowMs();
  const same = changed.map((row) => ({ before: row, after: row }));
  const bought = changed.filter((row) => verdictOf(verdicts.get(keyOfProduct(row))) === BUY);
  const lines = [...logLines(same, telling, nowMs), ...boughtLines(bought, id, nowMs)];
  // What the latest run has told itself may have become news again since.
  const sinceMs = lastEndMs(schedule) ?? schedule.madeMs;
  const logged = logChanges(engine, untold(lines, sinceMs));
  const written = tab.record(
    changed.map((row) => [
      { key: row.key },
      // What somebody has written meanwhile is told the next time.
      (now) => (now?.told === row.told && now.analyzedMs === row.analyzedMs ? noted(now) : null),
    ]),
  );
  return isFailure(written) ? { ...logged, problem: logged.problem ?? written } : logged;
}

/** The rows of the tab whose figures came with this key, each once. */
function ownRows(rows: readonly ListRow[], fetchedWith: string): readonly AnalysisRow[] {
  const own = new Map<string, AnalysisRow>();
  for (const { key, tabRow } of rows)
    if (tabRow !== undefined && tabRow.analyzedMs !== null && tabRow.fetchedWith === fetchedWith)
      own.set(foldedKey(key), tabRow);
  return [...own.values()];
}

/** Verdicts are told after the figures, so they have a name of their own. */
const verdictName = (id: string): string => `${id}/verdict`;

/**
 * What was told of a product that was no Buy then and has other figures by now; null: there is no such.
 * Where only a person's costs have changed, they know.
 */
function wasNone(row: AnalysisRow, id: string): string | null {
  const { verdict = BUY } = baselineOf(row.told, verdictName(id)) ?? {};
  const hasNews = newsIn({ before: row, after: row }, verdictName(id)).length > 0;
  return verdict !== BUY && hasNews ? verdict : null;
}

/** The lines for products that a list calls a Buy now. */
function boughtLines(rows: readonly AnalysisRow[], id: string, atMs: number): readonly LogLine[] {
  const lines = new Map<string, LogLine>();
  for (const row of rows) {
    const before = wasNone(row, id);
    if (before === null) continue;
    const { asin, market } = row;
    const marked = ruleWords(BECAME_BUY);
    const line = { atMs, asin, market, figure: TITLES.verdict, before, after: BUY, marked };
    lines.set(keyOfProduct(row), line);
  }
  return [...lines.values()];
}

/** What the log does not have since then: another schedule may have told the same. */
function untold(lines: readonly LogLine[], sinceMs: number): readonly LogLine[] {
  if (lines.length === 0) return lines;
  const told = ({ asin, market, figure, after, marked }: LogLine) =>
    JSON.stringify([asin, market, figure, after, marked]);
  const logged = new Set(readLog().flatMap((line) => (line.atMs >= sinceMs ? [told(line)] : [])));
  return lines.filter((line) => !logged.has(told(line)));
}
