// A schedule that tells what is worth buying now: at the service's price, or at what the list's own costs leave.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createState, handle } from '../../playground/api/handle';
import { granted, runAll, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { apply, type DealWorld, dealWorld } from '../doors/deal-list';
import { pass, schedule } from '../doors/schedule-list';
import { BASE_URL } from '../doors/world';

const LIST = US_ASINS.slice(700, 707);
const [A = '', B = ''] = LIST;
const DAY_HOURS = 24;
const GOOD = {
  ...{ profit: 6, roi: 0.6, fees: 4, buy_price: 10, sell_price: 20 },
  ...{ eligible: true, rank_drops_30d: 30 },
};
const POOR = { ...GOOD, profit: 1.9, roi: 0.19, sell_price: 15.9 };

let made: DealWorld;
/** What the service says. */
let said: Record<string, object>;
afterEach(() => made.world.stop());

function internet() {
  const { service } = withState(handle, createState(SANDBOX));
  return createSandboxedInternet({
    [new URL(BASE_URL).host]: (request, nowMs) => {
      const reply = service(request, nowMs);
      const asin = Object.keys(said).find((one) => request.body.includes(one));
      if (reply.kind !== 'answer' || asin === undefined) return reply;
      return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body), ...said[asin] }) };
    },
  });
}

async function listOf(rows: readonly (readonly CellValue[])[]) {
  said = Object.fromEntries(LIST.map((asin) => [asin, POOR]));
  made = await dealWorld(rows, { host: { internet: internet() } });
}

const rules = { rules: [{ kind: 'became-buy' }] };
const digest = async () => granted(await made.world.rpc('schedule.look')).digest;
const mark = (row: number) => made.sheet.byHeader(row)['What changed'];

describe('at the price of the service', () => {
  it('marks what is a Buy only now, and names it with what stood against it', async () => {
    await listOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    said[B] = GOOD;
    const { world } = made;
    await schedule(world, 's1', {}, rules);
    await pass(world, DAY_HOURS);
    expect(LIST.map((_, at) => mark(at + 2)).every((cell) => cell === '')).toBe(true);
    granted(await world.rpc('schedule.seen'));
    said[A] = GOOD;
    said[B] = { ...GOOD, profit: 7, sell_price: 21 };
    await pass(world, DAY_HOURS);
    expect(mark(2)).toMatch(/^Now a Buy · 7 Jan 06:\d\d$/);
    expect(mark(3)).toBe('');
    expect(await digest()).toMatchObject({
      marked: [{ words: 'Now a Buy', count: 1 }],
      buys: [
        `${A} US: profit $6.00, ROI 60%, was Maybe: Profit 1.9 is under 3; ROI 19% is under 30%`,
      ],
    });
    expect(granted(await world.rpc('schedule.show', { rule: 'Now a Buy' }))).toEqual({ shown: 1 });
    granted(await world.rpc('schedule.seen'));
    await pass(world, DAY_HOURS);
    expect(await digest()).not.toHaveProperty('buys');
  });

  it('names a product once that was a Buy, was not and is again', async () => {
    await listOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const { world } = made;
    await schedule(world, 's1', {}, rules);
    await pass(world, DAY_HOURS);
    for (const night of [GOOD, POOR, { ...GOOD, profit: 7, sell_price: 21 }]) {
      said[A] = night;
      await pass(world, DAY_HOURS);
    }
    expect(await digest()).toMatchObject({
      marked: [{ words: 'Now a Buy', count: 2 }],
      buys: [expect.stringContaining(`${A} US: profit $7.00, `)],
    });
  });

  it('names the first five of many', async () => {
    await listOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const { world } = made;
    await schedule(world, 's1', {}, rules);
    await pass(world, DAY_HOURS);
    for (const asin of LIST) said[asin] = GOOD;
    await pass(world, DAY_HOURS);
    const { marked, buys } = (await digest()) as { marked: object[]; buys: string[] };
    expect(marked).toEqual([expect.objectContaining({ words: 'Now a Buy', count: LIST.length })]);
    expect(buys.map((line) => line.slice(0, 10))).toEqual(LIST.slice(0, 5));
  });
});

describe('in a list with costs of its own', () => {
  it('tells what its decisions say, whatever the service would pay', async () => {
    const [dear, fair] = [15, 9];
    await listOf([
      ['ASIN', 'Cost'],
      [A, fair],
      [B, dear],
      [LIST[2] ?? '', fair],
    ]);
    const { world, sheet } = made;
    await runAll(world, {
      fields: ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'],
    });
    granted(await apply(world));
    expect([2, 3, 4].map((row) => sheet.decision(row).Verdict)).toEqual(['Maybe', 'Skip', 'Maybe']);
    await schedule(world, 's1', {}, rules);
    await pass(world, DAY_HOURS);
    granted(await world.rpc('schedule.seen'));
    for (const asin of [A, B]) said[asin] = GOOD;
    await pass(world, DAY_HOURS);
    expect([2, 3, 4].map((row) => sheet.decision(row).Verdict)).toEqual(['Buy', 'Skip', 'Maybe']);
    expect([2, 3, 4].map((row) => String(mark(row)).slice(0, 9))).toEqual(['Now a Buy', '', '']);
    expect(await digest()).toMatchObject({
      buys: [expect.stringContaining(`${A} US: profit $7.00, ROI 78%, was Maybe: `)],
    });
  });
});
