// The waiting list: products that cells could not ask in their time, kept for a door that has more of it.

import { type Cache, isLike, type Lock, storedList } from '../platform/ports';
import type { Freshness } from '../product/analysis';
import { type Product, productOfKey } from '../product/asin';

/** The longest life the cache grants; whoever still wants a product then asks for it anew. */
const TTL_SECONDS = 21_600;

/** A tenth of a megabyte holds them; more cells than this wait in no spreadsheet we know of. */
const PRODUCTS_MAX = 5_000;

/** A sheet has one refresh cell or a few. */
const WISHES_MAX = 30;

/** A cell that is about to end does not wait longer than this to leave its name. */
const LOCK_WAIT_MS = 3_000;

/** Tells whoever does not know the connection yet that there may be something on its list. */
const MARK_NAME = 'w';

/** Products whose cells wish for the same, in the order in which they came. */
export interface Waiting {
  readonly wish: Freshness;
  readonly products: readonly Product[];
}

export interface WaitingList {
  /** Puts products on the list, at its end; those on it already keep their place. */
  add(keys: readonly string[], wish: Freshness): void;
  remove(keys: readonly string[], wish: Freshness): void;
  /** Those with a demand first: their answers will do for those without. */
  read(): readonly Waiting[];
}

interface Group {
  readonly wish: Freshness;
  readonly keys: readonly string[];
}

/** @param fingerprint of the connection: a product waits for one key, however its answers are read. */
export function waitingList(cache: Cache, lock: Lock, fingerprint: string): WaitingList {
  const name = `w:${fingerprint}`;
  const groupsNow = () => parseGroups(cache.getAll([name])[name]);

  function change(wish: Freshness, next: (keys: readonly string[]) => readonly string[]): void {
    lock.run(LOCK_WAIT_MS, () => {
      const groups = groupsNow();
      const isSame = (group: Group) => wishText(group.wish) === wishText(wish);
      const keys = next(groups.find(isSame)?.keys ?? []);
      const changed = [...groups.filter((group) => !isSame(group)), { wish, keys }];
      const kept = bounded(changed);
      const mark = kept.length > 0 ? 'some' : '';
      cache.putAll({ [name]: JSON.stringify(kept), [MARK_NAME]: mark }, TTL_SECONDS);
    });
  }

  return {
    add: (keys, wish) => change(wish, (listed) => [...new Set([...listed, ...keys])]),
    remove: (keys, wish) => {
      const done = new Set(keys);
      change(wish, (listed) => listed.filter((key) => !done.has(key)));
    },
    read: () =>
      groupsNow()
        .map(({ wish, keys }) => ({
          wish,
          products: keys.flatMap((key) => productOfKey(key) ?? []),
        }))
        .sort((a, b) => Object.keys(b.wish).length - Object.keys(a.wish).length),
  };
}

/** Whether it is worth looking at the list. One cache call, and no property call. */
export function mayBeWaiting(cache: Cache): boolean {
  return (cache.getAll([MARK_NAME])[MARK_NAME] ?? '') !== '';
}

function wishText({ tag = '', notBeforeMs = 0 }: Freshness): string {
  return `${notBeforeMs} ${tag}`;
}

/** Within one cache value; whoever came last finds no room. */
function bounded(groups: readonly Group[]): readonly Group[] {
  let room = PRODUCTS_MAX;
  return groups
    .map(({ wish, keys }) => {
      const kept = keys.slice(0, room);
      room -= kept.length;
      return { wish, keys: kept };
    })
    .filter(({ keys }) => keys.length > 0)
    .slice(0, WISHES_MAX);
}

const SOME_GROUP = { wish: {}, keys: [] };

const parseGroups = (text: string | undefined): readonly Group[] =>
  storedList<Group>(text).filter((one) => isLike(one, SOME_GROUP) && Array.isArray(one.keys));
