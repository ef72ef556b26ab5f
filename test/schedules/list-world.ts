// A list that was analyzed and is kept fresh by schedules, with a service whose figures a test sets.

import type { HostOptions } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createState, handle } from '../../playground/api/handle';
import { granted, runAll, SANDBOX } from '../doors/bulk-list';
import { schedule } from '../doors/schedule-list';
import { BASE_URL } from '../doors/world';
import { ASINS, type JobWorld, jobWorld, listOf } from '../jobs/job-world';

export interface Scheduled extends JobWorld {
  readonly asins: readonly string[];
  /** Figures that the service sends of a product in place of its own; null: it does not know it. */
  readonly sent: Record<string, object | null>;
  /** How often each product was asked for since the schedule was made. */
  callsOf(asin: string): number;
  /** The lines of the change log, the newest first, without their times; null: there is no log. */
  logged(): readonly (readonly CellValue[])[] | null;
  /** The row of the list with this product, by title. */
  shownOf(asin: string): Readonly<Record<string, CellValue>>;
}

interface Options {
  readonly count?: number;
  readonly host?: Partial<HostOptions>;
  /** Rows of the list, with their titles. Left out: `count` products under "ASIN". */
  readonly rows?: readonly (readonly CellValue[])[];
}

/** What the service sends of every product at first. */
export const GOOD = { eligible: true, roi: 0.3, profit: 6 };

/** A list that was analyzed once. */
export async function listWorld({
  count = 12,
  host = {},
  ...more
}: Options = {}): Promise<Scheduled> {
  const asins = ASINS.slice(0, count);
  const sent: Record<string, object | null> = Object.fromEntries(asins.map((asin) => [asin, GOOD]));
  const { rows = listOf(asins) } = more;
  const world = await jobWorld(rows, { host: { internet: sending(sent), ...host } });
  await runAll(world);
  const before = world.asked().length;
  const { grid, id } = world.sheet;
  return {
    ...world,
    asins,
    sent,
    callsOf: (asin) =>
      world
        .asked()
        .slice(before)
        .filter((one) => one === asin).length,
    logged() {
      const log = grid.sheets().find(({ name }) => name === 'Analysis changes');
      if (log === undefined) return null;
      const { lastRow } = grid.size(log.id);
      return lastRow < 2
        ? []
        : grid.values(log.id, { row: 2, column: 2, rowCount: lastRow - 1, columnCount: 6 });
    },
    shownOf(asin) {
      const { lastRow } = grid.size(id);
      const column = grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: 3 });
      const at = column.findIndex((cells) => cells.includes(asin));
      return world.shown(at + 1);
    },
  };
}

/** The same with a schedule over it, every morning at six if nothing else is said. */
export async function scheduledWorld(
  more: object = {},
  options: Options = {},
  task: object = {},
): Promise<Scheduled> {
  const world = await listWorld(options);
  await schedule(world, 's1', task, more);
  return world;
}

/** A code that no catalogue has. */
const UNKNOWN = 'B0ZZZZZZZZ';

function sending(sent: Record<string, object | null>): HostOptions['internet'] {
  const { service } = withState(handle, createState(SANDBOX));
  return createSandboxedInternet({
    [new URL(BASE_URL).host]: (request, nowMs) => {
      const asin = Object.keys(sent).find((one) => request.body.includes(one));
      if (asin !== undefined && sent[asin] === null)
        return service({ ...request, body: request.body.replaceAll(asin, UNKNOWN) }, nowMs);
      const reply = service(request, nowMs);
      if (reply.kind !== 'answer' || asin === undefined) return reply;
      return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body), ...sent[asin] }) };
    },
  });
}

export const digestOf = async (world: JobWorld, userEmail?: string) =>
  granted(await world.rpc('schedule.look', {}, userEmail)).digest as {
    readonly atMs: number;
    readonly changes: number;
    readonly marked: readonly { readonly rule: string; readonly count: number }[];
    readonly buys: readonly string[];
  } | null;
