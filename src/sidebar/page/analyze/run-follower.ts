// Keeps a run going and visible: each worker's calls one after the other, and status requests in
// between.
import type { Choice } from '../../../runs/run';
import type { RpcReply } from '../../api/define-api';
import type { RpcFailure } from '../../api/failure-view';
import type { BulkStatus } from '../../api/runs';
import { createPauses, isOfTheWay, type RpcClient } from '../ui/rpc-client';
import { isOver } from '../ui/texts';
import type { AnalyzeEvent } from './state';

/** The longest time that the server allows for a call; Google ends a call after six minutes. */
const SLICE_MS = 300_000;
/** Shorter, because starting the run takes some seconds of the same call. */
const FIRST_SLICE_MS = 240_000;
const LOOK_EVERY_MS = 2_000;
/** The first rows are in the sheet about five seconds after the click. */
const FIRST_LOOK_MS = 3_000;
const FIRST_LOOKS_EVERY_MS = 400;
/**
 * Askers called together with the start: where answers take seconds, one alone would be waiting for
 * its first wave while the next one is due. A list of fewer calls than this does not need another.
 */
const FIRST_ASKERS_MAX = 3;
const CALLS_PER_ASKER = 30;
/** For a run that this page does not work on, while somebody else or the clock may. */
const REST_LOOK_EVERY_MS = 10_000;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

/**
 * After this many quick answers without progress, each pause is twice as long: a page that is left
 * open must not use up Google's daily calls.
 */
const QUIET_MAX = 5;
const QUICK_MS = 30_000;
const QUIET_MS_MAX = 30_000;

export interface RunFollower {
  /** Shows the run with this status; null if there is none or it is over. */
  follow(status: BulkStatus | null): void;
  /**
   * Starts a run with a call that then works on it. Returns its status once it is under way, else
   * the failure.
   *
   * @param calls how many calls the run will make, if known.
   */
  begin(choice: Choice, calls?: number): Promise<BulkStatus | { readonly failure: RpcFailure }>;
  /**
   * Makes the run's calls from here on, as long as the server asks for more.
   *
   * @param isResumed the chain of calls continues even if the end of an earlier one is still on its
   * way from the server.
   */
  drive(status: BulkStatus, isResumed?: boolean): void;
  /** Ends all pauses, so that waiting calls are tried again at once. */
  wake(): void;
  /** A newer status has arrived by another way, so replies to earlier requests are ignored. */
  overtake(): void;
}

interface Line {
  readonly rpc: RpcClient;
  nowMs(): number;
  dispatch(event: AnalyzeEvent): void;
  rest(ms: number): Promise<void>;
  tell(status: BulkStatus): void;
  isFollowed(runId: string): boolean;
  /** Whether the run was resumed while its last answer was on its way. Reading it resets it. */
  isRenewed(): boolean;
}

type SliceReply = Promise<
  RpcReply<{ readonly status: BulkStatus; readonly againInMs: number | null }>
>;

/** @param first the call that has started the run. */
async function keepCalling(
  line: Line,
  runId: string,
  worker: number,
  first?: SliceReply,
): Promise<void> {
  let retryMs = RETRY_MS;
  let begun = first;
  let [seen, quiet] = ['', 0];
  while (line.isFollowed(runId)) {
    const askedMs = line.nowMs();
    const reply = await (begun ?? line.rpc('bulk.run', { runId, worker, maxMs: SLICE_MS }));
    begun = undefined;
    if (reply.ok) {
      const { status, againInMs } = reply.value;
      line.tell(status);
      if (againInMs === null && !line.isRenewed()) return;
      retryMs = RETRY_MS;
      const { answered, cached, failed, calls } = status;
      const news = String([answered, cached, failed, calls]);
      quiet = news === seen && line.nowMs() - askedMs < QUICK_MS ? quiet + 1 : 0;
      seen = news;
      const restMs = (againInMs ?? 0) * 2 ** Math.max(0, quiet - QUIET_MAX);
      await line.rest(Math.min(QUIET_MS_MAX, restMs));
    } else if (isOfTheWay(reply.failure)) {
      line.dispatch({ type: 'linkLost' });
      await line.rest(retryMs);
      retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
      // The first worker reports the failure. An asker may have waited in vain for a start.
    } else if (worker > 0) return;
    else return line.dispatch({ type: 'sliceFailed', failure: reply.failure });
  }
}

