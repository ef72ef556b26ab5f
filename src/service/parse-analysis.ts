// Parses the contract's answer into an analysis: tolerant about names, nesting and numbers as text,
// strict about nonsense.

import type { ConnectionSettings } from '../connection/connection';
import { type Failure, fail, isFailure } from '../failures/failure';
import { isUsual, type Product, readAsin } from '../product/asin';
import {
  type Analysis,
  asFigure,
  type ExtraField,
  type Field,
  type Figures,
  fieldRow,
  fieldsOfKind,
  figuresBy,
  inOurUnits,
  isPercentText,
  type MoneyUnit,
  meaningOf,
  NEEDS_APPROVAL,
  nameForm,
  type RoiUnit,
  readAmount,
  readCount,
  readEligibility,
  readFees,
  readNumber,
  readRatio,
} from '../product/fields';
import { CURRENCY_WORDS, isOtherMoney, marketRow, readMarket, wireNameOf } from '../product/market';
import {
  amountInMoney,
  ECHO_NAMES,
  type FoundAnalysis,
  PRODUCT_NAMES,
  recognise,
  type Sent,
} from './find-analysis';

/** Members in which an answer says its market and currency, in the form that `nameForm` returns. */
const MARKET_NAMES = /^(market(place)?(id|code|name)?|domain)$/;
const DOMAIN_NAMES = /^domain(id|number)?$/;
const COUNTRY_NAMES = /^country(code)?$/;
const CURRENCY_NAMES = /^(currency(code|symbol|iso)?|symbol)$/;

/** Members that may hold the product's ASIN, or a title or number of the service's own. */
const ID_NAMES = /^((product|item)(id)?|id)$/;

/** Members with a link to the product. */
const LINK_NAMES = /^(product|item|detail|page|amazon|listing|asin)*(url|link|href)$/;

/** Members that say what keeps the product from being sold, whatever another one says. */
const RESTRICTED_NAMES =
  /^(is)?(gated|restricted|(approval|ungating)(required|needed)|(requires|needs)(approval|ungating))$/;
const RESTRICTION_NAMES = /^restrictions?(reasons?|codes?)?$/;

/**
 * The answer concerns a market other than the one asked for; a check then tries other names of the
 * market.
 */
const OTHER_MARKET = 'it is about another market or currency';

/** More than any real answer has; further fields are dropped. */
const EXTRAS_MAX = 40;
/** Of all of them together: thousands of products have to fit into the cache. */
const EXTRAS_CHARS = 1_000;
const EXTRA_NAME_CHARS = 60;
const EXTRA_TEXT_CHARS = 500;

/** What was sent as a field. */
interface NamedMember {
  readonly name: string;
  /** How certain that name is, as in `meaningOf`. */
  readonly rank: number;
  readonly value: unknown;
}

/** The members of an analysis as fields. */
export interface Fields {
  /** Each field that was sent, under the most certain of its names. */
  readonly named: ReadonlyMap<Field, NamedMember>;
  /** As sent, in the service's units; null where none was sent or it cannot be read. */
  readonly figures: Figures;
  /** The fields that were sent and cannot be read. */
  readonly unread: readonly Field[];
  /** Everything else, and what was sent in place of a figure, such as "TBD". */
  readonly extras: readonly ExtraField[];
}

/**
 * Sorts members into fields and extras. Which member stands for a field does not depend on the
 * order in which a service writes its members; the others of that field are extras, because a
 * setting may choose them later.
 */
export function readFields(sent: readonly Sent[], settings: ConnectionSettings): Fields {
  const named = new Map<Field, NamedMember>();
  const extras: ExtraField[] = [];
  for (const member of sent) {
    const [name, value] = member;
    const meaning = recognise(member, settings);
    const before = meaning && named.get(meaning.field);
    if (meaning && !(before && before.rank <= meaning.rank)) {
      named.set(meaning.field, { name, rank: meaning.rank, value });
      if (before) addExtra(extras, before);
    } else addExtra(extras, { name, value });
  }
  const unread: Field[] = [];
  const figures = figuresBy((field) => {
    const found = named.get(field);
    const figure = readFigure(field, found?.value);
    const isUnclear = field === 'eligible' && figure === true && sent.some(isAgainst);
    if (found === undefined || (figure !== undefined && !isUnclear)) return figure ?? null;
    if (!isUnclear) unread.push(field);
    addExtra(extras, found);
    return null;
  });
  return { named, figures, unread, extras };
}

