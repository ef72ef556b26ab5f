// A row of the Analysis tab is of the account with whose key it was fetched. Another account is sent other
// figures: what one may sell, the other may not.

import { afterEach, expect, test } from '@jest/globals';
import { rowOfRecord } from '../../src/analysis/row-record';
import { ASINS, granted, preview, runAll, startJob, workOff } from '../doors/bulk-list';
import { analyzedWorld, GOOD, type Scheduled, scheduledWorld } from '../doors/schedule-list';
import { BASE_URL, EDITOR } from '../doors/world';

const COUNT = 3;
const DAY_HOURS = 24;
const THEIR_KEY = 'demo-key-20-per-second';

let world: Scheduled;
afterEach(() => world.stop());

/** From now on the service sends this of every product. */
function send(figures: object): void {
  for (const asin of world.asins) world.sent[asin] = figures;
}

const connectTheirs = async () => granted(await world.rpc('connection.save', THEIRS, EDITOR));
const THEIRS = { baseUrl: BASE_URL, apiKey: THEIR_KEY, quota: null, sharing: 'me' };

/** A colleague's account may sell none of them, and their run asks for all. */
async function colleagueRuns(): Promise<void> {
  send({ ...GOOD, eligible: false });
  const end = await workOff(world, await startJob(world, {}, EDITOR), { user: EDITOR });
  expect(end).toMatchObject({ state: 'done' });
  send(GOOD);
}

const eligible = () => world.tab().map((row) => row.Eligible);
const fetchedWith = () =>
  new Set(world.tab().map(({ Record }) => rowOfRecord(String(Record))?.fetchedWith));

test("a colleague's figures are not fresh for the owner, who gets their own", async () => {
  world = await analyzedWorld({ count: COUNT });
  const [own] = fetchedWith();
  expect(own).toMatch(/^key [0-9a-z]{7}$/);
  await connectTheirs();
  await world.pass(1);
  await colleagueRuns();
  expect(eligible()).toEqual(ASINS.slice(0, COUNT).map(() => 'No'));
  expect(fetchedWith()).not.toContain(own);
  // Another hour than that of their own answers in the cache.
  await world.pass(6);
  expect(await preview(world)).toMatchObject({ calls: COUNT });
  await runAll(world);
  expect(eligible()).toEqual(ASINS.slice(0, COUNT).map(() => 'Yes'));
  expect([...fetchedWith()]).toEqual([own]);
});

test('three nights of two accounts over one list log nothing, because nothing has changed', async () => {
  world = await scheduledWorld({ rules: [{ kind: 'became-eligible' }] }, { count: COUNT });
  await connectTheirs();
  for (let night = 0; night < 3; night += 1) {
    await world.pass(1);
    await colleagueRuns();
    await world.pass(DAY_HOURS - 1);
    expect(eligible()).toEqual(ASINS.slice(0, COUNT).map(() => 'Yes'));
  }
  expect(world.logged()).toBeNull();
});
