// The wording of the Schedule page: times, rhythms, limits, results.

import { DAY, HOUR, MINUTE } from '../../../failures/duration';
import { seenText } from '../../../product/cell-text';
import type { ListTask, Recurrence } from '../../../schedules/due';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { RpcFailure } from '../../api/failure-view';
import type { JobStatus } from '../../api/jobs';
import type {
  RunShown,
  ScheduleLimits,
  ScheduleOverview,
  ScheduleShown,
} from '../../api/schedules';
import {
  answeredText,
  asSentence,
  countText,
  failedText,
  leftText,
  type Options,
  selectedText,
} from '../ui/texts';
import {
  ageEffect,
  type FormProblems,
  HOURS_MAX,
  HOURS_MIN,
  type ProblemKind,
  type ProblemKinds,
  RULES,
  type RuleName,
  type ScheduleForm,
  tickedOf,
} from './form';
import type { Asked, Notice, RunEnd } from './state';

/** What is needed to word a time: the present moment and the time zone. */
export interface Clock {
  readonly nowMs: number;
  readonly timeZone: string | undefined;
}

/** If the browser does not know the time zone, the computer's own is used. */
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

/** "06:00": an hour of the day in the computer's locale. */
export const hourText = (hour: number): string =>
  timeText(hour * HOUR, { nowMs: 0, timeZone: 'UTC' });

/** Calendar days since 1970 in the time zone. */
function dayOf(atMs: number, { timeZone }: Clock): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).format(atMs);
  return Date.parse(`${parts} UTC`) / DAY;
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
  [dayText(atMs, clock), timeText(atMs, clock)].filter(Boolean).join(' ');

/** "06:00–07:00": Google fires within this span at an unknown moment. */
function spanText(atMs: number, everyMinutes: number, clock: Clock): string {
  const endMs = atMs + everyMinutes * MINUTE;
  return `${momentText(atMs, clock)}–${timeText(endMs, clock)}`;
}

/** The next occurrence: "tomorrow 06:00–07:00", "within the hour", "off". */
export function nextText(
  { isOn, isUnderWay, nextAtMs }: ScheduleShown,
  { everyMinutes }: ScheduleOverview['trigger'],
  clock: Clock,
): string {
  const soon = everyMinutes >= 60 ? 'within the hour' : `within ${everyMinutes} min`;
  if (!isOn) return 'off';
  if (nextAtMs === null) return 'waits';
  const when = nextAtMs <= clock.nowMs ? soon : spanText(nextAtMs, everyMinutes, clock);
  return isUnderWay ? `continues ${when}` : when;
}

export const BUYS_LEAD = 'Became worth buying (up to five):';

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

const quietText = ({ fromHour, toHour }: NonNullable<ScheduleSettings['quiet']>): string =>
  `quiet ${hourText(fromHour)}–${hourText(toHour)}`;

/** "At most 200 calls an hour · quiet 22:00–06:00"; '' if there are no limits. */
export function limitsText({ callsPerHour, quiet }: ScheduleSettings): string {
  const calls = callsPerHour === null ? [] : [`At most ${countText(callsPerHour, 'call')} an hour`];
  const hours = quiet === null ? [] : [quietText(quiet)];
  return asSentence([...calls, ...hours].join(' · '));
}

/** "371 products", "214 cells". */
const refreshedText = (refreshed: number, kind: ScheduleSettings['task']['kind']): string =>
  countText(refreshed, kind === 'list' ? 'product' : 'cell');

const NOTHING_DUE = 'nothing out of date';

const hadNothing = ({ outcome, refreshed, failed }: RunShown): boolean =>
  outcome === 'done' && refreshed + failed === 0;

/** The result of a run: "371 products · 2 failed". */
export function outcomeText(run: RunShown, { settings }: ScheduleShown): string {
  const failed = run.failed === 0 ? [] : [failedText(run.failed)];
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
    ...(failed === 0 ? [] : [failedText(failed)]),
    countText(calls, 'call'),
    ...(changes === 0 ? [] : [countText(changes, 'change')]),
    ...OUTCOMES[outcome],
    ...(byHand ? ['by hand'] : []),
  ].join(' · ');
}

