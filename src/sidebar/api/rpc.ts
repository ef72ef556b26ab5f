// The page's only way in: one global function with named methods, checked payloads, and a reply in
// place of exceptions.

import * as z from 'zod/mini';
import { type Failure, isFailure } from '../../failures/failure';
import { mistakeIn, troubleLog } from '../../failures/trouble-log';
import { googlePlatform } from '../../google/platform';
import { grantUrl, Refused } from '../../google/service-call';
import type { Method, RpcReply } from './define-api';
import { described, type RpcFailure } from './failure-view';
import { METHODS } from './methods';

/**
 * Answers the sidebar's page.
 *
 * @param method one of the names in `METHODS`.
 * @param payload JSON that fits the schema of the method.
 * @return `{ok: true, value}` or `{ok: false, failure: {kind, message}}`, JSON only; never throws.
 */
export function rpc(method: unknown, payload: unknown): RpcReply<unknown> {
  try {
    return answer(method, payload ?? {});
  } catch (error) {
    return failed(error);
  }
}

/**
 * The reply after an exception. A refusal by Google has its own words. Anything else is a bug whose
 * message may contain anything, so only its name is noted.
 */
function failed(error: unknown): RpcReply<never> {
  if (error instanceof Refused) return { ok: false, failure: withGrant(error.refusal) };
  try {
    const { cache, clock } = googlePlatform();
    troubleLog(cache, clock).note(`A call of the sidebar failed with ${mistakeIn(error)}.`);
  } catch {
    // The failure is still reported to the page.
  }
  return refused('internal', 'Something went wrong in the add-on or at Google. Try again.');
}

/** A failure in words; for a missing permission, with the address of Google's page. */
function withGrant(failure: Failure): RpcFailure {
  const words = described(failure);
  if (failure.kind !== 'not-permitted') return words;
  const url = grantUrl();
  return url === null ? words : { ...words, grantUrl: url };
}

function answer(name: unknown, payload: unknown): RpcReply<unknown> {
  // Only the table's own names count, so "constructor" is no method.
  const [, method] =
    Object.entries<Method>(METHODS).find(([methodName]) => methodName === name) ?? [];
  if (method === undefined) return refused('bad-request', 'This page is out of date. Reload it.');
  const parsed = z.safeParse(method.schema(), payload);
  if (!parsed.success) {
    const at = String(parsed.error.issues[0]?.path[0] ?? '');
    return refused('bad-request', `Check what you entered${at === '' ? '' : ` under ${at}`}.`);
  }
  const value = method.handler(googlePlatform(), parsed.data as never);
  return isFailure(value) ? { ok: false, failure: withGrant(value) } : { ok: true, value };
}

function refused(kind: string, message: string): RpcReply<never> {
  return { ok: false, failure: { kind, message } };
}
