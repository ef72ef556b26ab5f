// Where schedules are stored: the record with the spreadsheet it belongs to, and the history of
// runs.

import * as z from 'zod/mini';
import { spreadsheetIdentity } from '../connection/connection-store';
import { type Failure, scheduleProblem } from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS, type Store } from '../google/platform';
import {
  type Fits,
  fitting,
  isOfNewer,
  lazySchema,
  listText,
  storedAs,
  storedItems,
} from '../schema/stored-record';
import { asSchedule, type Schedule, type ScheduleRun, scheduleRunSchema } from './schedule';

/** Stored with the person, because it is unknown which spreadsheet was meant. */
export const NOWHERE_NAME = 'clock-nowhere';

const SCHEDULES_NAME = 'schedules';

/** Increased when the form of the record changes. */
const VERSION = 1;

/** Every firing looks at all of them; with all possible settings they take 30 KB. */
const SCHEDULES_MAX = 10;

/**
 * A property holds 9 KB. A longer record continues in the next property, which its last character
 * indicates.
 */
const PART = /.{1,9000}/g;
const GOES_ON = '+';

/** The last firing of the clock for one person. */
const beatSchema = lazySchema(() =>
  z.object({
    atMs: z.number(),
    /** The time of firings without work, counted together with the next firing that has work. */
    idleMs: z.number(),
    /** Set while the person's permission is missing: the address where it can be granted. */
    grantUrl: z.exactOptional(z.string()),
  }),
);

export type Beat = Fits<typeof beatSchema>;

const schedulesSchema = lazySchema(() =>
  z.object({
    version: z.literal(VERSION),
    /**
     * The identity of the spreadsheet in which they were made. In a copy of it they make no calls.
     */
    home: z.string(),
    list: z.array(z.unknown()),
    beats: z.optional(z.unknown()),
    /**
     * Stored items that cannot be read as schedules, or a whole record that cannot. They are kept,
     * and the page reports them, until somebody makes or removes a schedule. Absent if there are
     * none.
     */
    aside: z.optional(z.array(z.unknown())),
  }),
);

const beatsSchema = lazySchema(() => z.record(z.string(), beatSchema()));

export interface Schedules extends Omit<Fits<typeof schedulesSchema>, 'list' | 'beats'> {
  readonly list: readonly Schedule[];
  /** By person. */
  readonly beats: Fits<typeof beatsSchema>;
}

export interface ScheduleStore {
  /** null: there are no schedules. Costs one property call and one more for each 9 KB. */
  read(): Schedules | null | Failure;
  /** Changes the record under the lock. Costs one more property call than `read`. */
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
        const changed = next(before);
        if (changed === null || changed === before || 'kind' in changed) return changed;
        const after = { ...changed, beats: beatsOfOwners(changed) };
        if (after.list.length > SCHEDULES_MAX)
          return scheduleProblem('too-many', String(SCHEDULES_MAX));
        return documentStore.writeAll(partsOf(after)) ? after : scheduleProblem('not-stored');
      });
      return outcome.held ? outcome.value : scheduleProblem('busy');
    },
  };
}

/** Without those of people who have no schedule any more, which no firing would bring up to date. */
function beatsOfOwners({ list, beats }: Schedules): Schedules['beats'] {
  const owners = new Set(list.map(({ by }) => by));
  return Object.fromEntries(Object.entries(beats).filter(([by]) => owners.has(by)));
}

const nameOf = (part: number): string =>
  part === 0 ? SCHEDULES_NAME : `${SCHEDULES_NAME}-${part}`;

function textIn(store: Store): string | null {
  let text = store.read(SCHEDULES_NAME);
  for (let part = 1; text?.endsWith(GOES_ON); part += 1)
    text = text.slice(0, -1) + (store.read(nameOf(part)) ?? '');
  return text;
}

/**
 * Splits the record into properties. It is pure ASCII, so that a character is one byte and no
 * surrogate pair is split.
 */
function partsOf(all: Schedules): Readonly<Record<string, string>> {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = JSON.stringify(all).replace(/[^ -~]/g, escaped);
  const parts = text.match(PART) ?? [];
  return Object.fromEntries(
    parts.map((part, at) => [nameOf(at), at + 1 < parts.length ? part + GOES_ON : part]),
  );
}

