// Judges each firing of the clock: what was owed and not done, what was called and not owed, whose figures stand where.

import type { Firing } from '../inline-host';
import { createBudgets } from './budgets';
import type { Calendar } from './calendar';
import type { Call, MonthWorld } from './month-world';
import { isOutOfOrder } from './order';
import { createOwing, type Span } from './owing';
import type { People } from './people';
import { createRepeats } from './repeats';
import { lostRows, settleTyped, shownRow, wrongRows } from './row-figures';
import { isQueued, NOTHING_SEEN, type SeenList, type SeenRow, seenList } from './rows';
import { isSettled, type LiveSchedule, maxAgeMs } from './rules';

/** After so long a firing has no time left: it stops taking work at 285 s and writes what it has. */
export const FULL_MS = 240_000;

/** Of the calls that the key allows in that time: the list is read, marked and written in it, too. */
const FULL_SHARE = 0.8;

/** Of the 90 minutes that Google gives a day, so much is kept back at the most: one whole firing. */
const SPARE_MS = 6 * 60_000;
const DAY_RUN_MS = 90 * 60_000;

/** What is told of a firing by whoever made the world. */
export interface Circumstances {
  readonly isKilled: boolean;
  /** Google's services failed it in a way that it could not meet at once. */
  readonly isHit: boolean;
  /** Nobody could have worked: permission lost, no spreadsheet, the service down, a run in the way. */
  readonly trouble: string | null;
  /** Somebody moved rows while it ran. */
  readonly isMoved: boolean;
  /** It may finish a person's run, which asks for what that person chose. */
  readonly hasLeftover: boolean;
  /** Run time of the clock in the 24 hours before this firing; Google's day lies within them. */
  readonly runMs: number;
}

export interface Oracle {
  readonly before: () => void;
  readonly after: (firing: Firing, circumstances: Circumstances) => Aftermath;
  /** Somebody has a schedule run at once. */
  readonly byHand: (schedule: LiveSchedule, run: () => void) => void;
  /** Whether rows were marked by a run when the clock struck, and whether they are now. */
  readonly hadMarks: () => boolean;
  readonly hasMarks: () => boolean;
  readonly tell: (atMs: number, text: string) => void;
  readonly wrongs: readonly string[];
  /** Calls within a max age, which only cut-off executions explain. */
  readonly repeated: () => number;
}

export interface Aftermath {
  /** Schedules that owed rows which are not settled yet. */
  readonly unsettled: readonly Unsettled[];
  /** Those whose rows nothing else explains than that Google's services failed. */
  readonly leftByHit: readonly string[];
}

/** A schedule that owed products in a firing which are not settled after it. */
export interface Unsettled {
  readonly id: string;
  readonly asins: readonly string[];
}

export interface OracleOptions {
  readonly world: MonthWorld;
  readonly calendar: Calendar;
  readonly schedules: readonly LiveSchedule[];
  /** Of the key, without its burst. */
  readonly callsPerSecond: number;
  /** Calls that one cut-off execution may have to make again. */
  readonly unsavedMax: number;
  readonly people: People;
}

/**
 * The bound on how long a due row may wait, which follows from the rules checked at each firing.
 * A row is owed a refresh by schedule s from the moment O at which s comes round on, if its figures
 * are older than O - maxAge(s) then. Let d be the products of all schedules that are owed then, and
 *
 *   c = min(callsPerHour(s), 0.8 * rate * 240 s)  products that a firing is able to refresh,
 *
 * then it is refreshed within ceil(d / c) unhindered firings outside of s's quiet hours. Hindered is
 * a firing that Google lets fall out, that is cut off, in which rows were moved, or for whose duration
 * there is no permission, no spreadsheet, no service, or less than 6 of the day's 90 minutes. It is
 * proved stepwise: an unhindered firing leaves an owed row only if s has spent its hour's calls, or
 * if it worked 240 s at the key's rate (`checkFull`), and then no product that is called comes after
 * one that is left (`isOutOfOrder`).
 */
