// Laws of messages: the sidebar reports every problem, for each schedule that it keeps from its
// work.

import { EDITOR, OWNER } from '../month-world';
import {
  isFull,
  isUndisturbed,
  type Law,
  type MonthRecord,
  maxAgeMs,
  type Seen,
  type Work,
  wrongAt,
} from '../record';
import { isQueued } from '../rows';
import { CUT_OFF_MS, isTold, type Trouble } from '../sidebar';
import { accountsOf } from './calls';
import { isQuietIn, type Owed, owedIn } from './due-rows';

/** What the sidebar shows after a firing if nothing else has happened since. */
export function lookAfter(
  { looks, works, actsMs }: MonthRecord,
  work: Work,
  afterMs = work.endedMs,
): Seen | null {
  const look = looks.find(({ atMs, userEmail }) => atMs >= afterMs && userEmail === OWNER);
  if (look === undefined) return null;
  const isBetween = (atMs: number) => atMs > work.startedMs && atMs < look.atMs;
  const isNews = works.some(({ startedMs }) => isBetween(startedMs)) || actsMs.some(isBetween);
  return isNews ? null : look;
}

/** A person who looks is told why due rows were not done, for each schedule that owes some. */
export const everyTroubleIsSaid: Law = (record) => {
  const owed = owedIn(record);
  return record.works.flatMap((work) => {
    // In its quiet hours a schedule makes no calls, so nothing is in its way.
    const all = owed.filter((one) => one.work === work && !isQuietIn(record, one.stand, work));
    const look = lookAfter(record, work);
    const trouble = work.trouble ?? (look?.isInTheWay ? 'a run in the way' : null);
    if (look === null || trouble === null || trouble === 'cut off' || !mustSay(work)) return [];
    const kept = all.map((one) => ({ id: one.stand.id, asins: unsettled(record, one) }));
    const ids = kept.filter(({ asins }) => asins.length > 0);
    // A schedule whose turn did not come has nothing to report yet, and one that found rows moving
    // continues at the next firing. If another schedule has just tried the same products in vain,
    // that one reports for both.
    const tellersFor = (asins: readonly string[]) =>
      ids.filter(
        (other) =>
          isFull(work) || work.isMoved || asins.every((asin) => other.asins.includes(asin)),
      );
    // If no call was possible because the hour's calls were used up, the previous run has reported
    // the problem.
    const sinceMs = work.calls.length > 0 ? work.startedMs : 0;
    const isSaid = ids.every(({ asins }) =>
      tellersFor(asins).some(({ id }) => isTold(look.look, trouble, [id], sinceMs)),
    );
    return isSaid ? [] : [wrongAt(work.startedMs, `nobody is told of: ${trouble}`)];
  });
};

/**
 * A firing that was cut off could not report anything; a problem of a person's run is reported to
 * that person.
 */
const mustSay = ({ byHand, ended, isHit, isCertain, hasLeftover, trouble }: Work) =>
  byHand === null &&
  ended === 'returned' &&
  !isHit &&
  isCertain &&
  !(hasLeftover && trouble === 'service down');

/**
 * A row that one schedule filled from a recent enough answer may have been tried in vain by a
 * stricter one since.
 */
function unsettled(
  { callsOf }: MonthRecord,
  { work, stand, unsettled: rows }: Owed,
): readonly string[] {
  const sinceMs = work.startedMs - maxAgeMs(stand);
  const isKnown = (asin: string) =>
    callsOf(asin).some(
      ({ atMs, isSettled }) => isSettled && atMs >= sinceMs && atMs <= work.endedMs,
    );
  return rows.map(({ asin }) => asin).filter((asin) => !isKnown(asin));
}

/** If no record could be written, the clock's log and the support report say so. */
const LOGGED = /^\[info\] The clock: .*(Google had a problem|Schedule problem "(busy|not-stored)")/;

/** A firing in which Google's services failed twice in a row leaves rows and reports something. */
export const everyFaultIsSaid: Law = (record) => {
  const { isSpent } = accountsOf(record);
  return owedIn(record)
    .filter(
      ({ work }) => isUndisturbed(work) && work.isHit && work.trouble === null && !isFull(work),
    )
    .filter(({ work, stand }) => !isSpent(stand, work) && !isQuietIn(record, stand, work))
    .filter(({ work, left }) => left.length > 0 && !work.logs.some((line) => LOGGED.test(line)))
    .filter(({ work, stand }) => {
      const look = lookAfter(record, work);
      return look !== null && !isTold(look.look, 'something', [stand.id], 0);
    })
    .map(({ work, stand }) => wrongAt(work.startedMs, `${stand.id} left rows and says nothing`));
};

/** One of the schedules was at work; which one is not visible from outside. */
export const cutOffIsSaid: Law = (record) =>
  record.works.flatMap((work) => {
    const { ended, trouble, hasLeftover, startedMs, endedMs, schedules, calls } = work;
    const look = lookAfter(record, work, endedMs + CUT_OFF_MS);
    const isAtPersons = hasLeftover || trouble === 'a run in the way';
    // A firing that was cut off before it began anything blocks nobody.
    const isLate = trouble === 'cut off' && ended === 'returned' && calls.length === 0;
    const isKilled = ended === 'killed' && work.after.some(isQueued);
    if (look === null || isAtPersons || !(isKilled || isLate)) return [];
    const owing = owedIn(record).some(
      (one) => one.work === work && unsettled(record, one).length > 0,
    );
    if (isLate && !owing) return [];
    // Existing marks come from an earlier firing, which has reported its problem; this one may not
    // have begun.
    const what: Trouble = work.before.some(isQueued) ? 'something' : 'cut off';
    const isSaid = schedules.some(({ id }) =>
      isTold(look.look, isLate ? 'something' : what, [id], 0),
    );
    return isSaid ? [] : [wrongAt(startedMs, 'nobody is told that it was cut off')];
  });

/** A clock that has not fired for this long is reported as broken. */
const SILENCE_MS = 5 * 3_600_000;

/** Owner and colleagues learn that the add-on was disabled for the spreadsheet. */
export const silenceIsSaid: Law = ({ disabled, looks, works, endMs }) =>
  disabled
    .filter(({ fromMs, toMs }) => toMs - fromMs > SILENCE_MS && toMs <= endMs)
    .flatMap(({ toMs }) =>
      [OWNER, EDITOR].flatMap((who) => {
        const look = looks.findLast(({ atMs, userEmail }) => atMs <= toMs && userEmail === who);
        const last = works.findLast(({ startedMs }) => startedMs < toMs);
        const ids = look?.look.schedules.flatMap(({ id, isOn }) => (isOn ? [id] : [])) ?? [];
        const isKnown = look === undefined || last === undefined || ids.length === 0;
        return isKnown || isTold(look.look, 'silence', ids, 0)
          ? []
          : [wrongAt(toMs, `${who} is not told of the silence`)];
      }),
    );
