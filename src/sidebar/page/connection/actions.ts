// What the Connection page asks of the server, step by step; every answer becomes an event.
import type {
  CheckWish,
  ConnectionDraft,
  ConnectionSettings,
  ConnectionStatus,
  RpcReply,
  Sharing,
} from '../../rpc-contract';
import type { RpcClient } from '../rpc-client';
import type { FormulaRefresher } from '../waiting/refresh-formulas';
import type { WaitingWorker } from '../waiting/work-off';
import type { ConnectionEvent, Errand } from './state';
import { insertedText, sharedText } from './summary';

export interface ConnectionActions {
  load(): Promise<void>;
  /** Saves, and on success makes one real call so that the person sees that it works. */
  save(draft: ConnectionDraft): Promise<void>;
  check(wish?: CheckWish): Promise<void>;
  remove(): Promise<void>;
  share(sharing: Sharing): Promise<void>;
  /** Saves settings that the server suggested, and checks with them. */
  follow(draft: ConnectionDraft, suggested: ConnectionSettings): Promise<void>;
  insertSamples(): Promise<void>;
  startDemo(): Promise<void>;
  stopDemo(): Promise<void>;
  exportSettings(): Promise<void>;
  importSettings(text: string): Promise<void>;
  refreshFormulas(): Promise<void>;
  stopRefreshing(): void;
}

type Dispatch = (event: ConnectionEvent) => void;
type Errands = Omit<ConnectionActions, 'load' | 'save' | 'check' | 'remove' | 'follow'>;

/** What works by itself beside what is pressed. */
export interface Workers {
  readonly waiting: WaitingWorker;
  readonly formulas: FormulaRefresher;
}

/** One short call: begun, and then either failed or what `done` makes of it. */
async function run<Value>(
  dispatch: Dispatch,
  errand: Errand,
  call: Promise<RpcReply<Value>>,
  done: (value: Value) => ConnectionEvent,
): Promise<Value | null> {
  dispatch({ type: 'errandBegun', errand });
  const reply = await call;
  dispatch(reply.ok ? done(reply.value) : { type: 'errandFailed', failure: reply.failure });
  return reply.ok ? reply.value : null;
}

function createErrands(rpc: RpcClient, dispatch: Dispatch, formulas: FormulaRefresher): Errands {
  const changed =
    (notice: string) =>
    (status: ConnectionStatus): ConnectionEvent => ({ type: 'errandChanged', status, notice });
  return {
    share: async (sharing) => {
      const call = rpc('connection.share', { sharing });
      const shared = await run(dispatch, 'share', call, changed(sharedText(sharing)));
      if (shared !== null && sharing === 'spreadsheet') await formulas.start(true);
    },
    insertSamples: async () => {
      await run(dispatch, 'samples', rpc('samples.insert', {}), (inserted) => ({
        type: 'errandDone',
        notice: insertedText(inserted),
      }));
    },
    startDemo: async () => {
      const begun = await run(dispatch, 'demo', rpc('demo.start', {}), changed(''));
      if (begun !== null) await formulas.start(true);
    },
    stopDemo: async () => {
      await run(dispatch, 'demo', rpc('demo.stop', {}), changed('Samples are off.'));
    },
    exportSettings: async () => {
      await run(dispatch, 'export', rpc('connection.export', {}), ({ text }) => ({
        type: 'errandExported',
        text,
      }));
    },
    importSettings: async (text) => {
      const call = rpc('connection.import', { text });
      await run(dispatch, 'import', call, ({ applied, draft, status }) =>
        applied
          ? { type: 'errandChanged', status, notice: 'The settings are in use.' }
          : { type: 'errandNeedsKey', draft, status },
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

  const check = async (wish: CheckWish = {}): Promise<void> => {
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
      type: 'errandChanged',
      status,
      notice: 'The setting is saved.',
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

  return { load, save, check, remove, follow, ...createErrands(rpc, dispatch, formulas) };
}
