// A sample of the laws of `npm run simulate -- windows`: no window ever holds more calls than were
// granted.

import { expect, it } from '@jest/globals';
import { sweepLaws } from './windows/play';

const LAWS = 100;

it('no window holds more calls than the key grants, however slow and forgetful Google is', () => {
  const { sent, broken } = sweepLaws(1, LAWS);
  expect(broken).toEqual([]);
  expect(sent).toBeGreaterThan(50 * LAWS);
});

it('a limit that is kept too loosely is seen', () => {
  // The service grants a tenth less than it states.
  expect(sweepLaws(1, LAWS, 0.9).broken.length).toBeGreaterThan(LAWS / 10);
});
