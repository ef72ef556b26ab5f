// Stamps: the texts that a refresh of formulas sets as their refresh argument, so that they are worked out anew.

const PREFIX = 'refreshed ';

/** A stamp tells when it was set, in UTC, and nobody else's refresh text begins like it. */
const STAMP = /^refreshed (\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?/;

const SECOND_MS = 1_000;

/** "refreshed 2026-11-21 06:04:31": the next whole second, so that nothing known by then is younger. */
export function stampText(atMs: number): string {
  const second = new Date(Math.ceil(atMs / SECOND_MS) * SECOND_MS);
  return PREFIX + second.toISOString().slice(0, 19).replace('T', ' ');
}

export const isStampText = (refresh: unknown): boolean => STAMP.test(String(refresh));

/** When a stamp was set; what is none was never set. */
export function stampedMs(stamp: string): number {
  const [, day, time = '00:00'] = STAMP.exec(stamp) ?? [];
  const atMs = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs;
}
