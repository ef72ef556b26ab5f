// A job through the page's methods: what is asked, what stands in the tab, and what lists show.

import { afterEach, describe, expect, test } from '@jest/globals';
import { SANDBOX, sheetOf, US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';
import { analyze } from './driver';

let world: World;
afterEach(async () => world.stop());

describe('a list that is analyzed for the first time', () => {
  test('shows the figures of every product beside it', async () => {
    const asins = US_ASINS.slice(0, 12);
    const sheet = sheetOf([['ASIN', 'Cost'], ...asins.map((asin) => [asin, 5])]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();

    const status = await analyze(world);

    expect(status).toMatchObject({ state: 'done', products: 12, left: 0 });
    console.log(JSON.stringify(status), sheet.values());
  });
});
