// The table of faults, each with the area it belongs to.
import { AREAS, type Area, type Fault, type PlacedFault } from './fault';
import { APPS_SCRIPT_FAULTS } from './faults/apps-script';
import { CACHE_FAULTS } from './faults/cache';
import { CONNECTION_FAULTS } from './faults/connection';
import { ENGINE_FAULTS } from './faults/engine';
import { FORMULAS_FAULTS } from './faults/formulas';
import { QUOTA_FAULTS } from './faults/quota';
import { RUNS_FAULTS } from './faults/runs';
import { SCHEDULES_FAULTS } from './faults/schedules';
import { SERVICE_FAULTS } from './faults/service';
import { SIDEBAR_API_FAULTS } from './faults/sidebar-api';
import { TABLE_FAULTS } from './faults/table';

const BY_AREA: Readonly<Record<Area, readonly Fault[]>> = {
  quota: QUOTA_FAULTS,
  cache: CACHE_FAULTS,
  engine: ENGINE_FAULTS,
  table: TABLE_FAULTS,
  runs: RUNS_FAULTS,
  schedules: SCHEDULES_FAULTS,
  formulas: FORMULAS_FAULTS,
  connection: CONNECTION_FAULTS,
  service: SERVICE_FAULTS,
  'sidebar/api': SIDEBAR_API_FAULTS,
  'platform/apps-script': APPS_SCRIPT_FAULTS,
};

export const ALL_FAULTS: readonly PlacedFault[] = AREAS.flatMap((area) =>
  BY_AREA[area].map((fault) => ({ ...fault, area })),
);
