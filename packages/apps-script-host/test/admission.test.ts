// How many executions may run at once, and who waits for a turn.

import { describe, expect, it } from '@jest/globals';
import { createHost } from '../src/project-host';
import { hostOf } from './script-host';

const SLEEP = 'function f() { Utilities.sleep(5000); }';
const TOO_MANY = 'There are too many scripts running simultaneously for this Google user account.';

function atOnceOf(outcomes: readonly { startedMs: number; endedMs: number }[]): number {
  const counts = outcomes.map(
    ({ startedMs }) =>
      outcomes.filter((other) => other.startedMs <= startedMs && startedMs < other.endedMs).length,
  );
  return Math.max(...counts);
}

describe('cells', () => {
  it('run 30 at a time, the others wait for their turn in order', async () => {
    const host = hostOf(SLEEP, { workers: 30 });
    const started = Array.from({ length: 70 }, () =>
      host.start({ functionName: 'f', args: [], door: 'cell' }),
    );
    await host.run();
    await host.stop();
    const outcomes = await Promise.all(started);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(atOnceOf(outcomes)).toBe(30);
    const startsMs = outcomes.map(({ startedMs }) => startedMs);
    expect(startsMs).toEqual([...startsMs].sort((one, other) => one - other));
  });
});

it('cells that start too often within a second are errors, where a test sets a limit', async () => {
  const files = { 'Code.gs': 'function F(x) { return x; }' };
  const formulas = [1, 2, 3, 4, 5].map((x) => [`=F(${x})`]);
  const limits = { cellStartsPerSecond: 3 };
  const host = createHost({ files, cells: formulas, limits });
  await host.advance(10_000);
  expect(host.values('A1:A5').flat()).toEqual([1, 2, 3, '#ERROR!', '#ERROR!']);
  expect(host.trace().join()).toContain('Script invoked too many times per second');
  await host.edit('A4', [['=F(4)']]);
  await host.advance(10_000);
  expect(host.values('A4')).toEqual([[4]]);
});

describe('other executions', () => {
  it('are refused beyond the limit of the user, and not because of another user', async () => {
    const host = hostOf(SLEEP, { limits: { executionsPerUser: 3 } });
    const start = (userEmail: string) =>
      host.start({ functionName: 'f', args: [], door: 'sidebar', userEmail });
    const ann = [1, 2, 3, 4].map(() => start('ann@example.com'));
    const bob = start('bob@example.com');
    await host.run();
    await host.stop();
    const ended = (await Promise.all(ann)).map((outcome) => outcome.ended);
    expect(ended).toEqual(['returned', 'returned', 'returned', 'refused']);
    expect((await Promise.all(ann))[3]?.error).toEqual({ name: 'Exception', message: TOO_MANY });
    expect((await bob).ok).toBe(true);
  });

  it('are refused beyond the limit of the script, whoever runs it', async () => {
    const host = hostOf(SLEEP, { limits: { executionsPerScript: 2 } });
    const outcomes = ['ann', 'bob', 'eve'].map((name) =>
      host.start({ functionName: 'f', args: [], door: 'menu', userEmail: `${name}@example.com` }),
    );
    await host.run();
    await host.stop();
    expect((await Promise.all(outcomes)).map(({ ok }) => ok)).toEqual([true, true, false]);
  });
});
