// The gate's table: its scenarios in display order.

import { BULK } from './bulk';
import { CACHED } from './cached';
import { CELL_SCENARIOS } from './cells';
import type { Scenario } from './scenario';
import { SHARED, SHARED_LAW_SCENARIOS } from './shared';

export const GATE: readonly Scenario[] = [
  ...BULK,
  ...CELL_SCENARIOS,
  SHARED,
  ...SHARED_LAW_SCENARIOS,
  ...CACHED,
];
