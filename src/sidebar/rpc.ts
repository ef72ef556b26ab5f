// The page's only way in: one global, named methods, checked payloads, and an envelope in place of exceptions.

import * as z from 'zod/mini';
import { type Failure, isFailure } from '../analysis/failure';
import { draftSchema } from '../connection/connection';
import { wholeNumber } from '../connection/whole-number';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import type { Platform } from '../platform/ports';
import { connectionPage } from './connection-page';
import { described } from './described';
import type { RpcMethod, RpcMethods, RpcReply } from './rpc-contract';
import { workOffWaiting } from './waiting-work';

type Value<M extends RpcMethod> = RpcMethods[M]['value'];

interface Method<M extends RpcMethod> {
  readonly payload: z.ZodMiniType<RpcMethods[M]['payload']>;
  readonly run: (platform: Platform, payload: RpcMethods[M]['payload']) => Value<M> | Failure;
}

/** A call from the page may run for six minutes; what was begun by then has to be read and kept too. */
const WORK_MS_MAX = 300_000;

/** Built on a call, not at load: cells load this file too. */
function methods(): { readonly [M in RpcMethod]: Method<M> } {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return {
    'connection.save': {
      payload: draftSchema(),
      run: (platform, draft) => connectionPage(platform).save(draft),
    },
    'connection.status': { payload: nothing, run: (platform) => connectionPage(platform).status() },
    'connection.check': { payload: nothing, run: (platform) => connectionPage(platform).check() },
    'connection.clear': { payload: nothing, run: (platform) => connectionPage(platform).clear() },
    'waiting.work': {
      payload: z.strictObject({ maxMs: wholeNumber(WORK_MS_MAX) }),
      run: (platform, { maxMs }) => workOffWaiting(platform, maxMs),
    },
  };
}

/**
 * Answers the sidebar's page.
 *
 * @param method one of the names in `RpcMethods`.
 * @param payload JSON, as that method wants it.
 * @return `{ok: true, value}` or `{ok: false, failure: {kind, message}}`, JSON only; never throws.
 */
export function rpc(method: unknown, payload: unknown): RpcReply<Value<RpcMethod>> {
  try {
    return answer(method, payload ?? {});
  } catch {
    // A bug or a service of Google's that failed: its text may hold anything, so it is not passed on.
    return refused('internal', 'Something went wrong in the add-on or at Google. Try again.');
  }
}

function answer(name: unknown, payload: unknown): RpcReply<Value<RpcMethod>> {
  const table = methods();
  const names = Object.keys(table) as RpcMethod[];
  const found = names.find((one) => one === name);
  if (found === undefined) return refused('bad-request', 'This page is out of date. Reload it.');
  return run(table[found] as Method<RpcMethod>, payload);
}

function run(method: Method<RpcMethod>, payload: unknown): RpcReply<Value<RpcMethod>> {
  const parsed = z.safeParse(method.payload, payload);
  if (!parsed.success) {
    const at = String(parsed.error.issues[0]?.path[0] ?? '');
    return refused('bad-request', `Check what you entered${at === '' ? '' : ` under ${at}`}.`);
  }
  const value = method.run(appsScriptPlatform(), parsed.data);
  return isFailure(value) ? { ok: false, failure: described(value) } : { ok: true, value };
}

function refused(kind: string, message: string): RpcReply<never> {
  return { ok: false, failure: { kind, message } };
}
