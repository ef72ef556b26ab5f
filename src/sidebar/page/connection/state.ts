// The Connection page: its state, and what each thing that happens makes of it.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import type { CheckReport } from '../../api/check';
import type { ConnectionStatus, FormulaRefresh } from '../../api/connection';
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
  formOfDraft,
  PROBLEM_FIELDS,
  type ProblemField,
  type Problems,
} from './form';

export type Refreshing =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly report: FormulaRefresh | null; readonly isStopping: boolean }
  | { readonly at: 'done'; readonly report: FormulaRefresh }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** A check goes on whatever the person does meanwhile; `run` tells its answer from an older one. */
export type Check =
  | { readonly at: 'none' }
  | { readonly at: 'running'; readonly run: number }
  | { readonly at: 'done'; readonly report: CheckReport }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Products that wait for the key's limit, and what became of asking for them. */
export type Waiting =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly left: number }
  | { readonly at: 'done' }
  | { readonly at: 'stopped'; readonly failure: RpcFailure };

/** What is asked of the server beside the check; one thing at a time. */
export type Pending =
  | ('load' | 'save' | 'remove')
  | ('share' | 'useHere' | 'samples' | 'demo' | 'export' | 'import' | 'follow' | 'relearn');

/** Good news, said once: of what. */
export type Notice =
  | ('removed' | 'key-missing' | 'limit-detected' | 'samples-off')
  | ('settings-used' | 'setting-saved' | 'allowed-here' | 'shared' | 'unshared')
  | Value<'samples.insert'>;

/** What can be changed by itself: a part of the connection, or one of its settings. */
export type Change = keyof ConnectionDraft | keyof ConnectionSettings;

/** Things that can take the focus; each is the id of one element. */
type FocusTarget =
  | ProblemField
  | 'connection-title'
  | 'keep'
  | 'remove'
  | 'settings-text'
  | `change-${Change}`;

export interface ConnectionState {
  /** null until the server has answered. */
  readonly status: ConnectionStatus | null;
  readonly pending: Pending | null;
  /** What the person is about: the form, the question before the key is removed, or neither. */
  readonly mode: 'resting' | 'entering' | 'removing';
  /** Why the last thing that was asked came to nothing. */
  readonly failure: RpcFailure | null;
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly beside: Beside;
  /** The part of the connection whose change was opened: the focus goes back there. */
  readonly changing: Change;
  /** Something was typed and neither saved nor left: kept for when the sidebar is opened again. */
  readonly isUnsaved: boolean;
  /** The part of the form that is folded away is unfolded. */
  readonly areSettingsOpen: boolean;
  readonly check: Check;
  /** The settings as text to keep, once asked for. */
  readonly exported: string | null;
  readonly waiting: Waiting;
  readonly refreshing: Refreshing;
  readonly notice: Notice | null;
  readonly focus: (FocusRequest & { readonly to: FocusTarget }) | null;
}

/** What something that happens makes of the state. */
export type Step = (now: ConnectionState) => ConnectionState;

/** What was typed when the sidebar was closed last, if anything. */
export interface Kept {
  readonly form: ConnectionForm | null;
  readonly beside: Beside;
}

export const NOTHING_KEPT: Kept = { form: null, beside: { product: '', importText: '' } };

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
  exported: null,
  waiting: NONE,
  refreshing: NONE,
  notice: null,
  focus: null,
});

/** Something stands behind the form that one can go back to. */
export const canLeave = (status: ConnectionStatus): boolean => status.connected || status.demo;

/** Without a key there is nothing but the form, unless formulas answer for samples. */
const modeOf = (status: ConnectionStatus): ConnectionState['mode'] =>
  canLeave(status) ? 'resting' : 'entering';

/** Which page is shown. */
export type View =
  | { readonly at: 'loading' | 'unreached' }
  | { readonly at: 'entering' | 'sampling'; readonly status: ConnectionStatus }
  | { readonly at: 'connected'; readonly status: Connected };

export function viewOf({ status, pending, mode }: ConnectionState): View {
  if (status === null) return { at: pending === 'load' ? 'loading' : 'unreached' };
  if (mode === 'entering') return { at: mode, status };
  return status.connected ? { at: 'connected', status } : { at: 'sampling', status };
}

/** A save or a removal, which nothing else may cut short. */
const isHeld = ({ status, pending, mode }: ConnectionState): boolean =>
  status === null || pending === 'save' || mode === 'removing';

/** What came of a refresh is no news beside what is done next. */
const withoutRefresh = ({ refreshing }: ConnectionState): Refreshing =>
  refreshing.at === 'working' ? refreshing : NONE;

/** The server is asked: what was said of the thing before is over. */
export const asked =
  (pending: Pending): Step =>
  (now) =>
    isHeld(now) ? now : { ...now, pending, failure: null, notice: null, focus: null };

/** An answer counts while it is waited for. */
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

/** Done, and the connection is as it was. */
export const done = (pending: Pending, notice: Notice): Step =>
  answered(pending, (now) => ({ ...now, notice }));

