// The last good analyses as people see them: figures with their age when the service cannot be asked.

import { afterEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, createWorld, DEMO, type World, type WorldOptions } from './world';

const HOUR = 3_600_000;
const MUG = 'B0XKT7M4QN';
const OTHERS = ['B0RWD92FHC', 'B0TZ4LQ8KV'];

let world: World;

afterEach(() => world.stop());

/** A world whose service breaks down seven hours after it began, when the cache has forgotten all. */
async function answeredLongAgo(options: WorldOptions = {}): Promise<void> {
  world = createWorld();
  const brokenMs = world.host.nowMs() + 7 * HOUR;
  await world.stop();
  const outages = [{ fromMs: brokenMs, toMs: brokenMs + 100 * HOUR }];
  world = createWorld({ ...options, sandbox: { outages, ...options.sandbox } });
  await world.connect();
}

async function passTime(hours: number): Promise<void> {
  await world.host.run(world.host.nowMs() + hours * HOUR);
}

const propertyCalls = () => world.host.stores.properties.callsToday('owner@example.com');

describe('a product that was answered', () => {
  it('shows its last figures to who asks for the age, and its age to the others', async () => {
    await answeredLongAgo();
    const { value: asOf } = await world.show('ANALYZE', MUG, 'US', 'as_of');
    await passTime(8);
    const { value } = await world.show('ANALYZE', MUG, 'US', 'profit, age, as_of');
    const [[profit, age, shownAsOf]] = value as [[number, number, Date]];
    expect(profit).toBe(9.85);
    expect(age * 24).toBeGreaterThan(8);
    expect(age * 24).toBeLessThan(8.1);
    expect(Math.abs(shownAsOf.getTime() - (asOf as Date).getTime())).toBeLessThan(1_000);
    const failed = await world.show('ANALYZE', MUG, 'US', 'profit');
    expect(failed.error?.message).toMatch(
      /^Not analyzed: the service .* Last answered about 9 h ago: add the field age to show it$/,
    );
  });

  it('does so in every row of a range, whichever cells had asked', async () => {
    await answeredLongAgo();
    for (const asin of OTHERS) await world.show('ANALYZE', asin, 'US', 'profit');
    const range = [[MUG], ...OTHERS.map((asin) => [asin]), ['B0NEVER0NE'], ['']];
    const fresh = await world.show('ANALYZE', range.slice(0, 3), 'US', 'profit');
    await passTime(8);
    const { value } = await world.show('ANALYZE', range, 'US', 'profit, age');
    const rows = value as (readonly [unknown, number | null])[];
    expect(rows.slice(0, 3).map(([profit]) => [profit])).toEqual(fresh.value);
    for (const [, age] of rows.slice(0, 3)) expect(age).toBeCloseTo(8 / 24, 2);
    expect(rows[3]?.[0]).toMatch(/^Not analyzed: the service/);
    expect(rows[3]?.[0]).not.toContain('Last answered');
    expect(rows[4]).toEqual([null, null]);
    const plain = await world.show('ANALYZE', range, 'US', 'profit, roi');
    expect((plain.value as unknown[][])[0]).toEqual([
      expect.stringMatching(/Last answered about 9 h ago/),
      null,
    ]);
  });

  it('is still good for estimates', async () => {
    await answeredLongAgo();
    const before = await world.show('ANALYZE_MAX_BUY', MUG, 'US', 0.3);
    await passTime(8);
    expect((await world.show('ANALYZE_MAX_BUY', MUG, 'US', 0.3)).value).toBe(before.value);
    expect((await world.show('ANALYZE_WHAT_IF', MUG, 'US', 10)).ok).toBe(true);
  });

  it('is shown when the key is refused, and not to another key', async () => {
    world = createWorld();
    await world.connect();
    await world.show('ANALYZE', MUG, 'US');
    await passTime(8);
    await world.connect({ apiKey: 'demo-key-unknown-to-anybody' });
    const { error } = await world.show('ANALYZE', MUG, 'US', 'profit, age');
    expect(error?.message).toMatch(/^Not analyzed: the service refused the key/);
    expect(error?.message).not.toContain('Last answered');
  });

  it('gives way to a new answer, and to what the service says for good', async () => {
    world = createWorld();
    await world.connect();
    await world.show('ANALYZE', MUG, 'US');
    await passTime(8);
    const { value } = await world.show('ANALYZE', MUG, 'US', 'age');
    expect(Number(value) * 24).toBeLessThan(0.1);
    const { error } = await world.show('ANALYZE', 'B0NOTFOUND', 'US', 'profit, age');
    expect(error?.message).toContain('was not found');
  });
});

describe('a crowd of cells', () => {
  it('is kept almost whole, at a fraction of a property call for each', async () => {
    await answeredLongAgo();
    const asins = [...world.service().catalogue.asins.US].slice(-200);
    const before = propertyCalls();
    const cells = asins.map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
    await world.host.run();
    const answered = (await Promise.all(cells)).flatMap(({ ok }, i) =>
      ok ? [asins[i] ?? ''] : [],
    );
    // One of them is the reading of the connection, which every cell does.
    expect((propertyCalls() - before) / asins.length).toBeLessThan(1.5);
    await passTime(1);
    await world.rpc('waiting.work', { maxMs: 10_000 });
    await passTime(7);
    const range = answered.map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', range, 'US', 'age');
    const ages = (value as unknown[][]).flat().filter((age) => typeof age === 'number');
    expect(answered.length).toBeGreaterThan(100);
    expect(ages.length).toBeGreaterThanOrEqual(0.97 * answered.length);
  });

  it('costs no property call more when nothing has to be asked', async () => {
    world = createWorld();
    await world.connect();
    await world.show('ANALYZE', MUG, 'US', 'profit');
    const before = propertyCalls();
    for (let i = 0; i < 5; i++) await world.show('ANALYZE', MUG, 'US', 'profit');
    expect(propertyCalls() - before).toBe(5);
  });
});

describe('the store of the spreadsheet', () => {
  it('never holds the key', async () => {
    world = createWorld();
    await world.connect({ sharing: 'me' });
    await world.show('ANALYZE', MUG, 'US');
    const stored = Object.entries(world.host.stores.properties.read('document/sheet-1'));
    expect(stored.filter(([name]) => name.startsWith('last')).length).toBe(1);
    expect(JSON.stringify(stored)).not.toContain(DEMO.apiKey);
    expect(JSON.stringify(stored)).not.toContain(BASE_URL);
  });
});
