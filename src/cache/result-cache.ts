// The cache of answers, and what it notes beside them: when the service last answered and how long it
// took, the products it had no answer for, and those that were lost with a wave.

import * as z from 'zod/mini';
import { endsRun, type Failure, isFailure, keepMsOf, willPass } from '../failures/failure';
import type { Cache } from '../google/platform';
import { productOfKey } from '../product/asin';
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
import type { Market } from '../product/market';
import { bytesOf, type Fits, lazySchema, storedAs, storedList } from '../schema/stored-record';

const setbacksSchema = lazySchema(() =>
  z.object({
    /** When the first of them came, ms since 1970. */
    sinceMs: z.number(),
    keys: z.array(z.string()),
    /** Those before: the service has answered others since. */
    before: z.array(z.string()),
  }),
);

/** The products for which the service had no proper answer since its last analysis. */
export type Setbacks = Fits<typeof setbacksSchema>;

const NO_SETBACKS: Setbacks = { sinceMs: 0, keys: [], before: [] };

/** What is after an analysis. */
export const setbacksOver = ({ keys, before }: Setbacks): Setbacks => {
  return { ...NO_SETBACKS, before: [...new Set([...before, ...keys])].slice(-SETBACKS_MAX) };
};

/** Nothing depends on more of them. */
const SETBACKS_MAX = 20;

/** What is noted of the service beside the answers, in one cache value. */
const noteSchema = lazySchema(() =>
  z.object({
    /** When it last gave an analysis, by market, ms since 1970. */
    answered: z.record(z.string(), z.number()),
    /** How long its answers have lately taken, ms. */
    tookMs: z.number(),
    setbacks: setbacksSchema(),
  }),
);

type Note = Fits<typeof noteSchema>;

const NO_NOTE: Note = { answered: {}, tookMs: 0, setbacks: NO_SETBACKS };

const noteIn = (text: string | undefined): Note => storedAs(text, noteSchema()) ?? NO_NOTE;

/** Products in a row that ended alike, while the service has not answered for any. */
const rowSchema = lazySchema(() =>
  z.object({
    /** The way they ended. */
    way: z.string(),
    ended: z.array(z.tuple([z.string(), z.custom<Failure>(isFailure)])),
    /** How often the others have had to wait since an answer, and until when. */
    rests: z.number(),
    restUntilMs: z.number(),
  }),
);

export type Row = Fits<typeof rowSchema>;

export const NO_ROW: Row = { way: '', ended: [], rests: 0, restUntilMs: 0 };

/** By product key: how often a product that was lost with a wave has stayed silent alone. */
const lostSchema = lazySchema(() => z.record(z.string(), z.number()));

export type LostProducts = Fits<typeof lostSchema>;

/** The products of many waves. */
const LOST_MAX = 300;

const lostIn = (text: string | undefined): LostProducts => storedAs(text, lostSchema()) ?? {};

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
  row(): Row | null;
  /** The same as it is now, and when the service last answered. Costs a cache call. */
  readRow(): Row | null;
  /** Costs a cache call. null: an answer, or a person, has ended it. */
  writeRow(row: Row | null): void;
  /** How long its answers have lately taken, ms, as this execution last saw it; 0: not known. */
  tookMs(): number;
  /** As this execution last saw them. */
  setbacks(): Setbacks;
  lost(): LostProducts;
}

/** What a wave says of the service. */
export interface News {
  /** Given if they changed; an analysis ends them. */
  readonly setbacks?: Setbacks;
  /** How long it took, ms. */
  readonly tookMs?: number;
}

/** How far the time that answers take counts after another that was faster. */
const TOOK_FADES = 0.7;

/** Places of waves as they came. An execution takes a free one. */
const FRESH_PLACES = 8;

/** The most answers in one, so that their figures fit into a value of the cache. */
const FRESH_MAX = 100;

/** What is in such a place once it is in its buckets. */
const MERGED = ' ';

/** Answers that are stored and not settled yet. */
interface Wave {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly news: News;
  readonly atMs: number;
}

const hasAnalysis = ({ entries }: Wave): boolean =>
  [...entries.values()].some(({ answer }) => answer.ok);

