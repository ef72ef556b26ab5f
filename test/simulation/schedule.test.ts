// A few short worlds of `npm run simulate -- schedule`, played at every change; seeds that once
// failed are kept.

import { describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { sampleOf, sweepSize } from '../sample';
import { playMonth } from './schedule/month';

const dist = distIn(BUILT);

/** Whole months in which a law once demanded more than is promised; played by `npm run sweeps`. */
const MONTHS = [
  // Two schedules have the same rows, and one has just tried in vain what the other would try.
  [5038, 30],
  // Rows moved during a write: a product without a schedule was overwritten and asked for.
  [9164, 30],
  // A product was typed in again while its first row was being filled.
  [9161, 30],
] as const;

/** Seeds and days. */
const WORLDS: readonly (readonly [number, number])[] = [
  [1, 5],
  // Firings that are cut off while rows are marked; both seeds fail if nobody is told of it.
  [2, 6],
  [6, 6],
  // A person's run failed less than half an hour before the occurrence, and rows wait for their
  // next try.
  [106, 15],
  // A product was typed in during the hour's last calls.
  [303, 10],
  // A key so slow that a firing's time is up before its rows are done, while the service is down.
  [305, 6],
  // Formulas with a cap and a schedule of their own; a scheduled tab is cleared during a firing.
  [9542, 6],
  // A scheduled tab is deleted during a firing and restored.
  [9504, 6],
];

describe('schedules among late, missing and cut-off firings', () => {
  it.each([
    ...sampleOf('schedule worlds', WORLDS, 1),
    ...MONTHS.slice(0, sweepSize(MONTHS.length, 0)),
  ])('seed %d over %d days', (seed, days) => {
    const { wrongs, firings, calls, changes } = playMonth(dist, seed, days);
    expect(wrongs).toEqual([]);
    expect(firings).toBeGreaterThan(12 * days);
    expect(calls).toBeGreaterThan(20);
    expect(changes).toBeGreaterThan(20);
  });
});
