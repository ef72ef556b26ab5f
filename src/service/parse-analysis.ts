// Parses the contract's answer into an analysis: tolerant about names, nesting and numbers as text,
// strict about nonsense.

import { type Failure, fail, isFailure } from '../failures/failure';
import type { Analysis, Extra, MoneyUnit, RoiUnit } from '../product/analysis';
import { isUsual, type Product } from '../product/asin';
import {
  changedBy,
  DEFAULT_FIELDS,
  type Field,
  type Figures,
  fieldRow,
  fieldsOfKind,
  figuresBy,
  type Meaning,
  meaningOf,
  nameForm,
} from '../product/fields';
import {
  asFigure,
  isPercentText,
  readAmount,
  readCount,
  readEligibility,
  readFees,
  readNumber,
} from '../product/figures';
import { isOtherMoney, readMarket, wireNameOf } from '../product/market';

/** What is settled about this service's answers, either by a person or by earlier answers. */
export interface ReaderSettings {
  /** The service's own names for fields whose names the contract leaves open. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  readonly eligibleName?: string;
  readonly feesName?: string;
  /** The unit of the service's ROI. If given, figures become fractions (0.25). */
  readonly roiUnit?: RoiUnit;
  /** The unit of the service's money. With hundredths, 1250 becomes 12.5. */
  readonly moneyUnit?: MoneyUnit;
  /** The service's name for the UK market, which an answer may repeat. */
  readonly ukMarket?: string;
}

/** The settings that name a field, each with its field. */
export const NAME_SETTINGS = [
  ['buyPriceName', 'buy_price'],
  ['sellPriceName', 'sell_price'],
  ['eligibleName', 'eligible'],
  ['feesName', 'fees'],
] as const;

/** Objects one level down in which some services put figures. */
const CONTAINERS = /^(data|result|product|item|analysis|prices|pricing)$/i;

/** Members in which an answer says what it is about, in the form that `nameForm` returns. */
const PRODUCT_NAMES = /^(product|item)?asin$/;
const MARKET_NAMES = /^(market(place)?(id|code|name)?|domain)$/;
const CURRENCY_NAMES = /^currency(code|symbol|iso)?$/;

/** Members in which some services repeat the request, and fees, which may say their currency. */
const ECHO_NAMES = /^(request|query|input|params|meta|(total|all)?fees?)$/;

/** Members that may hold the product's ASIN, or a title or number of the service's own. */
const ID_NAMES = /^(product|item)(id)?$/;

/**
 * The answer concerns a market other than the one asked for; a check then tries other names of the
 * market.
 */
export const OTHER_MARKET = 'it is about another market or currency';

/** More than any real answer has; further fields are dropped. */
const EXTRAS_MAX = 40;
const EXTRA_NAME_CHARS = 60;
const EXTRA_TEXT_CHARS = 500;

/**
 * Under these names, a list is read as eligibility: it lists what forbids selling. Other values
 * there are not.
 */
export const RESTRICTION_NAMES = /^restrictions?$/;

/** Ranks before every name that this file knows. */
const NAMED_BY_SETTINGS = -1;

/** Ranks after every name that this file knows; no field has this many aliases. */
const AFTER_ALIASES = 1_000;

type Sent = readonly [name: string, value: unknown];

/** `{data: {prices: {…}}}` is the deepest nesting that is read. */
const CONTAINERS_DEEP = 2;

/** The fields of a JSON body: first its own, then those of known containers. */
export function sentFields(body: unknown, depth = CONTAINERS_DEEP): readonly Sent[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const own = Object.entries(body);
  const isContainer = ([name, value]: Sent) =>
    depth > 0 && CONTAINERS.test(name) && typeof value === 'object' && value !== null;
  const inner = own.filter(isContainer).flatMap(([, value]) => sentFields(value, depth - 1));
  return [...own.filter((field) => !isContainer(field)), ...inner];
}

/**
 * The field that a member stands for, by its name. Names from the connection's settings come first.
 */
export function recognise([name, value]: Sent, settings: ReaderSettings): Meaning | undefined {
  const form = nameForm(name);
  for (const [setting, field] of NAME_SETTINGS) {
    const chosen = settings[setting];
    if (chosen !== undefined && nameForm(chosen) === form)
      return { field, rank: NAMED_BY_SETTINGS };
  }
  if (RESTRICTION_NAMES.test(form) && Array.isArray(value))
    return { field: 'eligible', rank: AFTER_ALIASES };
  return meaningOf(name);
}

interface Named {
  readonly name: string;
  readonly rank: number;
  readonly value: unknown;
}

interface Sorted {
  /** The value of each field that was sent, under the most certain of its names. */
  readonly named: ReadonlyMap<Field, Named>;
  readonly extras: readonly Extra[];
}

/**
 * Sorts members into fields and extras. Which member stands for a field does not depend on the
 * order in which a service writes its members; the others of that field are extras, because a
 * setting may choose them later.
 */
export function sortFields(sent: readonly Sent[], settings: ReaderSettings): Sorted {
  const named = new Map<Field, Named>();
  const extras: Extra[] = [];
  for (const one of sent) {
    const [name, value] = one;
    const meaning = recognise(one, settings);
    const before = meaning && named.get(meaning.field);
    if (meaning && !(before && before.rank <= meaning.rank)) {
      named.set(meaning.field, { name, rank: meaning.rank, value });
      if (before) addExtra(extras, before.name, before.value);
    } else addExtra(extras, name, value);
  }
  return { named, extras };
}

/** The members inside a value, at every depth. */
function membersIn(value: unknown): readonly Sent[] {
  if (typeof value !== 'object') return [];
  return Object.entries(Object(value)).flatMap((one) => [one, ...membersIn(one[1])]);
}

