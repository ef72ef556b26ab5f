// What a person can do on the Analyze page, and its buttons.

import type { ComponentChildren } from 'preact';
import { isBarcode } from '../../../product/asin';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcReply } from '../../api/define-api';
import type { RpcFailure } from '../../api/failure-view';
import type { Choice, JobPreview, JobStatus, ListInView } from '../../api/jobs';
import type { Payload } from '../../api/methods';
import type { AgainName } from '../ui/default-schedule';
import type { JobLoop } from '../ui/job-loop';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { isOver, UI_TEXTS } from '../ui/texts';
import { rowsOf } from './choice';
import { forBoth, forSecond, isSecondDue, type Pair, secondChoice } from './pair';
import {
  type Act,
  type AnalyzeEvent,
  type AnalyzeState,
  type ChoosingView,
  isBothChosen,
  isOursToContinue,
  type JobView,
  type ListAct,
  type PreviewView,
} from './state';
import {
  LIST_MOVED,
  listElsewhere,
  retryableProducts,
  retryLabel,
  startLabel,
  stateOf,
  VIEW_TEXTS,
} from './texts';

type Dispatch = (event: AnalyzeEvent) => void;

/** How many different barcodes are among the rows that cannot be read. */
const barcodesIn = ({ unreadable }: JobPreview): number =>
  new Set(unreadable.rows.map(({ shown }) => shown).filter(isBarcode)).size;

interface JobActions {
  start(choice: Choice, preview: JobPreview): Promise<void>;
  /** Starts the job for the other market from the list as the first job left it. */
  startSecond(pair: Pair): Promise<void>;
  act(act: Exclude<Act, 'retry'>, jobId: string): Promise<void>;
  /** Starts a job over the rows that failed. @param mine what this page started the job with. */
  retry(status: JobStatus, mine: Choice | null): Promise<void>;
}

const STATE_AFTER = { pause: 'paused', continue: 'running', stop: 'stopped' } as const;

function createJobActions(rpc: RpcClient, dispatch: Dispatch, loop: JobLoop): JobActions {
  async function start(choice: Choice, preview: JobPreview): Promise<void> {
    dispatch({ type: 'startAsked' });
    const reply = await loop.start(choice, preview.first);
    if (!reply.ok) return dispatch({ type: 'startFailed', failure: reply.failure });
    dispatch({ type: 'started', status: reply.value, barcodes: barcodesIn(preview) });
  }

  async function startSecond(pair: Pair): Promise<void> {
    dispatch({ type: 'secondAsked' });
    const failed = (failure: RpcFailure) => dispatch({ type: 'secondFailed', failure });
    const seen = await rpc('list.look', {});
    if (!seen.ok) return failed(seen.failure);
    const isInView = seen.value.sheet.id === pair.second.sheetId;
    const choice = secondChoice(pair, isInView ? seen.value : null);
    if (choice === null) return failed(LIST_MOVED);
    const reply = await loop.start(choice);
    if (!reply.ok) return failed(reply.failure);
    dispatch({ type: 'secondStarted', status: reply.value });
  }

  async function ask(act: Act, answer: () => Promise<RpcReply<JobStatus>>): Promise<void> {
    dispatch({ type: 'actAsked', act });
    const reply = await answer();
    if (reply.ok) dispatch({ type: 'actDone', status: reply.value });
    else dispatch({ type: 'actFailed', failure: reply.failure });
  }

  async function retried(status: JobStatus, mine: Choice | null): Promise<RpcReply<JobStatus>> {
    let choice = mine;
    if (choice === null) {
      const seen = await rpc('list.look', {});
      if (!seen.ok) return seen;
      if (seen.value.sheet.id === status.sheet.id) choice = seen.value.choice;
    }
    if (choice === null) return { ok: false, failure: listElsewhere(status) };
    return loop.start({ ...choice, rows: rowsOf('failed') });
  }

  return {
    start,
    startSecond,
    act: (act, jobId) => ask(act, () => loop.setState(jobId, STATE_AFTER[act])),
    retry: (status, mine) => ask('retry', () => retried(status, mine)),
  };
}

