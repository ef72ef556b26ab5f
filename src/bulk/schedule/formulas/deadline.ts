// Until when a schedule's work on formulas may go on: its time is up, or somebody put an end to it.

import { isFailure } from '../../../analysis/failure';
import type { Platform } from '../../../platform/ports';
import type { Schedule } from '../schedule';
import { scheduleStore } from '../schedule-store';

/** Whoever switches a schedule off is heard so soon, at one property call a time. */
const LOOK_EACH_MS = 5_000;

/** The moment up to which there is something to be begun; it may be over at any time. */
export type Deadline = () => number;

/** To whom it belonged and what was wanted of it when the work began is what it works for. */
export function deadlineOf(platform: Platform, begun: Schedule, untilMs: number): Deadline {
  const store = scheduleStore(platform);
  const settings = JSON.stringify(begun.settings);
  // By hand it may run though it is switched off.
  const isStill = ({ id, by, isOn, ...now }: Schedule) =>
    id === begun.id &&
    by === begun.by &&
    (isOn || !begun.isOn) &&
    JSON.stringify(now.settings) === settings;
  let lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
  let isWanted = true;
  return () => {
    if (isWanted && platform.clock.nowMs() >= lookAtMs) {
      const all = store.read();
      isWanted = all !== null && !isFailure(all) && all.list.some(isStill);
      lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
    }
    return isWanted ? untilMs : 0;
  };
}
