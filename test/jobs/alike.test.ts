// Products in a row that all end alike: a job stops and asks, and nothing of the row is taken for a fact.

import { afterEach, describe, expect, test } from '@jest/globals';
import type { SandboxReply } from 'apps-script-host/internet/sandboxed';
import {
  ASINS,
  granted,
  type ListWorld,
  listWorld,
  runAll,
  setState,
  startJob,
  workOff,
} from '../doors/bulk-list';
import { schedule, shownNow } from '../doors/schedule-list';
import { reply } from '../doors/world';
import { sampleOf } from '../sample';

let world: ListWorld;
afterEach(async () => world.stop());

const GOOD = {
  profit: 9.85,
  roi: 0.85,
  fees: 11.6,
  buy_price: 11.5,
  sell_price: 33,
  eligible: true,
};
const ok = (asin: string) => reply(200, { asin, ...GOOD });
const NOT_FOUND = reply(404, { error: 'Product not found' });
const SILENCE: SandboxReply = { kind: 'silence' };

/** A list of products, and a service that answers for each as the test says. */
async function listAt(count: number, says: (asin: string) => SandboxReply): Promise<void> {
  world = await listWorld(ASINS.slice(0, count), { says });
}

const words = () => world.tab().map((row) => row.Status);
const count = (word: string) => words().filter((one) => one === word).length;

const SAME: readonly (readonly [string, SandboxReply])[] = [
  ['a page that is none of the service', reply(404, '<html><title>404</title></html>')],
  ['status 400', reply(400, { error: 'bad input' })],
  ['status 422', reply(422, { error: 'unprocessable' })],
  ['status 451', reply(451, { error: 'not here' })],
  ['status 500', reply(500, { error: 'crash' })],
  ['no JSON', reply(200, 'hello')],
  ['the product of somebody else', reply(200, { asin: 'B0ZZZZZZZZ', ...GOOD })],
  ['pending', reply(202, { status: 'pending' })],
];

describe('200 products that all get', () => {
  test.each(sampleOf('alike', SAME, 2))(
    '%s cost five calls, and nothing is written',
    async (_, said) => {
      await listAt(200, () => said);
      const job = await runAll(world);
      expect(job).toMatchObject({ state: 'blocked', answered: 0, failed: 0, left: 200 });
      expect(world.asked().length).toBe(5);
      expect(count('')).toBe(0);
      expect(new Set(words())).toEqual(new Set(['Waiting']));
      const { problem } = granted(await world.rpc('jobs.status'));
      expect(JSON.stringify(problem)).toMatch(/first 5 products|address/);
    },
  );
});

test('200 products of a service that is never heard of cost no wave after the other', async () => {
  await listAt(200, () => SILENCE);
  const job = await runAll(world);
  expect(job).toMatchObject({ state: 'blocked', answered: 0, failed: 0, left: 200 });
  expect(world.asked().length).toBeLessThanOrEqual(15);
});

test('nor do they where it falls silent in the middle of a run', async () => {
  let calls = 0;
  await listAt(200, (asin) => {
    calls += 1;
    return calls > 100 ? SILENCE : ok(asin);
  });
  const job = await runAll(world);
  expect(job).toMatchObject({ state: 'blocked', failed: 0 });
  expect(world.asked().length).toBeLessThanOrEqual(100 + 25);
});

describe('a service that has never answered', () => {
  const wrong = reply(404, '<html><title>404</title></html>');

  test('gets one wave of five, however many executions ask at once', async () => {
    await listAt(200, () => wrong);
    const { choice } = granted(await world.rpc('list.look'));
    const rpc = (method: string, payload: object) =>
      world.host.start({ functionName: 'rpc', args: [method, payload], door: 'sidebar' });
    const parts = [0, 5, 10, 15].map((at) => ASINS.slice(at, at + 5).map((asin) => `${asin}|US`));
    const ahead = parts.map((products) => rpc('jobs.askAhead', { products, maxMs: 4_000 }));
    const started = rpc('jobs.start', choice as object);
    await world.host.run();
    await Promise.all([...ahead, started]);
    expect(world.asked().length).toBe(5);
  });

  test('costs a formula over a list five calls, and each cell says why', async () => {
    await listAt(200, () => wrong);
    const asins = ASINS.slice(0, 200).map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', asins, 'US', 'profit');
    expect(world.asked().length).toBe(5);
    for (const [text] of value as readonly (readonly string[])[])
      expect(text).toContain('the address does not lead to the analysis service');
  });

  test('that finds nothing is asked by a formula for thirty products', async () => {
    await listAt(200, () => NOT_FOUND);
    const asins = ASINS.slice(0, 200).map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', asins, 'US', 'profit');
    expect(world.asked().length).toBe(30);
    for (const [text] of value as readonly (readonly string[])[])
      expect(text).toContain('none of the first 30 products was found on US');
  });
});

