// Every state of the Deals page: nothing that axe finds, nothing cut off at 200 %.
import { describe, it } from '@jest/globals';
import { DEALS_STATES } from '../../playground/sidebar-states/deals-states';
import { expectAccessible, expectNoSidewaysScrolling, sidebarBrowser } from './sidebar-browser';

describe('a state of the Deals page', () => {
  const { open } = sidebarBrowser();

  it.each(DEALS_STATES)('$name: $title', async ({ script, act }) => {
    const page = await open(script);
    await act(page);
    await expectAccessible(page);
    // What 300 × 640 is at 200 %.
    await page.setViewportSize({ width: 150, height: 320 });
    await expectNoSidewaysScrolling(page);
  });
});
