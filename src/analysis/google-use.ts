// What the add-on did here of what Google allows in a day: counted in three places, added up in one.

import type { Platform } from '../platform/ports';
import type { Gate } from '../quota/gate';
import type { GoogleBooks } from '../quota/gate-memory';
import {
  type Allowances,
  allowancesOf,
  type GoogleDay,
  parseGoogleDay,
  withUse,
} from '../quota/google-day';
import type { ResultCache } from './result-cache';

/** Stored with the last good answers, for when the cache forgets. */
const NAME = 'google-day';

/** An execution's own property calls, each told once, and the day as it was stored last. */
export function googleBooks({ userStore, documentStore }: Platform): GoogleBooks {
  let told = 0;
  return {
    propertyCalls() {
      const news = userStore.calls() + documentStore.calls() - told;
      told += news;
      return news;
    },
    storedDay: () => parseGoogleDay(documentStore.read(NAME)),
  };
}

/** The day as it is to be stored: what the gate booked, as far as this execution saw it. */
export function dayToStore(day: GoogleDay | undefined): Readonly<Record<string, string>> {
  return day === undefined ? {} : { [NAME]: JSON.stringify(day) };
}

/**
 * What is used and what is left, as far as this spreadsheet's users caused it with this key: what
 * they do elsewhere counts too, and Google has the last word. Two cache calls.
 */
export function googleUse(
  { cache, gate }: { readonly cache: ResultCache; readonly gate: Gate },
  nowMs: number,
): Allowances {
  const unseen = allowancesOf(cache.googleDay(), nowMs).propertyCalls.usedToday;
  return allowancesOf(withUse(gate.googleDay(), { propertyCalls: unseen }, nowMs), nowMs);
}
