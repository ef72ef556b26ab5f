// The page's only way in: one global, named methods, checked payloads, and an envelope in place of exceptions.

import * as z from 'zod/mini';
import { draftSchema, sharingSchema, typed, wholeNumber } from '../../connection/connection';
import { type Failure, isFailure } from '../../failures/failure';
import { troubleLog } from '../../failures/trouble-log';
import { workOffWaiting } from '../../formulas/wake-waiting';
import { appsScriptAccess, appsScriptPlatform } from '../../platform/apps-script/services';
import { appsScriptFreeSheet, appsScriptSpreadsheet } from '../../platform/apps-script/spreadsheet';
import { type Platform, Refused } from '../../platform/ports';
import { MARKETS } from '../../product/market';
import { connectionPage, insertSampleRows } from './connection';
import type { RpcFailure, RpcReply } from './connection-contract';
import type { RpcMethod, RpcMethods } from './define-api';
import { described, mistakeIn } from './failure-view';
import { bulkMethods } from './runs';
import { scheduleMethods } from './schedules';

type Value<M extends RpcMethod> = RpcMethods[M]['value'];

interface Method<M extends RpcMethod> {
  readonly payload: z.ZodMiniType<RpcMethods[M]['payload']>;
  readonly run: (platform: Platform, payload: RpcMethods[M]['payload']) => Value<M> | Failure;
}

/** A call from the page may run for six minutes; what was begun by then has to be read and kept too. */
const WORK_MS_MAX = 300_000;

/** Far more than any record: nothing longer is read. */
const EXPORT_CHARS_MAX = 20_000;

/** Built on a call, not at load: cells load this file too. */
function methods(): { readonly [M in RpcMethod]?: Method<M> } {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return {
    'connection.save': {
      payload: draftSchema(),
      run: (platform, draft) => connectionPage(platform).save(draft),
    },
    'connection.status': { payload: nothing, run: (platform) => connectionPage(platform).status() },
    'connection.check': {
      payload: z.strictObject({
        asin: z.exactOptional(typed()),
        market: z.exactOptional(z.enum(MARKETS)),
        tryMarkets: z.exactOptional(z.literal(true)),
      }),
      run: (platform, wish) => connectionPage(platform).check(wish),
    },
    'connection.share': {
      payload: sharingSchema(),
      run: (platform, wish) => connectionPage(platform).share(wish),
    },
    'demo.start': {
      payload: nothing,
      run: (platform) => connectionPage(platform).setDemo(true),
    },
    'demo.stop': {
      payload: nothing,
      run: (platform) => connectionPage(platform).setDemo(false),
    },
    'connection.export': {
      payload: nothing,
      run: (platform) => connectionPage(platform).exportText(),
    },
    'connection.import': {
      payload: z.strictObject({ text: typed(EXPORT_CHARS_MAX) }),
      run: (platform, { text }) => connectionPage(platform).importText(text),
    },
    'samples.insert': {
      payload: nothing,
      run: (platform) => insertSampleRows(platform, appsScriptFreeSheet()),
    },
    'connection.clear': { payload: nothing, run: (platform) => connectionPage(platform).clear() },
    'waiting.work': {
      payload: z.strictObject({ maxMs: wholeNumber(WORK_MS_MAX) }),
      run: (platform, { maxMs }) =>
        workOffWaiting({ ...platform, spreadsheet: appsScriptSpreadsheet() }, maxMs),
    },
    'formulas.refresh': {
      payload: z.strictObject({
        maxMs: wholeNumber(WORK_MS_MAX),
        onlyFailed: z.boolean(),
        sinceMs: z.exactOptional(wholeNumber(Number.MAX_SAFE_INTEGER)),
      }),
      run: (platform, wish) => connectionPage(platform).refresh(wish, appsScriptSpreadsheet()),
    },
    ...bulkMethods(),
    ...scheduleMethods(),
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
  } catch (error) {
    return failed(error);
  }
}

/**
 * Google refused a call, which has words, or there is a bug: the text of that may hold anything, so
 * it is not passed on, and only its name is noted.
 */
function failed(error: unknown): RpcReply<never> {
  if (error instanceof Refused) return { ok: false, failure: withGrant(error.refusal) };
  try {
    const { cache, clock } = appsScriptPlatform();
    troubleLog(cache, clock).note(`A call of the sidebar failed with ${mistakeIn(error)}.`);
  } catch {
    // What failed is told all the same.
  }
  return refused('internal', 'Something went wrong in the add-on or at Google. Try again.');
}

/** A failure in words, with the way to Google's page where a permission is missing. */
function withGrant(failure: Failure): RpcFailure {
  const words = described(failure);
  if (failure.kind !== 'not-permitted') return words;
  const grantUrl = appsScriptAccess().grantUrl();
  return grantUrl === null ? words : { ...words, grantUrl };
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
  return isFailure(value) ? { ok: false, failure: withGrant(value) } : { ok: true, value };
}

function refused(kind: string, message: string): RpcReply<never> {
  return { ok: false, failure: { kind, message } };
}
