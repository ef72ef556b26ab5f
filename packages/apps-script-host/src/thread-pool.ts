// Provides the threads that run scripts. In virtual time the host blocks until a thread answers, in
// real time it receives events. A single script in virtual time needs no thread.

import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { onOwnStack, type RepeatingThread } from './own-stack';
import type { ScriptFile } from './pushed-code';

/** A thread's message. `notes` are the lines logged since its previous message. */
export type ThreadMessage =
  | { readonly kind: 'call'; readonly text: string; readonly notes: readonly string[] }
  | {
      readonly kind: 'ended';
      readonly text: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'broken'; readonly text: string };

export interface Thread {
  /** Passes a launch or an answer to the thread. The listener gets the thread's next message. */
  readonly send: (text: string) => void;
  /** Ends the thread like a crash: not even a `finally` of the script runs. */
  readonly kill: () => void;
  /** The execution is over, and the thread may serve another. */
  readonly release: () => void;
}

export interface ThreadPool {
  /** A thread for one execution, newly made if none is free. */
  readonly acquire: (listen: (message: ThreadMessage) => void) => Thread;
  readonly stop: () => Promise<void>;
}

interface Sources {
  readonly realmSource: string;
  readonly files: readonly ScriptFile[];
}

export interface ThreadPoolOptions {
  readonly sources: Sources;
  readonly clock: 'virtual' | 'real';
  readonly nowMs: () => number;
  /** How far a real clock is ahead of the machine's, in ms. */
  readonly skippedMs: () => number;
  /** How many threads are kept for later executions. More may be running. */
  readonly threadsKept: number;
  /**
   * Virtual time only: how long a script may compute between two calls, in ms of the machine's
   * time.
   */
  readonly runawayMs: number;
  /**
   * Virtual time only: runs the next event from within the current one. null: every script gets a
   * thread.
   */
  readonly advance: (() => boolean) | null;
  /** Threads of stopped hosts that this pool may use. Left out: it makes its own. */
  readonly stock?: ThreadStock | undefined;
  /**
   * Every script gets a thread with so much memory, and ends when that is used up. null: enough for the
   * answers of some ten megabytes, and a script that runs alone needs no thread.
   */
  readonly memoryMb: number | null;
}

/**
 * Idle threads that outlive their host, for many hosts that run the same code one after the other.
 */
export interface ThreadStock {
  /** A thread that was started with this code, which is the text of all files. */
  readonly take: (code: string) => SpawnedThread | undefined;
  readonly give: (code: string, thread: SpawnedThread) => void;
  /** Ends all threads. Threads given back afterwards end at once. */
  readonly close: () => Promise<void>;
}

export function createThreadStock(): ThreadStock {
  const atRest = new Map<string, SpawnedThread[]>();
  const ends: Promise<unknown>[] = [];
  let isClosed = false;
  return {
    take: (code) => atRest.get(code)?.pop(),
    give(code, thread) {
      if (isClosed) ends.push(thread.kill());
      else atRest.set(code, [...(atRest.get(code) ?? []), thread]);
    },
    async close() {
      isClosed = true;
      ends.push(...[...atRest.values()].flat().map((thread) => thread.kill()));
      atRest.clear();
      await Promise.all(ends);
    },
  };
}

/** Indexes into the signal, as in worker.cjs and keeper.cjs. */
const FROM_HOST = 0;
const FROM_THREAD = 1;
const ENDING = 2;
const REST = 3;

const AT_WORK = 0;
const AT_REST = 1;

/** After so long a rest a thread with its own memory leaves, in ms of the machine's time. */
const REST_MS = 5_000;

/** Such threads at rest, for the next host in the same process. */
const resting: SpawnedThread[] = [];
const RESTING_MAX = 30;

/**
 * Memory for answers of some ten megabytes. Without a limit every heap keeps growing. Most of what
 * a script makes is garbage at its next call. With a smaller young generation, a tenth of the time
 * goes into copying it.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

type Listener = (message: ThreadMessage) => void;

/** Waits for the next message of the one thread that may run. */
function createEar(port: MessagePort, signal: Int32Array) {
  let heard = 0;
  const ended = (): ThreadMessage => {
    const isOutOfMemory = Atomics.load(signal, ENDING) === 1;
    return { kind: 'broken', text: isOutOfMemory ? OUT_OF_MEMORY : 'The thread has ended.' };
  };
  return (runawayMs: number): ThreadMessage => {
    const isRunaway = createWatchdog(runawayMs);
    while (Atomics.load(signal, FROM_THREAD) === heard) {
      Atomics.wait(signal, FROM_THREAD, heard, Math.min(runawayMs, GLANCE_MS));
      if (Atomics.load(signal, FROM_THREAD) === heard && isRunaway())
        return { kind: 'broken', text: RUNAWAY };
    }
    heard += 1;
    return receiveMessageOnPort(port)?.message ?? ended();
  };
}

/** So often the host looks whether a script computes without end, in ms. */
const GLANCE_MS = 250;

/** On a machine with other work a script may take so many times as long. */
const PATIENCE = 6;

/**
 * Counts the processor's time, which is the script's alone while the host waits: a busy machine makes
 * no script endless. The clocks are Node's own, because tests like to replace those of JavaScript.
 */
function createWatchdog(runawayMs: number): () => boolean {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (
      user + system >= runawayMs * 1_000 || performance.now() - startedMs >= runawayMs * PATIENCE
    );
  };
}

type SpawnedThread = ReturnType<typeof spawn>;

