// What a person does with a run: starts it, pauses, goes on, stops, retries what failed.
import type { BulkChoice, BulkStatus } from '../../bulk-contract';
import type { RpcClient } from '../rpc-client';
import { isOfTheWay, type RunFollower } from './run-follower';
import { type Act, type AnalyzeEvent, isOver } from './state';

export interface RunActions {
  start(choice: BulkChoice): Promise<void>;
  act(act: Exclude<Act, 'retry'>, jobId: string): Promise<void>;
  retry(jobId: string, kinds: readonly string[]): Promise<void>;
}

export function createRunActions(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  follower: RunFollower,
): RunActions {
  const started = (status: BulkStatus): void => {
    dispatch({ type: 'started', status });
    follower.drive(status);
  };

  const start: RunActions['start'] = async (choice) => {
    dispatch({ type: 'startAsked' });
    const reply = await rpc('bulk.start', choice);
    if (reply.ok) return started(reply.value);
    dispatch({ type: 'startFailed', failure: reply.failure });
    if (!isOfTheWay(reply.failure)) return;
    // The answer may have been lost, and not the question.
    const now = await rpc('bulk.status', {});
    if (now.ok && now.value?.isMine === true && !isOver(now.value)) started(now.value);
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

  const act: RunActions['act'] = async (wished, jobId) => {
    const status = await ask(wished, () => rpc(`bulk.${wished}`, { jobId }));
    if (status !== null && wished === 'resume') follower.drive(status, true);
  };

  const retry: RunActions['retry'] = async (jobId, kinds) => {
    const status = await ask('retry', () => rpc('bulk.retry', { jobId, kinds }));
    if (status !== null) follower.drive(status);
  };

  return { start, act, retry };
}
