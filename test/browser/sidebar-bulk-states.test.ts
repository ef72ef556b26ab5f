// Every state of a list that is analyzed: nothing that axe finds, nothing cut off at 200 %.
import { describe, it } from '@jest/globals';
import { ANALYZE_STATES } from '../../playground/sidebar-states/analyze-states';
import { ANALYZE_TROUBLE_STATES } from '../../playground/sidebar-states/analyze-trouble-states';
import { sampleOf } from '../sample';
import { expectAccessible, expectNoSidewaysScrolling, sharedSidebarPage } from './sidebar-browser';

describe('a state of a list that is analyzed', () => {
  const { open } = sharedSidebarPage();

  it.each(sampleOf('states of a run', [...ANALYZE_STATES, ...ANALYZE_TROUBLE_STATES], 8))(
    '$name: $title',
    async ({ script, act }) => {
      const page = await open(script);
      await act(page);
      await expectAccessible(page);
      // What 300 × 640 is at 200 %.
      await page.setViewportSize({ width: 150, height: 320 });
      await expectNoSidewaysScrolling(page);
    },
  );
});
