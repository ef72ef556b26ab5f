// A run while the sidebar is open: slice after slice for each worker, looks in between, lost lines.
import { describe, expect, it } from '@jest/globals';
import { RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { BulkStatus } from '../../../../src/sidebar/api/runs';
import { createRunFollower } from '../../../../src/sidebar/page/analyze/run-follower';
import { type Asked, followed } from '../followed';

const NEXT = { ok: true, value: { status: RUNNING, againInMs: 100 } };
const END = { ok: true, value: { status: RUNNING, againInMs: null } };

function followerOf() {
  const { worker, ...effects } = followed(createRunFollower);
  return { follower: worker, ...effects };
}

const methods = (asked: readonly Asked[]) => asked.map(({ method }) => method);

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
