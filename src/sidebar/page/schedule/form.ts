// The input of a schedule: rules, age and times; how it is read, checked and kept.

import type { ChangeRule } from '../../../analysis/changes';
import { visibleText } from '../../../product/cell-text';
import type { ListTask, Recurrence } from '../../../schedules/due';
import type { FormulasTask, ScheduleSettings } from '../../../schedules/schedule';
import { FORMULAS_EVERY_MORNING, MORNING, USUAL_HOURS } from '../ui/default-schedule';
import { isObject } from '../ui/page';

export type RuleName =
  | 'eligible'
  | 'roi'
  | 'profit'
  | 'drops'
  | 'nowEligible'
  | 'roiOver'
  | 'profitOver'
  | 'buy';

export interface RuleTick {
  readonly isOn: boolean;
  /** As typed; unused by a rule without a bound. */
  readonly bound: string;
}

type RuleTicks = Readonly<Record<RuleName, RuleTick>>;

interface Rule {
  readonly name: RuleName;
  /** The unit of the bound and its default; left out if there is no bound. */
  readonly bound?: { readonly unit: string; readonly usual: string };
  readonly makes: (bound: number) => ChangeRule;
}

/** In the order of the form: first changes for the worse, then opportunities. */
export const RULES: readonly Rule[] = [
  {
    name: 'eligible',
    makes: () => ({ kind: 'no-longer-eligible' }),
  },
  {
    name: 'roi',
    bound: { unit: '%', usual: '20' },
    makes: (bound) => ({ kind: 'fell-under', field: 'roi', bound }),
  },
  {
    name: 'profit',
    bound: { unit: '', usual: '3' },
    makes: (bound) => ({ kind: 'fell-under', field: 'profit', bound }),
  },
  {
    name: 'nowEligible',
    makes: () => ({ kind: 'became-eligible' }),
  },
  {
    name: 'roiOver',
    bound: { unit: '%', usual: '30' },
    makes: (bound) => ({ kind: 'rose-over', field: 'roi', bound }),
  },
  {
    name: 'profitOver',
    bound: { unit: '', usual: '5' },
    makes: (bound) => ({ kind: 'rose-over', field: 'profit', bound }),
  },
  {
    name: 'buy',
    makes: () => ({ kind: 'became-buy' }),
  },
  {
    name: 'drops',
    makes: () => ({ kind: 'doubled', field: 'rank_drops_30d' }),
  },
];

const unitOf = (name: RuleName): string =>
  RULES.find((one) => one.name === name)?.bound?.unit ?? '';

/** A sheet's ROI is a fraction, a person's a percentage. */
const PERCENT = 100;

/**
 * A number without floating-point noise: 0.29 as a percentage is 28.999999999999996 to a computer.
 */
const shown = (bound: number): string => String(Number(bound.toFixed(4)));

/**
 * The typed bound without its sign: only a percentage may have "%", only an amount a currency sign.
 */
const bareBound = (name: RuleName, { bound }: RuleTick): string =>
  visibleText(visibleText(bound).replace(unitOf(name) === '%' ? '%' : /\p{Sc}/u, ''));

/** A comma before exactly three digits separates thousands; any other is a decimal comma. */
const THOUSANDS = /,(?=\d{3}(?!\d))/g;

/** The number that was typed, with a point or a comma; null if it is none. */
function boundOf(name: RuleName, tick: RuleTick): number | null {
  const typed = bareBound(name, tick).replace(THOUSANDS, '');
  const number = Number(typed.replace(',', '.'));
  return typed === '' || !Number.isFinite(number) ? null : number;
}

/** The bound in a rule's unit, where a percentage is a fraction. */
const ruleBound = (name: RuleName, tick: RuleTick): number =>
  (boundOf(name, tick) ?? 0) / (unitOf(name) === '%' ? PERCENT : 1);

/** The tick for a stored bound; undefined: it is off and shows the default bound. */
function tickFor({ name, bound }: Rule, held: number | true | undefined): RuleTick {
  if (held === undefined) return { isOn: false, bound: bound?.usual ?? '' };
  if (held === true) return { isOn: true, bound: '' };
  return { isOn: true, bound: shown(unitOf(name) === '%' ? held * PERCENT : held) };
}

