// Whose figures stand in a row: compared with the answer that the service gave at the time beside them.

import { noteOf, remarkOf } from '../bulk-world';
import type { Calendar } from './calendar';
import type { Call, MonthWorld } from './month-world';
import type { SeenRow } from './rows';

/** An answer is dated when it is read; a wave is read when the last of its calls is answered. */
const READ_WITHIN_MS = 60_000;

/** The spreadsheet's own store keeps seconds, rounded. */
const ROUNDED_MS = 500;

/** A sheet keeps local times: of one in the hour that comes twice nobody can tell which it is. */
const SHIFTS_MS = [0, 1_800_000, 3_600_000, -1_800_000, -3_600_000];

/** Whether a row may name this time because of an answer to a call at that one. */
export function isTimeOf(
  shownMs: number,
  callMs: number,
  showsSame: Calendar['showsSame'],
): boolean {
  return SHIFTS_MS.some((shiftMs) => {
    const ageMs = shownMs - shiftMs - callMs;
    const isNear = ageMs >= -ROUNDED_MS && ageMs < READ_WITHIN_MS;
    return isNear && (shiftMs === 0 || showsSame(shownMs, shownMs - shiftMs));
  });
}

export interface Known {
  readonly world: Pick<MonthWorld, 'callsOf'>;
  readonly calendar: Pick<Calendar, 'showsSame'>;
  /** Products typed over others, whose figures stand there until they are analyzed. */
  readonly typed: ReadonlySet<string>;
}

/** What is wrong with the rows, in words: each holds its own product's figures and the person's cells. */
export function wrongRows(
  rows: readonly SeenRow[],
  { world: { callsOf }, calendar: { showsSame }, typed }: Known,
): readonly string[] {
  const isOf = (readMs: number, { atMs, figures }: Call) =>
    figures !== null && isTimeOf(readMs, atMs, showsSame);
  const answerAt = (asin: string, readMs: number) =>
    callsOf(asin).findLast((call) => isOf(readMs, call));
  return rows.flatMap((row) => {
    const { asin, status, note, remark } = row;
    if (asin === '') return [];
    const wrongs: string[] = [];
    const tell = (text: string) => wrongs.push(`row ${row.row} (${asin}) ${text}`);
    if (note !== noteOf(asin) || remark !== remarkOf(asin)) tell(`has ${note} and ${remark}`);
    if (status.kind === 'strange') tell(`says "${status.text}"`);
    if (status.kind !== 'ok') return wrongs;
    if (status.asin !== asin && !typed.has(asin)) tell(`says it is of ${status.asin}`);
    const answer = answerAt(status.asin, row.atMs ?? 0);
    const others = Object.entries(row.figures).filter(
      ([title, value]) => value !== (answer?.figures?.[title] ?? ''),
    );
    if (answer === undefined) tell(`names the time of no answer: ${shownRow(row)}`);
    else if (others.length > 0) tell(`holds other figures: ${JSON.stringify(others)}`);
    return wrongs;
  });
}

/** Rows that are gone or there twice, by what people did. */
export function lostRows(
  rows: readonly SeenRow[],
  there: ReadonlyMap<string, number>,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { asin } of rows) counts.set(asin, (counts.get(asin) ?? 0) + 1);
  return [...new Set([...there.keys(), ...counts.keys()])]
    .filter((asin) => asin !== '' && (there.get(asin) ?? 0) !== (counts.get(asin) ?? 0))
    .map((asin) => `${asin} is there ${counts.get(asin) ?? 0} times, of ${there.get(asin) ?? 0}`);
}

/** Where its rows show nothing else any more, a product that was typed in is one as all others. */
export function settleTyped(rows: readonly SeenRow[], typed: Set<string>): void {
  for (const asin of typed) {
    const own = rows.filter((row) => row.asin === asin);
    if (own.every(({ status }) => status.kind !== 'ok' || status.asin === asin)) typed.delete(asin);
  }
}

export function shownRow({ asin, status, atMs }: SeenRow): string {
  const what = status.kind === 'failed' ? status.failure : status.kind;
  return `${asin} ${what} ${atMs === null ? '' : new Date(atMs).toISOString()}`.trim();
}
