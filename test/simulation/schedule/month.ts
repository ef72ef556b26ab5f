// Plays one month of schedules: lets time pass, does what the plan says, and has every firing judged.

import type { Execution, HostOptions } from '../../../playground/host/host-contract';
import { createRandom, type Random, seedFrom } from '../../../playground/random';
import type { ListTask, ScheduleSettings } from '../../../src/sidebar/schedule-contract';
import type { Firing } from '../inline-host';
import { createCalendar } from './calendar';
import {
  type Happening,
  isIn,
  type MonthPlan,
  type PlannedSchedule,
  planMonth,
} from './month-plan';
import { ASINS, connect, createMonthWorld, EDITOR, OWNER } from './month-world';
import { createOracle } from './oracle';
import { createPeople } from './people';
import type { LiveSchedule } from './rules';
import { isRunInTheWay, isTold, ownRun, suggestionOf } from './sidebar';

export interface MonthReport {
  readonly name: string;
  readonly wrongs: readonly string[];
  readonly repeated: number;
  readonly firings: number;
  readonly calls: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What comes between two writes, which are 6 s and a wave apart. */
const CHUNK_SECONDS = 9;

/** An outage that ended a moment ago may have left calls that are still tried again. */
const AFTERMATH_MS = 2 * MINUTE_MS;

const SLICE_MS = 300_000;

/** A clock that has not struck for so long is broken. */
const SILENCE_MS = 5 * 60 * MINUTE_MS;

/** The permission that a person takes back: to call services elsewhere. */
const CALLING = 'https://www.googleapis.com/auth/script.external_request';

export function playMonth(dist: HostOptions['dist'], seed: number, days: number): MonthReport {
  const random = createRandom(seedFrom(seed, 'month'));
  return createMonth(dist, seed, planMonth(random, days), random).play();
}

function createMonth(dist: HostOptions['dist'], seed: number, plan: MonthPlan, random: Random) {
  const asins = ASINS.slice(0, plan.rows);
  const people = createPeople(random, asins, ASINS.slice(plan.rows - 10, plan.rows + 200));
  const consents: Record<string, readonly string[]> = {};
  const scopes = (JSON.parse(dist.manifest) as { oauthScopes: readonly string[] }).oauthScopes;
  const schedules: LiveSchedule[] = [];
  const runs: { readonly startedMs: number; readonly tookMs: number }[] = [];
  let firings = 0;
  let actsNow = 0;
  let hasLeftover = false;
  let isFiring = false;

  const world = createMonthWorld({
    ...{ dist, seed, asins, consents },
    startMs: plan.startMs,
    timeZone: plan.timeZone,
    isStarred: (place) => place % 5 === 0,
    quota: plan.quota,
    outages: plan.outages,
    firings: plan.firings,
    betweenCalls: () => {
      if (!isFiring || plan.actShare === 0 || !random.chance(plan.actShare)) return [];
      actsNow += 1;
      return people.next(world.grid);
    },
    onFiring,
    onFired,
  });
  const { host } = world;
  const calendar = createCalendar(plan.timeZone, plan.startMs, plan.endMs + DAY_MS);
  const oracle = createOracle({
    ...{ world, calendar, schedules },
    chunkCalls: CHUNK_SECONDS * plan.quota.calls,
    typed: people.typed,
  });

  function onFiring(execution: Execution): Execution {
    oracle.before();
    isFiring = true;
    actsNow = 0;
    const isKilled = random.chance(plan.killShare);
    const killAtCall = random.integer(1, random.chance(0.5) ? 12 : 250);
    const isBlind = isIn(plan.blind, host.nowMs());
    return {
      ...execution,
      ...(isKilled ? (random.chance(0.5) ? { killAtCall } : { killAfterCall: killAtCall }) : {}),
      ...(isBlind ? { documentId: null } : {}),
    };
  }

  function onFired(firing: Firing): void {
    isFiring = false;
    firings += 1;
    const { startedMs, execution, end } = firing;
    const nowMs = host.nowMs();
    const dayMs = runs.filter((run) => run.startedMs > startedMs - DAY_MS);
    const runMs = dayMs.reduce((sum, { tookMs }) => sum + tookMs, 0);
    const trouble = troubleAt(startedMs, nowMs, execution);
    oracle.after(firing, {
      isKilled: end?.ended === 'killed',
      ...{ trouble, hasLeftover, runMs },
      isMoved: actsNow > 0,
    });
    runs.push({ startedMs, tookMs: nowMs - startedMs });
    if (end?.ended === 'returned' && trouble === null) hasLeftover = false;
    if (trouble !== null && end?.ended === 'returned' && oracle.owed() > 0)
      checkTold(trouble, nowMs);
  }

  function troubleAt(fromMs: number, toMs: number, { documentId }: Execution): string | null {
    if (documentId === null) return 'no spreadsheet';
    if (isIn(plan.revoked, fromMs, toMs)) return 'no permission';
    if (isIn(plan.outages, fromMs - AFTERMATH_MS, toMs)) return 'service down';
    return oracle.hasMarks() && isRunInTheWay(world) ? 'a run in the way' : null;
  }

  function checkTold(trouble: string, nowMs: number, who = OWNER): void {
    if (!isTold(world, who)) wrong(nowMs, `${who} is not told of: ${trouble}`);
  }

  const wrong = (atMs: number, text: string) =>
    (oracle.wrongs as string[]).push(`${new Date(atMs).toISOString().slice(0, 16)} ${text}`);

  function save(schedule: LiveSchedule): void {
    const { id, settings } = schedule;
    const { failure } = world.rpc('schedule.save', { id, settings });
    if (failure !== undefined) wrong(host.nowMs(), `not saved: ${failure.message}`);
    begunAnew(schedule);
  }

  /** What came round before is forgotten. */
  function begunAnew(schedule: LiveSchedule): void {
    Object.assign(schedule, { sinceMs: host.nowMs(), byHandMs: 0, throughMs: null, restsMs: null });
  }

  function make(planned: PlannedSchedule, at: number): void {
    const suggestion = suggestionOf(world);
    const { rows, order, ...others } = planned;
    const task = { ...(suggestion.task as ListTask), rows, order };
    const settings: ScheduleSettings = { ...suggestion, ...others, task, rules: [] };
    const schedule = {
      id: `s${at}`,
      settings,
      isOn: true,
      sinceMs: 0,
      byHandMs: 0,
      throughMs: null,
      restsMs: null,
    };
    schedules.push(schedule);
    save(schedule);
  }

  const does: Readonly<Record<Happening['what'], () => void>> = {
    act: () => {
      for (const act of people.next(world.grid)) host.act(act, { documentId: 'sheet-1' });
    },
    'own run': () => {
      ownRun(world, Number.POSITIVE_INFINITY);
      // One that the service held up is gone on with by the clock.
      if (isRunInTheWay(world)) hasLeftover = true;
    },
    'abandoned run': () => {
      ownRun(world, random.integer(0, 10) * 1_000);
      hasLeftover = true;
    },
    'run now': () => {
      const schedule = random.pick(schedules);
      const payload = { id: schedule.id, maxMs: SLICE_MS };
      oracle.byHand(schedule, () => world.rpc('schedule.run', payload));
    },
    switch: () => {
      const schedule = random.pick(schedules);
      schedule.isOn = !schedule.isOn;
      begunAnew(schedule);
      world.rpc('schedule.switch', { id: schedule.id, isOn: schedule.isOn });
    },
    'save again': () => save(random.pick(schedules)),
  };

  function decide(isRevoked: boolean): void {
    consents[OWNER] = isRevoked ? scopes.filter((scope) => scope !== CALLING) : scopes;
  }

  function play(): MonthReport {
    connect(world, plan.quota);
    plan.schedules.forEach(make);
    const events = [
      ...plan.happenings.map(({ atMs, what }) => ({ atMs, act: does[what] })),
      ...plan.revoked
        .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
        .map((atMs) => ({ atMs, act: () => decide(isIn(plan.revoked, atMs)) })),
      ...plan.disabled.flatMap(({ fromMs, toMs }) => [
        { atMs: fromMs, act: () => host.stores.triggers.disable(OWNER) },
        {
          atMs: toMs,
          act: () => {
            if (toMs - fromMs > SILENCE_MS && schedules.some(({ isOn }) => isOn))
              for (const who of [OWNER, EDITOR]) checkTold('silence', toMs, who);
            host.stores.triggers.enable(OWNER);
          },
        },
      ]),
    ];
    for (const { atMs, act } of events.sort((one, other) => one.atMs - other.atMs)) {
      if (atMs > plan.endMs) break;
      host.wait(Math.max(0, atMs - host.nowMs()));
      act();
    }
    host.wait(Math.max(0, plan.endMs - host.nowMs()));
    return {
      name: `month ${seed}`,
      wrongs: oracle.wrongs,
      repeated: oracle.repeated(),
      firings,
      calls: world.calls.length,
    };
  }

  return { play };
}
