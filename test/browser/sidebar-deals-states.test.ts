// Every state of the Deals page: nothing that axe finds, nothing cut off at 200 %.
import { describe, expect, it } from '@jest/globals';
import { DEALS_STATES } from '../../playground/sidebar-states/deals-states';
import { expectAccessible, expectNoSidewaysScrolling, sharedSidebarPage } from './sidebar-browser';

describe('a state of the Deals page', () => {
  const { open } = sharedSidebarPage();

  it.each(DEALS_STATES)('$name: $title', async ({ script, act }) => {
    const page = await open(script);
    await act(page);
    await expectAccessible(page);
    // What 300 × 640 is at 200 %.
    await page.setViewportSize({ width: 150, height: 320 });
    await expectNoSidewaysScrolling(page);
  });

  it.each([
    ['decided', 1],
    ['no-sell-price', 0],
  ])('%s: rows are filtered and sorted where they have verdicts', async (name, count) => {
    const state = DEALS_STATES.find((one) => one.name === name);
    const page = await open(state?.script ?? {});
    await state?.act(page);
    for (const verb of ['Show only buys', 'Sort by ROI'])
      expect(await page.getByRole('button', { name: verb }).count()).toBe(count);
  });
});
