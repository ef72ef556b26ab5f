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
  });
  // A script may put a function of its own in its place.
  HostDate.now = nowMs;
  EngineDate.prototype.constructor = HostDate;
  globalThis.Date = HostDate;
}

/** A reading of the clock and an idle call of a service, in ms. */
const READING_MS = 0.001;
const CALL_MS = 0.01;
/** After so much of it, in ms, a script is taken to wait for a moment rather than to work. */
const WORK_MS = 100;
/** From then on each reading takes this part of what has passed. A wait of minutes is soon over. */
const GROWTH = 1e-5;
/** The host is told at the latest after so many ms, so that time limits end the script. */
const TOLD_MS = 1_000;

/**
 * The clock of virtual time for a script that asks for it again and again. Each reading takes a
 * moment, so that `while (Date.now() < end) {}` ends, as at Google.
 */
export function busyClock(nowMs: () => number, pass: (ms: number) => void) {
  let spentMs = 0;
  let owedMs = 0;
  const spend = (ms: number) => {
    const step = spentMs < WORK_MS ? ms : (spentMs * GROWTH * ms) / READING_MS;
    spentMs += step;
    owedMs += step;
  };
  const settle = () => {
    const whole = Math.floor(owedMs);
    if (whole === 0) return;
    owedMs -= whole;
    pass(whole);
  };
  return {
    read: (): number => {
      spend(READING_MS);
      if (owedMs >= TOLD_MS) settle();
      return nowMs() + Math.floor(owedMs);
    },
    /** Tells the host of the time that has passed since the last call. */
    settle,
    /** A call for which the host took no time, as where there is no latency. */
    called: () => spend(CALL_MS),
  };
}

export function installRandom(seed: number): void {
  Math.random = createRandom(seed).next;
}
