// Works off the waiting list: asks what cells could not, through the same gate, until the time is up.

import { analyze } from './analyze';
import type { Engine } from './engine';
import { productKey } from './product';
import { waitingList } from './waiting-list';

export interface WaitingWork {
  /** Products that have an answer now, or a failure that waiting does not change. */
  readonly settled: number;
  /** Products still on the list. */
  readonly left: number;
}

/**
 * Ends by the engine's limits; whatever could not be asked stays on the list.
 *
 * @param wake lets the cells look again that wait for these products, by their keys; false: some are
 *   still to be woken, so their products stay on the list and are found in the cache next time.
 */
export function workWaiting(
  engine: Engine,
  wake: (keys: readonly string[]) => boolean,
): WaitingWork {
  const list = waitingList(
    engine.platform.cache,
    engine.platform.lock,
    engine.connection.fingerprint,
  );
  const listed = list.read();
  if (listed.length === 0) {
    // What cells learned meanwhile is saved all the same: they leave it to whoever has more time.
    engine.cache.save(engine.platform.clock.nowMs());
    return { settled: 0, left: 0 };
  }
  const groups = listed.map(({ wish, products }) => {
    const answers = analyze(engine, products, wish);
    const keys = products.map(productKey);
    const done = keys.filter((key) => {
      const answer = answers.get(key);
      return answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');
    });
    return { wish, done, left: keys.length - done.length };
  });
  const settled = groups.reduce((sum, { done }) => sum + done.length, 0);
  const left = groups.reduce((sum, group) => sum + group.left, 0);
  engine.cache.save(engine.platform.clock.nowMs());
  if (settled > 0 && left === 0) engine.gate.leave();
  if (settled === 0) return { settled, left };
  if (!wake(groups.flatMap(({ done }) => done))) return { settled: 0, left: settled + left };
  for (const { wish, done } of groups) if (done.length > 0) list.remove(done, wish);
  return { settled, left };
}
