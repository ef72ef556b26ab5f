// Plays a long period of a team's spreadsheet day by day and measures that stored data stays
// bounded and work continues.

import type { HostOptions } from 'apps-script-host/host-contract';
import { createCalendar } from '../schedule/calendar';
import type { Look } from '../schedule/record';
import { seenLog, tabRows } from '../seen';
import { createBooks } from './books';
import { judged, others } from './bounds';
import { createMeter, type Meter, noteStores } from './meter';
import { KEY_DAYS, LISTS, PEOPLE } from './plan';
import { createTeam } from './team';
import { createEnduranceWorld, type EnduranceWorld, OWN_IDS, TEAM } from './world';

export interface EndurancePlan {
  readonly dist: HostOptions['dist'];
  readonly seed: number;
  readonly days: number;
  readonly rows: number;
}

export interface EnduranceReport {
  readonly isKept: boolean;
  /** Figures with their bounds; those above them are marked. */
  readonly lines: readonly string[];
}

const HOUR_MS = 3_600_000;

/** A large list takes several firings, and a service that is down for hours a few more. */
const DONE_WITHIN_MS = 36 * HOUR_MS;

/** @param onDay is called at the end of each day. */
export async function playEndurance(
  plan: EndurancePlan,
  onDay: (day: number) => void = () => undefined,
): Promise<EnduranceReport> {
  const { days } = plan;
  const meter = createMeter(() => world.host.nowMs());
  const books = createBooks(meter, () => world);
  const keys = days + KEY_DAYS;
  const world = createEnduranceWorld({ ...plan, keys, ...books });
  const startMs = world.host.nowMs();
  const team = createTeam({ ...plan, world, meter, books });
  const { stores } = world.host;
  await team.begin();
  for (let day = 0; day < days; day += 1) {
    await team.live(day);
    noteStores(meter, { stores, documentIds: [TEAM, ...OWN_IDS], people: PEOPLE });
    noteLists(meter, world);
    onDay(day);
  }
  const endMs = world.host.nowMs();
  noteLate(meter, world, startMs, endMs);
  noteProblems(meter, world);
  books.sum(startMs, endMs);
  const all = judged(meter, startMs);
  return {
    isKept: all.every((one) => one.isKept),
    lines: [...all.map(({ line }) => line), ...others(meter)],
  };
}

function noteLists(meter: Meter, { grid, rpc }: EnduranceWorld): void {
  const count = (method: string) => {
    const { runs } = rpc(0, method).value ?? {};
    return ((runs ?? []) as readonly unknown[]).length;
  };
  meter.note('lines of the change log', seenLog(grid).length);
  meter.note('rows of the Analysis tab', tabRows(grid).length);
  meter.note('runs in the history of schedules', count('schedule.history'));
}

/** Notes rows with figures older than their schedule's last occurrence allows. */
function noteLate(meter: Meter, world: EnduranceWorld, startMs: number, endMs: number): void {
  const calendar = createCalendar('Etc/UTC', startMs, endMs);
  const rows = tabRows(world.grid);
  const late = LISTS.flatMap(({ recurrence, maxAgeHours }, at) => {
    const rounds = calendar.occurrences(recurrence);
    const roundMs = rounds.findLast((one) => one > startMs && one <= endMs - DONE_WITHIN_MS);
    if (roundMs === undefined) return [];
    const own = productsIn(world, at);
    const oldestMs = roundMs - maxAgeHours * HOUR_MS;
    return rows.filter(
      ({ asin, analyzed_at: at }) =>
        own.has(String(asin)) && !(at instanceof Date && at.getTime() >= oldestMs),
    );
  });
  meter.note('rows that are late at the end', late.length, String(late[0]?.asin));
}

/** The products of a list from its beginning that are still there. */
function productsIn({ grid, lists, asins }: EnduranceWorld, at: number): ReadonlySet<string> {
  const sheetId = lists[at] ?? 0;
  const area = { row: 1, column: 1, rowCount: grid.size(sheetId).lastRow, columnCount: 1 };
  const there = new Set(grid.values(sheetId, area).flat().map(String));
  return new Set(asins[at]?.filter((asin) => there.has(asin)));
}

/** In a quiet spreadsheet no schedule reports a problem. */
function noteProblems(meter: Meter, { rpc }: EnduranceWorld): void {
  const { schedules, problem, trigger } = rpc(0, 'schedule.look').value as unknown as Look;
  const told = [problem, trigger.problem, ...schedules.map((one) => one.problem)];
  const words = told.flatMap((one) => (one === undefined ? [] : [one.message]));
  meter.note('problems at the end', words.length, words[0]);
}
