// What a person can do on the Connection page, what goes on beside it, and the buttons.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import type { Sharing } from '../../../connection/connection-store';
import type { CheckRequest } from '../../api/check';
import type { ConnectionStatus, FormulaRefresh } from '../../api/connection';
import type { RpcReply } from '../../api/define-api';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { countText } from '../ui/texts';
import { FORM_ID, ownOf } from './form';
import {
  type ConnectionEvent,
  type ConnectionState,
  canLeave,
  type PendingRequest,
  type Refreshing,
} from './state';
import { ALLOWED_HERE, insertedText, NOTICES, requestOf, sharedText } from './texts';

/** One call's share: whoever stops it is heard so soon. */
const REFRESH_CALL_MS = 30_000;

interface FormulaRefresher {
  /** Those without figures, of which nothing is said where there are none; else all. */
  start(onlyFailed: boolean): Promise<void>;
  /** The call under way is finished first. */
  stop(): void;
}

export function createFormulaRefresher(
  rpc: RpcClient,
  dispatch: (event: { type: 'refreshed'; refreshing: Refreshing }) => void,
): FormulaRefresher {
  let runs = 0;
  let report: FormulaRefresh | null = null;
  let isStopping = false;
  const tell = (refreshing: Refreshing): void => dispatch({ type: 'refreshed', refreshing });
  return {
    async start(onlyFailed) {
      runs += 1;
      const run = runs;
      report = null;
      isStopping = false;
      if (!onlyFailed) tell({ at: 'working', report, isStopping });
      for (let since = {}; ; ) {
        const reply = await rpc('formulas.refresh', {
          maxMs: REFRESH_CALL_MS,
          onlyFailed,
          ...since,
        });
        if (run !== runs) return;
        if (!reply.ok)
          return tell(onlyFailed ? { at: 'none' } : { at: 'failed', failure: reply.failure });
        const hasMoved = reply.value.calls > 0 || reply.value.refreshed > (report?.refreshed ?? 0);
        report = reply.value;
        since = { sinceMs: report.sinceMs };
        if (isStopping || report.left === 0 || report.problem !== undefined || !hasMoved) break;
        tell({ at: 'working', report, isStopping });
      }
      const isNews = !onlyFailed || refreshedText({ at: 'done', report }) !== NOTHING;
      tell(isNews ? { at: 'done', report } : { at: 'none' });
    },
    stop() {
      isStopping = true;
      tell({ at: 'working', report, isStopping });
    },
  };
}

const NOTHING = 'All formulas are up to date.';

/** What the quiet line says of it. @param isTold why nobody is answered stands elsewhere. */
export function refreshedText(refreshing: Refreshing, isTold = false): string {
  switch (refreshing.at) {
    case 'none':
      return '';
    case 'failed':
      return [refreshing.failure.message, refreshing.failure.action].filter(Boolean).join(' ');
    case 'working': {
      if (refreshing.isStopping) return 'Finishing current calls…';
      const { report } = refreshing;
      if (report === null) return 'Refreshing formulas…';
      return `Refreshing formulas: ${count(report.refreshed + report.failed)} done, ${count(report.left)} left.`;
    }
    case 'done': {
      const { refreshed, failed, refused = 0, left, ownRefresh, problem } = refreshing.report;
      const parts = [
        refreshed > 0 && `${countText(refreshed, 'formula')} refreshed.`,
        failed > refused && `${count(failed - refused)} without figures.`,
        refused > 0 && `${count(refused)} in protected cells.`,
        ownRefresh > 0 && `${count(ownRefresh)} with a refresh value of your own: change that.`,
        left > 0 && `${count(left)} left.`,
        ...(isTold ? [] : [problem?.message, problem?.action]),
      ];
      return parts.filter(Boolean).join(' ') || NOTHING;
    }
  }
}

const count = (of: number): string => of.toLocaleString();

/** One call's share: short enough that the line moves, and far below Google's six minutes. */
const WAITING_CALL_MS = 20_000;

