// A start that comes to nothing because rows move under every write: no mark of it stays in the sheet.

import { afterEach, expect, it } from '@jest/globals';
import { choiceOf, look, runAll, SANDBOX, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 50);

/** A start gives up after so many rounds of marking. */
const ROUNDS = 16;

/** Before that it writes the titles of its columns. */
const TITLES = 1;

it('leaves the rows as they were, and the next start finds them so', async () => {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  let writes = 0;
  world = createWorld({
    sandbox: SANDBOX,
    host: {
      documents: [sheet.document],
      betweenCalls: ({ operation }) => {
        if (operation !== 'spreadsheet.write.setValues') return [];
        writes += 1;
        if (writes <= TITLES || writes > TITLES + ROUNDS) return [];
        return [{ do: 'insertRows', sheetId: sheet.id, first: 2, count: 1 }];
      },
    },
  });
  await world.connect();
  const { failure } = await world.rpc('bulk.start', await choiceOf(world));
  expect(failure).toMatchObject({
    kind: 'run',
    message: expect.stringMatching(/^The rows of this run could not be written/),
  });
  expect(writes).toBe(TITLES + ROUNDS + 1);
  expect(sheet.values().flat().join()).not.toContain('Queued');
  expect(await look(world)).toMatchObject({ run: null });
  expect(await runAll(world)).toMatchObject({ state: 'finished', answered: LIST.length });
});
