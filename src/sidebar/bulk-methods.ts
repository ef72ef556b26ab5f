// The methods of the Analyze page by name: what each may be sent, and what it runs.

import * as z from 'zod/mini';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import type { BulkMethods } from './bulk-contract';
import { type BulkPage, bulkPage } from './bulk-page';
import { choicePayload, jobPayload, retryPayload, runPayload, showPayload } from './bulk-payloads';
import { methodsOf } from './page-methods';

/** Built on a call, not at load: cells load this file too. */
export function bulkMethods() {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return methodsOf<BulkMethods, BulkPage>(
    {
      'bulk.look': nothing,
      'bulk.preflight': choicePayload(),
      'bulk.start': choicePayload(),
      'bulk.run': runPayload(),
      'bulk.status': nothing,
      'bulk.pause': jobPayload(),
      'bulk.resume': jobPayload(),
      'bulk.stop': jobPayload(),
      'bulk.retry': retryPayload(),
      'bulk.history': nothing,
      'bulk.show': showPayload(),
    },
    (platform) =>
      bulkPage({
        ...platform,
        spreadsheet: appsScriptSpreadsheet(),
        triggers: appsScriptTriggers(),
      }),
  );
}
