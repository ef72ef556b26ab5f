// Short calls beside the form: what they say, and what they must not cut short.
import { describe, expect, it } from '@jest/globals';
import {
  asked,
  changed,
  changeOpened,
  statusArrived,
} from '../../../../src/sidebar/page/connection/state';
import { CONNECTED, FAILURE, NO_KEY, SAMPLES, stateAfter, whereIs } from './events';

const NOT_CONNECTED = statusArrived(NO_KEY);
describe('a pending request', () => {
  it('is known while it is under way, and over when it is answered', () => {
    expect(stateAfter('statusArrived', asked('share')).pending).toBe('share');
    const done = stateAfter('statusArrived', asked('share'), 'shared');
    expect(done).toMatchObject({ pending: null, notice: 'shared', focus: null });
  });

  it('shows why it failed, until the next one begins', () => {
    const failed = stateAfter('statusArrived', asked('share'), 'shareFailed');
    expect(failed).toMatchObject({ pending: null, failure: FAILURE });
    const again = stateAfter('statusArrived', asked('share'), 'shareFailed', asked('share'));
    expect(again.failure).toBeNull();
  });

  it('leads to the samples, said by the title of their page', () => {
    const state = stateAfter(NOT_CONNECTED, asked('demo'), changed('demo', SAMPLES, null));
    expect(whereIs(state)).toBe('sampling');
    expect(state).toMatchObject({
      notice: null,
      focus: { to: 'connection-title' },
    });
  });

  it('that comes back during a save does not cut it short', () => {
    const samples = changed('demo', SAMPLES, null);
    const saving = stateAfter(NOT_CONNECTED, asked('demo'), 'submitted', samples);
    expect(whereIs(saving)).toBe('saving');
    expect(whereIs(stateAfter(NOT_CONNECTED, asked('demo'), 'submitted', samples, 'saved'))).toBe(
      'connected',
    );
  });

  it('begins neither before the server has answered nor while the key is being removed', () => {
    expect(stateAfter('shareAsked').pending).toBe('load');
    expect(stateAfter('statusArrived', 'removalAsked', 'shareAsked').pending).toBeNull();
  });
});

describe('the samples', () => {
  it('are left for the form and found again on the way back', () => {
    const samples = statusArrived(SAMPLES);
    const form = stateAfter(samples, changeOpened('baseUrl'));
    expect(form).toMatchObject({
      ...{ mode: 'entering', status: SAMPLES },
      focus: { to: 'baseUrl' },
    });
    const back = stateAfter(samples, changeOpened('baseUrl'), 'left');
    expect(whereIs(back)).toBe('sampling');
    expect(back.focus).toEqual({ to: 'change-baseUrl' });
  });
});

describe('the first run', () => {
  it('has the cursor where the paste belongs', () => {
    expect(stateAfter(NOT_CONNECTED).focus).toEqual({ to: 'baseUrl' });
    expect(stateAfter(statusArrived(CONNECTED)).focus).toBeNull();
  });
});