/** A call that settled nothing met a long wait: the next ones come ever later, but do come. */
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 300_000;

interface WaitingWorker {
  /** Begins if something waits, unless a call is under way already. */
  take(status: ConnectionStatus): void;
  /** The connection is another one: what the call under way brings is of the one before. */
  renew(): void;
}

export function createWaitingWorker(
  rpc: RpcClient,
  dispatch: (event: ConnectionEvent) => void,
  pause: (ms: number) => Promise<void>,
): WaitingWorker {
  let isWorking = false;
  let connections = 0;

  async function workOff(): Promise<void> {
    let pauseMs = PAUSE_MS;
    for (;;) {
      const current = connections;
      const reply = await rpc('waiting.work', { maxMs: WAITING_CALL_MS });
      if (current !== connections) continue;
      if (!reply.ok) return dispatch({ type: 'waitingFailed', failure: reply.failure });
      const { left, settled } = reply.value;
      dispatch({ type: 'waitingCounted', left });
      if (left === 0) return;
      if (settled > 0) pauseMs = PAUSE_MS;
      else {
        await pause(pauseMs);
        pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
      }
    }
  }

  return {
    take(status) {
      if (!status.connected || status.waiting === 0) return;
      dispatch({ type: 'waitingCounted', left: status.waiting });
      if (isWorking) return;
      isWorking = true;
      void workOff().finally(() => {
        isWorking = false;
      });
    },
    renew: () => {
      connections += 1;
    },
  };
}

export interface ConnectionActions {
  load(): Promise<void>;
  /** Saves, and on success makes one real call so that the person sees that it works. */
  save(draft: ConnectionDraft): Promise<void>;
  check(wish?: CheckRequest): Promise<void>;
  remove(): Promise<void>;
  share(sharing: Sharing): Promise<void>;
  /** In a copy: allows the key that came along. */
  useHere(): Promise<void>;
  /** Saves settings that the server suggested, and checks with them. */
  follow(draft: ConnectionDraft, suggested: ConnectionSettings): Promise<void>;
  /** Forgets what the service said of its limit. */
  relearn(): Promise<void>;
  insertSamples(): Promise<void>;
  startDemo(): Promise<void>;
  stopDemo(): Promise<void>;
  exportSettings(): Promise<void>;
  importSettings(text: string): Promise<void>;
  refreshFormulas(): Promise<void>;
  stopRefreshing(): void;
}

type Dispatch = (event: ConnectionEvent) => void;
type Requests = Omit<ConnectionActions, 'load' | 'save' | 'check' | 'remove' | 'follow'>;

/** What works by itself beside what is pressed. */
export interface Workers {
  readonly waiting: WaitingWorker;
  readonly formulas: FormulaRefresher;
}

/** One short call: begun, and then either failed or what `done` makes of it. */
async function run<Value>(
  dispatch: Dispatch,
  pending: PendingRequest,
  call: Promise<RpcReply<Value>>,
  done: (value: Value) => ConnectionEvent,
): Promise<Value | null> {
  dispatch({ type: 'requestBegun', pending });
  const reply = await call;
  dispatch(reply.ok ? done(reply.value) : { type: 'requestFailed', failure: reply.failure });
  return reply.ok ? reply.value : null;
}

