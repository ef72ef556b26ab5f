// One event of each kind of the Connection page, and the state that a row of them leads to.
import type { ConnectionDraft } from '../../../../src/connection/connection';
import type { CheckReport } from '../../../../src/sidebar/api/check';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
} from '../../../../src/sidebar/page/connection/form';
import {
  type ConnectionEvent,
  type ConnectionState,
  firstState,
  NOTHING_KEPT,
  step,
} from '../../../../src/sidebar/page/connection/state';

export const CONNECTED: Connected = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 90, perSeconds: 60 },
  sharing: 'spreadsheet',
  ...{ settings: {}, found: {}, reasons: {}, observations: [] },
  payer: { kind: 'yours', text: 'Formulas here use your key.' },
  cellCalls: { perDay: null, usedToday: 0 },
  waiting: 0,
};
export const NO_KEY = { connected: false, demo: false } as const;
export const SAMPLES = { connected: false, demo: true } as const;
export const DRAFT: ConnectionDraft = {
  baseUrl: 'https://api.example.com',
  apiKey: '',
  quota: { calls: 90, perSeconds: 60 },
  sharing: 'me',
  settings: { roiUnit: 'percent' },
  cellsPerDay: 500,
};
export const REPORT: CheckReport = {
  asin: 'B08N5WRWNW',
  market: 'US',
  latencyMs: 400,
  recognised: [],
  ...{ settings: {}, found: {}, reasons: {}, observations: [] },
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

export const EVENTS: {
  readonly [Type in ConnectionEvent['type']]: Extract<ConnectionEvent, { type: Type }>;
} = {
  statusAsked: { type: 'statusAsked' },
  statusArrived: { type: 'statusArrived', status: CONNECTED },
  statusFailed: { type: 'statusFailed', failure: FAILURE },
  edited: { type: 'edited', change: { calls: '7' } },
  besideEdited: { type: 'besideEdited', change: { product: 'B08N5WRWNW' } },
  keyTyped: { type: 'keyTyped' },
  settingsToggled: { type: 'settingsToggled', isOpen: true },
  submitted: { type: 'submitted', problems: {} },
  saved: { type: 'saved', status: CONNECTED },
  saveFailed: { type: 'saveFailed', failure: FAILURE },
  changeOpened: { type: 'changeOpened', change: 'quota' },
  changeLeft: { type: 'changeLeft' },
  checkStarted: { type: 'checkStarted', run: 1 },
  checkAnswered: { type: 'checkAnswered', run: 1, report: REPORT },
  checkFailed: { type: 'checkFailed', run: 1, failure: FAILURE },
  waitingCounted: { type: 'waitingCounted', left: 3 },
  waitingFailed: { type: 'waitingFailed', failure: FAILURE },
  refreshed: { type: 'refreshed', refreshing: { at: 'failed', failure: FAILURE } },
  removalAsked: { type: 'removalAsked' },
  removalLeft: { type: 'removalLeft' },
  removalConfirmed: { type: 'removalConfirmed' },
  removed: { type: 'removed', status: NO_KEY },
  removalFailed: { type: 'removalFailed', failure: FAILURE },
  requestBegun: { type: 'requestBegun', pending: 'share' },
  requestFailed: { type: 'requestFailed', failure: FAILURE },
  requestChanged: { type: 'requestChanged', status: CONNECTED, notice: 'It is shared.' },
  requestDone: { type: 'requestDone', notice: 'It is done.' },
  requestExported: { type: 'requestExported', text: '{}' },
  requestNeedsKey: { type: 'requestNeedsKey', draft: DRAFT, status: NO_KEY },
};

export type Type = ConnectionEvent['type'];

export function stateAfter(...events: readonly (Type | ConnectionEvent)[]): ConnectionState {
  return events.reduce(
    (state, event) => step(state, typeof event === 'string' ? EVENTS[event] : event),
    firstState(NOTHING_KEPT),
  );
}
