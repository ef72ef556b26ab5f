// The state of the Schedule page, its events and its reducer.

import type { RpcFailure } from '../../api/failure-view';
import type { JobStatus } from '../../api/jobs';
import type { RunShown, ScheduleOverview, ScheduleShown } from '../../api/schedules';
import type { FocusRequest } from '../ui/hooks';
import { isOver, type Selected } from '../ui/texts';
import {
  FOLD_OF,
  type FormProblems,
  fieldId,
  PROBLEM_FIELDS,
  type ProblemKinds,
  problemsOf,
  type ScheduleForm,
} from './form';

/** The request that was sent and is not yet answered. */
export type Asked =
  | { readonly act: 'add' | 'remove' | 'adopt'; readonly id: string }
  | { readonly act: 'switch'; readonly id: string; readonly isOn: boolean }
  | { readonly act: 'mend' | 'useHere' | 'seen' };

export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | {
      readonly at: 'list';
      readonly look: ScheduleOverview;
      readonly asked: Asked | null;
      /** The schedule whose removal the person has to confirm. */
      readonly removing: string | null;
      readonly failure: RpcFailure | null;
    };
export type ListView = Extract<View, { at: 'list' }>;

export type FoldName = 'rules' | 'more';

/** A schedule that is being made or changed. It is shown in place of the list. */
export interface Edit {
  readonly form: ScheduleForm;
  /** Problems found when the person tried to save. */
  readonly problems: FormProblems;
  readonly open: Readonly<Record<FoldName, boolean>>;
  readonly isSaving: boolean;
}

/** The results of a run by hand so far, added up over its calls. */
interface Totals {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  readonly changes: number;
}

/** A schedule that runs now because a person started it here. */
export interface Running {
  readonly id: string;
  /** The progress of a list; null for formulas, and while it is unknown. */
  readonly status: JobStatus | null;
  readonly totals: Totals;
  /** Whether due products were left because calls or time ran out. */
  readonly isLeft: boolean;
  readonly isStopping: boolean;
  /** Whether Google cannot be reached at present. The page tries again by itself. */
  readonly isLost: boolean;
}

/** The result of a run by hand. */
export interface RunEnd extends Pick<Running, 'totals' | 'isStopping' | 'isLeft'> {
  /** Whether the schedule is on, so that what is left continues by itself. */
  readonly isOn: boolean;
}

export type PastRuns =
  | { readonly at: 'folded' }
  | { readonly at: 'asked' }
  | { readonly at: 'known'; readonly runs: readonly RunShown[] }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Good news to show once. */
export type Notice =
  | { readonly kind: 'added' | 'changed' | 'removed' }
  /** The schedule of which no product is old enough. */
  | { readonly kind: 'up-to-date'; readonly id: string }
  | ({ readonly kind: 'ended' } & RunEnd)
  | ({ readonly kind: 'selected' } & Selected);

export interface ScheduleState {
  readonly view: View;
  readonly edit: Edit | null;
  readonly running: Running | null;
  readonly past: PastRuns;
  readonly notice: Notice | null;
  readonly focus: FocusRequest | null;
}

