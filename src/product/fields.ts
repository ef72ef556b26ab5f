// The table of figures in an analysis: what each one is, the names by which it is recognised, its
// units, and how a single figure is read as services write it. An analysis, and the answer that carries it.

import type { Failure } from '../failures/failure';
import { visibleText } from './cell-text';
import { CURRENCY_WORDS } from './market';

/** Whether the service's ROI comes as 0.25 or as 25 for the same thing. */
export const ROI_UNITS = ['fraction', 'percent'] as const;
/** Whether its money comes as 12.5 or as 1250 for the same amount. */
export const MONEY_UNITS = ['units', 'hundredths'] as const;

export type RoiUnit = (typeof ROI_UNITS)[number];
export type MoneyUnit = (typeof MONEY_UNITS)[number];

/**
 * Money is in the market's currency; a ratio of 0.25 means 25 %. A ratio also says how it is sent: as
 * 0.25, as 25, or as the connection's `setting` says, where services differ and a check decides.
 */
type KindAndUnit =
  | { readonly kind: 'money' | 'count' | 'flag' }
  | { readonly kind: 'ratio'; readonly unit: RoiUnit | 'setting' };

type Kind = KindAndUnit['kind'];

interface FieldOfTable {
  /** The title of its column, also used in texts. */
  readonly title: string;
  /** Set if the service's contract names it; a formula that names no fields shows these. */
  readonly isNamed?: true;
  /** Set if it may come as an object of parts, which are added up. */
  readonly isSum?: true;
  /** Set if it is what the service's buy price earns: below 0 for a loss, and not what one's own cost earns. */
  readonly isGain?: true;
  /** Where its change is news, as a schedule offers it first; null: nowhere. A count is news where it doubles. */
  readonly bounds: { readonly under: number; readonly over: number } | null;
}

type FieldRow = FieldOfTable & KindAndUnit;

/**
 * The figures that this product knows, in the order in which "all" shows them. Caches and stores
 * identify figures by their position, so a new one must be added at the end.
 */
