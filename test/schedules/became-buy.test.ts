// A schedule that tells what a list with the seller's own costs calls a Buy now.

import { afterEach, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host';
import { ASINS, granted } from '../doors/bulk-list';
import { analyze, decide } from '../doors/deal-list';
import { analyzedWorld, digestOf, type Scheduled, schedule } from '../doors/schedule-list';

const DAY_HOURS = 24;
const [A = '', B = '', C = ''] = ASINS;
const FAIR = 9;
const DEAR = 15;

const GOOD = { profit: 6, roi: 0.6, fees: 4, sell_price: 20, eligible: true, rank_drops_30d: 30 };
const POOR = { ...GOOD, profit: 1.9, roi: 0.19, sell_price: 15.9 };

let world: Scheduled;
afterEach(() => world.stop());

const verdicts = () => [A, B, C].map((asin) => world.shownOf(asin).Verdict);
const marks = () => [A, B, C].map((asin) => world.shownOf(asin)['What changed']);

async function decidedList(host: Partial<HostOptions> = {}): Promise<void> {
  const rows = [
    ['ASIN', 'Cost'],
    [A, FAIR],
    [B, DEAR],
    [C, FAIR],
  ];
  world = await analyzedWorld({ rows, count: 0, host });
  for (const asin of [A, B, C]) world.sent[asin] = POOR;
  await world.pass(7);
  const fields = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
  await analyze(world, { fields });
  granted(await decide(world));
  await schedule(world, 's1', {}, { maxAgeHours: 10, rules: [{ kind: 'became-buy' }] });
}

it('what became a Buy is marked, logged and named; what is dear, or was one, is not', async () => {
  await decidedList();
  expect(verdicts()).toEqual(['Maybe', 'Skip', 'Maybe']);
  for (const asin of [A, B]) world.sent[asin] = GOOD;
  await world.pass(DAY_HOURS);
  expect(verdicts()).toEqual(['Buy', 'Skip', 'Maybe']);
  expect(marks().map((text) => String(text).slice(0, 9))).toEqual(['Now a Buy', '', '']);
  expect(world.logged()).toContainEqual([A, 'US', 'Verdict', 'Maybe', 'Buy', 'Now a Buy']);
  expect(await digestOf(world)).toMatchObject({
    marked: [{ rule: 'Now a Buy', count: 1 }],
    buys: [`${A} US, was Maybe`],
  });
  const lines = world.logged()?.length;
  await world.pass(DAY_HOURS);
  expect(world.logged()).toHaveLength(lines ?? 0);
});

it('a product that was no Buy only because its figures were old is not named', async () => {
  await decidedList();
  world.sent[A] = GOOD;
  await world.pass(DAY_HOURS);
  const bought = () => (world.logged() ?? []).filter(([, , figure]) => figure === 'Verdict');
  expect(bought()).toHaveLength(1);
  granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
  await world.pass(9 * DAY_HOURS);
  // An edit works out anew what time it is.
  const edit = { do: 'edit', sheetId: world.sheet.id, row: 20, column: 2 } as const;
  world.people({ ...edit, contents: [['x']] });
  expect(world.shownOf(A)).toMatchObject({ Verdict: 'Maybe' });
  // It is refreshed with other figures, by which it was a Buy all the time.
  world.sent[A] = { ...GOOD, profit: 6.5, sell_price: 20.5 };
  granted(await world.rpc('schedule.switch', { id: 's1', isOn: true }));
  await world.pass(DAY_HOURS);
  expect(world.shownOf(A)).toMatchObject({ Verdict: 'Buy' });
  expect(bought()).toHaveLength(1);
});

it('rows that move while a list is asked for are read where they are by then', async () => {
  let isWatched = false;
  const betweenCalls: HostOptions['betweenCalls'] = ({ operation }) => {
    if (!isWatched || operation !== 'urlFetch.fetchAll') return [];
    isWatched = false;
    return [{ do: 'insertRows', sheetId: world.sheet.id, first: 2, count: 1 }];
  };
  await decidedList({ betweenCalls });
  for (const asin of [A, B]) world.sent[asin] = GOOD;
  isWatched = true;
  await world.pass(DAY_HOURS);
  const verdictsLogged = (world.logged() ?? []).filter(([, , figure]) => figure === 'Verdict');
  expect(verdictsLogged).toEqual([[A, 'US', 'Verdict', 'Maybe', 'Buy', 'Now a Buy']]);
});

it('rows that move while verdicts are read are read again', async () => {
  let readsLeft = Number.POSITIVE_INFINITY;
  let acts = 0;
  const betweenCalls: HostOptions['betweenCalls'] = ({ operation }) => {
    if (!/getValues$/.test(operation)) return [];
    readsLeft -= 1;
    if (readsLeft !== 0) return [];
    acts += 1;
    return [{ do: 'insertRows', sheetId: world.sheet.id, first: 2, count: 1 }];
  };
  await decidedList({ betweenCalls });
  const bought = () => (world.logged() ?? []).filter(([, , figure]) => figure === 'Verdict').length;
  // The reads around the one by which verdicts are compared with the products beside them.
  for (let at = 1; at <= 4; at += 1) {
    world.sent[A] = GOOD;
    readsLeft = 23 + at;
    await world.pass(DAY_HOURS);
    readsLeft = Number.POSITIVE_INFINITY;
    expect([at, bought()]).toEqual([at, at]);
    world.sent[A] = POOR;
    await world.pass(DAY_HOURS);
  }
  expect(acts).toBe(4);
});
