// What the cache forgot and the spreadsheet's own store still has: schedules know how old it may be.

import type { Analysis } from '../analysis/analysis';
import { type Answer, answered, type Freshness } from '../analysis/answer';
import type { Engine } from '../analysis/engine';

/** By product key; none where nobody said how old answers may be. One property call. */
export function keptAnswers(
  { lastGood }: Pick<Engine, 'lastGood'>,
  keys: readonly string[],
  { notBeforeMs }: Freshness,
): ReadonlyMap<string, Answer> {
  if (notBeforeMs === undefined || keys.length === 0) return new Map();
  const isNewEnough = ([, analysis]: readonly [string, Analysis]) =>
    analysis.fetchedAtMs >= notBeforeMs;
  const found = [...lastGood.find(keys)].filter(isNewEnough);
  return new Map(found.map(([key, analysis]) => [key, answered(analysis)]));
}
