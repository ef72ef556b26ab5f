// How long Apps Script takes for things: a law with modelled, seeded latencies, and one with none.

import type { Random } from '../random';

export interface LatencyLaw {
  /** From the trigger to the first line of the script, ms. */
  readonly startMs: (random: Random) => number;
  /** One service call there and back, ms; UrlFetchApp's waiting for the internet comes on top. */
  readonly callMs: (operation: string, random: Random) => number;
  /** From the call of UrlFetchApp to the moment the request leaves Google, ms. */
  readonly sendMs: (random: Random) => number;
}

/** Waking a script takes about half a second in the reports of custom functions' overhead. */
const START_MS = { lowest: 300, highest: 700 };

/** Cache, properties and lock: measured averages lie between 3 and 93 ms, most in this range. */
const STORE_CALL_MS = { lowest: 20, highest: 50 };

const SEND_MS = { lowest: 20, highest: 90 };
/** One request in a hundred leaves later than the others. */
const SEND_TAIL_SHARE = 0.01;
const SEND_TAIL_HIGHEST_MS = 300;

/**
 * Calls that are not stores, ms, by the beginning of their name; the first that fits counts.
 * A read of the spreadsheet was measured at about 150 ms for getName and below that for values,
 * a write with the flush that follows at 200 to 700 ms, and triggers are made in about as long.
 */
const CALL_MS: readonly (readonly [string, { lowest: number; highest: number }])[] = [
  ['cache.', STORE_CALL_MS],
  ['properties.', STORE_CALL_MS],
  ['lock.', STORE_CALL_MS],
  ['urlFetch.', { lowest: 0, highest: 0 }],
  ['utilities.', { lowest: 1, highest: 1 }],
  ['html.', { lowest: 5, highest: 15 }],
  ['session.', { lowest: 5, highest: 15 }],
  ['script.', { lowest: 100, highest: 300 }],
  ['spreadsheet.flush', { lowest: 200, highest: 600 }],
  ['spreadsheet.write', { lowest: 40, highest: 100 }],
  ['spreadsheet.read', { lowest: 40, highest: 150 }],
  ['spreadsheet.', { lowest: 2, highest: 10 }],
];

const OTHER_CALL_MS = { lowest: 5, highest: 15 };

export const MODELLED_LATENCY: LatencyLaw = {
  startMs: (random) => random.integer(START_MS.lowest, START_MS.highest),
  callMs: (operation, random) => {
    const law = CALL_MS.find(([beginning]) => operation.startsWith(beginning))?.[1];
    const { lowest, highest } = law ?? OTHER_CALL_MS;
    return random.integer(lowest, highest);
  },
  sendMs: (random) => {
    const isLate = random.next() < SEND_TAIL_SHARE;
    return random.integer(
      isLate ? SEND_MS.highest : SEND_MS.lowest,
      isLate ? SEND_TAIL_HIGHEST_MS : SEND_MS.highest,
    );
  },
};

/** For the machine's clock: everything takes as long as it takes. */
export const NO_LATENCY: LatencyLaw = { startMs: () => 0, callMs: () => 0, sendMs: () => 0 };