const entriesIn = (waves: readonly Wave[]): ReadonlyMap<string, Entry> =>
  new Map(waves.flatMap(({ entries }) => [...entries]));

/** What is noted of the service after a wave. */
function noteAfter(note: Note, { entries, news, atMs }: Wave): Note {
  const { setbacks = note.setbacks, tookMs = 0 } = news;
  const ok = [...entries].filter(([, { answer }]) => answer.ok);
  if (ok.length === 0) return { ...note, setbacks };
  const markets = ok.map(([key]) => [productOfKey(key)?.market ?? '', atMs] as const);
  return {
    answered: { ...note.answered, ...Object.fromEntries(markets) },
    tookMs: Math.max(tookMs, Math.round(TOOK_FADES * note.tookMs)),
    setbacks: setbacksOver(setbacks),
  };
}

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
  const freshNames = Array.from({ length: FRESH_PLACES }, (_, place) => `${prefix}-wave${place}`);
  let freshName = freshNames[Math.floor(chance * FRESH_PLACES)] ?? `${prefix}-wave0`;
  let pending: readonly Wave[] = [];
  /** As last read or written. */
  let seen: Note | undefined;
  let lost: LostProducts = {};
  let row: Row | null = null;

  /** With what is not settled yet. */
  const noted = (texts: Readonly<Record<string, string>>): Note =>
    pending.reduce(noteAfter, noteIn(texts[noteName]));

  function answeredMs(market?: Market): number {
    seen ??= noted(cache.getAll([noteName]));
    const { answered: times } = seen;
    return market === undefined ? Math.max(0, ...Object.values(times)) : (times[market] ?? 0);
  }

  function readRow(): Row | null {
    const texts = cache.getAll([noteName, rowName]);
    seen = noted(texts);
    row = storedAs(texts[rowName], rowSchema());
    return row;
  }

  function writeRow(next: Row | null): void {
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
    row = storedAs(texts[rowName], rowSchema());
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

  function withNote(note: Note): Readonly<Record<string, string>> {
    const { setbacks } = note;
    seen = { ...note, setbacks: { ...setbacks, keys: setbacks.keys.slice(0, SETBACKS_MAX) } };
    return { [noteName]: JSON.stringify(seen) };
  }

  function setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void {
    const names = [...new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)))];
    const texts = cache.getAll([...names, noteName]);
    const failed = keys.flatMap((key) => {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const entry = entries.find((one) => one !== undefined && !one.answer.ok);
      return entry === undefined || entries.some((one) => one?.answer.ok)
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
    row = storedAs(texts[rowName], rowSchema());
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

  /** What has an analysis may go in a wave again. */
  function withoutFound(before: LostProducts, entries: ReadonlyMap<string, Entry>) {
    const left = Object.entries(before).filter(([key]) => entries.get(key)?.answer.ok !== true);
    lost = Object.fromEntries(left);
    return left.length < Object.keys(before).length && { [lostName]: JSON.stringify(lost) };
  }

  function lose(more: LostProducts): void {
    const before = lostIn(cache.getAll([lostName])[lostName]);
    const all = Object.entries({ ...before, ...more });
    lost = Object.fromEntries(all.slice(-LOST_MAX));
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
  const kept: string[] = [];
  for (const [at, text] of texts.entries()) {
    room -= sizes[at] ?? 0;
    if (room < 0) break;
    kept.push(text);
  }
  return kept.join('');
}

/** A line whose answer is figures alone. */
function withoutExtras(line: readonly string[]): readonly string[] {
  const [key = '', until = '', at = '', json = ''] = line;
  const [tag = 0, answer, ...age] = storedList(json) as Partial<Content>;
  if (!isPacked(answer)) return line;
  const [figures, , ...isRoiFraction] = answer;
  return [key, until, at, JSON.stringify([tag, [figures, [], ...isRoiFraction], ...age])];
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

function entriesOf(answers: ReadonlyMap<string, Answer>, wish: Freshness, nowMs: number) {
  const entries = new Map<string, Entry>();
  for (const [key, answer] of answers) {
    const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);
    const entry = entryOf(answer, keepMs, wish, nowMs);
    if (entry !== undefined) entries.set(key, entry);
  }
  return entries;
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
