// Refreshes the formulas of a spreadsheet: asks for what is stale first, and only then lets cells recalculate.

import { type Failure, isFailure } from '../../../analysis/failure';
import type { Market } from '../../../analysis/product';
import { stampText } from '../../../analysis/stamp';
import { cellReader } from './cell-reader';
import { type BookPlatform, carriesStamp, type FormulaCell, findFormulas } from './find';
import { type Recalculation, recalculateAll } from './recalculate';
import { type Resolved, resolver } from './resolve';
import { type Warming, warming } from './warm';

export interface FormulaWish {
  /** What was fetched since then is fresh, and costs nothing. */
  readonly notBeforeMs: number;
  /** Tells this refresh from others, and begins with its day: "2026-11-21 06:00". */
  readonly stamp: string;
  /** No more calls than this; null: as many as the key's limit allows. */
  readonly callsMax: number | null;
  /** Nothing new is begun then; a call under way may take half a minute longer. */
  readonly untilMs: number;
}

/** Counts of cells, but for `calls`. What an earlier call with this stamp did is in `cells` alone. */
export interface FormulaReport {
  /** Cells with formulas that ask the service. */
  readonly cells: number;
  /** They recalculate now, with an answer to find in the cache. */
  readonly refreshed: number;
  /** Not refreshed yet: the next call goes on with them. */
  readonly left: number;
  /** Protected, or with a product that the service has no answer for. */
  readonly failed: number;
  readonly calls: number;
  /** Recalculated without knowing all of their products, so they may have asked by themselves. */
  readonly unresolved: number;
  /** They have a refresh argument of the user's own, and stay as they are. */
  readonly ownRefresh: number;
  /** Why `left` is not smaller, where more time would not have helped. */
  readonly problem?: Failure;
}

/** Rows that move again and again are left to the next call. */
const LOOKS_MAX = 6;

/** Sheets works out thirty cells in about a second. */
const MS_PER_CELL = 30;
const LAST_LOOKS_MS = 15_000;

/** Cells that carry the stamp are done, so a call that was cut off is just made again. */
export function refreshFormulas(
  platform: BookPlatform,
  wish: FormulaWish,
): FormulaReport | Failure {
  const stamp = stampText(wish.stamp);
  const warmth = warming(platform, wish);
  if (isFailure(warmth)) return warmth;
  const first = lookAt(platform, stamp, warmth.defaultMarket);
  let failed = 0;
  const round = (look: Look): Round => {
    const callsBefore = warmth.calls();
    const products = new Map(look.open.flatMap(({ resolved }) => [...resolved.products]));
    const untilMs = warmUntilMs(look.open.length, platform.clock.nowMs(), wish.untilMs);
    const problem = warmth.warm([...products.values()], untilMs);
    const ready = look.open.filter((one) => isReady(one, warmth));
    const done = recalculateAll(
      platform.clock,
      ready.map(({ cell }) => cell),
      stamp,
      wish.untilMs,
    );
    const isDone = new Set(done.done);
    failed += ready.filter((one) => isDone.has(one.cell) && hasFailed(one, warmth)).length;
    const isWorthAnother = done.hasMoved || (!problem && warmth.calls() > callsBefore);
    return { look, done, isWorthAnother, ...(problem && { problem }) };
  };
  let last = round(first);
  for (let looks = 1; looks < LOOKS_MAX && last.isWorthAnother; looks += 1) {
    if (platform.clock.nowMs() + LAST_LOOKS_MS > wish.untilMs) break;
    last = round(lookAt(platform, stamp, warmth.defaultMarket));
  }
  warmth.end();
  const { look, done, problem } = last;
  const stamped = look.stamped + done.done.length - first.stamped;
  return {
    cells: look.cells,
    refreshed: Math.max(0, stamped - failed),
    left: look.open.length - done.done.length - done.refused.length,
    failed: failed + done.refused.length,
    calls: warmth.calls(),
    unresolved: first.open.filter(({ resolved }) => resolved.isPartial).length,
    ownRefresh: look.ownRefresh,
    ...(problem && { problem }),
  };
}

interface OpenCell {
  readonly cell: FormulaCell;
  readonly resolved: Resolved;
}

interface Look {
  readonly cells: number;
  readonly stamped: number;
  readonly ownRefresh: number;
  readonly open: readonly OpenCell[];
}

interface Round {
  readonly look: Look;
  readonly done: Recalculation;
  /** Rows moved, or there was something to ask for and there may be time for more. */
  readonly isWorthAnother: boolean;
  readonly problem?: Failure;
}

function lookAt({ spreadsheet }: BookPlatform, stamp: string, market: Market | undefined): Look {
  const all = findFormulas(spreadsheet);
  const productsOf = resolver(cellReader(spreadsheet), market);
  const free = all.filter(({ calls }) => calls.length > 0);
  const open = free.filter((cell) => !carriesStamp(cell, stamp));
  return {
    cells: all.length,
    stamped: free.length - open.length,
    ownRefresh: all.length - free.length,
    open: open.map((cell) => ({ cell, resolved: productsOf(cell) })),
  };
}

/** Cells need time as well: half of what there is, or as much as all of them take. */
function warmUntilMs(cells: number, nowMs: number, untilMs: number): number {
  const forCellsMs = cells * MS_PER_CELL + LAST_LOOKS_MS;
  return untilMs - Math.min((untilMs - nowMs) / 2, forCellsMs);
}

const isReady = ({ resolved }: OpenCell, { known }: Warming): boolean =>
  [...resolved.products.keys()].every((key) => known.has(key));

const hasFailed = ({ resolved }: OpenCell, { known }: Warming): boolean =>
  [...resolved.products.keys()].some((key) => known.get(key) === 'failed');
