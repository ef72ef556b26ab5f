// What is typed for a schedule: rules, age, times; read, checked, kept.

import type { ChangeRule } from '../../../schedules/changes';
import type { Recurrence } from '../../../schedules/recurrence';
import type {
  FormulasTask,
  ListTask,
  ScheduleSettings,
  WeakRowRule,
} from '../../../schedules/schedule';
import { FORMULAS_EVERY_MORNING, MORNING, USUAL_HOURS } from '../ui/default-schedule';
import { isObject } from '../ui/page';

type RuleName =
  | 'eligible'
  | 'roi'
  | 'profit'
  | 'drops'
  | 'nowEligible'
  | 'roiOver'
  | 'profitOver'
  | 'buy';
type WeakName = 'weakEligible' | 'weakRoi' | 'weakVerdict';
type TickName = RuleName | WeakName;

export interface RuleTick {
  readonly isOn: boolean;
  /** As typed; of no use where a rule has no bound. */
  readonly bound: string;
}

type RuleTicks = Readonly<Record<TickName, RuleTick>>;

/** A tick box, and the field beside it. */
export interface TickField {
  readonly name: TickName;
  readonly label: string;
  /** What the bound is of; left out where there is none. */
  readonly bound?: { readonly unit: string; readonly usual: string };
}

interface Rule extends TickField {
  readonly name: RuleName;
  /** As the list of what is marked says it, without its bound. */
  readonly short: string;
  readonly makes: (bound: number) => ChangeRule;
}

/** In the order in which they are listed: what went wrong, then what is worth a look. */
export const RULES: readonly Rule[] = [
  {
    name: 'eligible',
    label: 'No longer eligible',
    short: 'no longer eligible',
    makes: () => ({ kind: 'no-longer-eligible' }),
  },
  {
    name: 'roi',
    label: 'ROI falls under',
    short: 'ROI under',
    bound: { unit: '%', usual: '20' },
    makes: (bound) => ({ kind: 'fell-under', field: 'roi', bound }),
  },
  {
    name: 'profit',
    label: 'Profit falls under',
    short: 'profit under',
    bound: { unit: '', usual: '3' },
    makes: (bound) => ({ kind: 'fell-under', field: 'profit', bound }),
  },
  {
    name: 'nowEligible',
    label: 'Becomes eligible',
    short: 'now eligible',
    makes: () => ({ kind: 'became-eligible' }),
  },
  {
    name: 'roiOver',
    label: 'ROI rises over',
    short: 'ROI over',
    bound: { unit: '%', usual: '30' },
    makes: (bound) => ({ kind: 'rose-over', field: 'roi', bound }),
  },
  {
    name: 'profitOver',
    label: 'Profit rises over',
    short: 'profit over',
    bound: { unit: '', usual: '5' },
    makes: (bound) => ({ kind: 'rose-over', field: 'profit', bound }),
  },
  {
    name: 'buy',
    label: 'Verdict becomes “Buy”',
    short: 'now a Buy',
    makes: () => ({ kind: 'became-buy' }),
  },
  {
    name: 'drops',
    label: 'Rank drops double',
    short: 'rank drops doubled',
    makes: () => ({ kind: 'doubled', field: 'rank_drops_30d' }),
  },
];

/** Rows that are hardly worth a call. */
export const WEAK_ROWS: readonly (TickField & { readonly name: WeakName })[] = [
  { name: 'weakEligible', label: 'Not eligible' },
  { name: 'weakRoi', label: 'ROI under', bound: { unit: '%', usual: '10' } },
  { name: 'weakVerdict', label: 'Verdict is “Skip”' },
];

const TICKS: readonly TickField[] = [...RULES, ...WEAK_ROWS];

const unitOf = (name: TickName): string =>
  TICKS.find((one) => one.name === name)?.bound?.unit ?? '';

/** A sheet's ROI is a fraction, a person's a percentage. */
const PERCENT = 100;

/** 0.29 as a percentage is 28.999999999999996 to a computer. */
const shown = (bound: number): string => String(Number(bound.toFixed(4)));

/** As typed, without its sign: a percentage is no amount, and an amount no percentage. */
const bareBound = (name: TickName, { bound }: RuleTick): string =>
  bound.replace(unitOf(name) === '%' ? '%' : /\p{Sc}/u, '').trim();

/** Before three digits a comma parts thousands, before others it is a point. */
const THOUSANDS = /,(?=\d{3}(?!\d))/g;

