// Refreshes formulas: those that are due within a budget of recalculations, or all of them at once.

import * as z from 'zod/mini';
import { connectionStore, isOwnerKnown } from '../connection/connection-store';
import { type Engine, googleUse, prefetchEngine } from '../engine/engine';
import { waitingList } from '../engine/waiting-list';
import { type Failure, fail, isFailure } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Product } from '../product/asin';
import {
  allowancesOf,
  cellCallsIn,
  dayEndMs,
  parseGoogleDay,
  withUse,
} from '../quota/google-limits';
import { stampText } from './arguments';
import {
  type BookPlatform,
  type CellReader,
  cellReader,
  cellStampedMs,
  type FormulaCell,
  findFormulas,
  lacksFigures,
  NO_FIGURES,
  type Resolved,
  resolver,
  shows,
} from './find-formulas';
import { type Prefetch, prefetch } from './prefetch';
import type { Deadline } from './recalculate';
import { type Recalculation, recalculateAll } from './recalculate';
import { workMsSchema } from './wake-waiting';

/** The property calls of one cell: it reads the spreadsheet's record and then the owner's. */
const PROPERTY_CALLS_PER_CELL = 2;

/**
 * The share of a day's property calls for refreshing; people and the cells themselves need the
 * rest.
 */
const SHARE = 0.5;

const NAME = 'cells-recalculated';

interface CellAllowance {
  /**
   * How many more cells may recalculate today, and when the next day begins. Costs two cache calls.
   */
  left(): { readonly cells: number; readonly goesOnMs: number };
  /** Counts recalculated cells. Costs one property call. */
  took(cells: number): void;
}

/** Costs one property call. */
function cellAllowance(engine: Engine): CellAllowance {
  const { clock, documentStore } = engine.platform;
  let own = parseGoogleDay(documentStore.read(NAME));
  return {
    left() {
      const nowMs = clock.nowMs();
      const { isNear, perDay } = googleUse(engine, nowMs).propertyCalls;
      const used = allowancesOf(own, nowMs).propertyCalls.usedToday;
      const cells = Math.floor((SHARE * perDay - used) / PROPERTY_CALLS_PER_CELL);
      const day = isNear ? engine.gate.googleDay() : own;
      return {
        cells: isNear ? 0 : Math.max(0, cells),
        goesOnMs: dayEndMs(withUse(day, {}, nowMs)),
      };
    },
    took(cells) {
      if (cells === 0) return;
      own = withUse(own, { propertyCalls: PROPERTY_CALLS_PER_CELL * cells }, clock.nowMs());
      documentStore.writeAll({ [NAME]: JSON.stringify(own) });
    },
  };
}

export interface RefreshRequest {
  /** Answers fetched since then are fresh and cost nothing, ms since 1970. */
  readonly notBeforeMs: number;
  /**
   * When the refresh was due, ms since 1970. A cell with an error that was recalculated since then
   * may keep it.
   */
  readonly sinceMs: number;
  /** The most calls to make; null: as many as the key's limit allows. */
  readonly callsMax: number | null;
  /**
   * Nothing new is begun after this time. A call that is under way may take half a minute longer.
   */
  readonly untilMs: Deadline;
  /** Leaves cells that show figures as they are. */
  readonly onlyFailed?: boolean;
  /** Cells recalculated since then are counted; left out: only those of this call. */
  readonly countedFromMs?: number;
}

/** Numbers of cells, except for `calls`. */
export interface FormulaReport {
  /** Cells with formulas that ask the service. */
  readonly cells: number;
  /** Cells that are recalculating and find an answer in the cache. */
  readonly refreshed: number;
  /** Cells that are not refreshed yet; the next call continues with them. */
  readonly left: number;
  /** Cells that are protected, or whose product the service has no answer for. */
  readonly failed: number;
  /** The protected ones among them; left out if there are none. */
  readonly refused?: number;
  readonly calls: number;
  /**
   * Cells of which some products are unknown, so that they may ask the service themselves when they
   * recalculate.
   */
  readonly unresolved: number;
  /** Cells with a refresh argument of the user's own; they stay as they are. */
  readonly ownRefresh: number;
  /** Why `left` is not smaller, if more time would not have helped. */
  readonly problem?: Failure;
  /**
   * When Google allows more cells to recalculate, ms since 1970; left out if its limit was not
   * reached.
   */
  readonly goesOnMs?: number;
}

