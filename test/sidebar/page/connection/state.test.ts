// The sidebar's states as a table: what each event does to each view, and what it must not do.
import { describe, expect, it } from '@jest/globals';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  type ConnectionEvent,
  type ConnectionState,
  firstState,
  NOTHING_KEPT,
  step,
} from '../../../../src/sidebar/page/connection/state';
import { CONNECTED, EVENTS, FAILURE, SAMPLES, stateAfter, TYPED, type Type } from './events';

const NOT_CONNECTED: ConnectionEvent = {
  type: 'statusArrived',
  status: { connected: false, demo: false },
};

/** One way into every view, and where each event leads from there; any other stays. */
const VIEWS: readonly {
  readonly at: string;
  readonly by: readonly (Type | ConnectionEvent)[];
  readonly leads: Partial<Record<Type, ConnectionState['view']['at']>>;
}[] = [
  {
    at: 'loading',
    by: [],
    leads: { statusArrived: 'connected', statusFailed: 'unreached' },
  },
  { at: 'unreached', by: ['statusFailed'], leads: { statusAsked: 'loading' } },
  {
    at: 'entering',
    by: [NOT_CONNECTED],
    leads: { submitted: 'saving' },
  },
  {
    at: 'entering',
    by: ['statusArrived', 'changeOpened'],
    leads: { submitted: 'saving', changeLeft: 'connected' },
  },
  {
    at: 'sampling',
    by: [{ type: 'statusArrived', status: SAMPLES }],
    leads: { changeOpened: 'entering' },
  },
  {
    at: 'sampling',
    by: [{ type: 'statusArrived', status: SAMPLES }, 'requestBegun'],
    leads: { changeOpened: 'entering', requestChanged: 'connected', requestNeedsKey: 'entering' },
  },
  {
    at: 'saving',
    by: [NOT_CONNECTED, 'submitted'],
    leads: { saved: 'connected', saveFailed: 'entering' },
  },
  {
    at: 'connected',
    by: ['statusArrived'],
    leads: { changeOpened: 'entering', removalAsked: 'confirming' },
  },
  {
    at: 'confirming',
    by: ['statusArrived', 'removalAsked'],
    leads: { removalLeft: 'connected', removalConfirmed: 'removing' },
  },
  {
    at: 'removing',
    by: ['statusArrived', 'removalAsked', 'removalConfirmed'],
    leads: { removed: 'entering', removalFailed: 'connected' },
  },
];

describe('every event in every view', () => {
  const rows = VIEWS.flatMap(({ at, by, leads }) =>
    Object.values(EVENTS).map((event) => ({ at, by, event, to: leads[event.type] ?? at })),
  );
  it.each(rows)('$at, $event.type → $to', ({ at, by, event, to }) => {
    const before = stateAfter(...by);
    expect(before.view.at).toBe(at);
    expect(step(before, event).view.at).toBe(to);
  });
});

describe('the form', () => {
  it('opens with what was typed when the sidebar was closed', () => {
    const opened = step(firstState({ ...NOTHING_KEPT, form: TYPED }), NOT_CONNECTED);
    expect(opened).toMatchObject({ view: { at: 'entering' }, form: TYPED, isUnsaved: true });
  });

  it('goes on with a change that was not saved when the sidebar was closed', () => {
    const opened = step(firstState({ ...NOTHING_KEPT, form: TYPED }), EVENTS.statusArrived);
    expect(opened).toMatchObject({ view: { at: 'entering', was: CONNECTED }, form: TYPED });
  });

  it('opens a change with what is saved, at the part that was asked for', () => {
    expect(stateAfter('statusArrived', 'changeOpened')).toMatchObject({
      form: { baseUrl: 'https://api.example.com', calls: '90', perSeconds: 60, findOut: false },
      focus: { to: 'quota' },
    });
  });

  it('opens empty for a person’s own key where another’s is in use', () => {
    const shared: ConnectionEvent = {
      type: 'statusArrived',
      status: { ...CONNECTED, owner: 'owner@example.com' },
    };
    expect(stateAfter(shared, 'changeOpened').form).toMatchObject({ baseUrl: '', sharing: 'me' });
  });

  it('goes back to where the change was opened, and drops what was typed', () => {
    const left = stateAfter('statusArrived', 'changeOpened', 'edited', 'changeLeft');
    expect(left).toMatchObject({ isUnsaved: false, focus: { to: 'change-quota' } });
  });

  it('moves to the first thing that is wrong, from top to bottom', () => {
    const problems = { quota: 'Not a number.', apiKey: 'No key.' };
    const refused = stateAfter(NOT_CONNECTED, { type: 'submitted', problems });
    expect(refused).toMatchObject({
      view: { at: 'entering', problems },
      focus: { to: 'apiKey' },
    });
  });

  it('wants the focus again when the same thing is wrong again', () => {
    const refusal: ConnectionEvent = { type: 'submitted', problems: { apiKey: 'No key.' } };
    const once = stateAfter(NOT_CONNECTED, refusal);
    expect(step(once, refusal).focus).not.toBe(once.focus);
  });

  it.each<[ConnectionEvent, readonly string[]]>([
    [{ type: 'keyTyped' }, ['baseUrl', 'quota']],
    [{ type: 'edited', change: { baseUrl: 'x' } }, ['apiKey', 'quota']],
    [{ type: 'edited', change: { findOut: true } }, ['baseUrl', 'apiKey']],
    [{ type: 'edited', change: { perSeconds: 1 } }, ['baseUrl', 'apiKey']],
  ])('no longer calls wrong what is being mended: %j', (event, left) => {
    const problems = { baseUrl: 'a', apiKey: 'b', quota: 'c' };
    const { view } = stateAfter(NOT_CONNECTED, { type: 'submitted', problems }, event);
    expect(view.at === 'entering' && Object.keys(view.problems)).toEqual(left);
  });

  it('says a failure of the server beside the field that it names', () => {
    const failure: RpcFailure = {
      kind: 'bad-address',
      message: 'This address is on your own computer.',
      action: 'Use the service’s.',
      field: 'baseUrl',
    };
    expect(stateAfter(NOT_CONNECTED, 'submitted', { type: 'saveFailed', failure })).toMatchObject({
      view: {
        failure: null,
        problems: { baseUrl: 'This address is on your own computer. Use the service’s.' },
      },
      focus: { to: 'baseUrl' },
    });
  });

  it('keeps what was typed when saving fails', () => {
    const failed = stateAfter(NOT_CONNECTED, 'edited', 'submitted', 'saveFailed');
    expect(failed).toMatchObject({
      view: { at: 'entering', failure: FAILURE },
      form: { calls: '7' },
      isUnsaved: true,
    });
  });
});
