// Virtual time: events in the order of their moments, and of one moment in the order of planning.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createVirtualScheduler } from '../src/scheduler';

const AT_ONCE = () => null;

describe('virtual time', () => {
  it('does things in the order of their moments, then of their planning', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 })), async (momentsMs) => {
        const scheduler = createVirtualScheduler(0);
        const done: [number, number][] = [];
        momentsMs.forEach((momentMs, place) => {
          scheduler.at(momentMs, () => done.push([scheduler.nowMs(), place]));
        });
        await scheduler.run(null, AT_ONCE);
        const expected = momentsMs.map((momentMs, place) => [momentMs, place] as const);
        expect(done).toEqual(expected.sort((one, other) => one[0] - other[0] || one[1] - other[1]));
      }),
    );
  });

  it('goes on with what events plan, and never backwards', async () => {
    const scheduler = createVirtualScheduler(100);
    const seenMs: number[] = [];
    scheduler.at(110, () => {
      scheduler.at(50, () => seenMs.push(scheduler.nowMs()));
      scheduler.at(130, () => seenMs.push(scheduler.nowMs()));
    });
    await scheduler.run(null, AT_ONCE);
    expect(seenMs).toEqual([110, 130]);
  });

  it('does not wait for background events, and stops where it is told', async () => {
    const scheduler = createVirtualScheduler(0);
    const done: string[] = [];
    const hourly = () => {
      done.push(`tick ${scheduler.nowMs()}`);
      scheduler.at(scheduler.nowMs() + 10, hourly, { background: true });
    };
    scheduler.at(10, hourly, { background: true });
    scheduler.at(5, () => done.push('event'));
    await scheduler.run(null, AT_ONCE);
    expect([done, scheduler.nowMs()]).toEqual([['event'], 5]);
    await scheduler.run(35, AT_ONCE);
    expect([done, scheduler.nowMs()]).toEqual([['event', 'tick 10', 'tick 20', 'tick 30'], 35]);
  });

  it('forgets what is called off', async () => {
    const scheduler = createVirtualScheduler(0);
    const done: string[] = [];
    const callOff = scheduler.at(5, () => done.push('called off'));
    scheduler.at(6, () => done.push('kept'));
    callOff();
    callOff();
    await scheduler.run(null, AT_ONCE);
    expect(done).toEqual(['kept']);
  });
});
