// Laws of due rows: the first firing that can does them, the stalest first, or somebody is told why
// not.

import {
  isFree,
  isFull,
  isMeant,
  isPassing,
  isStale,
  type Law,
  type MonthRecord,
  maxAgeMs,
  roundMs,
  type Stand,
  shownRow,
  type Work,
  wrongAt,
} from '../record';
import type { SeenRow } from '../rows';
import { accountsOf } from './calls';

/** Half an hour and a little more, because the sheet has the minute of a try but not its second. */
const AGAIN_MS = 32 * 60_000;

/** What a schedule owed when the clock fired and still owes after the firing. */
export interface Owed {
  readonly work: Work;
  readonly stand: Stand;
  readonly rows: readonly SeenRow[];
  /** The rows among them that were not refreshed. */
  readonly left: readonly SeenRow[];
  /** The rows that neither have figures nor are known to have none, including failed tries. */
  readonly unsettled: readonly SeenRow[];
}

/**
 * A row is owed a refresh from the occurrence on if it was too old then and still is. Changes after
 * a schedule has completed wait for the next occurrence. A product that has just failed is owed a
 * try half an hour later.
 */
export function owedIn(record: MonthRecord): readonly Owed[] {
  const steady = new Map<string, { readonly atMs: number; readonly asins: ReadonlySet<string> }>();
  return record.works.flatMap((work) =>
    work.schedules.flatMap((stand) => {
      const atMs = roundMs(record, stand, work.startedMs);
      if (atMs === null || !stand.isOn) return [];
      const oldestMs = atMs - maxAgeMs(stand);
      const isOld = (row: SeenRow) => isMeant(stand, row) && isStale(record, row, oldestMs);
      const [before, after] = [work.before.filter(isOld), work.after.filter(isOld)];
      // The occurrence was during another firing, which may have completed it.
      const across = record.works.find((one) => one.startedMs < atMs && one.endedMs >= atMs);
      const wasOld = ({ asin }: SeenRow) =>
        across === undefined ||
        (!across.isMoved && across.after.some((row) => row.asin === asin && isOld(row)));
      const kept = steady.get(stand.id);
      const isSame = ({ asin }: SeenRow) => kept?.atMs !== atMs || kept.asins.has(asin);
      const asins = new Set(
        before.filter((row) => isSame(row) && wasOld(row)).map(({ asin }) => asin),
      );
      const still = after.filter(({ asin }) => asins.has(asin));
      // A product that was typed in again beside fresh figures waits for the next occurrence.
      const isDone = ({ asin }: SeenRow) =>
        work.isMoved &&
        work.after.some((row) => row.asin === asin && isMeant(stand, row) && !isOld(row));
      const due = still.filter((row) => !isDone(row));
      steady.set(stand.id, { atMs, asins: new Set(due.map(({ asin }) => asin)) });
      const isDue = (row: SeenRow) =>
        asins.has(row.asin) &&
        !(isPassing(row) && triedMs(record, row, work) > work.startedMs - AGAIN_MS);
      const rows = before.filter(isDue);
      const places = new Set(rows.map(({ row }) => row));
      const left = still.filter((row) => places.has(row.row) && isDue(row));
      return [{ work, stand, rows, left, unsettled: still.filter(({ row }) => places.has(row)) }];
    }),
  );
}

/** Judged by the time of the firing: a row that has failed since is not done. */
const triedMs = ({ callsOf }: MonthRecord, { asin }: SeenRow, { startedMs }: Work) =>
  callsOf(asin).findLast(({ atMs }) => atMs < startedMs)?.atMs ?? 0;

/** Its turn may come late in the firing, when its quiet hours may have begun. */
export const isQuietIn = ({ calendar }: MonthRecord, { settings }: Stand, work: Work) =>
  [work.startedMs, work.endedMs].some((atMs) => calendar.isQuiet(settings.quiet, atMs));

/**
 * The bound on how long a due row may wait. Let d be the number of due products at an occurrence,
 * and
 *
 * c = min(its calls per hour, 0.8 * rate * 240 s) the number of products that a firing can refresh;
 *
 * then they are refreshed within ceil(d / c) free firings outside its quiet hours. This holds
 * because a free firing leaves a due row only if the schedule has used up its hour's calls
 * (`dueRowsAreDone`), or if it worked 240 s at the key's rate (`fullFiringsCall`), and it then
 * takes the stalest first (`stalestFirst`).
 */
