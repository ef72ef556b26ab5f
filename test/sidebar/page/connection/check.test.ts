// A check that goes on beside everything else, and a key that is removed: as steps and states.
import { describe, expect, it } from '@jest/globals';
import { checkStarted, statusArrived } from '../../../../src/sidebar/page/connection/state';
import { CONNECTED, FAILURE, REPORT, STEPS, stateAfter, whereIs } from './events';

describe('a check', () => {
  it('shows what came back', () => {
    const done = stateAfter('statusArrived', 'checkStarted', 'checkAnswered');
    expect(done.check).toEqual({ at: 'done', report: REPORT });
  });

  it('goes on while something else is done, and its answer is kept', () => {
    const done = stateAfter('statusArrived', 'checkStarted', 'changeOpened', 'checkAnswered');
    expect(done).toMatchObject({ mode: 'entering', check: { at: 'done' } });
  });

  it('is not mistaken for one of another key: an answer from before a save is dropped', () => {
    const saved = stateAfter('statusArrived', 'checkStarted', 'changeOpened', 'submitted', 'saved');
    expect(STEPS.checkAnswered(saved).check).toEqual({ at: 'none' });
    const again = checkStarted(2)(saved);
    expect(STEPS.checkFailed(again).check).toEqual({ at: 'running', run: 2 });
  });

  it('may find that the key is stopped: the connection then says so', () => {
    const stopped = { ...CONNECTED, stopped: FAILURE };
    const told = stateAfter('statusArrived', 'checkStarted', 'checkFailed', statusArrived(stopped));
    expect(told).toMatchObject({ status: stopped, failure: null });
    expect(whereIs(told)).toBe('connected');
  });
});

describe('removing the key', () => {
  it('asks first, with the focus on the way back', () => {
    expect(stateAfter('statusArrived', 'removalAsked').focus).toEqual({ to: 'keep' });
  });

  it('leaves the form filled with all but the key, so that coming back is one paste', () => {
    const removed = stateAfter('statusArrived', 'removalAsked', 'removalConfirmed', 'removed');
    expect(removed).toMatchObject({
      form: { baseUrl: 'https://api.example.com', calls: '90', sharing: 'spreadsheet' },
      check: { at: 'none' },
      notice: 'removed',
      focus: { to: 'connection-title' },
    });
  });

  it('keeps the connection in view, with the reason, when it fails', () => {
    const failed = stateAfter('statusArrived', 'removalAsked', 'removalConfirmed', 'removalFailed');
    expect(failed).toMatchObject({ status: CONNECTED, failure: FAILURE });
    expect(whereIs(failed)).toBe('connected');
  });
});
