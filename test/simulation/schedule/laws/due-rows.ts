// Laws of due rows: they are done by the first firing that can, the stalest first, or somebody is told why not.

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

/** Half an hour, and a little more, as the sheet keeps the minute of a try and not its second. */
const AGAIN_MS = 32 * 60_000;

/** What a schedule owed when the clock struck, and owes still when the firing is over. */
export interface Owed {
  readonly work: Work;
  readonly stand: Stand;
  readonly rows: readonly SeenRow[];
  /** Of these, those that were not refreshed. */
  readonly left: readonly SeenRow[];
  /** And those that neither hold figures nor are known to have none: what was tried in vain, too. */
  readonly unsettled: readonly SeenRow[];
}

/**
 * A row is owed a refresh from the moment at which its schedule comes round, if it was too old then and
 * has been ever since: what changes after a schedule is through waits for the next round. A product
 * that failed a moment ago is owed a try half an hour later.
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
      // It came round while another firing was at work, which may have got through it by its end.
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
      // One that was typed in once more, beside figures that had just come, waits for the next round.
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

/** By the time at which the clock struck: a row that was tried since then and failed is not done. */
const triedMs = ({ callsOf }: MonthRecord, { asin }: SeenRow, { startedMs }: Work) =>
  callsOf(asin).findLast(({ atMs }) => atMs < startedMs)?.atMs ?? 0;

/** Its turn may come late in the firing: by then its quiet hours may have begun. */
export const isQuietIn = ({ calendar }: MonthRecord, { settings }: Stand, work: Work) =>
  [work.startedMs, work.endedMs].some((atMs) => calendar.isQuiet(settings.quiet, atMs));

/**
 * The bound on how long a due row may wait. Let d be the due products when a schedule comes round, and
 *
 *   c = min(its calls per hour, 0.8 * rate * 240 s)  products that a firing is able to refresh,
 *
 * then they are refreshed within ceil(d / c) free firings outside of its quiet hours. It holds because a
 * free firing leaves a due row only if the schedule has spent its hour's calls (`dueRowsAreDone`) or if
 * it worked 240 s at the key's rate (`fullFiringsCall`), and then takes the stalest (`stalestFirst`).
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

/** Of the calls that the key allows in that time: the list is read, marked and written in it, too. */
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

/** Where a schedule cannot take all, no product is called that comes after one that it left. */
export const stalestFirst: Law = (record) =>
  owedIn(record)
    // Who called what cannot be told from outside where several schedules are on.
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
  // The first of a product's rows counts.
  for (const row of work.before.filter((each) => isMeant(stand, each))) {
    const isOwn = row.status.kind === 'ok' && row.status.asin === row.asin;
    const staleMs = isOwn ? (row.atMs ?? 0) : 0;
    const turn = starsFirst && row.isStarred ? staleMs - Number.MAX_SAFE_INTEGER / 2 : staleMs;
    turns.set(row.asin, Math.min(turn, turns.get(row.asin) ?? turn));
  }
  // What failed was tried, and its age is not that of its figures.
  const waiting = left
    .filter(({ status }) => status.kind !== 'failed')
    .map(({ asin }) => turns.get(asin) ?? Number.POSITIVE_INFINITY);
  const first = Math.min(Number.POSITIVE_INFINITY, ...waiting);
  // What formulas ask for, too, may have been called for them.
  return work.calls.some(({ asin }) => !apart.has(asin) && (turns.get(asin) ?? 0) > first);
}

/** Google leaves one firing in twenty-five out at the most, and hardly six in a row. */
const GAP_MS = 7 * 3_600_000;

/** A clock that was lost would leave nothing to judge. */
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

/** What a script throws nobody is told, and Google runs a clock that fails ever more rarely. */
export const noFiringFails: Law = ({ works }) =>
  works.flatMap(({ ended, startedMs }) => {
    // What a firing that was cut off took nobody could note.
    const wasCut = works.some(
      (one) =>
        one.ended === 'killed' &&
        one.startedMs < startedMs &&
        one.endedMs > startedMs - 24 * 3_600_000,
    );
    const isFault = ended === 'failed' || (ended === 'refused' && !wasCut);
    return isFault ? [wrongAt(startedMs, `the firing ${ended}`)] : [];
  });
