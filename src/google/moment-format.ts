// How cells show dates with their times, in each locale.

const DATE = 'yyyy-mm-dd';
const TIME = 'hh:mm';
const HALF_DAY = 'am/pm';

/** A date with its time. Cells get it as their spreadsheet's locale writes it. */
export const MOMENT = `${DATE} ${TIME}`;

const A_DAY = Date.UTC(2026, 0, 2);
const DAY_PARTS: Readonly<Record<string, string>> = { year: 'yyyy', month: 'm', day: 'd' };

/**
 * The format of dates with their times in a locale as Sheets names it: "m/d/yyyy h:mm am/pm" in "en_US",
 * "d.m.yyyy hh:mm" in "de_DE".
 */
export function momentFormat(locale: string): string {
  const languageTag = /^[a-z]{2,3}_[A-Z]{2}$/.exec(locale)?.[0].replace('_', '-') ?? 'en-GB';
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${languageTag}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' });
  const day = written({ year: 'numeric', month: 'numeric', day: 'numeric' })
    .formatToParts(A_DAY)
    .map(({ type, value }) => {
      const letters = DAY_PARTS[type] ?? '';
      // "02/01/2026"
      if (letters !== '') return value.length === 2 ? letters.repeat(2) : letters;
      return value.replace(/\p{Cf}/gu, '').replace(/[^\s./-]+/g, '"$&"');
    });
  const { hour12 } = written({ hour: 'numeric' }).resolvedOptions();
  return `${day.join('')} ${hour12 ? `h:mm ${HALF_DAY}` : TIME}`;
}
