// The waiting list: products that cells could not ask in their time, kept for a door that has more of it.

import type { Cache, Lock } from '../platform/ports';
import { type Product, productOfKey } from './product';

/** The longest life the cache grants; whoever still wants a product then asks for it anew. */
const TTL_SECONDS = 21_600;

/** A hundredth of a megabyte of names; more cells than this wait in no spreadsheet we know of. */
const PRODUCTS_MAX = 6_000;

/** A cell that is about to end does not wait longer than this to leave its name. */
const LOCK_WAIT_MS = 3_000;

export interface WaitingList {
  /** Puts products on the list, at its end; those on it already keep their place. */
  add(keys: readonly string[]): void;
  remove(keys: readonly string[]): void;
  /** In the order in which they came. */
  read(): readonly Product[];
}

/** @param scope names the connection: a product waits for one key, not for any. */
export function waitingList(cache: Cache, lock: Lock, scope: string): WaitingList {
  const name = `w:${scope}`;
  const keysNow = () => parseKeys(cache.getAll([name])[name]);

  function change(next: (keys: readonly string[]) => readonly string[]): void {
    lock.run(LOCK_WAIT_MS, () => {
      const keys = next(keysNow()).slice(0, PRODUCTS_MAX);
      cache.putAll({ [name]: JSON.stringify(keys) }, TTL_SECONDS);
    });
  }

  return {
    add: (keys) => change((listed) => [...new Set([...listed, ...keys])]),
    remove: (keys) => {
      const done = new Set(keys);
      change((listed) => listed.filter((key) => !done.has(key)));
    },
    read: () => keysNow().flatMap((key) => productOfKey(key) ?? []),
  };
}

function parseKeys(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  try {
    const keys: unknown = JSON.parse(text);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