/** "12 of 90 min of Google run time used today" */
export function runTimeText({ runMsToday, runMsPerDay }: ScheduleLimits): string {
  const minutes = (ms: number): string => Math.ceil(ms / 60_000).toLocaleString();
  return `${minutes(runMsToday)} of ${minutes(runMsPerDay)} min of Google run time used today`;
}

export const removeQuestion = (name: string): string =>
  `“${name}” will be removed. What it wrote stays in the sheet.`;

export const CLOCK_MISSING: RpcFailure = {
  kind: 'schedule',
  why: 'clock-missing',
  message: 'Nothing starts your schedules any more.',
  action: 'Set the clock again.',
};

/** What was requested, for screen readers. */
export const SPOKEN: Readonly<Record<Asked['act'], string>> = {
  add: 'Adding the schedule.',
  remove: 'Removing the schedule.',
  adopt: 'Taking the schedule over.',
  switch: '',
  mend: 'Setting the clock.',
  useHere: 'Taking the schedules over.',
  seen: '',
};

/** A tick's label, also used in the list of what is marked, without its bound. */
export const TICK_WORDS: Readonly<Record<RuleName, string>> = {
  eligible: 'No longer eligible',
  roi: 'ROI falls under',
  profit: 'Profit falls under',
  nowEligible: 'Becomes eligible',
  roiOver: 'ROI rises over',
  profitOver: 'Profit rises over',
  buy: 'Verdict becomes “Buy”',
  drops: 'Rank drops double',
};

const CARD_WORDS: Readonly<Record<RuleName, string>> = {
  eligible: 'no longer eligible',
  roi: 'ROI under',
  profit: 'profit under',
  nowEligible: 'now eligible',
  roiOver: 'ROI over',
  profitOver: 'profit over',
  buy: 'now a Buy',
  drops: 'rank drops doubled',
};

/** "no longer eligible, ROI under 20%": all rules that mark, in one line. */
export const rulesText = (ticks: ScheduleForm['ticks']): string =>
  tickedOf(ticks)
    .map(({ name, bound }) => [CARD_WORDS[name], bound].filter(Boolean).join(' '))
    .join(', ');

/** The label of the field beside a tick, for people who do not see its place. */
export const boundLabel = (name: RuleName, unit: string): string =>
  unit === '' ? TICK_WORDS[name] : `${TICK_WORDS[name]}, ${unit}`;

const NEXT_WORDS = { daily: 'day', weekdays: 'day', weekly: 'week', monthly: 'month' } as const;

/** How the age affects the rhythm; '' if every row is refreshed each time. */
export function ageHint(form: Pick<ScheduleForm, 'every' | 'maxAge'>): string {
  const effect = ageEffect(form);
  if (effect === null) return '';
  if (effect.kind === 'skips') {
    const unit = NEXT_WORDS[effect.every];
    return `Newer rows wait for the next ${unit}. ${effect.fit} h refreshes them every ${unit}.`;
  }
  const rhythm = `Each row at most once in ${effect.hours.toLocaleString()} h.`;
  return effect.isByOneHour ? `${rhythm} ${HOURS_MIN} h refreshes it every hour.` : rhythm;
}

/** @param usual the default of the missing bound. */
function problemText(kind: ProblemKind, usual = ''): string {
  switch (kind) {
    case 'hours':
      return `Enter whole hours up to ${HOURS_MAX.toLocaleString()}, or ${HOURS_MIN}.`;
    case 'percentage':
      return `Enter a percentage, such as ${usual}.`;
    case 'amount':
      return `Enter an amount, such as ${usual}.`;
    case 'calls':
      return 'Enter a whole number of calls, or leave it empty.';
    case 'quiet':
      return 'Choose an end that differs from the start.';
  }
}

export const problemTexts = (kinds: ProblemKinds): FormProblems =>
  Object.fromEntries(
    Object.entries(kinds).map(([field, kind]) => {
      const usual = RULES.find(({ name }) => name === field)?.bound?.usual;
      return [field, problemText(kind, usual)];
    }),
  );

