// A check through `rpc`: it decides every dialect of the service, and cells read by what it decided.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createSandboxedInternet,
  type SandboxedService,
  withState,
} from 'apps-script-host/internet/sandboxed';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf } from '../../playground/api/state';
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

async function check(wish: object = {}) {
  const { ok, value, failure } = await world.rpc('connection.check', wish);
  if (!ok) throw new Error(failure?.message);
  const questions = value?.questions as readonly { setting: string; options: unknown }[];
  return { report: value, settings: value?.settings, asked: questions.map((one) => one.setting) };
}

async function settings() {
  const { value } = await world.rpc('connection.status');
  return value?.settings;
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

  it('says in cells what may be sold: TRUE, FALSE, Needs approval, or blank', async () => {
    await connected({ sandbox: { dialect } });
    await check();
    const products = [MUG, 'B0ZTN8R4GQ', 'B0QYG58JRT', 'B0RHV76MZC'].map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', products, 'US', 'eligible');
    const hasWords = ['words', 'text', 'restrictions'].includes(dialect);
    expect(value).toEqual([[true], [false], [hasWords ? 'Needs approval' : false], [null]]);
  });

  it('asks what the answer leaves open, and stores what is decided for all', async () => {
    await connected({ sandbox: { dialect } });
    const { asked, settings: decided } = await check();
    expect(asked).toEqual([
      ...(dialect === 'bare' ? ['roiUnit'] : []),
      ...(isHundredths ? ['moneyUnit'] : []),
    ]);
    expect(decided).toEqual({
      roiUnit: isPercent ? 'percent' : 'fraction',
      moneyUnit: isHundredths ? 'hundredths' : 'units',
      ...(dialect === 'own-names' && { buyPriceName: 'landed', sellPriceName: 'asking' }),
    });
    expect(await settings()).toEqual(decided);
  });

  it('reads the UK, under the name that is set, on the same scale', async () => {
    await connected(
      { sandbox: { dialect } },
      { settings: { ukMarket: DIALECTS[dialect].markets.UK } },
    );
    await check({ asin: MUG, market: 'UK' });
    const [, roi, fees, , , buy] = await cells(MUG, 'UK');
    expect(fees).toBeCloseTo(13.32, 6);
    expect(roi).toBeCloseTo(0.6483, 4);
    expect(buy).toEqual(hasPrices ? expect.closeTo(8.9, 6) : null);
  });
});

describe('a check', () => {
  it('gives the figures as they were sent, and each field under its own name', async () => {
    await connected({ sandbox: { dialect: 'hundredths' } });
    const { report } = await check({ asin: 'B0QYG58JRT' });
    expect(report?.sent).toMatchObject({ roi: 1.1422, buy_price: 640 });
    expect(report?.recognised).toEqual(
      expect.arrayContaining([
        { name: 'asin', as: 'asin', value: 'B0QYG58JRT' },
        { name: 'buy_price', as: 'buy_price', value: '640' },
        { name: 'tokensLeft', as: null, value: '9' },
      ]),
    );
  });

  it('takes a product as a cell does, and no other', async () => {
    await connected({});
    const link = 'https://www.amazon.co.uk/dp/B0XKT7M4QN';
    expect((await check({ asin: link })).report).toMatchObject({ asin: MUG, market: 'UK' });
    const { failure } = await world.rpc('connection.check', { asin: 'a mug' });
    expect(failure?.kind).toBe('bad-asin');
    expect(arrivalsOf(world.service())).toHaveLength(1);
  });

  it('of a product that the service does not know decides nothing', async () => {
    await connected({ sandbox: { dialect: 'percent' } });
    const { report, asked } = await check({ asin: 'B0NOTFOUND' });
    expect(report).toMatchObject({ sent: null, recognised: [], settings: {} });
    expect(asked).toEqual([]);
    expect(await cells(MUG, 'US', 'roi')).toBe(85.65);
  });

  it('asks once: what a person chose stays, unless an answer proves something else', async () => {
    await connected({ sandbox: { dialect: 'hundredths' } });
    expect((await check()).asked).toEqual(['moneyUnit']);
    expect((await check()).asked).toEqual([]);
    await world.connect({ settings: { roiUnit: 'percent', moneyUnit: 'units' } });
    expect((await check()).settings).toEqual({ roiUnit: 'fraction', moneyUnit: 'units' });
    expect(await cells(MUG, 'US', 'fees')).toBe(1_164);
  });

  it('of a new address decides anew', async () => {
    await connected({ sandbox: { dialect: 'percent' } }, { settings: { defaultMarket: 'UK' } });
    await check();
    const draft = { baseUrl: 'https://other.example.com', apiKey: 'demo-key-5-per-second' };
    await world.rpc('connection.save', { ...draft, quota: null, sharing: 'me' });
    expect(await settings()).toEqual({ defaultMarket: 'UK' });
  });

  it('of a key that somebody else shared decides and asks nothing', async () => {
    await connected({ sandbox: { dialect: 'hundredths' } });
    const helper = (method: string) => world.rpc(method, {}, 'helper@example.com');
    const { value } = await helper('connection.check');
    expect(value).toMatchObject({ settings: {}, questions: [] });
    expect((await helper('connection.status')).value?.settings).toEqual({});
    await check();
    const { value: shared } = await helper('connection.status');
    expect(shared?.settings).toMatchObject({ moneyUnit: 'hundredths' });
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

  const OTHER = 'B0RWD92FHC';

  it.each<[DialectName, DialectName, string]>([
    ['canonical', 'percent', 'ROI came as'],
    ['percent', 'canonical', 'ROI came as'],
    ['bare', 'bare-percent', 'ROI came as'],
    ['hundredths', 'canonical', 'an amount came as'],
  ])(
    'in other units are not shown until a check decides: %s, then %s',
    async (first, then, what) => {
      const service = changing(first);
      await connected({ host: { internet: service.internet } });
      await check();
      const before = await cells(OTHER, 'US', 'profit, roi');
      service.become(then);
      const refused = cells('B0TZ4LQ8KV', 'US', 'roi');
      await expect(refused).rejects.toThrow(
        `Not analyzed: the figures do not fit the units of this connection (${what}`,
      );
      await expect(refused).rejects.toThrow('Check the connection under Extensions');
      await check();
      expect(await cells(OTHER, 'US', 'profit, roi')).toEqual(before);
      expect(await cells('B0TZ4LQ8KV', 'US', 'roi')).toBeLessThan(10);
    },
  );

  it('are asked again under other settings and found again under the former ones', async () => {
    await connected({ sandbox: { dialect: 'hundredths' } });
    await check();
    const calls = () => arrivalsOf(world.service()).length;
    expect(await cells(MUG, 'US', 'fees')).toBe(11.64);
    const before = calls();
    await world.connect({ settings: { roiUnit: 'fraction', moneyUnit: 'units' } });
    expect(await cells(MUG, 'US', 'fees')).toBe(1_164);
    expect(calls()).toBe(before + 1);
    await world.connect({ settings: { roiUnit: 'fraction', moneyUnit: 'hundredths' } });
    expect(await cells(MUG, 'US', 'fees')).toBe(11.64);
    expect(calls()).toBe(before + 1);
  });
});
