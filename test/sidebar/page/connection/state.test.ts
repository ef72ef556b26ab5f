// The page's states as a table: what each thing that happens makes of each of them, and what it must not.
import { describe, expect, it } from '@jest/globals';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  edited,
  failed,
  firstState,
  keyTyped,
  NOTHING_KEPT,
  type Step,
  statusArrived,
  submitted,
} from '../../../../src/sidebar/page/connection/state';
import {
  CONNECTED,
  FAILURE,
  SAMPLES,
  STEPS,
  type StepName,
  stateAfter,
  TYPED,
  whereIs,
} from './events';

const NOT_CONNECTED = statusArrived({ connected: false, demo: false });

/** One way into every view, and where each step leads from there; any other stays. */
const VIEWS: readonly {
  readonly at: string;
  readonly by: readonly (StepName | Step)[];
  readonly leads: Partial<Record<StepName, string>>;
}[] = [
  {
    at: 'loading',
    by: [],
    leads: { statusArrived: 'connected', loadFailed: 'unreached' },
  },
  {
    at: 'unreached',
    by: ['loadFailed'],
    leads: { loading: 'loading', statusArrived: 'connected' },
  },
  {
    at: 'entering',
    by: [NOT_CONNECTED],
    leads: { submitted: 'saving' },
  },
  {
    at: 'entering',
    by: ['statusArrived', 'changeOpened'],
    leads: { submitted: 'saving', left: 'connected' },
  },
  {
    at: 'sampling',
    by: [statusArrived(SAMPLES)],
    leads: { changeOpened: 'entering' },
  },
  {
    at: 'sampling',
    by: [statusArrived(SAMPLES), 'shareAsked'],
    leads: { changeOpened: 'entering', shared: 'connected' },
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
    leads: { left: 'connected', removalConfirmed: 'removing' },
  },
  {
    at: 'removing',
    by: ['statusArrived', 'removalAsked', 'removalConfirmed'],
    leads: { removed: 'entering', removalFailed: 'connected' },
  },
];

describe('every step in every view', () => {
  const rows = VIEWS.flatMap(({ at, by, leads }) =>
    (Object.keys(STEPS) as StepName[]).map((name) => ({ at, by, name, to: leads[name] ?? at })),
  );
  it.each(rows)('$at, $name → $to', ({ at, by, name, to }) => {
    const before = stateAfter(...by);
    expect(whereIs(before)).toBe(at);
    expect(whereIs(STEPS[name](before))).toBe(to);
  });
});

describe('the form', () => {
  it('opens with what was typed when the sidebar was closed', () => {
    const opened = NOT_CONNECTED(firstState({ ...NOTHING_KEPT, form: TYPED }));
    expect(opened).toMatchObject({ mode: 'entering', form: TYPED, isUnsaved: true });
  });

  it('goes on with a change that was not saved when the sidebar was closed', () => {
    const opened = STEPS.statusArrived(firstState({ ...NOTHING_KEPT, form: TYPED }));
    expect(opened).toMatchObject({ mode: 'entering', status: CONNECTED, form: TYPED });
  });

  it('opens a change with what is saved, at the part that was asked for', () => {
    expect(stateAfter('statusArrived', 'changeOpened')).toMatchObject({
      form: { baseUrl: 'https://api.example.com', calls: '90', perSeconds: 60, findOut: false },
      focus: { to: 'quota' },
    });
  });

  it('opens empty for a person’s own key where another’s is in use', () => {
    const shared = statusArrived({ ...CONNECTED, isOthers: true });
    expect(stateAfter(shared, 'changeOpened').form).toMatchObject({ baseUrl: '', sharing: 'me' });
  });

  it('goes back to where the change was opened, and drops what was typed', () => {
    const left = stateAfter('statusArrived', 'changeOpened', 'edited', 'left');
    expect(left).toMatchObject({ isUnsaved: false, focus: { to: 'change-quota' } });
  });

  it('moves to the first thing that is wrong, from top to bottom', () => {
    const problems = { quota: 'Not a number.', apiKey: 'No key.' };
    const refused = stateAfter(NOT_CONNECTED, submitted(problems));
    expect(refused).toMatchObject({ mode: 'entering', problems, focus: { to: 'apiKey' } });
  });

  it('wants the focus again when the same thing is wrong again', () => {
    const refusal = submitted({ apiKey: 'No key.' });
    const once = stateAfter(NOT_CONNECTED, refusal);
    expect(refusal(once).focus).not.toBe(once.focus);
  });

  it.each<[Step, readonly string[]]>([
    [keyTyped, ['baseUrl', 'quota']],
    [edited({ baseUrl: 'x' }), ['apiKey', 'quota']],
    [edited({ findOut: true }), ['baseUrl', 'apiKey']],
    [edited({ perSeconds: 1 }), ['baseUrl', 'apiKey']],
  ])('no longer calls wrong what is being mended', (step, left) => {
    const problems = { baseUrl: 'a', apiKey: 'b', quota: 'c' };
    const mended = stateAfter(NOT_CONNECTED, submitted(problems), step);
    expect(Object.keys(mended.problems)).toEqual(left);
  });

  it('says a failure of the server beside the field that it names', () => {
    const failure: RpcFailure = {
      kind: 'bad-address',
      message: 'This address is on your own computer.',
      action: 'Use the service’s.',
      field: 'baseUrl',
    };
    expect(stateAfter(NOT_CONNECTED, 'submitted', failed('save', failure))).toMatchObject({
      failure: null,
      problems: { baseUrl: 'This address is on your own computer. Use the service’s.' },
      focus: { to: 'baseUrl' },
    });
  });

  it('keeps what was typed when saving fails', () => {
    const failed = stateAfter(NOT_CONNECTED, 'edited', 'submitted', 'saveFailed');
    expect(failed).toMatchObject({
      ...{ mode: 'entering', failure: FAILURE },
      form: { calls: '7' },
      isUnsaved: true,
    });
  });
});
