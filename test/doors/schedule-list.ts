// Schedules over a list for tests of the doors: made as the page makes them, fired as the clock does.

import type { Outcome } from 'apps-script-host/host';
import { granted, SANDBOX, type Sheet, setState, startJob } from './bulk-list';
import { createWorld, type World, type WorldOptions } from './world';

type Value = Readonly<Record<string, unknown>>;

const HOUR_MS = 3_600_000;

/** A world with this sheet and a connection that formulas share. */
export async function worldWith(
  sheet: Pick<Sheet, 'document'>,
  options: WorldOptions = {},
): Promise<World> {
  const world = createWorld({
    sandbox: { ...SANDBOX, ...options.sandbox },
    host: { documents: [sheet.document], ...options.host },
  });
  granted(await world.connect());
  return world;
}

/** What the page starts from: every morning at six. */
export const EVERY_MORNING = {
  recurrence: { kind: 'daily', hour: 6 },
  maxAgeHours: 20,
  callsPerHour: null,
  quiet: null,
  rules: [],
};

interface List {
  readonly sheetId: number;
  readonly listId: string;
}

/** The list in view. Columns of ours mark it, whether or not anything was ever asked. */
async function listInView(world: World): Promise<List> {
  const lists = async () => granted(await world.rpc('schedule.look')).lists as readonly List[];
  const [there] = await lists();
  if (there !== undefined) return there;
  const { status } = await startJob(world);
  await setState(world, status.jobId, 'stopped');
  const [made] = await lists();
  if (made === undefined) throw new Error('There is no list.');
  return made;
}

/** Saves a schedule over the list in view. */
export async function schedule(
  world: World,
  id = 's1',
  task: object = {},
  more: object = {},
  userEmail?: string,
): Promise<Shown> {
  const { sheetId, listId } = await listInView(world);
  const settings = {
    ...EVERY_MORNING,
    task: { kind: 'list', sheetId, listId, rows: 'all', ...task },
    ...more,
  };
  const { schedules } = granted(await world.rpc('schedule.save', { id, settings }, userEmail));
  return shownIn(schedules, id);
}

export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly settings: object;
  readonly isOn: boolean;
  readonly isMine: boolean;
  readonly isUnderWay: boolean;
  readonly nextAtMs: number | null;
  readonly last: Value | null;
  readonly problem?: { readonly kind: string; readonly message: string };
  readonly remedy?: string;
}

export function shownIn(schedules: unknown, id = 's1'): Shown {
  const found = (schedules as readonly Shown[]).find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no schedule ${id}.`);
  return found;
}

export async function shownNow(world: World, id = 's1', userEmail?: string): Promise<Shown> {
  const { schedules } = granted(await world.rpc('schedule.look', {}, userEmail));
  return shownIn(schedules, id);
}

/** The clock strikes at once, beside its own times. */
export const strike = (world: World, more: object = {}): Promise<Outcome> =>
  world.run({ functionName: 'onSchedule', args: [], door: 'clock', ...more });

/** Hours pass, with whatever the clock does in them. */
export async function pass(world: World, hours: number): Promise<void> {
  await world.host.run(world.host.nowMs() + hours * HOUR_MS);
}

export async function history(world: World): Promise<readonly Value[]> {
  return granted(await world.rpc('schedule.history')).runs as readonly Value[];
}
