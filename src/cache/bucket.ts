// One value of the cache: answers of many products in lines, what a line holds, and which stays when the
// value is full.

import { type Failure, isFailure, keepMsOf } from '../failures/failure';
import {
  type Analysis,
  type Answer,
  answered,
  type ExtraField,
  FIELDS,
  type Field,
  type Figures,
  type Freshness,
  figuresBy,
  unanswered,
} from '../product/fields';
import { bytesOf, storedList } from '../schema/stored-record';

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

/** The entries of those answers that are kept, by product key. */
export function entriesOf(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number) {
  const entries = new Map<string, Entry>();
  for (const [key, answer] of answers) {
    const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);
    const entry = entryOf(answer, keepMs, wish, nowMs);
    if (entry !== undefined) entries.set(key, entry);
  }
  return entries;
}

/** The entry for an answer; undefined if answers of its kind are not kept. */
export function entryOf(
  answer: Answer,
  keepMs: number,
  { tag }: Freshness,
  nowMs: number,
): Entry | undefined {
  if (keepMs <= 0) return undefined;
  return { answer, at: nowMs, until: nowMs + keepMs, ...(tag === undefined ? {} : { tag }) };
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

/**
 * The cache holds 1,000 values and drops the oldest, so with one value for each product it would
 * forget part of every longer list. 256 buckets leave room for everything else that is cached.
 */
const BUCKETS = 256;

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
 * A product's entry in a bucket. An unreadable entry counts as forgotten, since a cache may forget.
 */
export function entryIn(bucket: string | undefined, key: string): Entry | undefined {
  const [untilText = '', atText = '', json = ''] = partsOf(bucket ?? '', key) ?? [];
  const until = Number.parseInt(untilText, RADIX);
  const at = Number.parseInt(atText, RADIX);
  if (!(Number.isFinite(until) && Number.isFinite(at))) return undefined;
  const [tag = 0, answer, ageMs = 0] = storedList(json) as Partial<EntryContent>;
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

/** Stays below the cache's limit of 100 KB (UTF-8 bytes) for a value. */
const BUCKET_BYTES_MAX = 90_000;

/**
 * Joins as many lines as fit, in their order. What answers carry besides figures goes first, from the
 * last line on, and then the last lines.
 */
function textOf(lines: readonly (readonly string[])[]): string {
  const texts = lines.map((line) => LINE + line.join(TAB));
  const whole = texts.join('');
  if (whole.length * BYTES_OF_UNIT_MAX <= BUCKET_BYTES_MAX) return whole;
  const sizes = texts.map(bytesOf);
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  for (let at = lines.length - 1; at >= 0 && bytes > BUCKET_BYTES_MAX; at -= 1) {
    const bare = LINE + withoutExtras(lines[at] ?? []).join(TAB);
    const size = bytesOf(bare);
    bytes += size - (sizes[at] ?? 0);
    texts[at] = bare;
    sizes[at] = size;
  }
  let room = BUCKET_BYTES_MAX;
  const fitting: string[] = [];
  for (const [at, text] of texts.entries()) {
    room -= sizes[at] ?? 0;
    if (room < 0) break;
    fitting.push(text);
  }
  return fitting.join('');
}

/** A line whose answer is figures alone. */
function withoutExtras(line: readonly string[]): readonly string[] {
  const [key = '', until = '', at = '', json = ''] = line;
  const [tag = 0, answer, ...age] = storedList(json) as Partial<EntryContent>;
  if (!isPacked(answer)) return line;
  const [figures, , ...isRoiFraction] = answer;
  return [key, until, at, JSON.stringify([tag, [figures, [], ...isRoiFraction], ...age])];
}

/** In UTF-8, one UTF-16 unit takes at most three bytes. */
const BYTES_OF_UNIT_MAX = 3;

/** Begins every line, including the first, so that a search never matches part of a key. */
const LINE = '\n';

/**
 * Ends the key and each part after it. JSON escapes both marks, so they never occur in its text.
 */
const TAB = '\t';

/** The parts of the line with this key; undefined if the text has no such line. */
function partsOf(text: string, key: string): readonly string[] | undefined {
  const lineStart = `${LINE}${key}${TAB}`;
  const at = text.indexOf(lineStart);
  if (at < 0) return undefined;
  const end = text.indexOf(LINE, at + 1);
  return text.slice(at + lineStart.length, end < 0 ? text.length : end).split(TAB);
}

/** All lines, each as its key followed by its parts. */
function linesOf(text: string): readonly (readonly string[])[] {
  return text
    .split(LINE)
    .slice(1)
    .map((line) => line.split(TAB));
}

/**
 * The last part of a line. An analysis is an array and a failure an object, so they cannot be
 * confused.
 */
type EntryContent = readonly [tag: string | 0, answer: EncodedAnalysis | Failure, ageMs?: number];

/** The base in which times are written, to keep them short. */
const RADIX = 36;

function lineOf(key: string, { answer, at, until, tag }: Entry): readonly string[] {
  const encoded = answer.ok ? encode(answer.analysis) : answer.failure;
  const ageMs = answer.ok ? at - answer.analysis.fetchedAtMs : 0;
  const content: EntryContent = [tag ?? 0, encoded, ageMs];
  return [key, until.toString(RADIX), at.toString(RADIX), JSON.stringify(content)];
}

/**
 * Figures in the order of the fields, without their names, which would make up most of the text.
 */
type PackedFigures = readonly (Figures[Field] | undefined)[];

export type EncodedAnalysis = readonly [
  figures: PackedFigures,
  extras?: readonly ExtraField[],
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
