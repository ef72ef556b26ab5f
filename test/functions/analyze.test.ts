// =ANALYZE as a cell sees it: the built bundle on the emulated host, asking the sandbox service.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callsByProduct } from '../../playground/api/state';
import { createWorld, type World } from '../doors/world';

const MUG = 'B0XKT7M4QN';
/** Figures of the mug in the US, from the sandbox's table of samples. */
const MUG_ROW = [9.85, 0.8565, 11.64, true, 66];

let world: World;

beforeEach(async () => {
  world = createWorld();
  await world.connect();
});

afterEach(() => world.stop());

const calls = () => [...callsByProduct(world.service())];

describe('one product', () => {
  it("gives one row of the contract's figures", async () => {
    expect(await world.show('ANALYZE', MUG, 'US')).toMatchObject({ ok: true, value: [MUG_ROW] });
  });

  it('gives one value for one field', async () => {
    expect((await world.show('ANALYZE', MUG, 'US', 'roi')).value).toBe(0.8565);
  });

  it('gives fields in the order asked for, by any of their names', async () => {
    const { value } = await world.show('ANALYZE', MUG, 'US', 'Sell price, ROI, buyPrice');
    expect(value).toEqual([[32.99, 0.8565, 11.5]]);
  });

  it('reads field names from header cells, a blank one being a blank column', async () => {
    const { value } = await world.show('ANALYZE', MUG, 'US', [['profit', '', 'fees']]);
    expect(value).toEqual([[9.85, null, 11.64]]);
  });

  it('gives every figure for "all", then its age in days and when it was fetched', async () => {
    const { value } = await world.show('ANALYZE', MUG, 'US', 'all');
    expect(value).toEqual([[...MUG_ROW, 11.5, 32.99, expect.any(Number), expect.any(Date)]]);
    const [[asOf, age]] = (await world.show('ANALYZE', MUG, 'US', 'as_of, age')).value as [
      [Date, number],
    ];
    const fetchedMs = world.host.nowMs();
    expect(fetchedMs - asOf.getTime()).toBeLessThan(60_000);
    expect(age).toBe(0);
    await world.host.run(fetchedMs + 2.6 * 3_600_000);
    expect((await world.show('ANALYZE', MUG, 'US', 'age')).value).toBe(0);
  });

  it('understands a figure in the place of the market, and a market in that of the product', async () => {
    const roi = (await world.show('ANALYZE', MUG, 'US', 'roi')).value;
    for (const typed of ['roi', 'ROI', [['roi']]])
      expect((await world.show('ANALYZE', MUG, typed)).value).toBe(roi);
    expect((await world.show('ANALYZE', MUG, [['profit', 'Sell price']])).value).toEqual([
      [9.85, 32.99],
    ]);
    expect((await world.show('ANALYZE', 'US', MUG, 'roi')).value).toBe(roi);
    const pair = [[MUG], ['B0RWD92FHC']];
    expect((await world.show('ANALYZE', 'uk', pair, 'sell_price')).value).toEqual(
      (await world.show('ANALYZE', pair, 'UK', 'sell_price')).value,
    );
  });

  it('takes the market of a link when none is given', async () => {
    const { value } = await world.show('ANALYZE', `https://www.amazon.co.uk/mug/dp/${MUG}?th=1`);
    const explicit = await world.show('ANALYZE', MUG, 'gb');
    expect(value).toEqual(explicit.value);
    expect(calls()).toEqual([[`UK ${MUG}`, 1]]);
  });

  it('restores the zero that a number lost', async () => {
    const asNumber = await world.show('ANALYZE', 975124838, 'US', 'profit');
    const asText = await world.show('ANALYZE', '0975124838', 'US', 'profit');
    expect(asNumber.ok).toBe(true);
    expect(asNumber.value).toBe(asText.value);
  });

  it('shows missing figures as blank cells, never as 0 or FALSE', async () => {
    const { value } = await world.show('ANALYZE', 'B0NULLS000', 'US');
    expect(value).toEqual([[null, null, null, null, null]]);
  });

  it('gives text of the service as text, whatever it looks like', async () => {
    const { ok } = await world.show('ANALYZE', 'B0FORMULA0', 'US');
    expect(ok).toBe(true);
  });
});

