// What people do at the sidebar of a scheduled world: check whether all is well, and run over the
// list themselves.

import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { RunShown } from '../../../src/sidebar/api/schedules';
import type { MonthWorld } from './month-world';

const SLICE_MS = 300_000;

interface Problem {
  readonly kind: string;
  readonly message: string;
}

export interface Look {
  readonly problem?: Problem;
  readonly trigger: { readonly problem?: Problem };
  readonly suggestion: ScheduleSettings | null;
  readonly schedules: readonly {
    readonly id: string;
    readonly isOn: boolean;
    readonly isUnderWay: boolean;
    readonly problem?: Problem;
    readonly last: RunShown | null;
  }[];
}

/**
 * What prevents schedules from working, and how that is reported: by the kind of failure or by its
 * words.
 */
export type Trouble = keyof typeof TOLD_AS;

const TOLD_AS = {
  'no permission': /not-permitted/,
  'no spreadsheet': /without a spreadsheet/,
  'service down': /service|unreachable|timed-out|calls all failed/,
  'a run in the way': /waits for it to end/,
  'cut off': /waits for it to end|was interrupted/,
  /** Google's services failed twice, or an earlier firing has reported what it left. */
  something: /./,
  silence: /has not run since|has not started your schedules since/,
};

export const lookOf = (world: MonthWorld, userEmail?: string): Look =>
  world.rpc('schedule.look', {}, userEmail).value as unknown as Look;

export const historyOf = (world: MonthWorld): readonly RunShown[] =>
  (world.rpc('schedule.history').value?.runs ?? []) as readonly RunShown[];

export function suggestionOf(world: MonthWorld): ScheduleSettings {
  const { suggestion } = lookOf(world);
  if (suggestion === null) throw new Error('No list was found.');
  return suggestion;
}

/**
 * Whether a person who looks learns of it for each schedule. Problems of all schedules come first
 * and one at a time: without permission, for example, nobody is told that Google is late.
 *
 * @param ids the schedules that are prevented from working.
 * @param sinceMs runs that began earlier do not count.
 */
export function isTold(
  { problem, trigger, schedules }: Look,
  trouble: Trouble,
  ids: readonly string[],
  sinceMs: number,
): boolean {
  const tells = (one: Problem | undefined, words: RegExp) =>
    one !== undefined && words.test(`${one.kind} ${one.message}`);
  if ([problem, trigger.problem].some((one) => OF_ALL.some((words) => tells(one, words))))
    return true;
  return schedules
    .filter(({ id }) => ids.includes(id))
    .every(({ problem: own, last }) => {
      const isNews = last !== null && last.startedAtMs >= sinceMs;
      // Failed rows say so themselves, and the run counts them.
      const isCounted = trouble === 'service down' && isNews && last.failed > 0;
      return tells(own, TOLD_AS[trouble]) || isCounted;
    });
}

/** A run that was cut off is reported once it can no longer be at work. */
export const CUT_OFF_MS = 8 * 60_000;

const OF_ALL = [TOLD_AS['no permission'], TOLD_AS['no spreadsheet'], TOLD_AS.silence];

interface BulkLook {
  readonly choice: object | null;
  readonly run: { readonly runId: string; readonly state: string } | null;
}

function bulkLookOf(world: MonthWorld): BulkLook {
  const { value, failure } = world.rpc('bulk.look');
  if (value === undefined) throw new Error(`Not looked: ${failure?.kind} ${failure?.message}`);
  return value as unknown as BulkLook;
}

/** Whether a person's run waits for that person, so that schedules wait as well and say so. */
export function isRunInTheWay(world: MonthWorld): boolean {
  const { run } = bulkLookOf(world);
  return run !== null && (run.state === 'stuck' || run.state === 'paused');
}

/** Somebody runs over the list themselves and leaves after a while. */
export function ownRun(world: MonthWorld, patienceMs: number): void {
  const { choice, run } = bulkLookOf(world);
  if (run !== null) world.rpc('bulk.resume', { runId: run.runId });
  if (run === null && choice === null) return;
  const started = run ?? world.rpc('bulk.start', choice ?? {}).value;
  if (started === undefined) return;
  const { runId } = started;
  let leftMs = patienceMs;
  while (leftMs > 0) {
    const maxMs = Math.min(SLICE_MS, leftMs);
    const { value } = world.rpc('bulk.run', { runId, worker: 0, maxMs });
    if (value === undefined || value.againInMs === null) return;
    leftMs -= maxMs;
    world.host.wait(Number(value.againInMs));
  }
}
