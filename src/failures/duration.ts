// Durations: their units in milliseconds, and their words.

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