/** Whether a member says that the product may not be sold, or only with an approval. */
function isAgainst([name, value]: Sent): boolean {
  const form = nameForm(name);
  if (RESTRICTED_NAMES.test(form)) return readEligibility(value) === true;
  const isText = typeof value === 'string' && RESTRICTION_NAMES.test(form);
  const isList = Array.isArray(value) && RESTRICTION_NAMES.test(form);
  const isFlag = meaningOf(name)?.field === 'eligible';
  const said = isText || isList || isFlag ? readEligibility(value) : null;
  return said === false || said === NEEDS_APPROVAL || (isText && said === undefined);
}

/** The members inside a value, at every depth. */
function membersIn(value: unknown): readonly Sent[] {
  if (typeof value !== 'object') return [];
  return Object.entries(Object(value)).flatMap((member) => [member, ...membersIn(member[1])]);
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
  { sent, wrappers }: FoundAnalysis,
  { named }: Fields,
  settings: ConnectionSettings,
): string | undefined {
  const money = fieldsOfKind('money');
  // An amount in an object of its own may say its currency there.
  const isMoney = (member: Sent) => {
    const field = recognise(member, settings)?.field;
    return field !== undefined && money.includes(field);
  };
  const mayTell = (member: Sent) => ECHO_NAMES.test(nameForm(member[0])) || isMoney(member);
  const all = sent.flatMap((member) => [member, ...(mayTell(member) ? membersIn(member[1]) : [])]);
  const said = (names: RegExp) =>
    all.flatMap(([name, value]) => (names.test(nameForm(name)) ? wordsOf(value) : []));
  const around = wrappers.flatMap(wordsOf);
  const links = said(LINK_NAMES).filter((word) => AMAZON_LINK.test(word));
  const linked = links.flatMap((link) => {
    const reading = readAsin(link);
    return isFailure(reading) ? [] : [reading.asin];
  });
  const ids = [...said(ID_NAMES), ...around].filter(isUsual);
  const products = [...said(PRODUCT_NAMES), ...ids, ...linked];
  if (products.some((word) => word.padStart(10, '0') !== asin))
    return 'it is about another product';
  const wire = wireNameOf(market, settings).toUpperCase();
  const isOtherMarket = (word: string) => {
    const name = word.replace(/^(AMAZON|[A-Z]{2})[ _-]|\/$/, '');
    const read = readMarket(name);
    return isFailure(read) ? word !== wire && MARKET_CODE.test(name) : read !== market;
  };
  const amounts = money
    .flatMap((field) => wordsOf(named.get(field)?.value))
    .filter((word) => typeof readNumber(word) === 'number');
  const hosts = links.map((link) => link.replace(AMAZON_LINK, '$1'));
  const countries = [...said(COUNTRY_NAMES), ...around].filter(isMarketName);
  const isOtherDomain = (word: string) =>
    word !== wire && KEEPA_NUMBER.test(word) && Number(word) !== marketRow(market).keepa;
  return [...said(MARKET_NAMES), ...countries, ...hosts].some(isOtherMarket) ||
    said(DOMAIN_NAMES).some(isOtherDomain) ||
    [...said(CURRENCY_NAMES), ...amounts].some((word) => isOtherMoney(word, market))
    ? OTHER_MARKET
    : undefined;
}

/**
 * Country codes, Amazon domains and Amazon's marketplace ids. Other words under such a name do not
 * name a market.
 */
const MARKET_CODE = /^([A-Z]{2}|A[0-9A-Z]{11,13})$|(^|[./])AMAZON\.[A-Z.]+$/;

/** A link to a product, with its host in front. */
const AMAZON_LINK = /^(?:HTTPS?:\/\/)?((?:[\w-]+\.)*AMAZON\.[A-Z.]+)\/.*$/;

/** Keepa's numbers of Amazon's shops, which other services use as well. */
const KEEPA_NUMBER = /^([1-9]|1[0-2])$/;

