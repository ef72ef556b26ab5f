// Each of the sandbox's keys behaves as its row in the table says.
import { describe, expect, it } from '@jest/globals';
import { KEYS, quotaAt, type SandboxKey } from '../../../playground/api/keys';
import { openSandbox } from './ask';

const MINUTE_MS = 60_000;

/** Status after status, `times` calls at each moment. */
function statuses(key: string, ...calls: readonly (readonly [atMs: number, times: number])[]) {
  const sandbox = openSandbox();
  return calls.map(([atMs, times]) => {
    const given = Array.from({ length: times }, () => sandbox.answer({ key, atMs }).status);
    return given.filter((status) => status === 200).length;
  });
}

describe('the table of keys', () => {
  it('has names that nobody takes for a real key, each once', () => {
    const names = KEYS.map((key) => key.name);
    expect(names.filter((name) => !name.startsWith('demo-key-'))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['demo-key-5-per-second', 10, 5],
    ['demo-key-1-per-second', 5, 1],
    ['demo-key-20-per-second', 40, 20],
    ['demo-key-60-per-minute', 1, 1],
  ])('%s answers %i at once and %i a second later', (key, atOnce, later) => {
    expect(statuses(key, [0, 50], [1000, 50])).toEqual([atOnce, later]);
  });

  it('60 per calendar minute begin anew at the stroke', () => {
    const given = statuses(
      'demo-key-60-per-calendar-minute',
      [MINUTE_MS - 1, 70],
      [MINUTE_MS, 70],
      [MINUTE_MS + 1, 1],
    );
    expect(given).toEqual([60, 60, 0]);
  });

  it('60 per sliding minute begin anew a minute after the first', () => {
    const key = 'demo-key-60-per-sliding-minute';
    const given = statuses(key, [1000, 40], [31_000, 40], [MINUTE_MS, 5], [61_000, 70]);
    expect(given).toEqual([40, 20, 0, 40]);
  });

  it('the unlimited one is never refused', () => {
    expect(statuses('demo-key-unlimited', [0, 500])).toEqual([500]);
  });

  it('the one whose plan ends is answered 25 times, and its failed calls are free', () => {
    const sandbox = openSandbox();
    const key = 'demo-key-plan-of-25';
    const ask = (asin?: string) => {
      const atMs = sandbox.state().arrived * 1000;
      return sandbox.answer(asin === undefined ? { key, atMs } : { key, asin, atMs }).status;
    };
    expect(ask('B0ZZZZZZZZ')).toBe(404);
    expect(Array.from({ length: 25 }, () => ask()).every((status) => status === 200)).toBe(true);
    expect(ask()).toBe(402);
  });

  it('the silent one is refused without a word about when or how many', () => {
    const sandbox = openSandbox();
    const key = 'demo-key-silent-limit';
    const given = Array.from({ length: 11 }, () => sandbox.answer({ key }));
    expect(given.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
    const names = given.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => /rate|retry/.test(name))).toEqual([]);
  });
});

describe('a key whose quota changes', () => {
  const perSecond = (calls: number) =>
    ({ kind: 'bucket', calls, perSeconds: 1, burst: 1 }) as const;
  const key: SandboxKey = {
    name: 'demo-key-5-2-8',
    what: 'changes twice',
    quota: perSecond(5),
    changes: [
      { fromMs: 10_000, quota: perSecond(2) },
      { fromMs: 20_000, quota: perSecond(8) },
    ],
  };

  it('keeps each quota from its moment on', () => {
    const inForce = [0, 9999, 10_000, 19_999, 20_000].map((atMs) => quotaAt(key, atMs)?.calls);
    expect(inForce).toEqual([5, 5, 2, 2, 8]);
  });

  it('admits as many as the quota in force lets through', () => {
    const sandbox = openSandbox({ keys: [key] });
    const answeredIn = (fromMs: number) => {
      const moments = Array.from({ length: 100 }, (_, index) => fromMs + index * 100);
      const given = moments.map((atMs) => sandbox.answer({ key: key.name, atMs }).status);
      return given.filter((status) => status === 200).length;
    };
    expect([answeredIn(0), answeredIn(10_000)]).toEqual([50, 20]);
    expect(answeredIn(20_000)).toBeGreaterThan(45);
  });
});
