// The pure step from one state of the Schedule page to the next; what does not fit changes nothing.
import type { ScheduleLook, ScheduleShown } from '../../schedule-contract';
import { countText } from '../analyze/words';
import { FOLD_OF, type FormProblems, fieldId, PROBLEM_FIELDS, problemsOf } from './form';
import {
  CLOSED,
  type Edit,
  editOf,
  type FoldName,
  type ListView,
  type ScheduleEvent,
  type ScheduleState,
} from './state';
import { type RunEvent, stepRun } from './step-run';

export const TITLE_ID = 'schedule-title';
export const ADD_ID = 'schedule-add';
export const KEEP_ID = 'schedule-keep';

const ADDED = 'Added. It is on.';
const CHANGED = 'The schedule is changed.';

const TITLE = { to: TITLE_ID } as const;

const listOf = (look: ScheduleLook): ListView => ({
  at: 'list',
  look,
  asked: null,
  removing: null,
  failure: null,
});

/** A look that comes by itself must not undo what the person is about to do. */
function afterLook(state: ScheduleState, look: ScheduleLook): ScheduleState {
  const { view } = state;
  if (view.at !== 'list') return { ...state, view: listOf(look) };
  return view.asked === null ? { ...state, view: { ...view, look } } : state;
}

function withSchedules(view: ListView, schedules: readonly ScheduleShown[]): ListView {
  const look = { ...view.look, schedules };
  return { ...view, look, asked: null, removing: null, failure: null };
}

/** The first thing that is wrong gets the focus, in a fold that is opened for it. */
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

/** What is mended is no longer told to be wrong; what is not yet typed is not told before it is sent. */
function stillWrong({ problems }: Edit, now: FormProblems): FormProblems {
  const names = Object.keys(problems) as (keyof FormProblems)[];
  return Object.fromEntries(names.flatMap((name) => (now[name] ? [[name, now[name]]] : [])));
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
      notice: view.look.schedules.some(({ id }) => id === event.id) ? CHANGED : ADDED,
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
      return isRemoved ? { ...done, notice: 'The schedule is removed.', focus: TITLE } : done;
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

function shownText(wanted: number, shown: number): string {
  if (shown === 0) return 'These rows are no longer in the sheet.';
  return shown < wanted
    ? `${countText(shown, 'row')} of ${wanted.toLocaleString()} selected in the sheet.`
    : `${countText(shown, 'row')} selected in the sheet.`;
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
      return { ...state, notice: shownText(event.wanted, event.shown) };
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
