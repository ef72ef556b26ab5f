// The units in which a service sends ROI and money: what its figures prove of them, and how they
// become ours. Pure.

import type { MoneyUnit, RoiUnit } from '../product/analysis';
import { changedBy, type Field, type Figures, fieldsOfKind, nameForm } from '../product/fields';
import { isPercentText } from '../product/figures';

export interface UnitSettings {
  /** The unit of the service's ROI. If given, figures become fractions (0.25). */
  readonly roiUnit?: RoiUnit;
  /** The unit of the service's money. With hundredths, 1250 becomes 12.5. */
  readonly moneyUnit?: MoneyUnit;
}

/** What was sent as a field: the member's name and value. */
export interface SentField {
  readonly name: string;
  readonly value: unknown;
}

export type SentFields = ReadonlyMap<Field, SentField>;

/** Names of ROI that say its unit. */
const PERCENT_FORMS = ['roi%', 'roipercent', 'roipct', 'roipercentage'];

export const isPercentByName = (sent: SentFields): boolean =>
  PERCENT_FORMS.includes(nameForm(sent.get('roi')?.name ?? ''));

/** The unit of a ROI: that of its "%", the one that is set, else the one that its name says. */
export function roiUnitOf(sent: SentFields, settings: UnitSettings): RoiUnit | undefined {
  // "85.65%" has already been read as a fraction, whatever unit the service's numbers have.
  if (isPercentText(sent.get('roi')?.value)) return 'fraction';
  return settings.roiUnit ?? (isPercentByName(sent) ? 'percent' : undefined);
}

/** Figures as sent, in our units: ROI as a fraction, money in whole units. */
export function inOurUnits(figures: Figures, { moneyUnit, roiUnit }: UnitSettings): Figures {
  const money = moneyUnit === 'hundredths' ? 100 : 1;
  const ratio = roiUnit === 'percent' ? 100 : 1;
  const inMoney = changedBy(figures, 'money', (one) => one / money + 0);
  return changedBy(inMoney, 'ratio', (one) => one / ratio + 0);
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

/** The unit of ROI that figures, as sent, prove; undefined if it could be either. */
export function provedRoiUnit(figures: Figures): RoiUnit | undefined {
  const { profit, roi, fees, buy_price: buy, sell_price: sell } = figures;
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
const IN_UNITS = /[$£€.,]|USD|GBP/i;

/** No amounts with parts of a hundredth are this small: fees of less than one unit are rare. */
const HUNDREDTHS_MIN = 100;

export const isWhole = (amount: number): boolean => Math.abs(amount - Math.round(amount)) <= 1e-6;

/** All amounts that are not 0. */
export const amountsIn = (figures: Figures): readonly number[] =>
  fieldsOfKind('money').flatMap((field) => Number(figures[field]) || []);

/** Whether figures, as sent, prove that money comes in whole units; nothing proves hundredths. */
export function provesUnits(figures: Figures, sent: SentFields): boolean {
  const texts = fieldsOfKind('money').map((field) => sent.get(field)?.value);
  if (texts.some((value) => typeof value === 'string' && IN_UNITS.test(value))) return true;
  const amounts = amountsIn(figures);
  const usual = figures.fees ?? Math.max(...amounts.map(Math.abs));
  return !amounts.every(isWhole) && usual < HUNDREDTHS_MIN;
}

/** What is impossible under these settings: "ROI came as 85.65"; undefined if nothing is. */
export function impossibleIn(
  figures: Figures,
  sent: SentFields,
  { roiUnit, moneyUnit }: UnitSettings,
): string | undefined {
  const proved = isPercentText(sent.get('roi')?.value) ? undefined : provedRoiUnit(figures);
  if (roiUnit !== undefined && proved !== undefined && proved !== roiUnit)
    return `ROI came as ${short(figures.roi)}`;
  if (moneyUnit !== 'hundredths' || !provesUnits(figures, sent)) return undefined;
  const broken = amountsIn(figures).find((amount) => !isWhole(amount)) ?? amountsIn(figures)[0];
  return `an amount came as ${short(broken ?? null)}`;
}

/** A number with at most four decimals. */
const short = (value: number | null): string => String(Number((value ?? 0).toFixed(4)));
