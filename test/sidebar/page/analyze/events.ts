// One event of each kind of the Analyze page, and the state that a row of them leads to.
import {
  FINISHED,
  LOOK,
  PAST_RUNS,
  PREFLIGHT,
  RUNNING,
  UNTIDY_ROWS,
} from '../../../../playground/sidebar-states/analyze-replies';
import { planCleanup } from '../../../../src/deal/cleanup-plan';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  type AnalyzeEvent,
  type AnalyzeState,
  firstState,
  step,
} from '../../../../src/sidebar/page/analyze/state';

export const FAILURE: RpcFailure = { kind: 'internal', message: 'Something went wrong.' };
const { choice } = LOOK;

export const EVENTS: {
  readonly [Type in AnalyzeEvent['type']]: Extract<AnalyzeEvent, { type: Type }>;
} = {
  lookAsked: { type: 'lookAsked' },
  lookArrived: { type: 'lookArrived', look: LOOK },
  lookFailed: { type: 'lookFailed', failure: FAILURE },
  runFound: { type: 'runFound', status: FINISHED },
  chosen: { type: 'chosen', choice: { ...choice, market: { kind: 'one', market: 'UK' } } },
  fieldsToggled: { type: 'fieldsToggled' },
  checkAsked: { type: 'checkAsked', choice },
  checkArrived: { type: 'checkArrived', choice, preflight: PREFLIGHT },
  checkFailed: { type: 'checkFailed', failure: FAILURE },
  startAsked: { type: 'startAsked' },
  started: { type: 'started', status: RUNNING },
  startFailed: { type: 'startFailed', failure: FAILURE },
  secondAsked: { type: 'secondAsked' },
  secondStarted: { type: 'secondStarted', status: { ...RUNNING, runId: 'second' } },
  secondFailed: { type: 'secondFailed', failure: FAILURE },
  statusArrived: { type: 'statusArrived', status: { ...RUNNING, answered: 171, left: 204 } },
  linkLost: { type: 'linkLost' },
  driveEnded: { type: 'driveEnded' },
  sliceFailed: { type: 'sliceFailed', failure: FAILURE },
  actAsked: { type: 'actAsked', act: 'pause' },
  actDone: { type: 'actDone', status: { ...RUNNING, state: 'pausing' } },
  actFailed: { type: 'actFailed', failure: FAILURE },
  stopAsked: { type: 'stopAsked' },
  repeatAsked: { type: 'repeatAsked' },
  repeatDone: { type: 'repeatDone', name: 'Every day at 6:00' },
  repeatFailed: { type: 'repeatFailed', failure: FAILURE },
  left: { type: 'left' },
  listToggled: { type: 'listToggled', list: 'unreadable' },
  rowsShown: { type: 'rowsShown', wanted: 12, shown: 12 },
  showFailed: { type: 'showFailed', failure: FAILURE },
  barcodesAsked: { type: 'barcodesAsked' },
  barcodesListed: { type: 'barcodesListed', added: 12, more: 0 },
  barcodesFailed: { type: 'barcodesFailed', failure: FAILURE },
  cleanupAsked: { type: 'cleanupAsked', choice },
  cleanupFound: {
    type: 'cleanupFound',
    found: planCleanup({ ...choice, titles: [] }, UNTIDY_ROWS),
  },
  cleanupFailed: { type: 'cleanupFailed', failure: FAILURE },
  tickFlipped: { type: 'tickFlipped', row: 31 },
  cleanupSent: { type: 'cleanupSent' },
  cleanupDone: { type: 'cleanupDone', undo: null, done: 3, wanted: 3, isUndo: false },
  pastToggled: { type: 'pastToggled' },
  pastArrived: { type: 'pastArrived', runs: PAST_RUNS },
  pastFailed: { type: 'pastFailed', failure: FAILURE },
};

export type Type = AnalyzeEvent['type'];

export function stateAfter(...events: readonly (Type | AnalyzeEvent)[]): AnalyzeState {
  return events.reduce(
    (state: AnalyzeState, event) => step(state, typeof event === 'string' ? EVENTS[event] : event),
    firstState({ draft: null, seenRun: null, ran: null, undo: null, both: null, pair: null }),
  );
}
