// The person's clock, which is in `jobs/clock` now. For what still imports it from here.

export { clockOf, ensureClock, type PersonsClock, renewClock } from '../jobs/clock';
