// What typing, sending and leaving the form change, and what is said to be wrong with it.
import type { ConnectionStatus, RpcFailure } from '../../rpc-contract';
import { type ConnectionForm, EMPTY_FORM, formOf, type ProblemField, type Problems } from './form';
import type { EMPTY_SETTINGS } from './settings';
import type { Change, ConnectionEvent, ConnectionState } from './state';
import { canLeave, entering, viewOf } from './views';

/** From top to bottom, as the form shows them. */
const FIELD_ORDER = [
  'baseUrl',
  'apiKey',
  'quota',
  'sharing',
  'settings',
  'cellsPerDay',
  'defaultMarket',
  'ukMarket',
  'roiUnit',
  'moneyUnit',
  'buyPriceName',
  'sellPriceName',
  'eligibleName',
  'feesName',
] as const satisfies readonly ProblemField[];
const SETTINGS_FROM = FIELD_ORDER.indexOf('sharing');

/** In the part of the form that is folded away. */
function isInSettings(field: Change): boolean {
  return FIELD_ORDER.indexOf(field) >= SETTINGS_FROM;
}

/** Shows what is wrong: the focus goes to the first of it, which must not be folded away. */
function withProblems(
  state: ConnectionState,
  was: ConnectionStatus,
  problems: Problems,
): ConnectionState {
  const wrong = FIELD_ORDER.filter((field) => problems[field] !== undefined);
  return {
    ...state,
    view: entering(was, problems),
    areSettingsOpen: state.areSettingsOpen || wrong.some(isInSettings),
    focus: wrong[0] === undefined ? null : { to: wrong[0] },
  };
}

export function afterSubmit(state: ConnectionState, problems: Problems): ConnectionState {
  if (state.view.at !== 'entering') return state;
  const { was } = state.view;
  return Object.keys(problems).length === 0
    ? { ...state, view: { at: 'saving', was }, notice: null, focus: null }
    : { ...withProblems(state, was, problems), notice: null };
}

export function afterSaveFailed(state: ConnectionState, failure: RpcFailure): ConnectionState {
  if (state.view.at !== 'saving') return state;
  const { was } = state.view;
  const { field } = failure;
  if (field === undefined) {
    return { ...state, view: { at: 'entering', was, problems: {}, failure } };
  }
  const words = [failure.message, failure.action].filter(Boolean).join(' ');
  return withProblems(state, was, { [field]: words });
}

const FIELDS_OF_INPUT: Readonly<Partial<Record<keyof ConnectionForm, readonly ProblemField[]>>> = {
  baseUrl: ['baseUrl'],
  calls: ['quota'],
  perSeconds: ['quota'],
  findOut: ['quota'],
  sharing: ['sharing'],
  cellsPerDay: ['settings', 'cellsPerDay'],
};

function fieldsOf(name: string): readonly ProblemField[] {
  const fields = FIELDS_OF_INPUT[name as keyof ConnectionForm];
  return fields ?? ['settings', name as keyof typeof EMPTY_SETTINGS];
}

/** What is being mended is no longer called wrong. */
export function withoutProblems(
  state: ConnectionState,
  fields: readonly ProblemField[],
): ConnectionState {
  if (state.view.at !== 'entering') return state;
  const left = Object.entries(state.view.problems).filter(
    ([field]) => !fields.some((mended) => mended === field),
  );
  return { ...state, view: { ...state.view, problems: Object.fromEntries(left) } };
}

export function afterEdit(
  state: ConnectionState,
  change: Partial<ConnectionForm>,
): ConnectionState {
  const fields = Object.keys(change).flatMap(fieldsOf);
  const form = { ...state.form, ...change };
  return { ...withoutProblems(state, fields), form, isUnsaved: true, notice: null };
}

export function afterChange(
  state: ConnectionState,
  event: ConnectionEvent & { type: `change${string}` },
): ConnectionState {
  const { view } = state;
  if (event.type === 'changeOpened') {
    if (view.at !== 'connected' && view.at !== 'sampling') return state;
    const was = view.at === 'connected' ? view.status : view.was;
    return {
      ...state,
      view: entering(was),
      form: formOf(was, was.connected ? EMPTY_FORM : state.form),
      changing: event.change,
      areSettingsOpen: isInSettings(event.change),
      isUnsaved: false,
      notice: null,
      focus: { to: event.change },
    };
  }
  if (view.at !== 'entering' || !canLeave(view.was)) return state;
  return {
    ...state,
    view: viewOf(view.was),
    isUnsaved: false,
    focus: { to: `change-${state.changing}` },
  };
}