/** All texts and numbers inside a value, in upper case. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'object') return Object.values(Object(value)).flatMap(wordsOf);
  const word = String(value ?? '')
    .trim()
    .toUpperCase();
  return word === '' ? [] : [word];
}

/**
 * What an answer is about if it is not what was asked for, wherever the answer says so; undefined:
 * nothing contradicts.
 */
function otherThan(
  { asin, market }: Product,
  sent: readonly Sent[],
  named: Sorted['named'],
  settings: ReaderSettings,
): string | undefined {
  const all = sent.flatMap((one) => [
    one,
    ...(ECHO_NAMES.test(nameForm(one[0])) ? membersIn(one[1]) : []),
  ]);
  const said = (names: RegExp) =>
    all.flatMap(([name, value]) => (names.test(nameForm(name)) ? wordsOf(value) : []));
  const products = [...said(PRODUCT_NAMES), ...said(ID_NAMES).filter(isUsual)];
  if (products.some((word) => word.padStart(10, '0') !== asin))
    return 'it is about another product';
  const wire = wireNameOf(market, settings).toUpperCase();
  const isOtherMarket = (word: string) => {
    const name = word.replace(/^(AMAZON|[A-Z]{2})[ _-]|\/$/, '');
    const read = readMarket(name);
    return isFailure(read) ? word !== wire && MARKET_CODE.test(name) : read !== market;
  };
  const amounts = fieldsOfKind('money')
    .flatMap((field) => wordsOf(named.get(field)?.value))
    .filter((word) => typeof readNumber(word) === 'number');
  return said(MARKET_NAMES).some(isOtherMarket) ||
    [...said(CURRENCY_NAMES), ...amounts].some((word) => isOtherMoney(word, market))
    ? OTHER_MARKET
    : undefined;
}

/**
 * Country codes, Amazon domains and Amazon's marketplace ids. Other words under such a name do not
 * name a market.
 */
const MARKET_CODE = /^([A-Z]{2}|A[0-9A-Z]{11,13})$|(^|[./])AMAZON\.[A-Z.]+$/;

/**
 * Reads a JSON body as the analysis of `product`.
 *
 * null and missing figures become null. A `not-understood` failure names the field whose value
 * cannot be read, or says that the body is no analysis or is about another product or market.
 */
export function readAnalysis(
  body: unknown,
  product: Product,
  settings: ReaderSettings,
  nowMs: number,
): Analysis | Failure {
  const sent = sentFields(body);
  const { named, extras } = sortFields(sent, settings);
  const what = otherThan(product, sent, named, settings);
  if (what !== undefined) return fail({ kind: 'not-understood', what });
  // A body with nothing but a price could be anything.
  if (!DEFAULT_FIELDS.some((field) => named.has(field)))
    return fail({ kind: 'not-understood', what: 'it holds no analysis' });
  const figures = readFigures(named);
  if (isFailure(figures)) return figures;
  // "85.65%" has already been read as a fraction, whatever unit the service's numbers have.
  const roiUnit = isPercentText(named.get('roi')?.value) ? 'fraction' : settings.roiUnit;
  return {
    // Once its unit is settled, ROI is a fraction, which a sheet shows as a percentage.
    figures: rescaled(figures, { ...settings, roiUnit }, (one, by) => one / by + 0),
    ...(roiUnit && { roiUnit: 'fraction' as const }),
    extras,
    fetchedAtMs: nowMs,
  };
}

/** A value as this field's figure; null if none is given, undefined if it cannot be read. */
export function readFigure(field: Field, value: unknown): Figures[Field] | undefined {
  const { kind, isSum } = fieldRow(field);
  if (kind === 'flag') return readEligibility(value);
  const readMoney = isSum ? readFees : readAmount;
  const read = kind === 'count' ? readCount : kind === 'ratio' ? readNumber : readMoney;
  const number = read(value);
  if (typeof number !== 'number') return number;
  if (kind !== 'money' || field === 'profit' || number > 0) return asFigure(number);
  // Costs may come with a minus. Services without nulls write -1 for "none", and nothing is sold
  // for 0.
  if (number === -1 || (number === 0 && !isSum)) return null;
  return isSum ? asFigure(-number) : undefined;
}

function readFigures(named: Sorted['named']): Figures | Failure {
  let odd: Field | undefined;
  const figures = figuresBy((field) => {
    const value = readFigure(field, named.get(field)?.value);
    if (value === undefined) odd ??= field;
    return value ?? null;
  });
  if (odd === undefined) return figures;
  return fail({ kind: 'not-understood', what: `${odd} is not a figure` });
}

interface Units {
  readonly moneyUnit?: MoneyUnit | undefined;
  readonly roiUnit?: RoiUnit | undefined;
}

/** @param change gets a figure and how many of the service's units make one of ours. */
export function rescaled(
  figures: Figures,
  { moneyUnit, roiUnit }: Units,
  change: (one: number, by: number) => number,
): Figures {
  const money = moneyUnit === 'hundredths' ? 100 : 1;
  const ratio = roiUnit === 'percent' ? 100 : 1;
  const inMoney = changedBy(figures, 'money', (one) => change(one, money));
  return changedBy(inMoney, 'ratio', (one) => change(one, ratio));
}

function addExtra(extras: Extra[], name: string, value: unknown): void {
  if (extras.length >= EXTRAS_MAX || name.length > EXTRA_NAME_CHARS || nameForm(name) === 'asin')
    return;
  if (typeof value === 'string') extras.push([name, value.slice(0, EXTRA_TEXT_CHARS)]);
  else if (typeof value === 'number' && Number.isFinite(value)) extras.push([name, value + 0]);
  else if (typeof value === 'boolean' || value === null) extras.push([name, value]);
}
