// Laws of rows: each has its own product's figures and the person's cells, none is lost, and no
// mark remains.

import { noteOf, remarkOf } from '../../bulk-world';
import {
  answersIn,
  isFree,
  isUndisturbed,
  type Law,
  type MonthRecord,
  shownRow,
  type Work,
  wrongAt,
} from '../record';
import { isQueued, type SeenRow } from '../rows';
import { lookAfter } from './told';

export const figuresAreTheProducts: Law = (record) =>
  record.works.flatMap((work) =>
    work.after
      .filter(({ asin }) => asin !== '')
      .flatMap((row) => wrongsIn(record, row, work.typed))
      .map((wrong) => wrongAt(work.startedMs, wrong)),
  );

function wrongsIn(
  record: MonthRecord,
  row: SeenRow,
  typed: ReadonlySet<string>,
): readonly string[] {
  const { asin, status, note, remark, figures } = row;
  const wrongs: string[] = [];
  const tell = (text: string) => wrongs.push(`row ${row.row} (${asin}) ${text}`);
  if (note !== noteOf(asin) || remark !== remarkOf(asin)) tell(`has ${note} and ${remark}`);
  if (status.kind === 'strange') tell(`says "${status.text}"`);
  if (status.kind !== 'ok') return wrongs;
  if (status.asin !== asin && !typed.has(asin)) tell(`says it is of ${status.asin}`);
  const answers = answersIn(record, row);
  const isOf = (answer: (typeof answers)[number]) =>
    Object.entries(figures).every(([title, value]) => value === (answer.figures?.[title] ?? ''));
  if (answers.length === 0) tell(`names the time of no answer: ${shownRow(row)}`);
  else if (!answers.some(isOf)) tell(`holds other figures: ${JSON.stringify(figures)}`);
  return wrongs;
}

/** According to what people typed, pasted and deleted. */
export const noRowIsLost: Law = ({ works }) =>
  works.flatMap(({ startedMs, after, there }) => {
    const counts = new Map<string, number>();
    for (const { asin } of after) counts.set(asin, (counts.get(asin) ?? 0) + 1);
    return [...new Set([...there.keys(), ...counts.keys()])]
      .filter((asin) => asin !== '' && (there.get(asin) ?? 0) !== (counts.get(asin) ?? 0))
      .map((asin) =>
        wrongAt(
          startedMs,
          `${asin} is there ${counts.get(asin) ?? 0} times, of ${there.get(asin) ?? 0}`,
        ),
      );
  });

/**
 * If Google failed, a firing that could not remove its marks says so to the next person who looks.
 */
export const noMarkIsLeft: Law = (record) =>
  record.works
    .filter(({ after }) => after.some(isQueued))
    .filter(
      (work) =>
        isFree(work) ||
        (isUndisturbed(work) &&
          work.trouble === null &&
          saysItWorked(work) &&
          saysNothing(record, work)),
    )
    .map(({ startedMs }) => wrongAt(startedMs, 'the firing left marked rows behind'));

function saysNothing(record: MonthRecord, work: Work): boolean {
  const seen = lookAfter(record, work);
  return seen?.look.schedules.every(({ problem }) => problem === undefined) === true;
}

const saysItWorked = ({ logs }: Work) => logs.some((line) => line.includes('The clock: worked'));

/** The most firings until the rest of a person's run is done, even with the slowest key. */
const LEFTOVER_FIRINGS_MAX = 8;

export const aPersonsRunIsEnded: Law = ({ works }) => {
  let firings = 0;
  return works.flatMap((work) => {
    if (work.byHand !== null) return [];
    if (!work.hasLeftover || !work.after.some(isQueued)) firings = 0;
    else if (work.ended === 'returned' && work.trouble === null) firings += 1;
    const isNews = firings === LEFTOVER_FIRINGS_MAX;
    return isNews ? [wrongAt(work.endedMs, "what was left of a person's run is not done")] : [];
  });
};
