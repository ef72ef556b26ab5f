// The spreadsheet's clock: its offset from UTC, asked of the platform once for each quarter of an hour.

import type { Zones } from '../../platform/sheet-ports';
import type { ZoneOffset } from './recurrence';

/** No zone is changed in between. */
const QUARTER_MS = 15 * 60_000;

export function zoneOf(zones: Zones, timeZone: string): ZoneOffset {
  const known = new Map<number, number>();
  return (atMs) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const offsetMs = known.get(quarter) ?? zones.offsetMs(timeZone, quarter * QUARTER_MS);
    known.set(quarter, offsetMs);
    return offsetMs;
  };
}
