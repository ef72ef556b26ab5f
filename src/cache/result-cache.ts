// The cache of answers: a wave's answers stand in one value as they came until they are brought to their
// buckets, and are found in both.

import { endsRun, willPass } from '../failures/failure';
import type { Cache } from '../google/platform';
import type { Answer, Freshness } from '../product/fields';
import type { Market } from '../product/market';
import { answerOf, bucketsOf, type Entry, entriesOf, entryIn, mergeBucket } from './bucket';
import {
  type AlikeRow,
  bounded,
  type LostProducts,
  lostIn,
  lostWith,
  lostWithout,
  type News,
  NO_SETBACKS,
  type Note,
  noteAfter,
  noteIn,
  type Setbacks,
  storedRow,
  type Wave,
} from './service-notes';

/** The longest time that Google's cache keeps a value. */
const TTL_SECONDS = 21_600;

/** Which cached answers are good enough. */
export interface GoodEnough extends Freshness {
  /**
   * Whether a cached failure that is temporary, or that is not about the product, does not count as
   * an answer.
   */
  readonly triesAgain?: boolean;
}

/** An answer that asking again would not better. It may be much older than its entry in the cache. */
const isFinal = (answer: Answer, { notBeforeMs = 0 }: Freshness): boolean =>
  answer.ok
    ? answer.analysis.fetchedAtMs >= notBeforeMs
    : !willPass(answer.failure) && !endsRun(answer.failure);

export interface ResultCache {
  /** The cached answers that are good enough, by product key. Costs one cache call. */
  find(keys: readonly string[], wish: GoodEnough, nowMs: number): ReadonlyMap<string, Answer>;
  /**
   * Caches answers by product key, each for as long as its kind allows. The answers of a wave are
   * written as they came, before anything is read, so that an execution that dies loses none that was
   * paid for, and everybody finds them there. Costs one cache call. Returns whether `settle` may wait.
   */
  store(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number, news?: News): boolean;
  /**
   * Brings what was stored to its buckets, where it stays. Costs two cache calls, or none. Returns whether
   * an analysis was among it; then the row has just been read.
   */
  settle(nowMs: number): boolean;
  /** Both at once. */
  keep(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number, news?: News): void;
  /**
   * Shares products without a proper answer and forgets the cached failures of `keys`, so that these
   * are asked again. Costs two cache calls.
   */
  setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void;
  /**
   * Notes products that were lost with a wave, so that they are asked alone, by whichever execution.
   * Costs two cache calls.
   */
  lose(lost: LostProducts): void;
  /**
   * When the service last gave an analysis, on this market or on any. Costs a cache call if nothing was
   * found or kept yet.
   */
  answeredMs(market?: Market): number;
  /** Products in a row that ended alike, as this execution last saw them; null: there are none. */
  row(): AlikeRow | null;
  /** The same as it is now, and when the service last answered. Costs a cache call. */
  readRow(): AlikeRow | null;
  /** Costs a cache call. null: an answer, or a person, has ended it. */
  writeRow(row: AlikeRow | null): void;
  /** How long its answers have lately taken, ms, as this execution last saw it; 0: not known. */
  tookMs(): number;
  /** As this execution last saw them. */
  setbacks(): Setbacks;
  lost(): LostProducts;
}

/** Places of waves as they came. An execution takes a free one. */
const FRESH_PLACES = 8;

/** The most answers in one, so that their figures fit into a value of the cache. */
const FRESH_MAX = 100;

/** What is in such a place once it is in its buckets. */
const MERGED = ' ';

const hasAnalysis = ({ entries }: Wave): boolean =>
  [...entries.values()].some(({ answer }) => answer.ok);

const entriesIn = (waves: readonly Wave[]): ReadonlyMap<string, Entry> =>
  new Map(waves.flatMap(({ entries }) => [...entries]));

/**
 * @param scope see `answersScope`. What a seller may sell and pays differs by account, so answers
 * never pass from one key to another, nor from one way of reading to another.
 * @param chance a number from 0 to 1 that picks the place of this execution's waves.
 */
