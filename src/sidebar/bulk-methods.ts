// The methods of the Analyze page by name: what each may be sent, and what it runs.

import * as z from 'zod/mini';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import type { Platform } from '../platform/ports';
import type { BulkMethods } from './bulk-contract';
import { bulkPage } from './bulk-page';
import { choicePayload, jobPayload, retryPayload, runPayload, showPayload } from './bulk-payloads';

/** Built on a call, not at load: cells load this file too. */
export function bulkMethods() {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  const page = (platform: Platform) =>
    bulkPage({
      ...platform,
      spreadsheet: appsScriptSpreadsheet(),
      triggers: appsScriptTriggers(),
    });
  const on = <Name extends keyof BulkMethods>(
    name: Name,
    payload: z.ZodMiniType<BulkMethods[Name]['payload']>,
  ) => ({
    payload,
    run: (platform: Platform, sent: BulkMethods[Name]['payload']) => page(platform)[name](sent),
  });
  return {
    'bulk.look': on('bulk.look', nothing),
    'bulk.preflight': on('bulk.preflight', choicePayload()),
    'bulk.start': on('bulk.start', choicePayload()),
    'bulk.run': on('bulk.run', runPayload()),
    'bulk.status': on('bulk.status', nothing),
    'bulk.pause': on('bulk.pause', jobPayload()),
    'bulk.resume': on('bulk.resume', jobPayload()),
    'bulk.stop': on('bulk.stop', jobPayload()),
    'bulk.retry': on('bulk.retry', retryPayload()),
    'bulk.history': on('bulk.history', nothing),
    'bulk.show': on('bulk.show', showPayload()),
  };
}
