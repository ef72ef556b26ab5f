// Answers as they are stored: lines of text in buckets, and how they are read anew once more is settled.

import {
  type Connection,
  type ConnectionSettings,
  readingFrom,
  readingOf,
  readingText,
} from '../connection/connection';
import { type Failure, isFailure } from '../failures/failure';
import { bytesOf, storedList } from '../platform/ports';
import {
  type Analysis,
  type Answer,
  answered,
  type Extra,
  type Freshness,
  type RoiUnit,
  unanswered,
} from '../product/analysis';
import { productOfKey } from '../product/asin';
import {
  changedBy,
  FIELDS,
  type Field,
  type Figures,
  fieldKind,
  figuresBy,
  meaningOf,
  nameForm,
} from '../product/fields';
import { type Market, wireNameOf } from '../product/market';
import { NAME_SETTINGS, RESTRICTION_NAMES, readFigure } from '../service/parse-analysis';

/** Begins every line, also the first, so that a key is found whole or not at all. */
const LINE = '\n';

/** Ends a key and every part behind it. JSON writes both marks as escapes. */
const TAB = '\t';

/** The parts of the line with this key, or undefined where the text has none. */
export function partsOf(text: string, key: string): readonly string[] | undefined {
  const mark = `${LINE}${key}${TAB}`;
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const end = text.indexOf(LINE, at + 1);
  return text.slice(at + mark.length, end < 0 ? text.length : end).split(TAB);
}

/** All lines, each as its key and its parts. */
export function linesOf(text: string): readonly (readonly string[])[] {
  return text
    .split(LINE)
    .slice(1)
    .map((line) => line.split(TAB));
}

/**
 * The text of lines as long as they fit, in their order. One that is too long even alone is left out
 * and takes no other with it.
 */
export function textOf(lines: readonly (readonly string[])[], bytesMax: number): string {
  const texts = lines.map((line) => LINE + line.join(TAB));
  const whole = texts.join('');
  if (whole.length * BYTES_OF_UNIT_MAX <= bytesMax) return whole;
  const kept: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const added = bytesOf(text);
    if (added > bytesMax) continue;
    bytes += added;
    if (bytes > bytesMax) break;
    kept.push(text);
  }
  return kept.join('');
}

/** In UTF-8 a UTF-16 unit takes three bytes at most. */
const BYTES_OF_UNIT_MAX = 3;

/** Figures without their names, which would be most of the text, in the order of the fields. */
type PackedFigures = readonly (Figures[Field] | undefined)[];

export type EncodedAnalysis = readonly [
  figures: PackedFigures,
  extras?: readonly Extra[],
  roiUnit?: number,
];

/** By their numbers in a packed analysis; 0 for a unit that is not settled. */
const ROI_UNITS: readonly (RoiUnit | undefined)[] = [undefined, 'fraction', 'percent'];

/** Everything but the time of fetching, which the keeper has a place for. */
export function encode({ figures, extras, roiUnit }: Analysis): EncodedAnalysis {
  return [FIELDS.map((field) => figures[field]), extras, ROI_UNITS.indexOf(roiUnit)];
}

/** The form of the text is vouched for by the version in its keeper's names. */
export function decode(analysis: EncodedAnalysis, fetchedAtMs: number): Analysis {
  const [figures, extras = [], unit = 0] = analysis;
  const roiUnit = ROI_UNITS[unit];
  return {
    figures: figuresBy((_, at) => figures[at] ?? null),
    extras,
    ...(roiUnit === undefined ? {} : { roiUnit }),
    fetchedAtMs,
  };
}

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
  answer: EncodedAnalysis | Failure,
  ageMs?: number,
  reading?: string,
];

/** Times take fewer letters so. */
const RADIX = 36;

function lineOf(key: string, { answer, at, until, tag, reading }: Entry): readonly string[] {
  const one = answer.ok ? encode(answer.analysis) : answer.failure;
  const ageMs = answer.ok ? at - answer.analysis.fetchedAtMs : 0;
  const content: Content = reading ? [tag ?? 0, one, ageMs, reading] : [tag ?? 0, one, ageMs];
  return [key, until.toString(RADIX), at.toString(RADIX), JSON.stringify(content)];
}