const REST = 'The rest continues in the next hour.';
const REST_BY_HAND = 'The schedule is off: run it again in the next hour for the rest.';

/** The result of a run by hand. */
function endText({ totals, isStopping, isLeft, isOn }: RunEnd): string {
  const { refreshed, failed, calls, changes } = totals;
  const later = isOn ? REST : REST_BY_HAND;
  const end = isStopping ? 'Stopped. ' : '';
  if (refreshed + failed === 0)
    return isStopping ? `${end}What was written stays.` : `This hour’s calls are used up. ${later}`;
  const bad = failed === 0 ? '' : `, ${failedText(failed)}`;
  const news = changes === 0 ? '' : ` ${countText(changes, 'change')} noted.`;
  const rest = isLeft && !isStopping ? ` ${later}` : '';
  return `${end}${refreshed.toLocaleString()} refreshed with ${countText(calls, 'call')}${bad}.${news}${rest}`;
}

const NOTICES = {
  added: 'Added. It is on.',
  changed: 'Schedule saved.',
  removed: 'Schedule removed.',
  'up-to-date': 'Everything is up to date.',
} as const;

/** Good news to show once. */
export function noticeText(notice: Notice | null): string | null {
  if (notice === null) return null;
  switch (notice.kind) {
    case 'ended':
      return endText(notice);
    case 'selected': {
      const { shown, wanted } = notice;
      const fewer = `${shown.toLocaleString()} of ${countText(wanted, 'row')} selected in the sheet.`;
      return selectedText(notice, fewer);
    }
    default:
      return NOTICES[notice.kind];
  }
}

export const NOT_SAVED: RpcFailure = {
  kind: 'internal',
  message: 'The schedule was not saved. Try again.',
};

/** The list of a schedule as an option. @param name null: it is unknown here. */
export const listText = (name: string | null): string => `List on ${name ?? 'another sheet'}`;

export const ROW_CHOICES: Options<ListTask['rows']> = [
  ['all', ROWS.all],
  ['starred', ROWS.starred],
  ['failed', 'Failed before'],
];

export const ORDER_CHOICES: Options<ListTask['order']> = [
  ['stalest', 'Oldest figures'],
  ['starred', ROWS.starred],
];

const nameOf = <Value extends string>(options: Options<Value>, value: Value): string =>
  options.find(([one]) => one === value)?.[1] ?? '';

/** "All rows, no limit an hour, no quiet hours": the summary of the folded part. */
export function moreText(form: ScheduleForm): string {
  const { task, calls, isQuiet, fromHour, toHour } = form;
  const rows = task.kind === 'list' ? [nameOf(ROW_CHOICES, task.rows)] : [];
  const number = seenText(calls);
  const limit = number === '' ? 'no limit an hour' : `${number} calls an hour`;
  const quiet = isQuiet ? quietText({ fromHour, toHour }) : 'no quiet hours';
  return asSentence([...rows, limit, quiet].join(', '));
}

/** Shown below the rhythm: when it starts, in the sheet's time zone. */
export function startsText({ trigger, timeZone }: ScheduleOverview): string {
  const within = trigger.everyMinutes >= 60 ? 'the hour' : 'minutes';
  return `Newer figures are skipped. Starts within ${within} (${timeZone}).`;
}

/** "All rows older than 20 h, about 6:00": what the first button makes. */
export const offerText = (settings: ScheduleSettings): string => {
  const { recurrence } = settings;
  const at = 'hour' in recurrence ? `, about ${hourText(recurrence.hour)}` : '';
  return `${whatText(settings)}${at}`;
};

/** "14 of 57": the progress of a run by hand. */
export const ofText = (done: number, all: number): string =>
  `${done.toLocaleString()} of ${all.toLocaleString()}`;

/** One sentence for people who do not see the progress bar. */
export function progressText({ products, left, failed }: JobStatus): string {
  const bad = failed === 0 ? '' : `, ${failedText(failed)}`;
  const done = Math.max(0, products - left).toLocaleString();
  return `${done} of ${countText(products, 'product')} done${bad}.`;
}