/** The number that was typed, with a point or a comma; null where it is none. */
function boundOf(name: TickName, tick: RuleTick): number | null {
  const typed = bareBound(name, tick).replace(THOUSANDS, '');
  const number = Number(typed.replace(',', '.'));
  return typed === '' || !Number.isFinite(number) ? null : number;
}

/** As a rule has it: a percentage is a fraction there. */
const ruleBound = (name: TickName, tick: RuleTick): number =>
  (boundOf(name, tick) ?? 0) / (unitOf(name) === '%' ? PERCENT : 1);

/** The tick for a bound that holds; undefined: it is off, with the bound that is usual. */
function tickFor({ name, bound }: TickField, held: number | true | undefined): RuleTick {
  if (held === undefined) return { isOn: false, bound: bound?.usual ?? '' };
  if (held === true) return { isOn: true, bound: '' };
  return { isOn: true, bound: shown(unitOf(name) === '%' ? held * PERCENT : held) };
}

/** Which tick a rule is told by; undefined for one that was made elsewhere. */
function tickedBy(rule: ChangeRule): Rule | undefined {
  const fieldIn = (one: ChangeRule) => ('field' in one ? one.field : null);
  return RULES.find(({ makes }) => {
    const made = makes(0);
    return made.kind === rule.kind && fieldIn(made) === fieldIn(rule);
  });
}

export function ticksOf({ rules, task }: Pick<ScheduleSettings, 'rules' | 'task'>): RuleTicks {
  const ruled = RULES.map((one) => {
    const rule = rules.find((held) => tickedBy(held) === one);
    const held = rule && ('bound' in rule ? rule.bound : true);
    return [one.name, tickFor(one, held)];
  });
  const { notEligible, roiUnder, verdictSkip }: WeakRowRule =
    (task.kind === 'list' && task.seldom) || {};
  const held = { weakEligible: notEligible, weakRoi: roiUnder, weakVerdict: verdictSkip };
  const weak = WEAK_ROWS.map((one) => [one.name, tickFor(one, held[one.name])]);
  return Object.fromEntries([...ruled, ...weak]);
}

/** Rules without a tick of their own: they stay as they are. */
const otherRules = (rules: readonly ChangeRule[]): readonly ChangeRule[] =>
  rules.filter((rule) => tickedBy(rule) === undefined);

const rulesOf = (ticks: RuleTicks): readonly ChangeRule[] =>
  RULES.filter(({ name }) => ticks[name].isOn).map(({ name, makes }) =>
    makes(ruleBound(name, ticks[name])),
  );

/** A task with its weak rows as they are ticked. */
function withWeakRows(task: ListTask, ticks: RuleTicks): ListTask {
  const { seldom: _, ...rest } = task;
  if (!WEAK_ROWS.some(({ name }) => ticks[name].isOn)) return rest;
  const { weakEligible, weakRoi, weakVerdict } = ticks;
  const seldom = {
    ...(weakEligible.isOn && { notEligible: true as const }),
    ...(weakRoi.isOn && { roiUnder: ruleBound('weakRoi', weakRoi) }),
    ...(weakVerdict.isOn && { verdictSkip: true as const }),
  };
  return { ...rest, seldom };
}

/** "no longer eligible, ROI under 20 %": what is marked, in one line. */
export const rulesText = (ticks: RuleTicks): string =>
  RULES.filter(({ name }) => ticks[name].isOn)
    .map(({ name, short, bound }) =>
      bound === undefined ? short : `${short} ${bareBound(name, ticks[name])} ${bound.unit}`.trim(),
    )
    .join(', ');

const HOURS_MAX = 8_760;

/** For rows that are to be refreshed every hour, by a clock that does not strike to the minute. */
const HOURS_MIN = 0.5;

const HOURS_PROBLEM = `Enter whole hours up to ${HOURS_MAX.toLocaleString()}, or ${HOURS_MIN}.`;

/** null: no age that a schedule takes. */
function hoursFrom(text: string): number | null {
  const hours = Number(text.trim().replace(',', '.'));
  const isFit = hours === HOURS_MIN || (Number.isInteger(hours) && hours >= 1);
  return isFit && hours <= HOURS_MAX ? hours : null;
}

/** In words, and the fewest hours from one time to the next. */
const GAPS = {
  hourly: ['hour', 1],
  daily: ['day', 24],
  weekdays: ['day', 24],
  weekly: ['week', 168],
  monthly: ['month', 672],
} as const;

