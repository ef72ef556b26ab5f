// What answers told and nobody settled yet, counted in the cache.

import { type Cache, isLike, storedList } from '../platform/ports';
import type { Observation } from './calibration';

/** One thing told by so many answers, the first of them for `asin`. */
export interface CountedObservation extends Observation {
  readonly count: number;
  readonly asin: string;
}

/** There are seven settings, and hardly ever two opinions about one. */
const OBSERVATIONS_MAX = 12;

/** So many answers that agree settle a unit at the next check, even where the check tells nothing. */
export const AGREEING_MIN = 3;

/**
 * What was seen that is not settled, where it is clear: often enough, and unopposed.
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
  /** The cache for whatever else is kept: observations ride along with its reads and writes. */
  readonly cache: Cache;
  note(asin: string, told: readonly Observation[]): void;
}

const nameOf = (scope: string) => `s:${scope}`;

/** @param scope names the way of reading: with another one, all begins anew. */
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

/** The cache may hold anything: another version's, or what somebody's script put there. */
const COUNTED = { setting: '', value: '', why: '', asin: '', count: 0 };

const parse = (text: string | undefined): readonly CountedObservation[] =>
  storedList<CountedObservation>(text).filter((one) => isLike(one, COUNTED));
