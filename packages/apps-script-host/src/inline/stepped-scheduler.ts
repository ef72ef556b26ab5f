// Virtual time that is stepped by whoever waits for something.

import type { Scheduler } from '../scheduler';

export interface SteppedScheduler extends Scheduler {
  /** The next thing happens. */
  readonly step: () => void;
  readonly wait: (durationMs: number) => void;
  /** What went wrong in the host itself: no script may swallow it. */
  readonly mistake: () => unknown;
}

/** Few things are planned at a time here, so a sorted list will do. */
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
      // What happened at the end may have taken longer.
      now = Math.max(now, untilMs);
    },
  };
}
