// LockService: three locks, each with a queue, which are released when an execution ends in any
// way.

import { reached } from '../limits';
import { say } from '../messages';
import type { Caller, HostHalf, Later, PartOf, ScriptHalf, World } from '../service';
import { later, ServiceException } from '../service';
import type { StoreScope } from '../store-name';
import { storeName } from '../store-name';

interface LockCalls {
  'lock.tryLock': (scope: StoreScope, timeoutMs: number) => boolean;
  'lock.hasLock': (scope: StoreScope) => boolean;
  'lock.releaseLock': (scope: StoreScope) => void;
}

export const lockScript: ScriptHalf<LockCalls> = ({ call, guard, exception, facts }) => {
  const lock = (scope: StoreScope) =>
    guard('Lock', {
      tryLock: (timeoutMs: number) => call('lock.tryLock', scope, Number(timeoutMs)),
      waitLock: (timeoutMs: number) => {
        if (!call('lock.tryLock', scope, Number(timeoutMs))) throw exception(say('lock-timeout'));
      },
      hasLock: () => call('lock.hasLock', scope),
      releaseLock: () => call('lock.releaseLock', scope),
    } satisfies GoogleAppsScript.Lock.Lock);
  return {
    LockService: guard('LockService', {
      getScriptLock: () => lock('script'),
      getUserLock: () => lock('user'),
      getDocumentLock: () => (facts.hasDocument ? lock('document') : null),
    } satisfies PartOf<GoogleAppsScript.Lock.LockService>),
  };
};

export interface LockStore {
  /**
   * The execution that holds a lock. The lock's name is "script", "user/<email>" or
   * "document/<id>".
   */
  readonly holder: (lockName: string) => number | null;
  /** Whether an execution holds any lock. */
  readonly isHeldBy: (executionId: number) => boolean;
}

interface Waiter {
  readonly executionId: number;
  readonly grant: () => void;
}

interface LockState {
  holder: number | null;
  readonly waiters: Waiter[];
}

/** Counts the operations of the last second, this one included. */
function createRate(nowMs: () => number): () => number {
  let recent: number[] = [];
  return () => {
    const now = nowMs();
    recent = recent.filter((moment) => moment > now - 1_000);
    return recent.push(now);
  };
}

/** The locks and the executions that wait for them. */
function createLocks({ scheduler }: World) {
  const locks = new Map<string, LockState>();
  const of = (caller: Caller, scope: StoreScope): LockState => {
    const name = storeName(caller, scope);
    const lock = locks.get(name) ?? { holder: null, waiters: [] };
    locks.set(name, lock);
    return lock;
  };
  const release = (lock: LockState, executionId: number) => {
    if (lock.holder !== executionId) return;
    const next = lock.waiters.shift();
    lock.holder = next?.executionId ?? null;
    next?.grant();
  };
  const queue = (lock: LockState, executionId: number, timeoutMs: number): Later<boolean> =>
    later((settle) => {
      const leave = () => {
        const place = lock.waiters.indexOf(waiter);
        if (place >= 0) lock.waiters.splice(place, 1);
        callOff();
      };
      const waiter: Waiter = {
        executionId,
        grant: () => {
          callOff();
          settle.value(true);
        },
      };
      const callOff = scheduler.at(scheduler.nowMs() + timeoutMs, () => {
        leave();
        settle.value(false);
      });
      lock.waiters.push(waiter);
      return leave;
    });
  const releaseAll = (executionId: number) => {
    for (const lock of locks.values()) release(lock, executionId);
  };
  const holder = (lockName: string) => locks.get(lockName)?.holder ?? null;
  const isHeldBy = (executionId: number) =>
    [...locks.values()].some((lock) => lock.holder === executionId);
  return { of, release, queue, releaseAll, store: { holder, isHeldBy } };
}

export function createLockHost(world: World): {
  readonly half: HostHalf<LockCalls>;
  readonly store: LockStore;
} {
  const { of, release, queue, releaseAll, store } = createLocks(world);
  const operationsPerSecond = createRate(world.scheduler.nowMs);
  const count = () => {
    if (operationsPerSecond() > world.limits.lockOperationsPerSecond) {
      throw new ServiceException(
        say('lock-crowded'),
        reached(world.limits, 'lockOperationsPerSecond'),
      );
    }
  };
  const half: HostHalf<LockCalls> = {
    operations: {
      'lock.tryLock': (caller, scope, timeoutMs) => {
        count();
        // Measured at Google by gas-fakes on GitHub (testlock.js): a negative time never has the lock.
        if (timeoutMs < 0) return false;
        const lock = of(caller, scope);
        lock.holder ??= caller.executionId;
        if (lock.holder === caller.executionId) return true;
        return timeoutMs > 0 ? queue(lock, caller.executionId, timeoutMs) : false;
      },
      'lock.hasLock': (caller, scope) => of(caller, scope).holder === caller.executionId,
      'lock.releaseLock': (caller, scope) => {
        count();
        release(of(caller, scope), caller.executionId);
      },
    },
    permission: (operation) => ({
      callName: operation.replace('lock.', 'Lock.'),
      modes: ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (_operation, args) => args.join(' '),
    ended: (caller) => releaseAll(caller.executionId),
  };
  return { half, store };
}
