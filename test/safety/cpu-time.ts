// How long something keeps the processor, whatever else the machine does meanwhile.

/** What happens by chance, such as a collection of garbage, hardly happens each time. */
const TRIES = 3;

/** The shortest of some tries, ms of this process alone; no more tries than it takes to be within a bound. */
export function cpuMsOf(act: () => unknown, boundMs: number): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && shortestMs > boundMs; tries += 1) {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    shortestMs = Math.min(shortestMs, (user + system) / 1_000);
  }
  return shortestMs;
}
