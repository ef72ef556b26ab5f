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

/** Ends by the engine's limits; whatever could not be asked stays on the list. */
export function workWaiting(engine: Engine): WaitingWork {
  const list = waitingList(engine.platform.cache, engine.platform.lock, engine.scope);
  let settled = 0;
  let left = 0;
  for (const { wish, products } of list.read()) {
    const answers = analyze(engine, products, wish);
    const done = products.map(productKey).filter((key) => {
      const answer = answers.get(key);
      return answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');
    });
    if (done.length > 0) list.remove(done, wish);
    settled += done.length;
    left += products.length - done.length;
  }
  engine.cache.save(engine.platform.clock.nowMs());
  if (settled > 0 && left === 0) engine.gate.leave();
  return { settled, left };
}
