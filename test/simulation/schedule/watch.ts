// Watches the clock through a month: what kept each firing from its work, and whether people are told of that.

import type { Firing } from '../inline-host';
import { isIn, isWithin, type MonthPlan } from './month-plan';
import { EDITOR, type MonthWorld, OWNER } from './month-world';
import { FULL_MS, type Oracle, type Unsettled } from './oracle';
import type { LiveSchedule } from './rules';
import { isRunInTheWay, isTold, type Trouble } from './sidebar';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An outage that ended a moment ago may have left calls that are still tried again. */
const AFTERMATH_MS = 2 * MINUTE_MS;

/** A clock that has not struck for so long is told to be broken. */
const SILENCE_MS = 5 * HOUR_MS;

/** Google leaves one firing in twenty-five out at the most, and hardly six in a row. */
const GAP_MS = 7 * HOUR_MS;

/** A run that was cut off is told of when it can no longer be at work. */
const CUT_OFF_MS = 8 * MINUTE_MS;

/** Where there is no record to tell it in, the clock's log and the report for support do. */
const SAID =
  /^\[info\] The clock: .*(did not answer as they should|is changing the schedules|has no room)/;

/** One that was cut off so lately may still be at work for all that a second firing knows. */
const LEFT_ALONE_MS = MINUTE_MS;

/** Firings in which what is left of a person's run is done at last, also with the slowest key. */
const LEFTOVER_FIRINGS_MAX = 8;

export interface Watch {
  /** The clock is about to start something. */
  readonly strikes: () => void;
  readonly fired: (firing: Firing, isMoved: boolean, isHit: boolean) => void;
  /** The owner takes a permission back, or gives it again. */
  readonly revoked: (isRevoked: boolean) => void;
  /** The add-on was disabled for so long and is enabled again. */
  readonly enabled: (silentMs: number) => void;
  /** Somebody works at a run over the list themselves. */
  readonly ownRun: (run: () => void) => void;
  /** A person's run was left to the clock. */
  readonly isLeft: () => void;
  /** People may have put away what they were to be told. */
  readonly forget: () => void;
  /** Looks whether what was to be told by now is told. */
  readonly look: () => void;
  /** The month is over. */
  readonly over: () => void;
  readonly firings: () => number;
}

interface Watched {
  readonly plan: MonthPlan;
  readonly world: MonthWorld;
  readonly oracle: Oracle;
  readonly schedules: readonly LiveSchedule[];
}

