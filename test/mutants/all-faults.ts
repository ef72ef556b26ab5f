// The table of faults, each with the area it belongs to.
import { AREAS, type Area, type Fault, type PlacedFault } from './fault';
import { ANALYSIS_FAULTS } from './faults/analysis';

import { CACHE_FAULTS } from './faults/cache';
import { CONNECTION_FAULTS } from './faults/connection';
import { DEAL_FAULTS } from './faults/deal';
import { ENGINE_FAULTS } from './faults/engine';
import { FAILURES_FAULTS } from './faults/failures';
import { FORMULAS_FAULTS } from './faults/formulas';
import { FUNCTIONS_FAULTS } from './faults/functions';
import { GOOGLE_FAULTS } from './faults/google';
import { JOBS_FAULTS } from './faults/jobs';
import { LIMIT_FAULTS } from './faults/limit';
import { LIST_FAULTS } from './faults/list';
import { PLAYGROUND_FAULTS } from './faults/playground';
import { PRODUCT_FAULTS } from './faults/product';
import { SCHEDULES_FAULTS } from './faults/schedules';
import { SERVICE_FAULTS } from './faults/service';
import { SHEET_FAULTS } from './faults/sheet';
import { SIDEBAR_FAULTS } from './faults/sidebar';
import { SIDEBAR_API_FAULTS } from './faults/sidebar-api';
import { TRIGGERS_FAULTS } from './faults/triggers';

const BY_AREA: Readonly<Record<Area, readonly Fault[]>> = {
  limit: LIMIT_FAULTS,
  cache: CACHE_FAULTS,
  engine: ENGINE_FAULTS,
  jobs: JOBS_FAULTS,
  list: LIST_FAULTS,
  schedules: SCHEDULES_FAULTS,
  formulas: FORMULAS_FAULTS,
  connection: CONNECTION_FAULTS,
  service: SERVICE_FAULTS,
  'sidebar/api': SIDEBAR_API_FAULTS,
  google: GOOGLE_FAULTS,
  playground: PLAYGROUND_FAULTS,
  sidebar: SIDEBAR_FAULTS,
  deal: DEAL_FAULTS,
  triggers: TRIGGERS_FAULTS,
  functions: FUNCTIONS_FAULTS,
  failures: FAILURES_FAULTS,
  product: PRODUCT_FAULTS,
  analysis: ANALYSIS_FAULTS,
  sheet: SHEET_FAULTS,
};

export const ALL_FAULTS: readonly PlacedFault[] = AREAS.flatMap((area) =>
  BY_AREA[area].map((fault) => ({ ...fault, area })),
);
