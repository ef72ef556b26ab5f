// The state of the Connection page and the steps that change it.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import type { CheckReport } from '../../api/check';
import type { ConnectionStatus, FormulaFollow, FormulaRefresh } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import type { Value } from '../../api/methods';
import type { FocusRequest } from '../ui/hooks';
import {
  type Beside,
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
  type FieldName,
  formOf,
  PROBLEM_FIELDS,
  type ProblemField,
  type Problems,
  withoutDialect,
} from './form';

export type Refreshing =
  | { readonly at: 'none' }
  | {
      readonly at: 'working';
      /** What is counted: products to be asked for, or formulas that get the refresh argument. */
      readonly of: 'products' | 'formulas';
      /** null until the first call has ended. */
      readonly left: number | null;
      readonly isStopping: boolean;
    }
  | { readonly at: 'done'; readonly report: FormulaRefresh }
  | { readonly at: 'added'; readonly report: FormulaFollow }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/**
 * A check continues whatever the person does meanwhile; `run` distinguishes its answer from an
 * older one.
 */
export type Check =
  | { readonly at: 'none' }
  | { readonly at: 'running'; readonly run: number }
  | { readonly at: 'done'; readonly report: CheckReport }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Products that wait for the key's limit, and the state of asking for them. */
export type Waiting =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly left: number }
  | { readonly at: 'done'; readonly isShown: boolean }
  | { readonly at: 'stopped'; readonly failure: RpcFailure };

/** The request to the server that is under way apart from a check; there is only one at a time. */
export type Pending =
  | ('load' | 'save' | 'remove')
  | ('share' | 'useHere' | 'samples' | 'demo' | 'decide' | 'relearn');

/** Good news to show once. */
export type Notice =
  | ('removed' | 'limit-detected' | 'samples-off')
  | ('setting-saved' | 'allowed-here' | 'shared' | 'unshared')
  | Value<'samples.insert'>;

/** What can be changed separately: a part of the connection, or one of its settings. */
export type Change = keyof ConnectionDraft | keyof ConnectionSettings;

/** Elements that can receive the focus, by id. */
type FocusTarget = ProblemField | 'connection-title' | 'keep' | 'remove' | `change-${Change}`;

export interface ConnectionState {
  /** null until the server has answered. */
  readonly status: ConnectionStatus | null;
  readonly pending: Pending | null;
  /**
   * What the person is doing: filling in the form, confirming the removal of the key, or neither.
   */
  readonly mode: 'resting' | 'entering' | 'removing';
  /** Why the latest request failed. */
  readonly failure: RpcFailure | null;
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly beside: Beside;
  /** The part of the connection that was opened for a change; the focus returns there. */
  readonly changing: Change;
  /**
   * Whether the person has typed something that is not saved, which is kept for when the sidebar is
   * opened again.
   */
  readonly isUnsaved: boolean;
  /** Whether the folded part of the form is open. */
  readonly areSettingsOpen: boolean;
  readonly check: Check;
  readonly waiting: Waiting;
  readonly refreshing: Refreshing;
  readonly notice: Notice | null;
  readonly focus: (FocusRequest & { readonly to: FocusTarget }) | null;
}

/** A change of the state. */
export type Step = (now: ConnectionState) => ConnectionState;

/** What the person had typed when the sidebar was last closed. */
export interface Kept {
  readonly form: ConnectionForm | null;
  readonly beside: Beside;
}

export const NOTHING_KEPT: Kept = { form: null, beside: { product: '' } };

const NONE = { at: 'none' } as const;
const TITLE = 'connection-title';

export const firstState = ({ form, beside }: Kept): ConnectionState => ({
  status: null,
  pending: 'load',
  mode: 'resting',
  failure: null,
  form: form ?? EMPTY_FORM,
  problems: {},
  beside,
  changing: 'apiKey',
  isUnsaved: form !== null,
  areSettingsOpen: false,
  check: NONE,
  waiting: NONE,
  refreshing: NONE,
  notice: null,
  focus: null,
});

/** Whether the person can leave the form for another view. */
export const canLeave = (status: ConnectionStatus): boolean => status.connected || status.demo;

/** Without a key there is only the form, unless formulas answer for samples. */
const modeOf = (status: ConnectionStatus): ConnectionState['mode'] =>
  canLeave(status) ? 'resting' : 'entering';

/** The view that is shown. */
export type View =
  | { readonly at: 'loading' | 'unreached' }
  | { readonly at: 'entering' | 'sampling'; readonly status: ConnectionStatus }
  | { readonly at: 'connected'; readonly status: Connected };

