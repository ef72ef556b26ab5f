// The unsaved log: analyses on their way from the cache to the durable store, a few writes for many. Pure.

import { type GoogleDay, parseGoogleDay, withUse } from '../quota/google-day';
import type { Analysis } from './analysis';
import { type Entry, entryIn, keysIn, mergeBucket, placeOf } from './bucket';
import type { Reading } from './reread';

/**
 * Writes to the log have no lock, so two executions can undo each other's in one part of it. Among
 * so many parts that befalls one in a hundred at 5 a second.
 */
const PARTS = 32;

/**
 * Saving costs two property calls of the day's 50,000, so a lone answer is saved at once and those
 * of a crowd together: so many saves in a row, then one each quarter of a minute.
 */
const SAVES_AT_ONCE = 20;
const SAVE_EACH_MS = 15_000;

/** One read and one write. */
const CALLS_OF_SAVING = 2;

/** A log of so many is saved all the same. */
const UNSAVED_MAX = 16;

/** Whoever comes by this long after the last entry saves what is left. */
const LEFT_MS = 300_000;

interface Mark {
  /** When saving is allowed again, as for a gate. */
  readonly tatMs: number;
  /** When the last entry came that nobody has saved, 0 for none. */
  readonly leftMs: number;
  /** Property calls that the gate does not see. */
  readonly day?: GoogleDay;
}

type Texts = Readonly<Record<string, string>>;

export interface UnsavedLog {
  /** The cache values it consists of. */
  readonly names: readonly string[];
  /** The one that tells whether entries are left. */
  readonly markName: string;
  /** What to put back to add entries to the log, and whether it is time to save it instead. */
  added(texts: Texts, entries: ReadonlyMap<string, Entry>, nowMs: number): LogChange;
  /** What to put back after everything in the log was saved. */
  emptied(texts: Texts, nowMs: number): Texts;
  analyses(texts: Texts): ReadonlyMap<string, Analysis>;
  /** What to put back to count property calls. */
  counted(texts: Texts, propertyCalls: number, nowMs: number): Texts;
  day(texts: Texts): GoogleDay | undefined;
  isLeft(texts: Texts, nowMs: number): boolean;
}

export interface LogChange {
  readonly texts: Texts;
  readonly isDue: boolean;
}

export function unsavedLog(prefix: string, { anew }: Reading): UnsavedLog {
  const markName = `${prefix}mark`;
  const partName = (key: string) => `${prefix}${placeOf(key, PARTS)}`;
  const partNames = Array.from({ length: PARTS }, (_, part) => `${prefix}${part}`);

  function markIn(texts: Texts): Mark {
    const [tat = '', left = '', json = ''] = (texts[markName] ?? '').split(' ');
    const day = parseGoogleDay(json);
    return { tatMs: Number(tat) || 0, leftMs: Number(left) || 0, ...(day ? { day } : {}) };
  }

  function withMark({ tatMs, leftMs, day }: Mark): Texts {
    return { [markName]: [tatMs, leftMs, JSON.stringify(day) ?? ''].join(' ') };
  }

  return {
    names: [markName, ...partNames],
    markName,
    added(texts, entries, nowMs) {
      if (entries.size === 0) return { texts: {}, isDue: false };
      const mark = markIn(texts);
      const changed: Record<string, string> = { ...withMark({ ...mark, leftMs: nowMs }) };
      for (const [key, entry] of entries) {
        const name = partName(key);
        const text = changed[name] ?? texts[name];
        changed[name] = mergeBucket(text, new Map([[key, entry]]), nowMs);
      }
      const all = { ...texts, ...changed };
      const count = partNames.reduce((sum, name) => sum + keysIn(all[name]).length, 0);
      const isAllowed = mark.tatMs <= nowMs + (SAVES_AT_ONCE - 1) * SAVE_EACH_MS;
      return { texts: changed, isDue: count > 0 && (isAllowed || count >= UNSAVED_MAX) };
    },
    emptied(texts, nowMs) {
      const full = partNames.filter((name) => (texts[name] ?? '') !== '');
      const mark = markIn(texts);
      const tatMs = Math.max(mark.tatMs, nowMs) + SAVE_EACH_MS;
      const day = withUse(mark.day, { propertyCalls: CALLS_OF_SAVING }, nowMs);
      const empty = Object.fromEntries(full.map((name) => [name, '']));
      return { ...empty, ...withMark({ tatMs, leftMs: 0, day }) };
    },
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
