// A check through `rpc`: every dialect of the service is found out, settled, and read by cells with no setting.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createSandboxedInternet,
  type SandboxedService,
  withState,
} from 'apps-script-host/internet/sandboxed';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf } from '../../playground/api/state';
import { decisionsOf, findingsOf } from '../../src/sidebar/page/connection/texts';
import { factsIn } from '../doors/reading-facts';
import { BASE_URL, createWorld, type World, type WorldOptions } from '../doors/world';

const MUG = 'B0XKT7M4QN';
const ALL = 'profit, roi, fees, eligible, rank_drops_30d, buy_price, sell_price';
const NAMES = Object.keys(DIALECTS) as DialectName[];

let world: World;

afterEach(() => world.stop());

async function connected(options: WorldOptions, draft: object = {}): Promise<void> {
  world = createWorld(options);
  await world.connect(draft);
}

async function cells(asin: string, market: string, fields = ALL) {
  const { value, error } = await world.show('ANALYZE', asin, market, fields);
  if (error !== undefined) throw new Error(error.message);
  return Array.isArray(value) ? value[0] : value;
}

/** What the page says of the facts in a reply. */
function read(value: Readonly<Record<string, unknown>> | undefined) {
  const facts = factsIn(value);
  return { decisions: decisionsOf(facts), notices: findingsOf(facts) };
}

async function check(wish: object = {}) {
  const { ok, value, failure } = await world.rpc('connection.check', wish);
  if (!ok) throw new Error(failure?.message);
  const { decisions, notices } = read(value);
  return {
    report: value,
    decisions,
    notices,
    decision: (what: string) => decisions.find((one) => one.what === what),
  };
}

describe.each(NAMES)('the dialect %s', (dialect) => {
  const hasPrices = !dialect.startsWith('bare');
  const isPercent = ['percent', 'bare-percent', 'everything'].includes(dialect);
  const isHundredths = ['hundredths', 'everything'].includes(dialect);

  it('is read right by every cell after one check', async () => {
    await connected({ sandbox: { dialect } });
    await check();
    const [profit, roi, fees, eligible, drops, buy, sell] = await cells(MUG, 'US');
    expect(profit).toBeCloseTo(9.85, 6);
    expect(roi).toBeCloseTo(0.8565, 6);
    expect(fees).toBeCloseTo(11.64, 6);
    expect([eligible, drops]).toEqual([true, 66]);
    expect(buy).toEqual(hasPrices ? expect.closeTo(11.5, 6) : null);
    expect(sell).toEqual(hasPrices ? expect.closeTo(32.99, 6) : null);
  });

  it('says in cells what may be sold: TRUE, FALSE, needs approval, or blank', async () => {
    await connected({ sandbox: { dialect } });
    await check();
    const products = [MUG, 'B0ZTN8R4GQ', 'B0QYG58JRT', 'B0RHV76MZC'].map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', products, 'US', 'eligible');
    const hasWords = ['words', 'text', 'restrictions'].includes(dialect);
    expect(value).toEqual([[true], [false], [hasWords ? 'needs approval' : false], [null]]);
  });

  it('says what was decided, by whom and why, in the check as in the status', async () => {
    await connected({ sandbox: { dialect } });
    const { decision, decisions } = await check();
    const expected = {
      'roi-unit': isPercent ? 'percent' : hasPrices ? 'fraction' : null,
      'money-unit': isHundredths ? 'hundredths' : 'units',
    };
    for (const [what, value] of Object.entries(expected))
      expect(decision(what)).toMatchObject({
        value,
        decidedBy: value === null ? 'assumed' : 'found',
        why: expect.stringMatching(/^[A-Z].*\.$/),
      });
    const status = await world.rpc('connection.status');
    expect(read(status.value)).toEqual({ decisions, notices: [] });
  });

  it('finds the UK, if need be by trying names, and reads it on the same scale', async () => {
    await connected({ sandbox: { dialect } });
    const { decision, report } = await check({ asin: MUG, market: 'UK', tryMarkets: true });
    const wire = DIALECTS[dialect].markets.UK;
    expect(decision('uk-market')).toMatchObject({ value: wire, decidedBy: 'found' });
    const tried = report?.marketsTried as readonly { value: string; accepted: boolean }[];
    expect(tried.filter(({ accepted }) => accepted)).toEqual([{ value: wire, accepted: true }]);
    const [, roi, fees, , , buy] = await cells(MUG, 'UK');
    expect(fees).toBeCloseTo(13.32, 6);
    expect(roi).toBeCloseTo(0.6483, 4);
    expect(buy).toEqual(hasPrices ? expect.closeTo(8.9, 6) : null);
  });
});