const TABLE = {
  profit: {
    title: 'Profit',
    kind: 'money',
    isNamed: true,
    isGain: true,
    bounds: { under: 3, over: 5 },
  },
  roi: {
    title: 'ROI',
    kind: 'ratio',
    unit: 'setting',
    isNamed: true,
    isGain: true,
    bounds: { under: 0.2, over: 0.3 },
  },
  fees: {
    title: 'Fees',
    kind: 'money',
    isNamed: true,
    isSum: true,
    bounds: null,
  },
  eligible: {
    title: 'Eligible',
    kind: 'flag',
    isNamed: true,
    bounds: null,
  },
  rank_drops_30d: {
    title: 'Rank drops 30d',
    kind: 'count',
    isNamed: true,
    bounds: null,
  },
  buy_price: {
    title: 'Buy price',
    kind: 'money',
    bounds: null,
  },
  sell_price: {
    title: 'Sell price',
    kind: 'money',
    bounds: null,
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type Field = keyof typeof TABLE;

interface OfKind {
  readonly money: number;
  readonly ratio: number;
  readonly count: number;
  readonly flag: Eligibility;
}

/** null where the service gave no value. */
export type Figures = {
  readonly [F in Field]: OfKind[(typeof TABLE)[F]['kind']] | null;
};

/**
 * Titles of columns that hold no figure: of a product column without a title, and of the status of
 * each row.
 */
export const PRODUCT_TITLE = 'ASIN';
export const STATUS_TITLE = 'Analysis status';

export const FIELDS = Object.keys(TABLE) as [Field, ...Field[]] as readonly [Field, ...Field[]];

export const fieldRow = (field: Field): FieldRow => TABLE[field];

/** `in` would not do: "constructor" is in every object. */
export const isField = (key: string): key is Field => FIELDS.some((field) => field === key);

export const fieldTitle = (field: Field): string => TABLE[field].title;

export const fieldKind = (field: Field): Kind => TABLE[field].kind;

export const fieldsOfKind = (kind: Kind): readonly Field[] =>
  FIELDS.filter((field) => fieldKind(field) === kind);

/** The figures that decisions work out anew, at the buyer's own cost. */
export const GAINS: readonly Field[] = FIELDS.filter((field) => fieldRow(field).isGain);

/** Its title in a sentence: "Rank drops" */
export const figureWords = (field: Field): string => fieldTitle(field).replace(' 30d', '');

/** Builds figures field by field. */
export const figuresBy = (value: (field: Field, index: number) => Figures[Field]): Figures =>
  Object.fromEntries(FIELDS.map((field, at) => [field, value(field, at)])) as Figures;

/**
 * Whether a figure is a ratio that is kept as a fraction and shown as a percentage.
 *
 * @param isRoiKnown whether the connection's setting says how ROI is sent; until then it is kept as sent.
 */
export function isFraction(field: Field, isRoiKnown: boolean): boolean {
  const row = fieldRow(field);
  return row.kind === 'ratio' && (row.unit !== 'setting' || isRoiKnown);
}

/**
 * Figures as they were read, in our units: ROI as a fraction, money in whole units. A ratio whose unit
 * is fixed was read as a fraction.
 */
export function inOurUnits(
  figures: Figures,
  { moneyUnit, roiUnit }: { readonly roiUnit?: RoiUnit; readonly moneyUnit?: MoneyUnit },
): Figures {
  const ofMoney = moneyUnit === 'hundredths' ? 100 : 1;
  const ofRoi = roiUnit === 'percent' ? 100 : 1;
  return figuresBy((field) => {
    const figure = figures[field];
    const row = fieldRow(field);
    const isSet = row.kind === 'ratio' && row.unit === 'setting';
    const divisor = row.kind === 'money' ? ofMoney : isSet ? ofRoi : 1;
    return typeof figure === 'number' ? figure / divisor + 0 : figure;
  });
}

/**
 * What every analysis knows about itself: its age in days, as sheets count time, and when it was
 * fetched.
 */
const TIMES = ['age', 'as_of'] as const;

/**
 * What the tab "Deal rules" decides if a formula asks for it. These are no figures, so "all" does
 * not include them and they are never stored.
 */
const DECISIONS = ['verdict', 'why'] as const;

/** The fields that "all" shows. */
export const ALL_FIELDS: readonly string[] = [...FIELDS, ...TIMES];

/** The fields of a formula that names none: the figures that the service's contract names. */
export const DEFAULT_FIELDS: readonly Field[] = FIELDS.filter((field) => fieldRow(field).isNamed);

/**
 * Names are compared without regard to case, spaces, dashes and underscores: `buyPrice` is
 * `buy_price`.
 */
export function nameForm(name: string): string {
  return visibleText(name)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** A field and how certain its name is: 0 for the field's own name, more for each further alias. */
export interface Meaning {
  readonly field: Field;
  readonly rank: number;
}

/**
 * Exact alternative names, in the form that `nameForm` returns. Prefixes would not do: `buyBoxPrice`
 * begins with "buy" but is a selling price.
 */
const ALIASES: Readonly<Record<Field, readonly string[]>> = {
  profit: ['netprofit', 'estimatedprofit'],
  roi: ['returnoninvestment', 'roi%', 'roipercent', 'roipct', 'roipercentage'],
  fees: ['totalfees', 'fee', 'allfees', 'totalfee', 'feestotal'],
  eligible: [
    ...['eligibility', 'cansell', 'sellable', 'eligibletosell'],
    ...['iseligible', 'issellable', 'iseligibletosell'],
  ],
  rank_drops_30d: [
    ...['rankdrops30', 'rankdrops(30d)', 'rankdrops', 'drops30d', 'drops30', 'drops'],
    ...['salesrankdrops30', 'salesrankdrops30d'],
  ],
  buy_price: [
    ...['buy', 'cost', 'costprice', 'cogs', 'cog', 'productcost', 'sourceprice'],
    ...['purchaseprice', 'buycost'],
  ],
  sell_price: [
    ...['sell', 'sellingprice', 'saleprice', 'price', 'buyboxprice', 'bbprice', 'amazonprice'],
    ...['buybox', 'currentprice'],
  ],
};

/** By the form of each name. It is worked out when it is first asked for, which the page never does. */
let meanings: ReadonlyMap<string, Meaning> | null = null;

export function meaningOf(name: string): Meaning | undefined {
  meanings ??= new Map(
    FIELDS.flatMap((field) =>
      [nameForm(field), ...ALIASES[field]].map((form, rank) => [form, { field, rank }] as const),
    ),
  );
  return meanings.get(nameForm(name));
}

/** The figure that a name stands for, exactly or by an alias; undefined for an unknown name. */
export function fieldOfName(name: string): Field | undefined {
  return meaningOf(name)?.field;
}

const named =
  <Name extends string>(names: readonly Name[]) =>
  (name: string): Name | undefined =>
    names.find((candidate) => nameForm(candidate) === nameForm(name));

export const timeOfName = named(TIMES);

export const decisionOfName = named(DECISIONS);

/** Every name that a formula may ask for regardless of what the service sends. */
export const KNOWN_NAMES: readonly string[] = [...ALL_FIELDS, ...DECISIONS];

/** Titles of what an analysis has besides figures. */
export const TITLES = { age: 'Age', as_of: 'As of', verdict: 'Verdict', why: 'Why' } as const;

/** "Rank drops 30d", "As of". A name of the service's own is its own title. */
export function titleOfName(name: string): string {
  if (isField(name)) return fieldTitle(name);
  const column = timeOfName(name) ?? decisionOfName(name);
  return column === undefined ? name : TITLES[column];
}

export type FieldValue = string | number | boolean | Date | null;

const RULE_WORDS = {
  'no-longer-eligible': 'No longer eligible',
  'became-eligible': 'Now eligible',
  'became-buy': 'Now a Buy',
} as const;

/** A rule of the engine, or one that a person is entering. */
export type WordedRule =
  | { readonly kind: keyof typeof RULE_WORDS }
  | { readonly kind: 'fell-under' | 'rose-over'; readonly field: string; readonly bound: number }
  | { readonly kind: 'doubled'; readonly field: string };

/**
 * "No longer eligible", "Now eligible", "ROI fell under 20%", "Rank drops doubled". No two rules
 * have the same words.
 */
export function ruleWords(rule: WordedRule): string {
  if (!('field' in rule)) return RULE_WORDS[rule.kind];
  const figure = isField(rule.field) ? figureWords(rule.field) : rule.field;
  if (rule.kind === 'doubled') return `${figure} doubled`;
  const verb = rule.kind === 'fell-under' ? 'fell under' : 'rose over';
  return `${figure} ${verb} ${boundWords(rule.field, rule.bound)}`;
}

/** A bound in words: ROI as a percentage, money without its currency, which differs by market. */
function boundWords(field: string, bound: number): string {
  if (isField(field) && fieldKind(field) === 'ratio') return `${Number((bound * 100).toFixed(2))}%`;
  return Number.isInteger(bound) ? String(bound) : bound.toFixed(2);
}

/** Whether a seller may sell a product. If the service does not say, it is null and never false. */
export type Eligibility = boolean | typeof NEEDS_APPROVAL;

export const NEEDS_APPROVAL = 'Needs approval';

const ELIGIBILITIES: readonly Eligibility[] = [true, false, NEEDS_APPROVAL];

/** What a person reads: "Yes", "No", "Needs approval". */
export const eligibilityWord = (eligible: Eligibility): string =>
  typeof eligible === 'boolean' ? (eligible ? 'Yes' : 'No') : eligible;

/** The eligibility with this word, compared as sheets do; undefined: it is none of them. */
export const eligibilityOfWord = (word: unknown): Eligibility | undefined =>
  ELIGIBILITIES.find(
    (eligibility) => eligibilityWord(eligibility).toLowerCase() === String(word).toLowerCase(),
  );

/** A figure in a tab of ours; '' for what is not known, which is never 0. */
export const figureCell = (figure: Figures[Field]): string | number =>
  typeof figure === 'boolean' ? eligibilityWord(figure) : (figure ?? '');

/**
 * The largest possible figure. Up to here a double represents every hundredth, and sums of figures
 * are exact.
 */
const FIGURE_MAX = 1e13;

/** A number as a figure, without a negative zero; undefined if it overflowed or is too large. */
export const asFigure = (number: number): number | undefined =>
  Math.abs(number) <= FIGURE_MAX ? number + 0 : undefined;

/** The longest text of a figure; reading a text as long as a body would take minutes. */
const FIGURE_CHARS_MAX = 60;

/** A footnote's digit or a fraction, which must not become a digit of the number. */
const RAISED = /\p{No}/u;

/** Digits apart, as in "12.50 $3" and "12 50". A blank before exactly three digits separates thousands. */
const TWO_NUMBERS = /\d\s*[$£€]\s*\d|\d\s+(?!\d{3}(?!\d))\d/;

/**
 * A finite number; null for "none given"; undefined for something that is no number.
 *
 * "12.5%" is 0.125, as in a sheet. "12,5" is 12.5 and "1,234.5" is 1234.5; a single comma before
 * exactly three digits separates thousands, which is how both supported markets write.
 */
export function readNumber(value: unknown): number | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return finite(value);
  if (typeof value !== 'string' || value.length > FIGURE_CHARS_MAX || RAISED.test(value))
    return undefined;
  const seen = visibleText(value);
  if (TWO_NUMBERS.test(seen)) return undefined;
  const text = seen.replace(MONEY_WORD, '').replace(/\u2212/g, '-');
  if (/^(n\/?a|null|none|[-–—]*)$/i.test(text)) return null;
  const percent = text.endsWith('%');
  const digits = withDecimalPoint(percent ? text.slice(0, -1) : text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
  return finite(Number(digits) / (percent ? 100 : 1));
}

/** What amounts carry beside their digits: "£", "12.50 GBP", "US$". */
const MONEY_WORD = new RegExp(`[\\s$£€]|${CURRENCY_WORDS}|US(?=\\$)`, 'gi');

const finite = (number: number) => (Number.isFinite(number) ? number + 0 : undefined);

function withDecimalPoint(text: string): string {
  const comma = text.lastIndexOf(',');
  const point = text.lastIndexOf('.');
  // A number with thousands never begins with a zero, so "0,412" is less than one.
  const hasThousands = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text);
  const commaIsDecimal = comma > point && (point >= 0 || !hasThousands);
  return commaIsDecimal ? text.replace(/\./g, '').replace(',', '.') : text.replace(/,/g, '');
}

/**
 * A ratio: "85%" is 0.85 whatever the unit.
 *
 * @param unit of plain numbers: 85 is 0.85 as a `percent`.
 */
export function readRatio(value: unknown, unit: RoiUnit): number | null | undefined {
  const number = readNumber(value);
  const isPercent = unit === 'percent' && !isPercentText(value);
  return typeof number === 'number' && isPercent ? number / 100 : number;
}

/** Whether a text says that it is a percentage, so that its number is read as a fraction. */
export function isPercentText(value: unknown): boolean {
  return typeof value === 'string' && /%$/.test(visibleText(value));
}

/** An amount of money or a count, read like any number, but a percentage is none. */
export function readAmount(value: unknown): number | null | undefined {
  const number = readNumber(value);
  return isPercentText(value) ? undefined : number;
}

/** Names of totals; the other parts of such an object only explain the total. */
const TOTAL_NAME = /^((grand_?)?total(_?fees?)?|sum|amount)$/i;

/**
 * Names of parts that explain an amount beside them and are none: `referral_percent`. A "rate" may
 * be an amount, as that of shipping.
 */
const PERCENT_NAME = /percent|pct|%/i;

/** Members that change what an amount beside them means: `{"amount": 985, "exponent": 2}`. */
const SCALE_NAME = /exponent|scale|precision|decimals/i;

/** The depth of fees, their parts, and the parts of those: more than any known service sends. */
const FEES_DEPTH_MAX = 3;

/**
 * Fees as a number or as an object of parts: its total, else the sum of its parts, each of which
 * may have parts again.
 */
export function readFees(value: unknown, depth = FEES_DEPTH_MAX): number | null | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return readAmount(value);
  if (Array.isArray(value)) return undefined;
  if (Object.keys(value).some((name) => SCALE_NAME.test(name))) return undefined;
  const parts = Object.entries(value).filter(([name]) => !PERCENT_NAME.test(name));
  const total = parts.find(([name]) => TOTAL_NAME.test(name));
  if (total) return readFees(total[1], depth - 1);
  const numbers = parts
    .map(([, part]) => readFees(part, depth - 1))
    .filter((part) => part !== null);
  if (numbers.length === 0) return null;
  // A part that cannot be read makes the sum NaN, which is no figure.
  return asFigure(numbers.reduce<number>((sum, part) => sum + Number(part), 0));
}

const YES = /^(true|yes|y|1|eligible|allowed(_to_sell)?|ok|open|ungated)$/;
const NO = /^(false|no|n|0|ineligible|not_(eligible|allowed)|restricted|blocked|prohibited)$/;
const APPROVAL = /^(((needs|requires)_)?approval(_(required|needed))?|gated)$/;
const UNKNOWN = /^(|unknown|n\/?a|null|none)$/;

/**
 * Whether the product can be sold. A list holds restrictions, as in Amazon's selling-partner API,
 * so an empty list means yes. undefined: the value says neither.
 */
export function readEligibility(value: unknown): Eligibility | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return true;
    return value.some((item) => /approval/i.test(JSON.stringify(item))) ? NEEDS_APPROVAL : false;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = visibleText(value)
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (YES.test(word)) return true;
  if (NO.test(word)) return false;
  if (APPROVAL.test(word)) return NEEDS_APPROVAL;
  return UNKNOWN.test(word) ? null : undefined;
}

