// The mark in a row whose product crossed a rule: what it says, and since when it says so. Pure.

import { isBlank } from '../../analysis/asin';
import type { SheetCell } from '../../platform/sheet-ports';
import type { ZoneOffset } from './recurrence';
import { dayWords, MONTHS } from './words';

const MARK = /^(.+) · (\d{1,2}) ([A-Z][a-z]{2}) (\d\d):(\d\d)$/;
const BETWEEN_RULES = '; ';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** "21 Nov 06:04", in the spreadsheet's time. */
export function momentText(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const clock = local.toISOString().slice(11, 16);
  return `${dayWords(local)} ${clock}`;
}

/** "No longer eligible; ROI fell under 20 % · 21 Nov 06:04" */
export function markText(words: readonly string[], atMs: number, zone: ZoneOffset): string {
  return `${words.join(BETWEEN_RULES)} · ${momentText(atMs, zone)}`;
}

/** Whether a rule of these words marked the row at that moment or later. */
export function marksSince(
  cell: SheetCell | undefined,
  words: string,
  sinceMs: number,
  nowMs: number,
  zone: ZoneOffset,
): boolean {
  const [, rules = '', day, month = '', hours, minutes] = MARK.exec(String(cell ?? '')) ?? [];
  if (!rules.split(BETWEEN_RULES).includes(words)) return false;
  const now = nowMs + zone(nowMs);
  const inYear = (year: number) =>
    Date.UTC(year, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes));
  const year = new Date(now).getUTCFullYear();
  // A mark has no year: one of the days to come was made last year.
  const local = inYear(year) > now + DAY_MS ? inYear(year - 1) : inYear(year);
  return local + MINUTE_MS > sinceMs + zone(sinceMs);
}

/**
 * What the row's cell is to hold: without news what it holds already, unless that is the mark of
 * another product; null: somebody wrote something of their own there.
 */
export function markedCell(
  there: SheetCell,
  news: SheetCell | undefined,
  isMisplaced: boolean,
): SheetCell | null {
  const isOurs = isBlank(there) || MARK.test(String(there));
  if (news === undefined) return isMisplaced && isOurs ? '' : there;
  return isOurs ? news : null;
}
