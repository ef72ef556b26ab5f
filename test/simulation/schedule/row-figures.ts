// Whose figures stand in a row: compared with the answer that the service gave at the time beside them.

import { noteOf, remarkOf } from '../bulk-world';
import type { Call, MonthWorld } from './month-world';
import type { SeenList, SeenRow } from './rows';

/** An answer is dated when it is read; a wave is read when the last of its calls is answered. */
const READ_WITHIN_MS = 60_000;

/** A sheet keeps local times: of one in the hour that comes twice nobody can tell which it is. */
const SHIFTS_MS = [0, 1_800_000, 3_600_000];

/**
 * What is wrong with the rows, in words: each holds its own product's figures and the person's cells.
 *
 * @param typed products typed over others, whose figures stand there until they are analyzed.
 */
export function wrongRows(
  { rows }: SeenList,
  callsOf: MonthWorld['callsOf'],
  typed: ReadonlySet<string>,
): readonly string[] {
  const isOf = (readMs: number, { atMs, figures }: Call) => {
    const agesMs = SHIFTS_MS.map((shiftMs) => readMs - shiftMs - atMs);
    return figures !== null && agesMs.some((ageMs) => ageMs >= 0 && ageMs < READ_WITHIN_MS);
  };
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

export function shownRow({ asin, status, atMs }: SeenRow): string {
  const what = status.kind === 'failed' ? status.failure : status.kind;
  return `${asin} ${what} ${atMs === null ? '' : new Date(atMs).toISOString()}`.trim();
}
