// When the service wants to be asked again and what its quota is: every header and member that says so.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { tokens } from '../../playground/api/answers';
import { admit, type Quota } from '../../playground/api/limits';
import * as sandbox from '../../playground/api/rate-signals';
import { rateSignal, retryAfterMs } from '../../src/service/rate-headers';

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
    ['seconds without end', '1e12', 1e15],
    ['a date without end', 'Fri, 31 Dec 9999 23:59:59 GMT', 253_402_300_799_000 - NOW],
    ['a date of the old form', 'Thursday, 09-Oct-25 08:54:20 GMT', 60_000],
    ['several numbers, of which the longest counts', '20, 60,1', 60_000],
    ['small numbers, which make no date', '1, 2', 2_000],
    ['a number beside nonsense', 'soon, 5', 5_000],
    ['two dates', 'Thu, 09 Oct 2025 08:54:20 GMT, Thu, 09 Oct 2025 08:53:30 GMT', 60_000],
  ])('in %s', (_, value, waitMs) => {
    expect(wait({ 'retry-after': value })).toBe(waitMs);
  });

  it.each(['', ' ', ',', 'soon', 'May', '20 s', 'Infinity', 'NaN'])(
    'of %j says nothing',
    (value) => {
      expect(wait({ 'retry-after': value })).toBeUndefined();
    },
  );

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