export type ScheduleEvent =
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly look: ScheduleOverview }
  | { readonly type: 'lookFailed'; readonly failure: RpcFailure }
  | { readonly type: 'editWished'; readonly form: ScheduleForm }
  | { readonly type: 'formChanged'; readonly form: ScheduleForm }
  | { readonly type: 'foldToggled'; readonly fold: FoldName; readonly isOpen: boolean }
  | { readonly type: 'problemsFound'; readonly problems: FormProblems }
  | { readonly type: 'saveAsked' }
  | {
      readonly type: 'saved';
      readonly id: string;
      readonly schedules: readonly ScheduleShown[];
    }
  | { readonly type: 'saveFailed'; readonly failure: RpcFailure }
  | { readonly type: 'removeWished'; readonly id: string }
  | { readonly type: 'actAsked'; readonly asked: Asked }
  | { readonly type: 'actDone'; readonly schedules: readonly ScheduleShown[] }
  | { readonly type: 'actFailed'; readonly failure: RpcFailure }
  /** A call returned a whole overview, or the digest was dismissed. */
  | { readonly type: 'lookChanged'; readonly look: ScheduleOverview }
  | { readonly type: 'digestSeen' }
  | { readonly type: 'runAsked'; readonly id: string }
  | { readonly type: 'statusArrived'; readonly status: JobStatus }
  | { readonly type: 'sliceDone'; readonly run: RunShown }
  | { readonly type: 'linkLost' }
  | { readonly type: 'stopAsked' }
  /** The calls have ended: the run is complete, was stopped or failed. */
  | { readonly type: 'runEnded'; readonly failure: RpcFailure | null }
  | { readonly type: 'historyToggled' }
  | { readonly type: 'historyArrived'; readonly runs: readonly RunShown[] }
  | { readonly type: 'historyFailed'; readonly failure: RpcFailure }
  | { readonly type: 'showFailed'; readonly failure: RpcFailure }
  | { readonly type: 'rowsShown'; readonly shown: number; readonly wanted: number }
  /** The person leaves the form or the question. */
  | { readonly type: 'left' };

const CLOSED = { rules: false, more: false } as const;

const editOf = (form: ScheduleForm): Edit => ({
  form,
  problems: {},
  open: CLOSED,
  isSaving: false,
});

/** @param kept the form that was open when the sidebar was last closed. */
export function firstState(kept: ScheduleForm | null): ScheduleState {
  return {
    view: { at: 'loading' },
    edit: kept === null ? null : editOf(kept),
    running: null,
    past: { at: 'folded' },
    notice: null,
    focus: null,
  };
}

/** The schedules as they will be once the pending request is done: a switch moves at once. */
export function schedulesOf({ look, asked }: ListView): readonly ScheduleShown[] {
  if (asked?.act !== 'switch') return look.schedules;
  const { id, isOn } = asked;
  return look.schedules.map((one) => (one.id === id ? { ...one, isOn } : one));
}

export const isNew = ({ look }: ListView, { form }: Edit): boolean =>
  look.schedules.every(({ id }) => id !== form.id);

type RunEvent = Extract<
  ScheduleEvent,
  { type: `run${string}` | 'statusArrived' | 'sliceDone' | 'linkLost' | 'stopAsked' }
>;

const NOTHING: Totals = { refreshed: 0, failed: 0, calls: 0, changes: 0 };

const plus = (totals: Totals, run: RunShown): Totals => ({
  refreshed: totals.refreshed + run.refreshed,
  failed: totals.failed + run.failed,
  calls: totals.calls + run.calls,
  changes: totals.changes + run.changes,
});

function endOf({ id, totals, isStopping, isLeft }: Running, view: View): Notice {
  const isNothing = totals.refreshed + totals.failed === 0 && !isLeft && !isStopping;
  if (isNothing) return { kind: 'up-to-date', id };
  const isOn = view.at !== 'list' || view.look.schedules.some((one) => one.id === id && one.isOn);
  return { kind: 'ended', totals, isStopping, isLeft, isOn };
}

function afterEnd(state: ScheduleState, failure: RpcFailure | null): ScheduleState {
  const { running, view } = state;
  if (running === null) return state;
  const ended = { ...state, running: null, focus: { to: `schedule-run-${running.id}` } };
  if (failure === null) return { ...ended, notice: endOf(running, view) };
  return view.at === 'list' ? { ...ended, view: { ...view, failure } } : ended;
}

function stepRun(state: ScheduleState, event: RunEvent): ScheduleState {
  const { running, view } = state;
  if (event.type === 'runAsked') {
    if (running !== null || view.at !== 'list') return state;
    const { id } = event;
    return {
      ...state,
      view: { ...view, failure: null },
      running: {
        id,
        status: null,
        totals: NOTHING,
        isLeft: false,
        isStopping: false,
        isLost: false,
      },
      notice: null,
    };
  }
  if (running === null) return state;
  switch (event.type) {
    case 'statusArrived':
      // This is still the previous run, until the first call has begun its own.
      if (isOver(event.status)) return state;
      return { ...state, running: { ...running, status: event.status, isLost: false } };
    case 'sliceDone': {
      const totals = plus(running.totals, event.run);
      const isLeft = event.run.outcome === 'part';
      return { ...state, running: { ...running, totals, isLeft, isLost: false } };
    }
    case 'linkLost':
      return { ...state, running: { ...running, isLost: true } };
    case 'stopAsked':
      return { ...state, running: { ...running, isStopping: true } };
    case 'runEnded':
      return afterEnd(state, event.failure);
  }
}

