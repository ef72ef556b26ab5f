// Until when a schedule's work on formulas may go on: its time is up, or somebody put an end to it.

import { isFailure } from '../../../analysis/failure';
import type { Platform } from '../../../platform/ports';
import type { Schedule } from '../schedule';
import { scheduleStore } from '../schedule-store';

/** Whoever switches a schedule off is heard so soon, at one property call a time. */
const LOOK_EACH_MS = 5_000;

/** The moment up to which there is something to be begun; it may be over at any time. */
export type Deadline = () => number;

/** Every change that people make ends the occurrence, and with it what was begun for it. */
export function deadlineOf(
  platform: Platform,
  { id, by, sinceMs }: Schedule,
  untilMs: number,
): Deadline {
  const store = scheduleStore(platform);
  let lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
  let isWanted = true;
  return () => {
    if (isWanted && platform.clock.nowMs() >= lookAtMs) {
      const all = store.read();
      const isSame = (one: Schedule) => one.id === id && one.by === by && one.sinceMs === sinceMs;
      isWanted = all !== null && !isFailure(all) && all.list.some(isSame);
      lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
    }
    return isWanted ? untilMs : 0;
  };
}