/** Names of what an analysis is wrapped in that can only be a market: `{"DE": {…}}`. */
const OTHER_MARKETS = /^(DE|FR|IT|ES|NL|SE|PL|BE|IE|TR|CA|MX|BR|JP|IN|AU|SG|AE|SA|EG|ZA)$/;

const isMarketName = (word: string): boolean =>
  OTHER_MARKETS.test(word) || !isFailure(readMarket(word));

/**
 * Reads what was found as the analysis of `product`.
 *
 * null and missing figures become null, and so does one whose value cannot be read: what was sent
 * in its place is an extra. A `not-understood` failure names the field if no other one has a value,
 * or says that the answer is about another product or market. Figures that are impossible under the
 * settings are an `other-units` failure.
 */
export function readAnalysis(
  found: FoundAnalysis,
  product: Product,
  settings: ConnectionSettings,
  nowMs: number,
): Analysis | Failure {
  const fields = readFields(found.sent, settings);
  const { figures, unread, extras } = fields;
  const what = otherThan(product, found, fields, settings);
  if (what !== undefined) return fail({ kind: 'not-understood', what });
  if (unread.length > 0 && Object.values(figures).every((figure) => figure === null))
    return fail({ kind: 'not-understood', what: `${unread[0]} is not a figure` });
  const roiUnit = roiUnitOf(fields, settings);
  const impossible = impossibleIn(fields, roiUnit, settings.moneyUnit);
  if (impossible !== undefined) return fail({ kind: 'other-units', what: impossible });
  return {
    // With its unit known, ROI is a fraction, which a sheet shows as a percentage.
    figures: inOurUnits(figures, { ...settings, ...(roiUnit && { roiUnit }) }),
    ...(roiUnit && { roiUnit: 'fraction' as const }),
    extras,
    fetchedAtMs: nowMs,
  };
}

/** An amount of money, as a number or in an object with its currency. */
function readMoney(value: unknown): number | null | undefined {
  if (typeof value !== 'object' || value === null) return readAmount(value);
  const amount = amountInMoney(value);
  return amount === undefined ? undefined : readAmount(amount);
}

/** As it was sent, where the unit is a setting. */
const ofRatio = (unit: RoiUnit | 'setting', value: unknown) =>
  readRatio(value, unit === 'setting' ? 'fraction' : unit);

function ofAmount({ kind, isSum }: ReturnType<typeof fieldRow>, value: unknown) {
  if (kind === 'count') return readCount(value);
  return isSum && amountInMoney(value) === undefined ? readFees(value) : readMoney(value);
}

