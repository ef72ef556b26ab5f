// Durations and moments: units in milliseconds, and words.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** "about 40 s", "about 5 h", "about 3 days". Rounded up, so that nobody comes back too early. */
export function about(waitMs: number): string {
  if (waitMs < 90 * SECOND) return `about ${Math.max(1, Math.ceil(waitMs / SECOND))} s`;
  if (waitMs < 90 * MINUTE) return `about ${Math.ceil(waitMs / MINUTE)} min`;
  if (waitMs < 48 * HOUR) return `about ${Math.ceil(waitMs / HOUR)} h`;
  return `about ${Math.ceil(waitMs / DAY)} days`;
}

/** How far local time is ahead of UTC at a moment, in ms. */
export type ZoneOffset = (atMs: number) => number;

/** Some locales have a space before "AM" that a person cannot type or search for. */
const plain = (text: string): string => text.replace('\u202F', ' ');

/** "6:04 AM", "06:04": as the locale shows times. */
export const timeWords = (atMs: number, locale?: string, timeZone?: string): string =>
  plain(new Date(atMs).toLocaleTimeString(locale, { timeStyle: 'short', timeZone }));

const DAY_OF_YEAR = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** "Sat, Nov 21, 6:04 AM", "Sat 21 Nov, 06:04": as the locale shows them. */
export function momentWords(atMs: number, locale?: string, timeZone?: string): string {
  const day = new Date(atMs).toLocaleDateString(locale, { ...DAY_OF_YEAR, timeZone });
  return `${day}, ${timeWords(atMs, locale, timeZone)}`;
}

/** The same by local time. */
export const momentsIn =
  (zone: ZoneOffset, locale: string) =>
  (atMs: number): string =>
    momentWords(atMs + zone(atMs), locale, 'UTC');
