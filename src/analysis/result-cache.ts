// The result cache: answers shared by every door and every user of a spreadsheet, per connection.

import type { Cache, Random } from '../platform/ports';
import { allowancesOf, type GoogleDay } from '../quota/google-day';
import type { Answer, Freshness } from './answer';
import {
  ANALYSIS_KEEP_MS,
  answerOf,
  bucketsOf,
  type Entry,
  entryIn,
  entryOf,
  mergeBucket,
} from './bucket';
import { keepMsOf } from './failure';
import type { LastGood } from './last-good';
import { AS_SENT, type Reading } from './reread';
import { unsavedLog } from './unsaved';

/** Raised whenever the form of a bucket or an entry changes: an update then never reads older ones. */
const FORM_VERSION = 2;

/** The longest life the cache grants. */
const TTL_SECONDS = 21_600;

/** One execution saves no more often, however many answers it gets. */
const SAVE_EACH_MS = 60_000;

/**
 * A cell that finds its answer writes nothing, and so cannot count the property calls it made. One of
 * so many counts for all of them: of few at first, which are far from any limit, then of more.
 */
const COUNTED_AT_FIRST = 8_192;
const COUNTED_THEN = 1_024;

/** Of thirty cells that find entries left at the same moment, a few save them. */
const SAVER_SHARE = 0.1;

/** An answer, and when the service gave it. */
export interface DatedAnswer {
  readonly answer: Answer;
  readonly atMs: number;
}

export interface ResultCache {
  /**
   * The answers that are there and good enough, by product key. One cache call.
   *
   * @param misread gets those of the others whose answer cannot be read as answers are read by now.
   */
  find(
    keys: readonly string[],
    wish: Freshness,
    nowMs: number,
    misread?: Set<string>,
  ): ReadonlyMap<string, Answer>;
  /**
   * Keeps answers, by product key, each for as long as its kind allows. Two cache calls at most, and
   * now and then two property calls for the last good analyses.
   */
  keep(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number): void;
  /** Puts back what the cache forgets sooner, each as old as it is. Two cache calls. */
  restore(answers: ReadonlyMap<string, DatedAnswer>, nowMs: number): void;
  /** Saves what is in the cache alone; whoever asked for many products does so at the end. */
  save(nowMs: number): void;
  /** Property calls that the gate did not see, one cache call. */
  googleDay(): GoogleDay | undefined;
}

export interface Durable {
  readonly lastGood: LastGood;
  readonly random: Random;
  /** Property calls that this execution made since it was asked last. */
  propertyCalls(): number;
  /** What else is to be stored, by name, when answers are. */
  others(): Readonly<Record<string, string>>;
}

/**
 * @param scope names the connection (its fingerprint), because what a seller may sell and pays differs
 *   by account: answers never cross from one key to another.
 * @param reading answers that were read otherwise are read anew.
 */
export function resultCache(
  cache: Cache,
  scope: string,
  durable: Durable,
  reading: Reading = AS_SENT,
): ResultCache {
  const prefix = `r${FORM_VERSION}:${scope}:`;
  const bucketName = (bucket: number) => prefix + bucket.toString(36);
  const log = unsavedLog(`${prefix}-`, reading);
  let savedMs = Number.NEGATIVE_INFINITY;

  function find(keys: readonly string[], wish: Freshness, nowMs: number, misread?: Set<string>) {
    const found = new Map<string, Answer>();
    const names = new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)));
    const texts = cache.getAll([...names, log.markName], true);
    for (const key of keys) {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const answers = entries
        .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))
        .flatMap((entry) => {
          const there = answerOf(entry, wish, nowMs);
          return there === undefined ? [] : [reading.anew(there, key, entry?.reading)];
        });
      const answer = answers.find((one) => one !== undefined);
      if (answer !== undefined) found.set(key, answer);
      else if (answers.length > 0) misread?.add(key);
    }
    if (found.size === keys.length) countSome(texts, nowMs);
    if (log.isLeft(texts, nowMs) && durable.random.next() < SAVER_SHARE) save(nowMs);
    return found;
  }

  function countSome(texts: Readonly<Record<string, string>>, nowMs: number): void {
    const counted = allowancesOf(log.day(texts), nowMs).propertyCalls.usedToday;
    const oneOf = counted < COUNTED_AT_FIRST ? COUNTED_AT_FIRST : COUNTED_THEN;
    if (durable.random.next() >= 1 / oneOf) return;
    const propertyCalls = durable.propertyCalls() * oneOf;
    cache.putAll({ ...log.counted(texts, propertyCalls, nowMs) }, TTL_SECONDS);
  }

  /** The entries by the names of the buckets that they belong into, each in two. */
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

  function restore(answers: ReadonlyMap<string, DatedAnswer>, nowMs: number): void {
    if (answers.size === 0) return;
    const until = nowMs + ANALYSIS_KEEP_MS;
    const entries = [...answers].map(
      ([key, { answer, atMs }]) =>
        [key, { answer, at: atMs, until, reading: reading.text }] as const,
    );
    const added = byBucket(new Map(entries));
    cache.putAll({ ...merged(added, cache.getAll([...added.keys()]), nowMs) }, TTL_SECONDS);
  }

  function keep(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number) {
    const entries = new Map<string, Entry>();
    const unsaved = new Map<string, Entry>();
    for (const [key, answer] of answers) {
      const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);
      const entry = entryOf(answer, keepMs, wish, nowMs, reading.text);
      if (entry === undefined) continue;
      entries.set(key, entry);
      if (answer.ok) unsaved.set(key, entry);
    }
    if (entries.size === 0) return;
    const added = byBucket(entries);
    const texts = cache.getAll([...added.keys(), ...(unsaved.size > 0 ? log.names : [])]);
    const buckets = merged(added, texts, nowMs);
    const logged = log.added(texts, unsaved, nowMs);
    const isDue = logged.isDue && nowMs - savedMs >= SAVE_EACH_MS;
    if (isDue) putSaved({ ...texts, ...logged.texts }, buckets, nowMs);
    else cache.putAll({ ...buckets, ...logged.texts }, TTL_SECONDS);
  }

  /** Empties the log first: of two executions that save it at once, one does so in vain. */
  function putSaved(
    texts: Readonly<Record<string, string>>,
    buckets: Readonly<Record<string, string>>,
    nowMs: number,
  ): void {
    savedMs = nowMs;
    cache.putAll({ ...buckets, ...log.emptied(texts, nowMs) }, TTL_SECONDS);
    durable.lastGood.save(log.analyses(texts), durable.others());
  }

  function save(nowMs: number): void {
    const texts = cache.getAll(log.names);
    if (log.analyses(texts).size > 0) putSaved(texts, {}, nowMs);
  }

  const googleDay = () => log.day(cache.getAll([log.markName]));

  return { find, keep, restore, save, googleDay };
}
