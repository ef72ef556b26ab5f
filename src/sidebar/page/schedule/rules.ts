// The changes that a schedule marks rows for: the four that can be ticked, and what is typed with them.
import type { RuleChoice } from '../../schedule-contract';

export type RuleName = 'eligible' | 'roi' | 'profit' | 'drops';

export interface RuleTick {
  readonly isOn: boolean;
  /** As typed; of no use where a rule has no bound. */
  readonly bound: string;
}

export type RuleTicks = Readonly<Record<RuleName, RuleTick>>;

interface Rule {
  readonly name: RuleName;
  readonly label: string;
  /** As the list of what is marked says it, without its bound. */
  readonly short: string;
  /** What the bound is of; left out where there is none. */
  readonly bound?: { readonly unit: string; readonly usual: string };
}

/** In the order in which they are listed. */
export const RULES: readonly Rule[] = [
  { name: 'eligible', label: 'No longer eligible', short: 'no longer eligible' },
  {
    name: 'roi',
    label: 'ROI falls under',
    short: 'ROI under',
    bound: { unit: '%', usual: '20' },
  },
  {
    name: 'profit',
    label: 'Profit falls under',
    short: 'profit under',
    bound: { unit: '', usual: '3' },
  },
  { name: 'drops', label: 'Rank drops double', short: 'rank drops doubled' },
];

/** A sheet's ROI is a fraction, a person's a percentage. */
const PERCENT = 100;

/** 0.29 as a percentage is 28.999999999999996 to a computer. */
const shown = (bound: number): string => String(Number(bound.toFixed(4)));

/** As typed, without its sign: a percentage is no amount, and an amount no percentage. */
const bareBound = (name: RuleName, { bound }: RuleTick): string =>
  bound.replace(name === 'roi' ? '%' : /\p{Sc}/u, '').trim();

/** Before three digits a comma parts thousands, before others it is a point. */
const THOUSANDS = /,(?=\d{3}(?!\d))/g;

/** The number that was typed, with a point or a comma; null where it is none. */
export function boundOf(name: RuleName, tick: RuleTick): number | null {
  const typed = bareBound(name, tick).replace(THOUSANDS, '');
  const number = Number(typed.replace(',', '.'));
  return typed === '' || !Number.isFinite(number) ? null : number;
}

function tickOf(rules: readonly RuleChoice[], name: RuleName): RuleTick {
  const usual = RULES.find((rule) => rule.name === name)?.bound?.usual ?? '';
  const rule = rules.find((one) => nameOf(one) === name);
  if (rule === undefined) return { isOn: false, bound: usual };
  if (rule.kind !== 'fell-under') return { isOn: true, bound: '' };
  return { isOn: true, bound: shown(name === 'roi' ? rule.bound * PERCENT : rule.bound) };
}

/** Which tick a rule is told by; undefined for one that was made elsewhere. */
function nameOf(rule: RuleChoice): RuleName | undefined {
  if (rule.kind === 'no-longer-eligible') return 'eligible';
  if (rule.kind === 'doubled') return rule.field === 'rank_drops_30d' ? 'drops' : undefined;
  if (rule.kind !== 'fell-under') return undefined;
  return rule.field === 'roi' || rule.field === 'profit' ? rule.field : undefined;
}

export const ticksOf = (rules: readonly RuleChoice[]): RuleTicks => ({
  eligible: tickOf(rules, 'eligible'),
  roi: tickOf(rules, 'roi'),
  profit: tickOf(rules, 'profit'),
  drops: tickOf(rules, 'drops'),
});

/** Rules without a tick of their own: they stay as they are. */
export const otherRules = (rules: readonly RuleChoice[]): readonly RuleChoice[] =>
  rules.filter((rule) => nameOf(rule) === undefined);

function ruleOf(name: RuleName, tick: RuleTick): RuleChoice {
  if (name === 'eligible') return { kind: 'no-longer-eligible' };
  if (name === 'drops') return { kind: 'doubled', field: 'rank_drops_30d' };
  const bound = boundOf(name, tick) ?? 0;
  return { kind: 'fell-under', field: name, bound: name === 'roi' ? bound / PERCENT : bound };
}

export const rulesOf = (ticks: RuleTicks): readonly RuleChoice[] =>
  RULES.filter(({ name }) => ticks[name].isOn).map(({ name }) => ruleOf(name, ticks[name]));

/** "No longer eligible, ROI under 20 %": what is marked, in one line. */
export function rulesText(ticks: RuleTicks): string {
  const parts = RULES.filter(({ name }) => ticks[name].isOn).map(({ name, short, bound }) =>
    bound === undefined ? short : `${short} ${bareBound(name, ticks[name])} ${bound.unit}`.trim(),
  );
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
