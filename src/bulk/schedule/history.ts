// What runs of schedules came to, the newest first.

import { bytesOf } from '../../analysis/lines';
import type { Platform } from '../../platform/ports';
import { homeList } from './home-list';
import type { ScheduleRun } from './schedule';

const NAME = 'schedule-runs';

/** With a problem each they fit into a property, which holds 9 KB. */
const RUNS_KEPT = 30;
const BYTES_MAX = 8_900;

export interface RunHistory {
  /** One property call. */
  read(): readonly ScheduleRun[];
  /** Two property calls. */
  add(run: ScheduleRun): void;
}

/** @param home names the spreadsheet whose runs they are. */
export function runHistory(
  parts: Pick<Platform, 'documentStore' | 'lock'>,
  home: string,
): RunHistory {
  const { read, change } = homeList<ScheduleRun>(parts, NAME, home);
  return {
    read,
    add: (run) =>
      change((before) => {
        let kept = [run, ...before].slice(0, RUNS_KEPT);
        while (bytesOf(JSON.stringify(kept)) > BYTES_MAX) kept = kept.slice(0, -1);
        return kept;
      }),
  };
}