/** Rows to select in the sheet: those of a preview, or all that failed in some ways. */
export type Shown = Payload<'list.showRows'> | Payload<'jobs.showFailed'>;

interface AnalyzeActions extends JobActions {
  /** @param seenJob the job whose end still has to be shown if it has ended meanwhile. */
  load(seenJob: string | null): Promise<void>;
  /** The same without any message, for when the sheet may have changed. */
  refresh(): Promise<void>;
  /** @param isBoth whether the list is for both markets. */
  preview(choice: Choice, isBoth: boolean): Promise<void>;
  /** @param wanted the number of rows that the page announced. */
  show(rows: Shown, wanted: number): Promise<void>;
  past(): Promise<void>;
  /** Does something with the columns that show the list's figures. */
  change(act: ListAct, choice: Choice): Promise<void>;
}

export function createAnalyzeActions(
  rpc: RpcClient,
  dispatch: Dispatch,
  loop: JobLoop,
  nowMs: () => number,
): AnalyzeActions {
  /** The page goes on with a job that it finds and nobody else works on. */
  async function goOn(status: JobStatus, seenJob: string | null): Promise<void> {
    if (!isOursToContinue(status, seenJob, nowMs())) return;
    const reply = await loop.setState(status.jobId, 'running');
    if (reply.ok) dispatch({ type: 'workBegun', status: reply.value });
  }

  async function arrive(look: ListInView, seenJob: string | null): Promise<void> {
    dispatch({ type: 'lookArrived', look });
    if (look.job !== null) await goOn(look.job, seenJob);
  }

  async function load(seenJob: string | null): Promise<void> {
    dispatch({ type: 'lookAsked' });
    const reply = await rpc('list.look', {});
    if (!reply.ok) return dispatch({ type: 'lookFailed', failure: reply.failure });
    if (reply.value.job === null && seenJob !== null) {
      const last = await rpc('jobs.status', {});
      if (last.ok && last.value?.jobId === seenJob)
        return dispatch({ type: 'jobFound', status: last.value });
    }
    await arrive(reply.value, seenJob);
  }

  async function refresh(): Promise<void> {
    const reply = await rpc('list.look', {});
    if (reply.ok) await arrive(reply.value, null);
  }

  async function previewBoth(asked: Choice): Promise<RpcFailure | null> {
    const one = forBoth(asked);
    const two = forSecond(asked);
    const first = await rpc('jobs.preview', one);
    if (!first.ok) return first.failure;
    const second = await rpc('jobs.preview', two);
    if (!second.ok) return second.failure;
    const after = { choice: two, preview: second.value };
    dispatch({ type: 'previewArrived', choice: asked, preview: first.value, second: after });
    return null;
  }

  async function previewOne(choice: Choice): Promise<RpcFailure | null> {
    const reply = await rpc('jobs.preview', choice);
    if (!reply.ok) return reply.failure;
    dispatch({ type: 'previewArrived', choice, preview: reply.value });
    return null;
  }

  async function preview(choice: Choice, isBoth: boolean): Promise<void> {
    dispatch({ type: 'previewAsked', choice });
    const failure = await (isBoth ? previewBoth(choice) : previewOne(choice));
    if (failure === null) return;
    dispatch({ type: 'previewFailed', failure });
    // Another sheet may be active by now.
    if (failure.kind === 'run') await refresh();
  }

  async function show(rows: Shown, wanted: number): Promise<void> {
    const reply = await ('jobId' in rows
      ? rpc('jobs.showFailed', rows)
      : rpc('list.showRows', rows));
    if (reply.ok) dispatch({ type: 'rowsShown', wanted, shown: reply.value.rows });
    else dispatch({ type: 'showFailed', failure: reply.failure });
  }

  async function past(): Promise<void> {
    dispatch({ type: 'pastToggled' });
    const reply = await rpc('jobs.history', {});
    if (reply.ok) dispatch({ type: 'pastArrived', jobs: reply.value.jobs });
    else dispatch({ type: 'pastFailed', failure: reply.failure });
  }

  async function changed(act: ListAct, choice: Choice) {
    switch (act) {
      case 'fillIn':
        return filled(await rpc('list.fillInNewRows', {}));
      case 'makeLive':
        return filled(await rpc('list.makeLive', {}));
      case 'keepAsValues':
        return counted(await rpc('list.keepAsValues', {}));
      case 'addCleanAsins':
        return counted(await rpc('list.addCleanAsins', choice));
    }
  }

  async function change(act: ListAct, choice: Choice): Promise<void> {
    dispatch({ type: 'listActAsked', act });
    const reply = await changed(act, choice);
    if (!reply.ok) return dispatch({ type: 'listActFailed', failure: reply.failure });
    dispatch({ type: 'listActDone', act, ...reply.value });
    await refresh();
  }

  return {
    load,
    refresh,
    preview,
    show,
    past,
    change,
    ...createJobActions(rpc, dispatch, loop),
  };
}