/** Done, and the connection is now this. */
export const changed = (pending: Pending, status: ConnectionStatus, notice: Notice | null): Step =>
  answered(pending, (now) => {
    const next = {
      ...now,
      ...{ status, notice, mode: modeOf(status), problems: {} },
      beside: { ...now.beside, importText: '' },
    };
    // The button that was pressed is gone with what it ended.
    const isGone = pending === 'relearn' || pending === 'useHere';
    const stays = viewOf(next).at === viewOf(now).at && !isGone;
    return { ...next, focus: stays ? null : { to: TITLE } };
  });

export const exported = (text: string): Step =>
  answered('export', (now) => ({ ...now, exported: text, focus: { to: 'settings-text' } }));

/** A text was for an address whose key is not here: the form wants it. */
export const keyMissing = (draft: ConnectionDraft, status: ConnectionStatus): Step =>
  answered('import', (now) => ({
    ...now,
    ...{ status, mode: 'entering', problems: {}, form: formOfDraft(draft), isUnsaved: true },
    notice: 'key-missing',
    beside: { ...now.beside, importText: '' },
    focus: { to: 'apiKey' },
  }));

/** Of another connection, nothing of the one before holds. */
const ANEW = { isUnsaved: false, problems: {}, check: NONE, waiting: NONE } as const;

export const saved = (status: ConnectionStatus): Step =>
  answered('save', (now) => ({
    ...now,
    ...ANEW,
    ...{ status, mode: modeOf(status), areSettingsOpen: false, focus: { to: TITLE } },
  }));

/** The form keeps what was known, so that only the key is needed to come back. */
export const removed = (status: ConnectionStatus): Step =>
  answered('remove', (now) => ({
    ...now,
    ...ANEW,
    ...{ status, mode: modeOf(status), notice: 'removed', focus: { to: TITLE } },
    form: now.status === null ? now.form : formOf(now.status, now.form),
  }));

/** In the part of the form that is folded away. */
const isInSettings = (field: Change): boolean =>
  PROBLEM_FIELDS.indexOf(field) >= PROBLEM_FIELDS.indexOf('sharing');

/** Shows what is wrong: the focus goes to the first of it, which must not be folded away. */
function withProblems(problems: Problems): Step {
  const wrong = PROBLEM_FIELDS.filter((field) => problems[field] !== undefined);
  return (now) => ({
    ...now,
    problems,
    areSettingsOpen: now.areSettingsOpen || wrong.some(isInSettings),
    focus: wrong[0] === undefined ? null : { to: wrong[0] },
  });
}

/** Without problems the draft is on its way to the server. */
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

/** What is being mended is no longer called wrong. */
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

/** The key itself is told to nobody. */
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
      ...{ mode: 'entering', problems: {}, changing: change, isUnsaved: false },
      ...{ notice: null, failure: null, focus: { to: change } },
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

/** Back from the form, or from the question. */
export const left: Step = (now) => {
  const { status, pending, mode, changing } = now;
  if (status === null || mode === 'resting' || pending === 'save' || pending === 'remove')
    return now;
  if (mode === 'removing') return { ...now, mode: 'resting', focus: { to: 'remove' } };
  if (!canLeave(status)) return now;
  return {
    ...now,
    ...{ mode: 'resting', problems: {}, failure: null, isUnsaved: false },
    focus: { to: `change-${changing}` },
  };
};

export const loading: Step = (now) =>
  now.status === null ? { ...now, pending: 'load', failure: null } : now;

export const statusArrived =
  (status: ConnectionStatus): Step =>
  (now) => {
    if (now.status === null) {
      // Closed in the middle of a change: go on with it.
      const mode = now.isUnsaved ? 'entering' : modeOf(status);
      // On the first run the form waits for a paste, so the cursor stands where it belongs.
      const to = now.form.baseUrl === '' ? 'baseUrl' : 'apiKey';
      const focus = mode === 'entering' && !status.connected ? ({ to } as const) : null;
      return { ...now, status, pending: null, failure: null, mode, focus };
    }
    // Asked again after a check: the connection may have been stopped by what the check met.
    const canTake = now.status.connected && now.mode === 'resting' && status.connected;
    if (!canTake) return now;
    // What worked earlier does not stand beside a key that is refused since.
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
    now.check.at === 'running' && now.check.run === run ? { ...now, check } : now;

/** Of another connection's products nothing is said: with `none`, an end is no news. */
export const waitingCounted =
  (count: number): Step =>
  (now) => {
    if (count > 0) return { ...now, waiting: { at: 'working', left: count } };
    return now.waiting.at === 'working' ? { ...now, waiting: { at: 'done' } } : now;
  };

export const waitingFailed =
  (failure: RpcFailure): Step =>
  (now) =>
    now.waiting.at === 'working' ? { ...now, waiting: { at: 'stopped', failure } } : now;

export const refreshed =
  (refreshing: Refreshing): Step =>
  (now) => ({ ...now, refreshing });
