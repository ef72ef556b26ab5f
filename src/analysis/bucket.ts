// Buckets of cached answers: which ones a product is in, what is in one, and how it is kept small.

import { type Answer, answered, type Freshness, unanswered } from './answer';
import { type Failure, isFailure } from './failure';
import { linesOf, partsOf, textOf } from './lines';
import { type PackedAnalysis, packed, unpacked } from './packed';

/**
 * The cache holds 1,000 values and drops the oldest, so one value per product would forget every
 * list longer than that. 256 buckets leave room for everything else that is cached.
 */
const BUCKETS = 256;

/** Stay below the cache's 100 KB a value, which are bytes in UTF-8. */
const BUCKET_BYTES_MAX = 90_000;

/** An analysis is good for as long as the cache may keep it at all. */
export const ANALYSIS_KEEP_MS = 6 * 3_600_000;

/** One cached answer. `until` bounds its life; a failure's is short, as its table says. */
export interface Entry {
  readonly answer: Answer;
  /** When it was written. */
  readonly at: number;
  readonly until: number;
  /** The caller's refresh text under which it was asked. */
  readonly tag?: string;
  /** How it was read; left out where nothing was settled. */
  readonly reading?: string;
}

/**
 * The two buckets of a product. Writes are read-modify-write without a lock, so two executions can
 * undo each other's in one bucket (about 0.2 % at 5 a second); in both at once practically never.
 */
export function bucketsOf(key: string): readonly [number, number] {
  const first = hash(key, 0x811c9dc5) % BUCKETS;
  const second = hash(key, 0x01000193) % BUCKETS;
  return [first, second === first ? (first + 1) % BUCKETS : second];
}

/** One of `count` places for a key, always the same, by a hash of its own. */
export function placeOf(key: string, count: number): number {
  return hash(key, 0x9e3779b9) % count;
}

/** FNV-1a over UTF-16 units with a final mix, 32 bits. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** A line's last part. An analysis is an array and a failure an object, so they are never mixed up. */
type Content = readonly [
  tag: string | 0,
  answer: PackedAnalysis | Failure,
  ageMs?: number,
  reading?: string,
];

/** Times take fewer letters so. */
const RADIX = 36;

function lineOf(key: string, { answer, at, until, tag, reading }: Entry): readonly string[] {
  const one = answer.ok ? packed(answer.analysis) : answer.failure;
  const ageMs = answer.ok ? at - answer.analysis.fetchedAtMs : 0;
  const content: Content = reading ? [tag ?? 0, one, ageMs, reading] : [tag ?? 0, one, ageMs];
  return [key, until.toString(RADIX), at.toString(RADIX), JSON.stringify(content)];
}

/** A product's entry in a bucket. What is unreadable counts as forgotten, as a cache may forget. */
export function entryIn(bucket: string | undefined, key: string): Entry | undefined {
  const [untilText = '', atText = '', json = ''] = partsOf(bucket ?? '', key) ?? [];
  const [until, at] = [Number.parseInt(untilText, RADIX), Number.parseInt(atText, RADIX)];
  if (!(Number.isFinite(until) && Number.isFinite(at))) return undefined;
  try {
    const [tag, answer, ageMs = 0, reading]: Content = JSON.parse(json);
    if (!isPacked(answer) && !isFailure(answer)) return undefined;
    return {
      answer: isPacked(answer) ? answered(unpacked(answer, at - ageMs)) : unanswered(answer),
      at,
      until,
      ...(tag === 0 ? {} : { tag }),
      ...(reading === undefined ? {} : { reading }),
    };
  } catch {
    return undefined;
  }
}

function isPacked(answer: PackedAnalysis | Failure): answer is PackedAnalysis {
  return Array.isArray(answer);
}

/** The keys in a bucket, the newest first. */
export function keysIn(bucket: string | undefined): readonly string[] {
  return linesOf(bucket ?? '').map(([key = '']) => key);
}

/**
 * The bucket with new entries, without dead ones, without any that is too long even alone, and
 * without the oldest if it would be too long: new ones go to its beginning.
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
  return textOf([...fresh, ...living], BUCKET_BYTES_MAX);
}

/**
 * The answer an entry gives to this caller now, or undefined when it will not do. A product has one
 * entry, whatever the refresh text: a text that comes back after another one asks again, as the
 * formula promises. Two formulas with different texts therefore displace each other's answers.
 */
export function answerOf(entry: Entry | undefined, wish: Freshness, nowMs: number) {
  if (entry === undefined || entry.until <= nowMs) return undefined;
  if (wish.notBeforeMs !== undefined && entry.at < wish.notBeforeMs) return undefined;
  if (wish.tag !== undefined && entry.tag !== wish.tag) return undefined;
  const { answer, until } = entry;
  if (answer.ok || !('waitMs' in answer.failure)) return answer;
  // What is left by now of the time that the service named.
  return unanswered({ ...answer.failure, waitMs: until - nowMs });
}

/** The entry that keeps an answer, or undefined when answers of its kind are not kept. */
export function entryOf(
  answer: Answer,
  keepMs: number,
  { tag }: Freshness,
  nowMs: number,
  reading = '',
) {
  if (keepMs <= 0) return undefined;
  const entry: Entry = {
    answer,
    at: nowMs,
    until: nowMs + keepMs,
    ...(tag === undefined ? {} : { tag }),
    ...(reading === '' ? {} : { reading }),
  };
  return entry;
}
