// Without a key: formulas answer for samples, never beside real figures.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { BASE_URL, createWorld, DEMO, type World } from '../doors/world';

const SAMPLE = 'B0SAMPLE01';
const MUG = 'B0XKT7M4QN';

let world: World;

beforeEach(() => {
  world = createWorld();
});

afterEach(() => world.stop());

const status = async () => (await world.rpc('connection.status')).value;
const textOf = async (asin: string) => (await world.show('ANALYZE', asin)).error?.message;

describe('the demo', () => {
  it('has to be asked for: before, a formula says that a key is missing', async () => {
    expect(await textOf(SAMPLE)).toContain('no key is connected');
    expect((await world.rpc('demo.start')).value).toEqual({ connected: false, demo: true });
    expect(await status()).toEqual({ connected: false, demo: true });
  });

  it('answers a dozen samples, each marked, and calls nobody', async () => {
    await world.rpc('demo.start');
    const asins = Array.from({ length: 12 }, (_, i) => [
      `B0SAMPLE${String(i + 1).padStart(2, '0')}`,
    ]);
    const { value } = await world.show('ANALYZE', asins, 'US', 'profit, roi, eligible, sample');
    const rows = value as readonly (readonly unknown[])[];
    expect(rows).toHaveLength(12);
    for (const [profit, roi, , sample] of rows)
      expect([typeof profit, typeof roi, sample]).toEqual(['number', 'number', true]);
    expect(rows[0]).toEqual([9.85, 0.8565, true, true]);
    expect(new Set(rows.map(([, , eligible]) => eligible))).toEqual(
      new Set([true, false, 'Needs approval', null]),
    );
    expect(arrivalsOf(world.service())).toEqual([]);
  });

  it('answers for nothing else, and says so', async () => {
    await world.rpc('demo.start');
    expect(await textOf(MUG)).toBe(
      'Not analyzed: only samples work until a key is connected. ' +
        `Open Extensions > ${ADD_ON_NAME} to add a key`,
    );
  });

  it('ends with the first key, and no sample is ever an answer of the service', async () => {
    await world.rpc('demo.start');
    await world.show('ANALYZE', SAMPLE);
    await world.connect();
    expect(await status()).toMatchObject({ connected: true });
    expect(await textOf(SAMPLE)).toContain('is not sold');
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
    await world.rpc('connection.clear');
    expect(await status()).toEqual({ connected: false, demo: false });
  });

  it('is switched off, and never on beside a shared key', async () => {
    await world.rpc('demo.start');
    expect((await world.rpc('demo.stop')).value).toEqual({ connected: false, demo: false });
    expect(await textOf(SAMPLE)).toContain('no key is connected');
    await world.connect();
    await world.rpc('demo.start', {}, 'helper@example.com');
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
  });

  it('is nothing for who has a key, and what formulas answer then is said truly', async () => {
    const helper = 'helper@example.com';
    await world.connect({ sharing: 'me' });
    await world.rpc('demo.start');
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
    expect(world.host.stores.properties.read('document/sheet-1').connection).toBeUndefined();
    await world.rpc('connection.clear');
    const own = { baseUrl: BASE_URL, ...DEMO, sharing: 'me' };
    await world.rpc('connection.save', own, helper);
    await world.rpc('demo.start');
    expect((await world.rpc('connection.status', {}, helper)).value?.payer).toEqual({
      kind: 'samples',
      text: "Formulas here answer for samples, unless the spreadsheet's owner has connected a key.",
    });
  });

  it('makes no calls and keeps nothing: a check says what is missing', async () => {
    await world.rpc('demo.start');
    expect((await world.rpc('connection.check')).failure?.kind).toBe('no-connection');
    expect(await world.rpc('waiting.work', { maxMs: 1_000 })).toMatchObject({
      value: { settled: 0, left: 0 },
    });
    expect(arrivalsOf(world.service())).toEqual([]);
  });
});
