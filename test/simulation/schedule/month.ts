// Plays one month of schedules: lets time pass, does what the plan says, and keeps a record for the
// laws.

import { plannedFaults } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import type { Firing } from 'apps-script-host/inline/inline-host';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { ListTask } from '../../../src/schedules/due';
import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { JobStatus } from '../../../src/sidebar/api/jobs';
import { isOver } from '../../../src/sidebar/page/ui/texts';
import {
  type Book,
  COLLEAGUE,
  connect,
  createBook,
  DOCUMENT,
  HEADERS,
  LIST,
  OWNER,
  rowOf,
} from '../book';
import type { Plan, WorldReport } from '../bulk';
import { createKeeper } from '../keeper';
import { figuresAreTheProducts, limitIsKept, wordsAreOurs } from '../laws';
import { analyze, createDesk } from '../page';
import { gentleActs } from '../people';
import { type LogLine, seenLog, seenRows, tabRows } from '../seen';
import { ASINS } from '../service';
import { createCalendar } from './calendar';
import { brokenLaws } from './laws';
import { type Happening, isIn, type MonthPlan, planMonth } from './plan';
import {
  type Look,
  listTask,
  type MonthRecord,
  type Seen,
  type Stand,
  type Trouble,
  type Work,
  wrongAt,
} from './record';

type Dist = HostOptions['dist'];

