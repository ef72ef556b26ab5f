// Plays one month of schedules: lets time pass, does what the plan says, and has every firing judged.

import { plannedFaults } from '../../../playground/host/faults';
import type { Execution, HostOptions } from '../../../playground/host/host-contract';
import { createRandom, type Random, seedFrom } from '../../../playground/random';
import type { ListTask, ScheduleSettings } from '../../../src/schedules/schedule';
import type { Firing } from '../inline-host';
import { createCalendar } from './calendar';
import {
  type Happening,
  isIn,
  type MonthPlan,
  type PlannedSchedule,
  planMonth,
} from './month-plan';
import { ASINS, connect, createMonthWorld, OWNER } from './month-world';
import { createOracle } from './oracle';
import { createPeople } from './people';
import type { LiveSchedule } from './rules';
import { ownRun, suggestionOf } from './sidebar';
import { createWatch } from './watch';

export interface MonthReport {
  readonly name: string;
  readonly wrongs: readonly string[];
  readonly repeated: number;
  readonly firings: number;
  readonly calls: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * What one execution alone knows: answers go to the cache about sixty at a time or with a write, which
 * are 20 s apart, and a wave is under way.
 */
const UNSAVED_MAX = 60;
const UNSAVED_SECONDS = 21;

const SLICE_MS = 300_000;

/** Often enough for the look after a run that was cut off to come before the next firing. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;

/** The permission that a person takes back: to call services elsewhere. */
const CALLING = 'https://www.googleapis.com/auth/script.external_request';

/** Service calls of a long firing. */
const CALLS_MAX = 600;

/**
 * One fault alone costs a firing nothing. Two in a row it may not be able to meet: then it does at the
 * next stroke what it left. In a row are those of which the second comes while the call of the first is
 * made again, be it at another operation of that call: its state is asked, then some 400 ms are waited.
 */
const IN_A_ROW_MS = 1_500;

const isHit = (faultsMs: readonly number[]): boolean =>
  faultsMs.some((atMs, at) => (faultsMs[at + 1] ?? Number.POSITIVE_INFINITY) - atMs < IN_A_ROW_MS);

export function playMonth(dist: HostOptions['dist'], seed: number, days: number): MonthReport {
  const random = createRandom(seedFrom(seed, 'month'));
  const plan = planMonth(random, createRandom(seedFrom(seed, 'more of the month')), days);
  return createMonth(dist, seed, plan, random).play();
}

function createMonth(dist: HostOptions['dist'], seed: number, plan: MonthPlan, random: Random) {
  const asins = ASINS.slice(0, plan.rows);
  const people = createPeople(random, asins, ASINS.slice(plan.rows - 10, plan.rows + 200));
  const consents: Record<string, readonly string[]> = {};
  const scopes = (JSON.parse(dist.manifest) as { oauthScopes: readonly string[] }).oauthScopes;
  const schedules: LiveSchedule[] = [];
  let actsNow = 0;
  let isFiring = false;
  let faultsMs: number[] = [];
  const chance = createRandom(seedFrom(seed, 'faults of the month'));

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
    onFault: () => faultsMs.push(host.nowMs()),
  });
  const { host } = world;
  const calendar = createCalendar(plan.timeZone, plan.startMs, plan.endMs + DAY_MS);
  const callsPerSecond = plan.quota.calls / plan.quota.perSeconds;
  const oracle = createOracle({
    ...{ world, calendar, schedules, callsPerSecond, people },
    unsavedMax:
      Math.min(UNSAVED_MAX, Math.ceil(UNSAVED_SECONDS * callsPerSecond)) + plan.quota.burst,
  });

  function onFiring(execution: Execution): Execution {
    watch.strikes();
    isFiring = true;
    actsNow = 0;
    faultsMs = [];
    const isKilled = random.chance(plan.killShare);
    const killAtCall = random.integer(1, random.chance(0.5) ? 12 : 250);
    const isBlind = isIn(plan.blind, host.nowMs());
    return {
      ...execution,
      ...(isKilled ? (random.chance(0.5) ? { killAtCall } : { killAfterCall: killAtCall }) : {}),
      ...(isBlind ? { documentId: null } : {}),
      faults: plannedFaults(chance, plan.faults, CALLS_MAX),
    };
  }

  function onFired(firing: Firing): void {
    isFiring = false;
    watch.fired(firing, actsNow > 0, isHit(faultsMs));
  }

  function save(schedule: LiveSchedule): void {
    const { id, settings } = schedule;
    const { failure } = world.rpc('schedule.save', { id, settings });
    if (failure !== undefined) oracle.tell(host.nowMs(), `not saved: ${failure.message}`);
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

  const watch = createWatch({ plan, world, oracle, schedules });

  const does: Readonly<Record<Happening['what'], () => void>> = {
    act: () => {
      for (const act of people.next(world.grid)) host.act(act, { documentId: 'sheet-1' });
    },
    'own run': () => watch.ownRun(() => ownRun(world, Number.POSITIVE_INFINITY)),
    'abandoned run': () => {
      // The clock may strike while they are still there.
      watch.isLeft();
      ownRun(world, random.integer(0, 10) * 1_000);
      watch.isLeft();
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

  function decide(atMs: number): void {
    const isRevoked = isIn(plan.revoked, atMs);
    watch.revoked(isRevoked);
    consents[OWNER] = isRevoked ? scopes.filter((scope) => scope !== CALLING) : scopes;
  }

  function enable(silentMs: number): void {
    watch.enabled(silentMs);
    host.stores.triggers.enable(OWNER);
  }

  function waitUntil(atMs: number): void {
    while (host.nowMs() < atMs) {
      host.wait(Math.min(LOOK_EVERY_MS, atMs - host.nowMs()));
      watch.look();
    }
  }

  function play(): MonthReport {
    connect(world, plan.quota);
    plan.schedules.forEach(make);
    const events = [
      ...plan.happenings.map(({ atMs, what }) => ({ atMs, act: does[what] })),
      ...plan.revoked
        .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
        .map((atMs) => ({ atMs, act: () => decide(atMs) })),
      ...plan.disabled.flatMap(({ fromMs, toMs }) => [
        { atMs: fromMs, act: () => host.stores.triggers.disable(OWNER) },
        { atMs: toMs, act: () => enable(toMs - fromMs) },
      ]),
    ];
    for (const { atMs, act } of events.sort((one, other) => one.atMs - other.atMs)) {
      if (atMs > plan.endMs) break;
      waitUntil(atMs);
      watch.forget();
      act();
    }
    waitUntil(plan.endMs);
    watch.over();
    return {
      name: `month ${seed}`,
      wrongs: oracle.wrongs,
      repeated: oracle.repeated(),
      firings: watch.firings(),
      calls: world.calls.length,
    };
  }

  return { play };
}
