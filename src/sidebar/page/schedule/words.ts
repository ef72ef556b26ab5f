// What a schedule does and did, in words.
import type {
  RecurrenceChoice,
  ScheduleLimits,
  ScheduleRun,
  ScheduleSettings,
  ScheduleShown,
} from '../../schedule-contract';
import { countText } from '../analyze/words';
import type { Options } from '../connection/settings';
import { hourText } from './times';

export const RECURRENCES: Options<RecurrenceChoice['kind']> = [
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekdays', 'Monday to Friday'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
];

export const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

/** "30 min", "20 h", "3 days". */
function ageText(hours: number): string {
  if (hours < 1) return `${hours * 60} min`;
  return hours >= 48 && hours % 24 === 0 ? `${hours / 24} days` : `${hours.toLocaleString()} h`;
}

const ROWS = { all: 'All rows', starred: 'Starred rows', failed: 'Failed rows' } as const;

/** "All rows older than 20 h" */
export function whatText({ task, maxAgeHours }: ScheduleSettings): string {
  const what = task.kind === 'formulas' ? 'All formulas' : ROWS[task.rows];
  return `${what} older than ${ageText(maxAgeHours)}`;
}

/** "At most 200 calls an hour · quiet 22:00–06:00"; '' where nothing is special. */
export function limitsText({ callsPerHour, quiet }: ScheduleSettings): string {
  const calls = callsPerHour === null ? [] : [`At most ${countText(callsPerHour, 'call')} an hour`];
  const hours =
    quiet === null ? [] : [`quiet ${hourText(quiet.fromHour)}–${hourText(quiet.toHour)}`];
  const text = [...calls, ...hours].join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "371 rows", "214 cells". */
const refreshedText = (refreshed: number, kind: ScheduleSettings['task']['kind']): string =>
  countText(refreshed, kind === 'list' ? 'row' : 'cell');

/** What a run came to: "371 rows · 2 failed". */
export function outcomeText(run: ScheduleRun, { settings }: ScheduleShown): string {
  const failed = run.failed === 0 ? [] : [`${run.failed.toLocaleString()} failed`];
  if (run.outcome === 'failed' && run.refreshed === 0) return 'failed';
  return [refreshedText(run.refreshed, settings.task.kind), ...failed].join(' · ');
}

const OUTCOMES = { done: [], part: ['partly done'], failed: ['interrupted'] } as const;

/** One line of the history: "371 refreshed · 2 failed · 301 calls · by hand". */
export function pastText(run: ScheduleRun): string {
  const { refreshed, failed, calls, changes, byHand, outcome } = run;
  return [
    `${refreshed.toLocaleString()} refreshed`,
    ...(failed === 0 ? [] : [`${failed.toLocaleString()} failed`]),
    countText(calls, 'call'),
    ...(changes === 0 ? [] : [countText(changes, 'change')]),
    ...OUTCOMES[outcome],
    ...(byHand ? ['by hand'] : []),
  ].join(' · ');
}

/** "12 of 90 min of Google run time used today", "1,204 of 20,000 Google calls today" */
export function allowanceTexts(limits: ScheduleLimits): readonly string[] {
  const minutes = (ms: number): string => Math.ceil(ms / 60_000).toLocaleString();
  const { runMsToday, runMsPerDay, callsToday, callsPerDay } = limits;
  return [
    `${minutes(runMsToday)} of ${minutes(runMsPerDay)} min of Google run time used today`,
    `${callsToday.toLocaleString()} of ${countText(callsPerDay, 'Google call')} today`,
  ];
}
