// A run while the sidebar is open: slice after slice for each worker, looks in between, lost lines.
import { describe, expect, it } from '@jest/globals';
import { RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { Choice } from '../../../../src/runs/run';
import type { BulkStatus } from '../../../../src/sidebar/api/runs';
import { createRunFollower } from '../../../../src/sidebar/page/analyze/run-follower';
import { type Asked, followed } from '../followed';

const NEXT = { ok: true, value: { status: RUNNING, againInMs: 100 } };
const END = { ok: true, value: { status: RUNNING, againInMs: null } };

function followerOf() {
  const { worker, ...effects } = followed((rpc, dispatch, pause) =>
    createRunFollower(rpc, dispatch, pause, () => 1_767_603_600_000.25),
  );
  return { follower: worker, ...effects };
}

const methods = (asked: readonly Asked[]) => asked.map(({ method }) => method);

const CHOICE = { sheetId: 0 } as Choice;

describe('a run that is begun', () => {
  const named = ({ runId }: { readonly runId: string }, more = {}) => ({
    ...RUNNING,
    runId,
    ...more,
  });
  const sentIn = ({ payload }: Asked) => payload as { readonly runId: string };

  it('is started by the call that works on it, beside its first asker, and seen under way', async () => {
    const { answer, asked, endPauses, follower, settle, types } = followerOf();
    let begun: unknown;
    void follower.begin(CHOICE).then((status) => {
      begun = status;
    });
    expect(methods(asked)).toEqual(['bulk.startRun', 'bulk.run']);
    const [start, asker] = asked.map(sentIn);
    if (!start) throw new Error('Nothing was started.');
    // As marks in the sheet name it.
    expect(start.runId).toMatch(/^[a-z0-9]{1,12}$/);
    expect(asker).toEqual({ runId: start.runId, worker: 1, maxMs: 300_000 });
    await endPauses();
    // The run before is still the latest one.
    await answer('bulk.status', { ok: true, value: { ...RUNNING, state: 'finished' } });
    await endPauses();
    expect(begun).toBeUndefined();
    const status = named(start);
    await answer('bulk.status', { ok: true, value: status });
    expect(begun).toEqual(status);
    // Its first worker is the call that started it: another one is asked for when that has ended.
    expect(methods(asked).filter((method) => method !== 'bulk.status')).toHaveLength(2);
    follower.follow(status as never);
    await answer('bulk.startRun', { ok: true, value: { status, againInMs: 0 } });
    await endPauses();
    await settle();
    expect(sentIn(asked.at(-1) as Asked)).toMatchObject({ runId: start.runId, worker: 0 });
    expect(types()).toEqual(['statusArrived']);
  });

  it('is begun with more askers where there are many calls', () => {
    const workersOf = (calls?: number) => {
      const { asked, follower } = followerOf();
      void follower.begin(CHOICE, calls);
      return asked.slice(1).map((one) => (one.payload as { readonly worker: number }).worker);
    };
    expect([undefined, 0, 30, 31, 400].map(workersOf)).toEqual([[1], [1], [1], [1, 2], [1, 2, 3]]);
  });

  it('is not where the server says so, and its asker says nothing of that', async () => {
    const { answer, asked, follower, settle, types } = followerOf();
    const failure = { kind: 'protected', message: 'Protected.' };
    const begun = follower.begin(CHOICE);
    await answer('bulk.startRun', { ok: false, failure });
    expect(await begun).toMatchObject({ failure });
    await answer('bulk.run', { ok: false, failure: { kind: 'run', message: 'It has ended.' } });
    await settle();
    expect([methods(asked), types()]).toEqual([['bulk.startRun', 'bulk.run'], []]);
  });

  it('is found where the answer is lost and not the question', async () => {
    const { answer, asked, breakOff, follower } = followerOf();
    const begun = follower.begin(CHOICE);
    const [start] = asked.map(sentIn);
    if (!start) throw new Error('Nothing was started.');
    await breakOff('bulk.startRun');
    const status = named(start, { state: 'interrupted' });
    await answer('bulk.status', { ok: true, value: status });
    expect(await begun).toEqual(status);
  });
});

describe('a run that is driven', () => {
  it('is asked for slice after slice, once a worker, until nothing is left to call for', async () => {
    const { asked, answer, endPauses, follower, pausesMs, types } = followerOf();
    follower.drive({ ...RUNNING, workers: 2 });
    follower.drive({ ...RUNNING, workers: 2 });
    const slice = (worker: number) => ({ runId: RUNNING.runId, worker, maxMs: 300_000 });
    expect(asked.map(({ payload }) => payload)).toEqual([slice(0), slice(1)]);
    await answer(0, NEXT);
    expect(pausesMs()).toEqual([100]);
    await endPauses();
    expect(asked.at(-1)?.payload).toEqual(slice(0));
    await answer(1, END);
    await answer(2, END);
    await endPauses();
    expect(asked).toHaveLength(3);
    const told = ['statusArrived', 'statusArrived', 'statusArrived'];
    expect(types()).toEqual([...told, 'driveEnded']);
  });

  it('is asked for ever more rarely while nothing moves, and at once where something does', async () => {
    const { asked, answer, endPauses, follower, pausesMs } = followerOf();
    follower.drive(RUNNING);
    const restsMs: number[] = [];
    for (let turn = 0; turn < 16; turn += 1) {
      await answer(asked.length - 1, NEXT);
      restsMs.push(...pausesMs());
      await endPauses();
    }
    expect(restsMs.slice(0, 6)).toEqual([100, 100, 100, 100, 100, 100]);
    expect(restsMs.slice(6)).toEqual([
      200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
    ]);
    const status = { ...RUNNING, calls: RUNNING.calls + 1 };
    await answer(asked.length - 1, { ok: true, value: { status, againInMs: 100 } });
    expect(pausesMs()).toEqual([100]);
  });

  it('goes on where it was resumed while its end was on the way', async () => {
    const { asked, answer, endPauses, follower, types } = followerOf();
    follower.drive(RUNNING);
    follower.drive(RUNNING, true);
    await answer(0, END);
    await endPauses();
    expect([asked.length, types()]).toEqual([2, ['statusArrived']]);
    await answer(1, END);
    expect([asked.length, types().at(-1)]).toEqual([2, 'driveEnded']);
  });

  it('is tried again ever later when the line is lost, and at once when it is back', async () => {
    const { asked, answer, breakOff, endPauses, follower, pausesMs, settle, types } = followerOf();
    follower.drive(RUNNING);
    for (const waitMs of [2_000, 4_000, 8_000]) {
      await breakOff(asked.length - 1);
      expect(pausesMs()).toEqual([waitMs]);
      if (waitMs < 8_000) await endPauses();
    }
    follower.wake();
    await settle();
    expect(asked).toHaveLength(4);
    await answer(3, NEXT);
    await endPauses();
    await breakOff(4);
    expect(pausesMs()).toEqual([2_000]);
    expect(types()).toEqual(['linkLost', 'linkLost', 'linkLost', 'statusArrived', 'linkLost']);
  });

  it('ends where trying again would not help', async () => {
    const { asked, answer, follower, pausesMs, types } = followerOf();
    follower.drive(RUNNING);
    await answer(0, { ok: false, failure: { kind: 'key-refused', message: 'Refused.' } });
    expect([asked.length, pausesMs(), types()]).toEqual([1, [], ['sliceFailed', 'driveEnded']]);
  });

  it('is left alone once another one is shown', async () => {
    const { asked, answer, endPauses, follower } = followerOf();
    follower.drive(RUNNING);
    await answer(0, NEXT);
    follower.follow(null);
    await endPauses();
    expect(asked).toHaveLength(1);
  });
});

describe('a run that is followed', () => {
  const resting: BulkStatus = { ...RUNNING, state: 'paused' };
  it.each([
    [RUNNING, 2_000],
    [resting, 10_000],
  ])('is looked at again and again', async (status, everyMs) => {
    const { asked, answer, endPauses, follower, pausesMs, settle, types } = followerOf();
    follower.follow(status);
    follower.follow(status);
    await settle();
    expect(pausesMs()).toEqual([everyMs]);
    await endPauses();
    await answer(0, { ok: true, value: status });
    expect(methods(asked)).toEqual(['bulk.status']);
    expect(types()).toEqual(['statusArrived']);
    follower.follow({ ...status, state: 'finished' });
    await endPauses();
    expect(asked).toHaveLength(1);
  });

  it('is not told what was asked before a newer answer', async () => {
    const { answer, endPauses, follower, types } = followerOf();
    follower.follow(RUNNING);
    await endPauses();
    follower.overtake();
    await answer(0, { ok: true, value: RUNNING });
    expect(types()).toEqual([]);
  });
});