export function viewOf({ status, pending, mode }: ConnectionState): View {
  if (status === null) return { at: pending === 'load' ? 'loading' : 'unreached' };
  if (mode === 'entering') return { at: mode, status };
  return status.connected ? { at: 'connected', status } : { at: 'sampling', status };
}

/** Whether a save or a removal is under way, which nothing may interrupt. */
const isHeld = ({ status, pending, mode }: ConnectionState): boolean =>
  status === null || pending === 'save' || mode === 'removing';

/**
 * The state of a refresh, without its result: that is no longer of interest once the person does
 * something else.
 */
const withoutRefresh = ({ refreshing }: ConnectionState): Refreshing =>
  refreshing.at === 'working' ? refreshing : NONE;

/** A request was sent; messages about the previous one disappear. */
export const asked =
  (pending: Pending): Step =>
  (now) =>
    isHeld(now) ? now : { ...now, pending, failure: null, notice: null, focus: null };

/** Applies an answer only while it is awaited. */
const answered =
  (pending: Pending, next: Step): Step =>
  (now) =>
    now.pending === pending ? next({ ...now, pending: null }) : now;

export const failed = (pending: Pending, failure: RpcFailure): Step =>
  answered(pending, (now) => {
    if (pending === 'remove') return { ...now, mode: 'resting', failure, focus: { to: 'remove' } };
    const { field, message, action } = failure;
    if (pending !== 'save' || field === undefined) return { ...now, failure };
    return withProblems({ [field]: [message, action].filter(Boolean).join(' ') })(now);
  });

/** The request succeeded and the connection is unchanged. */
export const done = (pending: Pending, notice: Notice): Step =>
  answered(pending, (now) => ({ ...now, notice }));

/** The request succeeded and changed the connection. */
export const changed = (pending: Pending, status: ConnectionStatus, notice: Notice | null): Step =>
  answered(pending, (now) => {
    const next = {
      ...now,
      status,
      notice,
      mode: modeOf(status),
      problems: {},
    };
    // The button that was pressed has disappeared together with what it ended.
    const isGone = pending === 'relearn' || pending === 'useHere';
    const stays = viewOf(next).at === viewOf(now).at && !isGone;
    return { ...next, focus: stays ? null : { to: TITLE } };
  });

/** Everything that applied only to the previous connection is reset. */
const ANEW = { isUnsaved: false, problems: {}, check: NONE, waiting: NONE } as const;

export const saved = (status: ConnectionStatus): Step =>
  answered('save', (now) => ({
    ...now,
    ...ANEW,
    status,
    mode: modeOf(status),
    areSettingsOpen: false,
    focus: { to: TITLE },
  }));

/**
 * The form keeps the former values, so that only the key is needed to reconnect. How answers are
 * read is decided again.
 */
export const removed = (status: ConnectionStatus): Step =>
  answered('remove', (now) => ({
    ...now,
    ...ANEW,
    status,
    mode: modeOf(status),
    notice: 'removed',
    focus: { to: TITLE },
    form: now.status === null ? now.form : withoutDialect(formOf(now.status, now.form)),
  }));

/** Whether a field is in the part of the form that is folded. */
const isInSettings = (field: Change): boolean =>
  PROBLEM_FIELDS.indexOf(field) >= PROBLEM_FIELDS.indexOf('sharing');

/** Shows problems. The first one receives the focus, and its part of the form is unfolded. */
function withProblems(problems: Problems): Step {
  const wrong = PROBLEM_FIELDS.filter((field) => problems[field] !== undefined);
  return (now) => ({
    ...now,
    problems,
    areSettingsOpen: now.areSettingsOpen || wrong.some(isInSettings),
    focus: wrong[0] === undefined ? null : { to: wrong[0] },
  });
}

/** Submits the form. Without problems, the draft is on its way to the server. */
export const submitted =
  (problems: Problems): Step =>
  (now) => {
    if (now.mode !== 'entering' || isHeld(now)) return now;
    const next = { ...now, notice: null, failure: null, refreshing: withoutRefresh(now) };
    return Object.keys(problems).length === 0
      ? { ...next, pending: 'save', problems, focus: null }
      : withProblems(problems)(next);
  };

const FIELDS_OF_INPUT: Readonly<Partial<Record<keyof ConnectionForm, readonly ProblemField[]>>> = {
  baseUrl: ['baseUrl'],
  calls: ['quota'],
  perSeconds: ['quota'],
  findOut: ['quota'],
  sharing: ['sharing'],
};

/** Removes the problems of fields that the person is editing. */
function withoutProblems(now: ConnectionState, mended: readonly ProblemField[]): ConnectionState {
  const left = PROBLEM_FIELDS.filter((field) => !mended.includes(field));
  const problems = left.flatMap((field) => {
    const problem = now.problems[field];
    return problem === undefined ? [] : [[field, problem]];
  });
  return { ...now, problems: Object.fromEntries(problems) };
}

