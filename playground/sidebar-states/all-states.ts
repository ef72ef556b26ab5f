// Every state of the sidebar, in the order of the picture that shows them all.
import { CONNECTION_STATES } from './connection-states';
import { FIRST_RUN_STATES } from './first-run-states';
import type { SidebarState } from './sidebar-state';
import { TROUBLE_STATES } from './trouble-states';

export const SIDEBAR_STATES: readonly SidebarState[] = [
  ...FIRST_RUN_STATES,
  ...CONNECTION_STATES,
  ...TROUBLE_STATES,
];
