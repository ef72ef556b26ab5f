// Starts the longest test files first: a machine that has run none of them knows no times to go by, and
// the last minutes would see one core wait for a browser on the other.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Longest first, by what a clean run on two cores showed; parts of paths. */
const LONG = [
  ...[
    'browser/sidebar-bulk.test',
    'deploy.test',
    'commands.test',
    'safety/no-key-anywhere',
    'browser/playground',
  ],
  ...['browser/sidebar-schedule', 'simulation/', 'deal/', 'safety/', 'browser/', 'bench/'],
  ...['doors/', 'schedules/', 'formulas/', 'quota/', 'runs/'],
];

function placeOf({ path }) {
  const place = LONG.findIndex((part) => path.includes(`/test/${part}`));
  return place < 0 ? LONG.length : place;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => placeOf(one) - placeOf(other));
  }
};
