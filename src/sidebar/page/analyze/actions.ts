// What the Analyze page asks of the server beside its runs; every answer becomes an event.
import type { BulkChoice, BulkMethods, BulkStatus } from '../../bulk-contract';
import type { RpcClient } from '../rpc-client';
import { createRunActions, type RunActions } from './run-actions';
import type { RunFollower } from './run-follower';
import { type AnalyzeEvent, isOursToDrive } from './state';

/** Rows to select in the sheet: given by number, or those that failed in one way. */
export type Shown = BulkMethods['bulk.show']['payload'];

export interface AnalyzeActions extends RunActions {
  /** @param seenJob the run whose end is still to be shown, if it ended meanwhile. */
  load(seenJob: string | null): Promise<void>;
  /** The same without a word, for when the sheet may have changed. */
  refresh(): Promise<void>;
  check(choice: BulkChoice): Promise<void>;
  /** @param wanted how many rows the page speaks of. */
  show(rows: Shown, wanted: number): Promise<void>;
  past(): Promise<void>;
}

export function createAnalyzeActions(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  follower: RunFollower,
): AnalyzeActions {
  /** A run that is under way and one's own is kept going from here, too. */
  const found = (status: BulkStatus): void => {
    if (isOursToDrive(status)) follower.drive(status);
  };

  const load: AnalyzeActions['load'] = async (seenJob) => {
    dispatch({ type: 'lookAsked' });
    const reply = await rpc('bulk.look', {});
    if (!reply.ok) return dispatch({ type: 'lookFailed', failure: reply.failure });
    const { run } = reply.value;
    if (run === null && seenJob !== null) {
      const last = await rpc('bulk.status', {});
      if (last.ok && last.value?.jobId === seenJob)
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

  const check: AnalyzeActions['check'] = async (choice) => {
    dispatch({ type: 'checkAsked', choice });
    const reply = await rpc('bulk.preflight', choice);
    if (reply.ok) return dispatch({ type: 'checkArrived', choice, preflight: reply.value });
    dispatch({ type: 'checkFailed', failure: reply.failure });
    // Another sheet may be in view by now.
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

  return { load, refresh, check, show, past, ...createRunActions(rpc, dispatch, follower) };
}