export const edited =
  (change: Partial<ConnectionForm>): Step =>
  (now) => {
    const names = Object.keys(change) as (keyof ConnectionForm)[];
    const fields = names.flatMap(
      (name) => FIELDS_OF_INPUT[name] ?? (['settings', name as FieldName] as const),
    );
    const form = { ...now.form, ...change };
    return { ...withoutProblems(now, fields), form, isUnsaved: true, notice: null };
  };

/** The key itself is not passed on. */
export const keyTyped: Step = (now) => withoutProblems(now, ['apiKey']);

export const besideEdited =
  (change: Partial<Beside>): Step =>
  (now) => ({ ...now, beside: { ...now.beside, ...change }, notice: null });

export const settingsToggled =
  (areSettingsOpen: boolean): Step =>
  (now) => ({ ...now, areSettingsOpen });

export const changeOpened =
  (change: Change): Step =>
  (now) => {
    const { status, mode, form } = now;
    if (status === null || mode !== 'resting') return now;
    return {
      ...now,
      mode: 'entering',
      problems: {},
      changing: change,
      isUnsaved: false,
      notice: null,
      failure: null,
      focus: { to: change },
      form: formOf(status, status.connected ? EMPTY_FORM : form),
      areSettingsOpen: isInSettings(change),
    };
  };

export const removalAsked: Step = (now) =>
  viewOf(now).at === 'connected' && now.mode === 'resting'
    ? { ...now, mode: 'removing', notice: null, failure: null, focus: { to: 'keep' } }
    : now;

export const removalConfirmed: Step = (now) =>
  now.mode === 'removing' ? { ...now, pending: 'remove' } : now;

/** The person leaves the form or the question. */
export const left: Step = (now) => {
  const { status, pending, mode, changing } = now;
  if (status === null || mode === 'resting' || pending === 'save' || pending === 'remove')
    return now;
  if (mode === 'removing') return { ...now, mode: 'resting', focus: { to: 'remove' } };
  if (!canLeave(status)) return now;
  return {
    ...now,
    mode: 'resting',
    problems: {},
    failure: null,
    isUnsaved: false,
    focus: { to: `change-${changing}` },
  };
};

export const loading: Step = (now) =>
  now.status === null ? { ...now, pending: 'load', failure: null } : now;

export const statusArrived =
  (status: ConnectionStatus): Step =>
  (now) => {
    if (now.status === null) {
      // The sidebar was closed during a change, which now continues.
      const mode = now.isUnsaved ? 'entering' : modeOf(status);
      // On the first run the person is about to paste, so the cursor is in the right field.
      const to = now.form.baseUrl === '' ? 'baseUrl' : 'apiKey';
      const focus = mode === 'entering' && !status.connected ? ({ to } as const) : null;
      return { ...now, status, pending: null, failure: null, mode, focus };
    }
    // Read again after a check, which may have stopped the connection.
    const canTake = now.status.connected && now.mode === 'resting' && status.connected;
    if (!canTake) return now;
    // An earlier success is not shown beside a key that has been refused since.
    const isOver = status.stopped !== undefined && now.check.at === 'done';
    return { ...now, status, check: isOver ? NONE : now.check };
  };

export const checkStarted =
  (run: number): Step =>
  (now) =>
    viewOf(now).at === 'connected' && now.mode === 'resting'
      ? {
          ...now,
          check: { at: 'running', run },
          notice: null,
          refreshing: withoutRefresh(now),
        }
      : now;

export const checkEnded =
  (run: number, check: Check): Step =>
  (now) =>
    now.check.at === 'running' && now.check.run === run
      ? { ...now, check, status: decidedBy(check, now.status) }
      : now;

/** What the check decided is in force at once. */
const decidedBy = (check: Check, status: ConnectionStatus | null): ConnectionStatus | null =>
  check.at === 'done' && status?.connected
    ? { ...status, settings: check.report.settings }
    : status;

/**
 * Counts waiting products. With `none`, the end of the work is not announced, because it concerned
 * another connection.
 */
export const waitingCounted =
  (count: number, isShown: boolean): Step =>
  (now) => {
    if (count > 0) return { ...now, waiting: { at: 'working', left: count } };
    return now.waiting.at === 'working' ? { ...now, waiting: { at: 'done', isShown } } : now;
  };

export const waitingFailed =
  (failure: RpcFailure): Step =>
  (now) =>
    now.waiting.at === 'working' ? { ...now, waiting: { at: 'stopped', failure } } : now;

export const refreshed =
  (refreshing: Refreshing): Step =>
  (now) => ({ ...now, refreshing });
