// The doors of the engine, in one table: whose key each of them uses, how long its calls may take, and how
// much time is left for them after the last slot.

import { type Connection, connectionIn, isDemo } from '../connection/connection';
import { connectionStore, mayBeOwner, ownerNote } from '../connection/connection-store';
import { SECOND } from '../failures/duration';
import { type Failure, fail, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { createEngine, type Engine } from './engine';

interface Door {
  /**
   * `cells`: the key that cells use, with the cap on formulas, because formulas ask for the products.
   * `person`: the key of the current person or of the trigger's owner.
   */
  readonly key: 'cells' | 'person';
  readonly callTimeoutMs: number;
  /** From the last slot until every call has ended. */
  readonly afterMs: number;
  /** The same where the service has lately taken no more than half of this. */
  readonly fastAfterMs?: number;
  /**
   * Refused if this person's key is not the one that cells use. Without a shared key, cells use the
   * owner's, which nobody else's clock can read; cells would not find the answers.
   */
  readonly isOwners?: true;
  /** Notes in the spreadsheet whose key cells use. */
  readonly notesOwner?: true;
}

const DOORS = {
  /**
   * Sheets ends a cell after 30 s. Long enough for a slow service, and short enough that a call that
   * hangs leaves time for another.
   */
  cell: {
    key: 'cells',
    callTimeoutMs: 12 * SECOND,
    afterMs: 3.5 * SECOND,
    fastAfterMs: 2 * SECOND,
    notesOwner: true,
  },
  /** What cells could not ask in time. Nobody watches a single one of them. */
  waiting: { key: 'cells', callTimeoutMs: 30 * SECOND, afterMs: 30 * SECOND },
  /** Formulas that are refreshed. */
  formulas: { key: 'cells', callTimeoutMs: 30 * SECOND, afterMs: 30 * SECOND, isOwners: true },
  /** Jobs and schedules. After the last call answers are still written. */
  list: { key: 'person', callTimeoutMs: 30 * SECOND, afterMs: 35 * SECOND },
  /** A call that a person watches does not wait long for a slow service. */
  watched: { key: 'person', callTimeoutMs: 20 * SECOND, afterMs: 20 * SECOND },
} as const satisfies Readonly<Record<string, Door>>;

export type DoorName = keyof typeof DOORS;

/**
 * The engine of a door.
 *
 * @param untilMs the time of the last slot; left out: for looks that make no call.
 */
export function openEngine(
  platform: Platform,
  name: DoorName,
  untilMs = platform.clock.nowMs(),
): Engine | Failure {
  const door: Door = DOORS[name];
  const store = connectionStore(platform);
  const own = door.key === 'person' ? store.forPerson() : undefined;
  const connection = connectionIn(own ?? store.forCells());
  if (isFailure(connection)) return connection;
  const isShared = door.key === 'cells' && store.sharedKind() === 'connection';
  if (door.isOwners && !isShared && !isDemo(connection)) {
    if (!mayBeOwner(platform.documentStore, connection))
      return fail({ kind: 'schedule', why: 'other-key', what: '' });
  }
  const noted = door.notesOwner && !isShared ? ownerNote(connection) : {};
  return engineOf(platform, name, connection, { isOwn: own?.own === true, untilMs, noted });
}

interface Opening {
  /** Whether the key is the person's own. */
  readonly isOwn: boolean;
  readonly untilMs: number;
  readonly noted?: Readonly<Record<string, string>>;
}

/** The engine of a door with a connection that need not be stored. */
export function engineOf(
  platform: Platform,
  name: DoorName,
  connection: Connection,
  { isOwn, untilMs, noted }: Opening,
): Engine {
  const { key, callTimeoutMs, afterMs, fastAfterMs = afterMs }: Door = DOORS[name];
  const endMs = untilMs + afterMs;
  const limits = {
    bookUntilMs: untilMs,
    bookFastUntilMs: endMs - fastAfterMs,
    endMs,
    callTimeoutMs,
  };
  // A person without a key of their own uses the shared one up to the cap that its owner has set.
  const isCapped = key === 'cells' || !isOwn;
  const cap = isCapped && { cellsPerDay: connection.cellsPerDay ?? null };
  return createEngine(platform, connection, { ...limits, ...cap }, noted);
}
