// One of each thing that happens on the Connection page, and the state that a row of them leads to.
import type { CheckReport } from '../../../../src/sidebar/api/check';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
} from '../../../../src/sidebar/page/connection/form';
import {
  asked,
  besideEdited,
  type ConnectionState,
  changed,
  changeOpened,
  checkEnded,
  checkStarted,
  edited,
  failed,
  firstState,
  keyTyped,
  left,
  loading,
  NOTHING_KEPT,
  refreshed,
  removalAsked,
  removalConfirmed,
  removed,
  type Step,
  saved,
  settingsToggled,
  statusArrived,
  submitted,
  viewOf,
  waitingCounted,
  waitingFailed,
} from '../../../../src/sidebar/page/connection/state';

export const CONNECTED: Connected = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 90, perSeconds: 60 },
  sharing: 'spreadsheet',
  settings: {},
  payer: { kind: 'yours', text: 'Formulas here use your key.' },
  cellCalls: { perDay: null, usedToday: 0 },
  waiting: 0,
};
export const NO_KEY = { connected: false, demo: false } as const;
export const SAMPLES = { connected: false, demo: true } as const;
export const REPORT: CheckReport = {
  asin: 'B08N5WRWNW',
  market: 'US',
  latencyMs: 400,
  ...{ settings: {}, sent: null, questions: [], recognised: [] },
};
export const FAILURE: RpcFailure = {
  kind: 'unreachable',
  message: 'The service cannot be reached.',
};
export const TYPED: ConnectionForm = {
  ...EMPTY_FORM,
  baseUrl: 'https://typed.example.com',
  calls: '5',
  perSeconds: 1,
};

export const STEPS = {
  loading,
  statusArrived: statusArrived(CONNECTED),
  loadFailed: failed('load', FAILURE),
  edited: edited({ calls: '7' }),
  besideEdited: besideEdited({ product: 'B08N5WRWNW' }),
  keyTyped,
  settingsToggled: settingsToggled(true),
  submitted: submitted({}),
  saved: saved(CONNECTED),
  saveFailed: failed('save', FAILURE),
  changeOpened: changeOpened('quota'),
  left,
  checkStarted: checkStarted(1),
  checkAnswered: checkEnded(1, { at: 'done', report: REPORT }),
  checkFailed: checkEnded(1, { at: 'failed', failure: FAILURE }),
  waitingCounted: waitingCounted(3, false),
  waitingFailed: waitingFailed(FAILURE),
  refreshed: refreshed({ at: 'failed', failure: FAILURE }),
  removalAsked,
  removalConfirmed,
  removed: removed(NO_KEY),
  removalFailed: failed('remove', FAILURE),
  shareAsked: asked('share'),
  shareFailed: failed('share', FAILURE),
  shared: changed('share', CONNECTED, 'shared'),
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof STEPS;

export const stateAfter = (...steps: readonly (StepName | Step)[]): ConnectionState =>
  steps.reduce(
    (state, one) => (typeof one === 'string' ? STEPS[one] : one)(state),
    firstState(NOTHING_KEPT),
  );

/** What is on view, and what goes on there. */
export function whereIs(state: ConnectionState): string {
  if (state.pending === 'save') return 'saving';
  if (state.mode === 'removing') return state.pending === 'remove' ? 'removing' : 'confirming';
  return viewOf(state).at;
}
