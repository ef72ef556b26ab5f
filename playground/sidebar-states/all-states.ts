// Lists every state of the sidebar, by page.
import { ANALYZE_STATES } from './analyze-states';
import { ANALYZE_TROUBLE_STATES } from './analyze-trouble-states';
import { CONNECTION_STATES } from './connection-states';
import { DEALS_STATES } from './deals-states';
import { FIRST_RUN_STATES } from './first-run-states';
import { PRODUCT_STATES } from './product-states';
import { SCHEDULE_STATES } from './schedule-states';
import { SCHEDULE_TROUBLE_STATES } from './schedule-trouble-states';
import type { SidebarState } from './sidebar-state';
import { TROUBLE_STATES } from './trouble-states';

/** States of the Settings page and of the frame; their pictures are sidebar-*.png. */
export const SIDEBAR_STATES: readonly SidebarState[] = [
  ...FIRST_RUN_STATES,
  ...CONNECTION_STATES,
  ...TROUBLE_STATES,
];

/** States of the other pages; their pictures are analyze-*.png and so on. */
export const STATES_OF_PAGES = {
  analyze: [...ANALYZE_STATES, ...ANALYZE_TROUBLE_STATES],
  deals: [...DEALS_STATES, ...PRODUCT_STATES],
  schedule: [...SCHEDULE_STATES, ...SCHEDULE_TROUBLE_STATES],
} as const satisfies Readonly<Record<string, readonly SidebarState[]>>;
