// The table of figures in an analysis: what each one is, and the names by which it is recognised.

import { visibleText } from './cell-text';
import type { Eligibility } from './figures';

/** Money is in the market's currency; a ratio of 0.25 means 25 %. */
type Kind = 'money' | 'ratio' | 'count' | 'flag';

interface FieldRow {
  /** The title of its column, also used in texts. */
  readonly title: string;
  readonly kind: Kind;
  /** Set if the service's contract names it; a formula that names no fields shows these. */
  readonly isNamed?: true;
  /** Set if it may come as an object of parts, which are added up. */
  readonly isSum?: true;
  /**
   * Exact alternative names, in the form that `nameForm` returns. Prefixes would not do:
   * `buyBoxPrice` begins with "buy" but is a selling price.
   */
  readonly aliases: readonly string[];
}

/**
 * The figures that this product knows, in the order in which "all" shows them. Caches and stores
 * identify figures by their position, so a new one must be added at the end.
 */
const TABLE = {
  profit: {
    title: 'Profit',
    kind: 'money',
    isNamed: true,
    aliases: ['netprofit', 'estimatedprofit'],
  },
  roi: {
    title: 'ROI',
    kind: 'ratio',
    isNamed: true,
    aliases: ['returnoninvestment', 'roi%', 'roipercent', 'roipct', 'roipercentage'],
  },
  fees: {
    title: 'Fees',
    kind: 'money',
    isNamed: true,
    isSum: true,
    aliases: ['totalfees', 'fee', 'allfees', 'totalfee', 'feestotal'],
  },
  eligible: {
    title: 'Eligible',
    kind: 'flag',
    isNamed: true,
    aliases: [
      ...['eligibility', 'cansell', 'sellable', 'eligibletosell'],
      ...['iseligible', 'issellable', 'iseligibletosell'],
    ],
  },
  rank_drops_30d: {
    title: 'Rank drops 30d',
    kind: 'count',
    isNamed: true,
    aliases: [
      ...['rankdrops30', 'rankdrops(30d)', 'rankdrops', 'drops30d', 'drops30', 'drops'],
      ...['salesrankdrops30', 'salesrankdrops30d'],
    ],
  },
  buy_price: {
    title: 'Buy price',
    kind: 'money',
    aliases: [
      ...['buy', 'cost', 'costprice', 'cogs', 'cog', 'productcost', 'sourceprice'],
      ...['purchaseprice', 'buycost'],
    ],
  },
  sell_price: {
    title: 'Sell price',
    kind: 'money',
    aliases: [
      ...['sell', 'sellingprice', 'saleprice', 'price', 'buyboxprice', 'bbprice', 'amazonprice'],
      ...['buybox', 'currentprice'],
    ],
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

/** Builds figures field by field. */
export const figuresBy = (value: (field: Field, place: number) => Figures[Field]): Figures =>
  Object.fromEntries(FIELDS.map((field, at) => [field, value(field, at)])) as Figures;

/** The figures with those of one kind changed; missing ones stay null. */
export const changedBy = (figures: Figures, kind: Kind, change: (one: number) => number): Figures =>
  figuresBy((field) => {
    const one = figures[field];
    return fieldKind(field) === kind && typeof one === 'number' ? change(one) : one;
  });

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

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  FIELDS.flatMap((field) =>
    [nameForm(field), ...fieldRow(field).aliases].map(
      (form, rank) => [form, { field, rank }] as const,
    ),
  ),
);

export function meaningOf(name: string): Meaning | undefined {
  return MEANINGS.get(nameForm(name));
}

/** The figure that a name stands for, exactly or by an alias; undefined for an unknown name. */
export function fieldOfName(name: string): Field | undefined {
  return meaningOf(name)?.field;
}

const named =
  <Name extends string>(names: readonly Name[]) =>
  (name: string): Name | undefined =>
    names.find((one) => nameForm(one) === nameForm(name));

export const timeOfName = named(TIMES);

export const decisionOfName = named(DECISIONS);

/** Every name that a formula may ask for regardless of what the service sends. */
export const KNOWN_NAMES: readonly string[] = [...ALL_FIELDS, ...DECISIONS];

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
  const figure = figureWords(rule.field);
  if (rule.kind === 'doubled') return `${figure} doubled`;
  const verb = rule.kind === 'fell-under' ? 'fell under' : 'rose over';
  return `${figure} ${verb} ${boundWords(rule.field, rule.bound)}`;
}

function figureWords(field: string): string {
  return (isField(field) ? fieldTitle(field) : field).replace(' 30d', '');
}

/** A bound in words: ROI as a percentage, money without its currency, which differs by market. */
function boundWords(field: string, bound: number): string {
  if (isField(field) && fieldKind(field) === 'ratio') return `${Number((bound * 100).toFixed(2))}%`;
  return Number.isInteger(bound) ? String(bound) : bound.toFixed(2);
}
