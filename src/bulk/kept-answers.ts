// What the cache forgot and the spreadsheet's own store still has: schedules know how old it may be.

import type { Analysis } from '../analysis/analysis';
import { type Answer, answered, type Freshness } from '../analysis/answer';
import type { Engine } from '../analysis/engine';

/**
 * By product key; none where nobody said how old answers may be. One property call.
 *
 * @param isChosen whether a product is to be that young; the last answer of any other will do.
 */
export function keptAnswers(
  { lastGood }: Pick<Engine, 'lastGood'>,
  keys: readonly string[],
  { notBeforeMs }: Freshness,
  isChosen: (key: string) => boolean = () => true,
): ReadonlyMap<string, Answer> {
  if (notBeforeMs === undefined || keys.length === 0) return new Map();
  const isNewEnough = ([key, analysis]: readonly [string, Analysis]) =>
    analysis.fetchedAtMs >= notBeforeMs || !isChosen(key);
  const found = [...lastGood.find(keys)].filter(isNewEnough);
  return new Map(found.map(([key, analysis]) => [key, answered(analysis)]));
}
