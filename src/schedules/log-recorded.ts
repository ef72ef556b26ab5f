// Logs what changed in rows of the Analysis tab that were just written, whoever had them written.

import type { RecordedRow } from '../analysis/analysis-row';
import { inUseSinceMs } from '../analysis/freshness';
import { wholeSeconds } from '../analysis/row-states';
import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, sentences } from '../failures/failure';
import { troubleLog } from '../failures/trouble-log';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { logChanges } from './change-log';
import { type ChangeRule, type LogLine, logLines } from './changes';

/** Since when rows are written with the key and the way of reading that are in use, by the tab's times. */
export const comparableSinceMs = ({ platform, scope }: Engine): number =>
  wholeSeconds(inUseSinceMs(platform, scope));

export const isRoiFraction = ({ connection }: Engine): boolean =>
  connection.settings.roiUnit !== undefined;

export interface ChangeLogger {
  /** The caller holds the document's lock. */
  add(lines: readonly LogLine[]): void;
  /** How many lines were added. */
  count(): number;
  /** Why some lines are not in the log. The rows they are about are written all the same. */
  problem(): Failure | null;
}

export function changeLogger(roiIsFraction: boolean): ChangeLogger {
  let count = 0;
  let problem: Failure | null = null;
  return {
    add(lines) {
      const failure = unlessBusy(() => logChanges(lines, roiIsFraction));
      if (failure === null) count += lines.length;
      else problem = failure;
    },
    count: () => count,
    problem: () => problem,
  };
}

const NO_RULES: readonly ChangeRule[] = [];

/**
 * Logs the changes of a job that no schedule has started, so no rule marks them. The caller holds the
 * document's lock. Rows that had no figures before cost nothing. What the log does not take is noted
 * for the support report.
 */
export function logRecorded(platform: Platform, rows: readonly RecordedRow[]): void {
  const known = rows.filter(({ before }) => before !== null && before.analyzedMs !== null);
  const engine = known.length === 0 ? null : openEngine(platform);
  // Without a connection nothing can have been asked.
  if (engine === null || isFailure(engine)) return;
  const log = changeLogger(isRoiFraction(engine));
  log.add(logLines(known, NO_RULES, comparableSinceMs(engine), platform.clock.nowMs()));
  const problem = log.problem();
  if (problem === null) return;
  const { message } = sentences(problem);
  troubleLog(platform.cache, platform.clock).note(`The change log: ${message}`);
}