/** A count: a whole number from 0 up. Services without nulls write -1 for "none". */
export function readCount(value: unknown): number | null | undefined {
  const number = readAmount(value);
  if (typeof number !== 'number') return number;
  if (number === -1) return null;
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** A field that the service sent and this product has no name for, under the service's own name. */
export type ExtraField = readonly [name: string, value: string | number | boolean | null];

export interface Analysis {
  /**
   * Figures with money in the market's currency, unrounded; null where the service gave no value.
   */
  readonly figures: Figures;
  /** Pairs instead of an object, so that a field named `__proto__` is only a name. */
  readonly extras: readonly ExtraField[];
  /** Set if ROI is known to be one, from the connection or the answer; else ROI is as sent. */
  readonly roiUnit?: 'fraction';
  /** An invented analysis: never stored, never mixed with real ones, never written by a run. */
  readonly isSample?: true;
  readonly fetchedAtMs: number;
}

export type Answer =
  | { readonly ok: true; readonly analysis: Analysis }
  | { readonly ok: false; readonly failure: Failure };

export const answered = (analysis: Analysis): Answer => ({ ok: true, analysis });
export const unanswered = (failure: Failure): Answer => ({ ok: false, failure });

/** A caller's requirements for an answer that already exists. */
export interface Freshness {
  /** The answer must have been fetched at or after this moment, ms since 1970. */
  readonly notBeforeMs?: number;
  /** Any text; the answer must have been asked for with the same text. */
  readonly tag?: string;
}
