// What a person can do on the Connection page, its background work, and its buttons.

import type { ConnectionDraft, Sharing } from '../../../connection/connection';
import { mendOf } from '../../../failures/failure';
import type { DialectSetting } from '../../../service/dialect';
import type { CheckRequest } from '../../api/check';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcReply } from '../../api/define-api';
import { ANALYZE_SHEET, type BarButton, type Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import { type Connected, FORM_ID, ownOf } from './form';
import {
  asked,
  type ConnectionState,
  canLeave,
  changed,
  changeOpened,
  checkEnded,
  checkStarted,
  done,
  failed,
  left,
  loading,
  type Notice,
  type Pending,
  type Refreshing,
  refreshed,
  removalConfirmed,
  removed,
  type Step,
  saved,
  statusArrived,
  viewOf,
  waitingCounted,
  waitingFailed,
} from './state';
import {
  analyzeLabel,
  failureOf,
  NOTHING_REFRESHED,
  refreshedText,
  requestOf,
  VIEW_TEXTS,
} from './texts';

/** Changes the page's state. */
export type Update = (step: Step) => void;

/** The length of one call; stopping takes effect after it. */
const REFRESH_CALL_MS = 30_000;

interface FormulaRefresher {
  /**
   * Starts a refresh, either where formulas show no figures (with no message if there are none) or of
   * all.
   */
  start(onlyFailed: boolean): Promise<void>;
  /** Adds the refresh argument to formulas that have none. */
  addArguments(): Promise<void>;
  /** Stops after the call under way. */
  stop(): void;
}

export function createFormulaRefresher(rpc: RpcClient, update: Update): FormulaRefresher {
  let runs = 0;
  let working: Extract<Refreshing, { at: 'working' }> | null = null;
  const tell = (refreshing: Refreshing): void => {
    working = refreshing.at === 'working' ? refreshing : null;
    update(refreshed(refreshing));
  };
  return {
    async start(onlyFailed) {
      runs += 1;
      const run = runs;
      const isShown = () => working !== null;
      if (!onlyFailed) tell({ at: 'working', of: 'products', left: null, isStopping: false });
      for (;;) {
        const reply = await rpc('formulas.refresh', { maxMs: REFRESH_CALL_MS, onlyFailed });
        if (run !== runs) return;
        if (!reply.ok)
          return tell(isShown() ? { at: 'failed', failure: reply.failure } : { at: 'none' });
        const { left, calls, problem } = reply.value;
        const goesOn = left > 0 && calls > 0 && problem === undefined;
        if (!goesOn || working?.isStopping === true) {
          const done = { at: 'done', report: reply.value } as const;
          const isNews = isShown() || refreshedText(done) !== NOTHING_REFRESHED;
          return tell(isNews ? done : { at: 'none' });
        }
        tell({ at: 'working', of: 'products', left, isStopping: false });
      }
    },
    async addArguments() {
      runs += 1;
      const run = runs;
      let added = 0;
      let refused = 0;
      tell({ at: 'working', of: 'formulas', left: null, isStopping: false });
      for (;;) {
        const reply = await rpc('formulas.follow', { maxMs: REFRESH_CALL_MS });
        if (run !== runs) return;
        if (!reply.ok) return tell({ at: 'failed', failure: reply.failure });
        const { left, calls, problem } = reply.value;
        added += reply.value.added;
        refused = reply.value.refused;
        const hasMoved = calls > 0 || reply.value.added > 0;
        const goesOn = left > 0 && hasMoved && problem === undefined;
        if (!goesOn || working?.isStopping === true)
          return tell({ at: 'added', report: { ...reply.value, added, refused } });
        tell({ at: 'working', of: 'formulas', left, isStopping: false });
      }
    },
    stop() {
      if (working !== null) tell({ ...working, isStopping: true });
    },
  };
}

/**
 * The length of one call: short enough that the number shown keeps changing, and far below Google's
 * six minutes.
 */
const WAITING_CALL_MS = 20_000;

/** After a call that settled nothing, the next ones come later and later, but they do come. */
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 300_000;

interface WaitingWorker {
  /** Begins if products wait, unless a call is already under way. */
  take(status: ConnectionStatus): void;
  /** The connection was replaced, so the result of a call under way belongs to the former one. */
  renew(): void;
}

export function createWaitingWorker(
  rpc: RpcClient,
  update: Update,
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
      if (!reply.ok) return update(waitingFailed(reply.failure));
      const { left, settled, isShown } = reply.value;
      update(waitingCounted(left, isShown));
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
      update(waitingCounted(status.waiting, false));
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
  /** Saves the connection and then makes one real call, so that the person sees that it works. */
  save(draft: ConnectionDraft): Promise<void>;
  check(wish?: CheckRequest): Promise<void>;
  /** Answers a question of the check: saves the draft with this setting. */
  decide(draft: ConnectionDraft, setting: DialectSetting, value: string): Promise<void>;
  remove(): Promise<void>;
  share(sharing: Sharing): Promise<void>;
  /** In a copy of a spreadsheet: allows the key that came with it. */
  useHere(): Promise<void>;
  /** Forgets what the service has said about its limit. */
  relearn(): Promise<void>;
  insertSamples(): Promise<void>;
  startDemo(): Promise<void>;
  stopDemo(): Promise<void>;
  refreshFormulas(): Promise<void>;
  /** Adds the refresh argument to formulas that have none. */
  addRefreshArguments(): Promise<void>;
  stopRefreshing(): void;
}

type Requests = Omit<ConnectionActions, 'load' | 'save' | 'check' | 'remove'>;

/** Work that goes on in the background. */
export interface Workers {
  readonly waiting: WaitingWorker;
  readonly formulas: FormulaRefresher;
}

/** One short call: marks it as pending, then applies the failure or the step made of its value. */
async function run<Value>(
  update: Update,
  pending: Pending,
  call: Promise<RpcReply<Value>>,
  made: (value: Value) => Step,
): Promise<Value | null> {
  update(asked(pending));
  const reply = await call;
  update(reply.ok ? made(reply.value) : failed(pending, reply.failure));
  return reply.ok ? reply.value : null;
}

function createRequests(rpc: RpcClient, update: Update, formulas: FormulaRefresher): Requests {
  /** A call whose answer is the new connection. */
  const change = (
    pending: Pending,
    call: Promise<RpcReply<ConnectionStatus>>,
    notice: Notice | null,
  ) => run(update, pending, call, (status) => changed(pending, status, notice));
  return {
    decide: async (draft, setting, value) => {
      const { [setting]: _, ...others } = draft.settings ?? {};
      const settings = value === '' ? others : { ...others, [setting]: value };
      await change('decide', rpc('connection.save', { ...draft, settings }), 'setting-saved');
    },
    share: async (sharing) => {
      const isShared = sharing === 'spreadsheet';
      const call = rpc('connection.share', { sharing });
      const shared = await change('share', call, isShared ? 'shared' : 'unshared');
      if (shared !== null && isShared) await formulas.start(true);
    },
    useHere: async () => {
      const allowed = await change('useHere', rpc('connection.useHere', {}), 'allowed-here');
      if (allowed !== null) await formulas.start(true);
    },
    relearn: async () =>
      void (await change('relearn', rpc('connection.relearn', {}), 'limit-detected')),
    startDemo: async () => {
      const begun = await change('demo', rpc('demo.start', {}), null);
      if (begun !== null) await formulas.start(true);
    },
    stopDemo: async () => void (await change('demo', rpc('demo.stop', {}), 'samples-off')),
    insertSamples: async () => {
      await run(update, 'samples', rpc('samples.insert', {}), (rows) => done('samples', rows));
    },
    refreshFormulas: () => formulas.start(false),
    addRefreshArguments: formulas.addArguments,
    stopRefreshing: formulas.stop,
  };
}

export function createConnectionActions(
  rpc: RpcClient,
  update: Update,
  { waiting, formulas }: Workers,
): ConnectionActions {
  let runs = 0;
  /**
   * Set while no product gets answers. Once one does, formulas that failed meanwhile are
   * recalculated.
   */
  let wasStopped = false;

  const arrived = (status: ConnectionStatus): void => {
    update(statusArrived(status));
    wasStopped ||= status.connected && status.stopped !== undefined;
    waiting.take(status);
  };

  const load = async (): Promise<void> => {
    update(loading);
    const reply = await rpc('connection.status', {});
    if (reply.ok) arrived(reply.value);
    else update(failed('load', reply.failure));
  };

  const check = async (wish: CheckRequest = {}): Promise<void> => {
    runs += 1;
    const run = runs;
    update(checkStarted(run));
    const reply = await rpc('connection.check', wish);
    const { ok } = reply;
    update(
      checkEnded(
        run,
        ok ? { at: 'done', report: reply.value } : { at: 'failed', failure: reply.failure },
      ),
    );
    const isAnsweredAgain = ok && wasStopped;
    wasStopped = !ok;
    // The check may have stopped or reopened the connection, or revealed its limit.
    const after = await rpc('connection.status', {});
    if (after.ok) arrived(after.value);
    if (isAnsweredAgain) await formulas.start(true);
  };

  const save = async (draft: ConnectionDraft): Promise<void> => {
    const reply = await rpc('connection.save', draft);
    if (!reply.ok) return update(failed('save', reply.failure));
    waiting.renew();
    wasStopped = true;
    update(saved(reply.value));
    if (reply.value.connected) await check();
  };

  const remove = async (): Promise<void> => {
    update(removalConfirmed);
    const reply = await rpc('connection.clear', {});
    if (!reply.ok) return update(failed('remove', reply.failure));
    waiting.renew();
    update(removed(reply.value));
  };

  return { load, save, check, remove, ...createRequests(rpc, update, formulas) };
}

/** What the body is drawn from. */
export interface BodyProps {
  readonly state: ConnectionState;
  readonly actions: ConnectionActions;
  readonly nowMs: number;
  readonly update: Update;
}

/** What the buttons do. */
interface Hands extends Pick<BodyProps, 'actions' | 'update'> {
  /** Shows the Analyze page, which inspects the active sheet and names it. */
  toAnalyze(): void;
  /** The name of the active sheet, if known. */
  readonly sheet: string | null;
}

const MENDS = { apiKey: VIEW_TEXTS.replaceTheKey, baseUrl: VIEW_TEXTS.editTheAddress } as const;

/** Changes what the service has refused; null: checking again is all that helps. */
function mendButton(state: ConnectionState, update: Update): BarButton | null {
  const mend = mendOf(failureOf(state)?.kind ?? '');
  return mend === undefined
    ? null
    : { label: MENDS[mend], press: () => update(changeOpened(mend)) };
}

/** After a successful check, the next step is a list. */
function connectedButtons(
  state: ConnectionState,
  status: Connected,
  { actions, update, toAnalyze, sheet }: Hands,
): Buttons {
  const { check, pending, beside } = state;
  const isOwn = ownOf(status) !== null;
  const isChecking = check.at === 'running';
  const ask = () => void actions.check(requestOf(beside));
  const insert = insertButton(pending, actions);
  const again = check.at === 'none' ? VIEW_TEXTS.check : VIEW_TEXTS.checkAgain;
  const primary = {
    label: isChecking ? VIEW_TEXTS.checking : again,
    isBusy: isChecking,
    press: ask,
  };
  const mend = isOwn && !isChecking ? mendButton(state, update) : null;
  if (mend !== null) return { primary: mend, second: primary };
  const enterKey = () => update(changeOpened('apiKey'));
  const ownKey = { id: 'change-apiKey', label: VIEW_TEXTS.useOwnKey, press: enterKey };
  // Formulas wait until somebody allows the key that came with the copy.
  if (status.payer.kind === 'copied') {
    const isBusy = pending === 'useHere';
    const press = () => void actions.useHere();
    const allow = { id: 'use-here', label: VIEW_TEXTS.useKeyHere, isBusy, press };
    return { primary: allow, second: isOwn ? primary : ownKey };
  }
  if (check.at === 'done') {
    const analyze = { id: ANALYZE_SHEET, label: analyzeLabel(sheet), press: toAnalyze };
    return { primary: analyze, second: insert };
  }
  if (!isOwn) return { primary, second: ownKey };
  // A refused key would not answer any rows.
  const canAnswer = check.at === 'none' && status.stopped === undefined;
  return canAnswer ? { primary, second: insert } : { primary };
}

function insertButton(pending: Pending | null, actions: ConnectionActions): BarButton {
  const isBusy = pending === 'samples';
  return {
    id: 'insert-samples',
    label: isBusy ? VIEW_TEXTS.writingRows : VIEW_TEXTS.createExample,
    isBusy,
    press: () => void actions.insertSamples(),
  };
}

function enteringButtons(
  { pending }: ConnectionState,
  status: ConnectionStatus,
  { actions, update }: Hands,
): Buttons {
  const isNew = ownOf(status) === null;
  if (pending === 'save')
    return { primary: { label: isNew ? VIEW_TEXTS.connecting : UI_TEXTS.saving, isBusy: true } };
  const primary = { label: isNew ? VIEW_TEXTS.connect : VIEW_TEXTS.save, form: FORM_ID };
  if (canLeave(status))
    return { primary, second: { id: 'back', label: UI_TEXTS.back, press: () => update(left) } };
  const isBusy = pending === 'demo';
  const start = () => void actions.startDemo();
  return {
    primary,
    second: { id: 'try-samples', label: VIEW_TEXTS.trySamples, isBusy, press: start },
  };
}

function removingButtons({ pending }: ConnectionState, { actions, update }: Hands): Buttons {
  if (pending === 'remove')
    return { primary: { label: UI_TEXTS.removing, isDangerous: true, isBusy: true } };
  return {
    primary: { label: VIEW_TEXTS.removeKey, isDangerous: true, press: () => void actions.remove() },
    second: { id: 'keep', label: UI_TEXTS.keepIt, press: () => update(left) },
  };
}

export function buttonsOf(state: ConnectionState, hands: Hands): Buttons {
  const { actions, update } = hands;
  const view = viewOf(state);
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return { primary: { label: UI_TEXTS.tryAgain, press: () => void actions.load() } };
    case 'entering':
      return enteringButtons(state, view.status, hands);
    case 'sampling':
      return {
        primary: insertButton(state.pending, actions),
        second: {
          id: 'change-baseUrl',
          label: UI_TEXTS.connectKey,
          press: () => update(changeOpened('baseUrl')),
        },
      };
    case 'connected':
      return state.mode === 'removing'
        ? removingButtons(state, hands)
        : connectedButtons(state, view.status, hands);
  }
}
