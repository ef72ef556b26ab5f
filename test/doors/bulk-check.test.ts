// What the check says of a key that does not answer at present, before a run is started with it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, choiceOf, runAll, SANDBOX, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 70);

async function worldWith(apiKey: string) {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect({ apiKey });
  return sheet;
}

describe('a plan', () => {
  it('is not told of before the service says that it is used up, and then as nothing left', async () => {
    const sheet = await worldWith('demo-key-plan-of-25');
    expect(await check(world)).toMatchObject({ calls: 40, planCallsLeft: null });
    expect(await runAll(world)).toMatchObject({
      state: 'stuck',
      answered: 25,
      left: 15,
      problem: { kind: 'plan-used-up' },
    });
    expect(await check(world)).toMatchObject({ fresh: 25, calls: 15, planCallsLeft: 0 });
    const statuses = sheet.values().map((row) => String(row[6]).replace(/ .*/, ''));
    expect(statuses.filter((text) => text === 'OK')).toHaveLength(25);
    expect(statuses.filter((text) => text === 'Queued')).toHaveLength(15);
  });
});

describe('a key that the service refused', () => {
  it('cannot start a run that has to ask, which the check says', async () => {
    await worldWith('no-such-key-at-all');
    expect(await check(world)).not.toHaveProperty('problem');
    expect(await runAll(world)).toMatchObject({ state: 'stuck', problem: { kind: 'key-refused' } });
    expect(await check(world)).toMatchObject({ calls: 40, problem: { kind: 'key-refused' } });
    await world.connect();
    expect(await check(world)).not.toHaveProperty('problem');
  });
});

describe('a choice whose columns are gone from the sheet since', () => {
  it('is told, not read from elsewhere', async () => {
    const sheet = await worldWith('demo-key-5-per-second');
    const choice = await choiceOf(world);
    sheet.grid.deleteColumns(sheet.id, 1, 1);
    const { failure } = await world.rpc('bulk.preflight', choice);
    expect(failure?.message).toBe(
      'There is no product in these rows. Choose other rows or another column.',
    );
  });
});

describe('rows whose market cell is blank', () => {
  it('are told with the market that they take', async () => {
    const [first = '', second = '', third = ''] = LIST;
    const sheet = sheetOf([
      ['ASIN', 'Market'],
      [first, 'US'],
      [second, ''],
      [third, ' '],
    ]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    const { repaired } = await check(world, { market: { kind: 'column', column: 2 } });
    expect(repaired).toMatchObject({
      count: 2,
      rows: [
        { row: 3, repair: 'no-market', asin: second, market: 'US' },
        { row: 4, repair: 'no-market', asin: third, market: 'US' },
      ],
    });
    const one = await check(world, { market: { kind: 'one', market: 'US' } });
    expect(one.repaired).toMatchObject({ count: 0 });
  });
});
