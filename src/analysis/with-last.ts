// What stands in for an answer that will come later: the last analysis there was.

import type { Answer } from './answer';
import type { Engine } from './engine';
import { willPass } from './failure';

/** The answers, and with each failure that will pass the last analysis. One property call at most. */
export function withLast(
  { lastGood }: Pick<Engine, 'lastGood'>,
  answers: ReadonlyMap<string, Answer>,
): ReadonlyMap<string, Answer> {
  const failed = [...answers].flatMap(([key, answer]) =>
    !answer.ok && willPass(answer.failure) ? [[key, answer] as const] : [],
  );
  if (failed.length === 0) return answers;
  const last = lastGood.find(failed.map(([key]) => key));
  const known = failed.flatMap(([key, answer]) => {
    const analysis = last.get(key);
    return analysis === undefined ? [] : [[key, { ...answer, last: analysis }] as const];
  });
  return new Map([...answers, ...known]);
}
