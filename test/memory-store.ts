// A store, a cache and a lock in memory; the first two are kept by the strictest rules of Google's own.

import type { Cache, Lock, Store } from '../src/google/platform';

/** What a property may hold, and a cache value. */
const STORE_BYTES_MAX = 9 * 1024;
const CACHE_BYTES_MAX = 100 * 1024;
const NAME_CHARS_MAX = 250;

function checked(name: string, value: string, bytesMax: number): void {
  if (name === '' || name.length > NAME_CHARS_MAX) throw new Error(`The name ${name} is no good.`);
  const bytes = Buffer.byteLength(value);
  if (bytes > bytesMax) throw new Error(`${name} has ${bytes} bytes, and ${bytesMax} are allowed.`);
}

/** One thing at a time, as in these tests: whoever asks has the lock. Races are for the doors. */
export const freeLock: Lock = { run: (_waitMs, body) => ({ held: true, value: body() }) };

export interface MemoryStore extends Store {
  /** What is stored, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** Writes and removals so far. */
  readonly changes: () => number;
  /** Reads, writes and removals so far: what counts against a day's allowance. */
  readonly calls: () => number;
}

export function memoryStore(): MemoryStore {
  const values = new Map<string, string>();
  let changes = 0;
  let reads = 0;
  return {
    values,
    changes: () => changes,
    calls: () => changes + reads,
    read(name) {
      reads += 1;
      return values.get(name) ?? null;
    },
    write(name, value) {
      checked(name, value, STORE_BYTES_MAX);
      values.set(name, value);
      changes += 1;
    },
    remove(name) {
      values.delete(name);
      changes += 1;
    },
    readAll() {
      reads += 1;
      return Object.fromEntries(values);
    },
    writeAll(added) {
      for (const [name, value] of Object.entries(added)) {
        checked(name, value, STORE_BYTES_MAX);
        values.set(name, value);
      }
      changes += 1;
      return true;
    },
  };
}

export interface MemoryCache extends Cache {
  readonly values: Map<string, string>;
  /** Reads and writes so far. */
  readonly calls: () => number;
}

/**
 * Forgets nothing by itself: a test takes values away where it wants them lost.
 *
 * @param takesTime happens at each call.
 */
export function memoryCache(takesTime: () => void = () => undefined): MemoryCache {
  const values = new Map<string, string>();
  let calls = 0;
  return {
    values,
    calls: () => calls,
    getAll(names) {
      takesTime();
      calls += 1;
      const found = names.flatMap((name) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(found);
    },
    putAll(added) {
      takesTime();
      calls += 1;
      for (const [name, value] of Object.entries(added)) {
        checked(name, value, CACHE_BYTES_MAX);
        values.set(name, value);
      }
      return true;
    },
  };
}