export interface MonthReport extends WorldReport {
  readonly firings: number;
  /** The number of lines in the change log: without any, its law says nothing. */
  readonly changes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SLICE_MS = 300_000;

/** Often enough that the look after a firing comes before the next one. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;

/** A firing that was cut off may still be at work as far as the page knows. */
const CUT_OFF_MS = 8 * MINUTE_MS;

/** An outage that has just ended may have left calls that are still being retried. */
const AFTERMATH_MS = 2 * MINUTE_MS;

/** A firing that was cut off this recently may still be at work as far as a second one knows. */
const LEFT_ALONE_MS = 3 * MINUTE_MS;

/** The permission that a person revokes: calling external services. */
const CALLING = 'https://www.googleapis.com/auth/script.external_request';

/** The service calls of a long firing. */
const CALLS_MAX = 600;

/**
 * A single fault costs a firing nothing. Two within this time may be more than it can recover from
 * at once.
 */
const IN_A_ROW_MS = 2_000;

const SECOND = 'second';
const SECOND_ASINS = ASINS.slice(-20);

export const month = (dist: Dist, seed: number, days: number): Plan => ({
  name: `month ${seed}`,
  run: () => playMonth(dist, seed, days),
});

export async function playMonth(dist: Dist, seed: number, days: number): Promise<MonthReport> {
  const random = createRandom(seedFrom(seed, 'month'));
  const plan = planMonth(random, days);
  const consents: Record<string, readonly string[]> = {};
  const stage = createStage(dist, seed, plan, random, consents);
  await stage.begin();
  await stage.live();
  return { name: `month ${seed}`, ...stage.judged() };
}

/** What was there when the clock was about to start a firing. */
interface Begun {
  readonly startedMs: number;
  readonly rows: Work['before'];
  readonly tab: Work['tabBefore'];
  readonly schedules: readonly Stand[];
  readonly calls: number;
  readonly unsent: number;
}

function createStage(
  dist: Dist,
  seed: number,
  plan: MonthPlan,
  random: Random,
  consents: Record<string, readonly string[]>,
) {
  const scopes = (JSON.parse(dist.manifest) as { oauthScopes: readonly string[] }).oauthScopes;
  const chance = createRandom(seedFrom(seed, 'faults of the month'));
  const schedules = new Map<string, Stand>();
  const works: Work[] = [];
  const looks: Seen[] = [];
  const actsMs: number[] = [];
  const wrongs: string[] = [];
  const begun: Begun[] = [];
  let log: readonly LogLine[] = [];
  let [isFiring, isMoved, isRevoked, isAtJob, hasLeftover] = [false, false, false, false, false];
  let killedMs = Number.NEGATIVE_INFINITY;
  let faultsMs: number[] = [];
  /** When somebody will look at the sidebar next. */
  let lookMs = Number.POSITIVE_INFINITY;

  const book: Book = createBook({
    ...{ dist, seed, consents },
    headers: [...HEADERS, 'Skip'],
    rows: ASINS.slice(0, plan.rows).map((asin, at) => [...rowOf(asin), at % 5 === 0 ? 'x' : '']),
    startMs: plan.startMs,
    timeZone: plan.timeZone,
    quota: plan.quota,
    outages: plan.outages,
    firings: plan.firings,
    betweenCalls: () => {
      if (!isFiring || !random.chance(plan.actShare)) return [];
      isMoved = true;
      act();
      return [];
    },
    onFiring,
    onFired,
    onFault: () => faultsMs.push(host.nowMs()),
  });
  const { host, grid, service, rpc } = book;
  const keeper = createKeeper(grid);
  const copies: { readonly grid: PlainGrid; readonly text: string }[] = [];
  const desk = createDesk(book, random);

  function act(): void {
    for (const one of gentleActs(grid, random)) keeper.act(one);
  }

  function onFiring(execution: Execution): Execution {
    keeper.check();
    begun.push({
      startedMs: host.nowMs(),
      rows: seenRows(grid, LIST),
      tab: tabRows(grid),
      schedules: [...schedules.values()],
      calls: service.calls.length,
      unsent: book.unsent(),
    });
    log = seenLog(grid);
    isFiring = true;
    isMoved = false;
    faultsMs = [];
    const killAt = random.integer(1, random.chance(0.5) ? 12 : 250);
    const isKilled = random.chance(plan.killShare);
    return {
      ...execution,
      ...(isKilled
        ? random.chance(0.5)
          ? { killAtCall: killAt }
          : { killAfterCall: killAt }
        : {}),
      ...(isIn(plan.blind, host.nowMs()) ? { documentId: null } : {}),
      faults: plannedFaults(chance, plan.faults, CALLS_MAX),
    };
  }

  function onFired({ execution, startedMs, end }: Firing): void {
    isFiring = false;
    keeper.check();
    const first = begun.pop();
    if (first === undefined) return;
    const endedMs = host.nowMs();
    const ended = end?.ended ?? 'refused';
    const isHit = faultsMs.some((atMs, at) => (faultsMs[at + 1] ?? Infinity) - atMs < IN_A_ROW_MS);
    const trouble = troubleOf(execution, startedMs);
    const logs = end?.logs ?? [];
    const day = works.filter((one) => one.startedMs > startedMs - DAY_MS);
    works.push({
      ...{ startedMs, endedMs, logs, trouble, isHit, isMoved, hasLeftover },
      ended: ended === 'returned' || ended === 'killed' || ended === 'refused' ? ended : 'failed',
      schedules: first.schedules,
      before: first.rows,
      after: seenRows(grid, LIST),
      tabBefore: first.tab,
      tabAfter: tabRows(grid),
      calls: service.calls.slice(first.calls),
      unsent: book.unsent() - first.unsent,
      lines: newLines(log, seenLog(grid)),
      runMs: day.reduce((sum, one) => sum + one.endedMs - one.startedMs, 0),
    });
    wrongs.push(
      ...figuresAreTheProducts(grid, service.callsOf).map((text) => wrongAt(startedMs, text)),
    );
    if (ended === 'killed' || isHit) killedMs = endedMs;
    lookMs = endedMs + (ended === 'killed' || trouble === 'in the way' ? CUT_OFF_MS : 0);
  }

  function troubleOf({ documentId }: Execution, startedMs: number): Trouble | null {
    if (documentId === null) return 'no spreadsheet';
    if (isRevoked) return 'no permission';
    if (isIn(plan.outages, startedMs - AFTERMATH_MS, host.nowMs())) return 'service down';
    return isAtJob || startedMs - killedMs < LEFT_ALONE_MS ? 'in the way' : null;
  }

  function look(userEmail = OWNER): void {
    const { value, failure } = rpc('schedule.look', {}, {}, { userEmail });
    if (value === undefined || value === null)
      wrongs.push(wrongAt(host.nowMs(), `nobody can look: ${failure?.message}`));
    else looks.push({ atMs: host.nowMs(), userEmail, look: value as unknown as Look });
    if (hasLeftover) seeLeftover();
  }

  function seeLeftover(): void {
    const { value } = rpc('jobs.status');
    hasLeftover = value !== null && value !== undefined && !isOver(value as unknown as JobStatus);
  }

  function taskHere(): ListTask {
    const { value, failure } = rpc('schedule.look');
    if (!value) throw new Error(`Nobody can look: ${failure?.message}`);
    return listTask(value as unknown as Look);
  }

  /** Earlier occurrences no longer count. */
  function save(id: string, settings: ScheduleSettings): void {
    const { failure } = rpc('schedule.save', { id, settings });
    if (failure !== undefined) throw new Error(`Not saved: ${failure.message}`);
    const isOn = schedules.get(id)?.isOn ?? true;
    if (id !== SECOND) schedules.set(id, { id, settings, isOn, sinceMs: host.nowMs() });
  }

  /** Somebody analyzes the list, and may close the page before the end. */
  async function job(staysMs: number): Promise<void> {
    isAtJob = true;
    const page = desk.open();
    const story = analyze(page, () => false);
    if (staysMs === Infinity) await desk.until(story);
    else await desk.until(Promise.race([story, page.pause(staysMs)]));
    page.close();
    isAtJob = false;
    seeLeftover();
  }

  const anyOne = () => random.pick([...schedules.values()]);

  const does: Readonly<Record<Happening['what'], () => void | Promise<void>>> = {
    act,
    'own job': () => job(Infinity),
    'abandoned job': () => job(random.integer(1, 10) * 1_000),
    'run now': () => {
      rpc('schedule.run', { id: anyOne().id, maxMs: SLICE_MS });
    },
    switch: () => {
      const one = anyOne();
      const isOn = !one.isOn;
      schedules.set(one.id, { ...one, isOn, sinceMs: host.nowMs() });
      rpc('schedule.switch', { id: one.id, isOn });
    },
    'save again': () => {
      const { id, settings } = anyOne();
      save(id, settings);
    },
    'copy the tab': () => {
      if (grid.sheets().length < 8) keeper.act({ do: 'copySheet', sheetId: LIST });
    },
    'copy the spreadsheet': () => {
      const copy = { id: `copy-${copies.length}`, name: 'Copy', ownerEmail: OWNER, editors: [] };
      const made = host.copyDocument(DOCUMENT, copy, true).model as PlainGrid;
      copies.push({ grid: made, text: textOf(made) });
    },
  };

  /** A second scheduled tab, and its end. */
  const own = new Set(SECOND_ASINS.map((asin) => `${asin}|US`));
  let second: number | null = null;
  async function makeSecond(): Promise<void> {
    second = grid.addSheet(SECOND, 2);
    grid.write(second, 1, 1, [['ASIN'], ...SECOND_ASINS.map((asin) => [asin])]);
    view(second);
    await job(Infinity);
    save(SECOND, {
      ...{ task: taskHere(), recurrence: { kind: 'hourly' }, maxAgeHours: 8 },
      ...{ callsPerHour: null, quiet: null, rules: [] },
    });
    view(LIST);
  }
  const view = (sheetId: number) =>
    grid.select({ sheetId, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });

  function judgeSecond(): void {
    const { secondGoneMs } = plan;
    if (secondGoneMs === null) return;
    // Whoever sorts the Analysis tab in the second in which it is written lets a write meet another product's
    // row. Its figures are lost, so that firing asks for it once more, whatever list it was for.
    const isRowMet = (atMs: number) =>
      works.some((work) => work.isMoved && work.startedMs <= atMs && atMs <= work.endedMs);
    const call = service.calls.find(
      ({ product, atMs }) => own.has(product) && atMs > secondGoneMs + HOUR_MS && !isRowMet(atMs),
    );
    if (call !== undefined)
      wrongs.push(wrongAt(call.atMs, `${call.product} was asked for after its tab was deleted`));
    const free = works.filter(
      (work) => work.startedMs > secondGoneMs && work.ended === 'returned' && !work.trouble,
    );
    const seen = looks.at(-1)?.look.schedules.find(({ id }) => id === SECOND);
    if (free.length > 3 && seen && seen.problem === undefined)
      wrongs.push(wrongAt(plan.endMs, 'nobody is told that the second tab is gone'));
  }

  async function waitUntil(atMs: number): Promise<void> {
    while (host.nowMs() < atMs) {
      host.wait(Math.min(LOOK_EVERY_MS, atMs - host.nowMs()));
      if (host.nowMs() < lookMs) continue;
      lookMs = Infinity;
      look();
    }
  }

  function events() {
    const spells = (all: MonthPlan['revoked'], begin: () => void, end: () => void) =>
      all.flatMap(({ fromMs, toMs }) => [
        { atMs: fromMs, run: begin },
        { atMs: toMs, run: end },
      ]);
    const revoke = (isSo: boolean) => () => {
      isRevoked = isSo;
      consents[OWNER] = isSo ? scopes.filter((scope) => scope !== CALLING) : scopes;
    };
    const enable = () => {
      for (const who of [OWNER, COLLEAGUE]) look(who);
      host.stores.triggers.enable(OWNER);
    };
    return [
      ...plan.happenings.map(({ atMs, what }) => ({ atMs, run: does[what] })),
      ...spells(plan.revoked, revoke(true), revoke(false)),
      ...spells(plan.disabled, () => host.stores.triggers.disable(OWNER), enable),
      ...(plan.secondGoneMs === null
        ? []
        : [
            {
              atMs: plan.secondGoneMs,
              run: () => keeper.act({ do: 'deleteSheet', sheetId: second ?? -1 }),
            },
          ]),
    ].sort((one, other) => one.atMs - other.atMs);
  }

  return {
    async begin(): Promise<void> {
      connect(book, undefined, undefined, { quota: plan.quota });
      await job(Infinity);
      const task = taskHere();
      plan.schedules.forEach((one, at) => {
        save(`s${at}`, { ...one, task, rules: [] });
      });
      if (plan.secondGoneMs !== null) await makeSecond();
    },
    async live(): Promise<void> {
      for (const { atMs, run } of events()) {
        if (atMs > plan.endMs) break;
        await waitUntil(atMs);
        actsMs.push(host.nowMs());
        await run();
      }
      await waitUntil(plan.endMs);
    },
    judged() {
      keeper.check();
      judgeSecond();
      for (const copy of copies)
        if (textOf(copy.grid) !== copy.text) wrongs.push('a copy of the spreadsheet has changed');
      const record: MonthRecord = {
        ...{ startMs: plan.startMs, endMs: plan.endMs, disabled: plan.disabled },
        works: works.sort((one, other) => one.startedMs - other.startedMs),
        ...{ looks, actsMs, callsOf: service.callsOf, burst: plan.quota.burst },
        calendar: createCalendar(plan.timeZone, plan.startMs, plan.endMs + DAY_MS),
      };
      const told = looks.flatMap(({ look: { problem, trigger, schedules: all } }) =>
        [problem, trigger.problem, ...all.map((one) => one.problem)].flatMap((one) =>
          one === undefined ? [] : [one.message],
        ),
      );
      return {
        wrongs: [
          ...wrongs,
          ...keeper.wrongs,
          ...limitIsKept(book),
          ...wordsAreOurs(told),
          ...brokenLaws(record),
        ],
        firings: works.length,
        calls: service.calls.length,
        changes: works.reduce((sum, { lines }) => sum + lines.length, 0),
      };
    },
  };
}

/** What stands in all cells, formulas as their texts. */
function textOf(grid: PlainGrid): string {
  return JSON.stringify(
    grid.sheets().map(({ id }) => {
      const { lastRow, lastColumn } = grid.size(id);
      if (lastRow === 0) return [];
      const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
      return [grid.formulas(id, area), grid.values(id, area)];
    }),
  );
}

/** This many lines identify where the log began before. */
const ENOUGH = 50;

/** The lines added at the top; the oldest lines disappear at the end. */
function newLines(before: readonly LogLine[], after: readonly LogLine[]): readonly LogLine[] {
  const text = (lines: readonly LogLine[], from: number, count: number) =>
    JSON.stringify(lines.slice(from, from + count));
  const isRest = (at: number) => {
    const count = Math.min(ENOUGH, before.length, after.length - at);
    return text(before, 0, count) === text(after, at, count);
  };
  let count = Math.max(0, after.length - before.length);
  while (!isRest(count)) count += 1;
  return after.slice(0, count);
}
