// What people do at the sidebar of a scheduled world: look whether all is well, and run over the list themselves.

import type { ScheduleSettings } from '../../../src/sidebar/schedule-contract';
import type { MonthWorld } from './month-world';

const DAY_MS = 24 * 3_600_000;
const SLICE_MS = 300_000;

interface Look {
  readonly problem?: object;
  readonly clock: { readonly problem?: object };
  readonly suggestion: ScheduleSettings | null;
  readonly schedules: readonly {
    readonly problem?: object;
    readonly isUnderWay: boolean;
    readonly last: { readonly outcome: string; readonly startedAtMs: number } | null;
  }[];
}

const lookOf = (world: MonthWorld, userEmail?: string): Look =>
  world.rpc('schedule.look', {}, userEmail).value as unknown as Look;

export function suggestionOf(world: MonthWorld): ScheduleSettings {
  const { suggestion } = lookOf(world);
  if (suggestion === null) throw new Error('No list was found.');
  return suggestion;
}

/** Whether somebody who looks learns that something is wrong, was in the last runs, or is not done yet. */
export function isTold(world: MonthWorld, userEmail: string): boolean {
  const { problem, clock, schedules } = lookOf(world, userEmail);
  const sinceMs = world.host.nowMs() - DAY_MS;
  return (
    problem !== undefined ||
    clock.problem !== undefined ||
    schedules.some(
      ({ problem: own, isUnderWay, last }) =>
        own !== undefined ||
        isUnderWay ||
        (last !== null && last.outcome !== 'done' && last.startedAtMs > sinceMs),
    )
  );
}

interface BulkLook {
  readonly choice: object | null;
  readonly run: { readonly jobId: string; readonly state: string } | null;
}

const bulkLookOf = (world: MonthWorld) => world.rpc('bulk.look').value as unknown as BulkLook;

/** Whether a person's run waits for that person: schedules wait with it, and say so. */
export function isRunInTheWay(world: MonthWorld): boolean {
  const { run } = bulkLookOf(world);
  return run !== null && (run.state === 'stuck' || run.state === 'paused');
}

/** Somebody runs over the list themselves, and goes away after a while. */
export function ownRun(world: MonthWorld, patienceMs: number): void {
  const { choice, run } = bulkLookOf(world);
  if (run !== null) world.rpc('bulk.resume', { jobId: run.jobId });
  if (run === null && choice === null) return;
  const started = run ?? world.rpc('bulk.start', choice ?? {}).value;
  if (started === undefined) return;
  const { jobId } = started;
  let leftMs = patienceMs;
  while (leftMs > 0) {
    const maxMs = Math.min(SLICE_MS, leftMs);
    const { value } = world.rpc('bulk.run', { jobId, lane: 0, maxMs });
    if (value === undefined || value.againInMs === null) return;
    leftMs -= maxMs;
    world.host.wait(Number(value.againInMs));
  }
}
