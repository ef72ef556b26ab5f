// The waiting list while the sidebar is open: call after call, one at a time, and what is said of it.
import { describe, expect, it, jest } from '@jest/globals';
import { CONNECTED } from '../../../../playground/sidebar-states/connection-replies';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import { fails, openPage, says } from '../open-page';

jest.useFakeTimers({ doNotFake: ['setImmediate'] });

const FAILURE: RpcFailure = { kind: 'page-offline', message: 'This computer is offline.' };
const WORK = 'waiting.work';

type Formulas = typeof import('../../../../src/sidebar/page/connection/formulas');

function opened() {
  const { page, calls, last, count } = openPage<Formulas>(() =>
    require('../../../../src/sidebar/page/connection/formulas'),
  );
  return {
    calls,
    asked: () => count(WORK),
    said: () => page.line.value,
    take: (waiting: number) => page.takeWaiting({ ...CONNECTED, waiting }),
    replaced: page.renewWaiting,
    page,
    fail: () => last(WORK).answer(fails(FAILURE)),
    answer: (settled: number, left: number, isShown = false) =>
      last(WORK).answer(says({ settled, left, isShown })),
  };
}

describe('products that wait', () => {
  it('are none where nothing waits, or where no key is connected', () => {
    const { take, page, calls, said } = opened();
    take(0);
    page.takeWaiting({ connected: false, demo: false });
    expect([calls, said()]).toEqual([[], '']);
  });

  it('are asked for until nothing is left', async () => {
    const { take, calls, said, answer } = opened();
    take(1_200);
    expect(said()).toBe('1,200 products wait for the key’s limit. Asking for them now.');
    await answer(1_199, 1);
    expect(said()).toBe('1 product waits for the key’s limit. Asking for it now.');
    await answer(1, 0);
    expect(said()).toBe('All waiting products are answered. Refresh formulas to show them.');
    expect(calls).toEqual(
      [1, 2].map(() => expect.objectContaining({ payload: { maxMs: 20_000 } })),
    );
  });

  it('need no refresh where the formulas show them already', async () => {
    const { take, said, answer } = opened();
    take(2);
    await answer(2, 0, true);
    expect(said()).toBe('All waiting products are answered.');
  });

  it('are asked for by one call at a time, and again when more wait', async () => {
    const { take, asked, answer } = opened();
    take(2);
    take(2);
    expect(asked()).toBe(1);
    await answer(2, 0);
    take(1);
    expect(asked()).toBe(2);
  });

  it('wait on after a failure, with the reason', async () => {
    const { take, asked, said, fail } = opened();
    take(2);
    await fail();
    expect(said()).toBe('Some products still wait for the key’s limit. This computer is offline.');
    expect(asked()).toBe(1);
  });

  it('are asked for ever later, at most every five minutes, while a long limit lets nothing through', async () => {
    const { take, asked, answer } = opened();
    const waits = async (ms: number) => {
      const before = asked();
      await jest.advanceTimersByTimeAsync(ms - 1);
      expect(asked()).toBe(before);
      await jest.advanceTimersByTimeAsync(1);
      expect(asked()).toBe(before + 1);
    };
    take(2);
    for (const ms of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      await answer(0, 2);
      await waits(ms);
    }
    await answer(1, 1);
    await answer(0, 1);
    await waits(30_000);
  });

  it('say nothing of what a connection brings that is no longer in use', async () => {
    const { take, asked, said, answer, replaced } = opened();
    take(2);
    replaced();
    expect(said()).toBe('');
    await answer(1, 1);
    expect(said()).toBe('');
    await answer(0, 0);
    expect([asked(), said()]).toEqual([2, '']);
  });
});
