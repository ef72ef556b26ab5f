// The cache of answers, and the write-behind log of answers that are not yet in durable storage.

import { keepMsOf } from '../failures/failure';
import type { Cache, Random } from '../platform/ports';
import type { Analysis, Answer, Freshness } from '../product/analysis';
import { allowancesOf, type GoogleDay, parseGoogleDay, withUse } from '../quota/google-limits';
import {
  ANALYSIS_KEEP_MS,
  AS_SENT,
  answerOf,
  bucketsOf,
  type Entry,
  entryIn,
  entryOf,
  keysIn,
  mergeBucket,
  placeOf,
  type Reading,
} from './entries';
import type { LastGood } from './last-good';

/**
 * Writes to the log take no lock, so two executions can undo each other's write in one part of it.
 * With 32 parts, that happens to one write in a hundred at 5 a second.
 */
const PARTS = 32;

/**
 * Saving costs two of the day's 50,000 property calls. Up to 20 saves may follow each other at
 * once; after that there is one every 15 s, which stores all answers since the previous one.
 */
const SAVES_AT_ONCE = 20;
const SAVE_LOG_EACH_MS = 15_000;

/** Property calls of one save: a read and a write. */
const CALLS_OF_SAVING = 2;

/** A log with this many answers is saved even before the next save is due. */
const UNSAVED_MAX = 16;

/** The log is saved by the first execution that comes this long after its last entry, ms. */
const LEFT_MS = 300_000;

