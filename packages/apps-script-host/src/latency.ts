// Defines how long Apps Script's actions take: one law with modelled, seeded latencies and one
// without any.

import type { Random } from './random';

export interface LatencyLaw {
  /** From the trigger to the first line of the script, in ms. */
  readonly startMs: (random: Random) => number;
  /**
   * The round trip of one service call that concerns this many cells of a sheet, in ms. For
   * UrlFetchApp, the wait for the internet is added.
   */
  readonly callMs: (operation: string, random: Random, cells: number) => number;
  /** Time until written cells are in the sheet, in ms. */
  readonly flushMs: (cells: number, random: Random) => number;
  /** From the call of UrlFetchApp to the moment the request leaves Google, in ms. */
  readonly sendMs: (random: Random) => number;
}

/**
 * Starting a script takes about half a second in users' reports of the overhead of custom
 * functions.
 */
const START_MS = { lowest: 300, highest: 700 };

/**
 * Cache, properties and lock: measured averages lie between 3 and 93 ms, most of them in this
 * range.
 */
const STORE_CALL_MS = { lowest: 20, highest: 50 };

/** Measured averages are 62 to 80 ms for writing a property and 30 ms for reading one. */
const PROPERTY_WRITE_MS = { lowest: 45, highest: 80 };

/** Measured: 4 to 9 µs for each cell that is read and about 25 µs for each that is written. */
const READ_CELL_MS = 0.0085;
const WRITE_CELL_MS = 0.025;

/** A write and the flush after it take 200 to 700 ms together, of which the write is a tenth. */
const FLUSH_MS = { lowest: 180, highest: 620 };

const SEND_MS = { lowest: 20, highest: 90 };
/** One request in a hundred leaves later than the others. */
const SEND_TAIL_SHARE = 0.01;
const SEND_TAIL_HIGHEST_MS = 300;

/**
 * Calls other than those of stores, in ms, by the beginning of their name. The first match counts.
 * A read of the spreadsheet was measured at about 150 ms for getName and below that for values.
 * Writes that wait for a flush cost little themselves. Making a trigger takes 100 to 300 ms. There
 * is no figure for asking row by row whether each is hidden; Google says that it reads ahead.
 */
const CALL_MS: readonly (readonly [string, { lowest: number; highest: number }])[] = [
  ['cache.', STORE_CALL_MS],
  ['properties.set', PROPERTY_WRITE_MS],
  ['properties.delete', PROPERTY_WRITE_MS],
  ['properties.', STORE_CALL_MS],
  ['lock.', STORE_CALL_MS],
  ['urlFetch.', { lowest: 0, highest: 0 }],
  ['utilities.', { lowest: 1, highest: 1 }],
  ['html.', { lowest: 5, highest: 15 }],
  ['session.', { lowest: 5, highest: 15 }],
  ['mail.send', { lowest: 300, highest: 900 }],
  ['script.', { lowest: 100, highest: 300 }],
  ['spreadsheet.write.set', { lowest: 20, highest: 80 }],
  ['spreadsheet.write', { lowest: 40, highest: 100 }],
  ['spreadsheet.read.isRowHidden', { lowest: 2, highest: 10 }],
  ['spreadsheet.read.getName', { lowest: 100, highest: 200 }],
  ['spreadsheet.read', { lowest: 40, highest: 150 }],
  ['spreadsheet.', { lowest: 2, highest: 10 }],
];

const OTHER_CALL_MS = { lowest: 5, highest: 15 };

export const MODELLED_LATENCY: LatencyLaw = {
  startMs: (random) => random.integer(START_MS.lowest, START_MS.highest),
  callMs: (operation, random, cells) => {
    const law = CALL_MS.find(([beginning]) => operation.startsWith(beginning))?.[1];
    const { lowest, highest } = law ?? OTHER_CALL_MS;
    const isRead = operation.startsWith('spreadsheet.read');
    return random.integer(lowest, highest) + Math.round(isRead ? cells * READ_CELL_MS : 0);
  },
  flushMs: (cells, random) =>
    random.integer(FLUSH_MS.lowest, FLUSH_MS.highest) + Math.round(cells * WRITE_CELL_MS),
  sendMs: (random) => {
    const isLate = random.next() < SEND_TAIL_SHARE;
    return random.integer(
      isLate ? SEND_MS.highest : SEND_MS.lowest,
      isLate ? SEND_TAIL_HIGHEST_MS : SEND_MS.highest,
    );
  },
};

/** For the machine's clock, where calls take the real time that they take. */
export const NO_LATENCY: LatencyLaw = {
  startMs: () => 0,
  callMs: () => 0,
  flushMs: () => 0,
  sendMs: () => 0,
};
