// Where schedules are stored, each in a property of its own, and the history of their runs.

import { spreadsheetIdentity } from '../connection/connection-store';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { listText, storedItems } from '../schema/stored-record';
import { parseSchedule, type Schedule, type ScheduleRun, scheduleRunSchema } from './schedule';

/** Each takes some 3 KB of the 9 KB of a property. */
const PREFIX = 'schedule:';

const nameOf = (id: string): string => PREFIX + id;

/** Every firing looks at all of them. */
const SCHEDULES_MAX = 10;

export interface Schedules {
  /** In the order in which they were made. */
  readonly list: readonly Schedule[];
  /** The names of what cannot be read as a schedule. The page tells it until one is made or removed. */
  readonly damaged: readonly string[];
}

export interface ScheduleStore {
  /** Costs one property call. */
  read(): Schedules;
  /** Adds a schedule, or changes the one of its id. Costs two property calls. */
  save(id: string, next: (before: Schedule | null) => Schedule | Failure): Schedule | Failure;
  /** Changes a schedule that is still there. Costs two property calls. */
  change(id: string, next: (before: Schedule) => Schedule | Failure): Schedule | Failure;
  /** Changes every schedule; null leaves one as it is. Costs two property calls, or one. */
  changeAll(next: (before: Schedule) => Schedule | null): Schedules | Failure;
  /** Removing one that is gone succeeds. */
  remove(id: string): Failure | null;
}

type Parts = Pick<Platform, 'documentStore' | 'lock'>;

export function scheduleStore({ documentStore, lock }: Parts): ScheduleStore {
  function read(): Schedules {
    const own = Object.entries(documentStore.readAll()).filter(([name]) => name.startsWith(PREFIX));
    const all = own.map(([name, text]) => ({ name, schedule: parseSchedule(text) }));
    return {
      list: all
        .flatMap(({ schedule }) => schedule ?? [])
        .sort((one, other) => one.madeMs - other.madeMs),
      damaged: all.flatMap(({ name, schedule }) => (schedule === null ? [name] : [])),
    };
  }
  function locked<T>(work: () => T): T | Failure {
    const outcome = lock.run(RECORD_LOCK_WAIT_MS, work);
    return outcome.held ? outcome.value : scheduleProblem('busy');
  }
  const write = (all: readonly Schedule[]): Failure | null =>
    all.length === 0 ||
    documentStore.writeAll(
      Object.fromEntries(all.map((one) => [nameOf(one.id), JSON.stringify(one)])),
    )
      ? null
      : scheduleProblem('not-stored');
  const written = (one: Schedule | Failure): Schedule | Failure =>
    isFailure(one) ? one : (write([one]) ?? one);
  function forget(names: readonly string[]): void {
    for (const name of names) documentStore.remove(name);
  }
  return {
    read,
    save: (id, next) =>
      locked(() => {
        const { list, damaged } = read();
        const before = list.find((one) => one.id === id) ?? null;
        if (before === null && list.length >= SCHEDULES_MAX)
          return scheduleProblem('too-many', String(SCHEDULES_MAX));
        const saved = written(next(before));
        if (before === null && !isFailure(saved))
          forget(damaged.filter((one) => one !== nameOf(id)));
        return saved;
      }),
    change: (id, next) =>
      locked(() => {
        const before = parseSchedule(documentStore.read(nameOf(id)) ?? '');
        return before === null ? scheduleProblem('not-found') : written(next(before));
      }),
    changeAll: (next) =>
      locked(() => {
        const { list, damaged } = read();
        const changed = list.map((one) => [one, next(one)] as const);
        const after = changed.map(([one, other]) => other ?? one);
        return write(changed.flatMap(([, other]) => other ?? [])) ?? { list: after, damaged };
      }),
    remove: (id) =>
      locked(() => {
        forget([nameOf(id), ...read().damaged]);
        return null;
      }),
  };
}

/** The identity of the active spreadsheet. */
export const identityHere = (platform: Pick<Platform, 'digest' | 'spreadsheetId'>): string =>
  spreadsheetIdentity(platform, platform.spreadsheetId() ?? '');

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
export function runHistory({ documentStore, lock }: Parts, home: string): RunHistory {
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
