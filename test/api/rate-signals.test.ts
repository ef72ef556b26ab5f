// When the service wants to be asked again: every header and body member that says so.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { retryAfterMs } from '../../src/api/rate-signals';

/** 9 October 2025, 08:53:20 UTC. */
const NOW = 1_760_000_000_000;

const wait = (headers: Readonly<Record<string, string>>, json?: unknown) =>
  retryAfterMs(headers, json, NOW);

describe('Retry-After', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no time', '0', 0],
    ['parts of a second', '1.5', 1_500],
    ['a date', 'Thu, 09 Oct 2025 08:54:20 GMT', 60_000],
    ['a date gone by', 'Thu, 09 Oct 2025 08:00:00 GMT', 0],
    ['less than nothing', '-5', 0],
  ])('in %s', (_, value, waitMs) => {
    expect(wait({ 'retry-after': value })).toBe(waitMs);
  });

  it.each(['', ' ', 'soon', 'Infinity', 'NaN'])('of %j says nothing', (value) => {
    expect(wait({ 'retry-after': value })).toBeUndefined();
  });

  it('decides, whatever else is there', () => {
    const headers = { 'retry-after': '2', 'x-ratelimit-reset': '60', 'ratelimit-reset': '50' };
    expect(wait(headers, { refillIn: 9_000 })).toBe(2_000);
  });

  it('that says nothing leaves it to the others', () => {
    expect(wait({ 'retry-after': 'soon', 'ratelimit-reset': '50' })).toBe(50_000);
  });
});

describe('a reset', () => {
  it.each([
    ['in seconds from now', 'x-ratelimit-reset', '60', 60_000],
    ['in seconds since 1970', 'x-ratelimit-reset', '1760000060', 60_000],
    ['in milliseconds since 1970', 'x-ratelimit-reset', '1760000060000', 60_000],
    ['gone by', 'x-ratelimit-reset', '1759999999', 0],
    ['after so many seconds', 'x-ratelimit-reset-after', '0.25', 250],
    ['by the draft', 'ratelimit-reset', '30', 30_000],
    ['by the later draft', 'ratelimit', '"default";r=0;t=30', 30_000],
    ['by the draft between', 'ratelimit', 'limit=100, remaining=0, reset=30', 30_000],
  ])('%s', (_, name, value, waitMs) => {
    expect(wait({ [name]: value })).toBe(waitMs);
  });

  it.each([
    ['x-ratelimit-reset', 'tomorrow'],
    ['ratelimit', '"default";r=5'],
    ['ratelimit-limit', '100'],
    ['ratelimit-policy', '100;w=60'],
    ['x-ratelimit-remaining', '0'],
  ])('is not said by %s: %s', (name, value) => {
    expect(wait({ [name]: value })).toBeUndefined();
  });

  it('of several limits is that of the one with nothing left', () => {
    expect(wait({ ratelimit: '"second";r=4;t=1, "day";r=0;t=3600' })).toBe(3_600_000);
  });
});

describe("the rate alone, in the selling-partner interface's header", () => {
  it('is the time of one call', () => {
    expect(wait({ 'x-amzn-ratelimit-limit': '0.5' })).toBe(2_000);
  });
});

describe('a body', () => {
  it('may say it in milliseconds', () => {
    expect(wait({}, { tokensLeft: 0, refillIn: 1_234, refillRate: 5 })).toBe(1_234);
    expect(wait({}, { retry_after_ms: 500 })).toBe(500);
  });

  it.each([[{ refillIn: '5' }], [{ refillIn: -1 }], [{ refillIn: null }], [[5]], ['5'], [null]])(
    '%j says nothing',
    (json) => {
      expect(wait({}, json)).toBeUndefined();
    },
  );
});

describe('whatever is sent', () => {
  it('is no time, or one from now on', () => {
    const names = fc.constantFrom(
      ...['retry-after', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-reset'],
      'x-ratelimit-reset-after',
    );
    const value = fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String));
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.jsonValue(), (headers, json) => {
        const waitMs = wait(headers, json);
        expect(waitMs === undefined || waitMs >= 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