function spawn({ clock, skippedMs, memoryMb }: ThreadPoolOptions) {
  const { port1: port, port2: threadPort } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(16));
  const clockCell = new Float64Array(new SharedArrayBuffer(16));
  clockCell[0] = Number.NaN;
  const file = join(__dirname, 'worker.cjs');
  const thread = { port: threadPort, signal, clock: clockCell };
  const isKept = clock === 'virtual' && memoryMb !== null;
  const resourceLimits = {
    ...RESOURCE_LIMITS,
    ...(memoryMb && { maxOldGenerationSizeMb: memoryMb }),
  };
  const worker = new Worker(isKept ? join(__dirname, 'keeper.cjs') : file, {
    workerData: isKept ? { file, thread: { ...thread, restMs: REST_MS }, resourceLimits } : thread,
    transferList: [threadPort],
    resourceLimits: isKept ? {} : resourceLimits,
    // Keeps the host's own start-up options, such as a TypeScript loader, out of scripts.
    execArgv: [],
  });
  worker.unref();
  const hear = createEar(port, signal);
  let listener: Listener = () => {};
  let isDead = false;
  let sources: Sources | null = null;
  let loads: Sources | null = null;

  const post = (text: string) => {
    port.postMessage({ text, ...(loads && { sources: loads }) });
    loads = null;
    Atomics.add(signal, FROM_HOST, 1);
    Atomics.notify(signal, FROM_HOST);
  };
  const die = (text: string) => listener({ kind: 'broken', text });
  if (clock === 'real') {
    port.on('message', (message: ThreadMessage) => listener(message));
    port.unref();
    worker.on('error', ({ message, code }: Error & { readonly code?: string }) =>
      die(code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY : message),
    );
  } else {
    // In virtual time the host notices by the missing answer. Without a handler Node would throw
    // the event.
    worker.on('error', () => {});
  }
  return {
    listen(next: Listener, project: Sources) {
      listener = next;
      if (project !== sources) loads = project;
      sources = project;
      if (clock === 'real') port.ref();
    },
    rest() {
      listener = () => {};
      if (clock === 'real') port.unref();
      Atomics.store(signal, REST, AT_REST);
    },
    /** False: it has left meanwhile. */
    wake: () => Atomics.compareExchange(signal, REST, AT_REST, AT_WORK) === AT_REST,
    /** @param atMs the time that the script's clock shows from now on, in virtual time */
    send(text: string, atMs: number, runawayMs: number) {
      // A host that was stopped in the middle of a run must not wait for threads that no longer
      // exist.
      if (isDead) return;
      if (clock === 'real') {
        clockCell[1] = skippedMs();
        return post(text);
      }
      clockCell[0] = atMs;
      post(text);
      listener(hear(runawayMs));
    },
    kill: () => {
      isDead = true;
      listener = () => {};
      port.close();
      return worker.terminate();
    },
  };
}

/** What the pool reports for a script that never returns, for example an endless loop. */
export const RUNAWAY = 'The script computes without end.';

/** What the pool reports for a script whose thread has no memory left. */
export const OUT_OF_MEMORY = 'The script has used up its memory.';

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { sources, nowMs, advance, stock, runawayMs, memoryMb, clock } = options;
  const isKept = memoryMb !== null && clock === 'virtual';
  const code = sources.files.map(({ name, text }) => `${name}\n${text}`).join('\n');
  const alive = new Set<SpawnedThread>();
  const idle: SpawnedThread[] = [];
  const dying = new Set<Promise<number>>();
  let atWork = 0;
  let isStackTaken = false;

  function kill(thread: SpawnedThread): void {
    if (!alive.delete(thread)) return;
    const death = thread.kill();
    dying.add(death);
    death.finally(() => dying.delete(death));
  }

  function acquireThread(listen: Listener): RepeatingThread {
    const thread = rested() ?? spawn(options);
    alive.add(thread);
    thread.listen(listen, sources);
    const sendAt = (text: string, atMs: number) => thread.send(text, atMs, runawayMs);
    return {
      send: (text) => sendAt(text, nowMs()),
      sendAt,
      kill: () => kill(thread),
      release: () => {
        thread.rest();
        const atRest = isKept ? resting : idle;
        if (atRest.length >= (isKept ? RESTING_MAX : options.threadsKept)) return kill(thread);
        if (isKept) alive.delete(thread);
        atRest.push(thread);
      },
    };
  }

  function rested(): SpawnedThread | undefined {
    for (;;) {
      const thread = isKept ? resting.pop() : (idle.pop() ?? stock?.take(code));
      if (thread === undefined || thread.wake()) return thread;
    }
  }

  function acquireStack(listen: Listener, advance: () => boolean): Thread {
    isStackTaken = true;
    const free = () => {
      isStackTaken = false;
    };
    return onOwnStack({ sources, nowMs, advance, acquireThread, runaway: RUNAWAY }, listen, free);
  }

  return {
    acquire(listen) {
      const isAlone = atWork === 0 && !isStackTaken;
      atWork += 1;
      const isOnStack = isAlone && advance !== null;
      const thread = isOnStack ? acquireStack(listen, advance) : acquireThread(listen);
      const over = (then: () => void) => () => {
        atWork -= 1;
        then();
      };
      return { send: thread.send, kill: over(thread.kill), release: over(thread.release) };
    },
    stop: async () => {
      for (const thread of stock === undefined ? [] : idle) {
        alive.delete(thread);
        stock?.give(code, thread);
      }
      idle.length = 0;
      for (const thread of alive) kill(thread);
      await Promise.all(dying);
    },
  };
}
