// Keeps the record of a month: the sheet around each firing, the firing's calls, and what people
// were told.

import type { Firing } from 'apps-script-host/inline/inline-host';
import { isIn, isWithin, type MonthPlan } from './month-plan';
import { type MonthWorld, OWNER } from './month-world';
import type { People } from './people';
import type { MonthRecord, Seen, Stand, Work } from './record';
import { isQueued, newLines, type SeenRow, seenLog, seenRows } from './rows';
import { CUT_OFF_MS, historyOf, isRunInTheWay, lookOf, type Trouble } from './sidebar';

const DAY_MS = 24 * 3_600_000;

/** An outage that has just ended may have left calls that are still being retried. */
const AFTERMATH_MS = 2 * 60_000;

/**
 * A firing that was cut off this recently, or ended by faults in a row, may still be at work as far
 * as a second one knows.
 */
const LEFT_ALONE_MS = 60_000;

interface Recorded {
  readonly plan: MonthPlan;
  readonly world: MonthWorld;
  readonly people: People;
  /** The present schedules. */
  readonly schedules: ReadonlyMap<string, Stand>;
}

/** The state when something began. */
interface Begun {
  readonly startedMs: number;
  readonly rows: readonly SeenRow[];
  readonly schedules: readonly Stand[];
  readonly calls: number;
}

export function createRecorder({ plan, world, people, schedules }: Recorded) {
  const { host, grid } = world;
  const works: Work[] = [];
  const looks: Seen[] = [];
  const actsMs: number[] = [];
  /** The next firing may start while one is being recorded. */
  const struck: Begun[] = [];
  let log = seenLog(grid);
  let [isRevoked, isAtRun, hasLeftover] = [false, false, false];
  let killedMs = 0;
  /** Where the calls of a run by hand end if a firing follows at once. */
  let handEnds: number | null = null;
  /** Whether calls were made since somebody last looked, so that the history must mention them. */
  let isCalledFor = false;
  /** When somebody will look next, ms. */
  let lookMs = Number.POSITIVE_INFINITY;

  function begin(): Begun {
    const rows = seenRows(grid, 0);
    people.settle(rows);
    const stands = [...schedules.values()];
    return { startedMs: host.nowMs(), rows, schedules: stands, calls: world.calls.length };
  }

  type Ending = Pick<Work, 'byHand' | 'ended' | 'logs' | 'isMoved' | 'isHit' | 'trouble'>;

  function end(begun: Begun, ending: Ending, callsEnd = world.calls.length): void {
    const endedMs = host.nowMs();
    const { startedMs } = begun;
    const after = seenRows(grid, 0);
    const now = seenLog(grid);
    const isNow = (atMs: number) => atMs >= startedMs && atMs <= endedMs;
    const runs = works.filter((one) => one.byHand === null && one.startedMs > startedMs - DAY_MS);
    works.push({
      ...ending,
      ...{ startedMs, endedMs, after, hasLeftover },
      schedules: begun.schedules,
      before: begun.rows,
      calls: world.calls.slice(begun.calls, callsEnd),
      unsent: world.unsent.filter(({ atMs }) => isNow(atMs)),
      lines: newLines(log, now),
      there: new Map(people.there),
      typed: new Set(people.typed),
      starred: new Set(people.starred),
      isCertain: ending.trouble !== 'service down' || isWithin(plan.outages, startedMs, endedMs),
      runMs: runs.reduce((sum, one) => sum + one.endedMs - one.startedMs, 0),
    });
    log = now;
    isCalledFor ||= world.calls.length > begun.calls;
  }

  function fired(
    { execution, startedMs, end: ended }: Firing,
    how: { isMoved: boolean; isHit: boolean },
  ): Work | null {
    const begun = struck.pop();
    if (begun === undefined) return null;
    const trouble = troubleOf(execution.documentId ?? null, startedMs);
    const outcome = ended?.ended ?? 'refused';
    const isKnown = outcome === 'returned' || outcome === 'killed' || outcome === 'refused';
    const logs = ended?.logs ?? [];
    end(begun, { byHand: null, ended: isKnown ? outcome : 'failed', logs, trouble, ...how });
    const isLate = outcome === 'killed' || trouble === 'cut off';
    if (outcome === 'killed' || how.isHit) killedMs = host.nowMs();
    if (!logs.some((line) => line.includes('nothing to do')))
      lookMs = host.nowMs() + (isLate ? CUT_OFF_MS : 0);
    const isOver = outcome === 'returned' && trouble === null;
    if (isOver && !works.at(-1)?.after.some(isQueued)) hasLeftover = false;
    return works.at(-1) ?? null;
  }

  function troubleOf(documentId: string | null, startedMs: number): Trouble | null {
    if (documentId === null) return 'no spreadsheet';
    if (isRevoked) return 'no permission';
    if (isIn(plan.outages, startedMs - AFTERMATH_MS, host.nowMs())) return 'service down';
    if (isAtRun) return 'a run in the way';
    return startedMs - killedMs < LEFT_ALONE_MS ? 'cut off' : null;
  }

  function look(userEmail = OWNER): void {
    const atMs = host.nowMs();
    const { seen, runs } = world.inBlankView(() => ({
      seen: lookOf(world, userEmail),
      runs: isCalledFor ? historyOf(world) : [],
    }));
    isCalledFor = false;
    const isInTheWay = hasLeftover && isRunInTheWay(world);
    looks.push({ atMs, userEmail, look: seen, runs, isInTheWay });
  }

  return {
    fired,
    look,
    /** The clock is about to start something. */
    strikes() {
      handEnds ??= world.calls.length;
      struck.push(begin());
    },
    /** Somebody runs a schedule at once. */
    byHand(id: string, run: () => void) {
      const begun = begin();
      handEnds = null;
      run();
      const [isMoved, isHit, trouble] = [false, false, null];
      end(
        begun,
        { byHand: id, ended: 'returned', logs: [], isMoved, isHit, trouble },
        handEnds ?? undefined,
      );
      lookMs = host.nowMs();
    },
    /** The owner revokes a permission or grants it again. */
    revoked(isSo: boolean) {
      isRevoked = isSo;
    },
    /** Somebody runs over the list themselves. */
    ownRun(run: () => void) {
      isAtRun = true;
      run();
      isAtRun = false;
      // The clock continues a run that the service held up.
      if (isRunInTheWay(world)) hasLeftover = true;
    },
    /** A person's run was left to the clock, which may fire while the person is still there. */
    isLeft() {
      hasLeftover = true;
    },
    acts() {
      actsMs.push(host.nowMs());
    },
    /** Somebody looks at the sidebar if something happened since the last time. */
    lookIfNews() {
      if (host.nowMs() < lookMs) return;
      lookMs = Number.POSITIVE_INFINITY;
      look();
    },
    record: (
      known: Pick<MonthRecord, 'calendar' | 'callsPerSecond' | 'apart' | 'unsavedMax'>,
    ): MonthRecord => ({
      ...known,
      ...{ looks, actsMs },
      startMs: plan.startMs,
      endMs: plan.endMs,
      works: works.sort((one, other) => one.startedMs - other.startedMs),
      disabled: plan.disabled,
      calls: world.calls,
      callsOf: world.callsOf,
    }),
  };
}
