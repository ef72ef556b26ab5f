// The selected row, as a side of the List page: what is known of its product, and what a person can do.

import { batch, computed, signal } from '@preact/signals-core';
import type { Offer } from '../../../deal/offers';
import { AS_LISTED, keyOf, type WhatIfPrices } from '../../../deal/product-card';
import type { NoList, ShownList } from '../../../deal/shown-list';
import type { JobStatus } from '../../api/jobs';
import * as app from '../ui/app';
import { createJob } from '../ui/job';
import { createTasks, Failed, valueIn } from '../ui/task';
import {
  list as inView,
  isSameList,
  listIdOf,
  selectionOf,
  side,
  CARD_TITLE as TITLE,
} from './list';

const { busy, failure, notice, task, quietly } = createTasks();

export { busy, failure, notice };

/** The sheet as it was read last; null: it was not. */
export const seen = signal<ShownList | NoList | null>(null);
/** null: the sheet in view has no list that was analyzed. */
export const list = computed(() => (seen.value?.look ? seen.value : null));
/** null: the selection contains no product. */
export const row = signal<Offer | null>(null);
export const prices = signal<WhatIfPrices>(AS_LISTED);

/** Shows this row. What is known of the same product stays. */
function show(next: Offer | null): void {
  const isSame = keyOf(row.value) === keyOf(next);
  batch(() => {
    if (!isSame || row.value?.row !== next?.row) prices.value = AS_LISTED;
    row.value = next;
    if (isSame) return;
    notice.value = '';
    failure.value = null;
  });
}

const rowWithin = ({ offers, selected }: ShownList): Offer | null => {
  const [first, last] = selected ?? [0, 0];
  return offers.find((offer) => offer.row >= first && offer.row <= last) ?? null;
};

/** The row that was shown, found again because rows may have moved. */
function rowAgain({ offers }: ShownList): Offer | undefined {
  const key = keyOf(row.value);
  const there = offers.find((offer) => offer.row === row.value?.row);
  const isMoved = key !== '' && (there === undefined || keyOf(there) !== key);
  return (isMoved ? offers.find((offer) => keyOf(offer) === key) : undefined) ?? there;
}

/** The row shown before stays until another one is selected. @param isWished the selected one is asked for. */
function arrive(found: ShownList | NoList, isWished = false): void {
  const before = list.value;
  const isSame = before && found.look !== null && isSameList(before.look, found.look);
  batch(() => {
    seen.value = found;
    if (found.look === null) return show(null);
    const stays = isSame && !isWished && String(before.selected) === String(found.selected);
    show((stays ? rowAgain(found) : undefined) ?? rowWithin(found));
  });
}

const WITH_CARDS = { shows: 'offers' } as const;

export const load = task(async (call) => {
  batch(() => {
    seen.value = null;
    row.value = null;
  });
  arrive(await call('deals.look', { ...selectionOf(), ...WITH_CARDS }));
});

/** Shows the row that is selected now. */
export const follow = task(async (call) => {
  arrive(await call('deals.look', { ...selectionOf(), ...WITH_CARDS }), true);
  app.focus(TITLE);
});

/** The same if another row was selected, without a word. */
const followQuietly = quietly(async (call) => {
  arrive(await call('deals.look', { ...selectionOf(), ...WITH_CARDS }));
});

/** A person who goes through the sheet is followed this often, until they have rested for so long. */
const FOLLOW_EVERY_MS = 2_000;
const FOLLOW_FOR_MS = 120_000;

/** When a person was last seen to go through the sheet. */
const movedMs = signal(0);

/** Shows what is known of the row that is selected by now; where it may be another one, all is read again. */
const followSelection = quietly(async (call) => {
  const before = list.value;
  if (before === null) return;
  const { sheet, productColumn } = before.look;
  const now = await call('list.selected', { column: productColumn });
  if (now?.sheetId !== sheet.id || String(now.rows) === String(before.selected)) return;
  movedMs.value = app.nowMs();
  const known = before.offers.find((offer) => offer.row === now.rows[0]);
  if (known?.shown === now.shown) arrive({ ...before, selected: now.rows });
  else arrive(await call('deals.look', { ...selectionOf(), ...WITH_CARDS }));
});

function followAlong(): Promise<void> | undefined {
  const isResting = app.nowMs() > movedMs.value + FOLLOW_FOR_MS;
  return job.status.value === null && !isResting ? followSelection() : undefined;
}

function back(): void {
  movedMs.value = app.nowMs();
  void followQuietly();
}

export function enter(): void {
  movedMs.value = app.nowMs();
  if (seen.value !== null) void followQuietly();
  else if (!load.isBusy) void load();
}

/** The row before or after the one shown. */
export function neighbour(by: 1 | -1): Offer | null {
  const { offers = [] } = list.value ?? {};
  const at = offers.findIndex((offer) => offer.row === row.value?.row);
  return at < 0 ? null : (offers[at + by] ?? null);
}

export function step(by: 1 | -1): void {
  const next = neighbour(by);
  if (next === null || busy.value !== null) return;
  batch(() => {
    notice.value = '';
    failure.value = null;
    show(next);
  });
}

/** Selects the row in the sheet. */
export const select = task(async (call) => {
  if (list.value === null || row.value === null) return;
  const { sheet, productColumn } = list.value.look;
  const { row: at, shown } = row.value;
  const rows = [{ row: at, shown }];
  await call('list.showRows', { sheetId: sheet.id, productColumn, rows });
  seen.value = { ...list.value, selected: [at, at] };
});

// Its figures, asked for again

export const job = createJob(app.rpc, app.pause, app.nowMs);
export const isStopping = signal(false);

/** The result of the job for one product; nothing if the row shows it. */
function refreshedText({ state, answered, cached }: JobStatus): string | undefined {
  if (state === 'stopped') return 'Stopped. The row is as it was.';
  if (state === 'paused') return 'Paused. Continue it under Whole list.';
  return answered + cached > 0 ? 'Figures are up to date.' : undefined;
}

/** Shows the figures that the job has brought, and why it could not bring more. */
export const refresh = task(async (call) => {
  const look = list.value?.look;
  if (look === undefined || !row.value?.product) return;
  isStopping.value = false;
  const { sheet, headerRow, productColumn, marketColumn, market, fields } = look;
  valueIn(
    await job.start({
      ...{ sheetId: sheet.id, headerRow, productColumn },
      market:
        market === 'column'
          ? { kind: 'column', column: marketColumn ?? productColumn }
          : { kind: 'one', market },
      rows: { kind: 'product', product: keyOf(row.value) },
      fields: [...fields],
    }),
  );
  await job.over();
  const status = job.status.value;
  if (status === null) return;
  job.close();
  const found = await call('deals.look', { ...selectionOf(listIdOf(look)), ...WITH_CARDS });
  if (found.look !== null) arrive({ ...found, selected: list.value?.selected ?? null });
  const { state, problem } = status;
  const failed = job.failure.value ?? (state === 'blocked' ? problem : undefined);
  if (failed !== undefined) throw new Failed(failed);
  return refreshedText(status);
});

/** Stops it in the middle of a call. */
export async function stop(): Promise<void> {
  if (job.status.value === null) return;
  isStopping.value = true;
  const reply = await job.setState('stopped');
  if (reply.ok) return;
  isStopping.value = false;
  failure.value = reply.failure;
}

/** All that happens by itself. */
export function startProduct(): void {
  app.onReturn([TITLE], back);
  void app.whileInSheet([TITLE], FOLLOW_EVERY_MS, followAlong);
  app.when(() => side.value === 'product' && inView.value !== null && seen.value === null, load);
}
