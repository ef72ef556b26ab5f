// What an answer reveals about its service: the units of ROI and money, and the names of fields.
// Pure.

import type { Analysis, MoneyUnit, RoiUnit } from '../product/analysis';
import { type Figures, fieldsOfKind, nameForm } from '../product/fields';
import { readNumber } from '../product/figures';
import { NAME_SETTINGS, sentFields } from './find-analysis';
import { type ReaderSettings, rescaled, roiUnitOf, sortFields } from './parse-analysis';

/** Something that an answer reveals, with the setting that it concerns. */
export interface Observation {
  readonly setting: Exclude<keyof ReaderSettings, 'ukMarket'>;
  readonly value: string;
  /** A whole sentence. */
  readonly why: string;
}

/**
 * The two possible units of ROI differ by a factor of 100, so agreement within a factor of five
 * decides between them despite differences in how services calculate.
 */
const NEAR = 5;

/** Smaller ratios disappear in the rounding of services. */
const RATIO_MIN = 0.005;

/**
 * An ROI of 10 as a fraction would be a return of a thousand percent, so it must be a percentage.
 */
const ROI_OF_PERCENT = 10;

/**
 * Whole-number fees of at least this are taken for hundredths: no fees are below one unit, so in
 * hundredths they reach 100, and hardly any fees reach 100 whole units.
 */
const FEES_OF_HUNDREDTHS = 100;
/**
 * Without fees, whole-number amounts that reach this are taken for hundredths (10.00): a product
 * for 1,000 whole units is rare.
 */
const PRICE_OF_HUNDREDTHS = 1_000;

/** No setting holds a longer name, and no real field name is longer. */
const NAME_CHARS_MAX = 60;

type Named = ReturnType<typeof sortFields>['named'];

/** Everything that this answer reveals, whether or not it is settled already. */
export function observationsIn(
  json: unknown,
  analysis: Analysis,
  reading: ReaderSettings,
): readonly Observation[] {
  const { named } = sortFields(sentFields(json, reading), reading);
  // In the units in which the service sent them.
  const units = { ...reading, roiUnit: roiUnitOf(named, reading) };
  const figures = rescaled(analysis.figures, units, (one, by) => one * by);
  return [
    ...roiTold(figures),
    ...moneyTold(figures, named),
    ...namesTold(named, figures),
    ...pricesTold(analysis, figures),
  ];
}

/**
 * The observations that contradict how answers are read, or that could settle a unit that is still
 * open.
 */
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

const toldOf = (
  setting: Observation['setting'],
  value: string,
  why: string,
): readonly Observation[] => [{ setting, value, why }];

function roiTold(figures: Figures): readonly Observation[] {
  const { profit, roi, fees, buy_price: buy, sell_price: sell } = figures;
  if (roi === null || roi === 0) return [];
  const told = (value: RoiUnit, why: string) =>
    toldOf('roiUnit', value, `ROI came as ${short(roi)}${why}`);
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

/**
 * Texts like "1,200", "1200.00" and "1200 USD" are in whole units, although as numbers they look as
 * whole as hundredths do.
 */
const IN_UNITS = /[$£€.,]|USD|GBP/i;

function moneyTold(figures: Figures, named: Named): readonly Observation[] {
  const { fees } = figures;
  const money = fieldsOfKind('money');
  const amounts = money.flatMap((field) => Number(figures[field]) || []);
  const told = (value: MoneyUnit, why: string) => toldOf('moneyUnit', value, why);
  const broken = amounts.find((amount) => Math.abs(amount - Math.round(amount)) > 1e-6);
  if (broken !== undefined) return told('units', `An amount came as ${short(broken)}.`);
  const sent = money.map((field) => named.get(field)?.value);
  if (sent.some((value) => typeof value === 'string' && IN_UNITS.test(value)))
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
    return toldOf(setting, sent.name, `It came as ${formOf(sent.value)}.`);
  });
}

/** The tolerance for sums, in units of money: each of four amounts is rounded to a hundredth. */
const SUM_TOLERANCE = 0.021;
/** How far a rounded ROI may be from the one that follows from the amounts. */
const ROI_TOLERANCE = 0.01;

/**
 * Prices under unknown names: the only pair of amounts whose difference is fees plus profit and
 * whose smaller one gives the ROI.
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
  return [...toldOf('buyPriceName', pair[0], why), ...toldOf('sellPriceName', pair[1], why)];
}

/** The form in which a service sends a figure, in words. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list of what stands against it';
  if (typeof value === 'object') return 'an object of parts';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

/** A number with at most four decimals. */
function short(value: number): string {
  return String(Number(value.toFixed(4)));
}
