// The lease: one execution at a time works on the sheet, without holding the lock. Sheets makes a
// script's reads and writes wait while cells compute, and these cells need the lock for their bookings.

import { drawName, type NotHeld, type Platform } from './platform';
import { serviceCallOr } from './service-call';

export type LeaseParts = Pick<Platform, 'documentStore' | 'lock' | 'clock' | 'random'>;

/** A lease as it is stored with the spreadsheet. */
export interface Lease {
  /** The execution that has it, by a random name. */
  readonly owner: string;
  /** In ms since 1970. The lease of a killed execution ends by itself. */
  readonly endMs: number;
  /** The person's random name. */
  readonly by: string;
  /** What is done, in words that follow "someone is": "adding decisions". */
  readonly work: string;
}

const NAME = 'lease';

export const LEASE_MS = 45_000;

/** What has to be left of it before a write, which waits for cells for 30 s at most. */
const WRITE_MS = 35_000;

/** The pause of an execution that meets another's lease. It grows by half each time. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 2_000;

/** How far the clocks of two executions may differ. */
const SKEW_MS = 1_000;

/** Thrown through the work when its lease has gone to another execution. */
const LOST = new Error('lease-lost');

/** Renews this execution's lease; null: it has none and writes all the same. */
let keepOn: (() => void) | null = null;

/**
 * Makes sure of the lease for one more write, or throws where it is lost. Every write to a sheet calls
 * it, outside of what is tried again. It costs nothing while the lease lasts long enough.
 */
export const beforeWrite = (): void => keepOn?.();

export interface LeaseRefused extends NotHeld {
  /** The lease of another; null: the lock was busy, or the lease was lost. */
  readonly other: Lease | null;
}

/**
 * Runs work while no other execution has the lease. It costs the lock twice and three property calls.
 *
 * @param waitMs how long to wait for another's lease to end.
 */
export function underLease<T>(
  { documentStore, lock, clock, random }: LeaseParts,
  { by, work }: Pick<Lease, 'by' | 'work'>,
  waitMs: number,
  act: () => T,
): { readonly held: true; readonly value: T } | LeaseRefused {
  if (keepOn !== null) throw new Error('nested-lease');
  const owner = drawName(random);
  const lastMs = clock.nowMs() + waitMs;
  let endMs = 0;
  const stored = () => parseLease(documentStore.read(NAME) ?? '');
  /** Another's lease that has not ended; null: this execution may have it. */
  function othersLease(): Lease | null {
    const lease = stored();
    if (lease === null || lease.owner === owner) return null;
    // What lasts longer than any lease was noted by a wrong clock.
    const leftMs = lease.endMs - clock.nowMs();
    return leftMs > 0 && leftMs <= 2 * LEASE_MS ? lease : null;
  }
  function write(): void {
    endMs = Math.ceil(clock.nowMs()) + LEASE_MS;
    documentStore.write(NAME, [owner, endMs, by, work].join(' '));
  }
  const takenOrOther = () =>
    lock.run(Math.max(1, lastMs - clock.nowMs()), () => {
      const lease = othersLease();
      if (lease === null) write();
      return lease;
    });
  function take(): LeaseRefused | null {
    let pauseMs = PAUSE_MS;
    for (;;) {
      const outcome = takenOrOther();
      if (!outcome.held) return { held: false, other: null };
      for (let lease = outcome.value; lease !== null; lease = othersLease()) {
        if (clock.nowMs() + pauseMs > lastMs) return { held: false, other: lease };
        clock.sleep(pauseMs * (0.75 + random.next() / 2));
        pauseMs = Math.min(PAUSE_MS_MAX, 1.5 * pauseMs);
      }
      if (outcome.value === null) return null;
    }
  }
  function renew(): void {
    if (clock.nowMs() < endMs - WRITE_MS) return;
    const renewal = lock.run(waitMs, () => {
      const isMine = stored()?.owner === owner;
      if (isMine) write();
      return isMine;
    });
    if (!renewal.held || !renewal.value) throw LOST;
  }
  const refused = take();
  if (refused !== null) return refused;
  keepOn = renew;
  try {
    return { held: true, value: act() };
  } catch (error) {
    if (error !== LOST) throw error;
    return { held: false, other: null };
  } finally {
    keepOn = null;
    // Under the lock, since a second try of a removal that succeeded would remove the next one's lease.
    const isMine = () => clock.nowMs() < endMs - SKEW_MS;
    serviceCallOr(undefined, () => lock.run(waitMs, () => isMine() && documentStore.remove(NAME)));
  }
}

function parseLease(text: string): Lease | null {
  const [, owner, end, by, work] = /^(\S+) (\d+) (\S*) (.*)$/.exec(text) ?? [];
  if (owner === undefined || by === undefined || work === undefined) return null;
  return { owner, endMs: Number(end), by, work };
}