type Changed = RpcReply<{ readonly rows: number; readonly kept: number }>;

const filled = (reply: RpcReply<{ readonly filled: number; readonly kept: number }>): Changed =>
  reply.ok ? { ok: true, value: { rows: reply.value.filled, kept: reply.value.kept } } : reply;

const counted = (reply: RpcReply<{ readonly rows: number }>): Changed =>
  reply.ok ? { ok: true, value: { rows: reply.value.rows, kept: 0 } } : reply;

export interface Effects {
  readonly state: AnalyzeState;
  readonly actions: AnalyzeActions;
  dispatch(event: AnalyzeEvent): void;
  toConnection(): void;
  toSchedule(): void;
  toDeals(): void;
  /** Makes a schedule for the list, with all of its markets. */
  repeat(list: ListOfJob, when: AgainName): Promise<void>;
  /** Shows the deals of a list whose job is over. */
  deals(sheetId: number): ComponentChildren;
  /** What most people do with this list next; null: nothing is known. */
  next(sheetId: number): BarButton | null;
}

/** A list as a schedule names it. */
export interface ListOfJob {
  readonly sheetId: number;
  readonly listId: string;
}

/** Escape and *Back*. */
export const leave = ({ dispatch }: Effects): void => dispatch({ type: 'left' });

const BACK: Pick<BarButton, 'id' | 'label'> = { id: 'analyze-back', label: UI_TEXTS.back };

function choosingButtons(view: ChoosingView, effects: Effects): Buttons {
  const { choice, isChecking, look } = view;
  const { actions, state } = effects;
  if (choice === null || look.listRows === 0)
    return {
      primary: {
        id: 'analyze-look',
        label: UI_TEXTS.lookAgain,
        press: () => void actions.load(null),
      },
    };
  if (choice.fields.length === 0)
    return { primary: { label: VIEW_TEXTS.chooseFigures, press: () => unfold(view, effects) } };
  return {
    primary: {
      label: isChecking ? VIEW_TEXTS.loadingPreview : VIEW_TEXTS.preview,
      isBusy: isChecking,
      press: () => void actions.preview(choice, isBothChosen(state, choice)),
    },
  };
}

function unfold({ areFieldsOpen }: ChoosingView, { dispatch }: Effects): void {
  if (!areFieldsOpen) dispatch({ type: 'fieldsToggled' });
}

function previewButtons(view: PreviewView, effects: Effects): Buttons {
  const { preview, isStarting } = view;
  const { actions } = effects;
  const second = { ...BACK, press: () => leave(effects) };
  const other = view.second?.preview;
  if (preview.problem !== undefined || other?.problem !== undefined) return { primary: second };
  if (isStarting) return { primary: { label: UI_TEXTS.starting, isBusy: true } };
  const calls = preview.calls + (other?.calls ?? 0);
  // The choice of a list for both markets already names the first one.
  const press = () => void actions.start(view.choice, preview);
  return { primary: { label: startLabel(calls), press }, second };
}

