// Number formats and widths of the columns that hold figures, texts and times.

import { type Field, fieldKind, isFraction } from './fields';
import { type Market, marketRow } from './market';

/** Money without a currency sign. */
export const MONEY = '#,##0.00';
export const moneyIn = (market: Market) => `[$${marketRow(market).sign}]${MONEY}`;
export const PERCENT = '0.0%';
export const NUMBER = '0.00';
export const COUNT = '0';
/** For eligibility, which services express in many ways. Our own words are never numbers. */
export const AUTOMATIC = '0.###############';

/** @param money the format of amounts. */
export function figureFormat(field: Field, money: string, roiIsFraction: boolean): string {
  switch (fieldKind(field)) {
    case 'money':
      return money;
    case 'ratio':
      return isFraction(field, roiIsFraction) ? PERCENT : NUMBER;
    case 'count':
      return COUNT;
    case 'flag':
      return AUTOMATIC;
  }
}

/** The default width of a column in Sheets, in pixels; enough for a figure. */
export const WIDTH_AS_NEW = 100;
/** The width of a letter in a bold title, rather too wide, in pixels. */
export const LETTER_WIDTH = 9;

/** Wide enough for a date with its time, in pixels. */
export const MOMENT_WIDTH = 140;
export const TEXT = '@';
