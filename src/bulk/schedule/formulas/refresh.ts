// Refreshes the formulas of a spreadsheet: asks for what is stale first, and only then lets cells recalculate.

import { type Failure, isFailure } from '../../../analysis/failure';
import type { Product } from '../../../analysis/product';
import { stampText } from '../../../analysis/stamp';
import { type CellAllowance, cellAllowance } from './cell-allowance';
import { type CellReader, cellReader } from './cell-reader';
import type { Deadline } from './deadline';
import { type BookPlatform, cellStampedMs, type FormulaCell, findFormulas } from './find';
import { type Recalculation, recalculateAll } from './recalculate';
import { type Resolved, resolver } from './resolve';
import { lacksFigures, NO_FIGURES, shows } from './shown';
import { type Warming, warming } from './warm';

export interface FormulaWish {
  /** What was fetched since then is fresh, and costs nothing. */
  readonly notBeforeMs: number;
  /** When the refresh was due: a cell that shows an error and was recalculated since may keep it. */
  readonly sinceMs: number;
  /** No more calls than this; null: as many as the key's limit allows. */
  readonly callsMax: number | null;
  /** Nothing new is begun then; a call under way may take half a minute longer. */
  readonly untilMs: Deadline;
  /** Cells that show figures stay as they are. */
  readonly onlyFailed?: boolean;
  /** What was recalculated from then on is counted; left out: by this call alone. */
  readonly countedFromMs?: number;
}

/** Counts of cells, but for `calls`. */
export interface FormulaReport {
  /** Cells with formulas that ask the service. */
  readonly cells: number;
  /** They recalculate now, with an answer to find in the cache. */
  readonly refreshed: number;
  /** Not refreshed yet: the next call goes on with them. */
  readonly left: number;
  /** Protected, or with a product that the service has no answer for. */
  readonly failed: number;
  /** Of those, the protected ones; left out for none. */
  readonly refused?: number;
  readonly calls: number;
  /** Not all of their products are known, so when they recalculate they may ask by themselves. */
  readonly unresolved: number;
  /** They have a refresh argument of the user's own, and stay as they are. */
  readonly ownRefresh: number;
  /** Why `left` is not smaller, where more time would not have helped. */
  readonly problem?: Failure;
  /** When Google lets more cells recalculate; left out where it did not stop them. */
  readonly goesOnMs?: number;
}

/** Rows that move again and again are left to the next call. */
const LOOKS_MAX = 6;

/** Sheets works out thirty cells in about a second. */
const MS_PER_CELL = 30;
const LAST_LOOKS_MS = 15_000;

/** What is up to date is left alone, so a call that was cut off is just made again. */
export function refreshFormulas(
  platform: BookPlatform,
  wish: FormulaWish,
): FormulaReport | Failure {
  const fromMs = wish.countedFromMs ?? platform.clock.nowMs();
  const warmth = warming(platform, wish);
  if (isFailure(warmth)) return warmth;
  const allowance = cellAllowance(warmth.engine);
  const round = (look: Look): Round => {
    const callsBefore = warmth.calls();
    const isOpen = openness(look, warmth, wish);
    const products = productsOf(look.free);
    warmth.look(products);
    const nowMs = platform.clock.nowMs();
    const untilMs = askUntilMs(look.free.filter(isOpen).length, nowMs, wish.untilMs());
    const problem = warmth.ask(products, untilMs);
    const open = look.free.filter(isOpen);
    const ready = open.filter((one) => isReady(one, warmth));
    const [done, goesOnMs] = recalculateSome(platform, ready, { warmth, allowance, ...wish });
    const isDone = new Set(done.done);
    const shown = ready.filter((one) => isDone.has(one.cell));
    const unfinished = shown.filter((one) => !isKnown(one, warmth)).length;
    const isWorthAnother = done.hasMoved || (!problem && warmth.calls() > callsBefore);
    const report = { ...(problem && { problem }), ...(goesOnMs && { goesOnMs }) };
    return { look, open: open.length + unfinished, done, isWorthAnother, report };
  };
  let last = round(lookAt(platform, warmth, wish));
  for (let looks = 1; looks < LOOKS_MAX && last.isWorthAnother; looks += 1) {
    if (platform.clock.nowMs() + LAST_LOOKS_MS > wish.untilMs()) break;
    last = round(lookAt(platform, warmth, wish));
  }
  warmth.end();
  const { look, done, report } = last;
  const doneNow = new Set(done.done);
  const all = look.free.filter((one) => one.stampedMs >= fromMs || doneNow.has(one.cell));
  const failed = all.filter((one) => hasFailed(one, warmth)).length;
  const refused = done.refused.length;
  return {
    cells: look.cells,
    refreshed: all.length - failed,
    left: last.open - done.done.length - refused,
    failed: failed + refused,
    calls: warmth.calls(),
    unresolved: look.free.filter(({ resolved }) => resolved.isPartial).length,
    ownRefresh: look.cells - look.free.length,
    ...(refused > 0 && { refused }),
    ...report,
  };
}

