// A list with decisions, without a browser: what a person says of it reaches the server, in turn.

import { describe, expect, it, jest } from '@jest/globals';
import { LOOK } from '../../../../playground/sidebar-states/analyze-replies';
import { offerOf, reads } from '../../../../playground/sidebar-states/deals-states';
import { summaryOf } from '../../../../src/deal/offers';
import { fails, openPage, says } from '../open-page';

// Nothing here waits for a time, and what the page does by itself must not outlive a test.
jest.useFakeTimers({ doNotFake: ['setImmediate'] });

type Analyze = typeof import('../../../../src/sidebar/page/list/analyze');
type Deals = typeof import('../../../../src/sidebar/page/list/deals');
type List = typeof import('../../../../src/sidebar/page/list/list');

const LIST = reads() as ReturnType<typeof says>;
const COST = { column: { column: 3, letter: 'C', title: 'Pack cost' } };

async function shown(list = LIST, look: object = LOOK) {
  const opened = openPage(() => ({
    ...(require('../../../../src/sidebar/page/list/list') as List),
    ...(require('../../../../src/sidebar/page/list/analyze') as Analyze),
    ...(require('../../../../src/sidebar/page/list/deals') as Deals),
  }));
  const { page, last } = opened;
  page.startAnalyze();
  void page.load();
  await last('deals.look').answer(list);
  await last('list.look').answer(says(look));
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

describe('a decided list', () => {
  const offers = [offerOf(0, { verdict: 'Buy' }), offerOf(1, { verdict: 'Skip' })];
  const DECIDED = reads({}, { summary: summaryOf(offers) }) as ReturnType<typeof says>;

  it('is not counted again, but the rows that were added to it are', async () => {
    const asIs = await shown(DECIDED);
    expect([asIs.page.need.value, asIs.count('jobs.preview')]).toEqual(['nothing', 0]);
    const { page, last, count } = await shown(DECIDED, { ...LOOK, newRows: 14 });
    expect(last('jobs.preview').payload).toEqual({ ...LOOK.choice, rows: { kind: 'empty' } });
    page.again();
    expect(last('jobs.preview').payload).toEqual(LOOK.choice);
    expect(count('jobs.preview')).toBe(2);
  });

  it('tells each part of being decided, and counts once the sheet has calculated', async () => {
    const { page, last, count } = await shown();
    const [early] = [reads({}, { summary: summaryOf(offers.slice(1)) }) as typeof LIST];
    const told = () => page.progress.value?.words;
    void page.decide();
    for (const [part, words] of [
      ['rules', 'Setting up your rules'],
      ['formulas', 'Writing decisions'],
    ]) {
      expect([last('deals.decide').payload, told()]).toMatchObject([{ until: part }, words]);
      await last('deals.decide').answer(says(part === 'formulas' ? { rows: 2, kept: 0 } : null));
    }
    expect(told()).toBe('Counting what to buy');
    for (const reply of [early, DECIDED, DECIDED]) {
      expect(page.list.value?.summary).toBeNull();
      await last('deals.look').answer(reply);
      if (reply === early) expect(count('deals.look')).toBe(2);
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(page.list.value?.summary?.verdicts).toMatchObject({ Buy: 1, Skip: 1 });
    expect([told(), page.notice.value]).toEqual([undefined, 'Decisions added to 2 rows.']);
  });
});
