// Laws of calls: the key's quota is kept, each call has a reason, and no schedule exceeds its
// budget.

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

/**
 * A product with a temporary failure is tried again at the clock's next firing, about an hour
 * later.
 */
const AGAIN_MS = 30 * 60_000;

/**
 * A call has a reason if a schedule is due, the product is in one of its rows, no answer within its
 * maximum age is known, and the product has not just failed; or if a row has to be repaired.
 */
function hasReason(record: MonthRecord, work: Work, open: readonly Stand[], call: Call): boolean {
  const { asin, atMs } = call;
  const known = record.callsOf(asin).findLast((one) => one.atMs < atMs && one.isSettled);
  const ageMs = atMs - (known?.atMs ?? Number.NEGATIVE_INFINITY);
  // Formulas, those that wait as well as those of a schedule, and another tab have reasons of their
  // own.
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
  // Rows that somebody moved during a write may have been overwritten, whoever owns them. They are
  // emptied, and asked for if nothing is known about them.
  const isMended = work.isMoved && known === undefined;
  return (meant.length > 0 || isMended) && !isVain && ageMs >= Math.min(...meant.map(maxAgeMs));
}

/**
 * Nothing is asked for twice within its maximum age. What an execution had asked for but not saved
 * when it was cut off is asked for once more: at most its last calls, as many as it may have kept
 * to itself.
 */
export function repeatsIn(record: MonthRecord) {
  const unsaved: Set<string>[] = [];
  const wrongs: string[] = [];
  let repeated = 0;
  for (const work of record.works) {
    const open = openIn(record, work);
    // What a person chose is asked for whatever its age, and counts for no schedule.
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

/** A run reports its calls every two seconds; later ones are unknown if it is cut off. */
const UNTOLD_MS = 4_000;

/**
 * The calls of each schedule by hour: those that only it can have made, and all that it may have
 * made.
 */
export function accountsOf(record: MonthRecord) {
  const [own, all] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const work of record.works) {
    const { startedMs, endedMs, calls, unsent } = work;
    if (work.hasLeftover) continue;
    // A run belongs to the hour in which it begins. When a later run began is not visible from
    // outside.
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
