// What a person can do on the Analyze page, and its buttons.

import type { ComponentChildren } from 'preact';
import { addedLines, BARCODES, openLines, titleColumnOf } from '../../../deal/barcodes-tab';
import type { Change } from '../../../deal/cleanup';
import { CHANGES_MAX, placed, planCleanup, withoutFormulas } from '../../../deal/cleanup-plan';
import { isOfBoth } from '../../../deal/decision-plan';
import type { ReadTab } from '../../../deal/list';
import type { Choice } from '../../../runs/run';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import type { Payload } from '../../api/methods';
import type { BulkInspection, BulkStatus } from '../../api/runs';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import { forBoth, forSecond, hasPlainColumns, isSecondDue, type Pair, secondChoice } from './pair';
import type { RunFollower } from './run-follower';
import {
  type Act,
  type AnalyzeEvent,
  type AnalyzeState,
  type CheckedView,
  type ChoosingView,
  type CleanupView,
  isBothChosen,
  isOursToDrive,
  isTicked,
  type RunView,
  type Undo,
} from './state';
import {
  cleanUpLabel,
  LIST_MOVED,
  retryable,
  retryableRows,
  retryLabel,
  startLabel,
  stateOf,
  untitledTab,
  VIEW_TEXTS,
} from './texts';

interface RunActions {
  start(choice: Choice, calls: number): Promise<void>;
  /** Starts the run for the other market from the list as the first run left it. */
  startSecond(pair: Pair): Promise<void>;
  act(act: Exclude<Act, 'retry'>, runId: string): Promise<void>;
  retry(runId: string, kinds: readonly string[]): Promise<void>;
}

function createRunActions(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  follower: RunFollower,
): RunActions {
  const start: RunActions['start'] = async (choice, calls) => {
    dispatch({ type: 'startAsked' });
    const run = await follower.begin(choice, calls);
    if ('failure' in run) return dispatch({ type: 'startFailed', failure: run.failure });
    dispatch({ type: 'started', status: run });
  };

  const startSecond: RunActions['startSecond'] = async (pair) => {
    dispatch({ type: 'secondAsked' });
    const failed = (failure: RpcFailure) => dispatch({ type: 'secondFailed', failure });
    const { second } = pair;
    const seen = await rpc('deals.look', {
      ...placeOf(second),
      headerRow: Math.max(1, second.headerRow),
    });
    if (!seen.ok) return failed(seen.failure);
    const choice = secondChoice(pair, seen.value.titles);
    if (choice === null) return failed(LIST_MOVED);
    const run = await follower.begin(choice);
    if ('failure' in run) return failed(run.failure);
    dispatch({ type: 'secondStarted', status: run });
  };

  const ask = async (
    act: Act,
    answer: () => ReturnType<typeof rpc<'bulk.pause'>>,
  ): Promise<BulkStatus | null> => {
    dispatch({ type: 'actAsked', act });
    const reply = await answer();
    follower.overtake();
    if (!reply.ok) {
      dispatch({ type: 'actFailed', failure: reply.failure });
      return null;
    }
    dispatch({ type: 'actDone', status: reply.value });
    return reply.value;
  };

  const act: RunActions['act'] = async (wished, runId) => {
    const status = await ask(wished, () => rpc(`bulk.${wished}`, { runId }));
    if (status !== null && wished === 'resume') follower.drive(status, true);
  };

  const retry: RunActions['retry'] = async (runId, kinds) => {
    const status = await ask('retry', () => rpc('bulk.retry', { runId, kinds }));
    if (status !== null) follower.drive(status);
  };

  return { start, startSecond, act, retry };
}

/** Rows to select in the sheet: given by number, or all that failed in one way. */
export type Shown = Payload<'bulk.show'>;

