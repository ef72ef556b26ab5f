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

/** One shard takes this many products, in about 80 KB. */
const PRODUCTS_MAX = 5_000;

/** The most different requirements of freshness in one shard; a sheet has one refresh cell or a few. */
const WISHES_MAX = 30;

/**
 * A cell ends just when many do, and no lock would be free for it in time. So each execution writes
 * into a shard of its own. Two that take the same shard at the same moment find out when they read
 * it again.
 */
const SHARDS = Array.from({ length: 100 }, (_, i) => `w${i}`);

/** An execution whose shard somebody else has taken tries another one, this often in all. */
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
   * @param random picks the shard, so that two executions seldom pick the same one.
   */
  add(keys: readonly string[], wish: Freshness, random: Random): void;
  remove(keys: readonly string[], wish: Freshness): void;
  /** Entries with requirements come first, because their answers also satisfy those without. */
  read(): readonly Waiting[];
}

/** Product keys that wait for one connection. */
interface WaitingEntry {
  readonly of: string;
  readonly wish: Freshness;
  readonly keys: readonly string[];
}

/** What is in each shard, by name. */
type Shards = Readonly<Record<string, readonly WaitingEntry[]>>;

/**
 * @param fingerprint identifies the connection: a product waits for one key, however answers are
 * read.
 */
export function waitingList(cache: Cache, fingerprint: string): WaitingList {
  const isSame = (entry: WaitingEntry, wish: Freshness) =>
    entry.of === fingerprint && wishText(entry.wish) === wishText(wish);

  const keysIn = (entries: readonly WaitingEntry[], wish: Freshness) =>
    entries.filter((entry) => isSame(entry, wish)).flatMap(({ keys }) => keys);

  function withKeys(entries: readonly WaitingEntry[], keys: readonly string[], wish: Freshness) {
    const all = [...new Set([...keysIn(entries, wish), ...keys])];
    const otherEntries = entries.filter((entry) => !isSame(entry, wish));
    return [...otherEntries, { of: fingerprint, wish, keys: all }];
  }

  function add(keys: readonly string[], wish: Freshness, random: Random): void {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const shards = shardsIn(cache);
      const listed = new Set(keysIn(Object.values(shards).flat(), wish));
      const missing = keys.filter((key) => !listed.has(key));
      if (missing.length === 0) return;
      const empty = SHARDS.filter((name) => shards[name] === undefined);
      const choice = empty.length > 0 ? empty : SHARDS;
      const shard = choice[Math.floor(random.next() * choice.length)] ?? 'w0';
      write(cache, { [shard]: withKeys(shards[shard] ?? [], missing, wish) });
    }
  }

  function remove(keys: readonly string[], wish: Freshness): void {
    const done = new Set(keys);
    const left = (entry: WaitingEntry): WaitingEntry =>
      isSame(entry, wish) ? { ...entry, keys: entry.keys.filter((key) => !done.has(key)) } : entry;
    const changed = Object.entries(shardsIn(cache))
      .filter(([, entries]) => keysIn(entries, wish).some((key) => done.has(key)))
      .map(([name, entries]) => [name, entries.map(left)] as const);
    write(cache, Object.fromEntries(changed));
  }

  function read(): readonly Waiting[] {
    const entries = Object.values(shardsIn(cache))
      .flat()
      .filter(({ of }) => of === fingerprint);
    const wishes = new Map(entries.map(({ wish }) => [wishText(wish), wish] as const));
    return [...wishes.values()]
      .map((wish) => ({
        wish,
        products: [...new Set(keysIn(entries, wish))].flatMap((key) => productOfKey(key) ?? []),
      }))
      .sort((a, b) => Object.keys(b.wish).length - Object.keys(a.wish).length);
  }

  return { add, remove, read };
}

/** Whether any product waits, with whatever connection. Costs one cache call. */
export const mayBeWaiting = (cache: Cache): boolean => Object.keys(shardsIn(cache)).length > 0;

function wishText({ tag = '', notBeforeMs = 0 }: Freshness): string {
  return `${notBeforeMs} ${tag}`;
}

const SOME_GROUP = { of: '', wish: {}, keys: [] };

/** The shards that hold something. */
function shardsIn(cache: Cache): Shards {
  const isEntry = (entry: WaitingEntry) => isLike(entry, SOME_GROUP) && Array.isArray(entry.keys);
  const shards = Object.entries(cache.getAll(SHARDS))
    .map(([name, text]) => [name, storedList<WaitingEntry>(text).filter(isEntry)] as const)
    .filter(([, entries]) => entries.length > 0);
  return Object.fromEntries(shards);
}

function write(cache: Cache, shards: Shards): void {
  const texts = Object.entries(shards).map(([name, entries]) => [
    name,
    JSON.stringify(fitted(entries)),
  ]);
  if (texts.length > 0) cache.putAll(Object.fromEntries(texts), TTL_SECONDS);
}

/** Limits a shard to one cache value. The latest products are dropped if there is no room. */
function fitted(entries: readonly WaitingEntry[]): readonly WaitingEntry[] {
  let room = PRODUCTS_MAX;
  return entries
    .map((entry) => {
      const keys = entry.keys.slice(0, room);
      room -= keys.length;
      return { ...entry, keys };
    })
    .filter(({ keys }) => keys.length > 0)
    .slice(0, WISHES_MAX);
}
