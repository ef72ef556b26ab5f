// The methods of the Schedule page by name: what each may be sent, and what it runs.

import * as z from 'zod/mini';
import { appsScriptAccess } from '../platform/apps-script/access';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import { appsScriptZones } from '../platform/apps-script/zones';
import type { Platform } from '../platform/ports';
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
  const page = (platform: Platform) =>
    schedulePage({
      ...platform,
      spreadsheet: appsScriptSpreadsheet(),
      triggers: appsScriptTriggers(),
      access: appsScriptAccess(),
      zones: appsScriptZones(),
    });
  const on = <Name extends keyof SchedulePage>(
    name: Name,
    payload: z.ZodMiniType<ScheduleMethods[Name]['payload']>,
  ) => ({
    payload,
    run: (platform: Platform, sent: ScheduleMethods[Name]['payload']) => page(platform)[name](sent),
  });
  return {
    'schedule.look': on('schedule.look', nothing),
    'schedule.save': on('schedule.save', savePayload()),
    'schedule.switch': on('schedule.switch', switchPayload()),
    'schedule.remove': on('schedule.remove', idPayload()),
    'schedule.run': on('schedule.run', runOncePayload()),
    'schedule.seen': on('schedule.seen', nothing),
    'schedule.show': on('schedule.show', rulePayload()),
    'schedule.history': on('schedule.history', nothing),
    'schedule.adopt': on('schedule.adopt', idPayload()),
    'schedule.mend': on('schedule.mend', nothing),
    'schedule.useHere': on('schedule.useHere', nothing),
  };
}
