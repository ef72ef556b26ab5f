// Buckets of cached answers: which ones a product is in, what is in one, and how it is kept small.

import type { Analysis } from './analysis';
import { type Answer, answered, type Freshness, unanswered } from './answer';
import type { Failure } from './failure';

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
  readonly until: number;
  /** The caller's refresh text under which it was asked. */
  readonly tag?: string;
  readonly analysis?: Analysis;
  readonly failure?: Failure;
  /** When it was written. */
  readonly at: number;
}

export type Bucket = Readonly<Record<string, Entry>>;

/**
 * The two buckets of a product. Writes are read-modify-write without a lock, so two executions can
 * undo each other's in one bucket (about 0.2 % at 5 a second); in both at once practically never.
 */
export function bucketsOf(key: string): readonly [number, number] {
  const first = hash(key, 0x811c9dc5) % BUCKETS;
  const second = hash(key, 0x01000193) % BUCKETS;
  return [first, second === first ? (first + 1) % BUCKETS : second];
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

/** A bucket's text as it was cached; what is unreadable counts as forgotten, as a cache may forget. */
export function parseBucket(text: string | undefined): Bucket {
  if (text === undefined) return {};
  try {
    const bucket: unknown = JSON.parse(text);
    if (typeof bucket !== 'object' || bucket === null || Array.isArray(bucket)) return {};
    return Object.fromEntries(Object.entries(bucket).filter(isEntry));
  } catch {
    return {};
  }
}

/** The version in the cache's names vouches for the rest of an entry's form. */
function isEntry(pair: [key: string, value: unknown]): pair is [string, Entry] {
  const [, value] = pair;
  if (typeof value !== 'object' || value === null || !('at' in value && 'until' in value))
    return false;
  return Number.isFinite(value.at) && Number.isFinite(value.until);
}

/**
 * The bucket with new entries, without dead ones, without any that is too long even alone, and
 * without the oldest if it would be too long.
 */
export function mergeBucket(bucket: Bucket, added: Bucket, nowMs: number): string {
  const living = Object.entries({ ...bucket, ...added })
    .filter(([, entry]) => entry.until > nowMs)
    .sort(([, a], [, b]) => b.at - a.at);
  const kept: string[] = [];
  let bytes = 2;
  for (const [key, entry] of living) {
    const text = `${JSON.stringify(key)}:${JSON.stringify(entry)}`;
    const entryBytes = bytesOf(text) + 1;
    if (entryBytes > BUCKET_BYTES_MAX) continue;
    bytes += entryBytes;
    if (bytes > BUCKET_BYTES_MAX) break;
    kept.push(text);
  }
  return `{${kept.join(',')}}`;
}

/** The length in UTF-8. Halves of surrogate pairs count two each; JSON escapes those that are alone. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
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
  if (entry.analysis !== undefined) return answered(entry.analysis);
  return entry.failure === undefined ? undefined : unanswered(entry.failure);
}

/** The entry that keeps an answer, or undefined when answers of its kind are not kept. */
export function entryOf(answer: Answer, keepMs: number, wish: Freshness, nowMs: number) {
  if (keepMs <= 0) return undefined;
  const entry: Entry = {
    at: nowMs,
    until: nowMs + keepMs,
    ...(wish.tag === undefined ? {} : { tag: wish.tag }),
    ...(answer.ok ? { analysis: answer.analysis } : { failure: answer.failure }),
  };
  return entry;
}