it("the rate alone, in the selling-partner interface's header is the time of one call", () => {
  expect(wait({ 'x-amzn-ratelimit-limit': '0.5' })).toBe(2_000);
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

it('whatever is sent is no time, or one from now on', () => {
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

const quotaIn = (headers: Readonly<Record<string, string>>, json?: unknown) =>
  rateSignal(headers, json, NOW);

describe('a quota', () => {
  it.each([
    ['in a policy', 'ratelimit-policy', '100;w=60', 100, 60, 100],
    ['in a policy with a comment', 'ratelimit-policy', '10;w=1;burst=5', 10, 1, 10],
    ['in a policy with a name', 'ratelimit-policy', '"default";q=100;w=60', 100, 60, 100],
    ['in a policy with its unit', 'ratelimit-policy', '"a";q=9;qu="requests";w=3', 9, 3, 9],
    ['of the slowest of two', 'ratelimit-policy', '"s";q=10;w=1, "m";q=300;w=60', 300, 60, 10],
    ['behind a limit', 'ratelimit-limit', '10, 10;w=1, 50;w=60', 50, 60, 10],
    ['behind an older limit', 'x-ratelimit-limit', '40;w=20', 40, 20, 40],
  ])('%s', (_, name, value, calls, perSeconds, burst) => {
    expect(quotaIn({ [name]: value })).toEqual({ calls, perSeconds, burst });
  });

  it('is a rate alone in the header of the selling-partner interface', () => {
    expect(quotaIn({ 'x-amzn-ratelimit-limit': '0.5' })).toEqual({ calls: 0.5, perSeconds: 1 });
  });

  it('is a rate alone in a body with tokens', () => {
    const json = { tokensLeft: 7, refillIn: 900, refillRate: 300 };
    expect(quotaIn({}, json)).toEqual({ calls: 300, perSeconds: 60, remaining: 7 });
  });

  it.each([
    ['x-ratelimit-limit', '60'],
    ['ratelimit-limit', '60'],
    ['ratelimit', 'limit=60'],
  ])('is not known from %s: %s, which says no window', (name, value) => {
    expect(quotaIn({ [name]: value })).toEqual({ calls: 60 });
  });

  it.each([
    ['nothing', {}],
    ['a policy of bytes', { 'ratelimit-policy': '"b";q=1000;qu="content-bytes";w=60' }],
    ['a policy without a window', { 'ratelimit-policy': '"b";q=1000' }],
    ['a window of no time', { 'ratelimit-policy': '100;w=0' }],
    ['no calls at all', { 'ratelimit-policy': '0;w=60', 'x-amzn-ratelimit-limit': '0' }],
    ['words', { 'x-ratelimit-limit': 'unlimited', 'x-amzn-ratelimit-limit': 'NaN' }],
    ['when to come back', { 'retry-after': '5' }],
  ])('is not said by %s', (_, headers) => {
    expect(quotaIn(headers)).toBeUndefined();
  });
});

describe('what is left of a quota', () => {
  const left = { calls: 10, remaining: 4, resetMs: 30_000 };

  it.each([
    ['in three headers', 'ratelimit', '30'],
    ['in three older headers, in seconds', 'x-ratelimit', '30'],
    ['in three older headers, in seconds since 1970', 'x-ratelimit', '1760000030'],
    ['in three older headers, in milliseconds since 1970', 'x-ratelimit', '1760000030000'],
  ])('%s', (_, prefix, reset) => {
    const headers = {
      [`${prefix}-limit`]: '10',
      [`${prefix}-remaining`]: '4',
      [`${prefix}-reset`]: reset,
    };
    expect(quotaIn(headers)).toEqual(left);
  });

  it('in one header of the draft between', () => {
    expect(quotaIn({ ratelimit: 'limit=10, remaining=4, reset=30' })).toEqual(left);
  });

  it('in one header of the later draft, where the limit with the least left counts', () => {
    const headers = { ratelimit: '"s";r=9;t=1, "m";r=4;t=30' };
    expect(quotaIn(headers)).toEqual({ remaining: 4, resetMs: 30_000 });
  });
});

describe('each family of headers that the sandbox sends', () => {
  const five: Quota = { kind: 'bucket', calls: 5, perSeconds: 1, burst: 10 };
  const allowance = { quota: five, admission: admit(five, undefined, NOW) };
  const full = { remaining: 9, resetMs: 1_000 };

  it.each([
    ['three', sandbox.rateLimitTriple, { calls: 10, perSeconds: 2, burst: 10, ...full }],
    ['structured', sandbox.rateLimitStructured, { calls: 10, perSeconds: 2, burst: 10, ...full }],
    ['older, in seconds since 1970', sandbox.xEpochSeconds, { calls: 10, ...full }],
    ['older, in milliseconds', sandbox.xEpochMs, { calls: 10, ...full, resetMs: 200 }],
    ['older, in seconds left', sandbox.xSecondsLeft, { calls: 10, ...full }],
    ['older, with the time of the reset', sandbox.xResetAfter, { calls: 10, ...full }],
    ['the rate alone', sandbox.amazonRate, { calls: 5, perSeconds: 1 }],
    ['none', sandbox.noSignals, undefined],
  ])('%s', (_, family, signal) => {
    expect(quotaIn(family(allowance, NOW))).toEqual(signal);
  });

  it('tokens in the body', () => {
    const signal = { calls: 300, perSeconds: 60, remaining: 9 };
    expect(quotaIn({}, tokens(allowance))).toEqual(signal);
  });
});

it('whatever a quota is said in only numbers that make sense are read', () => {
  const names = fc.constantFrom(
    ...['ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-policy'],
    ...['x-ratelimit-limit', 'x-ratelimit-reset', 'x-amzn-ratelimit-limit'],
  );
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.tuple(fc.nat(), fc.nat()).map(([calls, seconds]) => `"p";q=${calls};w=${seconds}`),
  );
  const body = fc.record({ tokensLeft: fc.double(), refillRate: fc.double() });
  fc.assert(
    fc.property(fc.dictionary(names, value), body, (headers, json) => {
      const { calls, perSeconds, burst, remaining, resetMs } = quotaIn(headers, json) ?? {};
      for (const number of [calls, perSeconds, burst])
        expect(number === undefined || (number > 0 && Number.isFinite(number))).toBe(true);
      for (const number of [remaining, resetMs])
        expect(number === undefined || (number >= 0 && Number.isFinite(number))).toBe(true);
      expect(perSeconds === undefined || calls !== undefined).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
