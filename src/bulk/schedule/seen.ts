// What a schedule remembers of its list from one run to the next. Pure but for the clock.

import type { Answer } from '../../analysis/answer';
import type { Engine } from '../../analysis/engine';
import type { Job } from '../job';
import type { Reading, Schedule, Seen } from './schedule';

/** Ten schedules share a property. */
const OTHERS_MAX = 20;

/** The columns by which the list is found again; figures come and go. */
const LASTING_COLUMNS: readonly string[] = ['product', 'market', 'status', 'at'];

export function seenOf({ sheetName, layout: { columns, others } }: Job, reading: Reading): Seen {
  const lasting = columns.filter(({ key }) => LASTING_COLUMNS.includes(key));
  return { sheetName, columns: lasting, others: others.slice(0, OTHERS_MAX), reading };
}

/** Figures of another key, or that were read otherwise, are no news when they differ. */
export function readingNow({ scope, platform }: Engine, { seen }: Schedule): Reading {
  const before = seen?.reading;
  return before?.of === scope ? before : { of: scope, sinceMs: platform.clock.nowMs() };
}

/** Answers that were read so say how long that has been so, at least. */
export function withOlder(reading: Reading, answers: ReadonlyMap<string, Answer>): Reading {
  const moments = [...answers.values()].flatMap((one) =>
    one.ok ? [one.analysis.fetchedAtMs] : [],
  );
  const sinceMs = moments.reduce((a, b) => Math.min(a, b), reading.sinceMs);
  return { ...reading, sinceMs };
}
