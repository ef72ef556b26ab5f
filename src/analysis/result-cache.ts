// The result cache: answers shared by every door and every user of a spreadsheet, per connection.

import type { Cache } from '../platform/ports';
import type { Answer, Freshness } from './answer';
import {
  ANALYSIS_KEEP_MS,
  answerOf,
  bucketsOf,
  type Entry,
  entryOf,
  mergeBucket,
  parseBucket,
} from './bucket';
import { keepMsOf } from './failure';

/** Raised whenever the form of a bucket or an entry changes: an update then never reads older ones. */
const FORM_VERSION = 1;

/** The longest life the cache grants. */
const TTL_SECONDS = 21_600;

export interface ResultCache {
  /** The answers that are there and good enough, by product key. One cache call. */
  find(keys: readonly string[], wish: Freshness, nowMs: number): ReadonlyMap<string, Answer>;
  /** Keeps answers, by product key, each for as long as its kind allows. Two cache calls at most. */
  keep(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number): void;
}

/**
 * @param scope names the connection (its fingerprint and how answers are read), because what a
 *   seller may sell and pays differs by account: answers never cross from one key to another.
 */
export function resultCache(cache: Cache, scope: string): ResultCache {
  const bucketName = (bucket: number) => `r${FORM_VERSION}:${scope}:${bucket.toString(36)}`;

  function find(keys: readonly string[], wish: Freshness, nowMs: number) {
    const found = new Map<string, Answer>();
    const texts = cache.getAll(namesOf(keys));
    const buckets = new Map(Object.entries(texts).map(([name, text]) => [name, parseBucket(text)]));
    for (const key of keys) {
      const entries = bucketsOf(key).map((number) => buckets.get(bucketName(number))?.[key]);
      const answers = entries
        .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))
        .map((entry) => answerOf(entry, wish, nowMs));
      const answer = answers.find((one) => one !== undefined);
      if (answer !== undefined) found.set(key, answer);
    }
    return found;
  }

  function keep(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number) {
    const added = new Map<string, Record<string, Entry>>();
    for (const [key, answer] of answers) {
      const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);
      const entry = entryOf(answer, keepMs, wish, nowMs);
      if (entry === undefined) continue;
      for (const number of bucketsOf(key)) {
        const name = bucketName(number);
        added.set(name, { ...added.get(name), [key]: entry });
      }
    }
    if (added.size === 0) return;
    const texts = cache.getAll([...added.keys()]);
    const merged = [...added].map(
      ([name, entries]) => [name, mergeBucket(parseBucket(texts[name]), entries, nowMs)] as const,
    );
    cache.putAll(Object.fromEntries(merged), TTL_SECONDS);
  }

  function namesOf(keys: readonly string[]): readonly string[] {
    return [...new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)))];
  }

  return { find, keep };
}