interface AnalyzeActions extends RunActions {
  /** @param seenRun the run whose end still has to be shown if it has ended meanwhile. */
  load(seenRun: string | null): Promise<void>;
  /** The same without any message, for when the sheet may have changed. */
  refresh(): Promise<void>;
  /** @param both the inspection of a sheet whose list is for both markets; null: for one market. */
  check(choice: Choice, both: BulkInspection | null): Promise<void>;
  /** @param wanted the number of rows that the page announced. */
  show(rows: Shown, wanted: number): Promise<void>;
  past(): Promise<void>;
  /** Adds barcodes with an unknown product to a tab, where the person fills in the products. */
  listBarcodes(choice: Choice): Promise<void>;
  /** Reads what can be cleaned up. */
  tidy(choice: Choice): Promise<void>;
  /** @param isUndo whether it undoes an earlier cleanup. */
  cleanUp(choice: Choice, cleanup: Undo, isUndo: boolean): Promise<void>;
}

export function createAnalyzeActions(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  follower: RunFollower,
): AnalyzeActions {
  /** The page also continues a run of its own person that it finds under way. */
  const found = (status: BulkStatus): void => {
    if (isOursToDrive(status)) follower.drive(status);
  };

  const load: AnalyzeActions['load'] = async (seenRun) => {
    dispatch({ type: 'lookAsked' });
    const reply = await rpc('bulk.look', {});
    if (!reply.ok) return dispatch({ type: 'lookFailed', failure: reply.failure });
    const { run } = reply.value;
    if (run === null && seenRun !== null) {
      const last = await rpc('bulk.status', {});
      if (last.ok && last.value?.runId === seenRun)
        return dispatch({ type: 'runFound', status: last.value });
    }
    dispatch({ type: 'lookArrived', look: reply.value });
    if (run !== null) found(run);
  };

  const refresh: AnalyzeActions['refresh'] = async () => {
    const reply = await rpc('bulk.look', {});
    if (!reply.ok) return;
    dispatch({ type: 'lookArrived', look: reply.value });
    if (reply.value.run !== null) found(reply.value.run);
  };

  const preflightOf = async (choice: Choice) => {
    const reply = await rpc('bulk.preflight', choice);
    return reply.ok ? { ok: true as const, value: { choice, preflight: reply.value } } : reply;
  };

  /**
   * A preview of a run whose market gets columns of its own, unless the existing columns are
   * already that market's.
   */
  const preflightApart = async (choice: Choice, apart: boolean) => {
    const reply = await preflightOf(apart ? { ...choice, apart } : choice);
    if (!reply.ok) return reply;
    const { areApart, replaced } = reply.value.preflight;
    return areApart || replaced === 0 ? reply : preflightOf({ ...choice, apart: true });
  };

  const checkBoth = async (asked: Choice, look: BulkInspection) => {
    const isPlain = hasPlainColumns(look);
    const first = await preflightApart(forBoth(asked), !isPlain);
    if (!first.ok) return first;
    const isSecondPlain = isPlain && first.value.preflight.areApart;
    const second = await preflightApart(forSecond(asked), !isSecondPlain);
    if (!second.ok) return second;
    const { choice, preflight } = first.value;
    const both = { choice, second: second.value };
    dispatch({ type: 'checkArrived', choice: asked, preflight, both });
    return null;
  };

  const check: AnalyzeActions['check'] = async (choice, both) => {
    dispatch({ type: 'checkAsked', choice });
    const reply = both ? await checkBoth(choice, both) : await rpc('bulk.preflight', choice);
    if (reply === null) return;
    if (reply.ok) return dispatch({ type: 'checkArrived', choice, preflight: reply.value });
    dispatch({ type: 'checkFailed', failure: reply.failure });
    // Another sheet may be active by now.
    if (reply.failure.kind === 'run') await refresh();
  };

  const show: AnalyzeActions['show'] = async (rows, wanted) => {
    const reply = await rpc('bulk.show', rows);
    if (reply.ok) dispatch({ type: 'rowsShown', wanted, shown: reply.value.shown });
    else dispatch({ type: 'showFailed', failure: reply.failure });
  };

  const past: AnalyzeActions['past'] = async () => {
    dispatch({ type: 'pastToggled' });
    const reply = await rpc('bulk.history', {});
    if (reply.ok) dispatch({ type: 'pastArrived', runs: reply.value.runs });
    else dispatch({ type: 'pastFailed', failure: reply.failure });
  };

  /** The list with the cells that name and describe its products. */
  const read = async (choice: Choice) => {
    const place = placeOf(choice);
    const seen = await rpc('deals.look', place);
    if (!seen.ok) return seen;
    const { titles, columns } = seen.value;
    const title = titleColumnOf(columns, place.productColumn);
    const cells = [...columnsOf(place), ...(title === undefined ? [] : [title])];
    const reply = await rpc('deals.rows', { ...place, titles, columns: cells });
    const isBoth = isOfBoth(seen.value);
    return reply.ok ? { ok: true as const, titles, isBoth, rows: reply.value.rows } : reply;
  };

  const listBarcodes: AnalyzeActions['listBarcodes'] = async (choice) => {
    dispatch({ type: 'barcodesAsked' });
    const failed = (failure: RpcFailure) => dispatch({ type: 'barcodesFailed', failure });
    const list = await read(choice);
    if (!list.ok) return failed(list.failure);
    const all = openLines(list.rows, columnsOf(choice).length);
    const lines = all.slice(0, CHANGES_MAX);
    const there = await rpc('deals.barcodes', {});
    if (!there.ok) return failed(there.failure);
    let tab: Pick<ReadTab, 'sheetId' | 'cells'> | null = there.value;
    if (tab === null) {
      const made = await rpc('deals.tab', BARCODES);
      if (!made.ok) return failed(made.failure);
      tab = { sheetId: made.value.sheetId, cells: BARCODES.cells };
    }
    const added = addedLines(tab, lines);
    if (typeof added === 'string') return failed(untitledTab(added));
    if (added.rows.length > 0) {
      const reply = await rpc('deals.set', added);
      if (!reply.ok) return failed(reply.failure);
    }
    const more = all.length - lines.length;
    dispatch({ type: 'barcodesListed', added: added.rows.length, more });
  };

  const tidy: AnalyzeActions['tidy'] = async (choice) => {
    dispatch({ type: 'cleanupAsked', choice });
    const place = placeOf(choice);
    const failed = (failure: RpcFailure) => dispatch({ type: 'cleanupFailed', failure });
    const list = await read(choice);
    if (!list.ok) return failed(list.failure);
    const { titles, isBoth, rows } = list;
    const found = planCleanup({ market: place.market, titles }, rows, isBoth);
    const changes = found.changes.map(sentChange);
    if (changes.length === 0) return dispatch({ type: 'cleanupFound', found });
    const trial = await rpc('deals.cleanUp', { ...place, titles, changes, isTrial: true });
    if (!trial.ok) return failed(trial.failure);
    dispatch({ type: 'cleanupFound', found: withoutFormulas(found, trial.value.formulas) });
  };

  const cleanUp: AnalyzeActions['cleanUp'] = async (choice, cleanup, isUndo) => {
    dispatch({ type: 'cleanupSent' });
    const failed = (failure: RpcFailure) => dispatch({ type: 'cleanupFailed', failure });
    const { changes: wanted, isTrial, ...place } = cleanup;
    const read = await rpc('deals.rows', { ...place, columns: columnsOf(place) });
    if (!read.ok) return failed(read.failure);
    const reply = await rpc('deals.cleanUp', {
      ...{ ...place, isTrial, changes: [...placed(wanted, read.value.rows)] },
    });
    if (!reply.ok) return failed(reply.failure);
    const { undo: changes, problem } = reply.value;
    const undo = changes.length === 0 ? 'as-before' : isUndo ? null : { ...cleanup, changes };
    const counts = { done: changes.length, wanted: wanted.length };
    dispatch({ type: 'cleanupDone', undo, ...counts, isUndo });
    await tidy(choice);
    if (problem !== undefined) dispatch({ type: 'cleanupFailed', failure: problem });
  };

  return {
    load,
    refresh,
    check,
    show,
    past,
    listBarcodes,
    tidy,
    cleanUp,
    ...createRunActions(rpc, dispatch, follower),
  };
}

