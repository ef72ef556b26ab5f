// Judges each firing of the clock: what was owed and not done, what was called and not owed, whose figures stand where.

import type { Firing } from '../inline-host';
import { createBudgets } from './budgets';
import type { Calendar } from './calendar';
import type { Call, MonthWorld } from './month-world';
import { isOutOfOrder } from './order';
import { createRepeats } from './repeats';
import { shownRow, wrongRows } from './row-figures';
import { type SeenList, type SeenRow, seenList } from './rows';
import { isMeant, isTooOld, type LiveSchedule } from './rules';

/** After so long a firing has no time left: it stops taking work at 285 s and writes what it has. */
const FULL_MS = 240_000;

/** Of the 90 minutes that Google gives a day, so much is kept back at the most: one whole firing. */
const SPARE_MS = 6 * 60_000;
const DAY_RUN_MS = 90 * 60_000;

/** What is told of a firing by whoever made the world. */
export interface Circumstances {
  readonly isKilled: boolean;
  /** Nobody could have worked: permission lost, no spreadsheet, the service down, a run in the way. */
  readonly trouble: string | null;
  /** Somebody moved rows while it ran. */
  readonly isMoved: boolean;
  /** It may finish a person's run, which asks for what that person chose. */
  readonly hasLeftover: boolean;
  /** Run time of the clock in Google's present day before this firing. */
  readonly runMs: number;
}

export interface Oracle {
  readonly before: () => void;
  readonly after: (firing: Firing, circumstances: Circumstances) => void;
  /** Rows that schedules still owe after the firing that was judged last. */
  readonly owed: () => number;
  /** Somebody has a schedule run at once. */
  readonly byHand: (schedule: LiveSchedule, run: () => void) => void;
  /** Whether rows were marked by a run when the clock struck last. */
  readonly hasMarks: () => boolean;
  readonly wrongs: readonly string[];
  /** Calls within a max age, which only cut-off executions explain. */
  readonly repeated: () => number;
}

export interface OracleOptions {
  readonly world: MonthWorld;
  readonly calendar: Calendar;
  readonly schedules: readonly LiveSchedule[];
  /** Calls that one cut-off execution may have to make again: what comes between two writes. */
  readonly chunkCalls: number;
  /** Products that were typed over others. */
  readonly typed: ReadonlySet<string>;
}

/**
 * The bound on how long a due row may wait, which follows from the rules checked at each firing.
 * A row is owed a refresh by schedule s from the moment O at which s comes round on, if its figures
 * are older than O - maxAge(s) then. Let d be the products of all schedules that are owed then, and
 *
 *   c = min(callsPerHour(s), rate * 240 s)        products that a firing is able to refresh,
 *
 * then it is refreshed within ceil(d / c) unhindered firings outside of s's quiet hours. Hindered is
 * a firing that Google lets fall out, that is cut off, or for whose whole duration there is no
 * permission, no spreadsheet, no service, or less than 6 of the day's 90 minutes. It is proved
 * stepwise: an unhindered firing leaves an owed row only if it worked 240 s or if s has spent its
 * hour's calls (`checkOwed`), and then no product that is called is fresher than one left (`checkOrder`).
 */
