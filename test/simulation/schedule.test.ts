// A few short worlds of `npm run simulate -- schedule`, on every change; what once broke stays here by its seed.

import { describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { sweepSize } from '../sweep-size';
import { playMonth } from './schedule/month';

const dist = distIn(BUILT);

/** Whole months in which a law once asked more than is promised: played by `npm run sweeps`. */
const MONTHS = [
  // Two schedules for the same rows: what one had just tried in vain the other has nothing to add to.
  [5038, 30],
  // Rows moved in the instant of a write: a product of no schedule's was written over, and asked for.
  [9164, 30],
  // A product was typed in once more while its first row was filled in.
  [9161, 30],
] as const;

describe('schedules among late, missing and cut-off firings', () => {
  it.each([
    [1, 5],
    // Firings that are cut off with rows still marked: both break where nobody is told of it.
    [2, 6],
    [6, 6],
    // A person's run failed in the half hour before it came round, and rows wait for their next try.
    [106, 15],
    // A product was typed in while the hour's last calls were made.
    [303, 10],
    // A key so slow that the time of a firing is up before its rows are done, while the service is down.
    [305, 6],
    // Formulas with a cap and a schedule of their own; a scheduled tab that is cleared in a firing.
    [9542, 6],
    // Another one that is deleted in a firing, and comes back.
    [9504, 6],
    ...MONTHS.slice(0, sweepSize(MONTHS.length, 0)),
  ])('seed %d over %d days', (seed, days) => {
    const { wrongs, firings, calls, changes } = playMonth(dist, seed, days);
    expect(wrongs).toEqual([]);
    expect(firings).toBeGreaterThan(12 * days);
    expect(calls).toBeGreaterThan(20);
    expect(changes).toBeGreaterThan(20);
  });
});
