// The page's way in: `rpc` on the built bundle, with stores held apart by user and spreadsheet.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { BASE_URL, createWorld, DEMO, type World } from '../doors/world';

const KEY = DEMO.apiKey;
const HELPER = 'helper@example.com';

let world: World;

beforeEach(() => {
  world = createWorld();
});

afterEach(() => world.stop());

const status = (userEmail?: string) => world.rpc('connection.status', {}, userEmail);

describe('connection.save', () => {
  it('keeps the connection and shows the end of the key', async () => {
    const saved = await world.connect();
    const expected = {
      connected: true,
      baseUrl: BASE_URL,
      keyMask: '…cond',
      quota: DEMO.quota,
      sharing: 'spreadsheet',
      settings: {},
      payer: expect.objectContaining({ kind: 'yours', keyMask: '…cond' }),
      cellCalls: { perDay: null, usedToday: 0 },
      waiting: 0,
    };
    expect(saved).toEqual({ ok: true, value: expected });
    expect(await status()).toEqual({ ok: true, value: expected });
  });

  it('keeps the stored key when none is typed and the address stays', async () => {
    await world.connect();
    const quota = { calls: 60, perSeconds: 60 };
    const saved = await world.connect({ apiKey: '', quota });
    expect(saved).toMatchObject({ ok: true, value: { keyMask: '…cond', quota } });
  });

  it('wants the key typed again for another address', async () => {
    await world.connect();
    const saved = await world.connect({ apiKey: '', baseUrl: 'https://thief.example.com' });
    expect(saved).toMatchObject({ ok: false, failure: { kind: 'bad-key', field: 'apiKey' } });
    expect(await status()).toMatchObject({ value: { baseUrl: BASE_URL } });
  });

  it('does not let somebody else take over a shared key', async () => {
    await world.connect();
    const draft = { baseUrl: BASE_URL, apiKey: '', quota: null, sharing: 'me' };
    const saved = await world.rpc('connection.save', draft, HELPER);
    expect(saved).toMatchObject({ ok: false, failure: { kind: 'bad-key' } });
  });

  it.each([
    ['', 'the address is missing'],
    ['http://api.example.com', 'must begin with https://'],
    ['https://127.0.0.1', 'on your own computer'],
    ['ftp://api.example.com', 'not a web address'],
  ])('refuses the address "%s"', async (baseUrl, words) => {
    const { ok, failure } = await world.connect({ baseUrl });
    expect(ok).toBe(false);
    expect(failure?.field).toBe('baseUrl');
    expect(failure?.message.toLowerCase()).toContain(words);
  });

  it('forgives a slash at the end and a pasted path', async () => {
    const saved = await world.connect({ baseUrl: ` ${BASE_URL.toUpperCase()}/v1/analyze ` });
    expect(saved).toMatchObject({ ok: true, value: { baseUrl: BASE_URL } });
  });
});

describe('settings of the service', () => {
  const roi = async () => (await world.show('ANALYZE', 'B0XKT7M4QN', 'US', 'roi')).value;

  it('say in which unit ROI is sent: formulas then get the fraction', async () => {
    await world.stop();
    world = createWorld({ sandbox: { dialect: 'percent' } });
    await world.connect();
    expect(await roi()).toBe(85.65);
    const settings = { roiUnit: 'percent' };
    expect(await world.connect({ settings })).toMatchObject({ value: { settings } });
    expect(await roi()).toBe(0.8565);
  });

  it('say which market a formula means that names none', async () => {
    await world.connect({ settings: { defaultMarket: 'UK' } });
    expect((await world.show('ANALYZE', 'B0XKT7M4QN', '', 'sell_price')).value).toBe(27.99);
    expect((await world.show('ANALYZE', 'B0XKT7M4QN', 'US', 'sell_price')).value).toBe(32.99);
  });

  it('stay when a draft leaves them out, and are reset by an empty one', async () => {
    const settings = { ukMarket: 'GB', buyPriceName: 'cost' };
    await world.connect({ settings });
    expect((await world.connect()).value?.settings).toEqual(settings);
    expect((await world.connect({ settings: {} })).value?.settings).toEqual({});
  });
});

