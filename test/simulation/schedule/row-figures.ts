// Whose figures stand in a row: compared with the answer that the service gave at the time beside them.

import { noteOf, remarkOf } from '../bulk-world';
import type { MonthWorld } from './month-world';
import type { SeenList, SeenRow } from './rows';

/** An answer is dated when it is read; a wave is read when the last of its calls is answered. */
const READ_WITHIN_MS = 60_000;

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
  const answerAt = (asin: string, readMs: number) =>
    callsOf(asin).findLast(
      ({ atMs, figures }) => figures !== null && atMs <= readMs && readMs - atMs < READ_WITHIN_MS,
    );
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
