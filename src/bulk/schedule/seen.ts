// What a schedule remembers of its list from one run to the next. Pure but for the clock.

import type { Answer } from '../../analysis/answer';
import type { Engine } from '../../analysis/engine';
import type { SheetCell } from '../../platform/sheet-ports';
import type { Job } from '../job';
import type { Reading, Schedule, Seen } from './schedule';

/** They only help to tell columns of one title apart. */
const OTHERS_MAX = 20;

/** The columns by which the list is found again; figures come and go. */
const LASTING_COLUMNS: readonly string[] = ['product', 'market', 'status', 'at'];

/** Of a long title its beginning and end are kept, which tell it from others. */
const TITLE_CHARS_MAX = 60;
const END_CHARS = 20;

/** The title of a column as it is remembered; headers are compared with it in the same form. */
export function shortTitle(cell: SheetCell): string {
  const title = String(cell).trim();
  if (title.length <= TITLE_CHARS_MAX) return title;
  const begin = title.slice(0, TITLE_CHARS_MAX - END_CHARS - 1);
  return `${begin}…${title.slice(-END_CHARS)}`;
}

export function seenOf({ sheetName, layout: { columns, others } }: Job, reading: Reading): Seen {
  const lasting = columns.filter(({ key }) => LASTING_COLUMNS.includes(key));
  return {
    sheetName: shortTitle(sheetName),
    columns: lasting.map((one) => ({ ...one, title: shortTitle(one.title) })),
    others: others.slice(0, OTHERS_MAX),
    reading,
  };
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
