// A sample of all damaged records at all doors; `npm run records` takes them all and prints what it tried.

import { expect, it } from '@jest/globals';
import { ALL, DOORS_COUNT, sweepRecords } from './records';

/** Prime to the number of corruptions, so that every record and every corruption comes up. */
const EVERY = Number(process.env.RECORDS_EVERY ?? 61);

/** All of them take minutes, and on a crowded machine more than twenty. */
const TIMEOUT_MS = 3_600_000;

it(
  'a damaged record is never told raw, and ends neither a cell nor the page nor the clock',
  async () => {
    const { records, calls, members, raw } = await sweepRecords(EVERY);
    process.stdout.write(
      `Records: ${records} records, ${ALL} corruptions, ${DOORS_COUNT} doors, ` +
        `${members} members, ${calls} calls made: ${raw.length} raw\n`,
    );
    expect(raw).toEqual([]);
    expect(calls).toBeGreaterThan(100);
    expect(members).toBeGreaterThan(5);
  },
  TIMEOUT_MS,
);
