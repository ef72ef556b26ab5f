// From what happened in a world to figures: the same arithmetic for every case.

import type { Outcome } from 'apps-script-host/host';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { cellText, fail } from '../../src/failures/failure';
import { type Figures, p95 } from '../figures';
import { type StoreCalls, since } from '../store-calls';
import type { World } from '../world';

/** A cell that runs longer is ended by Sheets. */
const CELL_MS_MAX = 30_000;

/** A slice that runs longer is ended by Google. */
const RUN_MS_MAX = 360_000;

/** What a world's counters stand at, to be subtracted later. */
export interface Mark {
  readonly nowMs: number;
  readonly stores: StoreCalls;
  readonly calls: number;
  readonly refused: number;
}

export function mark({ host, tally, service }: World): Mark {
  const state = service();
  return {
    nowMs: host.nowMs(),
    stores: tally.read(),
    calls: state.arrived,
    refused: refusalsOf(state),
  };
}

/** Calls and what they cost in store calls since a mark. */
export function trafficSince(before: Mark, world: World): Figures {
  const after = mark(world);
  const calls = after.calls - before.calls;
  const refused = after.refused - before.refused;
  const stores = since(before.stores, after.stores);
  if (calls === 0) return { calls, refused };
  return {
    calls,
    refused,
    refusedPercent: (100 * refused) / calls,
    storeCallsPerCall: stores.gate / calls,
    resultCallsPerCall: stores.results / calls,
  };
}

/** All store calls since a mark, settings included: what each cell pays. */
export function storeCallsPerCell(before: Mark, world: World, cells: number): number {
  const { gate, results, settings } = since(before.stores, world.tally.read());
  return (gate + results + settings) / cells;
}

/**
 * Time taken over the time that the completed calls need at the key's rate. What a full bucket
 * gives at the start is not taken off.
 */
export function ratioOf(tookMs: number, completed: number, callsPerSecond: number): number {
  return tookMs / ((1_000 * completed) / callsPerSecond);
}

export function overran(outcomes: readonly Outcome[], limitMs: number): number {
  return outcomes.filter(
    ({ ended, startedMs, endedMs }) => ended === 'timedOut' || endedMs - startedMs > limitMs,
  ).length;
}

export const slicesOverran = (slices: readonly Outcome[]) => overran(slices, RUN_MS_MAX);
export const cellsOverran = (cells: readonly Outcome[]) => overran(cells, CELL_MS_MAX);

export function durationsP95(outcomes: readonly Outcome[]): number {
  return p95(outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs));
}

/** How the text of a cell begins that could not be asked in time, whatever its wait. */
const WAITING_TEXT = cellText(fail({ kind: 'waiting', waitMs: 1 })).split(/\d/)[0] ?? '';

export function isWaiting({ error }: Outcome): boolean {
  return error?.message.startsWith(WAITING_TEXT) === true;
}

/** Answers given to these products from one moment to before another. */
export function answeredIn(
  world: World,
  products: ReadonlySet<string>,
  fromMs: number,
  toMs: number,
): number {
  return arrivalsOf(world.service()).filter(
    ({ outcome, product, atMs }) =>
      outcome === 'answered' &&
      atMs >= fromMs &&
      atMs < toMs &&
      product !== null &&
      products.has(product.split(' ')[1] ?? ''),
  ).length;
}
