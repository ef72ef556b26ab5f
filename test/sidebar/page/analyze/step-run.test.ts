// What happens to a run that is shown: news of it and of others, what is asked of it, and its end.
import { describe, expect, it } from '@jest/globals';
import { LOOK, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { BulkStatus } from '../../../../src/sidebar/api/runs';
import {
  type AnalyzeEvent,
  type AnalyzeState,
  step,
} from '../../../../src/sidebar/page/analyze/state';
import { messagesOf, runTitle, stateOf } from '../../../../src/sidebar/page/analyze/texts';
import { EVENTS, FAILURE, stateAfter } from './events';

const WAYS = { toConnection: () => undefined, lookAgain: () => undefined };

const RUN = ['lookArrived', 'checkAsked', 'checkArrived', 'started'] as const;
const arrived = (change: Partial<BulkStatus>): AnalyzeEvent => ({
  type: 'statusArrived',
  status: { ...RUNNING, ...change },
});
const found = (change: Partial<BulkStatus>): AnalyzeEvent => ({
  type: 'lookArrived',
  look: { ...LOOK, run: { ...RUNNING, ...change } },
});

describe('a run', () => {
  it('that is there is shown at once, whoever started it', () => {
    for (const isMine of [true, false]) {
      const state = stateAfter(found({ isMine }));
      expect(state.view).toMatchObject({ at: 'run', isDriven: isMine });
    }
  });

  it('is not driven on where nobody works on it, until somebody says so', () => {
    const state = stateAfter(found({ state: 'interrupted' }));
    expect(state.view).toMatchObject({ isDriven: false });
    const resumed = [
      { type: 'actAsked', act: 'resume' } as const,
      { type: 'actDone', status: { ...RUNNING, state: 'interrupted' } } as const,
    ].reduce<AnalyzeState>(step, state);
    const { view } = resumed;
    expect(view).toMatchObject({ isDriven: true, asked: null });
    // Its first slice has not been heard of yet.
    expect(view.at === 'run' && stateOf(view)).toBe('running');
  });

  it('takes no news of a run before it, nor of any once it is over', () => {
    const state = stateAfter(...RUN);
    expect(step(state, arrived({ runId: 'other', left: 1 }))).toBe(state);
    const later = arrived({ runId: 'other', startedAtMs: RUNNING.startedAtMs + 1 });
    const over = step(state, arrived({ state: 'finished' }));
    expect(step(over, later)).toBe(over);
  });

  it('gives way to one that was started elsewhere after it had ended there', () => {
    const later = { runId: 'other', startedAtMs: RUNNING.startedAtMs + 1, isMine: false };
    const state = step(stateAfter(...RUN), arrived(later));
    expect(state.view).toMatchObject({ at: 'run', status: later, isDriven: false });
  });

  it('that nobody here keeps going any more is said to be so', () => {
    const interrupted = arrived({ state: 'interrupted' });
    const titleAfter = (...events: readonly AnalyzeEvent[]) => {
      const { view } = stateAfter(...RUN, ...events);
      return view.at === 'run' && runTitle(view);
    };
    expect(titleAfter(interrupted)).toBe('207 of 412');
    expect(titleAfter(EVENTS.driveEnded, interrupted)).toBe('Run paused at 207 of 412');
  });

  it('leads out of what was asked of it in vain, and stays for what holds it up', () => {
    const failure = { kind: 'run', message: 'This run has ended. Start a new one.' };
    const asked = stateAfter(...RUN, 'actAsked', { type: 'actFailed', failure });
    expect(messagesOf(asked, WAYS).remedy?.label).toBe('Look again');
    const stuck = step(stateAfter(...RUN), arrived({ state: 'stuck', problem: failure }));
    expect(messagesOf(stuck, WAYS)).toMatchObject({ failure, remedy: undefined });
  });

  it('says that the line is lost until news come again', () => {
    expect(stateAfter(...RUN, 'linkLost').view).toMatchObject({ isLost: true });
    expect(stateAfter(...RUN, 'linkLost', 'statusArrived').view).toMatchObject({ isLost: false });
  });

  it('asks before it is stopped, and forgets the question when it is over', () => {
    const asked = stateAfter(...RUN, 'stopAsked');
    expect(asked.focus).toEqual({ to: 'analyze-keep' });
    expect(step(asked, EVENTS.left)).toMatchObject({
      view: { isStopAsked: false },
      focus: { to: 'analyze-stop' },
    });
    expect(step(asked, arrived({ state: 'finished' })).view).toMatchObject({ isStopAsked: false });
  });

  it('is seen until a new one is begun', () => {
    const over = step(stateAfter(...RUN), arrived({ state: 'finished' }));
    expect(over.seenRun).toBe(RUNNING.runId);
    expect(step(over, EVENTS.lookAsked).seenRun).toBeNull();
  });

  it('gives way to the one that retries its failed rows', () => {
    const again: BulkStatus = { ...RUNNING, runId: 'again', rows: 3, left: 3 };
    const state = stateAfter(
      ...RUN,
      { type: 'actAsked', act: 'retry' },
      {
        type: 'actDone',
        status: again,
      },
    );
    expect(state).toMatchObject({ view: { status: again, isDriven: true }, seenRun: 'again' });
  });

  it('says what could not be done, and what was asked can be asked again', () => {
    const state = stateAfter(...RUN, 'actAsked', 'actFailed');
    expect(state.view).toMatchObject({ asked: null, failure: FAILURE });
    expect(step(state, EVENTS.actAsked).view).toMatchObject({ failure: null });
  });
});

describe('a schedule made of a run', () => {
  const over: BulkStatus = { ...RUNNING, state: 'finished' };
  it('is of what the run was started with, and of its retry', () => {
    const state = stateAfter(...RUN);
    const ran = { runId: RUNNING.runId, choice: LOOK.choice };
    expect(state.ran).toEqual(ran);
    const again: AnalyzeEvent = { type: 'actDone', status: { ...RUNNING, runId: 'again' } };
    const retried = [{ type: 'actAsked', act: 'retry' } as const, again].reduce(step, state);
    expect(retried.ran).toEqual({ ...ran, runId: 'again' });
    expect(stateAfter(found({ runId: 'other' })).ran).toBeNull();
  });

  it('is told by its name, or why it could not be made', () => {
    const state = step(stateAfter(...RUN), arrived(over));
    const asked = step(state, EVENTS.repeatAsked);
    expect(asked.view).toMatchObject({ repeated: 'asked' });
    const made = step(asked, EVENTS.repeatDone);
    expect(made.view).toMatchObject({ repeated: { name: 'Every day at 6:00' } });
    const failed = step(asked, EVENTS.repeatFailed);
    expect(failed.view).toMatchObject({ repeated: null, failure: FAILURE });
  });
});

describe('a run of a schedule', () => {
  it('is kept going by nobody here', () => {
    const state = stateAfter(found({ isScheduled: true }));
    expect(state.view).toMatchObject({ at: 'run', isDriven: false });
  });
});
