// Keeps a run going and in view: call after call for each worker, and a look at it in between.
import type { BulkStatus } from '../../api/runs';
import { createPauses, isOfTheWay, type RpcClient } from '../ui/rpc-client';
import { isOver } from '../ui/texts';
import type { AnalyzeEvent } from './state';

/** As long as the server allows: Google ends a call after six minutes. */
const SLICE_MS = 300_000;
const LOOK_EVERY_MS = 2_000;
/** Nobody works on it here: somebody else, or the clock, may go on with it. */
const REST_LOOK_EVERY_MS = 10_000;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

export interface RunFollower {
  /** The run in view, as it was told last; null where there is none, or it is over. */
  follow(status: BulkStatus | null): void;
  /**
   * Calls its slices from here on, as long as the server wants more of them.
   *
   * @param isResumed a chain whose end is still on its way from the server goes on all the same.
   */
  drive(status: BulkStatus, isResumed?: boolean): void;
  /** What waits for its next try goes on at once. */
  wake(): void;
  /** A newer status came another way: what was asked before tells nothing any more. */
  overtake(): void;
}

interface Line {
  readonly rpc: RpcClient;
  dispatch(event: AnalyzeEvent): void;
  rest(ms: number): Promise<void>;
  tell(status: BulkStatus): void;
  isFollowed(runId: string): boolean;
  /** Whether it was resumed while its last answer was on its way; once. */
  isRenewed(): boolean;
}

async function keepCalling(line: Line, runId: string, worker: number): Promise<void> {
  let retryMs = RETRY_MS;
  while (line.isFollowed(runId)) {
    const reply = await line.rpc('bulk.run', { runId, worker, maxMs: SLICE_MS });
    if (reply.ok) {
      const { status, againInMs } = reply.value;
      line.tell(status);
      if (againInMs === null && !line.isRenewed()) return;
      retryMs = RETRY_MS;
      await line.rest(againInMs ?? 0);
    } else if (isOfTheWay(reply.failure)) {
      line.dispatch({ type: 'linkLost' });
      await line.rest(retryMs);
      retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
    } else return line.dispatch({ type: 'sliceFailed', failure: reply.failure });
  }
}

export function createRunFollower(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  pause: (ms: number) => Promise<void>,
): RunFollower {
  const { rest, wake } = createPauses(pause);
  /** Chains under way: whether each is to go on after its end. */
  const chains = new Map<string, boolean>();
  let followed: BulkStatus | null = null;
  let isLooking = false;
  let told = 0;

  const isFollowed = (runId: string): boolean => followed?.runId === runId;
  const tell = (status: BulkStatus): void => {
    told += 1;
    dispatch({ type: 'statusArrived', status });
    // As many as there is work for by now: whoever is one too many ends by itself.
    const isDriven = isFollowed(status.runId) && chains.has(nameOf(status.runId, 0));
    if (isDriven && status.state === 'running') callWorkers(status);
  };
  const nameOf = (runId: string, worker: number | '') => `${runId} ${worker}`;

  async function keepGoing({ runId }: BulkStatus, worker: number): Promise<void> {
    const name = nameOf(runId, worker);
    const isRenewed = () => {
      const isWished = chains.get(name) === true;
      chains.set(name, false);
      return isWished;
    };
    await keepCalling({ rpc, dispatch, rest, tell, isFollowed, isRenewed }, runId, worker);
    chains.delete(name);
    const isOneLeft = [...chains.keys()].some((other) => other.startsWith(nameOf(runId, '')));
    if (!isOneLeft && isFollowed(runId)) dispatch({ type: 'driveEnded' });
  }

  function callWorkers(status: BulkStatus, isResumed = false): void {
    for (let worker = 0; worker < status.workers; worker += 1) {
      const name = nameOf(status.runId, worker);
      const isUnderWay = chains.has(name);
      if (isResumed || !isUnderWay) chains.set(name, isUnderWay);
      if (!isUnderWay) void keepGoing(status, worker);
    }
  }

  async function look(): Promise<void> {
    while (followed !== null) {
      const isMoving = /ing$/.test(followed.state);
      await rest(isMoving ? LOOK_EVERY_MS : REST_LOOK_EVERY_MS);
      if (followed === null) return;
      const before = told;
      const reply = await rpc('bulk.status', {});
      if (!reply.ok) dispatch({ type: 'linkLost' });
      else if (reply.value !== null && told === before) tell(reply.value);
    }
  }

  return {
    follow(status) {
      followed = status === null || isOver(status) ? null : status;
      if (followed === null || isLooking) return;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
      });
    },
    drive(status, isResumed = false) {
      followed = status;
      callWorkers(status, isResumed);
    },
    wake,
    overtake: () => {
      told += 1;
    },
  };
}
