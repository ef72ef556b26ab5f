// A list with decisions, without a browser: what a person says of it reaches the server, in turn.

import { describe, expect, it, jest } from '@jest/globals';
import { LOOK } from '../../../../playground/sidebar-states/analyze-replies';
import { reads } from '../../../../playground/sidebar-states/deals-states';
import { fails, openPage, says } from '../open-page';

// Nothing here waits for a time, and what the page does by itself must not outlive a test.
jest.useFakeTimers({ doNotFake: ['setImmediate'] });

type Deals = typeof import('../../../../src/sidebar/page/list/deals');
type List = typeof import('../../../../src/sidebar/page/list/list');

const LIST = reads() as ReturnType<typeof says>;
const COST = { column: { column: 3, letter: 'C', title: 'Pack cost' } };

async function shown() {
  const opened = openPage(() => ({
    ...(require('../../../../src/sidebar/page/list/list') as List),
    ...(require('../../../../src/sidebar/page/list/deals') as Deals),
  }));
  const { page, last } = opened;
  void page.load();
  await last('deals.look').answer(LIST);
  await last('list.look').answer(says(LOOK));
  return opened;
}

describe('what a person says of a list', () => {
  it('says why a cost could not be chosen', async () => {
    const { page, last } = await shown();
    void page.chooseCost(COST);
    await last('deals.look').answer(LIST);
    const failure = { kind: 'google-busy', message: 'Google had a problem.' };
    await last('deals.look').answer(fails(failure));
    expect(page.failure.value).toEqual(failure);
  });

  it('waits for what is under way, and is not dropped', async () => {
    const { page, last, count } = await shown();
    void page.sort();
    void page.setRule('minProfit', 4);
    void page.chooseCost(COST);
    await last('deals.sort').answer(says(null));
    expect(count('deals.rules')).toBe(0);
    await last('deals.look').answer(LIST);
    expect(last('deals.rules').payload).toEqual({ values: { minProfit: 4 } });
    await last('deals.rules').answer(says(null));
    await last('deals.look').answer(LIST);
    expect(last('deals.look').payload).toMatchObject({ cost: { title: 'Pack cost' } });
  });

  it('can be a column that has the title of another one', async () => {
    const { page, last } = await shown();
    void page.chooseCost({ column: { column: 5, letter: 'E', title: 'Pack cost' } });
    await last('deals.look').answer(LIST);
    expect(last('deals.look').payload).toMatchObject({ cost: { title: 'Pack cost', column: 5 } });
  });
});