/** The tick that represents a rule; undefined for a rule that was made elsewhere. */
function tickedBy(rule: ChangeRule): Rule | undefined {
  const fieldIn = (one: ChangeRule) => ('field' in one ? one.field : null);
  return RULES.find(({ makes }) => {
    const made = makes(0);
    return made.kind === rule.kind && fieldIn(made) === fieldIn(rule);
  });
}

export const ticksOf = (rules: readonly ChangeRule[]): RuleTicks =>
  Object.fromEntries(
    RULES.map((one) => {
      const rule = rules.find((held) => tickedBy(held) === one);
      const held = rule && ('bound' in rule ? rule.bound : true);
      return [one.name, tickFor(one, held)];
    }),
  ) as RuleTicks;

/** Rules without a tick of their own, which stay as they are. */
const otherRules = (rules: readonly ChangeRule[]): readonly ChangeRule[] =>
  rules.filter((rule) => tickedBy(rule) === undefined);

const rulesOf = (ticks: RuleTicks): readonly ChangeRule[] =>
  RULES.filter(({ name }) => ticks[name].isOn).map(({ name, makes }) =>
    makes(ruleBound(name, ticks[name])),
  );

/** What is ticked, in the order of the form, each with its bound as typed; '' for none. */
export const tickedOf = (ticks: RuleTicks) =>
  RULES.filter(({ name }) => ticks[name].isOn).map(({ name, bound }) => ({
    name,
    bound: bound === undefined ? '' : bareBound(name, ticks[name]) + bound.unit,
  }));

export const HOURS_MAX = 8_760;

/** For lists that are refreshed every hour by a trigger that does not fire to the minute. */
export const HOURS_MIN = 0.5;

/** null: a schedule does not accept this age. */
function hoursFrom(text: string): number | null {
  const hours = Number(visibleText(text).replace(',', '.'));
  const isFit = hours === HOURS_MIN || (Number.isInteger(hours) && hours >= 1);
  return isFit && hours <= HOURS_MAX ? hours : null;
}

/** The fewest hours between two occurrences. */
const GAPS = { hourly: 1, daily: 24, weekdays: 24, weekly: 168, monthly: 672 } as const;

/** The rows of a run may differ in age by at least this much from first to last. */
const RUN_HOURS = 1;

/**
 * The margin by which the maximum age should be below the time between occurrences, so that even a
 * long run leaves no row out.
 */
const ROOM_HOURS = 4;

interface Typed {
  readonly every: Recurrence['kind'];
  /** As typed. */
  readonly maxAge: string;
}

/** How the maximum age affects the rhythm. */
export type AgeEffect =
  /** Rows wait for the next occurrence; with `fit` hours none would. */
  | {
      readonly kind: 'skips';
      readonly every: Exclude<Recurrence['kind'], 'hourly'>;
      readonly fit: number;
    }
  /** A row is refreshed at most once in so many hours, although the schedule runs every hour. */
  | { readonly kind: 'once'; readonly hours: number; readonly isByOneHour: boolean };

/** null if every row is refreshed each time. */
export function ageEffect({ every, maxAge }: Typed): AgeEffect | null {
  const hours = hoursFrom(maxAge);
  const gap = GAPS[every];
  if (hours === null || hours < Math.max(1, gap - RUN_HOURS)) return null;
  if (every !== 'hourly') return { kind: 'skips', every, fit: gap - ROOM_HOURS };
  return { kind: 'once', hours, isByOneHour: hours <= gap };
}

/** Everything that can be chosen, and what is typed in its typed form. */
export interface ScheduleForm {
  /** The id of the schedule. If the form is sent twice, only one schedule is made. */
  readonly id: string;
  readonly task: ListTask | FormulasTask;
  readonly every: Recurrence['kind'];
  /** 0 to 23 in the spreadsheet's time zone. Kept while unused, so that it reappears. */
  readonly hour: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** 1 to 31. */
  readonly day: number;
  readonly maxAge: string;
  /** Empty: only the key's limit applies. */
  readonly calls: string;
  readonly isQuiet: boolean;
  readonly fromHour: number;
  readonly toHour: number;
  readonly ticks: RuleTicks;
  readonly others: readonly ChangeRule[];
}

