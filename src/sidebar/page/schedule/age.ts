// How old rows have to be: the hours that were typed, and what they lead to at the times that were chosen.
import type { RecurrenceChoice } from '../../schedule-contract';

const HOURS_MAX = 8_760;

/** For rows that are to be refreshed every hour, by a clock that does not strike to the minute. */
const HOURS_MIN = 0.5;

export const HOURS_PROBLEM = `Enter whole hours up to ${HOURS_MAX.toLocaleString()}, or ${HOURS_MIN}.`;

/** null: no age that a schedule takes. */
export function hoursFrom(text: string): number | null {
  const hours = Number(text.trim().replace(',', '.'));
  const isFit = hours === HOURS_MIN || (Number.isInteger(hours) && hours >= 1);
  return isFit && hours <= HOURS_MAX ? hours : null;
}

/** In words, and the fewest hours from one time to the next. */
const GAPS = {
  hourly: ['hour', 1],
  daily: ['day', 24],
  weekdays: ['day', 24],
  weekly: ['week', 168],
  monthly: ['month', 672],
} as const;

/** The last row of a run is that much younger than the first, or more. */
const RUN_HOURS = 1;

/** With so many hours less than the gap, hardly a run is so long that a row is left out. */
const ROOM_HOURS = 4;

interface Typed {
  readonly every: RecurrenceChoice['kind'];
  /** As it stands in its field. */
  readonly maxAge: string;
}

/** What the age makes of the rhythm; '' where every row is refreshed each time. */
export function ageHint({ every, maxAge }: Typed): string {
  const hours = hoursFrom(maxAge);
  const [unit, gap] = GAPS[every];
  if (hours === null || hours < Math.max(1, gap - RUN_HOURS)) return '';
  if (every !== 'hourly')
    return `Rows that are younger by then wait for the next ${unit}. ${gap - ROOM_HOURS} h refreshes them every ${unit}.`;
  const rhythm = `Each row at most once in ${hours.toLocaleString()} h.`;
  return hours > gap ? rhythm : `${rhythm} ${HOURS_MIN} h refreshes it every hour.`;
}
