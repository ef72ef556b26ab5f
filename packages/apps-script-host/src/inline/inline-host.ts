// The emulated host without threads: runs one execution at a time, to its end, where it is called.

import { grantsBy } from '../authorisation';
import { type Bystanders, createBystanders } from '../bystanders';
import type { ObservedCall } from '../call';
import { callerOf, firingOf, launchOf, timeLimit } from '../caller';
import { createDailyQuota } from '../daily-quota';
import type { HostDocument } from '../document';
import { copyOf } from '../document-copy';
import { type ExecutionEnd, type ExecutionParts, startExecution } from '../execution';
import { faultsOf } from '../faults';
import { MODELLED_FIRINGS } from '../firings';
import type { Execution, HostOptions } from '../host-contract';
import { MODELLED_LATENCY } from '../latency';
import { CONSUMER_LIMITS } from '../limits';
import { localeBySeed, localesBy } from '../messages';
import { scriptFiles } from '../pushed-code';
import { createRandom, seedFrom } from '../random';
import type { Manifest, World } from '../service';
import { createServiceRegistry } from '../service-registry';
import { createBrought } from '../services/brought';
import { HOPED } from '../unknowns';
import { inlinePool } from './inline-pool';
import { createSteppedScheduler } from './stepped-scheduler';

/** Start of virtual time, as in the host with threads, in ms since 1970. */
const START_MS = Date.UTC(2026, 0, 5, 9);

/** An execution that the clock started. Its end is null if Google refused to run it. */
export interface Firing {
  readonly execution: Execution;
  readonly startedMs: number;
  readonly end: ExecutionEnd | null;
}

export interface InlineHost {
  /** Runs an execution to its end and advances virtual time with it. */
  readonly call: (execution: Execution) => ExecutionEnd;
  readonly nowMs: () => number;
  /** Lets time pass in which only the clock starts executions. */
  readonly wait: (durationMs: number) => void;
  readonly stores: ReturnType<typeof createServiceRegistry>['stores'];
  /** Lets another person act in a document. */
  readonly act: Bystanders['act'];
  /** "Make a copy", with the document's properties or without. Google does not say which it is. */
  readonly copyDocument: (
    fromId: string,
    copy: Omit<HostDocument, 'model'>,
    withProperties: boolean,
  ) => HostDocument;
}

export type InlineOptions = Pick<
  HostOptions,
  | 'dist'
  | 'seed'
  | 'internet'
  | 'documents'
  | 'betweenCalls'
  | 'limits'
  | 'latency'
  | 'consents'
  | 'firings'
  | 'faults'
  | 'locales'
  | 'triggersSeeDocument'
  | 'sheetsFailUnderLock'
> & {
  /** Start of virtual time, in ms since 1970. */
  readonly startMs?: number;
  readonly observe?: (call: ObservedCall) => void;
  /** Reports a service's failure, for example "after cache.putAll". */
  readonly onFault?: (fault: string) => void;
  /**
   * Changes the execution of a firing, for example by killing it at a call. Defaults to no change.
   */
  readonly onFiring?: (execution: Execution) => Execution;
  readonly onFired?: (firing: Firing) => void;
};

const NOBODY_LOOKS = {
  onSidebar: () => {},
  onMenu: () => {},
  onToast: () => {},
  onDialog: () => {},
  onAlert: () => {},
  onQuestion: () => ({ button: 'CLOSE', text: '' }) as const,
};

/**
 * Nothing runs in parallel. Executions that the clock starts during another execution begin after
 * it.
 */
