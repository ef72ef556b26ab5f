// Turns the events of a world into figures, with the same arithmetic for every case.

import type { Outcome } from 'apps-script-host/host';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { fail } from '../../src/failures/failure';
import { cellText } from '../../src/failures/failure-words';
import { type Figures, p95 } from '../figures';
import { type StoreCalls, since } from '../store-calls';
import type { World } from '../world';

/** Sheets ends a cell that runs longer. */
const CELL_MS_MAX = 30_000;

/** Google ends a slice that runs longer. */
const RUN_MS_MAX = 360_000;

/** The values of a world's counters at one moment, to be subtracted later. */
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

/** The calls since a mark, and their cost in store calls. */
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

/** All store calls for each cell since a mark, including those for settings. */
export function storeCallsPerCell(before: Mark, world: World, cells: number): number {
  const { gate, results, settings } = since(before.stores, world.tally.read());
  return (gate + results + settings) / cells;
}

/**
 * The time taken divided by the time that the completed calls need at the key's rate. The calls of
 * a bucket that is full at the start are not deducted.
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

/**
 * The beginnings of the texts in a cell that could not be asked in time, however long it has to wait: for
 * the key's limit, or for its turn.
 */
const WAITING_TEXTS = [{ waitMs: 1 }, {}].map(
  (wait) => cellText(fail({ kind: 'waiting', ...wait })).split(/\d/)[0] ?? '',
);

export function isWaiting({ error }: Outcome): boolean {
  return WAITING_TEXTS.some((text) => error?.message.startsWith(text));
}

/** The answers given to these products from one moment until another (excluded). */
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