export const TITLE_ID = 'schedule-title';
export const ADD_ID = 'schedule-add';
export const KEEP_ID = 'schedule-keep';

const TITLE = { to: TITLE_ID } as const;

const listOf = (look: ScheduleOverview): ListView => ({
  at: 'list',
  look,
  asked: null,
  removing: null,
  failure: null,
});

/** An automatic refresh must not undo what the person is doing. */
function afterLook(state: ScheduleState, look: ScheduleOverview): ScheduleState {
  const { view } = state;
  if (view.at !== 'list') return { ...state, view: listOf(look) };
  return view.asked === null ? { ...state, view: { ...view, look } } : state;
}

function withSchedules(view: ListView, schedules: readonly ScheduleShown[]): ListView {
  const look = { ...view.look, schedules };
  return { ...view, look, asked: null, removing: null, failure: null };
}

/** The first field with a problem receives the focus, and its fold is opened. */
function afterProblems(state: ScheduleState, edit: Edit, problems: FormProblems): ScheduleState {
  const first = PROBLEM_FIELDS.find((field) => problems[field] !== undefined);
  if (first === undefined) return state;
  const hasWrong = (fold: FoldName) =>
    PROBLEM_FIELDS.some((field) => problems[field] !== undefined && FOLD_OF[field] === fold);
  const open = {
    rules: edit.open.rules || hasWrong('rules'),
    more: edit.open.more || hasWrong('more'),
  };
  return { ...state, edit: { ...edit, problems, open }, focus: { to: fieldId(first) } };
}

/** Removes problems that were corrected. New problems are not shown before the form is sent. */
function stillWrong({ problems }: Edit, now: ProblemKinds): FormProblems {
  const names = Object.keys(problems) as (keyof FormProblems)[];
  return Object.fromEntries(names.flatMap((name) => (now[name] ? [[name, problems[name]]] : [])));
}

function afterLeaving(state: ScheduleState): ScheduleState {
  const { view, edit } = state;
  if (view.at !== 'list') return state;
  if (edit !== null) {
    if (edit.isSaving) return state;
    const { id } = edit.form;
    const isThere = view.look.schedules.some((one) => one.id === id);
    const focus = { to: isThere ? `schedule-edit-${id}` : ADD_ID };
    return { ...state, edit: null, view: { ...view, failure: null }, focus };
  }
  if (view.removing === null || view.asked !== null) return state;
  const focus = { to: `schedule-remove-${view.removing}` };
  return { ...state, view: { ...view, removing: null }, focus };
}

type EditEvent = Extract<
  ScheduleEvent,
  { type: 'formChanged' | 'foldToggled' | 'problemsFound' | `save${string}` }
>;

function stepEdit(state: ScheduleState, view: ListView, event: EditEvent): ScheduleState {
  if (event.type === 'saved')
    return {
      ...state,
      view: withSchedules(view, event.schedules),
      edit: state.edit?.form.id === event.id ? null : state.edit,
      notice: {
        kind: view.look.schedules.some(({ id }) => id === event.id) ? 'changed' : 'added',
      },
      focus: TITLE,
    };
  const { edit } = state;
  if (edit === null) return state;
  switch (event.type) {
    case 'formChanged': {
      const { form } = event;
      const problems = stillWrong(edit, problemsOf(form));
      return { ...state, edit: { ...edit, form, problems }, notice: null };
    }
    case 'foldToggled':
      return { ...state, edit: { ...edit, open: { ...edit.open, [event.fold]: event.isOpen } } };
    case 'problemsFound':
      return afterProblems(state, edit, event.problems);
    case 'saveAsked':
      return {
        ...state,
        edit: { ...edit, isSaving: true, problems: {}, open: edit.open },
        view: { ...view, failure: null },
        notice: null,
      };
    case 'saveFailed':
      return {
        ...state,
        edit: { ...edit, isSaving: false },
        view: { ...view, failure: event.failure },
      };
  }
}

