// What a reply means: the answer of a product, another try, or the end for everybody.

import { describe, expect, it } from '@jest/globals';
import { failureOfStop, interpret, type Reply } from '../../src/service/response';

const NOW = 1_760_000_000_000;
const HOUR = 3_600_000;
const MUG = { asin: 'B0XKT7M4QN', market: 'US' } as const;

const meaning = (reply: Reply) => interpret(reply, MUG, {}, NOW);
const failureOf = (reply: Reply) => {
  const read = meaning(reply);
  return read.kind === 'answer' && !read.answer.ok ? read.answer.failure : undefined;
};

describe('an answer', () => {
  it('is the analysis of the product, as of now', () => {
    expect(meaning({ kind: 'answer', json: { asin: MUG.asin, profit: 9.85 } })).toMatchObject({
      kind: 'answer',
      answer: { ok: true, analysis: { figures: { profit: 9.85 }, fetchedAtMs: NOW } },
    });
  });

  it('that is none keeps the name of the call for the operator', () => {
    const reply = { kind: 'answer', json: { status: 'ok' }, requestId: 'r-1' } as const;
    const what = 'it holds no analysis';
    expect(failureOf(reply)).toEqual({ kind: 'not-understood', what, requestId: 'r-1' });
  });

  it('about another product is no answer', () => {
    const json = { asin: 'B0RWD92FHC', profit: 1 };
    expect(failureOf({ kind: 'answer', json })).toMatchObject({ kind: 'not-understood' });
  });
});

describe('what concerns one product alone', () => {
  it.each<[Reply, object]>([
    [{ kind: 'not-found' }, { kind: 'not-found' }],
    [
      { kind: 'rejected', excerpt: 'too old', requestId: 'r-1' },
      { kind: 'rejected', excerpt: 'too old', requestId: 'r-1' },
    ],
    [
      { kind: 'elsewhere', status: 302 },
      { kind: 'wrong-address', status: 302 },
    ],
    [
      { kind: 'unreadable', what: 'it is not JSON' },
      { kind: 'not-understood', what: 'it is not JSON' },
    ],
    [{ kind: 'timed-out' }, { kind: 'timed-out' }],
  ])('%j is its answer', (reply, failure) => {
    expect(failureOf(reply)).toEqual(failure);
  });
});

describe('what may pass', () => {
  it('is asked again', () => {
    expect(meaning({ kind: 'failing', status: 503, requestId: 'r-1' })).toEqual({
      kind: 'again',
      failure: { kind: 'service-busy', status: 503, requestId: 'r-1' },
    });
    for (const waitMs of [20_000, HOUR])
      expect(meaning({ kind: 'failing', status: 502, waitMs })).toEqual({
        kind: 'again',
        failure: { kind: 'service-busy', status: 502, waitMs },
      });
    for (const waitMs of [48 * HOUR, Number.POSITIVE_INFINITY])
      expect(meaning({ kind: 'failing', status: 502, waitMs })).toMatchObject({
        failure: { waitMs: HOUR },
      });
    expect(meaning({ kind: 'unreachable' })).toEqual({
      kind: 'again',
      failure: { kind: 'unreachable' },
    });
    expect(meaning({ kind: 'lost-with-wave' })).toEqual({ kind: 'split' });
  });
});

describe('too fast', () => {
  const stopOf = (waitMs?: number) => {
    const read = meaning({ kind: 'throttled', ...(waitMs === undefined ? {} : { waitMs }) });
    return 'stop' in read ? read.stop : undefined;
  };

  it('stops everybody until the time the service names', () => {
    expect(meaning({ kind: 'throttled', waitMs: 2_000 })).toEqual({
      kind: 'again',
      failure: { kind: 'waiting', waitMs: 2_000 },
      stop: { reason: 'throttled', untilMs: NOW + 2_000 },
    });
  });

  it('without a time stops everybody for five seconds', () => {
    expect(stopOf()).toEqual({ reason: 'throttled', untilMs: NOW + 5_000 });
  });

  it('never stops anybody for more than an hour', () => {
    for (const waitMs of [HOUR, 48 * HOUR, Number.POSITIVE_INFINITY])
      expect(stopOf(waitMs)).toEqual({ reason: 'throttled', untilMs: NOW + HOUR });
  });

  it('with no time at all still stops everybody for a moment, or calls would come at full speed', () => {
    expect(stopOf(0)?.untilMs).toBeGreaterThanOrEqual(NOW + 1_000);
  });
});

describe('the end for everybody', () => {
  it('is a refused key', () => {
    expect(meaning({ kind: 'unauthorised', requestId: 'r-1' })).toEqual({
      kind: 'end',
      failure: { kind: 'key-refused', requestId: 'r-1' },
      stop: { reason: 'key-refused', untilMs: NOW + 10 * 365 * 24 * HOUR },
    });
  });

  it('is a plan that is used up, until the time the service names, if it is soon', () => {
    const reply = { kind: 'out-of-plan', excerpt: 'No credits.' } as const;
    const stopUntil = (read: ReturnType<typeof meaning>) =>
      'stop' in read ? read.stop?.untilMs : undefined;
    expect(stopUntil(meaning(reply))).toBe(NOW + 6 * HOUR);
    expect(stopUntil(meaning({ ...reply, waitMs: HOUR }))).toBe(NOW + HOUR);
    expect(stopUntil(meaning({ ...reply, waitMs: 48 * HOUR }))).toBe(NOW + 6 * HOUR);
    // "0 s until the rate's reset" says nothing about the plan.
    expect(stopUntil(meaning({ ...reply, waitMs: 0 }))).toBe(NOW + 60_000);
    expect(meaning(reply)).toMatchObject({ kind: 'end', failure: { kind: 'plan-used-up' } });
  });

  it("is Google's daily limit, at which somebody looks an hour later", () => {
    expect(meaning({ kind: 'daily-limit' })).toEqual({
      kind: 'end',
      failure: { kind: 'google-limit' },
      stop: { reason: 'google-limit', untilMs: NOW + 3_600_000 },
    });
  });

  it('is a missing permission, which is no reason to stop the key', () => {
    expect(meaning({ kind: 'not-permitted' })).toEqual({
      kind: 'end',
      failure: { kind: 'not-permitted' },
    });
  });
});

describe('a stop', () => {
  it('is told to who comes later as what it is', () => {
    const untilMs = NOW + 40_000;
    expect(failureOfStop({ reason: 'throttled', untilMs }, NOW)).toEqual({
      kind: 'waiting',
      waitMs: 40_000,
    });
    const down = { reason: 'throttled', untilMs, status: 503 } as const;
    expect(failureOfStop(down, NOW)).toEqual({ kind: 'waiting', waitMs: 40_000, status: 503 });
    expect(failureOfStop({ reason: 'throttled', untilMs }, NOW + 50_000)).toMatchObject({
      waitMs: 0,
    });
    expect(failureOfStop({ reason: 'key-refused', untilMs }, NOW)).toEqual({ kind: 'key-refused' });
    expect(failureOfStop({ reason: 'plan-used-up', untilMs }, NOW)).toEqual({
      kind: 'plan-used-up',
      waitMs: 40_000,
    });
  });
});
