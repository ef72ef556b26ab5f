// Carries one request of UrlFetchApp from sending to answer, with redirects, time-out and size
// limit.

import type { Scheduler } from '../scheduler';
import type { Internet, InternetReply, InternetRequest } from './internet';

export type Fault = Extract<InternetReply, { readonly kind: 'fault' }>['fault'] | 'timeout';
type Arrival = Exclude<InternetReply, { readonly kind: 'silence' }>;
export type Answer = Omit<Extract<InternetReply, { readonly kind: 'answer' }>, 'delayMs'>;

export type ExchangeEnd =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly hint?: string };

/** Google does not say how many redirects it follows. Browsers stop at 20. */
const REDIRECTS_MAX = 20;
const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

function headerOf(answer: Answer, name: string): string | undefined {
  for (const [key, value] of Object.entries(answer.headers)) {
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : value.at(-1);
  }
  return undefined;
}

function redirected(request: InternetRequest, answer: Answer): InternetRequest | null {
  const location = headerOf(answer, 'location');
  if (!location || !REDIRECT_STATUSES.includes(answer.status)) return null;
  const url = new URL(location, request.url).href;
  const keepsBody = answer.status >= 307 || request.method === 'GET';
  if (keepsBody) return { ...request, url };
  return { ...request, url, method: 'GET', body: new Uint8Array() };
}

export interface ExchangeOptions {
  readonly scheduler: Scheduler;
  readonly internet: Internet;
  readonly followRedirects: boolean;
  readonly done: (end: ExchangeEnd) => void;
}

/**
 * Sends at once. Calls `done` exactly once, unless the caller cancels with the returned function
 * first.
 */
export function exchange(first: InternetRequest, options: ExchangeOptions): () => void {
  const { scheduler, internet, followRedirects, done } = options;
  let isOver = false;
  const end = (result: ExchangeEnd) => {
    if (isOver) return;
    isOver = true;
    callOffTimeout();
    done(result);
  };
  const callOffTimeout = scheduler.at(scheduler.nowMs() + first.timeoutMs, () =>
    end({ kind: 'failed', fault: 'timeout' }),
  );
  const receive = (request: InternetRequest, reply: Arrival, redirects: number) => {
    if (reply.kind === 'fault') {
      const { fault, hint } = reply;
      return end({ kind: 'failed', fault, ...(hint !== undefined && { hint }) });
    }
    const next = followRedirects && redirects < REDIRECTS_MAX ? redirected(request, reply) : null;
    if (next) send(next, redirects + 1);
    else end({ kind: 'answered', answer: reply });
  };
  const send = (request: InternetRequest, redirects: number) => {
    if (isOver) return;
    const take = (reply: InternetReply) => {
      if (isOver || reply.kind === 'silence') return;
      scheduler.at(scheduler.nowMs() + reply.delayMs, () => receive(request, reply, redirects));
    };
    const reply = internet(request, scheduler.nowMs());
    if (reply instanceof Promise) reply.then(take);
    else take(reply);
  };
  send(first, 0);
  return () => {
    isOver = true;
    callOffTimeout();
  };
}
