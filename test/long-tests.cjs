// The test files that `npm test` leaves to `npm run test:all`: long worlds, rare faults of Google, whole packages.

/** Parts of paths. A file here takes 8 s or more, and what it proves seldom breaks without a shorter test failing. */
const LONG_TESTS = [
  'packages/apps-script-host/test/determinism.test',
  'packages/apps-script-host/test/packed.test',
  'test/analysis/tab-at-scale.test',
  'test/bench/same-seed.test',
  'test/browser/playground-command.test',
  'test/browser/playground-deals.test',
  'test/browser/playground-uk-seller.test',
  'test/browser/playground-wholesale.test',
  'test/browser/sidebar-bulk-page.test',
  'test/browser/sidebar-bulk.test',
  'test/browser/sidebar-schedule.test',
  'test/connection/changes.test',
  'test/deal/both-markets',
  'test/deal/decided-again.test',
  'test/deploy.test',
  'test/formulas/at-scale.test',
  'test/functions/crowded-cells.test',
  'test/jobs/abandoned.test',
  'test/probes/probes.test',
  'test/limit/at-the-doors.test',
  'test/limit/windows.test',
  'test/list/columns-at-scale.test',
  'test/safety/hostile-page.test',
  'test/safety/key-forms.test',
  'test/safety/kept-names.test',
  'test/safety/passing-faults.test',
  'test/safety/records.test',
  'test/schedules/clock.test',
  'test/schedules/formulas.test',
  'test/schedules/found-changes.test',
  'test/schedules/full-change-log.test',
  'test/schedules/lists.test',
  'test/schedules/passing-faults.test',
  'test/simulation/endurance.test',
];

/** Files that take a sample of an enumeration in `npm test` (test/sample.ts), and all of it in the rest. */
const SAMPLED_TESTS = [
  'test/analysis/people-in-the-tab.test',
  'test/browser/sidebar-bulk-states.test',
  'test/browser/sidebar-deals-states.test',
  'test/browser/sidebar-product.test',
  'test/browser/sidebar-schedule-states.test',
  'test/browser/sidebar-states.test',
  'test/commands.test',
  'test/deal/deal-formulas.test',
  'test/doors/languages.test',
  'test/doors/waits.test',
  'test/schedules/cut-off.test',
  'test/simulation/bulk.test',
  'test/simulation/odd-services.test',
  'test/simulation/schedule.test',
];

module.exports = { LONG_TESTS, SAMPLED_TESTS };
