// A schedule over formulas that somebody puts an end to while its run is under way: it makes no more calls.

import { afterEach, expect, it } from '@jest/globals';
import { granted, SANDBOX, US_ASINS } from './bulk-list';
import { type FormulaWorld, formulaWorld, STAMP, withoutMoment } from './formulas-list';
import { history, pass } from './schedule-list';

const ASINS = US_ASINS.slice(300, 800);
const SETTINGS = { recurrence: { kind: 'hourly' }, maxAgeHours: 20, callsPerHour: null };
const FORMULAS = { ...SETTINGS, task: { kind: 'formulas' }, quiet: null, rules: [] };

/** What a wave or two may still bring: somebody is heard every few seconds, at five calls a second. */
const CALLS_MORE = 50;

let world: FormulaWorld;
afterEach(() => world.stop());

async function made(): Promise<void> {
  const rows = ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of")`]);
  world = formulaWorld([['ASIN', 'As of'], ...rows], { sandbox: SANDBOX });
  await world.connect();
  granted(await world.rpc('schedule.save', { id: 's1', settings: FORMULAS }));
}

/** The clock is at work on 500 formulas, and has begun to ask. */
async function begun(): Promise<number> {
  await made();
  while (world.service().arrived < 20) await world.host.run(world.host.nowMs() + 10_000);
  return world.service().arrived;
}

const stamped = () =>
  world.formulas(2, ASINS.length).filter((formula) => withoutMoment(formula).includes(STAMP));

it.each<[string, string, object]>([
  ['switched off', 'schedule.switch', { isOn: false }],
  ['removed', 'schedule.remove', {}],
  [
    'given other hours',
    'schedule.save',
    { settings: { ...FORMULAS, recurrence: { kind: 'monthly', hour: 3, day: 1 } } },
  ],
])('one that is %s', async (_, method, payload) => {
  const arrived = await begun();
  granted(await world.rpc(method, { id: 's1', ...payload }));
  await pass(world, 3);
  expect(world.service().arrived).toBeLessThan(arrived + CALLS_MORE);
  // Answers that came before are kept for their cells, which were not made to recalculate any more.
  expect(stamped()).toEqual([]);
});

it('one that is run by hand and switched on meanwhile goes on', async () => {
  await made();
  granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
  const args = ['schedule.run', { id: 's1', maxMs: 300_000 }];
  void world.host.start({ functionName: 'rpc', args, door: 'sidebar' });
  await world.host.run(world.host.nowMs() + 20_000);
  granted(await world.rpc('schedule.switch', { id: 's1', isOn: true }));
  await pass(world, 0.2);
  expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: ASINS.length }]);
});
