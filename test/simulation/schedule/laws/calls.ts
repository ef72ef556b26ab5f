// Laws of calls: the key's quota is kept, each call has a reason, and no schedule spends more than its budget.

import type { Call } from '../month-world';
import {
  isCutShort,
  isListed,
  isMeant,
  isPassing,
  type Law,
  type MonthRecord,
  maxAgeMs,
  meaning,
  openIn,
  type Stand,
  type Work,
  wrongAt,
} from '../record';

const HOUR_MS = 3_600_000;
const hourOf = (atMs: number) => Math.floor(atMs / HOUR_MS);

/** The gate books no call that the service would refuse. */
export const quotaIsKept: Law = ({ calls }) =>
  calls
    .filter(({ status }) => status === 429)
    .map(({ asin, atMs }) => wrongAt(atMs, `the service refused the call of ${asin}: too many`));

/** A product whose failure passes is tried again when the clock strikes next, about an hour later. */
const AGAIN_MS = 30 * 60_000;

/**
 * A call is made for a schedule that came round, about one of its rows, for which no answer is known
 * that is younger than its max age, and which did not fail a moment ago; or to mend a row.
 */
function hasReason(record: MonthRecord, work: Work, open: readonly Stand[], call: Call): boolean {
  const { asin, atMs } = call;
  const known = record.callsOf(asin).findLast((one) => one.atMs < atMs && one.isSettled);
  const ageMs = atMs - (known?.atMs ?? Number.NEGATIVE_INFINITY);
  // Formulas, those that wait and those of a schedule, and another tab have reasons of their own.
  const apartMs = record.apart.get(asin);
  if (apartMs !== undefined && ageMs >= apartMs) return true;
  if (apartMs !== undefined && !isListed(work, asin)) return false;
  const meant = meaning(open, work, asin);
  const triedMs = record.callsOf(asin).findLast((one) => one.atMs < work.startedMs)?.atMs ?? 0;
  const isTried = triedMs > work.endedMs - AGAIN_MS;
  const rows = work.before.filter(
    (row) => row.asin === asin && open.some((one) => isMeant(one, row)),
  );
  const isVain = isTried && rows.length > 0 && rows.every(isPassing);
  // Rows that somebody moved in the instant of a write were written over, whosever they are: they are
  // emptied, and asked for where nothing is known of them.
  const isMended = work.isMoved && known === undefined;
  return (meant.length > 0 || isMended) && !isVain && ageMs >= Math.min(...meant.map(maxAgeMs));
}

/**
 * Nothing is asked twice within its max age. What an execution that was cut off had asked and not
 * saved is asked again, once: its last calls, as many as it may have kept to itself.
 */
export function repeatsIn(record: MonthRecord) {
  const unsaved: Set<string>[] = [];
  const wrongs: string[] = [];
  let repeated = 0;
  for (const work of record.works) {
    const open = openIn(record, work);
    // What a person chose is asked for whatever its age, and is on no schedule's account.
    const strange = work.hasLeftover
      ? []
      : work.calls.filter((call) => !hasReason(record, work, open, call));
    for (const { asin, atMs } of strange) {
      repeated += 1;
      const cut = unsaved.find((asins) => asins.delete(asin));
      if (cut === undefined) wrongs.push(wrongAt(atMs, `${asin} was called without a reason`));
    }
    if (isCutShort(work))
      unsaved.push(new Set(work.calls.slice(-record.unsavedMax).map(({ asin }) => asin)));
  }
  return { repeated, wrongs };
}

export const nothingIsAskedTwice: Law = (record) => repeatsIn(record).wrongs;

/** A run tells what it has called every two seconds; what came later is unknown once it is cut off. */
const UNTOLD_MS = 4_000;

/** Calls of each schedule by the hour: those that nobody else can have made, and all that it may have. */
export function accountsOf(record: MonthRecord) {
  const [own, all] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const work of record.works) {
    const { startedMs, endedMs, calls, unsent } = work;
    if (work.hasLeftover) continue;
    // A run belongs to the hour in which it begins; of a later run nobody outside knows when it began.
    const first = hourOf(startedMs);
    const toldMs = isCutShort(work) ? endedMs - UNTOLD_MS : endedMs;
    const open = openIn(record, work);
    for (const call of [...calls, ...unsent]) {
      const isApart = record.apart.has(call.asin);
      if (isApart && !isListed(work, call.asin)) continue;
      const isFirst = hourOf(call.atMs) === first;
      const [only, ...others] = meaning(open, work, call.asin);
      for (const { id } of only ? [only, ...others] : [])
        for (const hour of isFirst ? [first] : [first, hourOf(endedMs)]) add(all, `${id} ${hour}`);
      const isOwn = only && others.length === 0 && isFirst && call.atMs <= toldMs;
      if (isOwn && !isApart && !unsent.includes(call)) add(own, `${only.id} ${first}`);
    }
  }
  const budget = ({ settings }: Stand) => settings.callsPerHour ?? Number.POSITIVE_INFINITY;
  return {
    overspent: ({ schedules, startedMs }: Work) =>
      schedules.filter((one) => (own.get(`${one.id} ${hourOf(startedMs)}`) ?? 0) > budget(one)),
    isSpent: (one: Stand, { startedMs, endedMs }: Work) =>
      [startedMs, endedMs].some(
        (atMs) => (all.get(`${one.id} ${hourOf(atMs)}`) ?? 0) >= budget(one),
      ),
  };
}

export const budgetIsKept: Law = (record) => {
  const { overspent } = accountsOf(record);
  return record.works
    .filter(({ calls }) => calls.length > 0)
    .flatMap((work) =>
      overspent(work).map(({ id }) =>
        wrongAt(work.startedMs, `${id} made more calls in this hour than it may`),
      ),
    );
};