export interface Effects {
  readonly state: AnalyzeState;
  readonly actions: AnalyzeActions;
  dispatch(event: AnalyzeEvent): void;
  toConnection(): void;
  toSchedule(): void;
  toDeals(): void;
  /** Makes a schedule, or one for each market. */
  repeat(settings: readonly ScheduleSettings[]): Promise<void>;
  /** Shows the deals of a list whose run is over. */
  deals(sheetId: number): ComponentChildren;
}

const placeOf = ({ sheetId, headerRow, productColumn, market }: Choice) => ({
  ...{ sheetId, headerRow, productColumn, market },
});

/**
 * The columns that determine a product: the product column and, if there is one, the market column.
 */
const columnsOf = ({ productColumn, market }: Pick<Choice, 'productColumn' | 'market'>) => [
  productColumn,
  ...(market.kind === 'column' ? [market.column] : []),
];

const sentChange = ({ row, seen, put, format }: Change): Change => ({ row, seen, put, format });

/** Escape and *Back*. */
export function leave({ state, actions, dispatch }: Effects): void {
  const { view } = state;
  dispatch({ type: 'left' });
  // After the list was cleaned up, there is something else to clean up.
  if (view.at === 'cleanup' && !view.isWriting) void actions.refresh();
}

function cleanupButtons(view: CleanupView, effects: Effects): Buttons {
  const { found, choice, isWriting } = view;
  const back = { ...BACK, press: () => leave(effects) };
  if (isWriting) return { primary: { label: VIEW_TEXTS.cleaningUp, isBusy: true } };
  if (found === null)
    return view.failure === null
      ? { primary: { label: UI_TEXTS.loading, isBusy: true } }
      : {
          primary: { label: UI_TEXTS.lookAgain, press: () => void effects.actions.tidy(choice) },
          second: back,
        };
  const changes = found.changes.filter((one) => isTicked(view, one)).map(sentChange);
  if (changes.length === 0) return { primary: back };
  const cleanup = { ...placeOf(choice), titles: found.titles, changes, isTrial: false };
  return {
    primary: {
      label: cleanUpLabel(changes.length),
      press: () => void effects.actions.cleanUp(choice, cleanup, false),
    },
    second: back,
  };
}

