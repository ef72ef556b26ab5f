// The input of a schedule: rules, age and times; how it is read and checked.

import type { ChangeRule } from '../../../analysis/changes';
import { visibleText } from '../../../product/cell-text';
import type { ListTask, Recurrence } from '../../../schedules/due';
import type { FormulasTask, ScheduleSettings } from '../../../schedules/schedule';
import { MORNING, USUAL_HOURS } from '../ui/default-schedule';

export interface RuleTick {
  readonly isOn: boolean;
  /** As typed; unused by a rule without a bound. */
  readonly bound: string;
}

type RuleTicks = Readonly<Record<string, RuleTick>>;

interface Rule {
  readonly name: string;
  readonly label: string;
  /** The same in the line of what a schedule marks, followed by the bound. */
  readonly short: string;
  /** The unit of the bound and its default; left out if there is no bound. */
  readonly bound?: { readonly unit: string; readonly usual: string };
  readonly makes: (bound: number) => ChangeRule;
}

const rule = (
  name: string,
  label: string,
  short: string,
  makes: Rule['makes'],
  usual = '',
  unit = '',
): Rule => ({ name, label, short, makes, ...(usual && { bound: { unit, usual } }) });

const fell = (field: 'roi' | 'profit') => (bound: number) =>
  ({ kind: 'fell-under', field, bound }) as const;
const rose = (field: 'roi' | 'profit') => (bound: number) =>
  ({ kind: 'rose-over', field, bound }) as const;

/** In the order of the form: first changes for the worse, then opportunities. */
export const RULES: readonly Rule[] = [
  rule('eligible', 'No longer eligible', 'no longer eligible', () => ({
    kind: 'no-longer-eligible',
  })),
  rule('roi', 'ROI falls under', 'ROI under', fell('roi'), '20', '%'),
  rule('profit', 'Profit falls under', 'profit under', fell('profit'), '3'),
  rule('nowEligible', 'Becomes eligible', 'now eligible', () => ({ kind: 'became-eligible' })),
  rule('roiOver', 'ROI rises over', 'ROI over', rose('roi'), '30', '%'),
  rule('profitOver', 'Profit rises over', 'profit over', rose('profit'), '5'),
  rule('buy', 'Verdict becomes “Buy”', 'now a Buy', () => ({ kind: 'became-buy' })),
  rule('drops', 'Rank drops double', 'rank drops doubled', () => ({
    kind: 'doubled',
    field: 'rank_drops_30d',
  })),
];

/** A sheet's ROI is a fraction, a person's a percentage. */
const PERCENT = 100;

/**
 * A number without floating-point noise: 0.29 as a percentage is 28.999999999999996 to a computer.
 */
const shown = (bound: number): string => String(Number(bound.toFixed(4)));

/**
 * The typed bound without its sign: only a percentage may have "%", only an amount a currency sign.
 */
const bareBound = ({ bound }: Rule, typed: string): string =>
  visibleText(visibleText(typed).replace(bound?.unit === '%' ? '%' : /\p{Sc}/u, ''));

/** A comma before exactly three digits separates thousands; any other is a decimal comma. */
const THOUSANDS = /,(?=\d{3}(?!\d))/g;

/** The number that was typed, with a point or a comma; null if it is none. */
function boundOf(one: Rule, tick: RuleTick | undefined): number | null {
  const typed = bareBound(one, tick?.bound ?? '').replace(THOUSANDS, '');
  const number = Number(typed.replace(',', '.'));
  return typed === '' || !Number.isFinite(number) ? null : number;
}

/** A percentage is a fraction in a rule. */
const scaleOf = ({ bound }: Rule): number => (bound?.unit === '%' ? PERCENT : 1);

/** The tick for a stored bound; undefined: it is off and shows the default bound. */
function tickFor(one: Rule, held: ChangeRule | undefined): RuleTick {
  if (held === undefined) return { isOn: false, bound: one.bound?.usual ?? '' };
  return { isOn: true, bound: 'bound' in held ? shown(held.bound * scaleOf(one)) : '' };
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
    RULES.map((one) => [
      one.name,
      tickFor(
        one,
        rules.find((held) => tickedBy(held) === one),
      ),
    ]),
  );

const ticked = (ticks: RuleTicks) => RULES.filter(({ name }) => ticks[name]?.isOn);

/** "no longer eligible, ROI under 20%": all rules that mark, in one line. */
export const rulesText = (ticks: RuleTicks): string =>
  ticked(ticks)
    .map((one) => {
      const bound = one.bound && bareBound(one, ticks[one.name]?.bound ?? '') + one.bound.unit;
      return bound ? `${one.short} ${bound}` : one.short;
    })
    .join(', ');

const HOURS_MAX = 8_760;

/** For lists that are refreshed every hour by a trigger that does not fire to the minute. */
const HOURS_MIN = 0.5;

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

const NEXT = { daily: 'day', weekdays: 'day', weekly: 'week', monthly: 'month' } as const;

/** How the maximum age affects the rhythm; '' if every row is refreshed each time. */
export function ageHint({ every, maxAge }: Pick<ScheduleForm, 'every' | 'maxAge'>): string {
  const hours = hoursFrom(maxAge);
  const gap = GAPS[every];
  if (hours === null || hours < Math.max(1, gap - RUN_HOURS)) return '';
  if (every !== 'hourly')
    return `Newer rows wait for the next ${NEXT[every]}. ${gap - ROOM_HOURS} h refreshes them every ${NEXT[every]}.`;
  const rhythm = `Each row at most once in ${hours.toLocaleString()} h.`;
  return hours > gap ? rhythm : `${rhythm} ${HOURS_MIN} h refreshes it every hour.`;
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
  /** Rules without a tick of their own, which stay as they are. */
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
    others: rules.filter((one) => tickedBy(one) === undefined),
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

/** More than Google allows in a day. */
const CALLS_MAX = 100_000;

function wholeFrom(text: string, max: number): number | null {
  const typed = visibleText(text);
  const number = Number(typed);
  const isWhole = typed !== '' && Number.isInteger(number);
  return isWhole && number >= 1 && number <= max ? number : null;
}

/** By the field beside which they are shown. */
export function problemsOf(form: ScheduleForm): Readonly<Partial<Record<string, string>>> {
  const { maxAge, calls, isQuiet, fromHour, toHour, ticks } = form;
  const unbounded = ticked(ticks).filter(
    (one) => one.bound && boundOf(one, ticks[one.name]) === null,
  );
  return {
    ...(hoursFrom(maxAge) === null && {
      maxAge: `Enter whole hours up to ${HOURS_MAX.toLocaleString()}, or ${HOURS_MIN}.`,
    }),
    ...Object.fromEntries(
      unbounded.map(({ name, bound }) => [
        name,
        `Enter ${bound?.unit === '%' ? 'a percentage' : 'an amount'}, such as ${bound?.usual}.`,
      ]),
    ),
    ...(visibleText(calls) !== '' &&
      wholeFrom(calls, CALLS_MAX) === null && {
        calls: 'Enter a whole number of calls, or leave it empty.',
      }),
    ...(isQuiet && fromHour === toHour && { quiet: 'Choose an end that differs from the start.' }),
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
    rules: [
      ...ticked(ticks).map((one) => one.makes((boundOf(one, ticks[one.name]) ?? 0) / scaleOf(one))),
      ...others,
    ],
  };
}
