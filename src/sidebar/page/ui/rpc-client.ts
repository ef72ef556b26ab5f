// The page's only way to the server: typed calls over google.script.run whose replies are values.
import type { RpcReply } from '../../api/define-api';
import type { RpcFailure } from '../../api/failure-view';
import type { Payload, RpcMethod, Value } from '../../api/methods';
import { PAGE_WORDS } from './texts';

/** The part of google.script.run that is used. Setting a handler returns a new runner. */
export interface ScriptRunner {
  withSuccessHandler(onValue: (value: unknown) => void): ScriptRunner;
  withFailureHandler(onError: (error: unknown) => void): ScriptRunner;
  rpc(method: string, payload: unknown): void;
}

export interface Browser {
  /** null if the page was opened outside Sheets. */
  readonly runner: ScriptRunner | null;
  isOnline(): boolean;
}

export type RpcClient = <Method extends RpcMethod>(
  method: Method,
  payload: Payload<Method>,
) => Promise<RpcReply<Value<Method>>>;

/** What the frame learns about calls and what it provides for them. */
export interface RpcWatch {
  /** Called after each call with the reason why it did not reach our server, or null if it did. */
  ended(broken: RpcFailure | null): void;
  pause(waitMs: number): Promise<void>;
  /** A page met a key that gets no answers, or one that gets them again. */
  turned?(): void;
  /** A call waits for what somebody else does in the sheet; null: it waits no more. */
  waits?(busy: RpcFailure | null): void;
}

/** These methods change nothing on the server, so they are repeated after a lost connection. */
const READS: readonly RpcMethod[] = [
  'connection.status',
  'list.look',
  'list.selected',
  'jobs.preview',
  'jobs.status',
  'deals.look',
  'schedule.look',
  'schedule.history',
];
const REPEAT_AFTER_MS: readonly number[] = [500, 2_000];

/** For a call that somebody else's work in the sheet kept out. The server has waited for 50 s each time. */
const BUSY_TRIES_MAX = 10;
const BUSY_PAUSE_MS = 2_000;

/**
 * Failures that concern the key's present state. Histories are excluded because they are old, and
 * methods of the connection because they read it themselves.
 */
const STOPPED = /"kind":"(key-refused|copied|plan-used-up|google-limit)"/;
const TELLS_NOTHING = /^connection|history$/;

/**
 * Google runs ten calls of one page at a time (guides/html/communication); further calls wait here.
 */
export const CALLS_AT_ONCE = 10;

const OFFLINE: RpcFailure = {
  kind: 'page-offline',
  ...PAGE_WORDS.offline,
};
const CONNECTION_LOST: RpcFailure = {
  kind: 'page-connection-lost',
  ...PAGE_WORDS.connectionLost,
};
const AUTHORISATION_LOST: RpcFailure = {
  kind: 'page-authorisation-lost',
  ...PAGE_WORDS.authorisationLost,
};
const STOPPED_BY_GOOGLE: RpcFailure = {
  kind: 'page-call-stopped',
  ...PAGE_WORDS.stoppedByGoogle,
};

/** While one of these persists, no call of any page gets through. */
const BREAKS: readonly RpcFailure[] = [OFFLINE, CONNECTION_LOST, AUTHORISATION_LOST];

/** The page's own failures for calls that did not get through. */
export const PAGE_FAILURES: readonly RpcFailure[] = [...BREAKS, STOPPED_BY_GOOGLE];

// What Google says when it fails a call itself. There are no codes but only these texts, which may
// differ in other languages; an unknown one counts as "stopped".
const KNOWN_TEXTS: readonly (readonly [RegExp, RpcFailure])[] = [
  [/PERMISSION_DENIED|authori[sz]ation|not have permission|not authori[sz]ed/i, AUTHORISATION_LOST],
  [/NetworkError|HTTP 0|network|Connection failure/i, CONNECTION_LOST],
];

function failureOf(error: unknown, browser: Browser): RpcFailure {
  if (!browser.isOnline()) return OFFLINE;
  const text = error instanceof Object && 'message' in error ? String(error.message) : '';
  return KNOWN_TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? STOPPED_BY_GOOGLE;
}

