// Decides from one answer how all answers of its service are read: the units of ROI and money, and
// the names of the prices. What the answer does not prove is a question for a person. Pure.

import type { ConnectionSettings } from '../connection/connection';
import {
  type Field,
  type Figures,
  MONEY_UNITS,
  meaningOf,
  nameForm,
  ROI_UNITS,
  readAmount,
} from '../product/fields';
import type { WireSetting } from '../product/market';
import { NAME_SETTINGS, type Sent } from './find-analysis';
import {
  amountsIn,
  type Fields,
  isPercentByName,
  isWhole,
  provedRoiUnit,
  provesUnits,
  readFields,
  readFigure,
} from './parse-analysis';

/** A setting that one answer decides. */
export type DialectSetting = Exclude<keyof ConnectionSettings, WireSetting | 'defaultMarket'>;

type Dialect = Pick<ConnectionSettings, DialectSetting>;

/** Something that the answer leaves open. */
export interface DialectQuestion {
  readonly setting: DialectSetting;
  /** The price that it is about; left out for a unit. */
  readonly field?: PriceField;
  /** Every value that is possible; '' stands for a price that this service does not give. */
  readonly options: readonly Option[];
}

interface Option {
  readonly value: string;
  /** The price under this name, as sent. */
  readonly amount?: number;
}

export interface DialectDecision {
  /** All that is decided: what is proved, what was decided before, and a guess for each question. */
  readonly dialect: Dialect;
  readonly questions: readonly DialectQuestion[];
  /** The figures as sent, in the service's units. */
  readonly sent: Figures;
}

/** @param before what was decided earlier. It stays unless the answer proves something else. */
export function decideDialect(members: readonly Sent[], before: Dialect): DialectDecision {
  const names = decideNames(members, before);
  const fields = readFields(members, names.dialect);
  const roi = decideRoi(fields, before);
  const money = decideMoney(fields, before);
  return {
    dialect: { ...names.dialect, ...roi.dialect, ...money.dialect },
    questions: [...roi.questions, ...money.questions, ...names.questions],
    sent: fields.figures,
  };
}

export type PriceField = (typeof NAME_SETTINGS)[number][1];

type Part = Omit<DialectDecision, 'sent'>;

const NOTHING: Part = { dialect: {}, questions: [] };

const decided = (dialect: Dialect): Part => ({ dialect, questions: [] });

const asked = (dialect: Dialect, setting: DialectSetting, values: readonly string[]): Part => ({
  dialect,
  questions: [{ setting, options: values.map((value) => ({ value })) }],
});

function decideRoi(fields: Fields, before: Dialect): Part {
  const { roi } = fields.figures;
  const roiUnit = provedRoiUnit(fields) ?? before.roiUnit;
  if (roiUnit !== undefined) return decided({ roiUnit });
  if (roi === null || roi === 0) return NOTHING;
  const guess = isPercentByName(fields) || Math.abs(roi) >= 1 ? 'percent' : 'fraction';
  return asked({ roiUnit: guess }, 'roiUnit', ROI_UNITS);
}

/** Whole amounts are taken for hundredths from these fees on: 1.00. Prices are ten times as high. */
const FEES_OF_HUNDREDTHS = 100;
const PRICE_TO_FEES = 10;

function decideMoney(fields: Fields, before: Dialect): Part {
  const moneyUnit = provesUnits(fields) ? 'units' : before.moneyUnit;
  if (moneyUnit !== undefined) return decided({ moneyUnit });
  const amounts = amountsIn(fields);
  if (amounts.length === 0) return NOTHING;
  const fees = fields.figures.fees ?? Math.max(...amounts.map(Math.abs)) / PRICE_TO_FEES;
  const isLarge = fees >= FEES_OF_HUNDREDTHS;
  const guess = isLarge && amounts.every(isWhole) ? 'hundredths' : 'units';
  return asked({ moneyUnit: guess }, 'moneyUnit', MONEY_UNITS);
}

/** A member that may be a price. */
interface PriceCandidate {
  readonly name: string;
  readonly amount: number;
  /** How certain its name is, as in `meaningOf`; undefined for a name that nobody knows. */
  readonly rank?: number;
}

/** No setting holds a longer name, and no real field name is longer. */
const NAME_CHARS_MAX = 60;

/** More numbers than an answer has beside its prices; every pair of them is tried. */
const UNKNOWN_MAX = 100;

