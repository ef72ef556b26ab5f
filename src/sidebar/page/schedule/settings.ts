// The input of a schedule: rules, age and times; how it is read and checked.

import type { ChangeRule } from '../../../analysis/changes';
import { visibleText } from '../../../product/cell-text';
import {
  type Field,
  fieldKind,
  fieldRow,
  fieldsOfKind,
  figureWords,
  readNumber,
  readRatio,
} from '../../../product/fields';
import type { ListTask, Recurrence } from '../../../schedules/due';
import type { FormulasTask, ScheduleSettings } from '../../../schedules/schedule';
import { MORNING, USUAL_HOURS } from '../ui/default-schedule';

// Rules

interface RuleRow {
  readonly label: string;
  /** With the bound that is offered first. */
  readonly rule: ChangeRule;
}

/** A rule for each figure with bounds, shares first. */
const bounded = (
  ruleOf: (field: Field, bounds: { readonly under: number; readonly over: number }) => RuleRow,
): readonly RuleRow[] =>
  [...fieldsOfKind('ratio'), ...fieldsOfKind('money')].flatMap((field) => {
    const { bounds } = fieldRow(field);
    return bounds === null ? [] : [ruleOf(field, bounds)];
  });

/** In the order of the form: first changes for the worse, then opportunities. */
export const RULES: readonly RuleRow[] = [
  { label: 'No longer eligible', rule: { kind: 'no-longer-eligible' } },
  ...bounded((field, { under }) => ({
    label: `${figureWords(field)} falls under`,
    rule: { kind: 'fell-under', field, bound: under },
  })),
  { label: 'Becomes eligible', rule: { kind: 'became-eligible' } },
  ...bounded((field, { over }) => ({
    label: `${figureWords(field)} rises over`,
    rule: { kind: 'rose-over', field, bound: over },
  })),
  { label: 'Verdict becomes “Buy”', rule: { kind: 'became-buy' } },
  ...fieldsOfKind('count').map((field) => ({
    label: `${figureWords(field)} double`,
    rule: { kind: 'doubled' as const, field },
  })),
];

/** The same for every bound: "fell-under-roi". */
export const nameOf = (rule: ChangeRule): string =>
  'field' in rule ? `${rule.kind}-${rule.field}` : rule.kind;

/** A sheet's share is a fraction, a person's a percentage. */
export const isPercent = (rule: ChangeRule): boolean =>
  'field' in rule && fieldKind(rule.field) === 'ratio';

/** "20", without floating-point noise: 0.29 as a percentage is 28.999999999999996 to a computer. */
const boundText = (rule: ChangeRule): string =>
  'bound' in rule ? String(Number((rule.bound * (isPercent(rule) ? 100 : 1)).toFixed(4))) : '';

/** The rule with the bound that was typed; null if it needs one and this is none. */
function ruleWith(rule: ChangeRule, typed: string): ChangeRule | null {
  if (!('bound' in rule)) return rule;
  const [bound, sign] = isPercent(rule)
    ? [readRatio(typed, 'percent'), /\p{Sc}/u]
    : [readNumber(typed), /%/];
  return typeof bound === 'number' && !sign.test(typed) ? { ...rule, bound } : null;
}

/** "No longer eligible · ROI falls under 20%" */
export const rulesText = (rules: readonly ChangeRule[]): string =>
  RULES.flatMap(({ label, rule }) => {
    const held = rules.find((one) => nameOf(one) === nameOf(rule));
    if (held === undefined) return [];
    const bound = `${boundText(held)}${isPercent(held) ? '%' : ''}`;
    return [bound === '' ? label : `${label} ${bound}`];
  }).join(' · ');

// The form

export interface RuleTick {
  readonly isOn: boolean;
  /** As typed; unused by a rule without a bound. */
  readonly bound: string;
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
  readonly ticks: Readonly<Record<string, RuleTick>>;
  /** Rules without a tick of their own, which stay as they are. */
  readonly others: readonly ChangeRule[];
}

const MONDAY = 1;
const NIGHT = { fromHour: 22, toHour: 6 } as const;

