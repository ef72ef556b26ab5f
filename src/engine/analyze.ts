// The one verb of the engine: takes products and returns an answer for each, from samples, the cache or
// the service. What cells could not ask in time goes on the waiting list, for a door that has more time.

import { isDemo } from '../connection/connection';
import { fail } from '../failures/failure';
import type { Cache, Random } from '../google/platform';
import { type Product, productKey, productOfKey, sampleAsin } from '../product/asin';
import {
  type Answer,
  answered,
  type Eligibility,
  type Freshness,
  figuresBy,
  unanswered,
} from '../product/fields';
import { isLike, storedList } from '../schema/stored-record';
import { ask, type Hooks, type Policy } from './ask';
import type { Engine } from './engine';

type Sample = readonly [
  buy: number,
  sell: number,
  fees: number,
  eligible: Eligibility | null,
  drops: number,
];

/**
 * Good and bad deals, and all four kinds of eligibility: allowed, approval needed, not allowed,
 * unknown.
 */
const SAMPLES: readonly Sample[] = [
  [11.5, 32.99, 11.64, true, 66],
  [9.8, 24.49, 8.91, true, 118],
  [16.2, 42.99, 14.31, true, 41],
  [6.4, 19.99, 6.28, 'needs approval', 138],
  [18.9, 34.99, 9.42, true, 132],
  [19.9, 33.99, 13.2, true, 29],
  [14.5, 25.99, 12.83, true, 12],
  [88, 129.99, 24.15, false, 96],
  [7.8, 18.99, 6.95, true, 74],
  [27.5, 49.99, 13.45, 'needs approval', 105],
  [4.8, 18.95, 6.12, true, 9],
  [23.8, 36.99, 11.07, null, 33],
];

export const SAMPLE_ASINS: readonly string[] = SAMPLES.map((_, i) => sampleAsin(i + 1));

/**
 * The answers while samples are shown, the same on every market. Other products fail with
 * `samples-only`.
 */
function sampleAnswers(products: readonly Product[], nowMs: number): ReadonlyMap<string, Answer> {
  return new Map(products.map((product) => [productKey(product), sampleAnswer(product, nowMs)]));
}

function sampleAnswer({ asin }: Product, nowMs: number): Answer {
  const sample = SAMPLES[SAMPLE_ASINS.indexOf(asin)];
  if (sample === undefined) return unanswered(fail({ kind: 'samples-only' }));
  const [buy_price, sell_price, fees, eligible, rank_drops_30d] = sample;
  const profit = Math.round((sell_price - buy_price - fees) * 100) / 100;
  const roi = Math.round((profit / buy_price) * 10_000) / 10_000;
  return answered({
    figures: {
      ...figuresBy(() => null),
      profit,
      roi,
      fees,
      eligible,
      rank_drops_30d,
      buy_price,
      sell_price,
    },
    extras: [['sample', true]],
    roiUnit: 'fraction',
    isSample: true,
    fetchedAtMs: nowMs,
  });
}

/**
 * An answer for every product, by product key. Each distinct product is asked at most once, within
 * the key's quota and the engine's limits; a product that could not be asked in time gets a
 * `waiting` failure.
 */
export function analyze(
  engine: Engine,
  products: readonly Product[],
  policy: Policy = {},
  hooks: Hooks = {},
): ReadonlyMap<string, Answer> {
  if (isDemo(engine.connection)) return sampleAnswers(products, engine.platform.clock.nowMs());
  const distinct = new Map(products.map((product) => [productKey(product), product] as const));
  if (distinct.size === 0) return new Map();
  const found = engine.cache.find([...distinct.keys()], policy, engine.platform.clock.nowMs());
  hooks.onFound?.(found);
  const missing = [...distinct].filter(([key]) => !found.has(key)).map(([, product]) => product);
  if (missing.length === 0) return found;
  return new Map([...found, ...askFor(engine, missing, policy, hooks)]);
}

/**
 * A cell with one product stores notes only with the first analysis for this time, because a sheet
 * may have thousands of them.
 */
const SAVE_EACH_MS = 3_600_000;

function askFor(
  engine: Engine,
  products: readonly Product[],
  policy: Policy,
  hooks: Hooks,
): ReadonlyMap<string, Answer> {
  const { address } = engine;
  const lastMs = address.answeredMs();
  const asked = new Map<string, Answer>();
  try {
    ask(engine, products, policy, hooks, asked);
  } finally {
    // For the support report. It costs cache calls only if something went wrong.
    const failures = [...asked.values()].flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    if (failures.length > 0) engine.trouble.noteFailures(failures);
  }
  if (policy.listsWaiting === true) listWaiting(engine, asked, policy);
  if (asked.size > 1 || address.answeredMs() - lastMs > SAVE_EACH_MS) engine.saveNotes();
  return asked;
}

function listWaiting(
  { connection, platform }: Engine,
  answers: ReadonlyMap<string, Answer>,
  { notBeforeMs, tag }: Policy,
): void {
  const isWaiting = (answer: Answer) => !answer.ok && answer.failure.kind === 'waiting';
  const waiting = [...answers].filter(([, answer]) => isWaiting(answer)).map(([key]) => key);
  if (waiting.length === 0) return;
  const wish = {
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    ...(tag !== undefined && { tag }),
  };
  waitingList(platform.cache, connection.fingerprint).add(waiting, wish, platform.random);
}

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
  const isGroup = (one: Group) => isLike(one, SOME_GROUP) && Array.isArray(one.keys);
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