export function createRunFollower(
  rpc: RpcClient,
  dispatch: (event: AnalyzeEvent) => void,
  pause: (ms: number) => Promise<void>,
  nowMs: () => number,
): RunFollower {
  const { rest, wake } = createPauses(pause);
  /** Chains of calls under way, each with whether it has to continue after its end. */
  const chains = new Map<string, boolean>();
  let followed: BulkStatus | null = null;
  /** The id of the run that is being started. */
  let begunId: string | null = null;
  let isLooking = false;
  let told = 0;

  const isFollowed = (runId: string): boolean => followed?.runId === runId || begunId === runId;
  const tell = (status: BulkStatus): void => {
    told += 1;
    dispatch({ type: 'statusArrived', status });
    // Calls as many workers as there is work for now. A superfluous worker ends by itself.
    const isDriven = isFollowed(status.runId) && chains.has(nameOf(status.runId, 0));
    if (isDriven && status.state === 'running') callWorkers(status);
  };
  const nameOf = (runId: string, worker: number | '') => `${runId} ${worker}`;

  async function keepGoing(runId: string, worker: number, first?: SliceReply): Promise<void> {
    const name = nameOf(runId, worker);
    if (!chains.has(name)) chains.set(name, false);
    const isRenewed = () => {
      const isWished = chains.get(name) === true;
      chains.set(name, false);
      return isWished;
    };
    const line = { rpc, nowMs, dispatch, rest, tell, isFollowed, isRenewed };
    await keepCalling(line, runId, worker, first);
    chains.delete(name);
    const isOneLeft = [...chains.keys()].some((other) => other.startsWith(nameOf(runId, '')));
    if (!isOneLeft && isFollowed(runId)) dispatch({ type: 'driveEnded' });
  }

  function callWorkers(status: BulkStatus, isResumed = false): void {
    for (let worker = 0; worker < status.workers; worker += 1) {
      const name = nameOf(status.runId, worker);
      const isUnderWay = chains.has(name);
      if (isResumed || !isUnderWay) chains.set(name, isUnderWay);
      if (!isUnderWay) void keepGoing(status.runId, worker);
    }
  }

  const begin: RunFollower['begin'] = async (choice, calls = 0) => {
    // If two people start in the same millisecond, the record accepts only one of them.
    const runId = Math.floor(nowMs()).toString(36);
    const isThrough = ({ runId: id, state }: BulkStatus) => id === runId && state !== 'stopped';
    begunId = runId;
    const first = rpc('bulk.startRun', { choice, runId, maxMs: FIRST_SLICE_MS });
    const askers = Math.min(FIRST_ASKERS_MAX, Math.ceil(calls / CALLS_PER_ASKER) || 1);
    for (let worker = 1; worker <= askers; worker += 1) void keepGoing(runId, worker);
    let restMs = FIRST_LOOK_MS;
    for (;;) {
      const reply = await Promise.race([first, rest(restMs)]);
      restMs = FIRST_LOOKS_EVERY_MS;
      const isLost = reply?.ok === false && isOfTheWay(reply.failure);
      // The run may be under way even though the answer was lost.
      const seen = reply === undefined || isLost ? await rpc('bulk.status', {}) : null;
      const now = seen?.ok ? seen.value : null;
      const seenRun = now !== null && isThrough(now) ? now : null;
      const status = reply?.ok === true ? reply.value.status : seenRun;
      if (status === null && reply === undefined) continue;
      // Counts as begun until it is shown, because its first call may return earlier.
      begunId = status?.runId ?? null;
      if (status === null) return reply as { readonly failure: RpcFailure };
      followed = status;
      void keepGoing(status.runId, 0, first);
      callWorkers(status);
      return status;
    }
  };

  async function look(): Promise<void> {
    while (followed !== null) {
      const { answered, cached, failed, state } = followed;
      const everyMs = answered + cached + failed === 0 ? FIRST_LOOKS_EVERY_MS : LOOK_EVERY_MS;
      await rest(/ing$/.test(state) ? everyMs : REST_LOOK_EVERY_MS);
      if (followed === null) return;
      const before = told;
      const reply = await rpc('bulk.status', {});
      if (!reply.ok) dispatch({ type: 'linkLost' });
      else if (reply.value !== null && told === before) tell(reply.value);
    }
  }

  return {
    begin,
    follow(status) {
      if (status?.runId === begunId) begunId = null;
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