function createRequests(rpc: RpcClient, dispatch: Dispatch, formulas: FormulaRefresher): Requests {
  const changed =
    (notice: string) =>
    (status: ConnectionStatus): ConnectionEvent => ({ type: 'requestChanged', status, notice });
  return {
    share: async (sharing) => {
      const call = rpc('connection.share', { sharing });
      const shared = await run(dispatch, 'share', call, changed(sharedText(sharing)));
      if (shared !== null && sharing === 'spreadsheet') await formulas.start(true);
    },
    useHere: async () => {
      const call = rpc('connection.useHere', {});
      const allowed = await run(dispatch, 'useHere', call, changed(ALLOWED_HERE));
      if (allowed !== null) await formulas.start(true);
    },
    relearn: async () => {
      const notice = NOTICES.limitDetected;
      await run(dispatch, 'relearn', rpc('connection.relearn', {}), changed(notice));
    },
    insertSamples: async () => {
      await run(dispatch, 'samples', rpc('samples.insert', {}), (inserted) => ({
        type: 'requestDone',
        notice: insertedText(inserted),
      }));
    },
    startDemo: async () => {
      const begun = await run(dispatch, 'demo', rpc('demo.start', {}), changed(''));
      if (begun !== null) await formulas.start(true);
    },
    stopDemo: async () => {
      await run(dispatch, 'demo', rpc('demo.stop', {}), changed(NOTICES.samplesOff));
    },
    exportSettings: async () => {
      await run(dispatch, 'export', rpc('connection.export', {}), ({ text }) => ({
        type: 'requestExported',
        text,
      }));
    },
    importSettings: async (text) => {
      const call = rpc('connection.import', { text });
      await run(dispatch, 'import', call, ({ applied, draft, status }) =>
        applied
          ? { type: 'requestChanged', status, notice: NOTICES.settingsUsed }
          : { type: 'requestNeedsKey', draft, status },
      );
    },
    refreshFormulas: () => formulas.start(false),
    stopRefreshing: formulas.stop,
  };
}

export function createConnectionActions(
  rpc: RpcClient,
  dispatch: Dispatch,
  { waiting, formulas }: Workers,
): ConnectionActions {
  let runs = 0;
  /** Nobody was answered: once somebody is, formulas that failed meanwhile are worked out again. */
  let wasStopped = false;

  const arrived = (status: ConnectionStatus): void => {
    dispatch({ type: 'statusArrived', status });
    wasStopped ||= status.connected && status.stopped !== undefined;
    waiting.take(status);
  };

  const load = async (): Promise<void> => {
    dispatch({ type: 'statusAsked' });
    const reply = await rpc('connection.status', {});
    if (reply.ok) arrived(reply.value);
    else dispatch({ type: 'statusFailed', failure: reply.failure });
  };

  const check = async (wish: CheckRequest = {}): Promise<void> => {
    runs += 1;
    const run = runs;
    dispatch({ type: 'checkStarted', run });
    const reply = await rpc('connection.check', wish);
    if (reply.ok) dispatch({ type: 'checkAnswered', run, report: reply.value });
    else dispatch({ type: 'checkFailed', run, failure: reply.failure });
    const isAnsweredAgain = reply.ok && wasStopped;
    wasStopped = !reply.ok;
    // The check may have stopped the connection, taken a stop away, or taught its limit.
    const after = await rpc('connection.status', {});
    if (after.ok) arrived(after.value);
    if (isAnsweredAgain) await formulas.start(true);
  };

  const save = async (draft: ConnectionDraft): Promise<void> => {
    const reply = await rpc('connection.save', draft);
    if (!reply.ok) {
      dispatch({ type: 'saveFailed', failure: reply.failure });
      return;
    }
    waiting.renew();
    wasStopped = true;
    dispatch({ type: 'saved', status: reply.value });
    if (reply.value.connected) await check();
  };

  const follow = async (draft: ConnectionDraft, suggested: ConnectionSettings): Promise<void> => {
    const settings = { ...draft.settings, ...suggested };
    const call = rpc('connection.save', { ...draft, settings });
    const saved = await run(dispatch, 'follow', call, (status) => ({
      type: 'requestChanged',
      status,
      notice: NOTICES.settingSaved,
    }));
    if (saved?.connected === true) await check();
  };

  const remove = async (): Promise<void> => {
    dispatch({ type: 'removalConfirmed' });
    const reply = await rpc('connection.clear', {});
    if (!reply.ok) {
      dispatch({ type: 'removalFailed', failure: reply.failure });
      return;
    }
    waiting.renew();
    dispatch({ type: 'removed', status: reply.value });
  };

  return { load, save, check, remove, follow, ...createRequests(rpc, dispatch, formulas) };
}

