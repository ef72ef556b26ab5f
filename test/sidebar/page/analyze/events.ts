// One event of each kind of the Analyze page, and the state that a row of them leads to.
import {
  FINISHED,
  LOOK,
  PAST_JOBS,
  PREVIEW,
  RUNNING,
} from '../../../../playground/sidebar-states/analyze-replies';
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
  jobFound: { type: 'jobFound', status: FINISHED },
  chosen: { type: 'chosen', choice: { ...choice, market: { kind: 'one', market: 'UK' } } },
  fieldsToggled: { type: 'fieldsToggled' },
  listActAsked: { type: 'listActAsked', act: 'fillIn' },
  listActDone: { type: 'listActDone', act: 'fillIn', rows: 14, kept: 0 },
  listActFailed: { type: 'listActFailed', failure: FAILURE },
  previewAsked: { type: 'previewAsked', choice },
  previewArrived: { type: 'previewArrived', choice, preview: PREVIEW },
  previewFailed: { type: 'previewFailed', failure: FAILURE },
  startAsked: { type: 'startAsked' },
  started: { type: 'started', status: RUNNING, barcodes: 0 },
  startFailed: { type: 'startFailed', failure: FAILURE },
  secondAsked: { type: 'secondAsked' },
  secondStarted: { type: 'secondStarted', status: { ...RUNNING, jobId: 'second' } },
  secondFailed: { type: 'secondFailed', failure: FAILURE },
  workBegun: { type: 'workBegun', status: RUNNING },
  statusArrived: { type: 'statusArrived', status: { ...RUNNING, answered: 151, left: 183 } },
  linkLost: { type: 'linkLost' },
  nextCallKnown: { type: 'nextCallKnown', atMs: RUNNING.startedAtMs },
  workFailed: { type: 'workFailed', failure: FAILURE },
  workEnded: { type: 'workEnded', jobId: RUNNING.jobId },
  actAsked: { type: 'actAsked', act: 'pause' },
  actDone: { type: 'actDone', status: { ...RUNNING, state: 'paused' } },
  actFailed: { type: 'actFailed', failure: FAILURE },
  stopAsked: { type: 'stopAsked' },
  repeatAsked: { type: 'repeatAsked' },
  repeatDone: { type: 'repeatDone', name: 'Every day at 6:00' },
  repeatFailed: { type: 'repeatFailed', failure: FAILURE },
  left: { type: 'left' },
  listToggled: { type: 'listToggled', list: 'unreadable' },
  rowsShown: { type: 'rowsShown', wanted: 12, shown: 12 },
  showFailed: { type: 'showFailed', failure: FAILURE },
  pastToggled: { type: 'pastToggled' },
  pastArrived: { type: 'pastArrived', jobs: PAST_JOBS },
  pastFailed: { type: 'pastFailed', failure: FAILURE },
};

export const NOTHING_KEPT = { draft: null, seenJob: null, ran: null, both: null, pair: null };

export type Type = AnalyzeEvent['type'];

export function stateAfter(...events: readonly (Type | AnalyzeEvent)[]): AnalyzeState {
  return events.reduce(
    (state: AnalyzeState, event) => step(state, typeof event === 'string' ? EVENTS[event] : event),
    firstState(NOTHING_KEPT),
  );
}
