// Assembles the emulated Apps Script, which runs a built project's functions under the platform's
// rules.

import { grantsBy } from './authorisation';
import { createBystanders, NO_EXECUTION } from './bystanders';
import { firingOf } from './caller';
import { createDispatch } from './dispatch';
import type { HostDocument } from './document';
import type { ExecutionParts } from './execution';
import { MODELLED_FIRINGS } from './firings';
import type { Execution, Host, HostOptions, Outcome } from './host-contract';
import { MODELLED_LATENCY, NO_LATENCY } from './latency';
import type { HostLimits } from './limits';
import { BOUND_SCRIPT_LIMITS, CONSUMER_LIMITS } from './limits';
import { localesBy } from './messages';
import {
  checkPushed,
  functionsOf,
  inOrderOfEvaluation,
  type ScriptFile,
  scriptFiles,
} from './pushed-code';
import { createRandom, seedFrom } from './random';
import { realmSource } from './realm-source';
import { createRealScheduler, createVirtualScheduler } from './scheduler';
import type { Manifest, Screen, World } from './service';
import { createServiceRegistry } from './service-registry';
import { createBrought } from './services/brought';
import type { Act } from './sheet/acts';
import { eventsOfAct } from './sheet/edit-events';
import type { CellValue } from './sheet/model';
import { createThreadPool } from './thread-pool';
import { createTrace } from './trace';
import { HOPED } from './unknowns';

export type { Door } from './service';
export type { Execution, Host, HostOptions, Outcome };

/** Start of virtual time: Monday 5 January 2026, 09:00 UTC, in ms since 1970. */
const VIRTUAL_START_MS = Date.UTC(2026, 0, 5, 9);

/** How long a script in virtual time may compute between two calls, in ms of the machine's time. */
const RUNAWAY_MS = 20_000;

/** Enough threads for one user's executions. More are made when needed and dropped afterwards. */
const THREADS_KEPT = 30;

/**
 * Trace lines kept with the machine's clock. A host may then live for days, so it drops old lines.
 */
const REAL_LINES_KEPT = 10_000;

const NOBODY_LOOKS: Screen = {
  onSidebar: () => {},
  onMenu: () => {},
  onToast: () => {},
  onDialog: () => {},
  onAlert: () => {},
  onQuestion: () => ({ button: 'CLOSE', text: '' }),
};

