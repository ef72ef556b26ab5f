// The products that cells could not ask for in time, in the cache, for a door that has more time.

import type { Cache, Random } from '../google/platform';
import { type Product, productOfKey } from '../product/asin';
import type { Freshness } from '../product/fields';
import { isLike, storedList } from '../schema/stored-record';

/**
 * The longest time that Google's cache keeps a value. A cell that still wants its product then has
 * to ask again.
 */
const TTL_SECONDS = 21_600;

/** One place takes this many products, in about 80 KB. */
const PRODUCTS_MAX = 5_000;

/** The most different requirements of freshness in one place; a sheet has one refresh cell or a few. */
const WISHES_MAX = 30;

/**
 * A cell ends just when many do, and no lock would be free for it in time. So each execution writes
 * into a place of its own. Two that take the same place at the same moment find out when they read
 * it again.
 */
const PLACES = Array.from({ length: 100 }, (_, i) => `w${i}`);

/** An execution whose place somebody else has taken tries another one, this often in all. */
const TRIES_MAX = 3;

/** Products whose cells have the same requirements. */
export interface Waiting {
  readonly wish: Freshness;
  readonly products: readonly Product[];
}

export interface WaitingList {
  /**
   * Adds products to the list; those already on it stay where they are. Costs three cache calls.
   *
   * @param random picks the place, so that two executions seldom pick the same one.
   */
  add(keys: readonly string[], wish: Freshness, random: Random): void;
  remove(keys: readonly string[], wish: Freshness): void;
  /** Groups with requirements come first, because their answers also satisfy those without. */
  read(): readonly Waiting[];
}

/** Product keys that wait for one connection. */
interface Group {
  readonly of: string;
  readonly wish: Freshness;
  readonly keys: readonly string[];
}

/** What is in each place, by name. */
type Places = Readonly<Record<string, readonly Group[]>>;

/**
 * @param fingerprint identifies the connection: a product waits for one key, however answers are
 * read.
 */
export function waitingList(cache: Cache, fingerprint: string): WaitingList {
  const isSame = (group: Group, wish: Freshness) =>
    group.of === fingerprint && wishText(group.wish) === wishText(wish);

  const keysIn = (groups: readonly Group[], wish: Freshness) =>
    groups.filter((group) => isSame(group, wish)).flatMap(({ keys }) => keys);

  function withKeys(groups: readonly Group[], keys: readonly string[], wish: Freshness) {
    const all = [...new Set([...keysIn(groups, wish), ...keys])];
    const others = groups.filter((group) => !isSame(group, wish));
    return [...others, { of: fingerprint, wish, keys: all }];
  }

  function add(keys: readonly string[], wish: Freshness, random: Random): void {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const places = placesIn(cache);
      const listed = new Set(keysIn(Object.values(places).flat(), wish));
      const missing = keys.filter((key) => !listed.has(key));
      if (missing.length === 0) return;
      const empty = PLACES.filter((name) => places[name] === undefined);
      const choice = empty.length > 0 ? empty : PLACES;
      const place = choice[Math.floor(random.next() * choice.length)] ?? 'w0';
      write(cache, { [place]: withKeys(places[place] ?? [], missing, wish) });
    }
  }

  function remove(keys: readonly string[], wish: Freshness): void {
    const done = new Set(keys);
    const left = (group: Group): Group =>
      isSame(group, wish) ? { ...group, keys: group.keys.filter((key) => !done.has(key)) } : group;
    const changed = Object.entries(placesIn(cache))
      .filter(([, groups]) => keysIn(groups, wish).some((key) => done.has(key)))
      .map(([name, groups]) => [name, groups.map(left)] as const);
    write(cache, Object.fromEntries(changed));
  }

  function read(): readonly Waiting[] {
    const groups = Object.values(placesIn(cache))
      .flat()
      .filter(({ of }) => of === fingerprint);
    const wishes = new Map(groups.map(({ wish }) => [wishText(wish), wish] as const));
    return [...wishes.values()]
      .map((wish) => ({
        wish,
        products: [...new Set(keysIn(groups, wish))].flatMap((key) => productOfKey(key) ?? []),
      }))
      .sort((a, b) => Object.keys(b.wish).length - Object.keys(a.wish).length);
  }

  return { add, remove, read };
}

/** Whether any product waits, with whatever connection. Costs one cache call. */
export const mayBeWaiting = (cache: Cache): boolean => Object.keys(placesIn(cache)).length > 0;

function wishText({ tag = '', notBeforeMs = 0 }: Freshness): string {
  return `${notBeforeMs} ${tag}`;
}

const SOME_GROUP = { of: '', wish: {}, keys: [] };

/** The places that hold something. */
function placesIn(cache: Cache): Places {
  const isGroup = (group: Group) => isLike(group, SOME_GROUP) && Array.isArray(group.keys);
  const places = Object.entries(cache.getAll(PLACES))
    .map(([name, text]) => [name, storedList<Group>(text).filter(isGroup)] as const)
    .filter(([, groups]) => groups.length > 0);
  return Object.fromEntries(places);
}

function write(cache: Cache, places: Places): void {
  const texts = Object.entries(places).map(([name, groups]) => [
    name,
    JSON.stringify(bounded(groups)),
  ]);
  if (texts.length > 0) cache.putAll(Object.fromEntries(texts), TTL_SECONDS);
}

/** Limits a place to one cache value. The latest products are dropped if there is no room. */
function bounded(groups: readonly Group[]): readonly Group[] {
  let room = PRODUCTS_MAX;
  return groups
    .map((group) => {
      const keys = group.keys.slice(0, room);
      room -= keys.length;
      return { ...group, keys };
    })
    .filter(({ keys }) => keys.length > 0)
    .slice(0, WISHES_MAX);
}
