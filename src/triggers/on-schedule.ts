// What the clock calls, about every hour: it goes on with a run over a list that was left alone.

import { rescueRun } from '../bulk/control';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';

/** Google ends an execution after six minutes; the last answers are still to be written. */
const WORK_MS = 270_000;

/**
 * Runs when a time-driven trigger fires. The name is fixed, because triggers keep it: one that an
 * older or newer version left behind must find it here and do no harm.
 */
export function onSchedule(): void {
  const platform = {
    ...appsScriptPlatform(),
    spreadsheet: appsScriptSpreadsheet(),
    triggers: appsScriptTriggers(),
  };
  const outcome = rescueRun(platform, WORK_MS);
  console.info(`A run that was left alone: ${outcome}.`);
}