const newJobButton = ({ actions }: Effects): BarButton => ({
  id: 'analyze-new',
  label: VIEW_TEXTS.newRun,
  press: () => void actions.load(null),
});

/** Retries the products that failed for a passing reason; null: there are none. */
export function retryOf({ status }: JobView, { state, actions }: Effects): (() => void) | null {
  const { ran } = state;
  if (retryableProducts(status) === 0) return null;
  return () => void actions.retry(status, ran?.jobId === status.jobId ? ran.choice : null);
}

/** What the list is wanted for, else another try, else the next list. */
function overButtons(view: JobView, effects: Effects): Buttons {
  const { status } = view;
  if (view.asked === 'retry') return { primary: { label: UI_TEXTS.starting, isBusy: true } };
  const second = newJobButton(effects);
  const next = status.state === 'done' ? effects.next(status.sheet.id) : null;
  if (next !== null) return { primary: next, second };
  const retry = retryOf(view, effects);
  if (retry === null) return { primary: second };
  return { primary: { label: retryLabel(retryableProducts(status)), press: retry }, second };
}

/** The buttons between two jobs. The second starts by itself unless something prevents it. */
function betweenButtons(pair: Pair, effects: Effects): Buttons {
  if (pair.failure === null) return { primary: { label: VIEW_TEXTS.startingSecond, isBusy: true } };
  return {
    primary: { label: VIEW_TEXTS.startSecond, press: () => void effects.actions.startSecond(pair) },
    second: newJobButton(effects),
  };
}

function stopQuestionButtons({ status }: JobView, { actions, dispatch }: Effects): Buttons {
  return {
    primary: {
      label: VIEW_TEXTS.stopTheRun,
      isDangerous: true,
      press: () => void actions.act('stop', status.jobId),
    },
    second: { id: 'analyze-keep', label: UI_TEXTS.keepIt, press: () => dispatch({ type: 'left' }) },
  };
}

function jobButtons(view: JobView, effects: Effects): Buttons {
  const { status, asked } = view;
  const { actions, dispatch } = effects;
  const { jobId } = status;
  const { pair } = effects.state;
  if (isSecondDue(pair, status)) return betweenButtons(pair, effects);
  if (isOver(status)) return overButtons(view, effects);
  const state = stateOf(view);
  if (state === 'stopping') return { primary: { label: UI_TEXTS.stopping, isBusy: true } };
  if (view.isStopAsked) return stopQuestionButtons(view, effects);
  const second: BarButton = {
    id: 'analyze-stop',
    label: UI_TEXTS.stop,
    press: () => dispatch({ type: 'stopAsked' }),
  };
  if (state === 'pausing')
    return { primary: { label: VIEW_TEXTS.pausingNow, isBusy: true }, second };
  if (asked === 'continue')
    return { primary: { label: VIEW_TEXTS.resuming, isBusy: true }, second };
  // The clock continues a scheduled job, so it cannot be paused; stopping it makes it continue at
  // another time.
  if (status.isScheduled) return { primary: second };
  if (state === 'running')
    return {
      primary: { label: VIEW_TEXTS.pause, press: () => void actions.act('pause', jobId) },
      second,
    };
  const label = state === 'elsewhere' ? VIEW_TEXTS.continueHere : VIEW_TEXTS.continue;
  return { primary: { label, press: () => void actions.act('continue', jobId) }, second };
}

export function buttonsOf(effects: Effects, connection: ConnectionStatus | null): Buttons {
  const { view } = effects.state;
  if (view.at === 'job') return jobButtons(view, effects);
  if (connection?.connected === false)
    return { primary: { label: UI_TEXTS.connectKey, press: () => effects.toConnection() } };
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return {
        primary: { label: UI_TEXTS.tryAgain, press: () => void effects.actions.load(null) },
      };
    case 'choosing':
      return choosingButtons(view, effects);
    case 'preview':
      return previewButtons(view, effects);
  }
}
