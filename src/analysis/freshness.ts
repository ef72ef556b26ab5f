// Which rows of the Analysis tab are recent enough to need no call.

import * as z from 'zod/mini';
import { ANALYSIS_KEEP_MS } from '../cache/result-cache';
import { OK_STATUS } from '../failures/failure';
import type { Platform } from '../google/platform';
import { lazySchema, storedAs } from '../schema/stored-record';
import type { AnalysisRow } from './analysis-row';

/** Since when rows are written with a key and way of reading, by its name. */
const scopesSchema = lazySchema(() => z.record(z.string(), z.number()));

const NAME = 'answers-scope';

/** Which one a person used last. */
const LAST_NAME = 'last-scope';

/** More keys and ways of reading than a team uses. The oldest are forgotten. */
const SCOPES_MAX = 20;

type Parts = Pick<Platform, 'userStore' | 'documentStore'>;

const scopesIn = ({ documentStore }: Pick<Parts, 'documentStore'>) =>
  storedAs(documentStore.read(NAME), scopesSchema()) ?? {};

/**
 * Since when rows have been written with this key and way of reading, ms since 1970; infinite if
 * they never have. Costs one property call.
 *
 * @param scope see `answersScope`.
 */
export const inUseSinceMs = (parts: Pick<Parts, 'documentStore'>, scope: string): number =>
  scopesIn(parts)[scope] ?? Number.POSITIVE_INFINITY;

/**
 * The same, noting that this person uses them from now on. What they used before ends: if they come
 * back to it, rows that were written meanwhile are not taken for its own. Those of colleagues go on.
 * Costs two property calls, and two more if something is new.
 */
export function noteInUse(parts: Parts, scope: string, nowMs: number): number {
  const before = parts.userStore.read(LAST_NAME);
  const scopes = scopesIn(parts);
  const sinceMs = scopes[scope] ?? nowMs;
  if (before === scope && scope in scopes) return sinceMs;
  const others = Object.entries(scopes)
    .filter(([name]) => name !== scope && name !== before)
    .sort(([, one], [, other]) => other - one);
  const kept = [[scope, sinceMs] as const, ...others].slice(0, SCOPES_MAX);
  parts.documentStore.write(NAME, JSON.stringify(Object.fromEntries(kept)));
  if (before !== scope) parts.userStore.write(LAST_NAME, scope);
  return sinceMs;
}

/** Whether a row's figures are as good as an answer of the cache. @param sinceMs see `inUseSinceMs`. */
export const isFresh = (
  { status, analyzedMs }: AnalysisRow,
  sinceMs: number,
  nowMs: number,
): boolean =>
  status === OK_STATUS &&
  analyzedMs !== null &&
  analyzedMs >= Math.floor(sinceMs / 1_000) * 1_000 &&
  analyzedMs > nowMs - ANALYSIS_KEEP_MS;
