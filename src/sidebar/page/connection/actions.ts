// What the Connection page asks of the server, step by step; every answer becomes an event.
import type { ConnectionDraft, ConnectionStatus } from '../../rpc-contract';
import type { RpcClient } from '../rpc-client';
import type { PageEvent } from '../state';
import type { WaitingWorker } from '../waiting/work-off';

export interface ConnectionActions {
  load(): Promise<void>;
  /** Saves, and on success makes one real call so that the person sees that it works. */
  save(draft: ConnectionDraft): Promise<void>;
  check(): Promise<void>;
  remove(): Promise<void>;
}

export function createConnectionActions(
  rpc: RpcClient,
  dispatch: (event: PageEvent) => void,
  waiting: WaitingWorker,
): ConnectionActions {
  let runs = 0;

  const arrived = (status: ConnectionStatus): void => {
    dispatch({ type: 'statusArrived', status });
    waiting.take(status);
  };

  const load = async (): Promise<void> => {
    dispatch({ type: 'statusAsked' });
    const reply = await rpc('connection.status', {});
    if (reply.ok) arrived(reply.value);
    else dispatch({ type: 'statusFailed', failure: reply.failure });
  };

  const check = async (): Promise<void> => {
    runs += 1;
    const run = runs;
    dispatch({ type: 'checkStarted', run });
    const reply = await rpc('connection.check', {});
    if (reply.ok) dispatch({ type: 'checkAnswered', run, report: reply.value });
    else dispatch({ type: 'checkFailed', run, failure: reply.failure });
    // The check may have stopped the connection, taken a stop away, or taught its limit.
    const after = await rpc('connection.status', {});
    if (after.ok) arrived(after.value);
  };

  const save = async (draft: ConnectionDraft): Promise<void> => {
    const reply = await rpc('connection.save', draft);
    if (!reply.ok) {
      dispatch({ type: 'saveFailed', failure: reply.failure });
      return;
    }
    waiting.renew();
    dispatch({ type: 'saved', status: reply.value });
    if (reply.value.connected) await check();
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

  return { load, save, check, remove };
}
