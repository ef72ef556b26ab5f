// Refreshes formulas: those that are due within a budget of recalculations, or all of them now.

import { connectionStore, isOwnerKnown } from '../connection/connection-store';
import { type Engine, googleUse, prefetchEngine } from '../engine/engine';
import { waitingList } from '../engine/waiting-list';
import { type Failure, fail, isFailure } from '../failures/failure';
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

/** A cell looks for the spreadsheet's record, then for the owner's. */
const PROPERTY_CALLS_PER_CELL = 2;

/** Of a day's property calls: people and the cells themselves make some, too. */
const SHARE = 0.5;

const NAME = 'cells-recalculated';

interface CellAllowance {
  /** For so many cells there is room today, and when the next day can begin. Two cache calls. */
  left(): { readonly cells: number; readonly goesOnMs: number };
  /** Counts cells that recalculate. One property call. */
  took(cells: number): void;
}

/** One property call. */
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
  wish: RefreshRequest,
): FormulaReport | Failure {
  const fromMs = wish.countedFromMs ?? platform.clock.nowMs();
  const prefetched = prefetch(platform, wish);
  if (isFailure(prefetched)) return prefetched;
  const allowance = cellAllowance(prefetched.engine);
  const round = (look: Inspected): Round => {
    const callsBefore = prefetched.calls();
    const isOpen = openness(look, prefetched, wish);
    const products = productsOf(look.free);
    prefetched.lookUp(products);
    const nowMs = platform.clock.nowMs();
    const untilMs = askUntilMs(look.free.filter(isOpen).length, nowMs, wish.untilMs());
    const problem = prefetched.ask(products, untilMs);
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
  /** Of its products. */
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
  /** Cells that were to be recalculated, and those that are to be once more. */
  readonly open: number;
  readonly done: Recalculation;
  /** Rows moved, or there was something to ask for and there may be time for more. */
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
  { cellsIn }: Inspected,
  { known }: Prefetch,
  { notBeforeMs, sinceMs, onlyFailed }: RefreshRequest,
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
  { prefetched, allowance, untilMs }: Means,
): readonly [Recalculation, goesOnMs: number | undefined] {
  const nothing: Recalculation = { done: [], refused: [], hasMoved: false };
  if (ready.length === 0) return [nothing, undefined];
  const { cells: room, goesOnMs } = allowance.left();
  const some = ready.slice(0, room);
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

/** Cells need time as well: half of what there is, or as much as all of them take. */
function askUntilMs(cells: number, nowMs: number, untilMs: number): number {
  const forCellsMs = cells * MS_PER_CELL + LAST_LOOKS_MS;
  return untilMs - Math.min((untilMs - nowMs) / 2, forCellsMs);
}

const isKnown = ({ keys }: FreeCell, { known }: Prefetch): boolean =>
  keys.every((key) => known.has(key));

/** One product that the service stumbles over keeps no list from the news of its others. */
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

/** As long as cells find an answer without a call. */
const FRESH_MS = 6 * 3_600_000;

/** So many cells show whose key they use; more of them would spoil more formulas if it is another's. */
const TRIED_CELLS = 3;
/** A cell waits so long for its slot. */
const TRY_MS = 26_000;
const LOOK_EACH_MS = 1_000;

export interface RefreshNowRequest {
  readonly maxMs: number;
  /** Cells that show figures stay as they are. */
  readonly onlyFailed: boolean;
  /** When the refresh began that this call goes on with; left out: now. */
  readonly sinceMs?: number;
}

/** One call of it; the next goes on with what is left. */
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
 * Where no key is shared, cells use the owner's, and only a cell can tell whose that is. Before any
 * call is spent on answers that no cell might look for, a few cells that failed try it out.
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
    // With this key a call was booked, or is waited for, or an answer was had from the cache.
    const isOwn = calls() > before || waiting.read().length > 0;
    if (isOwn || failed(done).length < done.length) return undefined;
  }
  return fail({ kind: 'schedule', why: 'other-key', what: '' });
}
