// Google's services that schedules need beside those of every call.

import type { Platform } from '../ports';
import { appsScriptAccess } from './access';
import { appsScriptSpreadsheet } from './spreadsheet';
import { appsScriptTriggers } from './triggers';
import { appsScriptZones } from './zones';

export const withSchedules = (platform: Platform) => ({
  ...platform,
  spreadsheet: appsScriptSpreadsheet(),
  triggers: appsScriptTriggers(),
  access: appsScriptAccess(),
  zones: appsScriptZones(),
});
