// Works on a job as the page does, by calling the methods one after the other.

import { granted } from '../doors/bulk-list';
import type { Envelope, World } from '../doors/world';

type Value = Readonly<Record<string, unknown>>;

export interface Status extends Value {
  readonly jobId: string;
  readonly state: string;
  readonly left: number;
}

export interface AtWork {
  readonly status: Status;
  readonly queue: readonly string[];
}

export async function choiceOf(world: World, wish: object = {}, user?: string): Promise<object> {
  const { choice } = granted(await world.rpc('list.look', {}, user));
  return { ...(choice as object), ...wish };
}

export async function start(world: World, wish: object = {}, user?: string): Promise<AtWork> {
  const choice = await choiceOf(world, wish, user);
  return granted(await world.rpc('jobs.start', choice, user)) as unknown as AtWork;
}

export async function setState(
  world: World,
  jobId: string,
  state: string,
  user?: string,
): Promise<AtWork> {
  return granted(await world.rpc('jobs.setState', { jobId, state }, user)) as unknown as AtWork;
}

interface Options {
  readonly maxMs?: number;
  readonly user?: string;
}

/** Asks and records in turn until the job is over or does not run any more. */
export async function workOff(
  world: World,
  { status, queue }: AtWork,
  { maxMs = 20_000, user }: Options = {},
): Promise<Status> {
  const { jobId } = status;
  let now = status;
  let left = queue;
  for (let rounds = 0; now.state === 'running'; rounds += 1) {
    if (rounds === 200) throw new Error('The job does not end.');
    if (left.length === 0) {
      const rest = await setState(world, jobId, 'running', user);
      now = rest.status;
      left = rest.queue;
      continue;
    }
    const asked = granted(await world.rpc('jobs.ask', { jobId, products: left, maxMs }, user));
    const { answers, calls } = asked;
    const recorded = await world.rpc('jobs.record', { jobId, answers, calls }, user);
    now = granted(recorded) as unknown as Status;
    left = asked['left'] as readonly string[];
  }
  return now;
}

/** Starts a job over the active sheet and works it off. */
export const analyze = async (world: World, wish: object = {}): Promise<Status> =>
  workOff(world, await start(world, wish));

export type { Envelope };