export function createInlineHost(options: InlineOptions): InlineHost {
  const scheduler = createSteppedScheduler(options.startMs ?? START_MS);
  const manifest = JSON.parse(options.dist.manifest) as Manifest;
  const scopesOf = grantsBy(manifest.oauthScopes, options.consents ?? {});
  const documents = new Map((options.documents ?? []).map((document) => [document.id, document]));
  const limits = { ...CONSUMER_LIMITS, ...options.limits };
  const world: World = {
    scheduler,
    random: (stream) => createRandom(seedFrom(options.seed, stream)),
    limits,
    documents,
    onDocument: () => {},
    manifest,
    isWebApp: false,
    scopesOf,
    localeOf: localesBy(options.locales ?? localeBySeed(options.seed)),
    html: options.dist.html,
    internet: options.internet,
    brought: createBrought({}),
    screen: NOBODY_LOOKS,
    scriptCut: 'everywhere',
    latency: options.latency ?? MODELLED_LATENCY,
    firings: options.firings ?? MODELLED_FIRINGS,
    unknowns: HOPED,
    startTrigger: (trigger, event) => {
      due.push(firingOf(trigger, event, options.triggersSeeDocument ?? true));
      if (!isBusy) fireDue();
    },
    onAllAsleep: () => {},
    record: (_caller, event, detail) => {
      if (event === 'fault') options.onFault?.(detail);
    },
  };
  const services = createServiceRegistry(world);
  const bystanders = createBystanders({
    documents,
    betweenCalls: options.betweenCalls ?? null,
    scheduler,
    record: () => {},
  });
  const parts: ExecutionParts = {
    bystanders,
    scheduler,
    pool: inlinePool(scriptFiles(options.dist.code), scheduler),
    latency: world.latency,
    operations: services.operations,
    documents,
    scopesOf,
    record: world.record,
    observe: options.observe ?? (() => {}),
    locks: services.stores.locks,
    sheetsFailUnderLock: options.sheetsFailUnderLock ?? false,
  };
  const triggerTime = createDailyQuota(scheduler.nowMs, limits.triggerRuntimePerDayMs);
  const due: Execution[] = [];
  let executions = 0;
  let isBusy = false;

  function fireDue(): void {
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const execution = options.onFiring?.(next) ?? next;
      const startedMs = scheduler.nowMs();
      const end = triggerTime.allows(execution.userEmail ?? '', 1) ? execute(execution) : null;
      triggerTime.count(execution.userEmail ?? '', scheduler.nowMs() - startedMs);
      options.onFired?.({ execution, startedMs, end });
    }
  }

  function call(execution: Execution): ExecutionEnd {
    const end = execute(execution);
    fireDue();
    return end;
  }

  function execute(execution: Execution): ExecutionEnd {
    executions += 1;
    isBusy = true;
    const caller = callerOf(execution, executions, world);
    let end: ExecutionEnd | undefined;
    services.started(caller);
    startExecution(parts, {
      caller,
      launch: launchOf(execution, caller, options.seed, world),
      limit: timeLimit(execution, limits),
      kill: { atCall: execution.killAtCall ?? null, afterCall: execution.killAfterCall ?? null },
      faultAt: faultsOf(
        execution.faults ?? [],
        options.faults ?? null,
        world.random(`faults of ${caller.executionId}`),
      ),
      random: world.random(`execution ${caller.executionId}`),
      done: (ended) => {
        services.ended(caller, ended.ended);
        end = ended;
      },
    });
    while (end === undefined) scheduler.step();
    isBusy = false;
    const mistake = scheduler.mistake();
    if (mistake !== null) throw mistake;
    return end;
  }

  function copyDocument(fromId: string, copy: Omit<HostDocument, 'model'>, isWhole: boolean) {
    const original = documents.get(fromId);
    if (original === undefined) throw new RangeError(`There is no spreadsheet ${fromId}.`);
    const copied = copyOf(original, copy);
    documents.set(copied.id, copied);
    if (isWhole) services.stores.properties.copy(`document/${fromId}`, `document/${copied.id}`);
    return copied;
  }

  return {
    call,
    nowMs: scheduler.nowMs,
    wait: scheduler.wait,
    stores: services.stores,
    act: bystanders.act,
    copyDocument,
  };
}
