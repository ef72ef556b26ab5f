// A run over a list, from the first look to the last row, as the sidebar's page drives it.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  choiceOf,
  granted,
  look,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(20, 320);

async function worldWith(sheet: Sheet): Promise<World> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  return world;
}

describe('a run over 300 rows', () => {
  it('looks, checks, starts and writes every row with its own figures', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin, i) => [asin, `note ${i}`])]);
    await worldWith(sheet);
    expect(await look(world)).toMatchObject({
      choice: { headerRow: 1, productColumn: 1, market: { kind: 'one', market: 'US' } },
      listRows: 300,
      run: null,
    });
    const check = granted(await world.rpc('bulk.preflight', await choiceOf(world)));
    expect(check).toMatchObject({ rows: 300, products: 300, fresh: 0, calls: 300 });
    const { jobId, rows } = await startRun(world);
    expect(rows).toBe(300);
    const end = await runOn(world, jobId);
    expect(end).toMatchObject({ state: 'finished', rows: 300, left: 0 });
  });
});
