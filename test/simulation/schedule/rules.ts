// What a schedule owes its rows and what it may ask, by the sheet and the service's book alone.

import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { Calendar } from './calendar';
import type { MonthWorld } from './month-world';
import { isTimeOf } from './row-figures';
import type { SeenRow } from './rows';

const HOUR_MS = 3_600_000;

/**
 * A product whose failure passes is tried again when the clock strikes next, about an hour later: not
 * within half an hour, and a little more, as the sheet keeps the minute of a try and not its second.
 */
const AGAIN_MS = { may: 30 * 60_000, must: 32 * 60_000 };

/** Failures that stay until somebody changes the product. */
const LASTING = ['not-found', 'rejected', 'bad-asin', 'bad-market'];

export interface LiveSchedule {
  readonly id: string;
  settings: ScheduleSettings;
  isOn: boolean;
  /** What came round earlier belongs to settings that are no more. */
  sinceMs: number;
  /** Somebody had it run at once, as if it had come round then. */
  byHandMs: number;
  /** Came round at this moment and owes nothing any more: it need not run until it comes round again. */
  throughMs: number | null;
  /** The same, and nothing has become too old since: it must not run until then. */
  restsMs: number | null;
}

export const maxAgeMs = ({ settings }: LiveSchedule) => settings.maxAgeHours * HOUR_MS;

/** Whether it is one of the rows that the schedule is for. */
export function isMeant({ settings }: LiveSchedule, { asin, isStarred, status }: SeenRow): boolean {
  if (settings.task.kind !== 'list' || asin === '') return false;
  if (settings.task.rows === 'failed') return status.kind === 'failed';
  return settings.task.rows === 'all' || isStarred;
}

interface Judging extends Pick<MonthWorld, 'callsOf'>, Pick<Calendar, 'showsSame'> {
  readonly atMs: number;
  readonly strikeMs: number;
  readonly duty: keyof typeof AGAIN_MS;
}

/** Whether it holds its own product's figures, or is known to have none. */
export const isSettled = ({ status, asin }: SeenRow): boolean =>
  status.kind === 'failed'
    ? LASTING.includes(status.failure)
    : status.kind === 'ok' && status.asin === asin;

/**
 * Whether a row's figures are older than they may be, or not the product's own, at a moment.
 *
 * @param atMs a row of the schedule is owed a refresh if it is too old at the moment at which the
 *   schedule came round; it may be refreshed if it is so when the clock strikes.
 * @param strikeMs when the clock strikes.
 */
export function isTooOld(
  schedule: LiveSchedule,
  row: SeenRow,
  { callsOf, showsSame, atMs, strikeMs, duty }: Judging,
): boolean {
  const { status, asin } = row;
  const oldestMs = atMs - maxAgeMs(schedule);
  if (status.kind === 'ok') {
    const shownMs = row.atMs ?? 0;
    // In the hour that comes twice the sheet tells less than the add-on knows.
    const knownMs = callsOf(asin).findLast((call) => isTimeOf(shownMs, call.atMs, showsSame))?.atMs;
    const dateMs = duty === 'must' ? Math.max(shownMs, knownMs ?? 0) : shownMs;
    return status.asin !== asin || dateMs < oldestMs;
  }
  if (status.kind !== 'failed') return true;
  const triedMs = callsOf(asin).findLast((call) => call.atMs < strikeMs)?.atMs ?? 0;
  if (LASTING.includes(status.failure)) return triedMs < oldestMs;
  return triedMs < (duty === 'may' ? atMs : strikeMs) - AGAIN_MS[duty];
}
