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

const MONTHS = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
];

/** "21 Nov, 6:04" */
export function momentWords(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const minutes = String(local.getUTCMinutes()).padStart(2, '0');
  const day = `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`;
  return `${day}, ${local.getUTCHours()}:${minutes}`;
}
