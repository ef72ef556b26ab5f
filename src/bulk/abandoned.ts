// Runs of schedules that are not through: handed back, so that nothing of them stays between two firings.

import { isFailure } from '../analysis/failure';
import type { SheetPlatform } from '../platform/sheet-ports';
import { type Counters, hasEnded, type Job, stopped, sum } from './job';
import { countersOf, isAlive, type JobStore, jobStore } from './job-store';
import { list } from './list';
import { emptied } from './result';
import { isMisplaced, type Row } from './rows';
import { cleanUp } from './run-lane';

/** Rows may move again meanwhile; after so often the next firing sees to it. */
const MENDS_MAX = 4;

/** What a run did, and whether it left no row with another product's figures. */
export interface HandedBack {
  readonly counters: Counters;
  readonly isTidy: boolean;
}

/** Ends a run and takes its marks away; what it did stays. */
export function handBack(platform: SheetPlatform, job: Job): HandedBack {
  const store = jobStore(platform);
  const nowMs = platform.clock.nowMs();
  const { lanes } = store.look(job);
  const counters = lanes.reduce((total, lane) => sum(total, countersOf(lane)), job.counters);
  store.change((now) => (now?.id === job.id && !hasEnded(now) ? stopped(now, nowMs) : now));
  const rows = cleanUp(platform, job);
  return { counters, isTidy: emptyMisplaced(platform, job, isFailure(rows) ? null : rows) };
}

/**
 * Rows may have moved while marks and figures were written, and no slice comes that would mend them:
 * no row is to show another product's. Answers whether none did.
 *
 * @param seen the list as it was read after the last write; null: it has to be read.
 */
export function emptyMisplaced(
  { spreadsheet }: SheetPlatform,
  job: Job,
  seen: readonly Row[] | null,
): boolean {
  const sheet = spreadsheet.sheet(job.sheetId);
  if (sheet === null) return true;
  const own = list(sheet, job.layout, job.market, job.id);
  const wrongIn = (rows: readonly Row[]) =>
    rows.filter((row) => isMisplaced(row) && own.isOpen(row));
  if (seen !== null && wrongIn(seen).length === 0) return true;
  let isTidy = true;
  for (let tries = 0; tries < MENDS_MAX; tries += 1) {
    const rows = own.read();
    const wrong = isFailure(rows) ? [] : wrongIn(rows);
    if (wrong.length === 0) break;
    isTidy = false;
    own.write(new Map(wrong.map((row) => [row.row, emptied(row, job.fields)])));
  }
  return isTidy;
}

/** A schedule's run that has not come to an end, not even its start; who paused it goes on with it. */
export const isUnended = (job: Job): boolean =>
  job.scheduled !== undefined && !hasEnded(job) && job.state !== 'paused';

/** A schedule's run that nobody is at any more was killed: whoever comes next may take its place. */
function abandonedJob({ clock }: SheetPlatform, store: JobStore): Job | null {
  const job = store.read();
  const nowMs = clock.nowMs();
  if (job === null || !isUnended(job) || nowMs < job.touchedMs + LEFT_ALONE_MS) return null;
  return store.look(job).lanes.some((lane) => isAlive(lane, nowMs)) ? null : job;
}

/** Younger than this it is between two steps. */
const LEFT_ALONE_MS = 60_000;

/** What of a schedule's run is left in the way of somebody else's. */
export function clearAbandoned(platform: SheetPlatform, store: JobStore): Counters | null {
  const job = abandonedJob(platform, store);
  return job === null ? null : handBack(platform, job).counters;
}
