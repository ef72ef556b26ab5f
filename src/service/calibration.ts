// What an answer tells about its service: units of ROI and money, and names of fields. Pure.

import type { Analysis, MoneyUnit, RoiUnit } from '../product/analysis';
import { changedBy, type Figures, fieldsOfKind, nameForm } from '../product/fields';
import { readNumber } from '../product/figures';
import { NAME_SETTINGS, type ReaderSettings, sentFields, sortFields } from './parse-analysis';

/** Something that an answer tells, by the setting that it is about. */
export interface Observation {
  readonly setting: Exclude<keyof ReaderSettings, 'ukMarket'>;
  readonly value: string;
  /** A whole sentence. */
  readonly why: string;
}

/** The two meanings of an ROI are a hundred apart, so a factor of five decides, whatever is in it. */
const NEAR = 5;

/** Smaller ratios are lost in what services round. */
const RATIO_MIN = 0.005;

/** As a fraction it would be a return of a thousand percent. */
const ROI_OF_PERCENT = 10;

/** Fees below one unit of money do not exist, and hardly any reach a hundred. */
const FEES_OF_HUNDREDTHS = 100;
/** No product is sold for ten times the smallest coin. */
const PRICE_OF_HUNDREDTHS = 1_000;

/** Longer names are nobody's, and no setting holds one. */
const NAME_CHARS_MAX = 60;

type Named = ReturnType<typeof sortFields>['named'];

/** Everything that this answer tells, whether or not it is settled already. */
export function observationsIn(
  json: unknown,
  analysis: Analysis,
  reading: ReaderSettings,
): readonly Observation[] {
  const figures = asSent(analysis.figures, reading);
  const { named } = sortFields(sentFields(json), reading);
  return [
    ...roiTold(figures),
    ...moneyTold(figures, named),
    ...namesTold(named, figures),
    ...pricesTold(analysis, figures),
  ];
}

/** What contradicts the way in which answers are read, or could be settled where nothing is yet. */
export function newsIn(
  told: readonly Observation[],
  reading: ReaderSettings,
): readonly Observation[] {
  return told.filter(({ setting, value }) => {
    const settled = reading[setting];
    const isUnit = setting === 'roiUnit' || setting === 'moneyUnit';
    return settled === undefined ? isUnit : nameForm(settled) !== nameForm(value);
  });
}

/** The figures on the scale on which the service sent them. */
function asSent(figures: Figures, { roiUnit, moneyUnit }: ReaderSettings): Figures {
  const money = moneyUnit === 'hundredths' ? 100 : 1;
  const ratio = roiUnit === 'percent' ? 100 : 1;
  const ofMoney = changedBy(figures, 'money', (one) => one * money);
  return changedBy(ofMoney, 'ratio', (one) => one * ratio);
}

function roiTold(figures: Figures): readonly Observation[] {
  const { profit, roi, fees, buy_price: buy, sell_price: sell } = figures;
  if (roi === null || roi === 0) return [];
  const told = (value: RoiUnit, why: string): readonly Observation[] => [
    { setting: 'roiUnit', value, why: `ROI came as ${short(roi)}${why}` },
  ];
  const paid = buy ?? (sell === null || fees === null ? null : sell - fees - (profit ?? 0));
  if (profit !== null && paid !== null && paid > 0 && Math.abs(profit / paid) >= RATIO_MIN) {
    const ratio = profit / paid;
    const isNear = (times: number) => roi / ratio > times / NEAR && roi / ratio < times * NEAR;
    const why = `, and profit divided by the buy price is ${short(ratio)}.`;
    if (isNear(1)) return told('fraction', why);
    if (isNear(100)) return told('percent', why);
  }
  return Math.abs(roi) >= ROI_OF_PERCENT ? told('percent', ', which is no fraction.') : [];
}

/** The unit of ROI as one analysis tells it that was read as it was sent. */
export const roiUnitIn = ({ figures, roiUnit }: Analysis): string | undefined =>
  roiUnit ?? roiTold(figures)[0]?.value;

/** "1,200.00" and "£1200" are units, though as numbers they are as whole as hundredths are. */
const IN_UNITS = /[$£€]|[.,]\d{1,2}$/;

function moneyTold(figures: Figures, named: Named): readonly Observation[] {
  const { fees } = figures;
  const money = fieldsOfKind('money');
  const amounts = money.flatMap((field) => Number(figures[field]) || []);
  const told = (value: MoneyUnit, why: string): readonly Observation[] => [
    { setting: 'moneyUnit', value, why },
  ];
  const broken = amounts.find((amount) => Math.abs(amount - Math.round(amount)) > 1e-6);
  if (broken !== undefined) return told('units', `An amount came as ${short(broken)}.`);
  const sent = money.map((field) => named.get(field)?.value);
  if (sent.some((value) => typeof value === 'string' && IN_UNITS.test(value.trim())))
    return told('units', 'An amount came as text with its currency or its hundredths.');
  const largest = Math.max(...amounts.map(Math.abs));
  const isLarge = fees === null ? largest >= PRICE_OF_HUNDREDTHS : fees >= FEES_OF_HUNDREDTHS;
  if (amounts.length < 2 || !isLarge) return [];
  return told('hundredths', `All amounts came as whole numbers, such as ${short(largest)}.`);
}

function namesTold(named: Named, figures: Figures): readonly Observation[] {
  return NAME_SETTINGS.flatMap(([setting, field]) => {
    const sent = named.get(field);
    if (sent === undefined || figures[field] === null || sent.name.length > NAME_CHARS_MAX)
      return [];
    return [{ setting, value: sent.name, why: `It came as ${formOf(sent.value)}.` }];
  });
}

/** Amounts are rounded to hundredths of the smallest unit that is sent, each of four a little. */
const SUM_TOLERANCE = 0.021;
/** A rounded ROI is as near as this to the one that follows from the amounts. */
const ROI_TOLERANCE = 0.01;

/**
 * Prices under names that nobody knows: the one pair of amounts whose difference is fees and profit,
 * and of which the smaller makes the ROI.
 */
function pricesTold({ extras }: Analysis, figures: Figures): readonly Observation[] {
  const { profit, roi, fees, buy_price, sell_price } = figures;
  if (buy_price !== null || sell_price !== null) return [];
  if (profit === null || roi === null || fees === null) return [];
  const amounts = extras.flatMap(([name, value]) => {
    const amount = typeof value === 'boolean' ? null : readNumber(value);
    return amount && amount > 0 && name !== '' ? [{ name, amount }] : [];
  });
  const fits = ({ amount }: { readonly amount: number }) =>
    [1, 100].some((unit) => Math.abs((roi * amount) / (profit * unit) - 1) < ROI_TOLERANCE);
  const pairs = amounts
    .filter(fits)
    .flatMap((buy) =>
      amounts
        .filter(({ amount }) => Math.abs(amount - buy.amount - fees - profit) < SUM_TOLERANCE)
        .map((sell) => [buy.name, sell.name] as const),
    );
  const [pair] = pairs;
  if (pair === undefined || pairs.length > 1) return [];
  const why = 'It fits: sell price less buy price and fees is the profit.';
  return [
    { setting: 'buyPriceName', value: pair[0], why },
    { setting: 'sellPriceName', value: pair[1], why },
  ];
}

/** How a service writes a figure, in words. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list of what stands against it';
  if (typeof value === 'object') return 'an object of parts';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

/** Up to four digits behind the point. */
function short(value: number): string {
  return String(Number(value.toFixed(4)));
}
