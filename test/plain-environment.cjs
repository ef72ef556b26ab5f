// Node's environment with plain globals. Jest keeps a proxy behind them, so that whatever all files share,
// be it Math or Map, is found by a call into Node: a tenth to two fifths of the time of our tests.
const v8 = require('node:v8');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

// Every execution of a script begins in a context of its own, and what V8 optimized for it goes with it:
// optimizing as early as usual (after 67,584 bytes of bytecode) costs more than it saves.
v8.setFlagsFromString('--interrupt-budget=1000000');
// What is compiled stays: V8 would throw away what has not run for some collections of garbage, and the next
// execution begins by compiling it anew.
v8.setFlagsFromString('--no-flush-bytecode');
// Where an object is best put is learned for each place in the code that makes one, in each context anew: with
// hundreds of contexts, going through these places at every collection of garbage takes a twelfth of the time.
v8.setFlagsFromString('--no-allocation-site-pretenuring');

module.exports = class PlainEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    // Only for as long as Jest makes its own.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    // Loaded once for all files of a process: through Jest's own registry each would load it anew.
    this.global.connectToChromium = (endpoint) =>
      require('playwright-core').chromium.connect(endpoint);
  }
};
