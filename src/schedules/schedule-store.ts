// Where schedules are kept: the spreadsheet they belong to, the record, the history of their runs.

import { spreadsheetIdentity } from '../connection/connection-store';
import { type Failure, scheduleProblem } from '../failures/failure';
import {
  listText,
  type Platform,
  RECORD_LOCK_WAIT_MS,
  type SchedulePlatform,
  type SheetPlatform,
  type Store,
  storedJson,
} from '../platform/ports';
import {
  atLeast,
  byName,
  fits,
  number,
  type Schema,
  storedItems,
  text,
  that,
} from '../platform/schema';
import { asSchedule, type Schedule, type ScheduleRun, scheduleRun } from './schedule';

/** With the person: which spreadsheet it was is what nobody knows. */
export const NOWHERE_NAME = 'clock-nowhere';

const SCHEDULES_NAME = 'schedules';

/** Raised when the record changes its form. */
const VERSION = 1;

/** Each is looked at when the clock strikes; with everything a person can choose they take 30 KB. */
const SCHEDULES_MAX = 10;

/** A property holds 9 KB. What is longer goes on in the next one, as the last sign says. */
const PART = /.{1,9000}/g;
const GOES_ON = '+';

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
  /**
   * Stored things that are no schedule, or a whole record that is none. They stay, and the page tells of
   * them, until somebody makes or removes a schedule. Absent where there are none.
   */
  readonly aside?: readonly unknown[] | undefined;
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
      const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
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

const nameOf = (part: number): string =>
  part === 0 ? SCHEDULES_NAME : `${SCHEDULES_NAME}-${part}`;

function textIn(store: Store): string | null {
  let text = store.read(SCHEDULES_NAME);
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

/** Google's clock is late by minutes and leaves a firing out now and then: silence is longer. */
export const SILENT_MS = 3 * 3_600_000;

/** Whether its owner's clock neither strikes nor may: then somebody else may take it over. */
export function isSilent(
  { beats }: Schedules,
  { by, isOn, nextMs }: Schedule,
  nowMs: number,
): boolean {
  const beat = beats[by];
  return isOn && (beat?.grantUrl !== undefined || nowMs - (beat?.atMs ?? nextMs) > SILENT_MS);
}

/** The record with one schedule changed, if it is still there. */
export function withSchedule(
  all: Schedules,
  id: string,
  next: (before: Schedule) => Schedule,
): Schedules {
  return { ...all, list: all.list.map((one) => (one.id === id ? next(one) : one)) };
}

const schedulesSchema = () =>
  atLeast({ version: number(), home: text(), timeZone: text(), list: that(Array.isArray) });

const beatsSchema = () => byName(atLeast({ atMs: number(), idleMs: number() }));

/** What cannot be read is no schedule, and put aside; what a newer version wrote stays. */
function parse(stored: string | null): Schedules | null | Failure {
  if (stored === null) return null;
  const record = storedJson(stored) as Schedules | null;
  if (Number(record?.version) > VERSION) return scheduleProblem('newer');
  if (!fits(schedulesSchema(), record) || record === null)
    return { ...noSchedules('', ''), aside: [stored] };
  const read = record.list.map(asSchedule);
  const others = record.list.filter((_, at) => read[at] === null);
  return {
    ...record,
    list: read.flatMap((one) => one ?? []),
    beats: fits(beatsSchema(), record.beats) ? record.beats : {},
    aside: others.length === 0 ? record.aside : [...(record.aside ?? []), ...others],
  };
}

/** The name of the spreadsheet at hand. */
export const identityHere = (platform: Pick<SheetPlatform, 'digest' | 'spreadsheet'>): string =>
  spreadsheetIdentity(platform, platform.spreadsheet.place()?.id ?? '');

/** @param here the name of the spreadsheet they were found in. */
export const isCopy = ({ home, list }: Schedules, here: string): boolean =>
  list.length > 0 && home !== here;

export interface BoundList<T> {
  /** One property call. */
  read(): readonly T[];
  /** Changes it with nobody else at it. Two property calls. */
  change(next: (now: readonly T[]) => readonly T[]): void;
}

/**
 * @param name of the property.
 * @param home names the spreadsheet at hand, and stands before the list.
 * @param item of which what does not fit is left out.
 */
export function boundList<T>(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  name: string,
  home: string,
  item: () => Schema,
): BoundList<T> {
  function read(): readonly T[] {
    const text = documentStore.read(name) ?? '';
    return storedItems(text.startsWith(home) ? text.slice(home.length) : null, item());
  }
  return {
    read,
    change(next) {
      const write = () => documentStore.write(name, home + listText(next(read())));
      // Better written beside somebody else's than not at all.
      if (!lock.run(RECORD_LOCK_WAIT_MS, write).held) write();
    },
  };
}

const HISTORY_NAME = 'schedule-runs';

export const scheduleRunsKept = () => ({ [HISTORY_NAME]: scheduleRun() });

/** With a problem each they fit into a property. */
export const RUNS_KEPT = 30;

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
  const { read, change } = boundList<ScheduleRun>(parts, HISTORY_NAME, home, scheduleRun);
  return {
    read,
    add: (run) => change((before) => [run, ...before].slice(0, RUNS_KEPT)),
  };
}

/** When the clock last struck for this person with no spreadsheet at hand. One property call. */
export function nowhereMs({ userStore }: Pick<SchedulePlatform, 'userStore'>): number | null {
  const atMs = Number(userStore.read(NOWHERE_NAME) ?? Number.NaN);
  return Number.isFinite(atMs) ? atMs : null;
}
