// Where schedules are kept: one record in the spreadsheet's properties, and what their runs came to.

import type { Failure } from '../../analysis/failure';
import { bytesOf } from '../../analysis/lines';
import type { Platform } from '../../platform/ports';
import { storedJson, storedList } from '../stored-json';
import { scheduleProblem } from './problem';
import type { Schedule, ScheduleRun, Seen } from './schedule';

const NAME = 'schedules';
const HISTORY_NAME = 'schedule-runs';

/** Raised when the record changes its form. */
const VERSION = 1;

/** A property holds 9 KB, and a schedule with everything takes less than a tenth of it. */
const SCHEDULES_MAX = 10;
const BYTES_MAX = 9_000;

/** Runs in the history; with a problem each they fit into a property. */
const RUNS_KEPT = 30;

/** Changing the record takes two property calls; whoever holds the lock longer is dead. */
const LOCK_WAIT_MS = 10_000;

/** The clock's last visit as one person. */
export interface Beat {
  readonly atMs: number;
  /** Run time of visits at which there was nothing to do; counted together with the next that works. */
  readonly idleMs: number;
  /** Set while the person's permission is missing: where it can be given. */
  readonly grantUrl?: string;
}

export interface Schedules {
  readonly version: number;
  /** Names the spreadsheet they were made in: in a copy of it nothing is spent. */
  readonly home: string;
  /** Of the times that were worked out last. */
  readonly timeZone: string;
  readonly list: readonly Schedule[];
  readonly beats: Readonly<Record<string, Beat>>;
}

export interface ScheduleStore {
  /** null: there are none. One property call. */
  read(): Schedules | null | Failure;
  /** Changes the record with nobody else at it. Two property calls. */
  change(next: (now: Schedules | null) => Schedules | null | Failure): Schedules | null | Failure;
  /** The newest first. */
  runs(): readonly ScheduleRun[];
  addRun(run: ScheduleRun): void;
}

type Parts = Pick<Platform, 'documentStore' | 'lock'>;

export function scheduleStore({ documentStore, lock }: Parts): ScheduleStore {
  const read = () => parse(documentStore.read(NAME));
  const runs = () => storedList<ScheduleRun>(documentStore.read(HISTORY_NAME));
  return {
    read,
    runs,
    change(next) {
      const outcome = lock.run(LOCK_WAIT_MS, () => {
        const before = read();
        if (before !== null && 'kind' in before) return before;
        const after = next(before);
        if (after === null || after === before || 'kind' in after) return after;
        const text = [after, slim(after)].map((one) => JSON.stringify(one)).find(isShort);
        if (text === undefined || after.list.length > SCHEDULES_MAX)
          return scheduleProblem('too-many', String(SCHEDULES_MAX));
        documentStore.write(NAME, text);
        return after;
      });
      return outcome.held ? outcome.value : scheduleProblem('busy');
    },
    addRun(run) {
      let kept = [run, ...runs()].slice(0, RUNS_KEPT);
      while (!isShort(JSON.stringify(kept))) kept = kept.slice(0, -1);
      documentStore.write(HISTORY_NAME, JSON.stringify(kept));
    },
  };
}

/** The others only help to find these where a header was changed. */
const LEAST_COLUMNS: readonly string[] = ['product', 'market'];

const isShort = (text: string): boolean => bytesOf(text) <= BYTES_MAX;

/** Without what is only good to have: where there is no room, schedules run all the same. */
function slim(all: Schedules): Schedules {
  const columnsOf = ({ columns }: Seen) => columns.filter(({ key }) => LEAST_COLUMNS.includes(key));
  const list = all.list.map(({ seen, last, ...one }) => {
    const { problem: _, ...ran } = last ?? {};
    return {
      ...one,
      last: last === null ? null : (ran as ScheduleRun),
      ...(seen === undefined ? {} : { seen: { ...seen, columns: columnsOf(seen), others: [] } }),
    };
  });
  return { ...all, list };
}

export const noSchedules = (home: string, timeZone: string): Schedules => ({
  version: VERSION,
  ...{ home, timeZone },
  list: [],
  beats: {},
});

/** The record with one schedule changed, if it is still there. */
export function withSchedule(
  all: Schedules,
  id: string,
  next: (before: Schedule) => Schedule,
): Schedules {
  return { ...all, list: all.list.map((one) => (one.id === id ? next(one) : one)) };
}

/** What cannot be read is no schedule; what a newer version wrote stays. */
function parse(text: string | null): Schedules | null | Failure {
  const record = storedJson(text) as Partial<Schedules> | null;
  if (typeof record?.version !== 'number' || !Array.isArray(record.list)) return null;
  if (record.version > VERSION) return scheduleProblem('newer');
  return record as Schedules;
}
