// Every schedule's rules are judged on what has changed since it last told, whoever has fetched it.

import { afterEach, expect, it } from '@jest/globals';
import { ASINS, granted, startJob, workOff } from '../doors/bulk-list';
import { analyze, decide } from '../doors/deal-list';
import {
  analyzedWorld,
  digestOf,
  GOOD,
  type Scheduled,
  schedule,
  scheduledWorld,
} from '../doors/schedule-list';
import { BASE_URL, EDITOR } from '../doors/world';

const DAY_HOURS = 24;
const OWN_HOUR = 6;
const FELL = { rules: [{ kind: 'fell-under', field: 'profit', bound: 5 }] };
const FALLEN = { ...GOOD, profit: 1.9 };

let world: Scheduled;
afterEach(() => world.stop());

const mark = (asin: string) => world.shownOf(asin)['What changed'];

/** A person asks for one product again, on the List page. */
async function askAgain(asin: string): Promise<void> {
  const again = { rows: { kind: 'product', product: `${asin}|US` } };
  expect(await workOff(world, await startJob(world, again))).toMatchObject({ state: 'done' });
}

it('a product that is not found for a day and comes back for less is a fall', async () => {
  world = await scheduledWorld(FELL, { count: 3 });
  const [a = ''] = world.asins;
  world.sent[a] = null;
  await world.pass(DAY_HOURS);
  expect(world.shownOf(a)).toMatchObject({ 'Analysis status': 'Not found', Profit: '' });
  world.sent[a] = FALLEN;
  await world.pass(DAY_HOURS);
  expect(mark(a)).toMatch(/^Profit fell under 5 · Wed, Jan 7, /);
  expect(world.logged()).toEqual([[a, 'US', 'Profit', 6, 1.9, 'Profit fell under 5']]);
});

it('and is logged as one where nobody has rules', async () => {
  world = await scheduledWorld({}, { count: 2 });
  const [a = ''] = world.asins;
  world.sent[a] = null;
  await world.pass(DAY_HOURS);
  world.sent[a] = FALLEN;
  await world.pass(DAY_HOURS);
  expect(world.logged()).toEqual([[a, 'US', 'Profit', 6, 1.9, '']]);
});

it("a person's own run takes nothing away", async () => {
  world = await scheduledWorld(FELL, { count: 3 });
  const [a = '', b = ''] = world.asins;
  await world.pass(DAY_HOURS);
  world.sent[a] = FALLEN;
  world.sent[b] = FALLEN;
  await askAgain(a);
  // It went up again before the schedule came.
  await askAgain(b);
  world.sent[b] = GOOD;
  await askAgain(b);
  await world.pass(DAY_HOURS);
  expect(mark(a)).toMatch(/^Profit fell under 5 · Wed, Jan 7, /);
  expect(mark(b)).toBe('');
  expect(await digestOf(world)).toMatchObject({
    marked: [{ rule: 'Profit fell under 5', count: 1 }],
  });
  const lines = world.logged();
  await world.pass(DAY_HOURS);
  expect(world.logged()).toEqual(lines);
});

it('two schedules over one list are each told what is news to them, and nobody the same twice', async () => {
  const [a = '', b = ''] = ASINS;
  world = await scheduledWorld(FELL, { count: 3 });
  const rules = [{ kind: 'fell-under', field: 'profit', bound: 3 }, ...FELL.rules];
  await schedule(world, 's2', {}, { rules, recurrence: { kind: 'daily', hour: 7 } });
  await world.pass(DAY_HOURS);
  world.sent[a] = FALLEN;
  world.sent[b] = { ...GOOD, profit: 4 };
  await world.pass(DAY_HOURS);
  const marked = (world.logged() ?? []).filter((line) => line[5] !== '');
  expect(marked).toHaveLength(3);
  expect(marked).toEqual(
    expect.arrayContaining([
      [a, 'US', 'Profit', 6, 1.9, 'Profit fell under 5'],
      [a, 'US', 'Profit', 6, 1.9, 'Profit fell under 3; Profit fell under 5'],
      [b, 'US', 'Profit', 6, 4, 'Profit fell under 5'],
    ]),
  );
});

it("two people's schedules over one list, each with a key of their own, take nothing from each other", async () => {
  world = await scheduledWorld(FELL, { count: 2 });
  const [a = '', b = ''] = world.asins;
  const theirs = { baseUrl: BASE_URL, apiKey: 'demo-key-20-per-second', quota: null };
  granted(await world.rpc('connection.save', { ...theirs, sharing: 'me' }, EDITOR));
  const under3 = { rules: [{ kind: 'fell-under', field: 'profit', bound: 3 }] };
  const daily = { kind: 'daily', hour: OWN_HOUR + 1 };
  await schedule(world, 's2', {}, { ...under3, recurrence: daily }, EDITOR);
  await world.pass(DAY_HOURS);
  const calls = world.callsOf(a);
  while (world.callsOf(a) === calls) await world.pass(1);
  // The one has come in this hour, the other comes in the next.
  world.sent[a] = { ...GOOD, profit: 4 };
  world.sent[b] = FALLEN;
  await world.pass(2);
  const marked = () => (world.logged() ?? []).filter((line) => line[5] !== '');
  expect(marked()).toEqual([[b, 'US', 'Profit', 6, 1.9, 'Profit fell under 3']]);
  world.sent[a] = FALLEN;
  await world.pass(DAY_HOURS);
  expect(marked()).toHaveLength(4);
  expect(marked()).toEqual(
    expect.arrayContaining([
      [a, 'US', 'Profit', 6, 1.9, 'Profit fell under 5'],
      [b, 'US', 'Profit', 6, 1.9, 'Profit fell under 5'],
      [a, 'US', 'Profit', 4, 1.9, 'Profit fell under 3'],
    ]),
  );
  const lines = world.logged();
  await world.pass(DAY_HOURS);
  expect(world.logged()).toEqual(lines);
});

it('what became a Buy in a run of a person is told by the schedule', async () => {
  const [a = '', b = ''] = ASINS;
  const rows = [
    ['ASIN', 'Cost'],
    [a, 9],
    [b, 19],
  ];
  const good = { profit: 6, roi: 0.6, fees: 4, sell_price: 20, eligible: true, rank_drops_30d: 30 };
  world = await analyzedWorld({ rows, count: 0 });
  for (const asin of [a, b]) world.sent[asin] = { ...good, profit: 1.9, sell_price: 15.9 };
  await world.pass(7);
  await analyze(world, {
    fields: ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'],
  });
  granted(await decide(world));
  await schedule(world, 's1', {}, { rules: [{ kind: 'became-buy' }] });
  await world.pass(DAY_HOURS);
  world.sent[a] = good;
  await askAgain(a);
  expect(world.shownOf(a)).toMatchObject({ Verdict: 'Buy' });
  // That a person pays less is no news to them.
  const grid = world.sheet.grid;
  grid.write(world.sheet.id, 3, 2, [[1]]);
  await world.pass(DAY_HOURS);
  expect(world.shownOf(b)).toMatchObject({ Verdict: 'Buy' });
  const bought = (world.logged() ?? []).filter(([, , figure]) => figure === 'Verdict');
  expect(bought).toEqual([[a, 'US', 'Verdict', 'Maybe', 'Buy', 'Now a Buy']]);
  expect(mark(a)).toMatch(/^Now a Buy/);
});
