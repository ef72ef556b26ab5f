// Observations that nobody has settled yet, counted in the cache.

import * as z from 'zod/mini';
import type { Cache } from '../google/platform';
import { lazySchema } from '../schema/lazy-schema';
import { storedList } from '../schema/stored-record';
import type { Observation } from './calibration';

/** One observation with the number of answers that made it; the first of them was for `asin`. */
export interface CountedObservation extends Observation {
  readonly count: number;
  readonly asin: string;
}

/** There are seven settings, and two opinions about one are rare. */
const OBSERVATIONS_MAX = 12;

/**
 * This many agreeing answers settle a unit at the next check, even if the check itself reveals
 * nothing.
 */
export const AGREEING_MIN = 3;

/**
 * The open observations that are clear enough to settle: made often enough and not contradicted.
 */
export const settleable = (
  observations: readonly CountedObservation[],
  reading: { readonly [Setting in CountedObservation['setting']]?: string },
): readonly CountedObservation[] =>
  observations.filter(
    ({ setting, value, count }) =>
      reading[setting] === undefined &&
      count >= AGREEING_MIN &&
      !observations.some((one) => one.setting === setting && one.value !== value),
  );

export interface ObservationLog {
  /**
   * The cache for everything else that is cached; observations travel along with its reads and
   * writes.
   */
  readonly cache: Cache;
  note(asin: string, told: readonly Observation[]): void;
}

const nameOf = (scope: string) => `s:${scope}`;

/** @param scope names the way of reading; with another one, counting starts again. */
export function observationLog(cache: Cache, scope: string): ObservationLog {
  const name = nameOf(scope);
  let known: readonly CountedObservation[] | undefined;
  let hasNews = false;
  return {
    cache: {
      getAll(names, isPaidFor) {
        if (known !== undefined) return cache.getAll(names, isPaidFor);
        const texts = cache.getAll([...names, name], isPaidFor);
        known = parse(texts[name]);
        return texts;
      },
      putAll(values, ttlSeconds) {
        const news = hasNews ? { [name]: JSON.stringify(known) } : {};
        hasNews = false;
        return cache.putAll({ ...values, ...news }, ttlSeconds);
      },
    },
    note(asin, told) {
      if (told.length === 0) return;
      known = told.reduce((all, one) => added(all, one, asin), known ?? []);
      hasNews = true;
    },
  };
}

function added(
  all: readonly CountedObservation[],
  told: Observation,
  asin: string,
): readonly CountedObservation[] {
  const same = all.find((one) => one.setting === told.setting && one.value === told.value);
  if (same === undefined) return [...all, { ...told, count: 1, asin }].slice(0, OBSERVATIONS_MAX);
  return all.map((one) => (one === same ? { ...one, count: one.count + 1 } : one));
}

export function readObservations(cache: Cache, scope: string): readonly CountedObservation[] {
  return parse(cache.getAll([nameOf(scope)])[nameOf(scope)]);
}

const countedSchema = lazySchema(() => {
  const text = z.string();
  const setting = z.custom<CountedObservation['setting']>((one) => typeof one === 'string');
  return z.object({ setting, value: text, why: text, asin: text, count: z.number() });
});

/**
 * The cached value may be anything, such as another version's data or something another script
 * wrote.
 */
const parse = (text: string | undefined): readonly CountedObservation[] =>
  storedList<unknown>(text).flatMap((one) => {
    const read = z.safeParse(countedSchema(), one);
    return read.success ? [read.data] : [];
  });
