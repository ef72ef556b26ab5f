// Replaces a script's Date and Math.random with the host's clock and the execution's own seeded
// numbers.

import { createRandom } from '../random';

/**
 * A Proxy instead of a subclass, because Date is also called without `new`, and dates made by the
 * engine must be instances of it.
 */
export function installClock(nowMs: () => number): void {
  const EngineDate = Date;
  const HostDate = new Proxy(EngineDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
    apply: () => new EngineDate(nowMs()).toString(),
    get: (target, member) => (member === 'now' ? nowMs : Reflect.get(target, member)),
  });
  EngineDate.prototype.constructor = HostDate;
  globalThis.Date = HostDate;
}

export function installRandom(seed: number): void {
  Math.random = createRandom(seed).next;
}
