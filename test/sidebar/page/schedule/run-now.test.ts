// A schedule that is run by hand: call after call, stopped in the middle, tried again when the line is lost.
import { describe, expect, it } from '@jest/globals';
import { RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import { MORNING, RUN } from '../../../../playground/sidebar-states/schedule-replies';
import { createRunNow } from '../../../../src/sidebar/page/schedule/actions';
import { followed } from '../followed';

const { id } = MORNING;
const again = { ok: true, value: { run: { ...RUN, outcome: 'part' }, againInMs: 100 } };
const end = { ok: true, value: { run: RUN, againInMs: null } };

const runNow = () => followed(createRunNow);

describe('a run by hand', () => {
  it('is called again as long as the server wants more of it', async () => {
    const { worker, asked, answer, endPauses, types } = runNow();
    void worker.start(MORNING);
    void worker.start(MORNING);
    expect(asked.map(({ payload }) => payload)).toEqual([{ id, maxMs: 300_000 }]);
    await answer('schedule.run', again);
    await endPauses();
    await answer('schedule.run', end);
    expect(types()).toEqual(['runAsked', 'sliceDone', 'sliceDone', 'runEnded']);
    await endPauses();
    expect(asked.filter(({ method }) => method === 'schedule.run')).toHaveLength(2);
  });

  it('may be of rows that are not old enough, too', () => {
    const { worker, asked } = runNow();
    void worker.start(MORNING, true);
    expect(asked.map(({ payload }) => payload)).toEqual([{ id, maxMs: 300_000, anyway: true }]);
  });

  it('tells how far a list is, every two seconds', async () => {
    const { worker, asked, answer, endPauses, pausesMs, types } = runNow();
    void worker.start(MORNING);
    expect(pausesMs()).toEqual([2_000]);
    await endPauses();
    await answer('jobs.status', { ok: true, value: { ...RUNNING, state: 'done' } });
    await endPauses();
    await answer('jobs.status', { ok: true, value: RUNNING });
    expect(types()).toEqual(['runAsked', 'statusArrived']);
    await answer('schedule.run', end);
    await endPauses();
    expect(asked.map(({ method }) => method).at(-1)).toBe('jobs.status');
    expect(types()).toEqual(['runAsked', 'statusArrived', 'sliceDone', 'runEnded']);
  });

  it('of formulas is heard of between two short calls', async () => {
    const { worker, asked, pausesMs } = runNow();
    void worker.start({
      ...MORNING,
      settings: { ...MORNING.settings, task: { kind: 'formulas' } },
    });
    expect(asked.map(({ payload }) => payload)).toEqual([{ id, maxMs: 60_000 }]);
    expect(pausesMs()).toEqual([]);
  });

  it('is stopped in the middle of a call, once its job is known', async () => {
    const { worker, asked, answer, endPauses, types } = runNow();
    void worker.start(MORNING);
    void worker.stop();
    await endPauses();
    await answer('jobs.status', { ok: true, value: RUNNING });
    const stop = { method: 'jobs.setState', payload: { jobId: RUNNING.jobId, state: 'stopped' } };
    expect(asked.at(-1)).toMatchObject(stop);
    await answer('schedule.run', again);
    await endPauses();
    expect(types()).toEqual(['runAsked', 'stopAsked', 'statusArrived', 'sliceDone', 'runEnded']);
    expect(asked.filter(({ method }) => method === 'schedule.run')).toHaveLength(1);
  });

  it('is stopped at once where its job is known already', async () => {
    const { worker, asked, answer, endPauses } = runNow();
    void worker.start(MORNING);
    await endPauses();
    await answer('jobs.status', { ok: true, value: RUNNING });
    void worker.stop();
    void worker.stop();
    const stops = () => asked.filter(({ method }) => method === 'jobs.setState');
    expect(stops()).toHaveLength(1);
    await answer('jobs.setState', { ok: false, failure: { kind: 'internal', message: 'No.' } });
    for (let looks = 0; looks < 2; looks += 1) {
      await endPauses();
      await answer('jobs.status', { ok: true, value: RUNNING });
    }
    // Once more, as the first was not heard; and then no more.
    expect(stops()).toHaveLength(2);
  });

  it('is tried again ever later when the line is lost, and at once when it is back', async () => {
    const { worker, asked, answer, breakOff, endPauses, pausesMs, settle, types } = runNow();
    void worker.start({
      ...MORNING,
      settings: { ...MORNING.settings, task: { kind: 'formulas' } },
    });
    for (const waitMs of [2_000, 4_000]) {
      await breakOff('schedule.run');
      expect(pausesMs()).toEqual([waitMs]);
      await endPauses();
    }
    await breakOff('schedule.run');
    worker.wake();
    await settle();
    expect(asked).toHaveLength(4);
    await answer('schedule.run', end);
    expect(types()).toEqual([
      'runAsked',
      'linkLost',
      'linkLost',
      'linkLost',
      'sliceDone',
      'runEnded',
    ]);
  });

  it('ends where trying again would not help, and may then be started anew', async () => {
    const { worker, answer, events, asked } = runNow();
    void worker.start(MORNING);
    const failure = { kind: 'schedule', message: 'A run is in the way.' };
    await answer('schedule.run', { ok: false, failure });
    expect(events.at(-1)).toEqual({ type: 'runEnded', failure });
    void worker.start(MORNING);
    expect(asked.filter(({ method }) => method === 'schedule.run')).toHaveLength(2);
  });

  it('says why it could not go on', async () => {
    const { worker, answer, events } = runNow();
    void worker.start(MORNING);
    const problem = { kind: 'google-limit', message: 'The day is spent.' };
    const value = { run: { ...RUN, outcome: 'part', problem }, againInMs: null };
    await answer('schedule.run', { ok: true, value });
    expect(events.at(-1)).toEqual({ type: 'runEnded', failure: problem });
  });
});
