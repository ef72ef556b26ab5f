// 404 with a web page: a wrong address before an analysis came from there, an unknown product since.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorld, documentOf, type World } from './world';

const MUG = 'B0XKT7M4QN';
const UNKNOWN = 'B0NOTFPAGE';
const NOT_FOUND = ' is not sold on Amazon US';
const WRONG = 'the address does not lead to the analysis service';

let world: World;

beforeEach(async () => {
  world = createWorld({ host: { documents: [documentOf('sheet-1'), documentOf('sheet-2')] } });
  await world.connect();
});

afterEach(() => world.stop());

const textOf = async (asin: string) => (await world.show('ANALYZE', asin, 'US')).error?.message;
const later = () => world.pass(7);

describe('a web page with status 404', () => {
  it('is a wrong address as long as nothing else was ever heard from there', async () => {
    expect(await textOf(UNKNOWN)).toContain(WRONG);
    expect(await world.rpc('connection.check', { asin: UNKNOWN })).toMatchObject({
      ok: false,
      failure: { kind: 'wrong-address' },
    });
  });

  it('is an unknown product once a cell was answered within the hour', async () => {
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
    expect(await textOf(UNKNOWN)).toContain(NOT_FOUND);
  });

  it('is one after a check, also after the cache has forgotten', async () => {
    await world.rpc('connection.check', { asin: MUG });
    await later();
    expect(await textOf(UNKNOWN)).toContain(NOT_FOUND);
  });

  it('is one beside an answer of the same wave', async () => {
    const { value } = await world.show('ANALYZE', [[UNKNOWN], [MUG]], 'US', 'profit');
    expect(value).toEqual([[expect.stringContaining(NOT_FOUND)], [9.85]]);
  });

  it('is one in every spreadsheet of that person', async () => {
    await world.connect({ sharing: 'me' });
    expect(await world.rpc('connection.check', { asin: MUG })).toMatchObject({ ok: true });
    const call = { functionName: 'ANALYZE', args: [UNKNOWN], door: 'cell' } as const;
    const cell = await world.run({ ...call, documentId: 'sheet-2' });
    expect(cell.error?.message).toContain(NOT_FOUND);
    const { value } = await world.rpc('connection.check', { asin: UNKNOWN });
    expect(value).toMatchObject({ asin: UNKNOWN, recognised: [] });
  });

  it('is one with another key of the same address too', async () => {
    await world.rpc('connection.check', { asin: MUG });
    await world.connect({ apiKey: 'demo-key-20-per-second' });
    expect(await textOf(UNKNOWN)).toContain(NOT_FOUND);
  });
});