export const dueRowsAreDone: Law = (record) => {
  const { isSpent } = accountsOf(record);
  return owedIn(record)
    .filter(({ work, stand }) => isFree(work) && !isFull(work) && !isSpent(stand, work))
    .filter(({ work, stand }) => !isQuietIn(record, stand, work))
    .flatMap(({ work, stand, rows, left: [first, ...others] }) => {
      if (first === undefined) return [];
      const what = `${1 + others.length} of ${rows.length} due rows, such as ${shownRow(first)}`;
      return [wrongAt(work.startedMs, `${stand.id} left ${what}`)];
    });
};

/**
 * The share of the calls that the key allows in this time; reading, marking and writing the list
 * takes time as well.
 */
const FULL_SHARE = 0.8;
const FULL_SECONDS = 240;

export const fullFiringsCall: Law = ({ works, callsPerSecond }) => {
  const least = Math.floor(FULL_SHARE * callsPerSecond * FULL_SECONDS);
  return works
    .filter((work) => isFree(work) && isFull(work) && work.calls.length < least)
    .map(({ startedMs, calls }) =>
      wrongAt(startedMs, `${calls.length} calls in a full firing, of ${least}`),
    );
};

/** If a schedule cannot take all products, it calls none that comes after one it left. */
export const stalestFirst: Law = (record) =>
  owedIn(record)
    // With several active schedules, it is not visible from outside which one made a call.
    .filter(({ work }) => isFree(work) && work.schedules.filter(({ isOn }) => isOn).length === 1)
    .filter(({ work, stand }) => !isQuietIn(record, stand, work))
    .filter((owed) => isOutOfOrder(owed, record))
    .map(({ work, stand }) =>
      wrongAt(work.startedMs, `${stand.id} called a product that comes after one it left`),
    );

function isOutOfOrder({ work, stand, left }: Owed, { apart }: MonthRecord): boolean {
  const { task } = stand.settings;
  const starsFirst = task.kind === 'list' && task.order === 'starred';
  const turns = new Map<string, number>();
  // Of several rows with one product, the first counts.
  for (const row of work.before.filter((each) => isMeant(stand, each))) {
    const isOwn = row.status.kind === 'ok' && row.status.asin === row.asin;
    const staleMs = isOwn ? (row.atMs ?? 0) : 0;
    const turn = starsFirst && row.isStarred ? staleMs - Number.MAX_SAFE_INTEGER / 2 : staleMs;
    turns.set(row.asin, Math.min(turn, turns.get(row.asin) ?? turn));
  }
  // A failed row was tried, and its age is not that of its figures. So was one whose answer was lost
  // on its way, although it looks as before.
  const called = new Set(work.calls.map(({ asin }) => asin));
  const waiting = left
    .filter(({ status, asin }) => status.kind !== 'failed' && !called.has(asin))
    .map(({ asin }) => turns.get(asin) ?? Number.POSITIVE_INFINITY);
  const first = Math.min(Number.POSITIVE_INFINITY, ...waiting);
  // Products that formulas also ask for may have been called for them.
  return work.calls.some(({ asin }) => !apart.has(asin) && (turns.get(asin) ?? 0) > first);
}

/** Google skips at most one firing in twenty-five, and hardly ever six in a row. */
const GAP_MS = 7 * 3_600_000;

/** Without this law, a clock that is lost would leave nothing to judge. */
export const theClockStrikes: Law = ({ works, startMs, endMs, disabled }) => {
  const firings = works.filter(({ byHand }) => byHand === null).map(({ startedMs }) => startedMs);
  const moments = [startMs, ...firings, ...disabled.map(({ toMs }) => toMs), endMs].sort(
    (a, b) => a - b,
  );
  return moments.flatMap((atMs, at) => {
    const before = moments[at - 1] ?? atMs;
    const isOff = disabled.some(({ fromMs, toMs }) => fromMs <= atMs && before < toMs);
    return atMs - before > GAP_MS && !isOff
      ? [wrongAt(before, 'the clock did not strike for hours')]
      : [];
  });
};

/** Nobody sees what a script throws, and Google runs a failing trigger more and more rarely. */
export const noFiringFails: Law = ({ works }) =>
  works.flatMap(({ ended, startedMs }) => {
    // The run time of a firing that was cut off could not be recorded.
    const wasCut = works.some(
      (one) =>
        one.ended === 'killed' &&
        one.startedMs < startedMs &&
        one.endedMs > startedMs - 24 * 3_600_000,
    );
    const isFault = ended === 'failed' || (ended === 'refused' && !wasCut);
    return isFault ? [wrongAt(startedMs, `the firing ${ended}`)] : [];
  });