/** A value as this field's figure; null if none is given, undefined if it cannot be read. */
export function readFigure(field: Field, value: unknown): Figures[Field] | undefined {
  const row = fieldRow(field);
  const { kind, isSum, isGain } = row;
  if (kind === 'flag') return readEligibility(value);
  const number = row.kind === 'ratio' ? ofRatio(row.unit, value) : ofAmount(row, value);
  if (typeof number !== 'number') return number;
  if (kind !== 'money' || isGain || number > 0) return asFigure(number);
  // Costs may come with a minus. Services without nulls write -1 for "none", and nothing is sold
  // for 0.
  if (number === -1 || (number === 0 && !isSum)) return null;
  return isSum ? asFigure(-number) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A list of texts is one text; other lists and objects are not kept. */
function addExtra(
  extras: ExtraField[],
  { name, value }: Pick<NamedMember, 'name' | 'value'>,
): void {
  if (extras.length >= EXTRAS_MAX || name.length > EXTRA_NAME_CHARS || nameForm(name) === 'asin')
    return;
  const used = extras.reduce((sum, extra) => sum + extra.join('').length, 0);
  const room = EXTRAS_CHARS - used - name.length;
  if (room <= 0) return;
  const text = Array.isArray(value) && value.every(isText) ? value.join('; ') : value;
  if (typeof text === 'string')
    extras.push([name, text.slice(0, Math.min(EXTRA_TEXT_CHARS, room))]);
  else if (typeof value === 'number' && Number.isFinite(value)) extras.push([name, value + 0]);
  else if (typeof value === 'boolean' || value === null) extras.push([name, value]);
}

/** Names of ROI that say its unit. */
const PERCENT_FORMS = ['roi%', 'roipercent', 'roipct', 'roipercentage'];

export const isPercentByName = ({ named }: Fields): boolean =>
  PERCENT_FORMS.includes(nameForm(named.get('roi')?.name ?? ''));

/** "85.65%" has already been read as a fraction, whatever unit the service's numbers have. */
const isRoiText = ({ named }: Fields): boolean => isPercentText(named.get('roi')?.value);

/** The unit of a ROI: by its "%", else as it is set, else by its name. */
function roiUnitOf(fields: Fields, settings: ConnectionSettings): RoiUnit | undefined {
  if (isRoiText(fields)) return 'fraction';
  return settings.roiUnit ?? (isPercentByName(fields) ? 'percent' : undefined);
}

/**
 * The two possible units of ROI differ by a factor of 100, so agreement within a factor of five
 * decides between them despite differences in how services calculate.
 */
const NEAR = 5;

/** Smaller ratios disappear in the rounding of services. */
const RATIO_MIN = 0.005;

/**
 * An ROI of 10 as a fraction would be a return of a thousand percent, so it must be a percentage
 * unless prices show otherwise.
 */
const ROI_OF_PERCENT = 10;

/** The unit of ROI that an answer proves; undefined if it could be either. */
export function provedRoiUnit(fields: Fields): RoiUnit | undefined {
  if (isRoiText(fields)) return 'fraction';
  const { profit, roi, fees, buy_price: buy, sell_price: sell } = fields.figures;
  if (roi === null || roi === 0) return undefined;
  const paid = buy ?? (sell === null || fees === null ? null : sell - fees - (profit ?? 0));
  if (profit !== null && paid !== null && paid > 0 && Math.abs(profit / paid) >= RATIO_MIN) {
    const times = roi / (profit / paid);
    if (times > 1 / NEAR && times < NEAR) return 'fraction';
    if (times > 100 / NEAR && times < 100 * NEAR) return 'percent';
  }
  return Math.abs(roi) >= ROI_OF_PERCENT ? 'percent' : undefined;
}

/** An amount of whole units as text: "1,200", "1200.00", "1200 USD". */
const IN_UNITS = new RegExp(`[\\p{Sc}.,]|${CURRENCY_WORDS}`, 'iu');

/** No amounts with parts of a hundredth are this small: fees of less than one unit are rare. */
const HUNDREDTHS_MIN = 100;

export const isWhole = (amount: number): boolean => Math.abs(amount - Math.round(amount)) <= 1e-6;

/** All amounts that are not 0. */
export const amountsIn = ({ figures }: Fields): readonly number[] =>
  fieldsOfKind('money').flatMap((field) => Number(figures[field]) || []);

/** Whether an answer proves that money comes in whole units; nothing proves hundredths. */
export function provesUnits(fields: Fields): boolean {
  const { named, figures } = fields;
  const texts = fieldsOfKind('money').map((field) => named.get(field)?.value);
  if (texts.some((value) => typeof value === 'string' && IN_UNITS.test(value))) return true;
  const amounts = amountsIn(fields);
  const usual = figures.fees ?? Math.max(...amounts.map(Math.abs));
  return !amounts.every(isWhole) && usual < HUNDREDTHS_MIN;
}

/** What is impossible in these units: "ROI came as 85.65"; undefined if nothing is. */
function impossibleIn(
  fields: Fields,
  roiUnit: RoiUnit | undefined,
  moneyUnit: MoneyUnit | undefined,
): string | undefined {
  const proved = provedRoiUnit(fields);
  if (roiUnit !== undefined && proved !== undefined && proved !== roiUnit)
    return `ROI came as ${short(fields.figures.roi)}`;
  if (moneyUnit !== 'hundredths' || !provesUnits(fields)) return undefined;
  const amounts = amountsIn(fields);
  const broken = amounts.find((amount) => !isWhole(amount)) ?? amounts[0];
  return `an amount came as ${short(broken ?? null)}`;
}

/** A number with at most four decimals. */
const short = (value: number | null): string => String(Number((value ?? 0).toFixed(4)));
