// The waiting list while the sidebar is open: call after call, one at a time, and what is said of it.
import { describe, expect, it } from '@jest/globals';
import type { ConnectionStatus } from '../../../src/sidebar/api/connection';
import type { RpcFailure } from '../../../src/sidebar/api/failure-view';
import { createWaitingWorker } from '../../../src/sidebar/page/connection/actions';
import {
  changeOpened,
  firstState,
  NOTHING_KEPT,
  removalAsked,
  removalConfirmed,
  removed,
  type Step,
  saved,
  statusArrived,
  submitted,
  type Waiting,
  waitingCounted,
  waitingFailed,
} from '../../../src/sidebar/page/connection/state';
import { waitingText } from '../../../src/sidebar/page/connection/texts';
import { createRpcClient, type ScriptRunner } from '../../../src/sidebar/page/ui/rpc-client';
import { CONNECTED } from './connection/events';

const FAILURE: RpcFailure = { kind: 'page-offline', message: 'This computer is offline.' };
const counted = (count: number, isShown = false) => waitingCounted(count, isShown);
const failed = waitingFailed(FAILURE);
const working = (left: number): Waiting => ({ at: 'working', left });
const NONE: Waiting = { at: 'none' };
const DONE: Waiting = { at: 'done', isShown: false };
const SHOWN: Waiting = { at: 'done', isShown: true };
const STOPPED: Waiting = { at: 'stopped', failure: FAILURE };

describe('what is known of the waiting products', () => {
  it.each<[Waiting, Step, Waiting]>([
    [NONE, counted(3), working(3)],
    [NONE, counted(0), NONE],
    [NONE, failed, NONE],
    [working(3), counted(2), working(2)],
    [working(3), counted(0), DONE],
    [working(3), counted(0, true), SHOWN],
    [working(3), failed, STOPPED],
    [DONE, counted(1), working(1)],
    [DONE, failed, DONE],
    [STOPPED, counted(1), working(1)],
    [STOPPED, counted(0), STOPPED],
  ])('%j, then %p: %j', (waiting, step, after) => {
    expect(step({ ...firstState(NOTHING_KEPT), waiting }).waiting).toEqual(after);
  });

  it.each<[Waiting, string]>([
    [NONE, ''],
    [working(1), '1 product waits for the key’s limit. Asking for it now.'],
    [working(1_200), '1,200 products wait for the key’s limit. Asking for them now.'],
    [SHOWN, 'All waiting products are answered.'],
    [DONE, 'All waiting products are answered. Refresh formulas to show them.'],
    [STOPPED, 'Some products still wait for the key’s limit. This computer is offline.'],
  ])('%j is said as "%s"', (waiting, text) => {
    expect(waitingText(waiting)).toBe(text);
  });
});

function statusWith(waiting: number): ConnectionStatus {
  return { ...CONNECTED, waiting };
}

/** A worker whose server's replies a test gives one by one. */
function workerOf() {
  const open: ((reply: unknown) => void)[] = [];
  const asked: unknown[] = [];
  const said: Waiting[] = [];
  let state = firstState(NOTHING_KEPT);
  const pauses: number[] = [];
  const runner = (onValue: (value: unknown) => void): ScriptRunner => ({
    withSuccessHandler: runner,
    withFailureHandler: () => runner(onValue),
    rpc: (method, payload) => {
      asked.push([method, payload]);
      open.push(onValue);
    },
  });
  const pause = async (ms: number) => void pauses.push(ms);
  const browser = { runner: runner(() => undefined), isOnline: () => true };
  const rpc = createRpcClient(browser, { ended: () => undefined, pause });
  const update = (step: Step) => {
    state = step(state);
    said.push(state.waiting);
  };
  const worker = createWaitingWorker(rpc, update, pause);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    worker,
    asked,
    said,
    pauses,
    async fail() {
      open.shift()?.({ ok: false, failure: FAILURE });
      await settle();
    },
    async answer(settled: number, left: number) {
      open.shift()?.({ ok: true, value: { settled, left, isShown: false } });
      await settle();
    },
  };
}

describe('working off', () => {
  it('asks nothing where nothing waits, or where no key is connected', () => {
    const { worker, asked, said } = workerOf();
    worker.take(statusWith(0));
    worker.take({ connected: false, demo: false });
    expect([asked, said]).toEqual([[], []]);
  });

  it('goes on until nothing is left', async () => {
    const { worker, asked, said, pauses, answer } = workerOf();
    worker.take(statusWith(12));
    await answer(8, 4);
    await answer(4, 0);
    expect(asked).toEqual([1, 2].map(() => ['waiting.work', { maxMs: 20_000 }]));
    expect(said).toEqual([working(12), working(4), DONE]);
    expect(pauses).toEqual([]);
  });

  it('makes one call at a time, and can begin again when it has ended', async () => {
    const { worker, asked, answer } = workerOf();
    worker.take(statusWith(2));
    worker.take(statusWith(2));
    expect(asked).toHaveLength(1);
    await answer(2, 0);
    worker.take(statusWith(1));
    expect(asked).toHaveLength(2);
  });

  it('stops at a failure', async () => {
    const { worker, asked, said, fail } = workerOf();
    worker.take(statusWith(2));
    await fail();
    expect(said).toEqual([working(2), STOPPED]);
    expect(asked).toHaveLength(1);
  });

  it('comes ever later, at most every five minutes, while a long limit lets nothing through', async () => {
    const { worker, pauses, answer } = workerOf();
    worker.take(statusWith(2));
    for (let i = 0; i < 6; i += 1) await answer(0, 2);
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
    await answer(1, 1);
    await answer(0, 1);
    expect(pauses.at(-1)).toBe(30_000);
  });

  it('says nothing of what a connection brings that is no longer in use', async () => {
    const { worker, asked, said, answer } = workerOf();
    worker.take(statusWith(2));
    worker.renew();
    await answer(1, 1);
    expect(said).toEqual([working(2)]);
    await answer(0, 0);
    expect(asked).toHaveLength(2);
    expect(said).toEqual([working(2), DONE]);
  });
});

describe('another key', () => {
  it.each<readonly Step[]>([
    [changeOpened('apiKey'), submitted({}), saved(statusWith(0))],
    [removalAsked, removalConfirmed, removed({ connected: false, demo: false })],
  ])('ends what was said of the one before', (...steps) => {
    const all = [statusArrived(statusWith(3)), counted(3), ...steps];
    const state = all.reduce((now, step) => step(now), firstState(NOTHING_KEPT));
    expect(state.waiting).toEqual(NONE);
  });
});