/** A cell that may carry a stamp. */
interface FreeCell {
  readonly cell: FormulaCell;
  readonly resolved: Resolved;
  /** Of its products. */
  readonly keys: readonly string[];
  readonly stampedMs: number;
}

interface Look {
  readonly cells: number;
  readonly free: readonly FreeCell[];
  readonly cellsIn: CellReader;
}

interface Round {
  readonly look: Look;
  /** Cells that were to be recalculated, and those that are to be once more. */
  readonly open: number;
  readonly done: Recalculation;
  /** Rows moved, or there was something to ask for and there may be time for more. */
  readonly isWorthAnother: boolean;
  readonly report: Pick<FormulaReport, 'problem' | 'goesOnMs'>;
}

function lookAt(
  { spreadsheet }: BookPlatform,
  { engine }: Warming,
  { onlyFailed, sinceMs }: FormulaWish,
): Look {
  const cellsIn = cellReader(spreadsheet);
  const resolved = resolver(cellsIn, engine.connection.settings.defaultMarket);
  const all = findFormulas(spreadsheet).flatMap((cell): FreeCell[] => {
    const found = resolved(cell);
    const keys = [...found.products.keys()];
    const stampedMs = cellStampedMs(cell);
    // What this refresh has worked out already still counts, whatever it shows now.
    const isDone = isFree(cell) && stampedMs >= sinceMs;
    const isWanted = !onlyFailed || isDone || lacksFigures(cell, keys.length, cellsIn);
    return isWanted ? [{ cell, resolved: found, keys, stampedMs }] : [];
  });
  return { cells: all.length, cellsIn, free: all.filter(({ cell }) => isFree(cell)) };
}

const isFree = ({ calls }: FormulaCell): boolean => calls.length > 0;

function productsOf(cells: readonly FreeCell[]): readonly Product[] {
  const each = cells.flatMap(({ resolved }) => [...resolved.products]);
  return [...new Map(each).values()];
}

/**
 * Whether a cell is to recalculate: when it did last, its products had not been answered as they are
 * now. One whose products only Sheets can work out does so as often as answers grow too old.
 */
function openness(
  { cellsIn }: Look,
  { known }: Warming,
  { notBeforeMs, sinceMs, onlyFailed }: FormulaWish,
): (one: FreeCell) => boolean {
  return ({ cell, resolved, keys, stampedMs }) => {
    const answers = keys.map((key) => known.get(key));
    if (resolved.isPartial && stampedMs < (onlyFailed ? sinceMs : notBeforeMs)) return true;
    if (answers.some((one) => one === undefined || one.atMs > stampedMs)) return true;
    const isAnswered = answers.length > 0 && answers.every((one) => one?.answer.ok === true);
    if (!isAnswered || stampedMs >= sinceMs) return false;
    return onlyFailed || shows(cell, answers.length, cellsIn, NO_FIGURES);
  };
}

/** As many of them as Google's day has room for; and when it has room for the others. */
function recalculateSome(
  { clock }: BookPlatform,
  ready: readonly FreeCell[],
  { warmth, allowance, untilMs }: Means,
): readonly [Recalculation, goesOnMs: number | undefined] {
  const nothing: Recalculation = { done: [], refused: [], hasMoved: false };
  if (ready.length === 0) return [nothing, undefined];
  const { cells: room, goesOnMs } = allowance.left();
  const some = ready.slice(0, room);
  warmth.lay([...new Set(some.flatMap(({ keys }) => keys))]);
  const cells = some.map(({ cell }) => cell);
  const done = recalculateAll(clock, cells, stampText(clock.nowMs()), untilMs);
  allowance.took(done.done.length);
  return [done, some.length < ready.length ? goesOnMs : undefined];
}

interface Means {
  readonly warmth: Warming;
  readonly allowance: CellAllowance;
  readonly untilMs: Deadline;
}

/** Cells need time as well: half of what there is, or as much as all of them take. */
function askUntilMs(cells: number, nowMs: number, untilMs: number): number {
  const forCellsMs = cells * MS_PER_CELL + LAST_LOOKS_MS;
  return untilMs - Math.min((untilMs - nowMs) / 2, forCellsMs);
}

const isKnown = ({ keys }: FreeCell, { known }: Warming): boolean =>
  keys.every((key) => known.has(key));

/** One product that the service stumbles over keeps no list from the news of its others. */
function isReady(one: FreeCell, warmth: Warming): boolean {
  const { known, vain } = warmth;
  const { keys, stampedMs } = one;
  const hasNews = keys.some((key) => (known.get(key)?.atMs ?? stampedMs) > stampedMs);
  return isKnown(one, warmth) || (hasNews && keys.every((key) => known.has(key) || vain.has(key)));
}

const hasFailed = ({ keys }: FreeCell, { known }: Warming): boolean =>
  keys.some((key) => known.get(key)?.answer.ok === false);