function isReply<Value>(value: unknown): value is RpcReply<Value> {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  return value.ok === true ? 'value' in value : 'failure' in value;
}

type Reply<Method extends RpcMethod> = RpcReply<Value<Method>>;

/** Starts at most ten calls at a time, in order. */
function createQueue(): (start: (done: () => void) => void) => void {
  const waiting: (() => void)[] = [];
  let running = 0;
  const startNext = (): void => {
    while (running < CALLS_AT_ONCE) {
      const start = waiting.shift();
      if (start === undefined) return;
      running += 1;
      start();
    }
  };
  return (start) => {
    waiting.push(() =>
      start(() => {
        running -= 1;
        startNext();
      }),
    );
    startNext();
  };
}

/** Never rejects: every problem arrives as `{ok: false, failure}`, converted here for all pages. */
export function createRpcClient(browser: Browser, watch: RpcWatch): RpcClient {
  const enqueue = createQueue();

  const callOnce = <Method extends RpcMethod>(
    method: Method,
    payload: Payload<Method>,
  ): Promise<Reply<Method>> =>
    new Promise((resolve) => {
      enqueue((done) => {
        const settle = (reply: Reply<Method>): void => {
          resolve(reply);
          done();
        };
        const stopped = { ok: false, failure: STOPPED_BY_GOOGLE } as const;
        if (browser.runner === null) return settle({ ok: false, failure: CONNECTION_LOST });
        browser.runner
          .withSuccessHandler((value) => settle(isReply<Value<Method>>(value) ? value : stopped))
          .withFailureHandler((error) => settle({ ok: false, failure: failureOf(error, browser) }))
          // Google refuses a call that carries anything but JSON, so everything else is removed.
          .rpc(method, JSON.parse(JSON.stringify(payload)));
      });
    });

  const stoppedIn = new Map<RpcMethod, boolean>();
  function watchStops(method: RpcMethod, reply: unknown): void {
    if (TELLS_NOTHING.test(method)) return;
    const isStopped = STOPPED.test(JSON.stringify(reply));
    if (isStopped === (stoppedIn.get(method) ?? false)) return;
    stoppedIn.set(method, isStopped);
    watch.turned?.();
  }

  return async (method, payload) => {
    let reply = await callOnce(method, payload);
    for (const waitMs of READS.includes(method) ? REPEAT_AFTER_MS : []) {
      if (reply.ok || reply.failure !== CONNECTION_LOST || browser.runner === null) break;
      await watch.pause(waitMs);
      reply = await callOnce(method, payload);
    }
    for (
      let tries = 1;
      tries < BUSY_TRIES_MAX && !reply.ok && isBusyHere(reply.failure);
      tries += 1
    ) {
      watch.waits?.(reply.failure);
      await watch.pause(BUSY_PAUSE_MS);
      reply = await callOnce(method, payload);
      watch.waits?.(null);
    }
    const broken = reply.ok ? undefined : BREAKS.find((one) => !reply.ok && one === reply.failure);
    watch.ended(broken ?? null);
    watchStops(method, reply);
    return reply;
  };
}

/** Pauses that can all be ended at once. */
export function createPauses(pause: (ms: number) => Promise<void>) {
  let wakeAll: () => void = () => undefined;
  let woken = new Promise<void>((resolve) => {
    wakeAll = resolve;
  });
  return {
    rest: (ms: number): Promise<void> => Promise.race([pause(ms), woken]),
    wake: (): void => {
      wakeAll();
      woken = new Promise((resolve) => {
        wakeAll = resolve;
      });
    },
  };
}

/**
 * Whether Google or the connection failed the call rather than our server, so that another try
 * helps.
 */
export const isOfTheWay = ({ kind }: RpcFailure): boolean =>
  PAGE_FAILURES.some((failure) => failure.kind === kind) ||
  kind === 'internal' ||
  kind === 'google-busy';

/** Whether somebody else worked on the sheet for as long as the call could wait. */
export const isBusyHere = ({ kind, why }: RpcFailure): boolean => kind === 'run' && why === 'busy';
