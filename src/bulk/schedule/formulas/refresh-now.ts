// A refresh of formulas that a person wants now: of those without figures, or of all whose figures are old.

import { warmingEngine } from '../../../analysis/cells-engine';
import { type Failure, fail, isFailure } from '../../../analysis/failure';
import { stampText } from '../../../analysis/stamp';
import { waitingList } from '../../../analysis/waiting-list';
import { isOwnerKnown } from '../../../connection/cells-owner';
import { connectionStore } from '../../../connection/connection-store';
import { cellCallsIn } from '../../../quota/google-day';
import { cellReader } from './cell-reader';
import { type BookPlatform, type FormulaCell, findFormulas } from './find';
import { recalculateAll } from './recalculate';
import { type FormulaReport, refreshFormulas } from './refresh';
import { resolver } from './resolve';
import { lacksFigures } from './shown';

/** As long as cells find an answer without a call. */
const FRESH_MS = 6 * 3_600_000;

/** So many cells show whose key they use; more of them would spoil more formulas if it is another's. */
const TRIED_CELLS = 3;
/** A cell waits so long for its slot. */
const TRY_MS = 26_000;
const LOOK_EACH_MS = 1_000;

export interface NowWish {
  readonly maxMs: number;
  /** Cells that show figures stay as they are. */
  readonly onlyFailed: boolean;
  /** When the refresh began that this call goes on with; left out: now. */
  readonly sinceMs?: number;
}

/** One call of it; the next goes on with what is left. */
export function refreshNow(
  platform: BookPlatform,
  { maxMs, onlyFailed, sinceMs: begunMs }: NowWish,
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
  const engine = warmingEngine(platform, untilMs);
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
