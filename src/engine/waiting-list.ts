// The waiting list: products that cells could not ask in time, kept for a door that has more time.

import { type Cache, isLike, type Lock, storedList } from '../platform/ports';
import type { Freshness } from '../product/analysis';
import { type Product, productOfKey } from '../product/asin';

/**
 * The longest time that Google's cache keeps a value. A cell that still wants its product then has
 * to ask again.
 */
const TTL_SECONDS = 21_600;

/** This many products take about 100 KB, and no known spreadsheet has more cells waiting. */
const PRODUCTS_MAX = 5_000;

/** The most different requirements of freshness; a sheet has one refresh cell or a few. */
const WISHES_MAX = 30;

/** A cell that is about to end waits no longer than this to add its products. */
const LOCK_WAIT_MS = 3_000;

/**
 * The name of a mark that something may be waiting, for callers that do not know the connection
 * yet.
 */
const MARK_NAME = 'w';

/** Products whose cells have the same requirements, in the order in which they arrived. */
export interface Waiting {
  readonly wish: Freshness;
  readonly products: readonly Product[];
}

export interface WaitingList {
  /** Appends products to the list; those already on it keep their position. */
  add(keys: readonly string[], wish: Freshness): void;
  remove(keys: readonly string[], wish: Freshness): void;
  /** Groups with requirements come first, because their answers also satisfy those without. */
  read(): readonly Waiting[];
}

interface Group {
  readonly wish: Freshness;
  readonly keys: readonly string[];
}

/**
 * @param fingerprint identifies the connection: a product waits for one key, however answers are
 * read.
 */
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

/** Whether the list is worth reading. Costs one cache call and no property call. */
export function mayBeWaiting(cache: Cache): boolean {
  return (cache.getAll([MARK_NAME])[MARK_NAME] ?? '') !== '';
}

function wishText({ tag = '', notBeforeMs = 0 }: Freshness): string {
  return `${notBeforeMs} ${tag}`;
}

/** Limits the list to one cache value. The latest products are dropped if there is no room. */
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
