// The cache of answers, and what it notes beside them: when the service last answered, and the
// products it had no answer for.

import { endsRun, type Failure, isFailure, keepMsOf, willPass } from '../failures/failure';
import type { Cache } from '../google/platform';
import {
  type Analysis,
  type Answer,
  answered,
  type Extra,
  FIELDS,
  type Field,
  type Figures,
  type Freshness,
  figuresBy,
  unanswered,
} from '../product/fields';
import { bytesOf, storedList } from '../schema/stored-record';

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

/** Begins every line, including the first, so that a search never matches part of a key. */
const LINE = '\n';

/**
 * Ends the key and each part after it. JSON escapes both marks, so they never occur in its text.
 */
const TAB = '\t';

/** The parts of the line with this key; undefined if the text has no such line. */
function partsOf(text: string, key: string): readonly string[] | undefined {
  const mark = `${LINE}${key}${TAB}`;
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const end = text.indexOf(LINE, at + 1);
  return text.slice(at + mark.length, end < 0 ? text.length : end).split(TAB);
}

/** All lines, each as its key followed by its parts. */
function linesOf(text: string): readonly (readonly string[])[] {
  return text
    .split(LINE)
    .slice(1)
    .map((line) => line.split(TAB));
}

/** Stays below the cache's limit of 100 KB (UTF-8 bytes) for a value. */
const BUCKET_BYTES_MAX = 90_000;

/**
 * Joins as many lines as fit, in their order. A line that is too long on its own is skipped; the
 * lines after it stay.
 */
function textOf(lines: readonly (readonly string[])[]): string {
  const texts = lines.map((line) => LINE + line.join(TAB));
  const whole = texts.join('');
  if (whole.length * BYTES_OF_UNIT_MAX <= BUCKET_BYTES_MAX) return whole;
  const kept: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const added = bytesOf(text);
    if (added > BUCKET_BYTES_MAX) continue;
    bytes += added;
    if (bytes > BUCKET_BYTES_MAX) break;
    kept.push(text);
  }
  return kept.join('');
}

/** In UTF-8, one UTF-16 unit takes at most three bytes. */
const BYTES_OF_UNIT_MAX = 3;

/**
 * Figures in the order of the fields, without their names, which would make up most of the text.
 */
type PackedFigures = readonly (Figures[Field] | undefined)[];

export type EncodedAnalysis = readonly [
  figures: PackedFigures,
  extras?: readonly Extra[],
  isRoiFraction?: 0 | 1,
];

/** Packs everything but the fetch time, which follows from the age in the same line. */
export function encode({ figures, extras, roiUnit }: Analysis): EncodedAnalysis {
  return [FIELDS.map((field) => figures[field]), extras, roiUnit === undefined ? 0 : 1];
}

/** Unpacks an analysis. The form needs no check here: names in the cache contain its version. */
export function decode(analysis: EncodedAnalysis, fetchedAtMs: number): Analysis {
  const [figures, extras = [], isRoiFraction] = analysis;
  return {
    figures: figuresBy((_, at) => figures[at] ?? null),
    extras,
    ...(isRoiFraction === 1 && { roiUnit: 'fraction' as const }),
    fetchedAtMs,
  };
}

/**
 * The cache holds 1,000 values and drops the oldest, so with one value for each product it would
 * forget part of every longer list. 256 buckets leave room for everything else that is cached.
 */
const BUCKETS = 256;

/** How long an analysis is kept: as long as the cache can keep anything. */
export const ANALYSIS_KEEP_MS = 6 * 3_600_000;

/**
 * One cached answer. It is valid up to `until`, which comes early for a failure, as its table says.
 */
export interface Entry {
  readonly answer: Answer;
  /** When the entry was written. */
  readonly at: number;
  readonly until: number;
  /** The refresh text that the caller gave when it was asked. */
  readonly tag?: string;
}

