// How figures are shown in a sheet: by what they are, and money by its market. Pure.

import { fieldKind, isField } from '../analysis/fields';
import type { Market } from '../analysis/product';
import type { ColumnKey } from './our-columns';

const MONEY: Readonly<Record<Market, string>> = { US: '[$$]#,##0.00', UK: '[$£]#,##0.00' };
const PERCENT = '0.0%';
const NUMBER = '0.00';
const COUNT = '0';
/** Whatever a service says about eligibility; and our own words are never a number. */
export const AUTOMATIC = '0.###############';

export const MOMENT = 'yyyy-mm-dd hh:mm';
export const TEXT = '@';

const isMoney = (format: string) => Object.values(MONEY).includes(format);

/**
 * The format for a cell that has one: nobody chose none, or the money of another market.
 *
 * @param isOurs whether ROI got its format from us while its unit was not known.
 */
export function mendedFormat(there: string, wanted: string, isOurs = false): string {
  const isOfRoi = isOurs && there === NUMBER && wanted === PERCENT;
  const isFree = there === AUTOMATIC || (isMoney(there) && isMoney(wanted)) || isOfRoi;
  return isFree ? wanted : there;
}

/** @param isFraction whether ratios come as fractions, which a sheet shows as percentages. */
export function formatOf(key: ColumnKey, market: Market, isFraction: boolean): string {
  if (key === 'at') return MOMENT;
  if (key === 'status' || key === 'change') return TEXT;
  if (!isField(key)) return AUTOMATIC;
  const formats = {
    money: MONEY[market],
    ratio: isFraction ? PERCENT : NUMBER,
    count: COUNT,
    flag: AUTOMATIC,
  };
  return formats[fieldKind(key)];
}