const BACK: Pick<BarButton, 'id' | 'label'> = { id: 'analyze-back', label: UI_TEXTS.back };

function lookAgain({ actions }: Effects): BarButton {
  return { id: 'analyze-look', label: UI_TEXTS.lookAgain, press: () => void actions.load(null) };
}

function choosingButtons(view: ChoosingView, effects: Effects): Buttons {
  const { choice, isChecking, look } = view;
  if (choice === null || look.listRows === 0) return { primary: lookAgain(effects) };
  const check: BarButton = {
    label: isChecking ? VIEW_TEXTS.loadingPreview : VIEW_TEXTS.preview,
    isBusy: isChecking,
    press: () =>
      void effects.actions.check(choice, isBothChosen(effects.state, choice) ? look : null),
  };
  return choice.fields.length === 0
    ? { primary: { label: VIEW_TEXTS.chooseFigures, press: () => unfold(view, effects) } }
    : { primary: check, second: lookAgain(effects) };
}

function unfold({ areFieldsOpen }: ChoosingView, { dispatch }: Effects): void {
  if (!areFieldsOpen) dispatch({ type: 'fieldsToggled' });
}

function checkedButtons(view: CheckedView, { actions, dispatch }: Effects): Buttons {
  const { choice, preflight, isStarting } = view;
  const second = { ...BACK, press: () => dispatch({ type: 'left' }) };
  const other = view.second?.preflight;
  if (preflight.problem !== undefined || other?.problem !== undefined) return { primary: second };
  if (isStarting) return { primary: { label: UI_TEXTS.starting, isBusy: true } };
  const calls = preflight.calls + (other?.calls ?? 0);
  return {
    primary: { label: startLabel(calls), press: () => void actions.start(choice, preflight.calls) },
    second,
  };
}

