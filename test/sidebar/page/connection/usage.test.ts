// How much of a day is used, when the chip warns, and what else it says.
import { describe, expect, it } from '@jest/globals';
import { CONNECTED } from '../../../../playground/sidebar-states/connection-replies';
import { type Connected, chipOf, usageOf } from '../../../../src/sidebar/page/connection/status';

const CALM = { stop: null, hasCheckFailed: false };

describe('a day\u2019s calls', () => {
  it.each([
    [0, null, '0', false],
    [1_742, null, '1,742', false],
    [1_599, 2_000, '1,599 of 2,000', false],
    [1_600, 2_000, '1,600 of 2,000', true],
    [2_400, 2_000, '2,400 of 2,000', true],
  ])('%i of %j', (usedToday, perDay, text, isNear) => {
    expect(usageOf({ usedToday, perDay })).toEqual({ text, isNear });
  });
});

describe('the chip', () => {
  it.each<[Partial<Connected>, string, string]>([
    [{}, 'good', '60/min'],
    [{ cellCalls: { perDay: 100, usedToday: 80 } }, 'caution', 'near a limit'],
  ])('with %j is %s: %s', (change, tone, last) => {
    expect(chipOf({ ...CONNECTED, ...change }, CALM)).toEqual({
      tone,
      parts: ['api.example.com', '…4f2a', last],
    });
  });

  it('says that there are only samples', () => {
    const samples = { connected: false, demo: true } as const;
    expect(chipOf(samples, CALM)).toEqual({ tone: 'none', parts: ['Samples, no key'] });
  });
});