/** "12 refreshed · 2 failed · 14 calls": progress while the number of products is unknown. */
export function sofarText({ refreshed, failed, calls }: RunEnd['totals']): string {
  const bad = failed === 0 ? [] : [failedText(failed)];
  return [`${refreshed.toLocaleString()} refreshed`, ...bad, countText(calls, 'call')].join(' · ');
}

/** "4 min left · 187 answered" */
export function paceText({ expectedMs, answered, cached, failed }: JobStatus): string {
  const left = expectedMs === null ? [] : [leftText(expectedMs)];
  const bad = failed === 0 ? [] : [failedText(failed)];
  return [...left, answeredText(answered + cached), ...bad].join(' · ');
}

/** "06:04 · 371 products · 2 failed" */
export function lastText(schedule: ScheduleShown, clock: Clock): string {
  const { last } = schedule;
  if (last === null) return 'not yet';
  return `${momentText(last.startedAtMs, clock)} · ${outcomeText(last, schedule)}`;
}

/**
 * "Run now: Every morning, Sheet1": the full label for screen readers, which read the verb alone.
 */
export const verbLabel = (verb: string, name: string): string => `${verb}: ${name}`;

export const onText = (isOn: boolean): string => (isOn ? 'on' : 'off');

export const sinceText = (atMs: number, clock: Clock): string => `Since ${momentText(atMs, clock)}`;

export const changesWord = (count: number): string => (count === 1 ? 'change' : 'changes');

/** Titles, labels, hints and buttons of the views. */
export const VIEW_TEXTS = {
  addSchedule: 'Add schedule',
  removeSchedule: 'Remove schedule',
  everyMorningButton: 'Refresh every morning',
  anotherSchedule: 'Choose another schedule',
  useHere: 'Use the schedules here',
  setClock: 'Set the clock again',
  savingIt: 'Saving the schedule.',
  stoppingIt: 'Stopping.',
  runningIt: 'Running now.',
  refreshAnyway: 'Refresh anyway',
  needsAttention: 'needs attention',
  hasNews: 'has news',
  takeItOver: 'Take it over',
  remove: 'Remove',
  runNow: 'Run now',
  edit: 'Edit',
  anyNumber: 'any',
  hours: 'hours',
  markRows: 'Mark rows when',
  nothingMarked: 'Nothing is marked',
  more: 'More',
  what: 'What',
  markedHint: 'Marked in the column “What changed”, and listed here next time you open this page.',
  rows: 'Rows',
  first: 'First',
  starredHint: 'Starred: rows with anything in a column titled “Star” or “Starred”.',
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
  productsDone: 'Products done',
  finding: 'Finding out-of-date products',
  takingItOver: 'Taking it over',
  last: 'Last',
  next: 'Next',
  theWholeSpreadsheet: 'The whole spreadsheet',
  ofSomeoneElse: 'Someone else’s: it runs with their key.',
  marks: 'Marks:',
  dismiss: 'Dismiss',
  changesHint: 'Each change is in the tab “Analysis changes”.',
  history: 'History',
  noRuns: 'No runs yet.',
  noSchedulesLead:
    'A schedule refreshes figures automatically. Only out-of-date figures use calls.',
  firstLead: 'Refreshes automatically. Only out-of-date figures use calls.',
  formulasHint: 'Cells with =ANALYZE, anywhere in the spreadsheet',
  formulasToo: 'Refresh formulas, too',
  noSchedulesYet: 'No schedules yet',
  noList: 'Analyze the list on this sheet first. Then a schedule can refresh it.',
  everyMorning: 'Fresh figures every morning',
  schedules: 'Schedules',
  unreached: 'The schedules could not be read just now.',
  newSchedule: 'New schedule',
  changeTheSchedule: 'Change the schedule',
  noKey: 'Connect your key first',
  noKeyLead: 'A schedule uses your own key. Enter it under Connection, then come back here.',
} as const;
