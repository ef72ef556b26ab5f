// What is typed and chosen for a schedule: from settings and back, and what is wrong with it.
import type {
  FormulasTask,
  ListTask,
  RecurrenceChoice,
  RuleChoice,
  ScheduleSettings,
} from '../../schedule-contract';
import { HOURS_PROBLEM, hoursFrom } from './age';
import { boundOf, otherRules, type RuleName, type RuleTicks, rulesOf, ticksOf } from './rules';

/** Everything that can be chosen, with what is typed as it stands in its field. */
export interface ScheduleForm {
  /** Of the schedule: one that is sent twice is made once. */
  readonly id: string;
  readonly task: ListTask | FormulasTask;
  readonly every: RecurrenceChoice['kind'];
  /** 0 to 23, of the spreadsheet's clock. Kept while it is of no use, so that it comes back. */
  readonly hour: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** 1 to 31. */
  readonly day: number;
  readonly maxAge: string;
  /** Empty: the key's limit alone. */
  readonly calls: string;
  readonly isQuiet: boolean;
  readonly fromHour: number;
  readonly toHour: number;
  readonly ticks: RuleTicks;
  readonly others: readonly RuleChoice[];
}

/** A morning is at six, a week begins on Monday, and nights are from ten to six. */
export const MORNING = 6;
const MONDAY = 1;
const NIGHT = { fromHour: 22, toHour: 6 } as const;
/** Less than a day, so that a run that ended late yesterday does not put off that of today. */
const USUAL_HOURS = 20;

export const FORMULAS_EVERY_MORNING: ScheduleSettings = {
  task: { kind: 'formulas' },
  recurrence: { kind: 'daily', hour: MORNING },
  maxAgeHours: USUAL_HOURS,
  callsPerHour: null,
  quiet: null,
  rules: [],
};

export function formOf(id: string, settings: ScheduleSettings): ScheduleForm {
  const { task, recurrence, maxAgeHours, callsPerHour, quiet, rules } = settings;
  return {
    id,
    task,
    every: recurrence.kind,
    hour: 'hour' in recurrence ? recurrence.hour : MORNING,
    weekday: recurrence.kind === 'weekly' ? recurrence.weekday : MONDAY,
    day: recurrence.kind === 'monthly' ? recurrence.day : 1,
    maxAge: String(maxAgeHours),
    calls: callsPerHour === null ? '' : String(callsPerHour),
    isQuiet: quiet !== null,
    ...(quiet ?? NIGHT),
    ticks: ticksOf(rules),
    others: otherRules(rules),
  };
}

function recurrenceOf(form: ScheduleForm): RecurrenceChoice {
  const { every, hour, weekday, day } = form;
  switch (every) {
    case 'hourly':
      return { kind: every };
    case 'weekly':
      return { kind: every, hour, weekday };
    case 'monthly':
      return { kind: every, hour, day };
    default:
      return { kind: every, hour };
  }
}

/** What is wrong, by the field that it stands beside. */
export type FormProblems = Readonly<
  Partial<Record<'maxAge' | 'calls' | 'quiet' | RuleName, string>>
>;

/** From the top of the page to its end: the first that is wrong has the focus. */
export const PROBLEM_FIELDS = ['maxAge', 'roi', 'profit', 'calls', 'quiet'] as const;

/** Under which fold a field is found. */
export const FOLD_OF = {
  maxAge: null,
  roi: 'rules',
  profit: 'rules',
  calls: 'more',
  quiet: 'more',
} as const;

export const fieldId = (field: (typeof PROBLEM_FIELDS)[number]): string => `schedule-${field}`;

/** More than Google allows anybody in a day. */
const CALLS_MAX = 100_000;

function wholeFrom(text: string, max: number): number | null {
  const number = Number(text.trim());
  const isWhole = text.trim() !== '' && Number.isInteger(number);
  return isWhole && number >= 1 && number <= max ? number : null;
}

export function problemsOf(form: ScheduleForm): FormProblems {
  const { maxAge, calls, isQuiet, fromHour, toHour, ticks } = form;
  const isUnbounded = (name: 'roi' | 'profit') =>
    ticks[name].isOn && boundOf(name, ticks[name]) === null;
  return {
    ...(hoursFrom(maxAge) === null && { maxAge: HOURS_PROBLEM }),
    ...(isUnbounded('roi') && { roi: 'Enter a percentage, such as 20.' }),
    ...(isUnbounded('profit') && { profit: 'Enter an amount, such as 3.' }),
    ...(calls.trim() !== '' &&
      wholeFrom(calls, CALLS_MAX) === null && {
        calls: 'Enter a whole number of calls, or leave it empty.',
      }),
    ...(isQuiet && fromHour === toHour && { quiet: 'Choose an end that is not the beginning.' }),
  };
}

/** Of a form in which nothing is wrong. */
export function settingsOf(form: ScheduleForm): ScheduleSettings {
  const { task, maxAge, calls, isQuiet, fromHour, toHour, ticks, others } = form;
  return {
    task,
    recurrence: recurrenceOf(form),
    maxAgeHours: hoursFrom(maxAge) ?? USUAL_HOURS,
    callsPerHour: calls.trim() === '' ? null : Number(calls),
    quiet: isQuiet ? { fromHour, toHour } : null,
    rules: [...rulesOf(ticks), ...others],
  };
}
