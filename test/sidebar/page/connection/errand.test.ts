// Short calls beside the form: what they say, and what they must not cut short.
import { describe, expect, it } from '@jest/globals';
import type { ConnectionEvent } from '../../../../src/sidebar/page/connection/state';
import { CONNECTED, DRAFT, FAILURE, NO_KEY, SAMPLES, stateAfter } from './events';

const NOT_CONNECTED: ConnectionEvent = { type: 'statusArrived', status: NO_KEY };
const begun = (pending: 'demo' | 'share' | 'import' | 'export'): ConnectionEvent => ({
  type: 'requestBegun',
  pending,
});

describe('a pending request', () => {
  it('is known while it is under way, and over when it is answered', () => {
    expect(stateAfter('statusArrived', begun('share')).pending).toBe('share');
    const done = stateAfter('statusArrived', begun('share'), 'requestChanged');
    expect(done).toMatchObject({ pending: null, notice: 'It is shared.', focus: null });
  });

  it('shows why it failed, until the next one begins', () => {
    const failed = stateAfter('statusArrived', begun('share'), 'requestFailed');
    expect(failed).toMatchObject({ pending: null, view: { at: 'connected', failure: FAILURE } });
    const again = stateAfter('statusArrived', begun('share'), 'requestFailed', begun('share'));
    expect(again.view).toMatchObject({ failure: null });
  });

  it('leads to the samples, said by the title of their page', () => {
    const samples: ConnectionEvent = { type: 'requestChanged', status: SAMPLES, notice: '' };
    expect(stateAfter(NOT_CONNECTED, begun('demo'), samples)).toMatchObject({
      view: { at: 'sampling' },
      notice: null,
      focus: { to: 'connection-title' },
    });
  });

  it('that comes back during a save does not cut it short', () => {
    const saving = stateAfter(NOT_CONNECTED, begun('demo'), 'submitted', 'requestChanged');
    expect(saving).toMatchObject({ view: { at: 'saving' }, pending: null });
    const saved = stateAfter(NOT_CONNECTED, begun('demo'), 'submitted', 'requestChanged', 'saved');
    expect(saved.view.at).toBe('connected');
  });

  it('begins neither before the server has answered nor while the key is being removed', () => {
    expect(stateAfter('requestBegun').pending).toBeNull();
    expect(stateAfter('statusArrived', 'removalAsked', 'requestBegun').pending).toBeNull();
  });
});

describe('settings that came as a text', () => {
  it('fill the form where the key of their address is not here', () => {
    const typed: ConnectionEvent = { type: 'besideEdited', change: { importText: 'some text' } };
    const state = stateAfter(NOT_CONNECTED, typed, begun('import'), 'requestNeedsKey');
    expect(state).toMatchObject({
      view: { at: 'entering' },
      form: { baseUrl: DRAFT.baseUrl, calls: '90', roiUnit: 'percent', cellsPerDay: '500' },
      beside: { importText: '' },
      isUnsaved: true,
      focus: { to: 'apiKey' },
    });
  });

  it('are shown with the focus on them, so that they can be copied', () => {
    const state = stateAfter('statusArrived', begun('export'), 'requestExported');
    expect(state).toMatchObject({ exported: '{}', focus: { to: 'settings-text' } });
  });
});

describe('the samples', () => {
  it('are left for the form and found again on the way back', () => {
    const samples: ConnectionEvent = { type: 'statusArrived', status: SAMPLES };
    const form = stateAfter(samples, { type: 'changeOpened', change: 'baseUrl' });
    expect(form).toMatchObject({
      view: { at: 'entering', was: SAMPLES },
      focus: { to: 'baseUrl' },
    });
    const back = stateAfter(samples, { type: 'changeOpened', change: 'baseUrl' }, 'changeLeft');
    expect(back).toMatchObject({ view: { at: 'sampling' }, focus: { to: 'change-baseUrl' } });
  });
});

describe('the first run', () => {
  it('has the cursor where the paste belongs', () => {
    expect(stateAfter(NOT_CONNECTED).focus).toEqual({ to: 'baseUrl' });
    expect(stateAfter({ type: 'statusArrived', status: CONNECTED }).focus).toBeNull();
  });
});
