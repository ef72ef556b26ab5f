// The tests of states that the pictures show: nothing that axe finds, nothing cut off at 200 %.
import { describe, it } from '@jest/globals';
import { NOW_MS } from '../../playground/sidebar-states/analyze-replies';
import type { SidebarState } from '../../playground/sidebar-states/sidebar-state';
import { sampleOf } from '../sample';
import { expectAccessible, expectNoSidewaysScrolling, sidebarBrowser } from './sidebar-browser';

export function testStates(pages: Readonly<Record<string, readonly SidebarState[]>>): void {
  describe.each(Object.entries(pages))('a state of %s', (page, states) => {
    // The states are of that moment: later, a blocked job that was to wait would go on.
    const { open } = sidebarBrowser(NOW_MS);

    it.each(sampleOf(`states of ${page}`, states, 3))('$name: $title', async ({ script, act }) => {
      const page = await open(script);
      await act(page);
      await expectAccessible(page);
      // What 300 × 640 is at 200 %.
      await page.setViewportSize({ width: 150, height: 320 });
      await expectNoSidewaysScrolling(page);
    });
  });
}
