// Starts the longest test files first, and of those that wait for a browser one at a time: beside it, all cores
// have something to compute. A machine that has run none of them knows no times to go by.
const { default: Sequencer } = require('@jest/test-sequencer');
const { maxWorkers } = require('../jest.config.cjs');

/** Files that wait more than they compute; parts of paths. */
const WAITING = ['test/browser/'];

/** About how long they take, as a clean run on two cores showed, in s; the first that fits counts. */
const SECONDS = [
  ['test/simulation/schedule.test', 60],
  ['test/commands.test', 50],
  ['test/deploy.test', 50],
  ['test/safety/passing-faults.test', 40],
  ['test/browser/journeys', 40],
  ['test/browser/sidebar-schedule.test', 30],
  ['test/browser/sidebar-bulk.test', 30],
  ['test/browser/playground', 30],
  ['test/browser/sidebar-states', 30],
  ['test/browser/', 20],
  ['test/packed.test', 40],
  ['test/simulation/', 20],
  ['test/safety/', 15],
  ['test/deal/', 15],
  ['test/doors/', 12],
  ['test/schedules/', 12],
  ['test/formulas/', 10],
  ['test/bench/', 8],
  ['test/functions/', 8],
  ['test/scripts/build/', 8],
  ['test/limit/', 5],
  ['', 1],
];

const secondsOf = ({ path }) => SECONDS.find(([part]) => path.includes(part))[1];
const waits = ({ path }) => WAITING.some((part) => path.includes(part));

/** In the order in which they would be begun by so many workers. */
function inTurn(tests, workers) {
  const queues = {
    waiting: tests.filter(waits),
    busy: tests.filter((test) => !waits(test)),
  };
  const freeAt = Array.from({ length: workers }, () => 0);
  const order = [];
  let waitingUntil = 0;
  while (order.length < tests.length) {
    const now = Math.min(...freeAt);
    const isTurn = waitingUntil <= now && queues.waiting.length > 0;
    const next = (isTurn || queues.busy.length === 0 ? queues.waiting : queues.busy).shift();
    const until = now + secondsOf(next);
    if (waits(next)) waitingUntil = until;
    freeAt[freeAt.indexOf(now)] = until;
    order.push(next);
  }
  return order;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const longest = [...super.sort(tests)].sort((one, other) => secondsOf(other) - secondsOf(one));
    return inTurn(longest, maxWorkers);
  }
};
