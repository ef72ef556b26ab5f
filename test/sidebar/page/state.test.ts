// The sidebar's states as a table: what each event does to each view, and what it must not do.
import { describe, expect, it } from '@jest/globals';
import {
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
} from '../../../src/sidebar/page/connection/form';
import { firstState, type PageEvent, type PageState } from '../../../src/sidebar/page/state';
import { step } from '../../../src/sidebar/page/step';
import type { CheckReport, RpcFailure } from '../../../src/sidebar/rpc-contract';

const CONNECTED: Connected = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 90, perSeconds: 60 },
  sharing: 'spreadsheet',
  settings: {},
  waiting: 0,
};
const REPORT: CheckReport = { asin: 'B08N5WRWNW', market: 'US', latencyMs: 400, recognised: [] };
const FAILURE: RpcFailure = { kind: 'unreachable', message: 'The service cannot be reached.' };
const TYPED: ConnectionForm = {
  ...EMPTY_FORM,
  baseUrl: 'https://typed.example.com',
  calls: '5',
  perSeconds: 1,
};

const EVENTS: { readonly [Type in PageEvent['type']]: Extract<PageEvent, { type: Type }> } = {
  statusAsked: { type: 'statusAsked' },
  statusArrived: { type: 'statusArrived', status: CONNECTED },
  statusFailed: { type: 'statusFailed', failure: FAILURE },
  edited: { type: 'edited', change: { calls: '7' } },
  keyTyped: { type: 'keyTyped' },
  settingsToggled: { type: 'settingsToggled', isOpen: true },
  submitted: { type: 'submitted', problems: {} },
  saved: { type: 'saved', status: CONNECTED },
  saveFailed: { type: 'saveFailed', failure: FAILURE },
  changeOpened: { type: 'changeOpened', field: 'quota' },
  changeLeft: { type: 'changeLeft' },
  checkStarted: { type: 'checkStarted', run: 1 },
  checkAnswered: { type: 'checkAnswered', run: 1, report: REPORT },
  checkFailed: { type: 'checkFailed', run: 1, failure: FAILURE },
  waitingCounted: { type: 'waitingCounted', left: 3 },
  waitingFailed: { type: 'waitingFailed', failure: FAILURE },
  removalAsked: { type: 'removalAsked' },
  removalLeft: { type: 'removalLeft' },
  removalConfirmed: { type: 'removalConfirmed' },
  removed: { type: 'removed', status: { connected: false } },
  removalFailed: { type: 'removalFailed', failure: FAILURE },
};

type Type = PageEvent['type'];

function stateAfter(...events: readonly (Type | PageEvent)[]): PageState {
  return events.reduce(
    (state, event) => step(state, typeof event === 'string' ? EVENTS[event] : event),
    firstState(null),
  );
}

const NOT_CONNECTED: PageEvent = { type: 'statusArrived', status: { connected: false } };

/** One way into every view, and where each event leads from there; any other stays. */
const VIEWS: readonly {
  readonly at: string;
  readonly by: readonly (Type | PageEvent)[];
  readonly leads: Partial<Record<Type, PageState['view']['at']>>;
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
    const opened = step(firstState(TYPED), NOT_CONNECTED);
    expect(opened).toMatchObject({ view: { at: 'entering' }, form: TYPED, isUnsaved: true });
  });

  it('goes on with a change that was not saved when the sidebar was closed', () => {
    const opened = step(firstState(TYPED), EVENTS.statusArrived);
    expect(opened).toMatchObject({ view: { at: 'entering', was: CONNECTED }, form: TYPED });
  });

  it('opens a change with what is saved, at the part that was asked for', () => {
    expect(stateAfter('statusArrived', 'changeOpened')).toMatchObject({
      form: { baseUrl: 'https://api.example.com', calls: '90', perSeconds: 60, findOut: false },
      focus: { to: 'quota' },
    });
  });

  it('opens empty for a person’s own key where another’s is in use', () => {
    const shared: PageEvent = {
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
    const refusal: PageEvent = { type: 'submitted', problems: { apiKey: 'No key.' } };
    const once = stateAfter(NOT_CONNECTED, refusal);
    expect(step(once, refusal).focus).not.toBe(once.focus);
  });

  it.each<[PageEvent, readonly string[]]>([
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
      focus: { to: 'title' },
    });
  });

  it('keeps the connection in view, with the reason, when it fails', () => {
    const failed = stateAfter('statusArrived', 'removalAsked', 'removalConfirmed', 'removalFailed');
    expect(failed.view).toEqual({ at: 'connected', status: CONNECTED, failure: FAILURE });
  });
});
