// What schedules owe and what they may ask at a moment: by the calendar, the sheet and the service's book.

import type { Calendar } from './calendar';
import type { MonthWorld } from './month-world';
import type { SeenRow } from './rows';
import { isMeant, isTooOld, type LiveSchedule } from './rules';

/** A firing of the clock, or of somebody's hand. */
export interface Span {
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface Owing {
  /** When it came round last before a moment, if it may run at that moment at all. */
  readonly roundMs: (schedule: LiveSchedule, atMs: number) => number | null;
  /** Rows that it has to refresh in a firing. */
  readonly owedBy: (
    schedule: LiveSchedule,
    rows: readonly SeenRow[],
    span: Span,
  ) => readonly SeenRow[];
  /** Whether it may make calls in a firing, and make one about a row. */
  readonly mayRun: (schedule: LiveSchedule, span: Span) => boolean;
  readonly mayAsk: (schedule: LiveSchedule, row: SeenRow, span: Span) => boolean;
  /**
   * Notes that it is through, where nothing is left.
   *
   * @param hadTurn its turn has come for certain: one that waits for it may ask when it comes, also
   *   for what becomes too old meanwhile.
   */
  readonly noteThrough: (
    schedule: LiveSchedule,
    rows: readonly SeenRow[],
    span: Span,
    hadTurn: boolean,
  ) => void;
}

export function createOwing({ callsOf }: MonthWorld, calendar: Calendar): Owing {
  const known = { callsOf, showsSame: calendar.showsSame };

  function roundMs(schedule: LiveSchedule, atMs: number): number | null {
    const { isOn, settings, sinceMs } = schedule;
    if (!isOn || calendar.isQuiet(settings.quiet, atMs)) return null;
    const rounds = calendar.occurrences(settings.recurrence);
    const last = rounds.findLast((round) => round <= atMs && round > sinceMs) ?? 0;
    return Math.max(last, schedule.byHandMs) || null;
  }

  function owedBy(
    schedule: LiveSchedule,
    rows: readonly SeenRow[],
    { startedMs, endedMs }: Span,
  ): readonly SeenRow[] {
    const atMs = roundMs(schedule, startedMs);
    // Its turn may come late in the firing: by then its quiet hours may have begun.
    const isQuiet = calendar.isQuiet(schedule.settings.quiet, endedMs);
    if (atMs === null || isQuiet || atMs === schedule.throughMs) return [];
    const at = { ...known, atMs, strikeMs: startedMs, duty: 'must' as const };
    return rows.filter((row) => isMeant(schedule, row) && isTooOld(schedule, row, at));
  }

  /** Its turn may come at the end of the firing, when more has become too old. */
  const mayRun: Owing['mayRun'] = (schedule, { startedMs, endedMs }) =>
    [startedMs, endedMs].some((atMs) => {
      const round = roundMs(schedule, atMs);
      return round !== null && round !== schedule.restsMs;
    });

  const noteThrough: Owing['noteThrough'] = (schedule, rows, { startedMs, endedMs }, hadTurn) => {
    // By hand it runs in its quiet hours, too.
    const byHandMs = schedule.byHandMs === startedMs ? startedMs : null;
    const first = roundMs(schedule, startedMs) ?? byHandMs;
    // It may come round while the clock is at work for others.
    const atMs = roundMs(schedule, endedMs) ?? first;
    if (atMs === null) return;
    const isLeft = (at: number) =>
      rows.some(
        (row) =>
          isMeant(schedule, row) &&
          isTooOld(schedule, row, { ...known, atMs: at, strikeMs: startedMs, duty: 'must' }),
      );
    if (!isLeft(atMs)) schedule.throughMs = atMs;
    if (hadTurn && atMs === first && !isLeft(startedMs)) schedule.restsMs = atMs;
  };

  return {
    ...{ roundMs, owedBy, mayRun },
    mayAsk: (schedule, row, { startedMs, endedMs }) =>
      isMeant(schedule, row) &&
      isTooOld(schedule, row, { ...known, atMs: endedMs, strikeMs: startedMs, duty: 'may' }),
    noteThrough,
  };
}
