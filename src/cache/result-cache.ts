// The cache of answers, and what it notes beside them: when the service last answered, and the
// products it had no answer for.

import { endsRun, keepMsOf, willPass } from '../failures/failure';
import type { Cache } from '../google/platform';
import type { Answer, Freshness } from '../product/analysis';
import {
  ANALYSIS_KEEP_MS,
  answerOf,
  bucketsOf,
  type Entry,
  entryIn,
  entryOf,
  mergeBucket,
} from './entries';

/** What is noted beside the answers, in one cache value. */
interface Mark {
  /** When the service last gave an analysis, ms since 1970; 0 if that is not known. */
  readonly answeredMs: number;
  readonly setbacks: Setbacks;
}

/** The products for which the service had no proper answer since its last analysis. */
export interface Setbacks {
  /** When the first of them came, ms since 1970. */
  readonly sinceMs: number;
  readonly keys: readonly string[];
}

export const NO_SETBACKS: Setbacks = { sinceMs: 0, keys: [] };

/** Nothing depends on more of them. */
const SETBACKS_MAX = 8;

function markIn(text = ''): Mark {
  const [answered, back = ''] = text.split(' ');
  const numberIn = (part: string | undefined) => Number(part) || 0;
  const [since, ...keys] = back.split(',');
  return { answeredMs: numberIn(answered), setbacks: { sinceMs: numberIn(since), keys } };
}

function markText({ answeredMs, setbacks }: Mark): string {
  const back = [setbacks.sinceMs, ...setbacks.keys.slice(0, SETBACKS_MAX)].join();
  return [answeredMs, back].join(' ');
}

/**
 * Increased whenever the form of a bucket or an entry changes, so that an updated add-on never
 * reads older ones.
 */
const FORM_VERSION = 3;

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
   * Caches answers by product key, each for as long as its kind allows. Costs at most two cache
   * calls.
   *
   * @param setbacks given if they changed; an analysis ends them.
   */
  keep(
    answers: ReadonlyMap<string, Answer>,
    wish: Freshness,
    nowMs: number,
    setbacks?: Setbacks,
  ): void;
  /**
   * Shares products without a proper answer and forgets the cached failures of `keys`, so that these
   * are asked again. Costs two cache calls.
   */
  setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void;
  /** When the service last gave an analysis. Costs a cache call if nothing was found or kept yet. */
  answeredMs(): number;
  /** As this execution last saw them. */
  setbacks(): Setbacks;
}

/**
 * @param scope see `answersScope`. What a seller may sell and pays differs by account, so answers
 * never pass from one key to another, nor from one way of reading to another.
 */
export function resultCache(cache: Cache, scope: string): ResultCache {
  const prefix = `r${FORM_VERSION}:${scope}:`;
  const bucketName = (bucket: number) => prefix + bucket.toString(36);
  const markName = `${prefix}-mark`;
  /** As last read or written. */
  let seen: Mark | undefined;

  const readMark = () => markIn(cache.getAll([markName])[markName]);

  function answeredMs(): number {
    seen ??= readMark();
    return seen.answeredMs;
  }

  function find(keys: readonly string[], wish: GoodEnough, nowMs: number) {
    const found = new Map<string, Answer>();
    const names = new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)));
    const texts = cache.getAll([...names, markName], true);
    seen = markIn(texts[markName]);
    for (const key of keys) {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const answers = entries
        .sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))
        .map((entry) => answerOf(entry, wish, nowMs));
      const answer = answers.find((one) => one !== undefined);
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

  function setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void {
    const names = [...new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)))];
    const texts = cache.getAll([...names, markName]);
    const failed = keys.flatMap((key) => {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const entry = entries.find((one) => one !== undefined && !one.answer.ok);
      return entry === undefined || entries.some((one) => one?.answer.ok)
        ? []
        : [[key, { ...entry, until: nowMs }] as const];
    });
    const over = merged(byBucket(new Map(failed)), texts, nowMs);
    seen = { ...markIn(texts[markName]), setbacks };
    cache.putAll({ ...over, [markName]: markText(seen) }, TTL_SECONDS);
  }

  function keep(
    answers: ReadonlyMap<string, Answer>,
    wish: Freshness,
    nowMs: number,
    setbacks?: Setbacks,
  ) {
    const entries = new Map<string, Entry>();
    for (const [key, answer] of answers) {
      const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);
      const entry = entryOf(answer, keepMs, wish, nowMs);
      if (entry !== undefined) entries.set(key, entry);
    }
    if (entries.size === 0) return;
    const added = byBucket(entries);
    const texts = cache.getAll([...added.keys(), markName]);
    const mark = markIn(texts[markName]);
    const isAnswered = [...entries.values()].some(({ answer }) => answer.ok);
    seen = isAnswered
      ? { ...mark, answeredMs: nowMs, setbacks: NO_SETBACKS }
      : { ...mark, setbacks: setbacks ?? mark.setbacks };
    cache.putAll({ ...merged(added, texts, nowMs), [markName]: markText(seen) }, TTL_SECONDS);
  }

  const setbacks = () => seen?.setbacks ?? NO_SETBACKS;

  return { find, keep, setBack, answeredMs, setbacks };
}