export function createOracle(options: OracleOptions): Oracle {
  const { world, calendar, schedules, callsPerSecond, unsavedMax, people } = options;
  const wrongs: string[] = [];
  const budgets = createBudgets();
  const repeats = createRepeats(world.callsOf, unsavedMax);
  const { roundMs, owedBy, mayRun, mayAsk, noteThrough } = createOwing(world, calendar);
  /** What stood there when the clock struck, and calls by then; the next may strike while one is judged. */
  const struck: { readonly seen: SeenList; readonly calls: number }[] = [];
  /** Calls by hand, if a firing followed at once; else they are the last of all. */
  let handEnds: number | null = null;

  const tell = (atMs: number, text: string) =>
    wrongs.push(`${new Date(atMs).toISOString().slice(0, 16)} ${text}`);

  function after(firing: Firing, circumstances: Circumstances): Aftermath {
    const { startedMs, end } = firing;
    const { isKilled, isHit, trouble, isMoved, hasLeftover, runMs } = circumstances;
    const isCutShort = isKilled || isHit;
    const span = { startedMs, endedMs: world.host.nowMs() };
    const { seen, calls: callsBefore } = struck.pop() ?? { seen: NOTHING_SEEN, calls: 0 };
    const isRun = end?.ended === 'returned';
    const one: Judged = {
      ...{ span, rows: seen.rows, now: seenList(world.grid, 0).rows },
      calls: world.calls.slice(callsBefore),
    };
    if (!isKilled && end !== null && !isRun)
      tell(startedMs, `the firing ${end.ended}: ${end.error?.message}`);
    const hasTime = runMs + SPARE_MS <= DAY_RUN_MS;
    const isUnclear = isMoved || hasLeftover;
    // While the service is down, one that owes nothing is through all the same.
    const mayBeThrough = isRun && hasTime && [null, 'service down'].includes(trouble);
    const isAble = !isKilled && isRun && trouble === null && hasTime && !isUnclear;

    checkRows(one.now, startedMs);
    // What a person chose is asked for whatever its age, and is on no schedule's account.
    const able = schedules.filter((schedule) => mayRun(schedule, span));
    if (!hasLeftover) checkCalls(one, able, isCutShort);
    if (!isUnclear) checkOwedCalls(one, able);
    if (isCutShort) repeats.cutOff(one.calls);
    const unsettled = schedules
      .map((schedule) => ({ id: schedule.id, asins: unsettledOf(schedule, one) }))
      .filter(({ asins }) => asins.length > 0);
    const isJudged = isAble && !isHit;
    if (!isJudged && mayBeThrough) for (const schedule of schedules) noteDone(schedule, one);
    const leftByHit = schedules.filter((each) => isAble && isHit && leftOf(each, one).length > 0);
    // Where it could not take its marks away, it says so and does not say that it worked.
    const worked = isRun && end.logs.some((line) => line.includes('The clock: worked'));
    if ((isJudged || (isAble && worked)) && one.now.some(isQueued))
      tell(startedMs, 'the firing left marked rows behind');
    if (!isJudged) return { unsettled, leftByHit: leftByHit.map(({ id }) => id) };
    checkFull(one);
    for (const schedule of schedules) checkOwed(schedule, one);
    return { unsettled, leftByHit: [] };
  }

  function checkRows(now: readonly SeenRow[], atMs: number): void {
    const { typed, there } = people;
    for (const wrong of [...wrongRows(now, { world, calendar, typed }), ...lostRows(now, there)])
      tell(atMs, wrong);
  }

  /** No call but those of budgets, and none again within the max age. */
  function checkCalls(one: Judged, able: readonly LiveSchedule[], isKilled: boolean): void {
    const { span, calls } = one;
    const rows = [...one.rows, ...one.now];
    const unsent = world.unsent.filter(
      ({ atMs }) => atMs >= span.startedMs && atMs <= span.endedMs,
    );
    const overspent = budgets.count({ schedules: able, calls, unsent, rows, isKilled, ...span });
    const again = repeats.check({ calls, schedules: able, rows });
    for (const wrong of [...overspent, ...again]) tell(span.startedMs, wrong);
  }

  /** Products that were owed and are neither fresh nor known to be lasting failures. */
  function unsettledOf(schedule: LiveSchedule, { rows, now, span }: Judged): readonly string[] {
    const owed = new Set(owedBy(schedule, rows, span).map(({ asin }) => asin));
    const left = new Set(owedBy(schedule, now, span).map(({ row }) => row));
    // What it filled in from an answer that is young enough, a stricter one may have tried in vain since.
    const sinceMs = span.startedMs - maxAgeMs(schedule);
    const isKnown = (asin: string) =>
      world.callsOf(asin).some(({ atMs, isSettled: isOver }) => isOver && atMs >= sinceMs);
    return now
      .filter((row) => left.has(row.row) || !isSettled(row))
      .map(({ asin }) => asin)
      .filter((asin) => owed.has(asin) && !isKnown(asin));
  }

  /** Where the time ran out, it was used for calls. */
  function checkFull({ span, calls }: Judged): void {
    const tookMs = span.endedMs - span.startedMs;
    const least = Math.floor((FULL_SHARE * callsPerSecond * FULL_MS) / 1_000);
    if (tookMs >= FULL_MS && calls.length < least)
      tell(span.startedMs, `${calls.length} calls in ${tookMs / 1_000} s, of ${least}`);
  }

  /** Rows that it owed and owes still, where it had calls and time for them. */
  function leftOf(schedule: LiveSchedule, { rows, now, span }: Judged): readonly SeenRow[] {
    if (budgets.isSpent(schedule) || isFull(span)) return [];
    const owed = owedBy(schedule, rows, span).map(({ row }) => row);
    return owedBy(schedule, now, span).filter(({ row }) => owed.includes(row));
  }

  function checkOwed(schedule: LiveSchedule, one: Judged): void {
    const { rows, now, calls, span } = one;
    const left = leftOf(schedule, one);
    const [first] = left;
    if (first === undefined) {
      // Who called what cannot be told from outside where several schedules are on.
      const isAlone = schedules.filter(({ isOn }) => isOn).length === 1;
      if (isAlone && isOutOfOrder(schedule, { rows, left: owedBy(schedule, now, span), calls }))
        tell(span.startedMs, `${schedule.id} called a product that comes after one it left`);
    } else {
      const owed = owedBy(schedule, rows, span).length;
      const what = `${left.length} of ${owed} due rows, such as ${shownRow(first)}`;
      tell(span.startedMs, `${schedule.id} left ${what}`);
    }
    noteThrough(schedule, now, span, !isFull(span));
  }

  const isFull = ({ startedMs, endedMs }: Span) => endedMs - startedMs >= FULL_MS;

  /** Once all is settled, what is typed in or loses its status is not owed until the next round. */
  function noteDone(schedule: LiveSchedule, { rows, now, span }: Judged): void {
    const owed = new Set(owedBy(schedule, rows, span).map(({ asin }) => asin));
    const isLeft = ({ asin }: SeenRow) => owed.has(asin) && !people.typed.has(asin);
    if (!owedBy(schedule, now, span).some(isLeft))
      schedule.throughMs = roundMs(schedule, span.startedMs) ?? schedule.throughMs;
  }

  function checkOwedCalls({ calls, rows, span }: Judged, able: readonly LiveSchedule[]): void {
    const isOwed = (asin: string) =>
      rows.some((row) => row.asin === asin && able.some((one) => mayAsk(one, row, span)));
    const strange = [...new Set(calls.map(({ asin }) => asin))].filter((asin) => !isOwed(asin));
    if (strange.length > 0)
      tell(
        span.startedMs,
        `${strange.length} products were called that no schedule owed: ${strange[0]}`,
      );
  }

  function byHand(schedule: LiveSchedule, run: () => void): void {
    const startedMs = world.host.nowMs();
    const { rows } = seenList(world.grid, 0);
    const before = world.calls.length;
    const roundedMs = roundMs(schedule, startedMs);
    // Where it is under way it goes on, by hand or not; in between nobody outside can tell. A firing may
    // follow at once, and goes on with what is left.
    if (roundedMs === null || roundedMs === schedule.throughMs) schedule.byHandMs = startedMs;
    handEnds = null;
    run();
    const calls = world.calls.slice(before, handEnds ?? world.calls.length);
    const { rows: now } = seenList(world.grid, 0);
    const span = { startedMs, endedMs: world.host.nowMs() };
    checkCalls({ span, rows, now, calls }, [schedule], false);
    // The clock's own round may still be to come: a run by hand does not stand for it.
    noteThrough(schedule, now, { startedMs, endedMs: startedMs }, false);
  }

  return {
    ...{ after, byHand, tell, wrongs },
    hadMarks: () => struck.at(-1)?.seen.rows.some(isQueued) === true,
    hasMarks: () => seenList(world.grid, 0).rows.some(isQueued),
    before: () => {
      const seen = seenList(world.grid, 0);
      settleTyped(seen.rows, people.typed);
      struck.push({ seen, calls: world.calls.length });
      handEnds ??= world.calls.length;
    },
    repeated: repeats.count,
  };
}

interface Judged {
  readonly span: Span;
  /** Before and after. */
  readonly rows: readonly SeenRow[];
  readonly now: readonly SeenRow[];
  readonly calls: readonly Call[];
}