export function formOf(id: string, settings: ScheduleSettings): ScheduleForm {
  const { task, recurrence, maxAgeHours, callsPerHour, quiet, rules } = settings;
  const held = new Map(rules.map((rule) => [nameOf(rule), rule]));
  const names = RULES.map(({ rule }) => nameOf(rule));
  return {
    id,
    task,
    every: recurrence.kind,
    ...{ hour: MORNING, weekday: MONDAY, day: 1 },
    ...recurrence,
    maxAge: String(maxAgeHours),
    calls: String(callsPerHour ?? ''),
    isQuiet: quiet !== null,
    ...(quiet ?? NIGHT),
    ticks: Object.fromEntries(
      RULES.map(({ rule }) => {
        const mine = held.get(nameOf(rule));
        return [nameOf(rule), { isOn: mine !== undefined, bound: boundText(mine ?? rule) }];
      }),
    ),
    others: rules.filter((rule) => !names.includes(nameOf(rule))),
  };
}

/**
 * The oldest age, in hours, with which each occurrence refreshes every row: less than the time
 * between two, because a run that ended late does not postpone the next.
 */
const AGES = { hourly: 0.5, daily: 20, weekdays: 20, weekly: 164, monthly: 668 } as const;

/** Another recurrence, with its age unless a person has typed another one. */
export function withRecurrence({ maxAge }: ScheduleForm, every: Recurrence['kind']) {
  const isUsual = Object.values(AGES).some((hours) => maxAge === String(hours));
  return { every, ...(isUsual && { maxAge: String(AGES[every]) }) };
}

/** null: a schedule does not accept this age. The smallest is for lists that are refreshed every hour. */
function hoursFrom(text: string): number | null {
  const hours = readNumber(text) ?? 0;
  return hours === AGES.hourly || (Number.isInteger(hours) && hours >= 1 && hours <= HOURS_MAX)
    ? hours
    : null;
}

const HOURS_MAX = 8_760;
/** More than Google allows in a day. */
const CALLS_MAX = 100_000;

function callsFrom(text: string): number | null {
  const calls = readNumber(text) ?? 0;
  return Number.isInteger(calls) && calls >= 1 && calls <= CALLS_MAX ? calls : null;
}

const ticked = ({ ticks }: ScheduleForm) =>
  RULES.filter(({ rule }) => ticks[nameOf(rule)]?.isOn).map(({ rule }) => ({
    rule,
    made: ruleWith(rule, ticks[nameOf(rule)]?.bound ?? ''),
  }));

/** By the field beside which they are shown. */
export function problemsOf(form: ScheduleForm): Readonly<Record<string, string>> {
  const { maxAge, calls, isQuiet, fromHour, toHour } = form;
  const problems: readonly (readonly [field: string, isWrong: boolean, text: string])[] = [
    [
      'maxAge',
      hoursFrom(maxAge) === null,
      `Enter whole hours up to ${HOURS_MAX.toLocaleString()}, or ${AGES.hourly}.`,
    ],
    ...ticked(form).map(({ rule, made }) => {
      const what = isPercent(rule) ? 'a percentage' : 'an amount';
      return [nameOf(rule), made === null, `Enter ${what}, such as ${boundText(rule)}.`] as const;
    }),
    [
      'calls',
      visibleText(calls) !== '' && callsFrom(calls) === null,
      'Enter a whole number of calls, or leave it empty.',
    ],
    ['fromHour', isQuiet && fromHour === toHour, 'Choose an end that differs from the start.'],
  ];
  return Object.fromEntries(
    problems.filter(([, isWrong]) => isWrong).map(([field, , text]) => [field, text]),
  );
}

function recurrenceOf({ every, hour, weekday, day }: ScheduleForm): Recurrence {
  if (every === 'hourly') return { kind: every };
  if (every === 'weekly') return { kind: every, hour, weekday };
  return every === 'monthly' ? { kind: every, hour, day } : { kind: every, hour };
}

/** The settings of a form, without what is wrong in it. */
export function settingsOf(form: ScheduleForm): ScheduleSettings {
  const { task, maxAge, calls, isQuiet, fromHour, toHour, others } = form;
  return {
    task,
    recurrence: recurrenceOf(form),
    maxAgeHours: hoursFrom(maxAge) ?? USUAL_HOURS,
    callsPerHour: callsFrom(calls),
    quiet: isQuiet ? { fromHour, toHour } : null,
    rules: [...ticked(form).flatMap(({ made }) => made ?? []), ...others],
  };
}
