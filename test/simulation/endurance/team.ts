// What a team does over a long period: schedules, keys, rules, tabs that come and go, rows, and
// spreadsheets of their own.

import { createRandom, seedFrom } from 'apps-script-host/random';
import type { ScheduleSettings } from '../../../src/schedules/schedule';
import { analyze, createDesk } from '../page';
import { type Look, listTask } from '../schedule/record';
import type { Books } from './books';
import type { Meter } from './meter';
import {
  COLLECTOR,
  FORMULAS,
  FORMULAS_BY,
  KEY_DAYS,
  LISTS,
  LONG_NAME,
  OWN_MAX_AGE_HOURS,
  OWN_SPREADSHEETS,
  PEOPLE,
  type PlannedList,
  SHORT_TABS,
} from './plan';
import { connection, type EnduranceWorld, ownId, TEAM } from './world';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

const ACTS_A_DAY = 6;

/** The number of spreadsheets in which the collector starts a schedule on one day. */
const OWN_A_DAY = 12;

/** How long a tab with a short list exists, in days. */
const TAB_DAYS = 10;
const TAB_ROWS_MAX = 300;

/** The index of the list that people type into and switch off and on. */
const LIVELY = LISTS.length - 1;

/** The list whose rules are changed. */
const RULED = LISTS.findIndex(({ rules }) => rules !== undefined);

/** People with a schedule have their own key; all others use the owner's. */
const WITH_KEYS = [...new Set([FORMULAS_BY, ...LISTS.map(({ by }) => by), COLLECTOR])];

const AS_NEW = { callsPerHour: null, quiet: null, rules: [] } as const;

/** The schedule in each of the collector's spreadsheets. */
const OWN = {
  recurrence: { kind: 'daily', hour: 6 },
  maxAgeHours: OWN_MAX_AGE_HOURS,
} as const;

export interface Team {
  /** Assigns keys and creates schedules. */
  readonly begin: () => Promise<void>;
  /** Plays one day. */
  readonly live: (day: number) => Promise<void>;
}

interface TeamOptions {
  readonly seed: number;
  readonly days: number;
  readonly rows: number;
  readonly world: EnduranceWorld;
  readonly meter: Meter;
  readonly books: Books;
}