interface Mark {
  /**
   * When the next save is due, kept in the same way as a gate's state (theoretical arrival time),
   * ms since 1970.
   */
  readonly tatMs: number;
  /** When the last unsaved entry was added, ms since 1970; 0 if there is none. */
  readonly leftMs: number;
  /** When the service last gave an analysis, ms since 1970; 0 if that is not known. */
  readonly answeredMs: number;
  readonly setbacks: Setbacks;
  /** Property calls that the gate does not count. */
  readonly day?: GoogleDay;
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

type Texts = Readonly<Record<string, string>>;

export interface WriteBehindLog {
  /** The names of the log's cache values. */
  readonly names: readonly string[];
  /** The one among them that tells whether unsaved entries exist. */
  readonly markName: string;
  /** The cache values to write in order to add entries, and whether the log should be saved now. */
  added(texts: Texts, entries: ReadonlyMap<string, Entry>, nowMs: number): LogChange;
  /** The cache values to write in order to note products without a proper answer. */
  setBack(texts: Texts, setbacks: Setbacks): Texts;
  mark(texts: Texts): Pick<Mark, 'answeredMs' | 'setbacks'>;
  /** The cache values to write once everything in the log was saved. */
  emptied(texts: Texts, nowMs: number): Texts;
  analyses(texts: Texts): ReadonlyMap<string, Analysis>;
  /** The cache values to write in order to count property calls. */
  counted(texts: Texts, propertyCalls: number, nowMs: number): Texts;
  day(texts: Texts): GoogleDay | undefined;
  isLeft(texts: Texts, nowMs: number): boolean;
}

export interface LogChange {
  readonly texts: Texts;
  readonly isDue: boolean;
}

function writeBehindLog(prefix: string, { anew }: Reading): WriteBehindLog {
  const markName = `${prefix}mark`;
  const partName = (key: string) => `${prefix}${placeOf(key, PARTS)}`;
  const partNames = Array.from({ length: PARTS }, (_, part) => `${prefix}${part}`);

  function markIn(texts: Texts): Mark {
    const [tat, left, answered, back = '', json = ''] = (texts[markName] ?? '').split(' ');
    const numberIn = (text: string | undefined) => Number(text) || 0;
    const [since, ...keys] = back.split(',');
    const day = parseGoogleDay(json);
    return {
      tatMs: numberIn(tat),
      leftMs: numberIn(left),
      answeredMs: numberIn(answered),
      setbacks: { sinceMs: numberIn(since), keys },
      ...(day && { day }),
    };
  }

  function withMark({ tatMs, leftMs, answeredMs, setbacks, day }: Mark): Texts {
    const back = [setbacks.sinceMs, ...setbacks.keys.slice(0, SETBACKS_MAX)].join();
    return { [markName]: [tatMs, leftMs, answeredMs, back, JSON.stringify(day) ?? ''].join(' ') };
  }

  return {
    names: [markName, ...partNames],
    markName,
    added(texts, entries, nowMs) {
      if (entries.size === 0) return { texts: {}, isDue: false };
      const mark = markIn(texts);
      const answered = { leftMs: nowMs, answeredMs: nowMs, setbacks: NO_SETBACKS };
      const changed: Record<string, string> = { ...withMark({ ...mark, ...answered }) };
      for (const [key, entry] of entries) {
        const name = partName(key);
        const text = changed[name] ?? texts[name];
        changed[name] = mergeBucket(text, new Map([[key, entry]]), nowMs);
      }
      const all = { ...texts, ...changed };
      const count = partNames.reduce((sum, name) => sum + keysIn(all[name]).length, 0);
      const isAllowed = mark.tatMs <= nowMs + (SAVES_AT_ONCE - 1) * SAVE_LOG_EACH_MS;
      return { texts: changed, isDue: count > 0 && (isAllowed || count >= UNSAVED_MAX) };
    },
    emptied(texts, nowMs) {
      const full = partNames.filter((name) => (texts[name] ?? '') !== '');
      const mark = markIn(texts);
      const tatMs = Math.max(mark.tatMs, nowMs) + SAVE_LOG_EACH_MS;
      const day = withUse(mark.day, { propertyCalls: CALLS_OF_SAVING }, nowMs);
      const empty = Object.fromEntries(full.map((name) => [name, '']));
      return { ...empty, ...withMark({ ...mark, tatMs, leftMs: 0, day }) };
    },
    setBack: (texts, setbacks) => withMark({ ...markIn(texts), setbacks }),
    mark: markIn,
    analyses(texts) {
      const found = partNames.flatMap((name) =>
        keysIn(texts[name]).flatMap((key) => {
          const entry = entryIn(texts[name], key);
          const answer = entry && anew(entry.answer, key, entry.reading);
          return answer?.ok === true ? [[key, answer.analysis] as const] : [];
        }),
      );
      return new Map(found);
    },
    isLeft(texts, nowMs) {
      const { leftMs } = markIn(texts);
      return leftMs > 0 && nowMs - leftMs > LEFT_MS;
    },
    counted(texts, propertyCalls, nowMs) {
      const mark = markIn(texts);
      return withMark({ ...mark, day: withUse(mark.day, { propertyCalls }, nowMs) });
    },
    day: (texts) => markIn(texts).day,
  };
}

/**
 * Increased whenever the form of a bucket or an entry changes, so that an updated add-on never
 * reads older ones.
 */
const FORM_VERSION = 2;

/** The longest time that Google's cache keeps a value. */
const TTL_SECONDS = 21_600;

/** One execution saves at most this often, however many answers it gets, ms. */
const SAVE_OWN_EACH_MS = 60_000;

/**
 * A cell that finds its answer in the cache writes nothing, so it cannot count the property calls
 * it made. Instead, one random cell in this many counts for all of them: rarely while the count is
 * far from any limit, then more often.
 */
const COUNTED_AT_FIRST = 8_192;
const COUNTED_THEN = 1_024;

/**
 * The share of cells that save unsaved entries they find: of thirty at the same moment, only a few
 * do.
 */
const SAVER_SHARE = 0.1;

/** An answer and the moment at which the service gave it. */
export interface DatedAnswer {
  readonly answer: Answer;
  readonly atMs: number;
}

export interface ResultCache {
  /**
   * The cached answers that are good enough, by product key. Costs one cache call.
   *
   * @param misread receives the keys whose cached answers cannot be reinterpreted in today's way.
   */
  find(
    keys: readonly string[],
    wish: Freshness,
    nowMs: number,
    misread?: Set<string>,
  ): ReadonlyMap<string, Answer>;
  /**
   * Caches answers by product key, each for as long as its kind allows. Costs at most two cache
   * calls, and occasionally two property calls to save the last good analyses.
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
  /**
   * Puts answers that the cache has forgotten back into it with their original age. Costs two cache
   * calls.
   */
  restore(answers: ReadonlyMap<string, DatedAnswer>, nowMs: number): void;
  /** Saves what only the cache holds. Callers that ask for many products do so at the end. */
  save(nowMs: number): void;
  /** Property calls that the gate did not count. Costs one cache call. */
  googleDay(): GoogleDay | undefined;
}

export interface Durable {
  readonly lastGood: LastGood;
  readonly random: Random;
  /** Property calls that this execution has made since the previous call of this method. */
  propertyCalls(): number;
  /** Other texts, by name, that are stored together with answers. */
  others(): Readonly<Record<string, string>>;
}

/**
 * @param scope names the connection by its fingerprint. What a seller may sell and pays differs by
 * account, so answers never pass from one key to another.
 * @param reading how this execution reads answers; others are reinterpreted.
 */
export function resultCache(
  cache: Cache,
  scope: string,
  durable: Durable,
  reading: Reading = AS_SENT,
): ResultCache {
  const prefix = `r${FORM_VERSION}:${scope}:`;
  const bucketName = (bucket: number) => prefix + bucket.toString(36);
  const log = writeBehindLog(`${prefix}-`, reading);
  let savedMs = Number.NEGATIVE_INFINITY;
  /** As last read or written. */
  let seen: Pick<Mark, 'answeredMs' | 'setbacks'> | undefined;

  function answeredMs(): number {
    seen ??= log.mark(cache.getAll([log.markName]));
    return seen.answeredMs;
  }

  function find(keys: readonly string[], wish: Freshness, nowMs: number, misread?: Set<string>) {
    const found = new Map<string, Answer>();
    const names = new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)));
    const texts = cache.getAll([...names, log.markName], true);
    seen = log.mark(texts);
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

  function setBack(setbacks: Setbacks, keys: readonly string[], nowMs: number): void {
    const names = [...new Set(keys.flatMap((key) => bucketsOf(key).map(bucketName)))];
    const texts = cache.getAll([...names, log.markName]);
    const failed = keys.flatMap((key) => {
      const entries = bucketsOf(key).map((number) => entryIn(texts[bucketName(number)], key));
      const entry = entries.find((one) => one !== undefined && !one.answer.ok);
      return entry === undefined || entries.some((one) => one?.answer.ok)
        ? []
        : [[key, { ...entry, until: nowMs }] as const];
    });
    const over = merged(byBucket(new Map(failed)), texts, nowMs);
    const mark = log.setBack(texts, setbacks);
    seen = log.mark(mark);
    cache.putAll({ ...over, ...mark }, TTL_SECONDS);
  }

  function keep(
    answers: ReadonlyMap<string, Answer>,
    wish: Freshness,
    nowMs: number,
    setbacks?: Setbacks,
  ) {
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
    const marked = unsaved.size > 0 ? log.names : setbacks === undefined ? [] : [log.markName];
    const texts = cache.getAll([...added.keys(), ...marked]);
    const back = setbacks === undefined ? {} : log.setBack(texts, setbacks);
    const buckets = { ...merged(added, texts, nowMs), ...back };
    const logged = log.added(texts, unsaved, nowMs);
    if (marked.length > 0) seen = log.mark({ ...texts, ...back, ...logged.texts });
    const isDue = logged.isDue && nowMs - savedMs >= SAVE_OWN_EACH_MS;
    if (isDue) putSaved({ ...texts, ...logged.texts }, buckets, nowMs);
    else cache.putAll({ ...buckets, ...logged.texts }, TTL_SECONDS);
  }

  /**
   * Empties the log before saving, so that of two executions that save at once, one merely repeats
   * the other's work.
   */
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

  const setbacks = () => seen?.setbacks ?? NO_SETBACKS;

  return { find, keep, setBack, restore, save, answeredMs, setbacks, googleDay };
}