export function createWatch({ plan, world, oracle, schedules }: Watched): Watch {
  const { host } = world;
  const runs: { readonly startedMs: number; readonly tookMs: number }[] = [];
  let isRevoked = false;
  let isAtRun = false;
  let leftoverFirings: number | null = null;
  let struckMs = plan.startMs;
  let killedMs = 0;
  /** When somebody looks whether they are told that a run was cut off, or that another waits for it. */
  let look: { readonly atMs: number; readonly trouble: Trouble } | null = null;

  /** A clock that was lost would leave nothing to judge. */
  function checkGap(): void {
    const nowMs = host.nowMs();
    if (nowMs - struckMs > GAP_MS && !isIn(plan.disabled, nowMs))
      oracle.tell(nowMs, `the clock has not struck since ${new Date(struckMs).toISOString()}`);
    struckMs = nowMs;
  }

  function fired(firing: Firing, isMoved: boolean, isHit: boolean): void {
    const { startedMs, end } = firing;
    const nowMs = host.nowMs();
    const isKilled = end?.ended === 'killed';
    // A look takes time, in which the clock may strike again.
    const hasLeftover = leftoverFirings !== null;
    const trouble = troubleAt(firing, nowMs);
    const hadMarks = oracle.hadMarks();
    // What a cut-off firing took nobody could note.
    if (end === null && startedMs - killedMs > DAY_MS)
      oracle.tell(startedMs, 'Google had to refuse a firing');
    const today = runs.filter((run) => run.startedMs > startedMs - DAY_MS);
    const { unsettled, leftByHit } = oracle.after(firing, {
      ...{ isKilled, isHit, trouble, isMoved, hasLeftover },
      runMs: today.reduce((sum, { tookMs }) => sum + tookMs, 0),
    });
    runs.push({ startedMs, tookMs: nowMs - startedMs });
    if (isKilled) killedMs = nowMs;
    // Marks of a run that a person is at are no trace of it.
    const isOurs = !isAtRun && leftoverFirings === null;
    const laterMs = nowMs + CUT_OFF_MS;
    // Marks that stood there before are of a firing that has told its trouble; this one may not have begun.
    const cutOff = hadMarks ? 'something' : 'cut off';
    if (isKilled && isOurs && oracle.hasMarks()) look = { atMs: laterMs, trouble: cutOff };
    if (end?.ended !== 'returned') return;
    if (trouble === null) noteLeftover();
    if (leftByHit.length > 0 && !end.logs.some((line) => SAID.test(line)))
      checkTold(
        'something',
        OWNER,
        leftByHit.map((id) => [id]),
      );
    // It may have ended before it met what else is wrong.
    if (isHit) return;
    // An outage that began or ended meanwhile may have kept it from nothing.
    const isCertain = trouble !== 'service down' || isWithin(plan.outages, startedMs, nowMs);
    if (trouble === null || !isCertain || unsettled.length === 0) return;
    // What is left of a person's run goes first, and tells that person itself.
    if (hasLeftover && trouble === 'service down') return;
    if (trouble !== 'a run cut off just now') checkTrouble(trouble, startedMs, unsettled);
    // One that was cut off before it had begun is in nobody's way.
    else if (!hasCalledSince(startedMs)) look = { atMs: laterMs, trouble };
  }

  const hasCalledSince = (atMs: number) => (world.calls.at(-1)?.atMs ?? 0) >= atMs;

  function checkTrouble(
    trouble: Trouble,
    startedMs: number,
    unsettled: readonly Unsettled[],
  ): void {
    // Where no call could be made, as the hour's were used up, the run before has told it.
    const sinceMs = hasCalledSince(startedMs) ? startedMs : 0;
    // Whose turn did not come has nothing to say yet: the one at work does.
    const isFull = host.nowMs() - startedMs >= FULL_MS;
    const each = unsettled.map((one) => tellersFor(one, unsettled));
    const groups = isFull ? [unsettled.map(({ id }) => [id])] : each;
    for (const tellers of groups) checkTold(trouble, OWNER, tellers, sinceMs);
  }

  /** What another had just tried in vain is nothing that it tries again: that one tells, for all. */
  function tellersFor({ asins }: Unsettled, all: readonly Unsettled[]): readonly string[][] {
    return all
      .filter((other) => asins.every((asin) => other.asins.includes(asin)))
      .map(({ id }) => [id]);
  }

  function troubleAt({ startedMs, execution }: Firing, endedMs: number): Trouble | null {
    if (execution.documentId === null) return 'no spreadsheet';
    if (isRevoked) return 'no permission';
    if (isIn(plan.outages, startedMs - AFTERMATH_MS, endedMs)) return 'service down';
    if (isAtRun) return 'a run in the way';
    if (startedMs - killedMs < LEFT_ALONE_MS) return 'a run cut off just now';
    return oracle.hadMarks() && isRunInTheWay(world) ? 'a run in the way' : null;
  }

  /** What is left of a person's run is gone on with, firing by firing, until no row is marked. */
  function noteLeftover(): void {
    if (leftoverFirings === null) return;
    leftoverFirings = oracle.hasMarks() ? leftoverFirings + 1 : null;
    if (leftoverFirings === LEFTOVER_FIRINGS_MAX)
      oracle.tell(host.nowMs(), "what was left of a person's run is not done");
  }

  /** @param groups of schedules: it is enough that all of one tell. */
  function checkTold(
    trouble: Trouble,
    userEmail: string,
    groups: readonly (readonly string[])[],
    sinceMs = 0,
  ): void {
    if (!groups.some((ids) => isTold(world, trouble, { userEmail, ids, sinceMs })))
      oracle.tell(host.nowMs(), `${userEmail} is not told of: ${trouble}`);
  }

  /** One of the schedules was at work; nobody outside knows which. */
  function lookNow(): void {
    if (look === null || host.nowMs() < look.atMs) return;
    const { trouble } = look;
    look = null;
    const groups = schedules.map(({ id }) => [id]);
    checkTold(trouble, OWNER, groups);
  }

  return {
    strikes() {
      checkGap();
      oracle.before();
      look = null;
    },
    fired,
    revoked: (isSo) => {
      isRevoked = isSo;
    },
    enabled(silentMs) {
      const ids = schedules.flatMap(({ id, isOn }) => (isOn ? [id] : []));
      if (silentMs > SILENCE_MS && ids.length > 0)
        for (const who of [OWNER, EDITOR]) checkTold('silence', who, [ids]);
      struckMs = host.nowMs();
    },
    ownRun(run) {
      isAtRun = true;
      run();
      isAtRun = false;
      // One that the service held up is gone on with by the clock.
      if (isRunInTheWay(world)) leftoverFirings ??= 0;
    },
    isLeft: () => {
      leftoverFirings ??= 0;
    },
    forget: () => {
      look = null;
    },
    look: lookNow,
    over: checkGap,
    firings: () => runs.length,
  };
}