/** A product's entry in a bucket. What is unreadable counts as forgotten, as a cache may forget. */
export function entryIn(bucket: string | undefined, key: string): Entry | undefined {
  const [untilText = '', atText = '', json = ''] = partsOf(bucket ?? '', key) ?? [];
  const [until, at] = [Number.parseInt(untilText, RADIX), Number.parseInt(atText, RADIX)];
  if (!(Number.isFinite(until) && Number.isFinite(at))) return undefined;
  const [tag = 0, answer, ageMs = 0, reading] = storedList(json) as Partial<Content>;
  if (!isPacked(answer) && !isFailure(answer)) return undefined;
  return {
    answer: isPacked(answer) ? answered(decode(answer, at - ageMs)) : unanswered(answer),
    at,
    until,
    ...(tag === 0 ? {} : { tag }),
    ...(reading === undefined ? {} : { reading }),
  };
}

function isPacked(answer: EncodedAnalysis | Failure | undefined): answer is EncodedAnalysis {
  return Array.isArray(answer) && Array.isArray(answer[0]);
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

/** How this execution reads, and how what others read comes to the same. */
export interface Reading {
  /** Stored beside an answer; '' where nothing is settled. */
  readonly text: string;
  /** The answer as it would be read today; undefined: that cannot be told from what is stored. */
  anew(answer: Answer, key: string, was?: string): Answer | undefined;
}

/** Of a service about which nothing is settled. */
export const AS_SENT: Reading = { text: '', anew: (answer) => answer };

export function readingFor(connection: Connection): Reading {
  const now = readingOf(connection);
  const text = readingText(now);
  return {
    text,
    anew: (answer, key, was = '') =>
      was === text ? answer : readAnew(answer, productOfKey(key)?.market, readingFrom(was), now),
  };
}

function readAnew(
  answer: Answer,
  market: Market | undefined,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Answer | undefined {
  // Under another name the service may know another market.
  if (market && wireNameOf(market, was) !== wireNameOf(market, now)) return undefined;
  if (!answer.ok) return answer.failure.kind === 'not-understood' ? undefined : answer;
  const analysis = renamed(answer.analysis, was, now);
  const inUnits = analysis && inUnitsOf(analysis, was, now);
  return inUnits && answered(inUnits);
}

/** Fields under the names that are settled now; what a name stood for before has to be plain. */
function renamed(
  analysis: Analysis,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Analysis | undefined {
  let { figures, extras } = analysis;
  for (const [setting, field] of NAME_SETTINGS) {
    const [before, name] = [was[setting], now[setting]];
    if (nameForm(before ?? '') === nameForm(name ?? '')) continue;
    const isNamed = ([extra]: (typeof extras)[number]) => nameForm(extra) === nameForm(name ?? '');
    const sent = extras.find(isNamed);
    if (sent === undefined) {
      // Before anybody named the field, it came under the name that is settled now or a similar one.
      const one = name ?? before ?? '';
      const isUsual = meaningOf(one)?.field === field || RESTRICTION_NAMES.includes(nameForm(one));
      if (!isUsual || (name !== undefined && before !== undefined)) return undefined;
      continue;
    }
    const value = readFigure(field, sent[1]);
    if (value === undefined) return undefined;
    figures = {
      ...figures,
      [field]: fieldKind(field) === 'money' ? part(value, moneyOf(was)) : value,
    };
    extras = extras.filter((extra) => extra !== sent);
  }
  return { ...analysis, figures, extras };
}

const moneyOf = ({ moneyUnit }: ConnectionSettings) => (moneyUnit === 'hundredths' ? 100 : 1);

const part = (value: Figures[Field], of: number) =>
  typeof value === 'number' ? value / of : value;

/**
 * A unit that was settled otherwise may have been right when the answer came, so only what was read
 * as it was sent is read anew.
 */
function inUnitsOf(
  analysis: Analysis,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Analysis | undefined {
  const { figures } = analysis;
  const money = moneyOf(now) / moneyOf(was);
  if (money !== 1 && was.moneyUnit !== undefined) return undefined;
  const isSettled = was.roiUnit !== undefined && was.roiUnit !== now.roiUnit;
  if (isSettled && figures.roi !== null) return undefined;
  const roiUnit = now.roiUnit === undefined ? analysis.roiUnit : ('fraction' as const);
  const isPercent = now.roiUnit === 'percent' && analysis.roiUnit === undefined;
  const inMoney = changedBy(figures, 'money', (one) => one / money);
  return {
    ...analysis,
    figures: isPercent ? changedBy(inMoney, 'ratio', (one) => one / 100) : inMoney,
    ...(roiUnit === undefined ? {} : { roiUnit }),
  };
}
