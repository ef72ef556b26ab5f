// Loops that would never end: time, the watchdog or the memory ends the execution, and the test goes on.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createHost, type ProjectHost, type ProjectHostOptions } from '../src/project-host';

const opened: ProjectHost[] = [];

afterEach(async () => {
  for (const host of opened.splice(0)) await host.stop();
});

function hostOf(
  code: string,
  rest: Omit<ProjectHostOptions, 'files' | 'projectDir'> = {},
): ProjectHost {
  const host = createHost({ files: { 'Code.gs': code }, ...rest });
  opened.push(host);
  return host;
}

const spent = ({ startedMs, endedMs }: { startedMs: number; endedMs: number }) =>
  endedMs - startedMs;

describe('waiting busily', () => {
  it.each([50, 60_000])('for %i ms lets the clock pass', async (ms) => {
    const host = hostOf(`function f(ms) {
      const start = Date.now();
      while (Date.now() - start < ms) {}
      return new Date() - start;
    }`);
    const outcome = await host.run('f', ms);
    expect(outcome.ok).toBe(true);
    expect(outcome.value).toBeGreaterThanOrEqual(ms);
    expect(outcome.value).toBeLessThan(ms * 1.1);
    expect(spent(outcome)).toBeGreaterThanOrEqual(ms);
  });

  it('ends at the limit of a cell, and of other executions', async () => {
    const code = 'function f() { for (;;) Date.now(); }';
    const cell = await hostOf(code).cell('=F()');
    expect([cell.ended, cell.value, spent(cell)]).toEqual(['timedOut', '#ERROR!', 30_000]);
    const menu = await hostOf(code).run('f');
    expect([menu.ended, spent(menu)]).toEqual(['timedOut', 360_000]);
  });

  it('ends where calls take no time either', async () => {
    const code = "function f() { for (;;) CacheService.getScriptCache().get('x'); }";
    const host = hostOf(code, { latency: 'none', limits: { longRunMs: 300 } });
    const outcome = await host.run('f');
    expect([outcome.ended, spent(outcome)]).toEqual(['timedOut', 300]);
  });

  it('is not what a script does that writes the time into many rows', async () => {
    const code = `function f() {
      let last;
      for (let row = 0; row < 100000; row += 1) last = new Date();
      return last.getTime();
    }`;
    expect(spent(await hostOf(code).run('f'))).toBeLessThan(1_500);
  });
});

describe('computing', () => {
  it('without a call is ended by the watchdog, and other tests go on', async () => {
    const host = hostOf('function f() { for (;;) {} } function g() { return 1; }', {
      runawayMs: 300,
    });
    const outcome = await host.run('f');
    expect(outcome).toMatchObject({
      ended: 'timedOut',
      error: { message: 'Exceeded maximum execution time' },
    });
    expect((await host.run('g')).value).toBe(1);
  });

  it('until the memory is used up ends the execution alone', async () => {
    const host = hostOf(
      'function f() { const a = []; for (;;) a.push(1); } function g() { return 1; }',
    );
    const outcome = await host.run('f');
    expect(outcome).toMatchObject({
      ended: 'killed',
      error: { message: 'Exceeded memory limit' },
    });
    expect((await host.run('g')).value).toBe(1);
  });
});

it('a clock that a script has put in the place of its own is asked', async () => {
  const host = hostOf('function f() { Date.now = () => 7; return Date.now(); }');
  expect((await host.run('f')).value).toBe(7);
});