export const noSchedules = (home: string): Schedules => ({
  version: VERSION,
  home,
  list: [],
  beats: {},
});

/**
 * Google's clock may be minutes late and skips a firing now and then; only a longer silence counts.
 */
export const SILENT_MS = 3 * 3_600_000;

/** Whether a schedule is on and its owner's clock has not fired for hours. */
const isLate = ({ beats }: Schedules, { by, isOn, lastMs }: Schedule, nowMs: number): boolean =>
  isOn && nowMs - (beats[by]?.atMs ?? lastMs) > SILENT_MS;

/** Whether this person's clock has not fired for hours, although schedules of theirs are on. */
export const isClockLate = (all: Schedules, person: string, nowMs: number): boolean =>
  all.list.some((one) => one.by === person && isLate(all, one, nowMs));

/**
 * Whether the owner's clock does not fire or lacks permission, so that another person may take the
 * schedule over.
 */
export const isSilent = (all: Schedules, one: Schedule, nowMs: number): boolean =>
  isLate(all, one, nowMs) || (one.isOn && all.beats[one.by]?.grantUrl !== undefined);

/** The record with one schedule changed if it still exists. */
export function withSchedule(
  all: Schedules,
  id: string,
  next: (before: Schedule) => Schedule,
): Schedules {
  return { ...all, list: all.list.map((one) => (one.id === id ? next(one) : one)) };
}

/**
 * Parses the record. Unreadable items are set aside; the record of a newer version is left as it
 * is.
 */
function parse(stored: string | null): Schedules | null | Failure {
  if (stored === null) return null;
  if (isOfNewer(VERSION, stored)) return scheduleProblem('newer');
  const record = storedAs(stored, schedulesSchema());
  if (record === null) return { ...noSchedules(''), aside: [stored] };
  const read = record.list.map(asSchedule);
  const others = record.list.filter((_, at) => read[at] === null);
  return {
    ...record,
    list: read.flatMap((one) => one ?? []),
    beats: fitting(beatsSchema(), record.beats) ?? {},
    aside: others.length === 0 ? record.aside : [...(record.aside ?? []), ...others],
  };
}

/** The identity of the active spreadsheet. */
export const identityHere = (platform: Pick<Platform, 'digest' | 'spreadsheetId'>): string =>
  spreadsheetIdentity(platform, platform.spreadsheetId() ?? '');

/** @param here the identity of the spreadsheet in which they were found. */
export const isCopy = ({ home, list }: Schedules, here: string): boolean =>
  list.length > 0 && home !== here;

const HISTORY_NAME = 'schedule-runs';

export const scheduleRunsKept = () => ({ [HISTORY_NAME]: scheduleRunSchema() });

/** Even if each of them has a problem, they fit into one property. */
export const RUNS_KEPT = 30;

export interface RunHistory {
  /** Costs one property call. */
  read(): readonly ScheduleRun[];
  /** Costs two property calls. */
  add(run: ScheduleRun): void;
}

/** @param home identifies the spreadsheet in which the runs took place; in a copy there are none. */
export function runHistory(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  home: string,
): RunHistory {
  function read(): readonly ScheduleRun[] {
    const text = documentStore.read(HISTORY_NAME) ?? '';
    const own = text.startsWith(home) ? text.slice(home.length) : null;
    return storedItems(own, scheduleRunSchema());
  }
  return {
    read,
    add(run) {
      const write = () =>
        documentStore.write(HISTORY_NAME, home + listText([run, ...read()].slice(0, RUNS_KEPT)));
      // If the lock is not available, writing without it is better than not writing, although
      // another execution's run may be lost.
      if (!lock.run(RECORD_LOCK_WAIT_MS, write).held) write();
    },
  };
}

/**
 * When the clock last fired for this person without a spreadsheet, ms since 1970. Costs one
 * property call.
 */
export function nowhereMs({ userStore }: Pick<Platform, 'userStore'>): number | null {
  const atMs = Number(userStore.read(NOWHERE_NAME) ?? Number.NaN);
  return Number.isFinite(atMs) ? atMs : null;
}
