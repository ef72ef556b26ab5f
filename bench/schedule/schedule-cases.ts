// Lists that the clock refreshes, as the bench measures them: the real bundle, started every hour.

import type { ScheduleSettings } from '../../src/schedules/schedule';
import { againSettings } from '../../src/sidebar/page/ui/default-schedule';
import {
  type BenchCase,
  CALLS_PER_SECOND,
  type CaseFigures,
  createList,
  type List,
} from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';

const ROWS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Every morning, when everything from the previous morning is due again, limited only by the key.
 */
const DAILY = {
  recurrence: { kind: 'daily', hour: 6 },
  // Shorter than the time from the end of one morning's work, eight hours later, to the next
  // morning.
  maxAgeHours: 12,
  callsPerHour: null,
  quiet: null,
} as const;

/** A list of this length takes eight hours; much more would be a bug. */
const HOURS_MAX = 14;

const NO_DAILY_LIMIT = 1_000_000_000;

/**
 * A schedule fills a list on its first morning and refreshes all of it on the second. The second
 * morning is measured, with every answer compared to the previous one. The time is what Google
 * counts, from the start to the end of each of the clock's runs, until the list is refreshed; the
 * quota alone requires calls / calls per second.
 */
function refreshTenThousand(bundles: Bundles, seed: number): CaseFigures {
  let runMs = 0;
  const list: List = createList(bundles, seed, ROWS, {
    limits: { urlFetchPerDay: NO_DAILY_LIMIT, propertyCallsPerDay: NO_DAILY_LIMIT },
    onFired: ({ startedMs, end }) => {
      if (end?.ended !== 'returned') throw new Error(`A run by the clock: ${end?.error?.message}`);
      runMs += list.host.nowMs() - startedMs;
    },
  });
  makeSchedule(list);
  waitUntilFresh(list, comingMorningMs(list));
  const before = { calls: list.calls(), runMs };
  const morningMs = comingMorningMs(list);
  list.host.wait(morningMs - list.host.nowMs());
  const idleMs = runMs;
  const left = waitUntilFresh(list, morningMs);
  const [calls, tookMs] = [list.calls() - before.calls, runMs - idleMs];
  return {
    'refresh-10k-5ps': {
      ratio: tookMs / ((1_000 * calls) / CALLS_PER_SECOND),
      triggerMinutesPer1000: (1_000 * (tookMs / 60_000)) / ROWS,
      callsPer1000: (1_000 * calls) / ROWS,
      errors: left,
    },
  };
}

/** A schedule is of a list that has its columns. */
function makeSchedule({ rpc }: List): void {
  const { choice } = rpc('list.look');
  const { status } = rpc('jobs.start', choice as object) as {
    readonly status: {
      readonly jobId: string;
      readonly listId: string;
      readonly sheet: { readonly id: number };
    };
  };
  rpc('jobs.setState', { jobId: status.jobId, state: 'stopped' });
  const list = { sheetId: status.sheet.id, listId: status.listId };
  const settings: ScheduleSettings = { ...againSettings(list, 'daily'), ...DAILY };
  rpc('schedule.save', { id: 'bench', settings });
}

function comingMorningMs({ host }: List): number {
  const todayMs = host.nowMs() - (host.nowMs() % DAY_MS) + DAILY.recurrence.hour * HOUR_MS;
  return todayMs > host.nowMs() ? todayMs : todayMs + DAY_MS;
}

/** Lets the clock fire until every row of the tab is from this morning; returns how many never were. */
function waitUntilFresh({ host, grid }: List, morningMs: number): number {
  host.wait(Math.max(0, morningMs - host.nowMs()));
  const tab = grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? 0;
  const staleRows = () => {
    const { lastColumn } = grid.size(tab);
    const all = { row: 1, column: 1, rowCount: ROWS + 1, columnCount: lastColumn };
    const [titles = [], ...rows] = grid.values(tab, all);
    const place = titles.indexOf('Analyzed at');
    return rows.filter((row) => !(row[place] instanceof Date) || Number(row[place]) < morningMs)
      .length;
  };
  for (let hour = 0; hour < HOURS_MAX && staleRows() > 0; hour += 1) host.wait(HOUR_MS);
  return staleRows();
}

export const SCHEDULE_CASES: readonly BenchCase[] = [
  {
    name: 'refresh-10k-5ps',
    ideal: {
      ratio: 1,
      triggerMinutesPer1000: 1_000 / CALLS_PER_SECOND / 60,
      callsPer1000: 1_000,
      errors: 0,
    },
    tell: refreshTenThousand,
  },
];