/** The last row of a run is that much younger than the first, or more. */
const RUN_HOURS = 1;

/** With so many hours less than the gap, hardly a run is so long that a row is left out. */
const ROOM_HOURS = 4;

interface Typed {
  readonly every: Recurrence['kind'];
  /** As it stands in its field. */
  readonly maxAge: string;
}

/** What the age makes of the rhythm; '' where every row is refreshed each time. */
export function ageHint({ every, maxAge }: Typed): string {
  const hours = hoursFrom(maxAge);
  const [unit, gap] = GAPS[every];
  if (hours === null || hours < Math.max(1, gap - RUN_HOURS)) return '';
  if (every !== 'hourly')
    return `Newer rows wait for the next ${unit}. ${gap - ROOM_HOURS} h refreshes them every ${unit}.`;
  const rhythm = `Each row at most once in ${hours.toLocaleString()} h.`;
  return hours > gap ? rhythm : `${rhythm} ${HOURS_MIN} h refreshes it every hour.`;
}

/** Everything that can be chosen, with what is typed as it stands in its field. */
export interface ScheduleForm {
  /** Of the schedule: one that is sent twice is made once. */
  readonly id: string;
  readonly task: ListTask | FormulasTask;
  readonly every: Recurrence['kind'];
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
    ticks: ticksOf(settings),
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

/** What is wrong, by the field that it stands beside. */
export type FormProblems = Readonly<
  Partial<Record<'maxAge' | 'calls' | 'quiet' | TickName, string>>
>;

/** From the top of the page to its end: the first that is wrong has the focus. */
export const PROBLEM_FIELDS = [
  ...(['maxAge', 'roi', 'profit', 'roiOver', 'profitOver'] as const),
  ...(['weakRoi', 'calls', 'quiet'] as const),
] as const;

/** Under which fold a field is found. */
export const FOLD_OF = {
  maxAge: null,
  roi: 'rules',
  profit: 'rules',
  roiOver: 'rules',
  profitOver: 'rules',
  weakRoi: 'more',
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
  const unbounded = TICKS.flatMap(({ name, bound }) => {
    if (bound === undefined || !ticks[name].isOn || boundOf(name, ticks[name]) !== null) return [];
    const what = bound.unit === '%' ? 'a percentage' : 'an amount';
    return [[name, `Enter ${what}, such as ${bound.usual}.`]];
  });
  return {
    ...(hoursFrom(maxAge) === null && { maxAge: HOURS_PROBLEM }),
    ...Object.fromEntries(unbounded),
    ...(calls.trim() !== '' &&
      wholeFrom(calls, CALLS_MAX) === null && {
        calls: 'Enter a whole number of calls, or leave it empty.',
      }),
    ...(isQuiet && fromHour === toHour && { quiet: 'Choose an end that differs from the start.' }),
  };
}

/** Of a form in which nothing is wrong. */
export function settingsOf(form: ScheduleForm): ScheduleSettings {
  const { task, maxAge, calls, isQuiet, fromHour, toHour, ticks, others } = form;
  return {
    task: task.kind === 'list' ? withWeakRows(task, ticks) : task,
    recurrence: recurrenceOf(form),
    maxAgeHours: hoursFrom(maxAge) ?? USUAL_HOURS,
    callsPerHour: calls.trim() === '' ? null : Number(calls),
    quiet: isQuiet ? { fromHour, toHour } : null,
    rules: [...rulesOf(ticks), ...others],
  };
}

/** The name it is kept under. */
export const FORM_DRAFT = 'schedule-form';

/** Every member of the one has its like in the other, all the way down. */
function isLike(value: unknown, model: unknown): boolean {
  if (!isObject(model)) return typeof value === typeof model;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(model)) return false;
  return Object.entries(model).every(([name, part]) => isLike(Reflect.get(value, name), part));
}

const KINDS: readonly unknown[] = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'];
const LIST = {
  sheetId: 0,
  headerRow: 0,
  productColumn: 0,
  market: {},
  rows: '',
  fields: [],
  order: '',
};

export function formFrom(kept: unknown): ScheduleForm | null {
  if (!isLike(kept, formOf('', FORMULAS_EVERY_MORNING))) return null;
  const form = kept as ScheduleForm;
  const isList = form.task.kind === 'list' && isLike(form.task, LIST);
  return KINDS.includes(form.every) && (isList || form.task.kind === 'formulas') ? form : null;
}
