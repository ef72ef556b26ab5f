// The emulated Apps Script: runs a built project's functions and keeps the platform's rules.

import { createRandom, seedFrom } from '../random';
import { createAdmission, TOO_MANY_EXECUTIONS } from './admission';
import { MODE_OF_DOOR } from './authorisation';
import type { ExecutionEnd, ExecutionParts } from './execution';
import { startExecution } from './execution';
import { illegalArgument, isHiddenFromPage } from './google-script-run';
import type { Execution, Host, HostOptions, Outcome } from './host-contract';
import { MODELLED_LATENCY, NO_LATENCY } from './latency';
import type { HostLimits } from './limits';
import { CONSUMER_LIMITS } from './limits';
import type { Launch } from './realm/launch';
import { realmSource } from './realm-source';
import { createRealScheduler, createVirtualScheduler } from './scheduler';
import type { AuthMode, Caller, Manifest, World } from './service';
import { createServiceRegistry } from './service-registry';
import { createThreadPool } from './thread-pool';
import { createTrace } from './trace';

export type { Door } from './service';
export type { Execution, Host, HostOptions, Outcome };

/** Where virtual time begins: Monday 5 January 2026, 09:00 UTC, in ms since 1970. */
const VIRTUAL_START_MS = Date.UTC(2026, 0, 5, 9);

/** A script in virtual time may compute so long between two calls, ms of the machine's time. */
const RUNAWAY_MS = 20_000;

/** One user's executions; more threads than this are made when needed and let go afterwards. */
const THREADS_KEPT = 30;

/** With the machine's clock a host may live for days, so old lines are let go. */
const REAL_LINES_KEPT = 10_000;

/** Whoever is at the keyboard when nobody is named and there is no document. */
const SOMEBODY = 'owner@example.com';

const NOBODY_LOOKS = { onSidebar: () => {}, onMenu: () => {}, onToast: () => {} };

export function createHost(options: HostOptions): Host {
  const isVirtual = options.clock === 'virtual';
  const virtual = isVirtual ? createVirtualScheduler(VIRTUAL_START_MS) : null;
  const scheduler = virtual ?? createRealScheduler();
  const limits: HostLimits = { ...CONSUMER_LIMITS, ...options.limits };
  const manifest = JSON.parse(options.dist.manifest) as Manifest;
  const trace = createTrace(isVirtual ? Number.POSITIVE_INFINITY : REAL_LINES_KEPT);
  const world: World = {
    scheduler,
    random: (stream) => createRandom(seedFrom(options.seed, stream)),
    limits,
    documents: new Map((options.documents ?? []).map((document) => [document.id, document])),
    manifest,
    html: options.dist.html,
    internet: options.internet,
    screen: { ...NOBODY_LOOKS, ...options.screen },
    latency: options.latency ?? (isVirtual ? MODELLED_LATENCY : NO_LATENCY),
    record: (caller, event, detail) =>
      trace.record(scheduler.nowMs(), caller.executionId, event, detail),
  };
  const services = createServiceRegistry(world);
  const pool = createThreadPool({
    sources: { realmSource: realmSource(), code: options.dist.code },
    clock: options.clock,
    nowMs: scheduler.nowMs,
    threadsKept: options.workers ?? THREADS_KEPT,
    runawayMs: options.runawayMs ?? RUNAWAY_MS,
  });
  const parts: ExecutionParts = {
    scheduler,
    pool,
    latency: world.latency,
    operations: services.operations,
    scopes: manifest.oauthScopes,
    record: world.record,
    observe: options.observe ?? (() => {}),
  };
  const start = createStart(options, world, parts, services.ended);
  return {
    start: start.start,
    at: (momentMs, action) => {
      scheduler.at(momentMs, action);
    },
    run: (untilMs) =>
      virtual ? virtual.run(untilMs ?? null, start.afterOutcomes) : start.untilIdle(),
    nowMs: scheduler.nowMs,
    traceHash: trace.hash,
    trace: trace.lines,
    stores: services.stores,
    stop: pool.stop,
  };
}

