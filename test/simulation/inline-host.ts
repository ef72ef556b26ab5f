// The emulated host without threads: one execution at a time, run to its end where it is called.

import vm from 'node:vm';
import { grantsBy } from '../../playground/host/authorisation';
import { createBystanders } from '../../playground/host/bystanders';
import type { ObservedCall } from '../../playground/host/call';
import { callerOf, launchOf, timeLimitMs } from '../../playground/host/caller';
import {
  type ExecutionEnd,
  type ExecutionParts,
  startExecution,
} from '../../playground/host/execution';
import type { Execution, HostOptions } from '../../playground/host/host-contract';
import { MODELLED_LATENCY } from '../../playground/host/latency';
import { CONSUMER_LIMITS } from '../../playground/host/limits';
import { realmSource } from '../../playground/host/realm-source';
import type { Scheduler } from '../../playground/host/scheduler';
import type { Manifest, World } from '../../playground/host/service';
import { createServiceRegistry } from '../../playground/host/service-registry';
import type { Thread, ThreadMessage, ThreadPool } from '../../playground/host/thread-pool';
import { createRandom, seedFrom } from '../../playground/random';

/** Where virtual time begins, as in the host with threads. */
const START_MS = Date.UTC(2026, 0, 5, 9);

export interface InlineHost {
  /** Runs an execution to its end, and virtual time along with it. */
  readonly call: (execution: Execution) => ExecutionEnd;
  readonly nowMs: () => number;
  /** Lets time pass in which nothing runs. */
  readonly wait: (durationMs: number) => void;
  readonly stores: ReturnType<typeof createServiceRegistry>['stores'];
}

export type InlineOptions = Pick<
  HostOptions,
  'dist' | 'seed' | 'internet' | 'documents' | 'betweenCalls' | 'limits' | 'latency'
> & { readonly observe?: (call: ObservedCall) => void };

const NOBODY_LOOKS = {
  onSidebar: () => {},
  onMenu: () => {},
  onToast: () => {},
  onDialog: () => {},
  onAlert: () => {},
};

export function createInlineHost(options: InlineOptions): InlineHost {
  const scheduler = createSteppedScheduler();
  const manifest = JSON.parse(options.dist.manifest) as Manifest;
  const scopesOf = grantsBy(manifest.oauthScopes, {});
  const documents = new Map((options.documents ?? []).map((document) => [document.id, document]));
  const limits = { ...CONSUMER_LIMITS, ...options.limits };
  const world: World = {
    scheduler,
    random: (stream) => createRandom(seedFrom(options.seed, stream)),
    limits,
    documents,
    manifest,
    scopesOf,
    html: options.dist.html,
    internet: options.internet,
    screen: NOBODY_LOOKS,
    latency: options.latency ?? MODELLED_LATENCY,
    startTrigger: () => {},
    record: () => {},
  };
  const services = createServiceRegistry(world);
  const parts: ExecutionParts = {
    bystanders: createBystanders({
      documents,
      betweenCalls: options.betweenCalls ?? null,
      scheduler,
      record: () => {},
    }),
    scheduler,
    pool: inlinePool(options.dist.code, scheduler),
    latency: world.latency,
    operations: services.operations,
    scopesOf,
    record: () => {},
    observe: options.observe ?? (() => {}),
  };
  let executions = 0;

  function call(execution: Execution): ExecutionEnd {
    executions += 1;
    const caller = callerOf(execution, executions, world);
    let end: ExecutionEnd | undefined;
    services.started(caller);
    startExecution(parts, {
      caller,
      launch: launchOf(execution, caller, options.seed, world),
      limitMs: timeLimitMs(execution, limits),
      kill: { atCall: execution.killAtCall ?? null, afterCall: execution.killAfterCall ?? null },
      random: world.random(`execution ${caller.executionId}`),
      done: (ended) => {
        services.ended(caller, ended.ended);
        end = ended;
      },
    });
    while (end === undefined) scheduler.step();
    const mistake = scheduler.mistake();
    if (mistake !== null) throw mistake;
    return end;
  }

  return { call, nowMs: scheduler.nowMs, wait: scheduler.wait, stores: services.stores };
}

interface SteppedScheduler extends Scheduler {
  /** The next thing happens. */
  readonly step: () => void;
  readonly wait: (durationMs: number) => void;
  /** What went wrong in the host itself: no script may swallow it. */
  readonly mistake: () => unknown;
}

/** Few things are planned at a time here, so a sorted list will do. */
function createSteppedScheduler(): SteppedScheduler {
  let now = START_MS;
  let mistake: unknown = null;
  const planned: { readonly momentMs: number; readonly action: () => void }[] = [];
  const next = () => {
    const event = planned.shift();
    if (event === undefined) throw new Error('Nothing is left to happen, and yet it is not over.');
    now = event.momentMs;
    try {
      event.action();
    } catch (error) {
      mistake ??= error;
      throw error;
    }
  };
  return {
    nowMs: () => now,
    at(momentMs, action) {
      const event = { momentMs: Math.max(momentMs, now), action };
      const later = planned.findIndex((other) => other.momentMs > event.momentMs);
      planned.splice(later < 0 ? planned.length : later, 0, event);
      return () => {
        const place = planned.indexOf(event);
        if (place >= 0) planned.splice(place, 1);
      };
    },
    stop: () => {},
    step: next,
    mistake: () => mistake,
    wait(durationMs) {
      const untilMs = now + durationMs;
      while ((planned[0]?.momentMs ?? Number.POSITIVE_INFINITY) <= untilMs) next();
      now = untilMs;
    },
  };
}

/** Thrown into a script that was cut off: nothing that it still does reaches anybody. */
const CUT_OFF = new Error('This execution is over.');

/** A "thread" is the caller's own stack: a call of a service steps the host until its answer is there. */
function inlinePool(code: string, scheduler: SteppedScheduler): ThreadPool {
  const platform = new vm.Script(realmSource(), { filename: 'platform.js' });
  const script = new vm.Script(code, { filename: 'Code.js' });
  return {
    acquire(listen) {
      let isRunning = false;
      let isDead = false;
      let answer: string | null = null;
      const ask = (text: string, notes: readonly string[]): string => {
        if (isDead) throw CUT_OFF;
        answer = null;
        listen({ kind: 'call', text, notes });
        while (answer === null && !isDead) scheduler.step();
        if (answer === null) throw CUT_OFF;
        return answer;
      };
      const thread: Thread = {
        send(text) {
          if (isRunning) {
            answer = text;
            return;
          }
          isRunning = true;
          const ended = execute(text);
          if (!isDead) listen(ended);
        },
        kill: () => {
          isDead = true;
        },
        release: () => {},
      };

      function execute(launch: string): ThreadMessage {
        const context = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
        const evaluate = (source: string): unknown => vm.runInContext(source, context);
        Object.assign(context, {
          platform: { ask, nowMs: scheduler.nowMs, launch, evaluate },
        });
        platform.runInContext(context);
        const { invoke, fail, outcome } = Reflect.get(context, 'platform') as RealmSide;
        evaluate('delete globalThis.platform');
        try {
          script.runInContext(context);
          invoke();
        } catch (error) {
          fail(error);
        }
        return { kind: 'ended', ...outcome() };
      }

      return thread;
    },
    stop: () => Promise.resolve(),
  };
}

interface RealmSide {
  readonly invoke: () => void;
  readonly fail: (thrown: unknown) => void;
  readonly outcome: () => { readonly text: string; readonly notes: readonly string[] };
}
