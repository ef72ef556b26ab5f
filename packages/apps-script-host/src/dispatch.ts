// Takes a request to run a function through to its outcome: admits or refuses it, runs it and
// reports.

import type { Candidate } from './admission';
import { createAdmission } from './admission';
import { callerOf, illegalCall, launchOf, timeLimit } from './caller';
import { createDailyQuota } from './daily-quota';
import type { ExecutionEnd, ExecutionParts } from './execution';
import { startExecution } from './execution';
import type { FaultLaw } from './faults';
import { faultsOf } from './faults';
import type { Execution, Outcome } from './host-contract';
import { type HostLimits, reached } from './limits';
import { inWords, say } from './messages';
import type { Failure, ScriptError } from './realm/launch';
import type { Caller, World } from './service';
import type { ServiceRegistry } from './service-registry';

export interface Dispatch {
  readonly start: (execution: Execution, atMs?: number) => Promise<Outcome>;
  /**
   * Resolves after those who wait for the latest outcomes have run. null: there are no new
   * outcomes.
   */
  readonly afterOutcomes: () => Promise<void> | null;
  readonly untilIdle: () => Promise<void>;
}

export interface DispatchOptions {
  readonly seed: number;
  readonly world: World;
  readonly faults: FaultLaw | null;
  readonly parts: ExecutionParts;
  /**
   * Tells the services that an execution has begun, and that what it held is free once it has
   * ended.
   */
  readonly services: Pick<ServiceRegistry, 'started' | 'ended'>;
  readonly onEnded: (execution: Execution, outcome: Outcome) => void;
}

type Settle = (outcome: Outcome) => void;

export function createDispatch({
  seed,
  world,
  faults,
  parts,
  services,
  onEnded,
}: DispatchOptions): Dispatch {
  const { scheduler, limits } = world;
  const refuse = (caller: Caller, name: string, message: string, settle: Settle, failure = {}) => {
    world.record(caller, 'refused', message);
    settle(refusedOutcome({ name, message }, failure, scheduler.nowMs()));
  };
  const refuseAt = (
    limit: keyof HostLimits,
    caller: Caller,
    kind: 'too-many-executions' | 'trigger-time-spent' | 'too-many-starts',
    settle: Settle,
  ) => {
    const message = inWords(say(kind), caller.locale);
    refuse(caller, 'Exception', message, settle, { limit: reached(limits, limit) });
  };
  const admission = createAdmission(limits);
  const outcomes = createOutcomes();
  const triggerTime = createDailyQuota(scheduler.nowMs, limits.triggerRuntimePerDayMs);
  const cellStarts = createStartsPerSecond(scheduler.nowMs, limits.cellStartsPerSecond);
  let executions = 0;

  const candidateFor = (execution: Execution, caller: Caller, settle: Settle): Candidate => {
    const candidate: Candidate = {
      userEmail: caller.userEmail,
      isCell: execution.door === 'cell',
      admit: () => {
        const startedMs = scheduler.nowMs();
        const done = (end: ExecutionEnd) => {
          if (caller.door === 'clock') {
            triggerTime.count(caller.userEmail, scheduler.nowMs() - startedMs);
          }
          services.ended(caller, end.ended);
          admission.leave(candidate);
          settle(outcomeOf(end, startedMs, scheduler.nowMs()));
        };
        services.started(caller);
        startExecution(parts, {
          caller,
          launch: launchOf(execution, caller, seed, world),
          limit: timeLimit(execution, limits),
          kill: {
            atCall: execution.killAtCall ?? null,
            afterCall: execution.killAfterCall ?? null,
          },
          faultAt: faultsOf(
            execution.faults ?? [],
            faults,
            world.random(`faults of ${caller.executionId}`),
          ),
          random: world.random(`execution ${caller.executionId}`),
          done,
        });
      },
      refuse: (limit) => refuseAt(limit, caller, 'too-many-executions', settle),
    };
    return candidate;
  };
  const begin = (execution: Execution, settle: Settle) => {
    executions += 1;
    const caller = callerOf(execution, executions, world);
    const illegal = execution.door === 'sidebar' ? illegalCall(execution) : null;
    const hasTime = caller.door !== 'clock' || triggerTime.allows(caller.userEmail, 1);
    if (illegal !== null) refuse(caller, 'TypeError', illegal, settle);
    else if (!hasTime) refuseAt('triggerRuntimePerDayMs', caller, 'trigger-time-spent', settle);
    else if (caller.door === 'cell' && !cellStarts.allows(caller.userEmail))
      refuseAt('cellStartsPerSecond', caller, 'too-many-starts', settle);
    else admission.apply(candidateFor(execution, caller, settle));
  };
  return {
    start: (execution, atMs = scheduler.nowMs()) =>
      outcomes.expect((settle) =>
        scheduler.at(atMs, () =>
          begin(execution, (outcome) => {
            onEnded(execution, outcome);
            settle(outcome);
          }),
        ),
      ),
    afterOutcomes: outcomes.afterOutcomes,
    untilIdle: outcomes.untilIdle,
  };
}

/** Counts the starts of the last second for each user. A refused start does not count. */
function createStartsPerSecond(nowMs: () => number, most: number) {
  const starts = new Map<string, number[]>();
  return {
    allows(userEmail: string): boolean {
      if (most === Number.POSITIVE_INFINITY) return true;
      const recent = (starts.get(userEmail) ?? []).filter((atMs) => atMs > nowMs() - 1_000);
      const isAllowed = recent.length < most;
      starts.set(userEmail, isAllowed ? [...recent, nowMs()] : recent);
      return isAllowed;
    },
  };
}

/** Tracks the outcomes for which callers wait. */
function createOutcomes() {
  const open = new Set<Promise<Outcome>>();
  let isNew = false;
  return {
    expect(begin: (settle: Settle) => void): Promise<Outcome> {
      const outcome = new Promise<Outcome>((resolve) => {
        begin((settled) => {
          isNew = true;
          resolve(settled);
        });
      });
      open.add(outcome);
      outcome.finally(() => open.delete(outcome));
      return outcome;
    },
    afterOutcomes(): Promise<void> | null {
      if (!isNew) return null;
      isNew = false;
      return new Promise((resolve) => setImmediate(resolve));
    },
    async untilIdle(): Promise<void> {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

function outcomeOf(end: ExecutionEnd, startedMs: number, endedMs: number): Outcome {
  const { value, error, failure, ended, ...rest } = end;
  const run = { ...rest, startedMs, endedMs };
  if (error === null) return { ok: true, value, ended: 'returned', ...run };
  const how = ended === 'returned' ? 'threw' : ended;
  return { ok: false, error, failure: failure ?? {}, ended: how, ...run };
}

function refusedOutcome(error: ScriptError, failure: Failure, nowMs: number): Outcome {
  return {
    ok: false,
    ended: 'refused',
    error,
    failure,
    serviceCalls: 0,
    logs: [],
    startedMs: nowMs,
    endedMs: nowMs,
  };
}
