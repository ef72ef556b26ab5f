// Virtual time that moves forward when a caller who waits for something steps it.

import type { Scheduler } from '../scheduler';

export interface SteppedScheduler extends Scheduler {
  /** Runs the next planned action. */
  readonly step: () => void;
  readonly wait: (durationMs: number) => void;
  /** An error of the host itself, which no script may swallow. */
  readonly mistake: () => unknown;
}

/** Only a few actions are planned at a time, so a sorted list is fast enough. */
export function createSteppedScheduler(startMs: number): SteppedScheduler {
  let now = startMs;
  let mistake: unknown = null;
  const planned: { readonly momentMs: number; readonly action: () => void }[] = [];
  const next = () => {
    const event = planned.shift();
    if (event === undefined) throw new Error('Nothing is left to happen, and yet it is not over.');
    now = event.momentMs;
    try {
      event.action();
    } catch (error) {
      mistake ??= error;
      throw error;
    }
  };
  return {
    nowMs: () => now,
    at(momentMs, action) {
      const event = { momentMs: Math.max(momentMs, now), action };
      const later = planned.findIndex((other) => other.momentMs > event.momentMs);
      planned.splice(later < 0 ? planned.length : later, 0, event);
      return () => {
        const place = planned.indexOf(event);
        if (place >= 0) planned.splice(place, 1);
      };
    },
    stop: () => {},
    step: next,
    mistake: () => mistake,
    wait(durationMs) {
      const untilMs = now + durationMs;
      while ((planned[0]?.momentMs ?? Number.POSITIVE_INFINITY) <= untilMs) next();
      // The last action may have moved the time beyond this moment.
      now = Math.max(now, untilMs);
    },
  };
}
