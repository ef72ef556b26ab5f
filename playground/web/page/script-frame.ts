// Provides google.script for the page in the sidebar's frame. Calls go to the playground around it.
import { asSent, illegalArgument } from 'apps-script-host/google-script-run';
import type { FrameCall, FrameReply, ToFrame } from './frame-messages';

interface Handlers {
  readonly onSuccess?: (value: unknown, userObject: unknown) => void;
  readonly onFailure?: (error: Error, userObject: unknown) => void;
  readonly userObject?: unknown;
}

type Runner = Record<string, (...args: never[]) => unknown>;

/** Google runs at most ten calls of one page at a time. Further calls wait. */
const CALLS_AT_ONCE = 10;

const DAY_MS = 86_400_000;

const callable = JSON.parse(document.currentScript?.dataset.callable ?? '[]') as string[];
const open = new Map<number, Handlers>();
const queue: FrameCall[] = [];
let daysAhead = Number(document.currentScript?.dataset.daysAhead ?? 0);
let calls = 0;
let running = 0;

function post(message: FrameCall | { readonly kind: 'close' } | { readonly kind: 'focus' }): void {
  parent.postMessage(message, '*');
}

function startQueued(): void {
  while (running < CALLS_AT_ONCE) {
    const next = queue.shift();
    if (next === undefined) return;
    running += 1;
    post(next);
  }
}

function run(functionName: string, args: readonly unknown[], handlers: Handlers): void {
  const illegal = illegalArgument(args);
  if (illegal !== null) throw new TypeError(illegal);
  calls += 1;
  open.set(calls, handlers);
  queue.push({ kind: 'run', call: calls, functionName, args: asSent(args) as unknown[] });
  startQueued();
}

function runner(handlers: Handlers): Runner {
  const functions = callable.map((name) => [
    name,
    (...args: unknown[]) => run(name, args, handlers),
  ]);
  return {
    ...Object.fromEntries(functions),
    withSuccessHandler: (onSuccess: NonNullable<Handlers['onSuccess']>) =>
      runner({ ...handlers, onSuccess }),
    withFailureHandler: (onFailure: NonNullable<Handlers['onFailure']>) =>
      runner({ ...handlers, onFailure }),
    withUserObject: (userObject: unknown) => runner({ ...handlers, userObject }),
  };
}

function settle(reply: FrameReply): void {
  const handlers = open.get(reply.call);
  if (handlers === undefined) return;
  open.delete(reply.call);
  running -= 1;
  startQueued();
  if (reply.kind === 'returned') {
    handlers.onSuccess?.(reply.value, handlers.userObject);
    return;
  }
  const error = new Error(reply.message);
  error.name = 'ScriptError';
  handlers.onFailure?.(error, handlers.userObject);
}

/**
 * Schedules start a moment after a day was skipped and work for a while, so the page looks every 4
 * s for 40 s.
 */
const [LOOK_EVERY_MS, LOOK_FOR_MS] = [4_000, 40_000];

/** Acts as a user who comes back after some days and looks again from time to time. */
function comeBack(days: number): void {
  daysAhead = days;
  const look = () => window.dispatchEvent(new Event('focus'));
  for (let atMs = 0; atMs < LOOK_FOR_MS; atMs += LOOK_EVERY_MS) setTimeout(look, atMs);
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent) return;
  const message = data as ToFrame;
  if (message.kind === 'clock') comeBack(message.daysAhead);
  else settle(message);
});

/** The page calculates ages and times with a clock that follows the playground's. */
const { timeOrigin } = performance;
Object.defineProperty(performance, 'timeOrigin', { get: () => timeOrigin + daysAhead * DAY_MS });

Object.assign(window, {
  google: {
    script: {
      run: runner({}),
      host: {
        close: () => post({ kind: 'close' }),
        // A sidebar has a fixed size in Sheets as well.
        setHeight: () => {},
        setWidth: () => {},
        editor: { focus: () => post({ kind: 'focus' }) },
        origin: location.origin,
      },
    },
  },
});