export function createOracle(options: OracleOptions): Oracle {
  const { world, calendar, schedules, chunkCalls, typed } = options;
  const wrongs: string[] = [];
  const budgets = createBudgets();
  const repeats = createRepeats(world.callsOf, chunkCalls);
  let seen: SeenList = { titles: [], rows: [], cells: [] };
  let callsBefore = 0;
  let owedRows = 0;

  const tell = (atMs: number, text: string) =>
    wrongs.push(`${new Date(atMs).toISOString().slice(0, 16)} ${text}`);

  /** When it came round last before a moment, if it may run at that moment at all. */
  function roundMs(schedule: LiveSchedule, atMs: number): number | null {
    const { isOn, settings, sinceMs } = schedule;
    if (!isOn || calendar.isQuiet(settings.quiet, atMs)) return null;
    const rounds = calendar.occurrences(settings.recurrence);
    const last = rounds.findLast((round) => round <= atMs && round > sinceMs) ?? 0;
    return Math.max(last, schedule.byHandMs) || null;
  }

  function owedBy(schedule: LiveSchedule, rows: readonly SeenRow[], strikeMs: number) {
    const atMs = roundMs(schedule, strikeMs);
    if (atMs === null || atMs === schedule.throughMs) return [];
    const { callsOf } = world;
    return rows.filter(
      (row) => isMeant(schedule, row) && isTooOld(schedule, row, { callsOf, atMs, strikeMs }),
    );
  }

  function after(firing: Firing, circumstances: Circumstances): void {
    const { startedMs } = firing;
    const rows = seen.rows;
    const now = seenList(world.grid, 0);
    const calls = world.calls.slice(callsBefore);
    const isRun = firing.end?.ended === 'returned';
    const { isKilled, trouble, isMoved, hasLeftover, runMs } = circumstances;
    if (!isKilled && firing.end !== null && !isRun)
      tell(startedMs, `the firing ${firing.end.ended}: ${firing.end.error?.message}`);
    const hasTime = runMs + SPARE_MS <= DAY_RUN_MS;
    const isHindered = isKilled || !isRun || trouble !== null || !hasTime;
    const tookMs = world.host.nowMs() - startedMs;
    const endedMs = startedMs + tookMs;
    const overspent = budgets.count({ schedules, calls, rows, isKilled, startedMs, endedMs });
    if (!hasLeftover) for (const wrong of overspent) tell(startedMs, wrong);
    owedRows = schedules.flatMap((one) => owedBy(one, now.rows, startedMs)).length;

    for (const wrong of wrongRows(now, world.callsOf, typed)) tell(startedMs, wrong);
    if (!isMoved && !hasLeftover) checkCalled(calls, rows, startedMs);
    if (!hasLeftover) for (const wrong of repeats.check(schedules, calls)) tell(startedMs, wrong);
    if (isKilled) repeats.cutOff(calls);
    if (isHindered || hasLeftover) return;
    if (isMoved) noteMoved(rows, now.rows, startedMs);
    if (isMoved) return;
    if (now.rows.some(({ status }) => status.kind === 'queued'))
      tell(startedMs, 'the firing left marked rows behind');
    for (const schedule of schedules) {
      const isFull = tookMs >= FULL_MS || budgets.isSpent(schedule);
      if (isFull) checkOrder(schedule, now.rows, calls, startedMs);
      else checkOwed(schedule, { rows, now: now.rows, startedMs });
    }
  }

  function checkOwed(schedule: LiveSchedule, one: Judged): void {
    const { rows, now, startedMs } = one;
    const owed = owedBy(schedule, rows, startedMs).map(({ row }) => row);
    const left = owedBy(schedule, now, startedMs).filter(({ row }) => owed.includes(row));
    const [first] = left;
    if (first !== undefined)
      tell(
        startedMs,
        `${schedule.id} left ${left.length} of ${owed.length} due rows, such as ${shownRow(first)}`,
      );
    noteThrough(schedule, now, startedMs);
  }

  /** What was typed in after the rows were picked is not owed before it comes round again. */
  function noteMoved(rows: readonly SeenRow[], now: readonly SeenRow[], atMs: number): void {
    for (const schedule of schedules) {
      const owed = new Set(owedBy(schedule, rows, atMs).map(({ asin }) => asin));
      const isLeft = owedBy(schedule, now, atMs).some(({ asin }) => owed.has(asin));
      if (!isLeft) schedule.throughMs = roundMs(schedule, atMs) ?? schedule.throughMs;
    }
  }

  function noteThrough(schedule: LiveSchedule, now: readonly SeenRow[], atMs: number): void {
    const { callsOf } = world;
    const isLeft = now.some(
      (row) => isMeant(schedule, row) && isTooOld(schedule, row, { callsOf, atMs, strikeMs: atMs }),
    );
    const roundedMs = roundMs(schedule, atMs);
    if (roundedMs !== null && owedBy(schedule, now, atMs).length === 0)
      schedule.throughMs = roundedMs;
    if (roundedMs !== null && !isLeft) schedule.restsMs = roundedMs;
  }

  function checkOrder(
    schedule: LiveSchedule,
    now: readonly SeenRow[],
    calls: readonly Call[],
    startedMs: number,
  ): void {
    const isAlone = schedules.filter(({ isOn }) => isOn).length === 1;
    const left = owedBy(schedule, now, startedMs);
    if (isAlone && isOutOfOrder(schedule, { rows: seen.rows, left, calls }))
      tell(startedMs, `${schedule.id} called a product that is fresher than one it left`);
  }

  function checkCalled(calls: readonly Call[], rows: readonly SeenRow[], strikeMs: number): void {
    const { callsOf } = world;
    const isOwed = (asin: string) =>
      schedules.some((schedule) => {
        const roundAtMs = roundMs(schedule, strikeMs);
        if (roundAtMs === null || roundAtMs === schedule.restsMs) return false;
        // Its turn may come at the end of the firing, when more has become too old.
        const at = { callsOf, atMs: world.host.nowMs(), strikeMs };
        return rows.some(
          (row) => row.asin === asin && isMeant(schedule, row) && isTooOld(schedule, row, at),
        );
      });
    const strange = [...new Set(calls.map(({ asin }) => asin))].filter((asin) => !isOwed(asin));
    if (strange.length > 0)
      tell(strikeMs, `${strange.length} products were called that no schedule owed: ${strange[0]}`);
  }

  return {
    byHand: (schedule, run) => {
      const startedMs = world.host.nowMs();
      const { rows } = seenList(world.grid, 0);
      const before = world.calls.length;
      run();
      const [calls, endedMs] = [world.calls.slice(before), world.host.nowMs()];
      // A firing may have followed at once, so what is counted may be too much, and is no wrong.
      budgets.count({ schedules, calls, rows, isKilled: true, startedMs, endedMs });
      const roundedMs = roundMs(schedule, startedMs);
      // Where it is under way it goes on, by hand or not; in between nobody outside can tell.
      if (roundedMs === null || roundedMs === schedule.throughMs) schedule.byHandMs = startedMs;
      noteThrough(schedule, seenList(world.grid, 0).rows, startedMs);
    },
    hasMarks: () => seen.rows.some(({ status }) => status.kind === 'queued'),
    before: () => {
      seen = seenList(world.grid, 0);
      callsBefore = world.calls.length;
    },
    after,
    owed: () => owedRows,
    wrongs,
    repeated: repeats.count,
  };
}

interface Judged {
  readonly rows: readonly SeenRow[];
  readonly now: readonly SeenRow[];
  readonly startedMs: number;
}
