// Times of schedules in words: all of them are of the spreadsheet's clock, wherever the reader is.
import type { ScheduleLook, ScheduleShown } from '../../schedule-contract';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/** What is needed to tell a time: now, and where. */
export interface Clock {
  readonly nowMs: number;
  readonly timeZone: string | undefined;
}

/** A zone that this browser does not know is left to the computer's own. */
export function clockOf(nowMs: number, { timeZone }: ScheduleLook): Clock {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone });
    return { nowMs, timeZone };
  } catch {
    return { nowMs, timeZone: undefined };
  }
}

const timeText = (atMs: number, { timeZone }: Clock): string =>
  new Date(atMs).toLocaleTimeString(undefined, { timeStyle: 'short', timeZone });

/** "06:00": an hour of the day, as the computer's language writes it. */
export const hourText = (hour: number): string =>
  timeText(hour * HOUR_MS, { nowMs: 0, timeZone: 'UTC' });

/** Days since 1970 on the wall's calendar. */
function dayOf(atMs: number, { timeZone }: Clock): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).format(atMs);
  return Date.parse(`${parts} UTC`) / DAY_MS;
}

const NEAR: Readonly<Record<string, string>> = { '-1': 'yesterday', '0': '', '1': 'tomorrow' };

function dayText(atMs: number, clock: Clock): string {
  const near = NEAR[String(dayOf(atMs, clock) - dayOf(clock.nowMs, clock))];
  if (near !== undefined) return near;
  const { timeZone } = clock;
  return new Date(atMs).toLocaleDateString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone,
  });
}

/** "06:04", "yesterday 06:04", "Mon 16 Mar 06:04". */
export const momentText = (atMs: number, clock: Clock): string =>
  `${dayText(atMs, clock)} ${timeText(atMs, clock)}`.trim();

/** Google calls about so often, and nobody knows when within that: "06:00–07:00". */
function spanText(atMs: number, everyMinutes: number, clock: Clock): string {
  const endMs = atMs + everyMinutes * MINUTE_MS;
  return `${momentText(atMs, clock)}–${timeText(endMs, clock)}`;
}

/** When it comes round next: "tomorrow 06:00–07:00", "within the hour", "off". */
export function nextText(
  { isOn, isUnderWay, nextAtMs }: ScheduleShown,
  { everyMinutes }: ScheduleLook['clock'],
  clock: Clock,
): string {
  const soon = everyMinutes >= 60 ? 'within the hour' : `within ${everyMinutes} min`;
  if (!isOn) return 'off';
  if (nextAtMs === null) return 'waits';
  const when = nextAtMs <= clock.nowMs ? soon : spanText(nextAtMs, everyMinutes, clock);
  return isUnderWay ? `goes on ${when}` : when;
}