interface Outlook {
  readonly isOwn: boolean;
  readonly isAnswering: boolean;
  /** Formulas wait for a word about the key that came along with a copy. */
  readonly isCopied: boolean;
  /** Shows the page on which a list is analyzed. */
  toAnalyze(): void;
}

/** After a check that worked, the next thing is a list. */
function connectedButtons(
  { check, pending, beside }: ConnectionState,
  { isOwn, isAnswering, isCopied, toAnalyze }: Outlook,
  actions: ConnectionActions,
  dispatch: Dispatch,
): Buttons {
  const isChecking = check.at === 'running';
  const ask = () => void actions.check(requestOf(beside));
  const insert = insertButton(pending, actions);
  const again = check.at === 'none' ? 'Check' : 'Check again';
  const primary = { label: isChecking ? 'Checking' : again, isBusy: isChecking, press: ask };
  const enterKey = () => dispatch({ type: 'changeOpened', change: 'apiKey' });
  const ownKey = { id: 'change-apiKey', label: 'Use my own key', press: enterKey };
  if (isCopied) {
    const isBusy = pending === 'useHere';
    const press = () => void actions.useHere();
    const allow = { id: 'use-here', label: 'Use the key here', isBusy, press };
    return { primary: allow, second: isOwn ? primary : ownKey };
  }
  if (check.at === 'done') {
    const analyze = { label: 'Analyze this sheet', press: toAnalyze };
    return { primary: analyze, second: insert };
  }
  if (!isOwn) return { primary, second: ownKey };
  // A key that is refused would answer no rows.
  const canAnswer = check.at === 'none' && isAnswering;
  return canAnswer ? { primary, second: insert } : { primary };
}

function insertButton(pending: PendingRequest | null, actions: ConnectionActions): BarButton {
  const isBusy = pending === 'samples';
  return {
    id: 'insert-samples',
    label: isBusy ? 'Writing rows' : 'Create an example sheet',
    isBusy,
    press: () => void actions.insertSamples(),
  };
}

function enteringButtons(
  was: ConnectionStatus,
  pending: PendingRequest | null,
  actions: ConnectionActions,
  dispatch: Dispatch,
): Buttons {
  const primary = { label: ownOf(was) === null ? 'Connect' : 'Save', form: FORM_ID };
  if (canLeave(was)) {
    const leave = () => dispatch({ type: 'changeLeft' });
    return { primary, second: { id: 'back', label: 'Back', press: leave } };
  }
  const isBusy = pending === 'demo';
  const start = () => void actions.startDemo();
  return { primary, second: { id: 'try-samples', label: 'Try samples', isBusy, press: start } };
}

export function buttonsOf(
  state: ConnectionState,
  actions: ConnectionActions,
  dispatch: Dispatch,
  toAnalyze: () => void,
): Buttons {
  const { view } = state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: 'Loading', isBusy: true } };
    case 'unreached':
      return { primary: { label: 'Try again', press: () => void actions.load() } };
    case 'entering':
      return enteringButtons(view.was, state.pending, actions, dispatch);
    case 'sampling':
      return {
        primary: insertButton(state.pending, actions),
        second: {
          id: 'change-baseUrl',
          label: 'Connect a key',
          press: () => dispatch({ type: 'changeOpened', change: 'baseUrl' }),
        },
      };
    case 'saving':
      return {
        primary: { label: ownOf(view.was) === null ? 'Connecting' : 'Saving', isBusy: true },
      };
    case 'confirming':
      return {
        primary: { label: 'Remove key', isDangerous: true, press: () => void actions.remove() },
        second: { id: 'keep', label: 'Keep it', press: () => dispatch({ type: 'removalLeft' }) },
      };
    case 'removing':
      return { primary: { label: 'Removing', isDangerous: true, isBusy: true } };
    case 'connected':
      return connectedButtons(
        state,
        {
          isOwn: ownOf(view.status) !== null,
          isAnswering: view.status.stopped === undefined,
          isCopied: view.status.payer.kind === 'copied',
          toAnalyze,
        },
        actions,
        dispatch,
      );
  }
}
