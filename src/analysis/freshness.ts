// Which rows of the Analysis tab are recent enough to need no call.

import * as z from 'zod/mini';
import { ANALYSIS_KEEP_MS } from '../cache/entries';
import { OK_STATUS } from '../failures/failure';
import { lazySchema } from '../platform/lazy-schema';
import type { SheetPlatform } from '../platform/ports';
import { storedAs } from '../platform/stored-record';
import type { AnalysisRow } from './analysis-tab';

/** The key and the way of reading that a person's answers come with, and since when. */
const scopeInUseSchema = lazySchema(() => z.object({ scope: z.string(), sinceMs: z.number() }));

const NAME = 'answers-scope';

type Parts = Pick<SheetPlatform, 'userStore'>;

/**
 * Since when this person has used this key and way of reading, ms since 1970; infinite if they never
 * have. It is theirs and not the spreadsheet's: colleagues with keys of their own would end each
 * other's, and each would ask for everything again. Costs one property call.
 *
 * @param scope see `answersScope`.
 */
export function inUseSinceMs({ userStore }: Parts, scope: string): number {
  const noted = storedAs(userStore.read(NAME), scopeInUseSchema());
  return noted?.scope === scope ? noted.sinceMs : Number.POSITIVE_INFINITY;
}

/** The same, noting that they are in use from now on. Costs a second property call if that is new. */
export function noteInUse(parts: Parts, scope: string, nowMs: number): number {
  const sinceMs = inUseSinceMs(parts, scope);
  if (Number.isFinite(sinceMs)) return sinceMs;
  parts.userStore.write(NAME, JSON.stringify({ scope, sinceMs: nowMs }));
  return nowMs;
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
