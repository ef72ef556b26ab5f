// Displays a cell's value by its number format, for the formats that people use in lists.

import { isDateSerial, wallClock } from './date-serial';
import { GENERAL_FORMAT } from './model';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The number of digits that a double keeps exactly. */
const SIGNIFICANT_DIGITS = 15;

/** What is shown literally: "texts", \escaped letters and [colours, conditions and currencies]. */
const LITERALS = /"[^"]*"|\\.|\[[^\]]*\]/g;

const known = new Map<string, boolean>();

export function isDateFormat(format: string): boolean {
  if (format === GENERAL_FORMAT) return false;
  const remembered = known.get(format);
  if (remembered !== undefined) return remembered;
  const answer = /[ymdhs]/i.test(format.replace(LITERALS, ''));
  known.set(format, answer);
  return answer;
}

/** Numbers with a date format are serial numbers here. */
export function displayText(value: string | number | boolean, format: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (format === GENERAL_FORMAT || format === '@') return plainNumber(value);
  const section = sectionFor(format, value);
  if (isDateFormat(format))
    return isDateSerial(value) ? dateText(value, section.pattern) : plainNumber(value);
  return section.sign + numberText(Math.abs(value), section.pattern);
}

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

/**
 * A format may consist of "positive;negative;zero". A part for negative numbers shows its own sign.
 */
function sectionFor(format: string, value: number): { pattern: string; sign: string } {
  const [positive = '', negative, zero] = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  if (value === 0 && zero !== undefined) return { pattern: zero, sign: '' };
  if (value < 0 && negative !== undefined) return { pattern: negative, sign: '' };
  return { pattern: positive, sign: value < 0 ? '-' : '' };
}

/** The literal as it is displayed: the currency of "[$£-809]", or nothing for a colour. */
function shownLiteral(literal: string): string {
  if (literal.startsWith('"')) return literal.slice(1, -1);
  if (literal.startsWith('\\')) return literal.slice(1);
  return /^\[\$([^\]-]*)/.exec(literal)?.[1] ?? '';
}

const DIGITS = /[#0?][#0?,]*(?:\.[#0?]+)?(?:E[-+]0+)?/i;
const NUMBER_TOKENS = new RegExp(`${LITERALS.source}|${DIGITS.source}|.`, 'gi');

function numberText(value: number, pattern: string): string {
  const percents = pattern.replace(LITERALS, '').split('%').length - 1;
  const scaled = value * 100 ** percents;
  return pattern.replace(NUMBER_TOKENS, (token) => {
    if (DIGITS.test(token) && !/^["\\[]/.test(token)) return digitsText(scaled, token);
    return token.length > 1 ? shownLiteral(token) : token;
  });
}

function digitsText(value: number, digits: string): string {
  const [places = '', exponent] = digits.split(/E/i);
  if (exponent !== undefined) return scientificText(value, places, exponent);
  const [whole = '', fraction = ''] = digits.split('.');
  const wanted = fraction.replaceAll('#', '').length;
  const [units = '0', decimals = ''] = value.toFixed(fraction.length).split('.');
  const trimmed = decimals.slice(0, wanted) + decimals.slice(wanted).replace(/0+$/, '');
  const padded = units.padStart(whole.replaceAll(/[#,?]/g, '').length, '0');
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded;
  return trimmed === '' ? grouped : `${grouped}.${trimmed}`;
}

/** For example 1.23E+05 for "0.00" and "+00". */
function scientificText(value: number, places: string, exponent: string): string {
  const decimals = places.split('.')[1]?.length ?? 0;
  const [mantissa = '0', power = '0'] = value.toExponential(decimals).split('e');
  const size = String(Math.abs(Number(power))).padStart(exponent.length - 1, '0');
  const plus = exponent.startsWith('+') ? '+' : '';
  return `${mantissa}E${Number(power) < 0 ? '-' : plus}${size}`;
}

const DATE_TOKENS = /"[^"]*"|\\.|\[[^\]]*\]|am\/pm|\.0+|y+|m+|d+|h+|s+|./gi;

function dateText(serial: number, pattern: string): string {
  const date = wallClock(serial);
  const isHalfDay = /am\/pm/i.test(pattern);
  const tokens = pattern.match(DATE_TOKENS) ?? [];
  return tokens
    .map((token, place) => {
      if (!/^m+$/i.test(token)) return datePart(date, token, isHalfDay);
      return isMinutes(tokens, place)
        ? twoDigits(date.getUTCMinutes(), token)
        : monthText(date, token);
    })
    .join('');
}

/** "m" means minutes after hours or before seconds, and months elsewhere. */
function isMinutes(tokens: readonly string[], place: number): boolean {
  const isUnit = (token: string) => /^\[?[ymdhs]/i.test(token);
  const before = tokens.slice(0, place).findLast(isUnit) ?? '';
  const after = tokens.slice(place + 1).find(isUnit) ?? '';
  return /^\[?h/i.test(before) || /^\[?s/i.test(after);
}

function twoDigits(value: number, token: string): string {
  return String(value).padStart(Math.min(token.length, 2), '0');
}

function monthText(date: Date, token: string): string {
  const month = date.getUTCMonth();
  if (token.length <= 2) return twoDigits(month + 1, token);
  const name = MONTHS[month] ?? '';
  return token.length === 3 ? name.slice(0, 3) : name;
}

function datePart(date: Date, token: string, isHalfDay: boolean): string {
  const hours = date.getUTCHours();
  if (/^["\\]/.test(token)) return shownLiteral(token);
  switch (token[0]?.toLowerCase()) {
    case 'y':
      return token.length > 2
        ? String(date.getUTCFullYear())
        : twoDigits(date.getUTCFullYear() % 100, 'yy');
    case 'd': {
      if (token.length <= 2) return twoDigits(date.getUTCDate(), token);
      const name = WEEKDAYS[date.getUTCDay()] ?? '';
      return token.length === 3 ? name.slice(0, 3) : name;
    }
    case 'h':
      return twoDigits(isHalfDay ? hours % 12 || 12 : hours, token);
    case 's':
      return twoDigits(date.getUTCSeconds(), token);
    case 'a':
      return /am\/pm/i.test(token) ? (hours < 12 ? 'AM' : 'PM') : token;
    case '.':
      return token.length > 1
        ? (date.getUTCMilliseconds() / 1_000).toFixed(token.length - 1).slice(1)
        : token;
    default:
      return token;
  }
}
