// Clocks of places, as Google's Java knows them: the script's own zone is never asked.

import type { Zones } from '../sheet-ports';
import { serviceCall } from './service-call';

const MINUTE_MS = 60_000;

export function appsScriptZones(): Zones {
  return {
    offsetMs(timeZone, atMs) {
      // "-0330"
      const shown = serviceCall(() => Utilities.formatDate(new Date(atMs), timeZone, 'Z'));
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(shown) ?? [];
      const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
      return sign === '-' ? -ahead : ahead;
    },
  };
}