/** The most searches for formulas in one call. If rows keep moving, the next call goes on. */
const LOOKS_MAX = 6;

/** Sheets calculates about thirty cells in a second. */
const MS_PER_CELL = 30;
const LAST_LOOKS_MS = 15_000;

/**
 * Refreshes the cells of a request. Up-to-date cells are left alone, so an interrupted call is
 * simply repeated.
 */
export function refreshFormulas(
  platform: BookPlatform,
  wish: RefreshRequest,
): FormulaReport | Failure {
  const fromMs = wish.countedFromMs ?? platform.clock.nowMs();
  const prefetched = prefetch(platform, wish);
  if (isFailure(prefetched)) return prefetched;
  const allowance = cellAllowance(prefetched.engine);
  const round = (look: Inspected): Round => {
    const callsBefore = prefetched.calls();
    const isOpen = openness(look, prefetched, wish);
    prefetched.lookUp(productsOf(look.free));
    const nowMs = platform.clock.nowMs();
    const due = look.free.filter(isOpen).sort((one, other) => one.stampedMs - other.stampedMs);
    const untilMs = askUntilMs(due.length, nowMs, wish.untilMs());
    const problem = prefetched.ask(productsOf(due), untilMs);
    const open = look.free.filter(isOpen);
    const ready = open.filter((one) => isReady(one, prefetched));
    const [done, goesOnMs] = recalculateSome(platform, ready, { prefetched, allowance, ...wish });
    const isDone = new Set(done.done);
    const shown = ready.filter((one) => isDone.has(one.cell));
    const unfinished = shown.filter((one) => !isKnown(one, prefetched)).length;
    const isWorthAnother = done.hasMoved || (!problem && prefetched.calls() > callsBefore);
    const report = { ...(problem && { problem }), ...(goesOnMs && { goesOnMs }) };
    return { look, open: open.length + unfinished, done, isWorthAnother, report };
  };
  let last = round(inspect(platform, prefetched, wish));
  for (let looks = 1; looks < LOOKS_MAX && last.isWorthAnother; looks += 1) {
    if (platform.clock.nowMs() + LAST_LOOKS_MS > wish.untilMs()) break;
    last = round(inspect(platform, prefetched, wish));
  }
  prefetched.end();
  const { look, done, report } = last;
  const doneNow = new Set(done.done);
  const all = look.free.filter((one) => one.stampedMs >= fromMs || doneNow.has(one.cell));
  const failed = all.filter((one) => hasFailed(one, prefetched)).length;
  const refused = done.refused.length;
  return {
    cells: look.cells,
    refreshed: all.length - failed,
    left: last.open - done.done.length - refused,
    failed: failed + refused,
    calls: prefetched.calls(),
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
  /** The keys of its products. */
  readonly keys: readonly string[];
  readonly stampedMs: number;
}

interface Inspected {
  readonly cells: number;
  readonly free: readonly FreeCell[];
  readonly cellsIn: CellReader;
}

interface Round {
  readonly look: Inspected;
  /** The number of cells that need recalculation, now or once more. */
  readonly open: number;
  readonly done: Recalculation;
  /**
   * Whether another search is worthwhile: rows moved, or calls were made and time may be left for
   * more.
   */
  readonly isWorthAnother: boolean;
  readonly report: Pick<FormulaReport, 'problem' | 'goesOnMs'>;
}

function inspect(
  { spreadsheet }: BookPlatform,
  { engine }: Prefetch,
  { onlyFailed, sinceMs }: RefreshRequest,
): Inspected {
  const cellsIn = cellReader(spreadsheet);
  const resolved = resolver(cellsIn, engine.connection.settings.defaultMarket);
  const all = findFormulas(spreadsheet).flatMap((cell): FreeCell[] => {
    const found = resolved(cell);
    const keys = [...found.products.keys()];
    const stampedMs = cellStampedMs(cell);
    // Cells that this refresh has already recalculated stay in the count, whatever they show now.
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

/** How long after a cell recalculated its products without an answer are asked for again, ms. */
const TRIED_FOR_MS = 2 * 3_600_000;

/**
 * Whether a cell has to recalculate: it did so too long ago, all of its products have answers and
 * one of them is newer than the cell's stamp, or it shows no figures. Answers that the cache has
 * forgotten since are not asked for again before the cell is due.
 */
function openness(
  { cellsIn }: Inspected,
  { engine, known }: Prefetch,
  { notBeforeMs, sinceMs, onlyFailed }: RefreshRequest,
): (one: FreeCell) => boolean {
  const triedSinceMs = onlyFailed ? 0 : engine.platform.clock.nowMs() - TRIED_FOR_MS;
  return ({ cell, resolved, keys, stampedMs }) => {
    const answers = keys.map((key) => known.get(key));
    if (resolved.isPartial && stampedMs < (onlyFailed ? sinceMs : notBeforeMs)) return true;
    if (answers.length === 0) return false;
    if (stampedMs < notBeforeMs) return true;
    const isEmpty = () => onlyFailed || shows(cell, answers.length, cellsIn, NO_FIGURES);
    if (answers.includes(undefined)) return stampedMs >= triedSinceMs && isEmpty();
    if (answers.some((one) => Number(one?.atMs) > stampedMs)) return true;
    const isAnswered = answers.every((one) => one?.answer.ok === true);
    return isAnswered && stampedMs < sinceMs && isEmpty();
  };
}

/**
 * Recalculates as many cells as Google's daily limit allows, those first that did so longest ago;
 * also returns when more are allowed.
 */
function recalculateSome(
  { clock }: BookPlatform,
  ready: readonly FreeCell[],
  { prefetched, allowance, untilMs }: Means,
): readonly [Recalculation, goesOnMs: number | undefined] {
  const nothing: Recalculation = { done: [], refused: [], hasMoved: false };
  if (ready.length === 0) return [nothing, undefined];
  const { cells: room, goesOnMs } = allowance.left();
  const longestAgo = [...ready].sort((one, other) => one.stampedMs - other.stampedMs);
  const chosen = new Set(longestAgo.slice(0, room));
  const some = ready.filter((one) => chosen.has(one));
  prefetched.publish([...new Set(some.flatMap(({ keys }) => keys))]);
  const cells = some.map(({ cell }) => cell);
  const done = recalculateAll(clock, cells, stampText(clock.nowMs()), untilMs);
  allowance.took(done.done.length);
  return [done, some.length < ready.length ? goesOnMs : undefined];
}

interface Means {
  readonly prefetched: Prefetch;
  readonly allowance: CellAllowance;
  readonly untilMs: Deadline;
}

/**
 * Asking ends early, because the cells need time as well: half of what is left, or less if that is
 * enough for all of them.
 */
function askUntilMs(cells: number, nowMs: number, untilMs: number): number {
  const forCellsMs = cells * MS_PER_CELL + LAST_LOOKS_MS;
  return untilMs - Math.min((untilMs - nowMs) / 2, forCellsMs);
}

const isKnown = ({ keys }: FreeCell, { known }: Prefetch): boolean =>
  keys.every((key) => known.has(key));

/**
 * Whether a cell can be recalculated. One product that keeps failing does not hold back new answers
 * for the others in its list.
 */
function isReady(one: FreeCell, prefetched: Prefetch): boolean {
  const { known, failed } = prefetched;
  const { keys, stampedMs } = one;
  const hasNews = keys.some((key) => (known.get(key)?.atMs ?? stampedMs) > stampedMs);
  return (
    isKnown(one, prefetched) || (hasNews && keys.every((key) => known.has(key) || failed.has(key)))
  );
}

const hasFailed = ({ keys }: FreeCell, { known }: Prefetch): boolean =>
  keys.some((key) => known.get(key)?.answer.ok === false);

/** How long cells find an answer in the cache without a call. */
const FRESH_MS = 6 * 3_600_000;

/**
 * The number of cells that test whose key they use. More would waste more formulas if it is another
 * person's.
 */
const TRIED_CELLS = 3;
/** How long a cell may wait for its slot. */
const TRY_MS = 26_000;
const LOOK_EACH_MS = 1_000;

export const refreshNowSchema = lazySchema(() =>
  z.strictObject({
    maxMs: workMsSchema(),
    /** Leaves cells that show figures as they are. */
    onlyFailed: z.boolean(),
    /** When the refresh that this call continues began, ms since 1970; left out: now. */
    sinceMs: z.exactOptional(z.int().check(z.minimum(1))),
  }),
);

export type RefreshNowRequest = Fits<typeof refreshNowSchema>;

/** One call of a refresh by hand; the next one continues with what is left. */
export function refreshNow(
  platform: BookPlatform,
  { maxMs, onlyFailed, sinceMs: begunMs }: RefreshNowRequest,
): (FormulaReport & { readonly sinceMs: number }) | Failure {
  const nowMs = platform.clock.nowMs();
  const sinceMs = begunMs ?? nowMs;
  const stranger = otherKey(platform, nowMs + maxMs);
  if (stranger !== undefined) return stranger;
  const report = refreshFormulas(platform, {
    ...{ sinceMs, onlyFailed, callsMax: null, countedFromMs: sinceMs },
    notBeforeMs: sinceMs - FRESH_MS,
    untilMs: () => nowMs + maxMs,
  });
  return isFailure(report) ? report : { ...report, sinceMs };
}

/**
 * If no key is shared, cells use the owner's, and only a cell can find out whose that is. Before
 * calls are spent on answers that no cell might look for, a few failed cells are recalculated as a
 * test.
 */
function otherKey(platform: BookPlatform, untilMs: number): Failure | undefined {
  const { cache, clock, documentStore, lock, spreadsheet } = platform;
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  if (store.sharedKind() !== 'none' || isOwnerKnown(documentStore)) return undefined;
  const engine = prefetchEngine(platform, untilMs);
  if (isFailure(engine)) return engine;
  const failed = (cells: readonly FormulaCell[]) => {
    const cellsIn = cellReader(spreadsheet);
    const productsOf = resolver(cellsIn, engine.connection.settings.defaultMarket);
    return cells.filter((cell) => {
      const { size } = productsOf(cell).products;
      return size > 0 && lacksFigures(cell, size, cellsIn);
    });
  };
  const some = failed(findFormulas(spreadsheet)).slice(0, TRIED_CELLS);
  const calls = () => cellCallsIn(engine.gate.keyDay(), clock.nowMs());
  const before = calls();
  const { done } = recalculateAll(clock, some, stampText(clock.nowMs()), () => untilMs);
  if (done.length === 0) return undefined;
  const waiting = waitingList(cache, lock, engine.connection.fingerprint);
  const endMs = Math.min(untilMs, clock.nowMs() + TRY_MS);
  while (clock.nowMs() < endMs) {
    clock.sleep(LOOK_EACH_MS);
    // The cells use this key if a call was booked with it, a cell is on its waiting list, or a cell
    // got its answer from the cache.
    const isOwn = calls() > before || waiting.read().length > 0;
    if (isOwn || failed(done).length < done.length) return undefined;
  }
  return fail({ kind: 'schedule', why: 'other-key', what: '' });
}
