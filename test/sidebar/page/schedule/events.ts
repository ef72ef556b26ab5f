// One event of each kind of the Schedule page, and the state that a row of them leads to.
import { RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import {
  LOOK,
  MORNING,
  PAST,
  RUN,
  SCHEDULES,
} from '../../../../playground/sidebar-states/schedule-replies';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import { formOf } from '../../../../src/sidebar/page/schedule/form';
import {
  firstState,
  type ListView,
  type ScheduleEvent,
  type ScheduleState,
  step,
} from '../../../../src/sidebar/page/schedule/state';

export const FAILURE: RpcFailure = { kind: 'internal', message: 'Something went wrong.' };
export const NEW_FORM = formOf('new', MORNING.settings);
const { id } = MORNING;

export const EVENTS: {
  readonly [Type in ScheduleEvent['type']]: Extract<ScheduleEvent, { type: Type }>;
} = {
  lookAsked: { type: 'lookAsked' },
  lookArrived: { type: 'lookArrived', look: LOOK },
  lookFailed: { type: 'lookFailed', failure: FAILURE },
  editWished: { type: 'editWished', form: NEW_FORM },
  formChanged: { type: 'formChanged', form: { ...NEW_FORM, maxAge: '48' } },
  foldToggled: { type: 'foldToggled', fold: 'rules', isOpen: true },
  problemsFound: { type: 'problemsFound', problems: { calls: 'Enter a number.' } },
  saveAsked: { type: 'saveAsked' },
  saved: { type: 'saved', id: 'new', schedules: [...SCHEDULES, { ...MORNING, id: 'new' }] },
  saveFailed: { type: 'saveFailed', failure: FAILURE },
  removeWished: { type: 'removeWished', id },
  actAsked: { type: 'actAsked', asked: { act: 'switch', id, isOn: false } },
  actDone: { type: 'actDone', schedules: [{ ...MORNING, isOn: false }] },
  actFailed: { type: 'actFailed', failure: FAILURE },
  showFailed: { type: 'showFailed', failure: FAILURE },
  lookChanged: { type: 'lookChanged', look: { ...LOOK, schedules: [] } },
  digestSeen: { type: 'digestSeen' },
  runAsked: { type: 'runAsked', id },
  statusArrived: { type: 'statusArrived', status: RUNNING },
  sliceDone: { type: 'sliceDone', run: RUN },
  linkLost: { type: 'linkLost' },
  stopAsked: { type: 'stopAsked' },
  runEnded: { type: 'runEnded', failure: null },
  historyToggled: { type: 'historyToggled' },
  historyArrived: { type: 'historyArrived', runs: PAST },
  historyFailed: { type: 'historyFailed', failure: FAILURE },
  rowsShown: { type: 'rowsShown', wanted: 3, shown: 3 },
  left: { type: 'left' },
};

export type Type = ScheduleEvent['type'];

export function stateAfter(...events: readonly (Type | ScheduleEvent)[]): ScheduleState {
  return events.reduce(
    (state: ScheduleState, event) => step(state, typeof event === 'string' ? EVENTS[event] : event),
    firstState(null),
  );
}

export function listOf({ view }: ScheduleState): ListView {
  if (view.at !== 'list') throw new Error(`The list is not shown, but ${view.at}.`);
  return view;
}
