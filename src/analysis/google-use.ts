// What the add-on did here of what Google allows in a day: counted in three places, added up in one.

import type { Platform } from '../platform/ports';
import type { Gate } from '../quota/gate';
import type { GoogleBooks } from '../quota/gate-memory';
import { type Allowances, allowancesOf, parseGoogleDay, withUse } from '../quota/google-day';
import type { ResultCache } from './result-cache';

/** Stored with the last good answers, for when the cache forgets. */
const NAME = 'google-day:';
const KEY_NAME = 'key-day:';

/** Whose days are counted: of a person, and of one of their keys. */
interface Counted {
  readonly user: string;
  /** Its fingerprint. */
  readonly key: string;
}

/** An execution's own property calls, each told once, and the day as it was stored last. */
export function googleBooks(
  { userStore, documentStore }: Platform,
  { user, key }: Counted,
): GoogleBooks {
  let told = 0;
  return {
    propertyCalls() {
      const news = userStore.calls() + documentStore.calls() - told;
      told += news;
      return news;
    },
    storedDay: () => parseGoogleDay(documentStore.read(KEY_NAME + key)),
    storedUserDay: () => parseGoogleDay(documentStore.read(NAME + user)),
  };
}

/** The days as they are to be stored: what the gate booked, as far as this execution saw it. */
export function daysToStore(gate: Gate, { user, key }: Counted): Readonly<Record<string, string>> {
  const days = [
    [KEY_NAME + key, gate.keyDay()],
    [NAME + user, gate.googleDay()],
  ] as const;
  return Object.fromEntries(
    days.flatMap(([name, day]) => (day ? [[name, JSON.stringify(day)]] : [])),
  );
}

/**
 * What is used and what is left, as far as the owner of the key caused it in this spreadsheet, with
 * whichever keys: what they do elsewhere counts too, and Google has the last word. Two cache calls.
 */
export function googleUse(
  { cache, gate }: { readonly cache: ResultCache; readonly gate: Gate },
  nowMs: number,
): Allowances {
  const unseen = allowancesOf(cache.googleDay(), nowMs).propertyCalls.usedToday;
  return allowancesOf(withUse(gate.googleDay(), { propertyCalls: unseen }, nowMs), nowMs);
}