describe('a list on the wrong market', () => {
  test('is asked about after thirty that were not found, and goes on where a person says so', async () => {
    await listAt(60, () => NOT_FOUND);
    const job = await runAll(world);
    expect(job).toMatchObject({ state: 'blocked', failed: 0, left: 60 });
    expect(world.asked().length).toBe(30);
    const { problem } = granted(await world.rpc('jobs.status'));
    expect(problem).toMatchObject({
      kind: 'alike',
      message: 'None of the first 30 products was found on US.',
      action: 'Is it the right market?',
    });
    expect(count('Not found')).toBe(0);
    const end = await workOff(world, await setState(world, job.jobId, 'running'));
    expect(end).toMatchObject({ state: 'done', failed: 60, left: 0 });
    expect(world.asked().length).toBe(60);
  });

  test('of twenty ends with each of them not found', async () => {
    await listAt(20, () => NOT_FOUND);
    expect(await runAll(world)).toMatchObject({
      ...{ state: 'done', failed: 20 },
      failures: [{ kind: 'not-found', products: 20, message: 'Not found on US.' }],
    });
    expect(world.asked().length).toBe(20);
    expect(count('Not found')).toBe(20);
  });
});

describe('a row that an answer ends', () => {
  test('is believed', async () => {
    const bad = new Set(ASINS.slice(0, 4));
    await listAt(20, (asin) => (bad.has(asin) ? reply(400, { error: 'odd' }) : ok(asin)));
    expect(await runAll(world)).toMatchObject({ state: 'done', answered: 16, failed: 4 });
    expect(count('Rejected')).toBe(4);
    expect(world.asked().length).toBe(20);
  });

  test('is asked again behind the others, where it stopped the list', async () => {
    const bad = new Set(ASINS.slice(0, 8));
    await listAt(30, (asin) => (bad.has(asin) ? reply(400, { error: 'odd' }) : ok(asin)));
    const { jobId } = await runAll(world);
    expect(await workOff(world, await setState(world, jobId, 'running'))).toMatchObject({
      ...{ state: 'done', answered: 22, failed: 8 },
    });
    expect(world.asked().length).toBe(30 + 5);
  });

  test('after answers is no row: ten of a brand that is not sold to this key', async () => {
    const gated = new Set(ASINS.slice(20, 30));
    const no = reply(400, { error: 'ASIN is restricted' });
    await listAt(60, (asin) => (gated.has(asin) ? no : ok(asin)));
    const job = await runAll(world);
    expect({ ...job, calls: 0 }).toMatchObject({ state: 'done', answered: 50, failed: 10 });
  });

  test('after answers to another execution of the same run is none either', async () => {
    const no = reply(400, { error: 'ASIN is restricted' });
    const gated = new Set(ASINS.slice(10, 20));
    await listAt(30, (asin) => (gated.has(asin) ? no : ok(asin)));
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    for (const products of [queue.slice(0, 10), queue.slice(10, 20)]) {
      const asked = await world.rpc('jobs.ask', { jobId, products, maxMs: 20_000 });
      const { answers, calls } = granted(asked);
      granted(await world.rpc('jobs.record', { jobId, answers, calls }));
    }
    expect(count('Rejected')).toBe(10);
  });
});