describe('connection.check', () => {
  it('makes one call and tells what it read, as sent and under each name', async () => {
    await world.connect();
    const { ok, value } = await world.rpc('connection.check');
    expect(ok).toBe(true);
    expect(value).toMatchObject({
      ...{ asin: 'B07FZ8S74R', market: 'US', questions: [] },
      settings: { roiUnit: 'fraction', moneyUnit: 'units' },
      sent: { profit: 15.61, roi: 0.8721, fees: 6.48, eligible: true, rank_drops_30d: 202 },
    });
    expect(value?.recognised).toEqual(
      expect.arrayContaining([
        { name: 'asin', as: 'asin', value: 'B07FZ8S74R' },
        { name: 'buy_price', as: 'buy_price', value: '17.9' },
        { name: 'eligible', as: 'eligible', value: 'true' },
      ]),
    );
    expect(arrivalsOf(world.service())).toHaveLength(1);
  });

  it('says that the key is refused, in the status too until it is saved again', async () => {
    await world.connect({ apiKey: 'demo-key-revoked' });
    const refused = { kind: 'key-refused', message: 'The service refused the key.' };
    expect(await world.rpc('connection.check')).toMatchObject({ ok: false, failure: refused });
    expect(await status()).toMatchObject({ value: { stopped: refused } });
    await world.connect();
    expect((await status()).value).not.toHaveProperty('stopped');
  });

  it('leaves a key that works in use where the new one is refused or leads elsewhere', async () => {
    await world.connect();
    await world.rpc('connection.check');
    const before = (await status()).value;
    const draft = { baseUrl: BASE_URL, apiKey: 'demo-key-revoked', quota: null, sharing: 'me' };
    expect(await world.rpc('connection.save', draft)).toMatchObject({
      ok: false,
      failure: {
        ...{ kind: 'bad-key', field: 'apiKey' },
        message: 'The service refused this key. The one that works is still in use.',
      },
    });
    const elsewhere = { ...draft, baseUrl: `${BASE_URL}/nowhere`, apiKey: 'demo-key-unlimited' };
    expect(await world.rpc('connection.save', elsewhere)).toMatchObject({
      ok: false,
      failure: { kind: 'bad-address', field: 'baseUrl' },
    });
    expect((await status()).value).toEqual(before);
    expect((await world.show('ANALYZE', 'B0XKT7M4QN', 'US', 'profit')).value).toBe(9.85);
    const next = { ...draft, apiKey: 'demo-key-unlimited' };
    expect(await world.rpc('connection.save', next)).toMatchObject({
      ok: true,
      value: { keyMask: '…ited' },
    });
  });

  it('without a connection says what to do', async () => {
    expect(await world.rpc('connection.check')).toEqual({
      ok: false,
      failure: {
        kind: 'no-connection',
        message: 'No key is connected.',
        action: 'Enter the address and the key.',
        opensSettings: true,
      },
    });
  });
});