function overButtons({ status, asked }: RunView, effects: Effects): Buttons {
  const fresh: BarButton = {
    id: 'analyze-new',
    label: VIEW_TEXTS.newRun,
    press: () => void effects.actions.load(null),
  };
  const rows = retryableRows(status);
  if (asked === 'retry') return { primary: { label: UI_TEXTS.starting, isBusy: true } };
  if (rows === 0) return { primary: fresh };
  const retry = () => void effects.actions.retry(status.runId, retryable(status));
  return { primary: { label: retryLabel(rows), press: retry }, second: fresh };
}

/** The buttons between two runs. The second run starts by itself unless something prevents it. */
function betweenButtons(pair: Pair, effects: Effects): Buttons {
  if (pair.failure === null) return { primary: { label: VIEW_TEXTS.startingSecond, isBusy: true } };
  return {
    primary: { label: VIEW_TEXTS.startSecond, press: () => void effects.actions.startSecond(pair) },
    second: {
      id: 'analyze-new',
      label: VIEW_TEXTS.newRun,
      press: () => void effects.actions.load(null),
    },
  };
}

function stopQuestionButtons({ status }: RunView, { actions, dispatch }: Effects): Buttons {
  return {
    primary: {
      label: VIEW_TEXTS.stopTheRun,
      isDangerous: true,
      press: () => void actions.act('stop', status.runId),
    },
    second: { id: 'analyze-keep', label: UI_TEXTS.keepIt, press: () => dispatch({ type: 'left' }) },
  };
}

function runButtons(view: RunView, effects: Effects): Buttons {
  const { status, asked } = view;
  const { actions, dispatch } = effects;
  const { runId } = status;
  const state = stateOf(view);
  const { pair } = effects.state;
  if (isSecondDue(pair, status)) return betweenButtons(pair, effects);
  if (state === 'finished' || state === 'stopped') return overButtons(view, effects);
  if (state === 'stopping') return { primary: { label: UI_TEXTS.stopping, isBusy: true } };
  if (view.isStopAsked) return stopQuestionButtons(view, effects);
  const second: BarButton = {
    id: 'analyze-stop',
    label: UI_TEXTS.stop,
    press: () => dispatch({ type: 'stopAsked' }),
  };
  if (state === 'pausing')
    return { primary: { label: VIEW_TEXTS.pausingNow, isBusy: true }, second };
  if (asked === 'resume') return { primary: { label: VIEW_TEXTS.resuming, isBusy: true }, second };
  // The clock continues a scheduled run, so it cannot be paused; stopping it makes it continue at
  // another time.
  if (status.isScheduled === true) return { primary: second };
  return state === 'running'
    ? {
        primary: { label: VIEW_TEXTS.pause, press: () => void actions.act('pause', runId) },
        second,
      }
    : {
        primary: { label: VIEW_TEXTS.continue, press: () => void actions.act('resume', runId) },
        second,
      };
}

export function buttonsOf(effects: Effects, connection: ConnectionStatus | null): Buttons {
  const { view } = effects.state;
  if (view.at === 'run') return runButtons(view, effects);
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
    case 'checked':
      return checkedButtons(view, effects);
    case 'cleanup':
      return cleanupButtons(view, effects);
  }
}
