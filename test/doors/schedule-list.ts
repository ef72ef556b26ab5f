// Schedules over a list: made as the page makes them, fired as the clock does, with figures that change.

import type { Outcome } from 'apps-script-host/host';
import type { CellValue } from 'apps-script-host/sheet/model';
import { ASINS, granted, type ListWorld, listWorld, runAll, setState, startJob } from './bulk-list';
import type { World, WorldOptions } from './world';

type Value = Readonly<Record<string, unknown>>;

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

export async function history(world: World): Promise<readonly Value[]> {
  return granted(await world.rpc('schedule.history')).runs as readonly Value[];
}

export interface Scheduled extends ListWorld {
  readonly asins: readonly string[];
  /** Figures that the service sends of a product in place of its own; null: it does not know it. */
  readonly sent: Record<string, object | null>;
  /** How often each product was asked for since the list was analyzed. */
  callsOf(asin: string): number;
  /** The lines of the change log, the newest first, without their times; null: there is no log. */
  logged(): readonly (readonly CellValue[])[] | null;
  /** The row of the list with this product, by title. */
  shownOf(asin: string): Readonly<Record<string, CellValue>>;
}

interface Options extends Pick<WorldOptions, 'host'> {
  readonly count?: number;
  /** Rows of the list, with their titles. Left out: `count` products under "ASIN". */
  readonly rows?: readonly (readonly CellValue[])[];
}

/** What the service sends of every product at first. */
export const GOOD = { eligible: true, roi: 0.3, profit: 6 };

/** A code that no catalogue has. */
const UNKNOWN = 'B0ZZZZZZZZ';

/** A list that was analyzed once, and a service whose figures a test sets. */
export async function analyzedWorld({
  count = 12,
  rows,
  host = {},
}: Options = {}): Promise<Scheduled> {
  const asins = ASINS.slice(0, count);
  const sent: Record<string, object | null> = Object.fromEntries(asins.map((asin) => [asin, GOOD]));
  const world = await listWorld(rows ?? asins, {
    host,
    says(asin, own) {
      const figures = sent[asin];
      if (figures === null) return own(UNKNOWN);
      const reply = own();
      if (reply.kind !== 'answer' || figures === undefined) return reply;
      return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body), ...figures }) };
    },
  });
  await runAll(world);
  const before = world.asked().length;
  const { grid, values } = world.sheet;
  return {
    ...{ ...world, asins, sent },
    callsOf: (asin) =>
      world
        .asked()
        .slice(before)
        .filter((one) => one === asin).length,
    logged() {
      const log = grid.sheets().find(({ name }) => name === 'Analysis changes');
      return log === undefined
        ? null
        : values(log.id)
            .slice(1)
            .map((line) => line.slice(1, 7));
    },
    shownOf: (asin) => world.shown(values().findIndex((cells) => cells.includes(asin)) + 1),
  };
}

/** The same with a schedule over it, every morning at six if nothing else is said. */
export async function scheduledWorld(
  more: object = {},
  options: Options = {},
  task: object = {},
): Promise<Scheduled> {
  const world = await analyzedWorld(options);
  await schedule(world, 's1', task, more);
  return world;
}

export const digestOf = async (world: World, userEmail?: string) =>
  granted(await world.rpc('schedule.look', {}, userEmail)).digest as {
    readonly atMs: number;
    readonly changes: number;
    readonly marked: readonly { readonly rule: string; readonly count: number }[];
    readonly buys: readonly string[];
  } | null;
