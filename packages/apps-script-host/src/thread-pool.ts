// Threads that run scripts, and the hand-off to them: blocking in virtual time, by events in real.
// One script alone in virtual time needs none.

import { join } from 'node:path';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { onOwnStack, type RepeatingThread } from './own-stack';
import type { ScriptFile } from './pushed-code';

/** What a thread says. `notes` are the lines logged since it spoke last. */
export type ThreadMessage =
  | { readonly kind: 'call'; readonly text: string; readonly notes: readonly string[] }
  | {
      readonly kind: 'ended';
      readonly text: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'broken'; readonly text: string };

export interface Thread {
  /** Hands over a launch or an answer; what the thread says next goes to the listener. */
  readonly send: (text: string) => void;
  /** Ends it like a crash: not even a `finally` of the script runs. */
  readonly kill: () => void;
  /** The execution is over and the thread may serve another. */
  readonly release: () => void;
}

export interface ThreadPool {
  /** A thread for one execution, made if none is free. */
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
  /** How far a real clock is ahead of the machine's, ms. */
  readonly skippedMs: () => number;
  /** How many threads are kept for later executions; more may be at work. */
  readonly threadsKept: number;
  /** In virtual time: how long a script may compute between two calls, ms of the machine's time. */
  readonly runawayMs: number;
  /** In virtual time: the next event happens, from within one. null: every script gets a thread. */
  readonly advance: (() => boolean) | null;
  /** Threads of hosts that were stopped, for this one to use. Left out: it makes its own. */
  readonly stock?: ThreadStock | undefined;
}

/** Threads at rest that outlive their host: many hosts run the same code, one after the other. */
export interface ThreadStock {
  /** By the text of all files. */
  readonly take: (code: string) => SpawnedThread | undefined;
  readonly give: (code: string, thread: SpawnedThread) => void;
  /** Ends them all; those that are given afterwards end at once. */
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

/** Places in the signal, as in worker.cjs. */
const FROM_HOST = 0;
const FROM_THREAD = 1;

/**
 * Room for an answer of some ten megabytes; without a limit every heap grows for ever. Most of what
 * a script makes is gone at its next call: with less room for that, a tenth of the time is spent on
 * moving it about.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

type Listener = (message: ThreadMessage) => void;

/** Waits until the one thread that may run has said its next word. */
function createEar(port: MessagePort, signal: Int32Array, runawayMs: number) {
  let heard = 0;
  return (): ThreadMessage => {
    const deadline = Date.now() + runawayMs;
    while (Atomics.load(signal, FROM_THREAD) === heard) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) return { kind: 'broken', text: RUNAWAY };
      Atomics.wait(signal, FROM_THREAD, heard, leftMs);
    }
    heard += 1;
    return receiveMessageOnPort(port)?.message;
  };
}

type SpawnedThread = ReturnType<typeof spawn>;

function spawn({ sources, clock, runawayMs, skippedMs }: ThreadPoolOptions) {
  const { port1: port, port2: threadPort } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const clockCell = new Float64Array(new SharedArrayBuffer(16));
  clockCell[0] = Number.NaN;
  const worker = new Worker(join(__dirname, 'worker.cjs'), {
    workerData: { port: threadPort, signal, clock: clockCell, ...sources },
    transferList: [threadPort],
    resourceLimits: RESOURCE_LIMITS,
    // Nothing of the host's own start-up, such as a TypeScript loader, belongs into a script.
    execArgv: [],
  });
  worker.unref();
  const hear = createEar(port, signal, runawayMs);
  let listener: Listener = () => {};
  let isDead = false;

  const post = (text: string) => {
    port.postMessage({ text });
    Atomics.add(signal, FROM_HOST, 1);
    Atomics.notify(signal, FROM_HOST);
  };
  const die = (text: string) => listener({ kind: 'broken', text });
  if (clock === 'real') {
    port.on('message', (message: ThreadMessage) => listener(message));
    port.unref();
    worker.on('error', (error) => die(error.message));
  } else {
    // The host learns of it by the silence that follows; unheard, the event would be thrown.
    worker.on('error', () => {});
  }
  return {
    listen(next: Listener) {
      listener = next;
      if (clock === 'real') port.ref();
    },
    rest() {
      listener = () => {};
      if (clock === 'real') port.unref();
    },
    /** @param atMs what the script's clock shows from now on, where time is virtual. */
    send(text: string, atMs: number) {
      // A host that was stopped in the middle of a run must not wait for threads that are gone.
      if (isDead) return;
      if (clock === 'real') {
        clockCell[1] = skippedMs();
        return post(text);
      }
      clockCell[0] = atMs;
      post(text);
      listener(hear());
    },
    kill: () => {
      isDead = true;
      listener = () => {};
      port.close();
      return worker.terminate();
    },
  };
}

/** What the pool says of a script that does not come back, such as an endless loop. */
export const RUNAWAY = 'The script computes without end.';

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { sources, nowMs, advance, stock } = options;
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
    const thread = idle.pop() ?? stock?.take(code) ?? spawn(options);
    alive.add(thread);
    thread.listen(listen);
    return {
      send: (text) => thread.send(text, nowMs()),
      sendAt: thread.send,
      kill: () => kill(thread),
      release: () => {
        thread.rest();
        if (idle.length < options.threadsKept) idle.push(thread);
        else kill(thread);
      },
    };
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
