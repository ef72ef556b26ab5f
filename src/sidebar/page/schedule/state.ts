// Everything the Schedule page can be in, as one value, and everything that can happen to it.
import type { BulkStatus } from '../../bulk-contract';
import type { RpcFailure } from '../../rpc-contract';
import type { ScheduleLook, ScheduleRun, ScheduleShown } from '../../schedule-contract';
import type { FocusWish } from '../frame/focus';
import type { FormProblems, ScheduleForm } from './form';

/** What was asked of the server and is not answered yet. */
export type Asked =
  | { readonly act: 'add' | 'remove' | 'adopt'; readonly id: string }
  | { readonly act: 'switch'; readonly id: string; readonly isOn: boolean }
  | { readonly act: 'mend' | 'useHere' | 'seen' };

export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | {
      readonly at: 'list';
      readonly look: ScheduleLook;
      readonly asked: Asked | null;
      /** The schedule whose removal is to be confirmed. */
      readonly removing: string | null;
      readonly failure: RpcFailure | null;
    };
export type ListView = Extract<View, { at: 'list' }>;

export type FoldName = 'rules' | 'more';

/** A schedule that is being made or changed. It stands in the place of the list. */
export interface Edit {
  readonly form: ScheduleForm;
  /** What was wrong when it was to be saved. */
  readonly problems: FormProblems;
  readonly open: Readonly<Record<FoldName, boolean>>;
  readonly isSaving: boolean;
}

/** What a run by hand came to so far, call after call. */
export interface Totals {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  readonly changes: number;
}

/** A schedule that runs now, because somebody pressed for it here. */
export interface Running {
  readonly id: string;
  /** How far the list is; null for formulas, and before it is known. */
  readonly status: BulkStatus | null;
  readonly totals: Totals;
  /** Something that is due was left, for want of calls or time. */
  readonly isLeft: boolean;
  readonly isStopping: boolean;
  /** Google cannot be reached at present; it is tried again by itself. */
  readonly isLost: boolean;
}

export type PastRuns =
  | { readonly at: 'folded' }
  | { readonly at: 'asked' }
  | { readonly at: 'known'; readonly runs: readonly ScheduleRun[] }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

export interface ScheduleState {
  readonly view: View;
  readonly edit: Edit | null;
  readonly running: Running | null;
  readonly past: PastRuns;
  /** Good news, said once. */
  readonly notice: string | null;
  readonly focus: FocusWish | null;
}

export type ScheduleEvent =
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly look: ScheduleLook }
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
  /** A call that answers with a whole look came back, or the digest was put away. */
  | { readonly type: 'lookChanged'; readonly look: ScheduleLook }
  | { readonly type: 'digestSeen' }
  | { readonly type: 'runAsked'; readonly id: string }
  | { readonly type: 'statusArrived'; readonly status: BulkStatus }
  | { readonly type: 'sliceDone'; readonly run: ScheduleRun }
  | { readonly type: 'linkLost' }
  | { readonly type: 'stopAsked' }
  /** Nothing is called any more: it is through, was stopped, or broke. */
  | { readonly type: 'runEnded'; readonly failure: RpcFailure | null }
  | { readonly type: 'historyToggled' }
  | { readonly type: 'historyArrived'; readonly runs: readonly ScheduleRun[] }
  | { readonly type: 'historyFailed'; readonly failure: RpcFailure }
  | { readonly type: 'showFailed'; readonly failure: RpcFailure }
  | { readonly type: 'rowsShown'; readonly shown: number; readonly wanted: number }
  /** Back from the form, or from the question. */
  | { readonly type: 'left' };

export const CLOSED = { rules: false, more: false } as const;

export const editOf = (form: ScheduleForm): Edit => ({
  form,
  problems: {},
  open: CLOSED,
  isSaving: false,
});

/** @param kept the form that stood there when the sidebar was closed last. */
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

/** Schedules as they will be when what is asked is done: a switch moves at once. */
export function schedulesOf({ look, asked }: ListView): readonly ScheduleShown[] {
  if (asked?.act !== 'switch') return look.schedules;
  const { id, isOn } = asked;
  return look.schedules.map((one) => (one.id === id ? { ...one, isOn } : one));
}

export const isNew = ({ look }: ListView, { form }: Edit): boolean =>
  look.schedules.every(({ id }) => id !== form.id);