describe('a schedule', () => {
  test('makes five calls an hour while all end alike, and refreshes the list once they do not', async () => {
    let isOdd = false;
    await listAt(60, (asin) => (isOdd ? reply(400, { error: 'bad input' }) : ok(asin)));
    expect(await runAll(world)).toMatchObject({ state: 'done', answered: 60 });
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 0.5 });
    await world.pass(1.5);
    isOdd = true;
    const before = world.asked().length;
    await world.pass(4);
    expect(world.asked().length - before).toBe(4 * 5);
    expect(count('OK')).toBe(60);
    expect(JSON.stringify(await shownNow(world))).toContain('first 5 products');

    isOdd = false;
    await world.pass(1);
    expect(await shownNow(world)).toMatchObject({ last: { outcome: 'done', refreshed: 60 } });
  });
});

test('a schedule over products that are not found any more rests after thirty of them', async () => {
  let isGone = false;
  await listAt(60, (asin) => (isGone ? NOT_FOUND : ok(asin)));
  expect(await runAll(world)).toMatchObject({ state: 'done', answered: 60 });
  await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 0.5 });
  await world.pass(1.5);
  isGone = true;
  const before = world.asked().length;
  await world.pass(1);
  expect(world.asked().length - before).toBe(30);
  expect(count('OK')).toBe(60);
  expect(JSON.stringify(await shownNow(world))).toContain('first 30 products');
});

test('what is left of a list is asked to its end, though it begins with products without an answer', async () => {
  const silent = new Set(ASINS.slice(0, 2));
  const late = new Set(ASINS.slice(2, 4));
  let [isLate, calls] = [true, 0];
  await listAt(12, (asin) => {
    calls += 1;
    if (isLate && late.has(asin)) return reply(500, {});
    return silent.has(asin) && calls <= 100 ? SILENCE : ok(asin);
  });
  expect(await runAll(world)).toMatchObject({ state: 'done', answered: 8, failed: 4 });
  [isLate, calls] = [false, 0];
  expect(await runAll(world)).toMatchObject({ state: 'done', failed: 2 });
  expect(calls).toBeLessThanOrEqual(8);
});

test('a schedule whose first products are rejected asks for the others in its next hour', async () => {
  const bad = new Set(ASINS.slice(0, 8));
  let isOdd = false;
  await listAt(30, (asin) => (isOdd && bad.has(asin) ? reply(400, { error: 'odd' }) : ok(asin)));
  expect(await runAll(world)).toMatchObject({ state: 'done', answered: 30 });
  await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 0.5 });
  await world.pass(1.5);
  isOdd = true;
  await world.pass(2);
  expect(count('Rejected')).toBe(8);
});

test('a service that comes back is asked again by itself, one call at a time', async () => {
  let isDown = true;
  await listAt(40, (asin) => (isDown ? reply(500, {}) : ok(asin)));
  await runAll(world);
  expect(world.asked().length).toBe(5);
  const HOURS = 3;
  await world.pass(HOURS);
  // After each rest one call, whoever makes it.
  expect(world.asked().length).toBeGreaterThan(5);
  expect(world.asked().length).toBeLessThanOrEqual(5 + HOURS);
  isDown = false;
  await world.pass(2);
  const end = granted(await world.rpc('jobs.status'));
  expect(end).toMatchObject({ state: 'done', answered: 40, failed: 0 });
});

test('products whose row goes on are not given up as the time of an ask ends', async () => {
  await listAt(20, () => reply(500, { error: 'crash' }));
  const { status, queue } = await startJob(world);
  const products = queue.slice(0, 3);
  const ask = { jobId: status.jobId, products, maxMs: 3_000 };
  expect(granted(await world.rpc('jobs.ask', ask))).toMatchObject({ answers: [], left: products });
  expect(world.asked().length).toBeGreaterThan(3);
});

// The service's problem, or of ten minutes at most: it would otherwise be believed for six hours.
test.each([
  ['with a page', '<html><title>404</title></html>'],
  ['of a route', { message: 'Cannot POST /analyze' }],
  ['with nothing', ''],
])('three 404 %s among good answers are asked again', async (_, body) => {
  let isBroken = true;
  const odd = ASINS.slice(20, 23);
  await listAt(40, (asin) => (isBroken && odd.includes(asin) ? reply(404, body) : ok(asin)));
  await runAll(world);
  expect(count('OK')).toBe(37);
  isBroken = false;
  await world.wait(11 * 60_000);
  for (const asin of odd)
    expect(await world.show('ANALYZE', asin, 'US', 'profit')).toMatchObject({ value: 9.85 });
});