/** More than anybody compares. */
const OPTIONS_MAX = 8;

/** Members known as this field by a usual name, the most certain first; else all unknown amounts. */
function candidatesFor(field: Field, members: readonly Sent[]): readonly PriceCandidate[] {
  const byForm = new Map<string, Sent>();
  for (const member of members) {
    const form = nameForm(member[0]);
    if (!byForm.has(form)) byForm.set(form, member);
  }
  const usable = [...byForm.values()].filter(
    ([name]) => name !== '' && name.length <= NAME_CHARS_MAX,
  );
  const usual = usable.flatMap(([name, value]) => {
    const meaning = meaningOf(name);
    const amount = meaning?.field === field ? readFigure(field, value) : null;
    return typeof amount === 'number' && meaning ? [{ name, amount, rank: meaning.rank }] : [];
  });
  if (usual.length > 0) return usual.sort((a, b) => a.rank - b.rank);
  const unknown = usable.flatMap(([name, value]) => {
    const amount = meaningOf(name) === undefined ? readAmount(value) : null;
    return typeof amount === 'number' && amount > 0 ? [{ name, amount }] : [];
  });
  return unknown.slice(0, UNKNOWN_MAX);
}

/** The tolerance for sums, in units of money: each of four amounts is rounded to a hundredth. */
const SUM_TOLERANCE = 0.021;
/** How far a rounded ROI may be from the one that follows from the amounts. */
const ROI_TOLERANCE = 0.01;

/** Whether two amounts are the prices behind the other figures, in either unit of ROI. */
function agree(buy: PriceCandidate, sell: PriceCandidate, { profit, roi, fees }: Figures): boolean {
  if (profit === null || roi === null || fees === null) return false;
  const isSum = Math.abs(sell.amount - buy.amount - fees - profit) < SUM_TOLERANCE;
  const isRatio = [1, 100].some(
    (unit) => Math.abs((roi * buy.amount) / (profit * unit) - 1) < ROI_TOLERANCE,
  );
  return isSum && isRatio;
}

function decideNames(members: readonly Sent[], before: Dialect): Part {
  const { figures } = readFields(members, {});
  const buys = candidatesFor('buy_price', members);
  const sells = candidatesFor('sell_price', members);
  const pairs = buys.flatMap((buy) =>
    sells.filter((sell) => agree(buy, sell, figures)).map((sell) => [buy, sell] as const),
  );
  const parts = NAME_SETTINGS.map(([setting, field], at) => {
    const chosen = before[setting];
    const isHere = members.some(([name]) => nameForm(name) === nameForm(chosen ?? ''));
    if (chosen !== undefined && isHere) return decided({ [setting]: chosen });
    const fitting = new Set(pairs.flatMap((pair) => pair[at] ?? []));
    const part = decideName(setting, field, at === 0 ? buys : sells, [...fitting]);
    const earlier: Dialect = chosen === undefined ? {} : { [setting]: chosen };
    return { ...part, dialect: { ...earlier, ...part.dialect } };
  });
  return {
    dialect: Object.assign({}, ...parts.map(({ dialect }) => dialect)),
    questions: parts.flatMap(({ questions }) => questions),
  };
}

/** @param fitting those candidates that fit the other figures, each with a candidate for the other price. */
function decideName(
  setting: (typeof NAME_SETTINGS)[number][0],
  field: PriceField,
  candidates: readonly PriceCandidate[],
  fitting: readonly PriceCandidate[],
): Part {
  const [first] = candidates;
  const isUsual = first?.rank !== undefined;
  // The field's own name, or the only usual one: it is read without a setting.
  if (isUsual && (first.rank === 0 || candidates.every(({ amount }) => amount === first.amount)))
    return NOTHING;
  const [only, another] = fitting;
  if (only !== undefined && another === undefined) return decided({ [setting]: only.name });
  const open = (fitting.length > 0 ? fitting : isUsual ? candidates : []).slice(0, OPTIONS_MAX);
  if (open.length === 0) return NOTHING;
  const options = open.map(({ name, amount }) => ({ value: name, amount }));
  // A name that nobody knows is used only once a person has chosen it.
  return isUsual
    ? { dialect: { [setting]: open[0]?.name }, questions: [{ setting, field, options }] }
    : { dialect: {}, questions: [{ setting, field, options: [{ value: '' }, ...options] }] };
}