describe('whose key', () => {
  it('shared: formulas and other people use it, and nobody sees it', async () => {
    await world.connect({ sharing: 'spreadsheet' });
    expect(await status(HELPER)).toMatchObject({
      value: { connected: true, sharing: 'spreadsheet', isOthers: true, keyMask: '…cond' },
    });
    expect((await world.show('ANALYZE', 'B0XKT7M4QN', 'US', 'profit')).value).toBe(9.85);
  });

  it('mine only: others have none; formulas in my own spreadsheet still use it', async () => {
    await world.connect({ sharing: 'me' });
    expect(await status(HELPER)).toEqual({ ok: true, value: { connected: false, demo: false } });
    expect((await world.show('ANALYZE', 'B0XKT7M4QN', 'US', 'profit')).value).toBe(9.85);
  });

  it.each([
    ['no key', null],
    ['a key of their own', { baseUrl: BASE_URL, ...DEMO, sharing: 'me' }],
  ])(
    "mine only: formulas that an editor with %s recalculates spend the owner's key, and runs do not",
    async (_has, theirs) => {
      await world.connect({ sharing: 'me', apiKey: 'demo-key-unlimited', quota: null });
      if (theirs !== null) await world.rpc('connection.save', theirs, HELPER);
      const args = ['B0XKT7M4QN', 'US', 'profit'];
      const shown = await world.run({
        ...{ functionName: 'ANALYZE', args, door: 'cell', userEmail: HELPER },
      });
      expect(shown.value).toBe(9.85);
      expect((await status(HELPER)).value?.connected).toBe(theirs !== null);
      expect(await world.rpc('connection.check', {}, HELPER)).toMatchObject(
        theirs === null ? { failure: { kind: 'no-connection' } } : { ok: true },
      );
      const keys = arrivalsOf(world.service()).map(({ key }) => key);
      expect(keys).toEqual(['demo-key-unlimited', ...(theirs === null ? [] : [KEY])]);
    },
  );

  it("an editor's own key serves the editor's runs, not the spreadsheet's formulas", async () => {
    const draft = { baseUrl: BASE_URL, ...DEMO, sharing: 'me' };
    await world.rpc('connection.save', draft, HELPER);
    const { error } = await world.show('ANALYZE', 'B0XKT7M4QN', 'US');
    expect(error?.message).toContain('no key is connected');
  });

  it('is taken back by sharing with nobody, or by clearing', async () => {
    await world.connect({ sharing: 'spreadsheet' });
    await world.connect({ apiKey: '', sharing: 'me' });
    expect(await status(HELPER)).toMatchObject({ value: { connected: false, demo: false } });
    await world.connect({ apiKey: '', sharing: 'spreadsheet' });
    expect(await world.rpc('connection.clear')).toEqual({
      ok: true,
      value: { connected: false, demo: false },
    });
    expect(await status(HELPER)).toMatchObject({ value: { connected: false, demo: false } });
  });

  it('is not cleared by somebody it does not belong to', async () => {
    await world.connect({ sharing: 'spreadsheet' });
    await world.rpc('connection.clear', {}, HELPER);
    expect(await status()).toMatchObject({ value: { connected: true, sharing: 'spreadsheet' } });
  });
});

describe('hostile payloads', () => {
  it.each([
    ['no.such.method', {}],
    ['constructor', {}],
    ['__proto__', {}],
    ['connection.save', null],
    ['connection.save', { baseUrl: 5 }],
    ['connection.save', { baseUrl: BASE_URL, apiKey: 'k', quota: null, sharing: 'everybody' }],
    [
      'connection.save',
      { baseUrl: BASE_URL, apiKey: 'k', quota: { calls: 0, perSeconds: 1 }, sharing: 'me' },
    ],
    ['connection.save', { baseUrl: BASE_URL, apiKey: 'two words', quota: null, sharing: 'me' }],
    [
      'connection.save',
      { baseUrl: BASE_URL, apiKey: 'k\n', quota: null, sharing: 'me', admin: true },
    ],
    ['connection.save', JSON.parse(`{"baseUrl":"${BASE_URL}","__proto__":{"apiKey":"y"}}`)],
    ['connection.status', { extra: 1 }],
    ['connection.check', [1, 2]],
  ])('%s with %j is refused in the envelope, and nothing is stored', async (method, payload) => {
    const { ok, failure } = await world.rpc(method, payload);
    expect(ok).toBe(false);
    expect(failure?.message).toMatch(/^[A-Z].*\.$/);
    expect(await status()).toEqual({ ok: true, value: { connected: false, demo: false } });
  });
});
