// The public list of the self-test's build: what it has beside src/entry.ts, or in place of it.

export { PROBE } from './probe-cell';
export { onSchedule, watchClock } from './probe-clock';
export { probePage, removeProbes, runProbes, showProbes } from './probe-menu';
