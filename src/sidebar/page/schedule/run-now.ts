// Runs a schedule at once: call after call as long as the server wants more, with looks in between.
import type { BulkStatus } from '../../bulk-contract';
import type { RpcFailure } from '../../rpc-contract';
import type { ScheduleShown } from '../../schedule-contract';
import { createRests, isOfTheWay } from '../analyze/run-follower';
import { isOver } from '../analyze/state';
import type { RpcClient } from '../rpc-client';
import type { ScheduleEvent } from './state';

/** As long as the server allows: a list tells how far it is, and can be stopped, in between. */
const LIST_MS = 300_000;
/** Formulas are heard of only between two calls. */
const FORMULAS_MS = 60_000;
const LOOK_EVERY_MS = 2_000;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

export interface RunNow {
  /** Until it is through, stopped or broken; one at a time. */
  start(schedule: ScheduleShown): Promise<void>;
  /** Calls under way are finished first. */
  stop(): Promise<void>;
  /** What waits for its next try goes on at once. */
  wake(): void;
}

interface Current {
  status: BulkStatus | null;
  isStopping: boolean;
  /** The job that was told to stop. */
  stopped: string | null;
}

export function createRunNow(
  rpc: RpcClient,
  dispatch: (event: ScheduleEvent) => void,
  pause: (ms: number) => Promise<void>,
): RunNow {
  const { rest, wake } = createRests(pause);
  let current: Current | null = null;

  /** Once its job is known, a run of a list is stopped in the middle of a call. */
  async function stopJob(run: Current, { jobId }: BulkStatus): Promise<void> {
    if (run.stopped === jobId) return;
    run.stopped = jobId;
    const reply = await rpc('bulk.stop', { jobId });
    if (!reply.ok) run.stopped = null;
  }

  async function look(run: Current): Promise<void> {
    while (current === run) {
      await rest(LOOK_EVERY_MS);
      if (current !== run) return;
      const reply = await rpc('bulk.status', {});
      if (current !== run || !reply.ok || reply.value === null || isOver(reply.value)) continue;
      run.status = reply.value;
      dispatch({ type: 'statusArrived', status: reply.value });
      if (run.isStopping) void stopJob(run, reply.value);
    }
  }

  /** @return why it broke, or null at its end. */
  async function work(id: string, maxMs: number, run: Current): Promise<RpcFailure | null> {
    let retryMs = RETRY_MS;
    for (;;) {
      const reply = await rpc('schedule.run', { id, maxMs });
      if (reply.ok) {
        dispatch({ type: 'sliceDone', run: reply.value.run });
        const { againInMs } = reply.value;
        if (againInMs === null || run.isStopping) return reply.value.run.problem ?? null;
        retryMs = RETRY_MS;
        await rest(againInMs);
      } else if (isOfTheWay(reply.failure) && !run.isStopping) {
        dispatch({ type: 'linkLost' });
        await rest(retryMs);
        retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
      } else return run.isStopping ? null : reply.failure;
      if (run.isStopping) return null;
    }
  }

  return {
    async start({ id, settings }) {
      if (current !== null) return;
      const run: Current = { status: null, isStopping: false, stopped: null };
      current = run;
      dispatch({ type: 'runAsked', id });
      const isList = settings.task.kind === 'list';
      if (isList) void look(run);
      const failure = await work(id, isList ? LIST_MS : FORMULAS_MS, run);
      current = null;
      dispatch({ type: 'runEnded', failure });
    },
    async stop() {
      if (current === null || current.isStopping) return;
      current.isStopping = true;
      dispatch({ type: 'stopAsked' });
      wake();
      if (current.status !== null) await stopJob(current, current.status);
    },
    wake,
  };
}
