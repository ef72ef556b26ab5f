// A check that goes on beside everything else, and a key that is removed: as events and states.
import { describe, expect, it } from '@jest/globals';
import { step } from '../../../../src/sidebar/page/connection/state';
import { CONNECTED, EVENTS, FAILURE, REPORT, stateAfter } from './events';

describe('a check', () => {
  it('shows what came back', () => {
    const done = stateAfter('statusArrived', 'checkStarted', 'checkAnswered');
    expect(done.check).toEqual({ at: 'done', report: REPORT });
  });

  it('goes on while something else is done, and its answer is kept', () => {
    const done = stateAfter('statusArrived', 'checkStarted', 'changeOpened', 'checkAnswered');
    expect(done).toMatchObject({ view: { at: 'entering' }, check: { at: 'done' } });
  });

  it('is not mistaken for one of another key: an answer from before a save is dropped', () => {
    const saved = stateAfter('statusArrived', 'checkStarted', 'changeOpened', 'submitted', 'saved');
    expect(step(saved, EVENTS.checkAnswered).check).toEqual({ at: 'none' });
    const again = step(saved, { type: 'checkStarted', run: 2 });
    expect(step(again, EVENTS.checkFailed).check).toEqual({ at: 'running', run: 2 });
  });

  it('may find that the key is stopped: the connection then says so', () => {
    const stopped = { ...CONNECTED, stopped: FAILURE };
    const told = stateAfter('statusArrived', 'checkStarted', 'checkFailed', {
      type: 'statusArrived',
      status: stopped,
    });
    expect(told.view).toEqual({ at: 'connected', status: stopped, failure: null });
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
      notice: 'The key was removed.',
      focus: { to: 'connection-title' },
    });
  });

  it('keeps the connection in view, with the reason, when it fails', () => {
    const failed = stateAfter('statusArrived', 'removalAsked', 'removalConfirmed', 'removalFailed');
    expect(failed.view).toEqual({ at: 'connected', status: CONNECTED, failure: FAILURE });
  });
});