function createStart(
  options: HostOptions,
  world: World,
  parts: ExecutionParts,
  ended: (caller: Caller) => void,
) {
  const { scheduler, limits, record } = world;
  const admission = createAdmission(limits);
  const open = new Set<Promise<Outcome>>();
  let executions = 0;
  let hasOutcome = false;

  const begin = (execution: Execution, settle: (outcome: Outcome) => void) => {
    executions += 1;
    const caller = callerOf(execution, executions, world);
    const launch = launchOf(execution, caller, options.seed, world);
    let startedMs = scheduler.nowMs();
    const conclude = (outcome: Pick<Outcome, 'ended'> & Partial<Outcome>) => {
      hasOutcome = true;
      settle({
        ok: outcome.ended === 'returned',
        serviceCalls: 0,
        logs: [],
        ...outcome,
        startedMs,
        endedMs: scheduler.nowMs(),
      });
    };
    const refuse = (name: string, message: string) => {
      record(caller, 'refused', message);
      conclude({ ended: 'refused', error: { name, message } });
    };
    const done = (end: ExecutionEnd) => {
      ended(caller);
      admission.leave(candidate);
      const { value, error, ...rest } = end;
      conclude({ ...rest, ...(error ? { error } : { value }) });
    };
    const candidate = {
      userEmail: caller.userEmail,
      isCell: execution.door === 'cell',
      admit: () => {
        startedMs = scheduler.nowMs();
        const { killAtCall = null } = execution;
        const random = world.random(`execution ${caller.executionId}`);
        const limitMs = timeLimitMs(execution, limits);
        startExecution(parts, { caller, launch, limitMs, killAtCall, random, done });
      },
      refuse: () => refuse('Exception', TOO_MANY_EXECUTIONS),
    };
    const illegal = execution.door === 'sidebar' ? illegalCall(execution) : null;
    if (illegal !== null) refuse('TypeError', illegal);
    else admission.apply(candidate);
  };
  return {
    start(execution: Execution, atMs = scheduler.nowMs()): Promise<Outcome> {
      const outcome = new Promise<Outcome>((settle) => {
        scheduler.at(atMs, () => begin(execution, settle));
      });
      open.add(outcome);
      outcome.finally(() => open.delete(outcome));
      return outcome;
    },
    /** What waits for an outcome has its turn before time goes on. */
    afterOutcomes(): Promise<void> | null {
      if (!hasOutcome) return null;
      hasOutcome = false;
      return new Promise((resolve) => setImmediate(resolve));
    },
    async untilIdle(): Promise<void> {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

function illegalCall({ functionName, args }: Execution): string | null {
  if (!isHiddenFromPage(functionName)) return illegalArgument(args);
  return `google.script.run.${functionName} is not a function`;
}

function callerOf(execution: Execution, executionId: number, { documents }: World): Caller {
  const first = documents.values().next().value ?? null;
  const { documentId, door } = execution;
  const document = documentId === undefined ? first : (documents.get(documentId) ?? null);
  const userEmail = execution.userEmail ?? document?.ownerEmail ?? SOMEBODY;
  return {
    executionId,
    door,
    authMode: execution.authMode ?? MODE_OF_DOOR[door],
    userEmail,
    userStoreEmail: door === 'cell' ? (document?.ownerEmail ?? userEmail) : userEmail,
    document,
  };
}

function timeLimitMs({ door }: Execution, { shortRunMs, longRunMs }: HostLimits): number {
  return door === 'cell' || door === 'open' || door === 'install' ? shortRunMs : longRunMs;
}

/** Triggers and menus pass an event object of the platform's making, cells and pages do not. */
function eventOf(door: Caller['door'], authMode: AuthMode): Launch['event'] {
  return door === 'open' || door === 'install' || door === 'clock' ? { authMode } : null;
}

function launchOf(
  { functionName, args, door }: Execution,
  { executionId, authMode, document }: Caller,
  seed: number,
  { manifest }: World,
): Launch {
  return {
    functionName,
    args,
    event: eventOf(door, authMode),
    door,
    seed: seedFrom(seed, 'script', executionId),
    facts: {
      hasDocument: document !== null,
      timeZone: manifest.timeZone,
      scopes: manifest.oauthScopes,
    },
  };
}
