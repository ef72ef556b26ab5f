// Interprets a text that is put into a cell as Sheets does: as a number, a date, a formula or a
// text.

import { createDateSerial } from '../../sheet/date-serial';
import type { CellContent } from '../../sheet/model';

export interface Input {
  readonly content: CellContent;
  /** The number format that the input brings, for a cell that has none. */
  readonly format?: string;
}

export interface InputRules {
  /** For example "en_US", where 1/2 is in January. In other English locales it is in February. */
  readonly locale: string;
  /** For dates without a year. */
  readonly year: number;
}

const TEXT_FORMAT = '@';

/** The possible beginnings of a number, date or truth value. Any other text is certainly a text. */
const MAYBE_MORE = /^\s*[-+$£€(.\dtfjmasond]/i;

/**
 * Interprets texts in English locales. A cell with the format "@" takes every text unchanged, and
 * so does any cell after an apostrophe, which is not kept. A text that begins with "+" and is no
 * number is a formula (reports: pygsheets#373, owox-data-marts#1535).
 */
export function readInput(text: string, format: string, rules: InputRules): Input {
  if (format === TEXT_FORMAT) return { content: text };
  if (text.startsWith("'")) return { content: text.slice(1) };
  if (text.startsWith('=') && text.length > 1) return { content: { formula: text } };
  if (!MAYBE_MORE.test(text)) return { content: text };
  if (/^(true|false)$/i.test(text)) return { content: text.toLowerCase() === 'true' };
  const bare = text.trim();
  const read = readNumber(bare, rules) ?? readMoment(bare, rules);
  if (read) return read;
  return { content: /^\+./.test(text) ? { formula: `=${text}` } : text };
}

const NUMBER = /^([-+]?)([$£€]?)((?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?)(?:E([-+]?\d+))?(%?)$/i;

/** "(5)" is -5, as in accounts. As with "€5" in a locale of other money, no page settles it. */
function readNumber(text: string, rules: InputRules): Input | null {
  const [, inner] = /^\(([^-+()]+)\)$/.exec(text) ?? [];
  if (inner === undefined) return readSigned(text, rules);
  const read = readSigned(inner, rules);
  return read && { ...read, content: -Number(read.content) };
}

function readSigned(text: string, { locale }: InputRules): Input | null {
  const [, sign, currency = '', digits = '', exponent, percent] = NUMBER.exec(text) ?? [];
  if (!/\d/.test(digits)) return null;
  if (/[$£]/.test(currency) && currency !== (locale === 'en_GB' ? '£' : '$')) return null;
  const size = Number(`${digits.replaceAll(',', '')}e${exponent ?? 0}`);
  if (!Number.isFinite(size)) return null;
  const content = (sign === '-' ? -size : size) / (percent ? 100 : 1);
  const decimals = digits.includes('.') ? '.00' : '';
  if (percent) return { content, format: `0${decimals}%` };
  if (currency) return { content, format: `"${currency}"#,##0${decimals}` };
  if (exponent !== undefined) return { content, format: '0.00E+00' };
  return digits.includes(',') ? { content, format: `#,##0${decimals}` } : { content };
}

/** "2026-1-5", and "1940 10 5" (report: getodk/docs#1095). */
const YEAR_FIRST = /^(\d{4})[- ](\d{1,2})[- ](\d{1,2})(?: (.+))?$/;
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?: (.+))?$/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])m)?$/i;

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const LONG_MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/**
 * "5-Jan" and "Jan-26" without a year. No page says that they become dates, and none that they do not.
 * Here they do, so that a script which needs a text sees it.
 */
const DAY_AND_MONTH = /^(\d{1,2})[- ]([a-z]{3,9})$/i;
const MONTH_AND_DAY = /^([a-z]{3,9})[- ](\d{1,2})$/i;

/** "Mar 1 2016" is Google's own example of what becomes a date. */
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?: (.+))?$/i;
const DAY_FIRST = /^(\d{1,2}) ([a-z]{3,9})\.?,? (\d{4})(?: (.+))?$/i;

function monthOf(name: string): number | null {
  const word = name.toLowerCase();
  const at = Math.max(MONTHS.indexOf(word), LONG_MONTHS.indexOf(word));
  return at < 0 ? null : at + 1;
}

function readDayOfMonth(text: string, rules: InputRules): DateInput | null {
  const [, day, named] = DAY_AND_MONTH.exec(text) ?? [];
  const [, monthName, otherDay] = MONTH_AND_DAY.exec(text) ?? [];
  const month = monthOf(named ?? monthName ?? '');
  if (month === null) return null;
  return dateInput([rules.year, month, Number(day ?? otherDay)], 'd-mmm', '');
}

function readNamedMonth(text: string, rules: InputRules): DateInput | null {
  const [, monthFirst, day, year, rest = ''] = MONTH_FIRST.exec(text) ?? [];
  const [, dayFirst, named, thatYear, later = ''] = DAY_FIRST.exec(text) ?? [];
  const month = monthOf(monthFirst ?? named ?? '');
  if (month === null) return readDayOfMonth(text, rules);
  const date = [Number(year ?? thatYear), month, Number(day ?? dayFirst)] as const;
  return dateInput(date, dayFormat(rules), monthFirst ? rest : later);
}

/** Serial numbers are the same in every time zone, so any zone will do for counting days. */
const days = createDateSerial('Etc/UTC');

function readMoment(text: string, rules: InputRules): Input | null {
  const date = readDate(text, rules);
  const time = readTime(date ? date.rest : text);
  if (date && date.rest !== '' && time === null) return null;
  if (date && time === null) return { content: date.serial, format: date.format };
  if (date && time !== null) {
    return { content: date.serial + time, format: `${date.format} h:mm:ss` };
  }
  return time === null ? null : { content: time, format: 'h:mm:ss' };
}

interface DateInput {
  readonly serial: number;
  readonly format: string;
  /** What follows the date, possibly a time. */
  readonly rest: string;
}

function readDate(text: string, rules: InputRules): DateInput | null {
  const [, year, month, day, rest = ''] = YEAR_FIRST.exec(text) ?? [];
  if (year && month && day) {
    return dateInput([Number(year), Number(month), Number(day)], 'yyyy-mm-dd', rest);
  }
  const named = readNamedMonth(text, rules);
  if (named) return named;
  const [, first, , second, shortYear, later = ''] = DAY_OR_MONTH_FIRST.exec(text) ?? [];
  if (!first || !second) return null;
  const isMonthFirst = rules.locale === 'en_US';
  const [monthText, dayText] = isMonthFirst ? [first, second] : [second, first];
  const fullYear = shortYear ? fourDigits(Number(shortYear)) : rules.year;
  return dateInput([fullYear, Number(monthText), Number(dayText)], dayFormat(rules), later);
}

const dayFormat = ({ locale }: InputRules) => (locale === 'en_US' ? 'm/d/yyyy' : 'dd/mm/yyyy');

/** Two-digit years up to 29 are in this century, from 30 on in the last one. */
function fourDigits(year: number): number {
  if (year >= 100) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

function dateInput(
  [year, month, day]: readonly [number, number, number],
  format: string,
  rest: string,
): DateInput | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? { serial: days.toSerial(date), format, rest } : null;
}

/** The time as a fraction of a day. null: not a time. */
function readTime(text: string): number | null {
  const [, shown, minutes, seconds = 0, half] = TIME.exec(text) ?? [];
  if (shown === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (half && (Number(shown) < 1 || Number(shown) > 12)) return null;
  const hours = half ? (Number(shown) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(shown);
  return (hours * 3_600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
}
