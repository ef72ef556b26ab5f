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

/** A date with its time. Cells get it as their spreadsheet's locale writes it. */
export const MOMENT = 'yyyy-mm-dd hh:mm';
const A_DAY = Date.UTC(2026, 0, 2);
const DAY_PARTS: Readonly<Record<string, string>> = { year: 'yyyy', month: 'm', day: 'd' };

/**
 * The format of dates with their times in a locale as Sheets names it: "m/d/yyyy h:mm am/pm" in "en_US",
 * "d.m.yyyy hh:mm" in "de_DE".
 */
export function momentFormat(locale: string): string {
  const tag = /^[a-z]{2,3}_[A-Z]{2}$/.exec(locale)?.[0].replace('_', '-') ?? 'en-GB';
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' });
  const day = written({ year: 'numeric', month: 'numeric', day: 'numeric' })
    .formatToParts(A_DAY)
    .map(({ type, value }) => {
      const letters = DAY_PARTS[type] ?? '';
      // "02/01/2026"
      if (letters !== '') return value.length === 2 ? letters.repeat(2) : letters;
      return value.replace(/\p{Cf}/gu, '').replace(/[^\s./-]+/g, '"$&"');
    });
  const { hour12 } = written({ hour: 'numeric' }).resolvedOptions();
  return `${day.join('')} ${hour12 ? 'h:mm am/pm' : 'hh:mm'}`;
}
/** Wide enough for a date with its time, in pixels. */
export const MOMENT_WIDTH = 140;
export const TEXT = '@';
