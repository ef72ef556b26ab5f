// The methods of the Schedule page by name: what each may be sent, and what it runs.

import * as z from 'zod/mini';
import { withSchedules } from '../platform/apps-script/schedule-platform';
import { methodsOf } from './page-methods';
import type { ScheduleMethods } from './schedule-contract';
import { type SchedulePage, schedulePage } from './schedule-page';
import {
  idPayload,
  rulePayload,
  runOncePayload,
  savePayload,
  switchPayload,
} from './schedule-payloads';

/** Built on a call, not at load: cells load this file too. */
export function scheduleMethods() {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return methodsOf<ScheduleMethods, SchedulePage>(
    {
      'schedule.look': nothing,
      'schedule.save': savePayload(),
      'schedule.switch': switchPayload(),
      'schedule.remove': idPayload(),
      'schedule.run': runOncePayload(),
      'schedule.seen': nothing,
      'schedule.show': rulePayload(),
      'schedule.history': nothing,
      'schedule.adopt': idPayload(),
      'schedule.mend': nothing,
      'schedule.useHere': nothing,
    },
    (platform) => schedulePage(withSchedules(platform)),
  );
}