export function resultCache(cache: Cache, scope: string, chance = 0): ResultCache {
  const prefix = `r:${scope}:`;
  const bucketName = (bucket: number) => prefix + bucket.toString(36);
  const noteName = `${prefix}-note`;
  const lostName = `${prefix}-lost`;
  const rowName = `${prefix}-row`;
  const freshNames = Array.from({ length: FRESH_PLACES }, (_, index) => `${prefix}-wave${index}`);
  let freshName = freshNames[Math.floor(chance * FRESH_PLACES)] ?? `${prefix}-wave0`;
  /** Stored and not settled yet. */
  let pending: readonly Wave[] = [];
  /** As last read or written. */
  let seen: Note | undefined;
  let lost: LostProducts = {};
  let row: AlikeRow | null = null;

  /** With what is not settled yet. */
  const noted = (texts: Readonly<Record<string, string>>): Note =>
    pending.reduce(noteAfter, noteIn(texts[noteName]));

  function answeredMs(market?: Market): number {
    seen ??= noted(cache.getAll([noteName]));
    const { answered: times } = seen;
    return market === undefined ? Math.max(0, ...Object.values(times)) : (times[market] ?? 0);
  }

  function readRow(): AlikeRow | null {
    const texts = cache.getAll([noteName, rowName]);
    seen = noted(texts);
    row = storedRow(texts[rowName]);
    return row;
  }

  function writeRow(next: AlikeRow | null): void {
    row = next;
    cache.putAll({ [rowName]: JSON.stringify(next) }, TTL_SECONDS);
  }

  function find(keys: readonly string[], wish: GoodEnough, nowMs: number) {
    const found = new Map<string, Answer>();
    const names = new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)));
    const notes = [noteName, lostName, rowName];
    const texts = cache.getAll([...names, ...freshNames, ...notes], true);
    seen = noted(texts);
    lost = lostIn(texts[lostName]);
    row = storedRow(texts[rowName]);
    const isTaken = (name: string) => (texts[name] ?? MERGED) !== MERGED;
    // What an execution left there that died is still to be found.
    if (pending.length === 0 && isTaken(freshName))
      freshName = freshNames.find((name) => !isTaken(name)) ?? freshName;
    const fresh = freshNames.filter(isTaken).map((name) => texts[name]);
    for (const key of keys) {
      const own = bucketsOf(key).map((number) => texts[bucketName(number)]);
      const answers = [...own, ...fresh]
        .map((text) => entryIn(text, key))
        .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))
        .map((entry) => answerOf(entry, wish, nowMs));
      const answer = answers.find((stored) => stored !== undefined);
      if (answer !== undefined && (wish.triesAgain !== true || isFinal(answer, wish)))
        found.set(key, answer);
    }
    return found;
  }

  /** Groups entries by the names of their buckets; each entry is in two buckets. */
  function byBucket(entries: ReadonlyMap<string, Entry>) {
    const added = new Map<string, Map<string, Entry>>();
    for (const [key, entry] of entries)
      for (const number of bucketsOf(key)) {
        const name = bucketName(number);
        added.set(name, (added.get(name) ?? new Map()).set(key, entry));
      }
    return added;
  }

  const merged = (
    added: ReadonlyMap<string, ReadonlyMap<string, Entry>>,
    texts: Readonly<Record<string, string>>,
    nowMs: number,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...added].map(([name, some]) => [name, mergeBucket(texts[name], some, nowMs)]),
    );

  function withNote(note: Note): Readonly<Record<string, string>> {
    seen = bounded(note);
    return { [noteName]: JSON.stringify(seen) };
  }

  function setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void {
    const names = [...new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)))];
    const texts = cache.getAll([...names, noteName]);
    const failed = keys.flatMap((key) => {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const entry = entries.find((stored) => stored !== undefined && !stored.answer.ok);
      return entry === undefined || entries.some((stored) => stored?.answer.ok)
        ? []
        : [[key, { ...entry, until: nowMs }] as const];
    });
    const over = merged(byBucket(new Map(failed)), texts, nowMs);
    cache.putAll({ ...over, ...withNote({ ...noteIn(texts[noteName]), setbacks }) }, TTL_SECONDS);
  }

  function store(
    answers: ReadonlyMap<string, Answer>,
    wish: Freshness,
    nowMs: number,
    news: News = {},
  ): boolean {
    const entries = entriesOf(answers, wish, nowMs);
    if (entries.size === 0) return true;
    const wave = { entries, news, atMs: nowMs };
    pending = [...pending, wave];
    seen = seen && noteAfter(seen, wave);
    const all = entriesIn(pending);
    // A single one is settled as fast.
    if (all.size === 1) return false;
    const isStored = cache.putAll({ [freshName]: mergeBucket('', all, nowMs) }, TTL_SECONDS);
    return isStored && all.size + entries.size <= FRESH_MAX;
  }

  function settle(nowMs: number): boolean {
    if (pending.length === 0) return false;
    const entries = entriesIn(pending);
    const added = byBucket(entries);
    const texts = cache.getAll([...added.keys(), noteName, lostName, rowName]);
    row = storedRow(texts[rowName]);
    cache.putAll(
      {
        ...merged(added, texts, nowMs),
        ...withNote(noted(texts)),
        ...withoutFound(lostIn(texts[lostName]), entries),
        ...(entries.size > 1 && { [freshName]: MERGED }),
      },
      TTL_SECONDS,
    );
    const isAnswer = pending.some(hasAnalysis);
    pending = [];
    return isAnswer;
  }

  function withoutFound(before: LostProducts, entries: ReadonlyMap<string, Entry>) {
    lost = lostWithout(before, entries);
    const isChanged = Object.keys(lost).length < Object.keys(before).length;
    return isChanged && { [lostName]: JSON.stringify(lost) };
  }

  function lose(more: LostProducts): void {
    lost = lostWith(lostIn(cache.getAll([lostName])[lostName]), more);
    cache.putAll({ [lostName]: JSON.stringify(lost) }, TTL_SECONDS);
  }

  return {
    find,
    store,
    settle,
    keep(answers, wish, nowMs, news) {
      store(answers, wish, nowMs, news);
      settle(nowMs);
    },
    setBack,
    lose,
    answeredMs,
    row: () => row,
    readRow,
    writeRow,
    tookMs: () => seen?.tookMs ?? 0,
    setbacks: () => seen?.setbacks ?? NO_SETBACKS,
    lost: () => lost,
  };
}
