// Where schedules are kept: one record in the spreadsheet's properties, bounded whatever the sheet holds.

import type { Failure } from '../../analysis/failure';
import type { Platform, Store } from '../../platform/ports';
import { storedJson } from '../stored-json';
import { scheduleProblem } from './problem';
import type { Schedule } from './schedule';

const NAME = 'schedules';

/** Raised when the record changes its form. */
const VERSION = 1;

/** Each is looked at when the clock strikes; with everything a person can choose they take 30 KB. */
const SCHEDULES_MAX = 10;

/** A property holds 9 KB. What is longer goes on in the next one, as the last sign says. */
const PART = /.{1,9000}/g;
const GOES_ON = '+';

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
  /** null: there are none. One property call, and one more for each 9 KB. */
  read(): Schedules | null | Failure;
  /** Changes the record with nobody else at it. One property call more. */
  change(next: (now: Schedules | null) => Schedules | null | Failure): Schedules | null | Failure;
}

type Parts = Pick<Platform, 'documentStore' | 'lock'>;

export function scheduleStore({ documentStore, lock }: Parts): ScheduleStore {
  const read = () => parse(textIn(documentStore));
  return {
    read,
    change(next) {
      const outcome = lock.run(LOCK_WAIT_MS, () => {
        const before = read();
        if (before !== null && 'kind' in before) return before;
        const after = next(before);
        if (after === null || after === before || 'kind' in after) return after;
        if (after.list.length > SCHEDULES_MAX)
          return scheduleProblem('too-many', String(SCHEDULES_MAX));
        return documentStore.writeAll(partsOf(after)) ? after : scheduleProblem('not-stored');
      });
      return outcome.held ? outcome.value : scheduleProblem('busy');
    },
  };
}

const nameOf = (part: number): string => (part === 0 ? NAME : `${NAME}-${part}`);

function textIn(store: Store): string | null {
  let text = store.read(NAME);
  for (let part = 1; text?.endsWith(GOES_ON); part += 1)
    text = text.slice(0, -1) + (store.read(nameOf(part)) ?? '');
  return text;
}

/** In ASCII, so that a sign is a byte and no pair of signs is parted. */
function partsOf(all: Schedules): Readonly<Record<string, string>> {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = JSON.stringify(all).replace(/[^ -~]/g, escaped);
  const parts = text.match(PART) ?? [];
  return Object.fromEntries(
    parts.map((part, at) => [nameOf(at), at + 1 < parts.length ? part + GOES_ON : part]),
  );
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