/**
 * The two buckets of a product. A write reads and rewrites a bucket without a lock, so two
 * executions can undo each other's write in one bucket (about 0.2 % at 5 a second), but practically
 * never in both.
 */
export function bucketsOf(key: string): readonly [number, number] {
  const first = hash(key, 0x811c9dc5) % BUCKETS;
  const second = hash(key, 0x01000193) % BUCKETS;
  return [first, second === first ? (first + 1) % BUCKETS : second];
}

/** 32-bit FNV-1a over UTF-16 units with a final mix. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/**
 * The last part of a line. An analysis is an array and a failure an object, so they cannot be
 * confused.
 */
type Content = readonly [tag: string | 0, answer: EncodedAnalysis | Failure, ageMs?: number];

/** The base in which times are written, to keep them short. */
const RADIX = 36;

function lineOf(key: string, { answer, at, until, tag }: Entry): readonly string[] {
  const one = answer.ok ? encode(answer.analysis) : answer.failure;
  const ageMs = answer.ok ? at - answer.analysis.fetchedAtMs : 0;
  const content: Content = [tag ?? 0, one, ageMs];
  return [key, until.toString(RADIX), at.toString(RADIX), JSON.stringify(content)];
}

/**
 * A product's entry in a bucket. An unreadable entry counts as forgotten, since a cache may forget.
 */
export function entryIn(bucket: string | undefined, key: string): Entry | undefined {
  const [untilText = '', atText = '', json = ''] = partsOf(bucket ?? '', key) ?? [];
  const until = Number.parseInt(untilText, RADIX);
  const at = Number.parseInt(atText, RADIX);
  if (!(Number.isFinite(until) && Number.isFinite(at))) return undefined;
  const [tag = 0, answer, ageMs = 0] = storedList(json) as Partial<Content>;
  if (!isPacked(answer) && !isFailure(answer)) return undefined;
  return {
    answer: isPacked(answer) ? answered(decode(answer, at - ageMs)) : unanswered(answer),
    at,
    until,
    ...(tag === 0 ? {} : { tag }),
  };
}

function isPacked(answer: EncodedAnalysis | Failure | undefined): answer is EncodedAnalysis {
  return Array.isArray(answer) && Array.isArray(answer[0]);
}

/**
 * Adds entries at the beginning of a bucket. It drops expired entries, entries that are too long on
 * their own, and the oldest ones if the bucket would become too long.
 */
export function mergeBucket(
  bucket: string | undefined,
  added: ReadonlyMap<string, Entry>,
  nowMs: number,
): string {
  const living = linesOf(bucket ?? '').filter(
    ([key = '', until = '']) => !added.has(key) && Number.parseInt(until, RADIX) > nowMs,
  );
  const fresh = [...added].map(([key, entry]) => lineOf(key, entry));
  return textOf([...fresh, ...living]);
}

/**
 * The answer of an entry if it is good enough for this caller now, else undefined. A product has
 * one entry whatever the refresh text, so a text that returns after another one asks again, as the
 * formula promises. Two formulas with different texts therefore displace each other's answers.
 */
export function answerOf(entry: Entry | undefined, wish: Freshness, nowMs: number) {
  if (entry === undefined || entry.until <= nowMs) return undefined;
  if (wish.notBeforeMs !== undefined && entry.at < wish.notBeforeMs) return undefined;
  if (wish.tag !== undefined && entry.tag !== wish.tag) return undefined;
  const { answer, until } = entry;
  if (answer.ok || !('waitMs' in answer.failure)) return answer;
  // The remainder of the wait that the service named.
  return unanswered({ ...answer.failure, waitMs: until - nowMs });
}

/** The entry for an answer; undefined if answers of its kind are not kept. */
export function entryOf(answer: Answer, keepMs: number, { tag }: Freshness, nowMs: number) {
  if (keepMs <= 0) return undefined;
  const entry: Entry = {
    answer,
    at: nowMs,
    until: nowMs + keepMs,
    ...(tag === undefined ? {} : { tag }),
  };
  return entry;
}
