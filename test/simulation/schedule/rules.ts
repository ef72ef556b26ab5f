// What a schedule owes its rows and what it may ask, by the sheet and the service's book alone.

import type { ScheduleSettings } from '../../../src/sidebar/schedule-contract';
import type { MonthWorld } from './month-world';
import type { SeenRow } from './rows';

const HOUR_MS = 3_600_000;

/** A product whose failure passes is tried again when the clock strikes next, about an hour later. */
const AGAIN_MS = 35 * 60_000;

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
  { callsOf, atMs, strikeMs }: Pick<MonthWorld, 'callsOf'> & { atMs: number; strikeMs: number },
): boolean {
  const { status, asin } = row;
  const oldestMs = atMs - maxAgeMs(schedule);
  if (status.kind === 'ok') return status.asin !== asin || (row.atMs ?? 0) < oldestMs;
  if (status.kind !== 'failed') return true;
  const triedMs = callsOf(asin).findLast((call) => call.atMs < strikeMs)?.atMs ?? 0;
  if (LASTING.includes(status.failure)) return triedMs < oldestMs;
  return triedMs < strikeMs - AGAIN_MS;
}
