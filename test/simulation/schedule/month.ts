// Plays one month of schedules: lets time pass, does what the plan says, and keeps a record for the
// laws.

import { plannedFaults } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import type { Firing } from 'apps-script-host/inline/inline-host';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { ListTask, ScheduleSettings } from '../../../src/schedules/schedule';
import { createCalendar } from './calendar';
import { CELL_AGE_MS, createCells, settingsOf } from './cells';
import { createCopies } from './copies';
import { brokenLaws } from './laws';
import { repeatsIn } from './laws/calls';
import {
  type Happening,
  isIn,
  type MonthPlan,
  type PlannedSchedule,
  planMonth,
} from './month-plan';
import { ASINS, connect, createMonthWorld, EDITOR, OWNER } from './month-world';
import { createPeople } from './people';
import { isFree, isFull, type Stand } from './record';
import { createRecorder } from './recorder';
import { apartOf, createSecondTab } from './second-tab';
import { ownRun, suggestionOf } from './sidebar';

export interface MonthReport {
  readonly name: string;
  readonly wrongs: readonly string[];
  readonly repeated: number;
  readonly firings: number;
  readonly calls: number;
  /** The number of lines in the change log: without any, its laws say nothing. */
  readonly changes: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * What only one execution knows: answers reach the cache about sixty at a time, or with a write
 * every 20 s, and a wave is under way.
 */
const UNSAVED_MAX = 60;
const UNSAVED_SECONDS = 21;

const SLICE_MS = 300_000;

/** Often enough that the look after a run that was cut off comes before the next firing. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;

/** The permission that a person revokes: calling external services. */
const CALLING = 'https://www.googleapis.com/auth/script.external_request';

/** The service calls of a long firing. */
const CALLS_MAX = 600;

/**
 * A single fault costs a firing nothing. If two come in a row it may be unable to recover and
 * leaves work for the next firing. Two faults count as in a row if the second one occurs while the
 * call of the first is repeated, possibly at another operation of that call: its state is asked
 * for, which takes up to a second, followed by a pause of about 400 ms.
 */
const IN_A_ROW_MS = 2_000;

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
  const schedules = new Map<string, Stand>();
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
      const acts = isFiring ? (tab?.amidFiring() ?? []) : [];
      if (acts.length > 0) return acts;
      if (!isFiring || plan.actShare === 0 || !random.chance(plan.actShare)) return [];
      actsNow += 1;
      return people.next(world.grid);
    },
    onFiring,
    onFired,
    onFault: () => faultsMs.push(host.nowMs()),
  });
  const { host } = world;
  const callsPerSecond = plan.quota.calls / plan.quota.perSeconds;
  const copies = createCopies(world, plan.copies);
  const cells = plan.cells && createCells(world, plan.cells);
  const tab = plan.secondTab && createSecondTab(world, plan.secondTab);
  const recorder = createRecorder({ plan, world, people, schedules });

  function onFiring(execution: Execution): Execution {
    recorder.strikes();
    cells?.strikes();
    tab?.strikes();
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
    const work = recorder.fired(firing, { isMoved: actsNow > 0, isHit: isHit(faultsMs) });
    tab?.fired(work !== null && isFree(work) && !isFull(work));
  }

  /** Earlier occurrences no longer count. */
  function save(id: string, settings: ScheduleSettings): void {
    const { failure } = world.rpc('schedule.save', { id, settings });
    if (failure !== undefined) throw new Error(`Not saved: ${failure.message}`);
    const isOn = schedules.get(id)?.isOn ?? true;
    schedules.set(id, { id, settings, isOn, sinceMs: host.nowMs() });
  }

  function make({ rows, order, ...others }: PlannedSchedule, at: number): void {
    const suggestion = suggestionOf(world);
    const task = { ...(suggestion.task as ListTask), rows, order };
    save(`s${at}`, { ...suggestion, ...others, task, rules: [] });
  }

  const anyOne = () => random.pick([...schedules.values()]);

  const does: Readonly<Record<Happening['what'], () => void>> = {
    act: () => {
      for (const act of people.next(world.grid)) host.act(act, { documentId: 'sheet-1' });
    },
    'own run': () => recorder.ownRun(() => ownRun(world, Number.POSITIVE_INFINITY)),
    'abandoned run': () => {
      recorder.isLeft();
      ownRun(world, random.integer(0, 10) * 1_000);
      recorder.isLeft();
    },
    'run now': () => {
      const { id } = anyOne();
      recorder.byHand(id, () => world.rpc('schedule.run', { id, maxMs: SLICE_MS }));
    },
    switch: () => {
      const one = anyOne();
      const isOn = !one.isOn;
      schedules.set(one.id, { ...one, isOn, sinceMs: host.nowMs() });
      world.rpc('schedule.switch', { id: one.id, isOn });
    },
    'save again': () => {
      const { id, settings } = anyOne();
      save(id, settings);
    },
  };

  function decide(atMs: number): void {
    const isRevoked = isIn(plan.revoked, atMs);
    recorder.revoked(isRevoked);
    consents[OWNER] = isRevoked ? scopes.filter((scope) => scope !== CALLING) : scopes;
  }

  function enable(): void {
    for (const who of [OWNER, EDITOR]) recorder.look(who);
    host.stores.triggers.enable(OWNER);
  }

  function waitUntil(atMs: number): void {
    while (host.nowMs() < atMs) {
      host.wait(Math.min(LOOK_EVERY_MS, atMs - host.nowMs()));
      copies.untilNow();
      cells?.untilNow();
      tab?.untilNow();
      recorder.lookIfNews();
    }
  }

  function play(): MonthReport {
    connect(world, plan.quota, plan.cells?.perDay ?? null);
    plan.schedules.forEach(make);
    tab?.make();
    if (plan.cells?.schedule) {
      const settings = settingsOf(plan.cells.schedule);
      world.rpc('schedule.save', { id: 'formulas', settings });
    }
    const events = [
      ...plan.happenings.map(({ atMs, what }) => ({ atMs, act: does[what] })),
      ...plan.revoked
        .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
        .map((atMs) => ({ atMs, act: () => decide(atMs) })),
      ...plan.disabled.flatMap(({ fromMs, toMs }) => [
        { atMs: fromMs, act: () => host.stores.triggers.disable(OWNER) },
        { atMs: toMs, act: enable },
      ]),
    ];
    for (const { atMs, act } of events.sort((one, other) => one.atMs - other.atMs)) {
      if (atMs > plan.endMs) break;
      waitUntil(atMs);
      recorder.acts();
      act();
    }
    waitUntil(plan.endMs);
    const record = recorder.record({
      calendar: createCalendar(plan.timeZone, plan.startMs, plan.endMs + DAY_MS),
      callsPerSecond,
      apart: new Map([
        ...(plan.cells?.asins.map((asin) => [asin, CELL_AGE_MS] as const) ?? []),
        ...(plan.secondTab ? apartOf(plan.secondTab) : []),
      ]),
      unsavedMax:
        Math.min(UNSAVED_MAX, Math.ceil(UNSAVED_SECONDS * callsPerSecond)) + plan.quota.burst,
    });
    return {
      name: `month ${seed}`,
      wrongs: [
        ...brokenLaws(record),
        ...copies.wrongs(),
        ...(cells?.wrongs() ?? []),
        ...(tab?.wrongs() ?? []),
      ],
      repeated: repeatsIn(record).repeated,
      firings: record.works.filter(({ byHand }) => byHand === null).length,
      calls: world.calls.length,
      changes: record.works.reduce((sum, { lines }) => sum + lines.length, 0),
    };
  }

  return { play };
}