export function createHost(options: HostOptions): Host {
  const isVirtual = options.clock === 'virtual';
  const virtual = isVirtual ? createVirtualScheduler(VIRTUAL_START_MS) : null;
  const real = createRealScheduler();
  const scheduler = virtual ?? real;
  const files = scriptFiles(options.dist.code);
  checkPushed(files);
  const ofProject = options.project === 'bound' ? BOUND_SCRIPT_LIMITS : {};
  const limits: HostLimits = { ...CONSUMER_LIMITS, ...ofProject, ...options.limits };
  const manifest = JSON.parse(options.dist.manifest) as Manifest;
  const scopesOf = grantsBy(manifest.oauthScopes, options.consents ?? {});
  const trace = createTrace(isVirtual ? Number.POSITIVE_INFINITY : REAL_LINES_KEPT);
  const record = (executionId: number, event: string, detail: string) =>
    trace.record(scheduler.nowMs(), executionId, event, detail);
  const world: World = {
    scheduler,
    random: (stream) => createRandom(seedFrom(options.seed, stream)),
    limits,
    documents: new Map((options.documents ?? []).map((document) => [document.id, document])),
    onDocument: options.onDocument ?? (() => {}),
    manifest,
    isWebApp: files.some((file) =>
      [...functionsOf(file)].some((name) => /^do(?:Get|Post)$/.test(name)),
    ),
    scopesOf,
    localeOf: localesBy(options.locales),
    html: options.dist.html,
    internet: options.internet,
    brought: createBrought(options.services ?? {}),
    screen: { ...NOBODY_LOOKS, ...options.screen },
    scriptCut: options.scriptCut ?? 'everywhere',
    latency: options.latency ?? (isVirtual ? MODELLED_LATENCY : NO_LATENCY),
    firings: options.firings ?? MODELLED_FIRINGS,
    unknowns: { ...HOPED, ...options.unknowns },
    startTrigger: (trigger, event) => {
      void dispatch.start(firingOf(trigger, event, options.triggersSeeDocument ?? true));
    },
    onAllAsleep: (untilMs) => {
      if (isHurried) real.skip(untilMs - real.nowMs());
    },
    record: ({ executionId }, event, detail) => record(executionId, event, detail),
  };
  let isHurried = false;
  const services = createServiceRegistry(world);
  const pool = poolFor(options, files, scheduler.nowMs, real.skippedMs, virtual?.advance ?? null);
  const { documents } = world;
  const betweenCalls = options.betweenCalls ?? null;
  const onAct = (document: HostDocument, act: Act, before: CellValue | undefined) => {
    for (const { eventType, members } of eventsOfAct(document.model, act, before)) {
      services.stores.triggers.happened(eventType, document.id, members);
      if (eventType === 'ON_EDIT' && hasOnEdit()) edits.add(document.id, members);
    }
  };
  const hasOnEdit = () =>
    files.some((file) => file.text.includes('onEdit') && functionsOf(file).has('onEdit'));
  const edits = createEditQueue({
    start: (documentId, event) =>
      dispatch.start({ functionName: 'onEdit', args: [], door: 'edit', documentId, event }),
    dropped: (documentId) => record(NO_EXECUTION, 'dropped', `onEdit ${documentId}`),
  });
  const bystanders = createBystanders({ documents, betweenCalls, scheduler, record, onAct });
  const parts: ExecutionParts = {
    bystanders,
    scheduler,
    pool,
    latency: world.latency,
    operations: services.operations,
    documents: world.documents,
    scopesOf,
    record: world.record,
    observe: options.observe ?? (() => {}),
    locks: services.stores.locks,
    sheetsFailUnderLock: options.sheetsFailUnderLock ?? false,
  };
  const dispatch = createDispatch({
    seed: options.seed,
    world,
    faults: options.faults ?? null,
    parts,
    services,
    onEnded: options.onEnded ?? (() => {}),
  });
  return {
    start: dispatch.start,
    at: (momentMs, action) => {
      scheduler.at(momentMs, action);
    },
    act: bystanders.act,
    run: (untilMs) =>
      virtual ? virtual.run(untilMs ?? null, dispatch.afterOutcomes) : dispatch.untilIdle(),
    skip: real.skip,
    hurry: (isWanted) => {
      isHurried = isWanted && !isVirtual;
    },
    nowMs: scheduler.nowMs,
    traceHash: trace.hash,
    trace: trace.lines,
    stores: services.stores,
    stop: () => {
      scheduler.stop();
      return pool.stop();
    },
  };
}

interface EditQueueOptions {
  readonly start: (
    documentId: string,
    event: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
  /** Called for an edit of which onEdit is never told. */
  readonly dropped: (documentId: string) => void;
}

/** Guide of simple triggers: "The onEdit() trigger only queues up to 2 trigger events." */
const WAITING_MAX = 2;

/** Runs the simple trigger onEdit for one edit after the other, and drops those that come too fast. */
function createEditQueue({ start, dropped }: EditQueueOptions) {
  const waiting = new Map<string, Readonly<Record<string, unknown>>[]>();
  const next = (documentId: string): void => {
    const event = waiting.get(documentId)?.shift();
    if (event === undefined) waiting.delete(documentId);
    else void start(documentId, event).then(() => next(documentId));
  };
  return {
    add: (documentId: string, event: Readonly<Record<string, unknown>>): void => {
      const queue = waiting.get(documentId);
      if (queue === undefined) {
        waiting.set(documentId, [event]);
        next(documentId);
      } else if (queue.length < WAITING_MAX) queue.push(event);
      else dropped(documentId);
    },
  };
}

function poolFor(
  { clock, workers, runawayMs, threads, memoryMb }: HostOptions,
  files: readonly ScriptFile[],
  nowMs: () => number,
  skippedMs: () => number,
  advance: (() => boolean) | null,
) {
  return createThreadPool({
    sources: { realmSource: realmSource(), files: inOrderOfEvaluation(files) },
    clock,
    nowMs,
    skippedMs,
    threadsKept: workers ?? THREADS_KEPT,
    runawayMs: runawayMs ?? RUNAWAY_MS,
    stock: threads,
    memoryMb: memoryMb ?? null,
    // Only a thread can measure the time between two calls, and end for want of memory.
    advance: runawayMs === undefined && memoryMb === undefined ? advance : null,
  });
}
