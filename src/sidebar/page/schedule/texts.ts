// What the Schedule page says: times, rhythms, limits, outcomes.

import type { Recurrence } from '../../../schedules/recurrence';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { RpcFailure } from '../../api/failure-view';
import type {
  RunShown,
  ScheduleLimits,
  ScheduleOverview,
  ScheduleShown,
} from '../../api/schedules';
import { asSentence, countText, type Options } from '../ui/texts';
import type { Asked } from './state';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/** What is needed to tell a time: now, and where. */
export interface Clock {
  readonly nowMs: number;
  readonly timeZone: string | undefined;
}

/** A zone that this browser does not know is left to the computer's own. */
export function clockOf(nowMs: number, { timeZone }: ScheduleOverview): Clock {
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
  { everyMinutes }: ScheduleOverview['clock'],
  clock: Clock,
): string {
  const soon = everyMinutes >= 60 ? 'within the hour' : `within ${everyMinutes} min`;
  if (!isOn) return 'off';
  if (nextAtMs === null) return 'waits';
  const when = nextAtMs <= clock.nowMs ? soon : spanText(nextAtMs, everyMinutes, clock);
  return isUnderWay ? `continues ${when}` : when;
}

export const BUYS_LEAD = 'Worth buying now (up to five):';

export const RECURRENCES: Options<Recurrence['kind']> = [
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
  return asSentence([...calls, ...hours].join(' · '));
}

/** "371 rows", "214 cells". */
const refreshedText = (refreshed: number, kind: ScheduleSettings['task']['kind']): string =>
  countText(refreshed, kind === 'list' ? 'row' : 'cell');

const NOTHING_DUE = 'nothing out of date';

const hadNothing = ({ outcome, refreshed, failed }: RunShown): boolean =>
  outcome === 'done' && refreshed + failed === 0;

/** What a run came to: "371 rows · 2 failed". */
export function outcomeText(run: RunShown, { settings }: ScheduleShown): string {
  const failed = run.failed === 0 ? [] : [`${run.failed.toLocaleString()} failed`];
  if (run.outcome === 'failed' && run.refreshed === 0) return 'failed';
  if (hadNothing(run)) return NOTHING_DUE;
  return [refreshedText(run.refreshed, settings.task.kind), ...failed].join(' · ');
}

const OUTCOMES = { done: [], part: ['partly done'], failed: ['interrupted'] } as const;

/** One line of the history: "371 refreshed · 2 failed · 301 calls · by hand". */
export function pastText(run: RunShown): string {
  const { refreshed, failed, calls, changes, byHand, outcome } = run;
  return [
    hadNothing(run) ? NOTHING_DUE : `${refreshed.toLocaleString()} refreshed`,
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

export const removeQuestion = (name: string): string =>
  `“${name}” will be removed. What it wrote stays in the sheet.`;

export const CLOCK_MISSING: RpcFailure = {
  kind: 'schedule',
  why: 'clock-missing',
  message: 'Nothing starts your schedules any more.',
  action: 'Set the clock again.',
};

/** After a run by hand. */
export const UP_TO_DATE = 'Everything is up to date.';

/** What was asked, for who does not see it. */
export const SPOKEN: Readonly<Record<Asked['act'], string>> = {
  add: 'Adding the schedule.',
  remove: 'Removing the schedule.',
  adopt: 'Taking the schedule over.',
  switch: '',
  mend: 'Setting the clock.',
  useHere: 'Taking the schedules over.',
  seen: '',
};

/** What stands in the views: titles, labels, hints, buttons. */
export const VIEW_TEXTS = {
  what: 'What',
  markedHint: 'Marked in the column “What changed”, and listed here next time you open this page.',
  rows: 'Rows',
  first: 'First',
  starredHint: 'Starred: rows with anything in a column titled “Star” or “Starred”.',
  weakRows: 'Refresh only every 30 days',
  skipHint: 'Anything in a column titled “Skip” leaves a row out.',
  atMost: 'At most',
  callsAnHour: 'calls an hour',
  quietHours: 'Quiet hours, when nothing starts',
  from: 'From',
  to: 'To',
  when: 'When',
  on: 'On',
  onThe: 'On the',
  at: 'At',
  olderThan: 'Older than',
  save: 'Save',
  connectionLost: 'Trying again by itself. Progress saved.',
  stopping: 'Finishing current calls… What was written stays.',
  runningNow: 'Running now',
  rowsDone: 'Rows done',
  finding: 'Finding out-of-date rows',
  takingItOver: 'Taking it over',
  last: 'Last',
  next: 'Next',
  theWholeSpreadsheet: 'The whole spreadsheet',
  ofSomeoneElse: 'Someone else’s: it runs with their key.',
  marks: 'Marks:',
  dismiss: 'Dismiss',
  changesHint: 'Each change is in the sheet “Analysis changes”.',
  history: 'History',
  loading: 'Loading',
  noRuns: 'No runs yet.',
  noSchedulesLead: 'A schedule refreshes figures automatically. Only out-of-date rows use calls.',
  firstLead: 'Refreshes automatically. Only out-of-date rows use calls.',
  formulasHint: 'Cells with =ANALYZE, anywhere in the spreadsheet',
  formulasToo: 'Refresh formulas, too',
  noSchedulesYet: 'No schedules yet',
  noList:
    'There is no list on this sheet. Go to the sheet that has your products, then look again.',
  everyMorning: 'Fresh figures every morning',
  schedules: 'Schedules',
  schedule: 'Schedule',
  unreached: 'The schedules could not be read just now.',
  newSchedule: 'New schedule',
  changeTheSchedule: 'Change the schedule',
  noKey: 'Connect your key first',
  noKeyLead: 'A schedule uses your own key. Enter it under Connection, then come back here.',
} as const;
