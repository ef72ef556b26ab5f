// The global functions of the self-test build: those it has in addition to src/entry.ts or in place
// of it.

export { PROBE } from './probe-cell';
export { onSchedule, watchClock } from './probe-clock';
export { probePage, removeProbes, runProbes, showProbes } from './probe-menu';
