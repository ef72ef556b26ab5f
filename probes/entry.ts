// The global functions of the script of the probes.

export { PROBE } from './cell';
export { onProbeClock, watchClock } from './clock';
export {
  onOpen,
  probePage,
  removeProbes,
  runLongProbes,
  runProbes,
  showProbes,
} from './menu';
