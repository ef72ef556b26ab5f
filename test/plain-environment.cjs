// Node's environment with plain globals. Jest keeps a proxy behind them, so that whatever all files share,
// be it Math or Map, is found by a call into Node: a tenth to two fifths of the time of our tests.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

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
  }
};