export function createTeam({ seed, days, rows, world, meter, books }: TeamOptions): Team {
  const { grid, lists, rpc, host, asins, spare } = world;
  const random = createRandom(seedFrom(seed, 'team'));
  const desk = createDesk(world, random);
  const tabs: { readonly id: number; readonly day: number }[] = [];
  const saved = new Map<number, ScheduleSettings>();
  let [made, opened, unended] = [0, 0, 0];
  const firstCell = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
  const show = (sheetId: number) => grid.select({ sheetId, rectangle: firstCell });
  const anyone = () => random.integer(0, PEOPLE.length - 1);

  function give(who: number, version: number, documentId = TEAM): void {
    const sharing = who === 0 ? 'spreadsheet' : 'me';
    rpc(who, 'connection.save', connection(world.keyOf(who, version), sharing), documentId);
  }

  function save(at: number, more: Partial<ScheduleSettings> = {}): void {
    const { by, share: _, ...limits } = LISTS[at] as PlannedList;
    show(lists[at] ?? 0);
    const task = listTask(rpc(by, 'schedule.look').value as unknown as Look);
    const settings = { ...AS_NEW, ...limits, ...saved.get(at), task, ...more };
    saved.set(at, settings);
    const { failure } = rpc(by, 'schedule.save', { id: `list-${at}`, settings });
    if (failure !== undefined) throw new Error(`Not saved: ${failure.message}`);
  }

  /** Analyzes a list with a page that stays open until the job is over or held up. */
  async function run(who: number, sheetId: number): Promise<void> {
    show(sheetId);
    const page = desk.open({ who: { userEmail: PEOPLE[who] ?? '', documentId: TEAM } });
    const { status, problem } = await desk.until(analyze(page, () => false));
    page.close();
    if (status === null) return;
    // The clock continues a job that is held up, as while the service is down.
    books.leaves(problem === null ? null : (PEOPLE[who] ?? ''));
    if (status.state === 'running') unended += 1;
    meter.note('jobs that did not end', unended, `tab ${sheetId}`);
  }

  /** Gives a list its columns, and leaves its figures to its schedule. */
  function addColumns(who: number, documentId = TEAM): void {
    const { choice } = rpc(who, 'list.look', {}, documentId).value ?? {};
    const { value, failure } = rpc(who, 'jobs.start', choice as object, documentId);
    if (!value) throw new Error(`A list got no columns: ${failure?.message}`);
    const { jobId } = value.status as { readonly jobId: string };
    rpc(who, 'jobs.setState', { jobId, state: 'stopped' }, documentId);
  }

  async function openTab(day: number): Promise<void> {
    const id = grid.addSheet(`${LONG_NAME.slice(3)}${100 + made}`, grid.sheets().length + 1);
    const count = Math.min(TAB_ROWS_MAX, Math.ceil(rows / 50), spare.length);
    made += 1;
    grid.write(id, 1, 1, [['商'.repeat(55)], ...spare.slice(0, count).map((asin) => [asin])]);
    tabs.push({ id, day });
    await books.elsewhere(() => run(anyone(), id));
  }

  const replaceRow = () => {
    const sheetId = lists[LIVELY] ?? 0;
    const asin = random.pick(spare);
    books.keeps(asin, LISTS[LIVELY]?.maxAgeHours ?? 0);
    const row = random.integer(2, Math.max(2, grid.size(sheetId).lastRow));
    const contents = [[asin, `note of ${asin}`]];
    host.act({ do: 'edit', sheetId, row, column: 1, contents }, { documentId: TEAM });
  };
  const moveRows = () => {
    const sheetId = lists[LIVELY] ?? 0;
    const first = random.integer(2, Math.max(2, grid.size(sheetId).lastRow));
    const what = random.chance(0.5) ? 'insertRows' : 'deleteRows';
    host.act({ do: what, sheetId, first, count: 1 }, { documentId: TEAM });
  };
  const acts: readonly (() => void | Promise<void>)[] = [
    replaceRow,
    moveRows,
    () => {
      const who = anyone();
      for (const method of ['list.look', 'schedule.look', 'connection.status'] as const)
        rpc(who, method);
      rpc(who, 'schedule.history');
    },
    () => run(anyone(), lists[LIVELY] ?? 0),
    () => {
      for (const isOn of [false, true])
        rpc(LISTS[LIVELY]?.by ?? 0, 'schedule.switch', { id: `list-${LIVELY}`, isOn });
    },
  ];

  async function morning(day: number): Promise<void> {
    for (let at = 0; at < WITH_KEYS.length; at += 1)
      if (day > 0 && (day + at) % KEY_DAYS === 0) give(WITH_KEYS[at] ?? 0, 1 + day);
    while (made < Math.min(SHORT_TABS, Math.ceil((SHORT_TABS * (day + 1)) / days)))
      await openTab(day);
    for (const tab of tabs.filter((one) => one.day === day - TAB_DAYS))
      host.act({ do: 'deleteSheet', sheetId: tab.id }, { documentId: TEAM });
    if (day % 3 === 1) {
      const bound = (day % 100) / 100;
      save(RULED, { rules: [{ kind: 'fell-under', field: 'roi', bound }] });
    }
    // In the last days, more spreadsheets than Google allows triggers.
    while (opened < OWN_SPREADSHEETS - OWN_A_DAY * (days - 1 - day)) openOwn();
  }

  function openOwn(): void {
    const documentId = ownId(opened);
    opened += 1;
    addColumns(COLLECTOR, documentId);
    const seen = rpc(COLLECTOR, 'schedule.look', {}, documentId).value as unknown as Look;
    const settings = { ...AS_NEW, ...OWN, task: listTask(seen) };
    rpc(COLLECTOR, 'schedule.save', { id: 'own', settings }, documentId);
    rpc(COLLECTOR, 'schedule.seen', { atMs: host.nowMs() }, documentId);
  }

  return {
    async begin() {
      for (const who of WITH_KEYS) give(who, 0);
      for (const [at, list] of LISTS.entries()) {
        for (const asin of asins[at] ?? []) books.keeps(asin, list.maxAgeHours);
        show(lists[at] ?? 0);
        addColumns(list.by);
        save(at);
      }
      rpc(FORMULAS_BY, 'schedule.save', { id: 'formulas', settings: FORMULAS });
      world.recalculate();
    },
    async live(day) {
      await morning(day);
      const endMs = host.nowMs() + DAY_HOURS * HOUR_MS;
      const hours = Array.from({ length: ACTS_A_DAY }, () => random.integer(0, DAY_HOURS - 1));
      for (let hour = 0; hour < DAY_HOURS; hour += 1) {
        for (const _ of hours.filter((one) => one === hour)) await random.pick(acts)();
        host.wait(Math.max(0, endMs - (DAY_HOURS - 1 - hour) * HOUR_MS - host.nowMs()));
        world.recalculate();
      }
    },
  };
}