type ActEvent = Extract<
  ScheduleEvent,
  {
    type:
      | `act${string}`
      | 'showFailed'
      | 'lookChanged'
      | 'digestSeen'
      | 'removeWished'
      | 'editWished';
  }
>;

function stepAct(state: ScheduleState, view: ListView, event: ActEvent): ScheduleState {
  switch (event.type) {
    case 'editWished':
      return {
        ...state,
        edit: { ...editOf(event.form), open: CLOSED },
        view: { ...view, failure: null, removing: null },
        notice: null,
        focus: TITLE,
      };
    case 'removeWished':
      return { ...state, view: { ...view, removing: event.id }, focus: { to: KEEP_ID } };
    case 'actAsked':
      return {
        ...state,
        view: { ...view, asked: event.asked, failure: null },
        notice: null,
      };
    case 'actDone': {
      const isRemoved = view.asked?.act === 'remove';
      const done = { ...state, view: withSchedules(view, event.schedules) };
      return isRemoved ? { ...done, notice: { kind: 'removed' }, focus: TITLE } : done;
    }
    case 'actFailed':
      return {
        ...state,
        view: { ...view, asked: null, removing: null, failure: event.failure },
      };
    case 'showFailed':
      return { ...state, view: { ...view, failure: event.failure }, notice: null };
    case 'lookChanged':
      return { ...state, view: listOf(event.look), focus: TITLE };
    case 'digestSeen': {
      const look = { ...view.look, digest: null };
      return { ...state, view: { ...view, look, asked: null }, focus: TITLE };
    }
  }
}

type PastEvent = Extract<ScheduleEvent, { type: `history${string}` }>;

function stepPast(state: ScheduleState, event: PastEvent): ScheduleState {
  const { past } = state;
  switch (event.type) {
    case 'historyToggled':
      return { ...state, past: { at: past.at === 'folded' ? 'asked' : 'folded' } };
    case 'historyArrived':
      return past.at === 'folded' ? state : { ...state, past: { at: 'known', runs: event.runs } };
    case 'historyFailed':
      return past.at === 'asked'
        ? { ...state, past: { at: 'failed', failure: event.failure } }
        : state;
  }
}

const RUN_EVENTS: readonly ScheduleEvent['type'][] = [
  'runAsked',
  'statusArrived',
  'sliceDone',
  'linkLost',
  'stopAsked',
  'runEnded',
] satisfies readonly RunEvent['type'][];

const isRunEvent = (event: ScheduleEvent): event is RunEvent => RUN_EVENTS.includes(event.type);

const isPastEvent = (event: ScheduleEvent): event is PastEvent => /^history/.test(event.type);

export function step(state: ScheduleState, event: ScheduleEvent): ScheduleState {
  if (isRunEvent(event)) return stepRun(state, event);
  if (isPastEvent(event)) return stepPast(state, event);
  const { view } = state;
  switch (event.type) {
    case 'lookAsked':
      return view.at === 'list' ? state : { ...state, view: { at: 'loading' } };
    case 'lookArrived':
      return afterLook(state, event.look);
    case 'lookFailed':
      if (view.at !== 'loading') return state;
      return { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'left':
      return afterLeaving(state);
    case 'rowsShown':
      return { ...state, notice: { kind: 'selected', wanted: event.wanted, shown: event.shown } };
    case 'formChanged':
    case 'foldToggled':
    case 'problemsFound':
    case 'saveAsked':
    case 'saved':
    case 'saveFailed':
      return view.at === 'list' ? stepEdit(state, view, event) : state;
    default:
      return view.at === 'list' ? stepAct(state, view, event) : state;
  }
}