describe('a range', () => {
  it('gives one row for each cell in order, blanks blank and free', async () => {
    const range = [[MUG], [''], ['B0RWD92FHC'], [MUG]];
    const { value } = await world.show('ANALYZE', range, 'US', 'profit, roi');
    const rows = value as unknown[][];
    expect(rows).toHaveLength(4);
    expect(rows[0]).toEqual([9.85, 0.8565]);
    expect(rows[1]).toEqual([null, null]);
    expect(rows[3]).toEqual(rows[0]);
    expect(calls()).toEqual([
      [`US ${MUG}`, 1],
      ['US B0RWD92FHC', 1],
    ]);
  });

  it('may be a whole column, of which only the filled cells count', async () => {
    const range = Array.from({ length: 9_999 }, (_, at) => [at < 3 ? MUG : '']);
    const { value } = await world.show('ANALYZE', range, 'US', 'profit');
    expect((value as unknown[][]).slice(0, 4)).toEqual([[9.85], [9.85], [9.85], [null]]);
  });

  it('gives a column for one field', async () => {
    const { value } = await world.show('ANALYZE', [[MUG], [MUG]], 'US', 'profit');
    expect(value).toEqual([[9.85], [9.85]]);
  });

  it('takes a market for each row', async () => {
    const { value } = await world.show('ANALYZE', [[MUG], [MUG]], [['US'], ['UK']], 'sell_price');
    expect(value).toEqual([[32.99], [27.99]]);
  });

  it('says in a row why it failed, and answers the others', async () => {
    const range = [['not an asin'], ['B0NOTFOUND'], ['#N/A'], [MUG]];
    const { ok, value } = await world.show('ANALYZE', range, 'US', 'profit, roi');
    expect(ok).toBe(true);
    expect(value).toEqual([
      ['Not analyzed: "not an asin" is not an ASIN. An ASIN has 10 letters and digits', null],
      ['Not analyzed: B0NOTFOUND is not sold on Amazon US', null],
      ['Not analyzed: the cell with the ASIN shows an error. Fix that cell first', null],
      [9.85, 0.8565],
    ]);
  });

  it('answers the others when one request of a wave breaks', async () => {
    const range = [[MUG], ['B0RESET000'], ['B0RWD92FHC'], ['B0TZ4LQ8KV']];
    const { value } = await world.show('ANALYZE', range, 'US', 'profit');
    const rows = value as unknown[][];
    expect(rows[0]).toEqual([9.85]);
    expect(rows[1]).toEqual([
      expect.stringMatching(/^Not analyzed: the service cannot be reached/),
    ]);
    expect(rows.slice(2).flat().every(Number.isFinite)).toBe(true);
  });

  it('answers a flaky product by asking again', async () => {
    const { ok, value } = await world.show('ANALYZE', 'B0FLAKY001', 'US', 'profit');
    expect(ok).toBe(true);
    expect(Number.isFinite(value)).toBe(true);
  });
});

describe('asking again', () => {
  it('never calls twice for the same question', async () => {
    await world.show('ANALYZE', MUG, 'US');
    await world.show('ANALYZE', MUG, 'US', 'profit');
    expect(calls()).toEqual([[`US ${MUG}`, 1]]);
  });

  it('calls again when the refresh argument changes, and only then', async () => {
    for (const refresh of [1, 1, 2, 2, 1])
      await world.show('ANALYZE', MUG, 'US', 'profit', refresh);
    expect(calls()).toEqual([[`US ${MUG}`, 3]]);
  });

  it('takes a date as "not older than this"', async () => {
    await world.show('ANALYZE', MUG, 'US');
    const past = new Date(world.host.nowMs() - 3_600_000);
    await world.show('ANALYZE', MUG, 'US', 'profit', past);
    expect(calls()).toEqual([[`US ${MUG}`, 1]]);
    const justNow = new Date(world.host.nowMs());
    await world.show('ANALYZE', MUG, 'US', 'profit', justNow);
    await world.show('ANALYZE', MUG, 'US', 'profit', justNow);
    expect(calls()).toEqual([[`US ${MUG}`, 2]]);
  });

  it('remembers a product that the service does not know', async () => {
    await world.show('ANALYZE', 'B0NOTFOUND', 'US');
    await world.show('ANALYZE', 'B0NOTFOUND', 'US');
    expect(calls()).toEqual([['US B0NOTFOUND', 1]]);
  });
});