describe('a check', () => {
  it('shows what a cell makes of each field', async () => {
    await connected({ sandbox: { dialect: 'hundredths' } });
    const { report } = await check({ asin: 'B0QYG58JRT' });
    expect(report?.recognised).toEqual(
      expect.arrayContaining([
        { name: 'asin', as: 'asin', value: 'B0QYG58JRT' },
        { name: 'roi', as: 'roi', value: '1.1422' },
        { name: 'buy_price', as: 'buy_price', value: '640', shown: 6.4 },
        { name: 'tokensLeft', as: null, value: '9' },
      ]),
    );
  });

  it('says how it found prices whose names nobody knows', async () => {
    await connected({ sandbox: { dialect: 'own-names' } });
    const { decision, report } = await check({ asin: MUG });
    expect(decision('buy-price')).toMatchObject({
      value: 'landed',
      why: 'It fits: sell price less buy price and fees is the profit.',
    });
    expect(report?.recognised).toContainEqual({ name: 'asking', as: 'sell_price', value: '32.99' });
  });

  it('takes a product as a cell does, and no other', async () => {
    await connected({});
    const link = 'https://www.amazon.co.uk/dp/B0XKT7M4QN';
    expect((await check({ asin: link })).report).toMatchObject({ asin: MUG, market: 'UK' });
    const { failure } = await world.rpc('connection.check', { asin: 'a mug' });
    expect(failure?.kind).toBe('bad-asin');
    expect(arrivalsOf(world.service())).toHaveLength(1);
  });

  it('of a product that the service does not know settles nothing', async () => {
    await connected({ sandbox: { dialect: 'percent' } });
    const { decision, report } = await check({ asin: 'B0NOTFOUND' });
    expect(report).toMatchObject({ recognised: [], observations: [] });
    expect(decision('roi-unit')).toMatchObject({ value: null, decidedBy: 'assumed' });
    expect(await cells(MUG, 'US', 'roi')).toBe(85.65);
  });

  it('leaves what a person said, and says so where the answer contradicts it', async () => {
    await connected({ sandbox: { dialect: 'percent' } }, { settings: { roiUnit: 'fraction' } });
    const { decision, notices } = await check();
    expect(decision('roi-unit')).toMatchObject({ value: 'fraction', decidedBy: 'you' });
    expect(notices).toEqual([
      {
        kind: 'contradiction',
        what: 'roi-unit',
        message: expect.stringMatching(/^Formulas read ROI as a fraction, but for B07FZ8S74R it/),
        action: 'If the service has changed, switch to the new form.',
        suggested: { roiUnit: 'percent' },
      },
    ]);
    expect(await cells(MUG, 'US', 'roi')).toBe(85.65);
  });

  it('asks for the UK under other names only when told to', async () => {
    await connected({ sandbox: { dialect: 'great-britain' } });
    await check();
    expect(arrivalsOf(world.service())).toHaveLength(1);
    const { decision } = await check({ tryMarkets: true });
    // The product of a check is sold in the US alone: one name is rejected, under the other it is unknown.
    expect(decision('uk-market')).toMatchObject({ value: 'GB', decidedBy: 'found' });
    expect(arrivalsOf(world.service())).toHaveLength(4);
  });

  it("by a helper settles it for the owner's formulas too, and the key stays with the owner", async () => {
    await connected({ sandbox: { dialect: 'percent' } });
    await world.rpc('connection.check', {}, 'helper@example.com');
    expect(await cells(MUG, 'US', 'roi')).toBe(0.8565);
    const { value } = await world.rpc('connection.status');
    expect(value?.found).toMatchObject({ roiUnit: 'percent' });
    expect(value).toMatchObject({ keyMask: '…cond', payer: { kind: 'yours' } });
  });
});

describe('answers after the check', () => {
  /** A service that can be given another dialect while it runs. */
  function changing(dialect: DialectName) {
    const services = new Map<DialectName, SandboxedService>();
    let now = dialect;
    const service: SandboxedService = (request, nowMs) => {
      const one = services.get(now) ?? withState(handle, createState({ dialect: now })).service;
      services.set(now, one);
      return one(request, nowMs);
    };
    const become = (other: DialectName) => {
      now = other;
    };
    return { internet: createSandboxedInternet({ [new URL(BASE_URL).host]: service }), become };
  }

  it('that contradict it raise a notice and change no scale', async () => {
    const service = changing('canonical');
    await connected({ host: { internet: service.internet } });
    await check();
    expect(await cells(MUG, 'US', 'roi')).toBe(0.8565);
    service.become('percent');
    expect(await cells('B0RWD92FHC', 'US', 'roi')).toBeGreaterThan(10);
    const { value } = await world.rpc('connection.status');
    expect(read(value).notices).toEqual([
      expect.objectContaining({ kind: 'contradiction', what: 'roi-unit' }),
      expect.objectContaining({ kind: 'contradiction', what: 'buy-price' }),
      expect.objectContaining({ kind: 'contradiction', what: 'sell-price' }),
    ]);
    const { decision } = await check();
    expect(decision('roi-unit')).toMatchObject({ value: 'fraction', decidedBy: 'found' });
    expect(await cells('B0TZ4LQ8KV', 'US', 'roi')).toBeGreaterThan(10);
  });

  it('that agree settle at the next check what the first could not tell', async () => {
    await connected({ sandbox: { dialect: 'percent' } });
    await check({ asin: 'B0NOTFOUND' });
    for (const asin of [MUG, 'B0RWD92FHC', 'B0TZ4LQ8KV']) await cells(asin, 'US', 'roi');
    const { value } = await world.rpc('connection.status');
    expect(read(value).notices).toContainEqual({
      kind: 'could-settle',
      what: 'roi-unit',
      message: '3 answers say that ROI comes as a percentage. Formulas show it as it is sent.',
      action: 'Check again to confirm it.',
      suggested: { roiUnit: 'percent' },
    });
    const { decision } = await check({ asin: 'B0NOTFOUND' });
    expect(decision('roi-unit')).toMatchObject({ value: 'percent', decidedBy: 'found' });
    expect(await cells(MUG, 'US', 'roi')).toBe(0.8565);
  });

  it('are noted at no call of their own', async () => {
    const callsOf = async (roiUnit: 'fraction' | 'percent') => {
      await connected({ sandbox: { dialect: 'percent' } }, { settings: { roiUnit } });
      const before = world.host.trace().length;
      await cells(MUG, 'US');
      const calls = world.host.trace().length - before;
      await world.stop();
      return calls;
    };
    expect(await callsOf('fraction')).toBe(await callsOf('percent'));
  });
});
