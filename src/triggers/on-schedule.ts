// What the clock calls, about every hour; a thin door to the schedules and to runs that were left alone.

import { dispatch } from '../bulk/schedule/dispatch';
import { appsScriptAccess } from '../platform/apps-script/access';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import { appsScriptZones } from '../platform/apps-script/zones';

/**
 * Runs when a time-driven trigger fires. The name is fixed, because triggers keep it: one that an
 * older or newer version left behind must find it here and do no harm.
 */
export function onSchedule(): void {
  const platform = {
    ...appsScriptPlatform(),
    spreadsheet: appsScriptSpreadsheet(),
    triggers: appsScriptTriggers(),
    access: appsScriptAccess(),
    zones: appsScriptZones(),
  };
  console.info(`The clock: ${dispatch(platform)}.`);
}
