// Runs one execution from start to end, measures its time and ends it in one of four ways.

import type { CallParts } from './call';
import { receiveCall } from './call';
import { TestMistake } from './dialogs';
import type { FaultAt } from './faults';
import type { LatencyLaw } from './latency';
import type { LimitReached } from './limits';
import { inWords, say } from './messages';
import type { Random } from './random';
import type { Ending, Failure, Launch, ScriptError } from './realm/launch';
import type { Scheduler } from './scheduler';
import type { Caller, Ended } from './service';
import type { ThreadMessage, ThreadPool } from './thread-pool';
import { OUT_OF_MEMORY, RUNAWAY } from './thread-pool';
import { decode, encode } from './wire';

export interface ExecutionEnd {
  readonly ended: Ended;
  readonly value: unknown;
  readonly error: ScriptError | null;
  /** null: the script returned. */
  readonly failure: Failure | null;
  readonly serviceCalls: number;
  readonly logs: readonly string[];
}

export interface ExecutionParts extends CallParts {
  readonly scheduler: Scheduler;
  readonly pool: ThreadPool;
  readonly latency: LatencyLaw;
}

export interface ExecutionPlan {
  readonly caller: Caller;
  readonly launch: Launch;
  readonly limit: LimitReached;
  /**
   * The execution dies before the call numbered `atCall` takes effect, or after the call numbered
   * `afterCall` did. Calls count from 1. null: it is not killed.
   */
  readonly kill: { readonly atCall: number | null; readonly afterCall: number | null };
  /** The calls that Google's services fail. */
  readonly faultAt: FaultAt;
  readonly random: Random;
  readonly done: (end: ExecutionEnd) => void;
}

/** What a service call may do to its execution. */
export interface Running {
  readonly isOver: () => boolean;
  /** Passes an answer to the script and lets it continue. */
  readonly resume: (text: string) => void;
  /** Sets how to cancel the call under way if the execution ends before the answer arrives. */
  readonly setCallOff: (callOff: () => void) => void;
  readonly countCall: (name: string) => number;
  readonly kill: (error: ScriptError) => void;
}

/** Apps Script's words. In a cell it adds the line number 0, which is not a real line. */
function timeLimitError({ door, locale }: Caller): ScriptError {
  const line = door === 'cell' ? ' (line 0).' : '';
  return { name: 'Exception', message: inWords(say('time-over'), locale) + line };
}

/** Users report this text, in English. */
const NO_MEMORY: ScriptError = { name: 'Exception', message: 'Exceeded memory limit' };

/** An error in the host itself or in a test, which is never the script's fault. */
export function hostError(cause: unknown): ScriptError {
  if (cause instanceof TestMistake) return { name: cause.name, message: cause.message };
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return { name: 'HostError', message };
}

export function startExecution(parts: ExecutionParts, plan: ExecutionPlan): void {
  const { scheduler, pool, latency, record } = parts;
  const { caller, launch, limit, random, done } = plan;
  const logs: string[] = [];
  let serviceCalls = 0;
  let lastCall: string | null = null;
  let isOver = false;
  let callOff = () => {};

  const end = (
    ended: Ended,
    value: unknown,
    error: ScriptError | null,
    failure: Failure | null = null,
  ) => {
    if (isOver) return;
    isOver = true;
    callOffLimit();
    callOff();
    if (ended === 'returned' || ended === 'threw') thread.release();
    else thread.kill();
    record(caller, ended, error ? `${error.name} <${error.message.length}>` : '');
    done({ ended, value, error, failure, serviceCalls, logs });
  };
  const underWay = (): Failure =>
    lastCall === null ? {} : { call: { name: lastCall, number: serviceCalls } };
  const running: Running = {
    isOver: () => isOver,
    resume: (text) => thread.send(text),
    setCallOff: (next) => {
      callOff = next;
    },
    countCall: (name) => {
      serviceCalls += 1;
      lastCall = name;
      return serviceCalls;
    },
    kill: (error) => end('killed', undefined, error, underWay()),
  };
  const receive = (message: ThreadMessage) => {
    if (isOver) return;
    if (message.kind === 'broken') {
      // A script that computes without end is stopped, and its execution ends at the time limit.
      if (message.text === RUNAWAY) thread.kill();
      else if (message.text === OUT_OF_MEMORY) running.kill(NO_MEMORY);
      else running.kill(hostError(message.text));
      return;
    }
    logs.push(...message.notes);
    if (message.kind === 'call') return receiveCall(parts, plan, running, message.text);
    const ending = decode(message.text) as Ending;
    if (ending.ok) end('returned', ending.value, null);
    else end('threw', undefined, ending.error, ending.failure);
  };
  const thread = pool.acquire(receive);
  record(caller, 'start', `${caller.door} ${caller.authMode} ${launch.functionName}`);
  const callOffLimit = scheduler.at(scheduler.nowMs() + limit.value, () =>
    end('timedOut', undefined, timeLimitError(caller), { ...underWay(), limit }),
  );
  callOff = scheduler.at(scheduler.nowMs() + latency.startMs(random), () =>
    thread.send(encode(launch)),
  );
}