const MONDAY = 1;
const NIGHT = { fromHour: 22, toHour: 6 } as const;
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

function recurrenceOf(form: ScheduleForm): Recurrence {
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

/** Problems of the input; `texts.ts` has the sentences. */
export type ProblemKind = 'hours' | 'percentage' | 'amount' | 'calls' | 'quiet';

type ProblemField = 'maxAge' | 'calls' | 'quiet' | RuleName;

export type ProblemKinds = Readonly<Partial<Record<ProblemField, ProblemKind>>>;

/** Problems in words, by the field beside which they are shown. */
export type FormProblems = Readonly<Partial<Record<ProblemField, string>>>;

/** From top to bottom: the first field with a problem receives the focus. */
export const PROBLEM_FIELDS = [
  ...(['maxAge', 'roi', 'profit', 'roiOver', 'profitOver'] as const),
  ...(['calls', 'quiet'] as const),
] as const;

/** The fold that contains a field. */
export const FOLD_OF = {
  maxAge: null,
  roi: 'rules',
  profit: 'rules',
  roiOver: 'rules',
  profitOver: 'rules',
  calls: 'more',
  quiet: 'more',
} as const;

export const fieldId = (field: (typeof PROBLEM_FIELDS)[number]): string => `schedule-${field}`;

/** More than Google allows in a day. */
const CALLS_MAX = 100_000;

function wholeFrom(text: string, max: number): number | null {
  const typed = visibleText(text);
  const number = Number(typed);
  const isWhole = typed !== '' && Number.isInteger(number);
  return isWhole && number >= 1 && number <= max ? number : null;
}

export function problemsOf(form: ScheduleForm): ProblemKinds {
  const { maxAge, calls, isQuiet, fromHour, toHour, ticks } = form;
  const unbounded = RULES.flatMap(({ name, bound }) => {
    if (bound === undefined || !ticks[name].isOn || boundOf(name, ticks[name]) !== null) return [];
    return [[name, bound.unit === '%' ? 'percentage' : 'amount']];
  });
  return {
    ...(hoursFrom(maxAge) === null && { maxAge: 'hours' }),
    ...Object.fromEntries(unbounded),
    ...(visibleText(calls) !== '' && wholeFrom(calls, CALLS_MAX) === null && { calls: 'calls' }),
    ...(isQuiet && fromHour === toHour && { quiet: 'quiet' }),
  };
}

/** The settings of a form without problems. */
export function settingsOf(form: ScheduleForm): ScheduleSettings {
  const { task, maxAge, calls, isQuiet, fromHour, toHour, ticks, others } = form;
  return {
    task,
    recurrence: recurrenceOf(form),
    maxAgeHours: hoursFrom(maxAge) ?? USUAL_HOURS,
    callsPerHour: visibleText(calls) === '' ? null : Number(visibleText(calls)),
    quiet: isQuiet ? { fromHour, toHour } : null,
    rules: [...rulesOf(ticks), ...others],
  };
}

/** The name under which it is kept. */
export const FORM_DRAFT = 'schedule-form';

/** Whether a value has every member of the model with the same type, at every depth. */
function isLike(value: unknown, model: unknown): boolean {
  if (!isObject(model)) return typeof value === typeof model;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(model)) return false;
  return Object.entries(model).every(([name, part]) => isLike(Reflect.get(value, name), part));
}

const KINDS: readonly unknown[] = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'];
const LIST = { sheetId: 0, listId: '', rows: '', order: '' };

export function formFrom(kept: unknown): ScheduleForm | null {
  if (!isLike(kept, formOf('', FORMULAS_EVERY_MORNING))) return null;
  const form = kept as ScheduleForm;
  const isList = form.task.kind === 'list' && isLike(form.task, LIST);
  return KINDS.includes(form.every) && (isList || form.task.kind === 'formulas') ? form : null;
}
