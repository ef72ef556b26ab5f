// Runs an execution on the host's own stack, which needs no thread while nothing runs in parallel.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ScriptFile } from './pushed-code';
import type { Thread, ThreadMessage } from './thread-pool';

/** The exports of `script-context.cjs`. */
interface ScriptContext {
  readonly runScript: (
    sources: Sources,
    side: {
      readonly launch: string;
      readonly ask: (text: string, notes: readonly string[]) => string;
      readonly nowMs: () => number;
      readonly isVirtual: boolean;
    },
    timeoutMs?: number,
  ) => { readonly text: string; readonly notes: readonly string[] } | null;
}

interface Sources {
  readonly realmSource: string;
  readonly files: readonly ScriptFile[];
}

const { runScript } = createRequire(__filename)(
  join(__dirname, 'script-context.cjs'),
) as ScriptContext;

/** A thread whose clock can be set. The listener passed to its acquisition hears what it says. */
export interface RepeatingThread extends Thread {
  readonly sendAt: (text: string, nowMs: number) => void;
}

export interface OwnStackOptions {
  readonly sources: Sources;
  readonly nowMs: () => number;
  /**
   * Runs the next planned action while the execution waits. False: the execution has to leave the
   * stack.
   */
  readonly advance: () => boolean;
  /** Acquires a thread for an execution that has to leave the stack. */
  readonly acquireThread: (listen: (message: ThreadMessage) => void) => RepeatingThread;
  readonly runaway: string;
}

/**
 * More than any run of five virtual minutes takes, even on a busy machine. It ends a test that
 * would otherwise hang.
 */
const RUNAWAY_MS = 300_000;

/**
 * Thrown into a script that is over or has left the stack. Nothing that it does afterwards has any
 * effect.
 */
const OVER = new Error('This execution is over.');

/**
 * A call of the script and the answer it got: enough to bring a repeated script to the same place.
 */
interface Heard {
  readonly call: string;
  readonly answer: string;
  readonly atMs: number;
}

type State = 'new' | 'runs' | 'leaves' | 'gone';

/**
 * A service call lets the host continue from within the call until the answer is there. If the host
 * has to continue first, because a caller of `run` is waiting, the script cannot stay on the stack.
 * It is dropped and repeated on a thread up to the same call. The host supplies its clock and its
 * random numbers, so the script takes the same path.
 */
export function onOwnStack(
  options: OwnStackOptions,
  listen: (message: ThreadMessage) => void,
  left: () => void,
): Thread {
  const { sources, nowMs, advance } = options;
  const heard: Heard[] = [];
  let state: State = 'new';
  let thread: RepeatingThread | null = null;
  let answer: string | null = null;
  let mistake: { readonly error: unknown } | null = null;

  function ask(text: string, notes: readonly string[]): string {
    if (state !== 'runs') throw OVER;
    answer = null;
    try {
      listen({ kind: 'call', text, notes });
      while (answer === null && isRunning()) if (!advance()) state = 'leaves';
    } catch (error) {
      // No script may swallow an error of the host.
      mistake ??= { error };
      state = 'gone';
    }
    if (answer === null || !isRunning()) throw OVER;
    heard.push({ call: text, answer, atMs: nowMs() });
    return answer;
  }

  const stateNow = (): State => state;
  const isRunning = () => stateNow() === 'runs';

  function launched(launch: string): void {
    state = 'runs';
    const startedMs = nowMs();
    const side = {
      launch,
      ask,
      isVirtual: true,
      nowMs: () => {
        if (!isRunning()) throw OVER;
        return nowMs();
      },
    };
    const ended = runScript(sources, side, RUNAWAY_MS);
    left();
    if (mistake !== null) throw mistake.error;
    if (stateNow() === 'leaves') {
      state = 'gone';
      thread = repeated(launch, startedMs);
    } else if (isRunning())
      listen(ended ? { kind: 'ended', ...ended } : { kind: 'broken', text: options.runaway });
  }

  /** A thread that has repeated the script up to the call whose answer is still to come. */
  function repeated(launch: string, startedMs: number): RepeatingThread {
    const steps = [...heard];
    let hear = (message: ThreadMessage): void => {
      const step = steps.shift();
      if (message.kind === 'call' && message.text === step?.call) {
        again.sendAt(step.answer, step.atMs);
        return;
      }
      hear = listen;
      if (step !== undefined || message.kind !== 'call')
        listen({ kind: 'broken', text: 'A script that was repeated went another way.' });
    };
    const again = options.acquireThread((message) => hear(message));
    again.sendAt(launch, startedMs);
    return again;
  }

  return {
    send(text) {
      if (thread !== null) thread.send(text);
      else if (state === 'new') launched(text);
      else answer = text;
    },
    kill() {
      state = 'gone';
      thread?.kill();
    },
    release: () => thread?.release(),
  };
}
