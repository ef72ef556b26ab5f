// What happens to a job that is shown: news of it and of others, what is asked of it, and its end.
import { describe, expect, it } from '@jest/globals';
import { LOOK, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { JobStatus } from '../../../../src/sidebar/api/jobs';
import {
  type AnalyzeEvent,
  type AnalyzeState,
  isOursToContinue,
  step,
} from '../../../../src/sidebar/page/analyze/state';
import { jobTitle, leadOf, messagesOf, stateOf } from '../../../../src/sidebar/page/analyze/texts';
import { EVENTS, FAILURE, stateAfter } from './events';

const WAYS = { toConnection: () => undefined, lookAgain: () => undefined };

const JOB = ['lookArrived', 'previewAsked', 'previewArrived', 'started'] as const;
const arrived = (change: Partial<JobStatus>): AnalyzeEvent => ({
  type: 'statusArrived',
  status: { ...RUNNING, ...change },
});
const found = (change: Partial<JobStatus>): AnalyzeEvent => ({
  type: 'lookArrived',
  look: { ...LOOK, job: { ...RUNNING, ...change } },
});

function shownOf({ view }: AnalyzeState) {
  if (view.at !== 'job') throw new Error(`It is at ${view.at}.`);
  return { state: stateOf(view), title: jobTitle(view), lead: leadOf(view) };
}

describe('a job', () => {
  it('is shown as what it is: that of another window, of somebody else, or left by all', () => {
    const states = [
      {},
      { isMine: false },
      { isScheduled: true },
      { isWorkedOn: false },
      { isMine: false, isWorkedOn: false },
    ].map((change) => shownOf(stateAfter(found(change))).state);
    expect(states).toEqual(['elsewhere', 'running', 'running', 'left', 'left']);
    expect(shownOf(stateAfter(...JOB)).state).toBe('running');
  });

  it('is gone on with where nobody works on it, and where this page did before it was closed', () => {
    const left = { ...RUNNING, isWorkedOn: false };
    const ours = (status: JobStatus, seenJob: string | null) =>
      isOursToContinue(status, seenJob, 0);
    expect([ours(left, null), ours(RUNNING, RUNNING.jobId)]).toEqual([true, true]);
    expect([ours(RUNNING, null), ours(RUNNING, 'other')]).toEqual([false, false]);
    const paused = { ...RUNNING, state: 'paused' } as const;
    expect(ours(paused, RUNNING.jobId)).toBe(false);
    expect(ours({ ...left, isMine: false }, RUNNING.jobId)).toBe(false);
  });

  it('that the page goes on with is its own from then on', () => {
    const state = stateAfter(found({}), 'workBegun');
    expect(shownOf(state).state).toBe('running');
    expect(state.seenJob).toBe(RUNNING.jobId);
  });

  it('takes no news of a job before it, nor of any once it is over', () => {
    const state = stateAfter(...JOB);
    expect(step(state, arrived({ jobId: 'other', left: 1 }))).toBe(state);
    const later = arrived({ jobId: 'other', startedAtMs: RUNNING.startedAtMs + 1 });
    const over = step(state, arrived({ state: 'done' }));
    expect(step(over, later)).toBe(over);
  });

  it('gives way to one that was started elsewhere after it had ended there', () => {
    const later = { jobId: 'other', startedAtMs: RUNNING.startedAtMs + 1, isMine: false };
    const state = step(stateAfter(...JOB), arrived(later));
    expect(state.view).toMatchObject({ at: 'job', status: later, isDriven: false });
  });

  it('that this page had to give up is said to be so, with the reason, until it goes on', () => {
    const state = stateAfter(...JOB, 'workFailed', 'workEnded');
    expect(shownOf(state)).toEqual({
      state: 'left',
      title: 'Run paused at 187 of 371',
      lead: 'Progress saved. Figures found so far stay.',
    });
    expect(messagesOf(state, WAYS).failure).toBe(FAILURE);
    const events = [
      { type: 'actAsked', act: 'continue' },
      { type: 'actDone', status: RUNNING },
    ] as const;
    const again = events.reduce<AnalyzeState>(step, state);
    expect(shownOf(again).state).toBe('running');
    expect(messagesOf(again, WAYS).failure).toBeNull();
  });

  it('that is blocked says when it is tried again', () => {
    const state = stateAfter(found({ state: 'blocked', resumesAtMs: RUNNING.startedAtMs }));
    expect(shownOf(state).lead).toMatch(
      /^Progress saved. We’ll retry at \d.*Press Continue to try now\.$/,
    );
  });

  it('leads out of what was asked of it in vain, and stays for what blocks it', () => {
    const failure = { kind: 'run', message: 'This run has ended. Start a new one.' };
    const asked = stateAfter(...JOB, 'actAsked', { type: 'actFailed', failure });
    expect(messagesOf(asked, WAYS).remedy?.label).toBe('Look again');
    const blocked = step(stateAfter(...JOB), arrived({ state: 'blocked', problem: failure }));
    expect(messagesOf(blocked, WAYS)).toMatchObject({ failure, remedy: undefined });
  });

  it('says that the line is lost until news come again', () => {
    expect(stateAfter(...JOB, 'linkLost').view).toMatchObject({ isLost: true });
    expect(stateAfter(...JOB, 'linkLost', 'statusArrived').view).toMatchObject({ isLost: false });
  });

  it('is paused at once, and worked on no more', () => {
    const asked = stateAfter(...JOB, 'actAsked');
    expect(shownOf(asked).state).toBe('pausing');
    const paused = step(asked, EVENTS.actDone);
    expect(paused.view).toMatchObject({ isDriven: false, asked: null });
    expect(shownOf(paused).title).toBe('Paused at 187 of 371');
  });

  it('asks before it is stopped, and forgets the question when it is over', () => {
    const asked = stateAfter(...JOB, 'stopAsked');
    expect(asked.focus).toEqual({ to: 'analyze-keep' });
    expect(step(asked, EVENTS.left)).toMatchObject({
      view: { isStopAsked: false },
      focus: { to: 'analyze-stop' },
    });
    expect(step(asked, arrived({ state: 'done' })).view).toMatchObject({ isStopAsked: false });
  });

  it('is seen until a new one is begun', () => {
    const over = step(stateAfter(...JOB), arrived({ state: 'done' }));
    expect(over.seenJob).toBe(RUNNING.jobId);
    expect(step(over, EVENTS.lookAsked).seenJob).toBeNull();
  });

  it('gives way to the one that retries what failed', () => {
    const again: JobStatus = { ...RUNNING, jobId: 'again', products: 3, left: 3 };
    const state = stateAfter(
      ...JOB,
      { type: 'actAsked', act: 'retry' },
      { type: 'actDone', status: again },
    );
    expect(state).toMatchObject({
      view: { status: again, isDriven: true },
      seenJob: 'again',
      ran: { jobId: 'again', choice: LOOK.choice },
    });
  });

  it('says what could not be done, and what was asked can be asked again', () => {
    const state = stateAfter(...JOB, 'actAsked', 'actFailed');
    expect(state.view).toMatchObject({ asked: null, failure: FAILURE });
    expect(step(state, EVENTS.actAsked).view).toMatchObject({ failure: null });
  });
});

describe('a schedule made of a job', () => {
  it('is told by its name, or why it could not be made', () => {
    const state = step(stateAfter(...JOB), arrived({ state: 'done' }));
    const asked = step(state, EVENTS.repeatAsked);
    expect(asked.view).toMatchObject({ repeated: 'asked' });
    const made = step(asked, EVENTS.repeatDone);
    expect(made.view).toMatchObject({ repeated: { name: 'Every day at 6:00' } });
    const failed = step(asked, EVENTS.repeatFailed);
    expect(failed.view).toMatchObject({ repeated: null, failure: FAILURE });
  });
});
