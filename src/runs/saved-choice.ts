// The last choice for each sheet. Its columns are found again by their titles.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { listText, type Platform } from '../platform/ports';
import { sheetIdSchema } from '../platform/sheet-schemas';
import { storedItems } from '../platform/stored-record';
import type { RoiUnit } from '../product/analysis';
import { MARKETS } from '../product/market';
import { type ColumnKey, isMarketTitle, knownColumnSchema, type Layout } from '../table/columns';
import { type Choice, type ChoiceByHand, fieldsSchema, rowSelectionSchema } from './run';

const seenSchema = lazySchema(() => {
  const { title, column } = knownColumnSchema().shape;
  return z.object({ title, column });
});

type Seen = Fits<typeof seenSchema>;

const rememberedSchema = lazySchema(() =>
  z.object({
    rows: rowSelectionSchema(),
    fields: fieldsSchema(),
    market: z.nullable(z.literal(MARKETS)),
    columns: z.exactOptional(
      z.object({
        product: z.nullable(seenSchema()),
        market: z.nullable(seenSchema()),
        /**
         * Titles of columns that might have named the market when one market was chosen for all
         * rows.
         */
        declined: z.array(z.string()),
      }),
    ),
  }),
);

type Remembered = Fits<typeof rememberedSchema>;

const rememberedSheetSchema = lazySchema(() => z.tuple([sheetIdSchema(), rememberedSchema()]));

const MEMORY_NAME = 'bulk-choices';
/** One property holds 9 KB. */
const SHEETS_REMEMBERED = 20;
const REMEMBERED_CHARS = 60;
const DECLINED_MAX = 2;

type Memory = readonly Fits<typeof rememberedSheetSchema>[];

export const choicesKept = () => ({ [MEMORY_NAME]: rememberedSheetSchema() });

const memoryOf = (store: Platform['documentStore']): Memory =>
  storedItems(store.read(MEMORY_NAME), rememberedSheetSchema());

export const recall = (store: Platform['documentStore'], sheetId: number): Remembered | null =>
  memoryOf(store).find(([id]) => id === sheetId)?.[1] ?? null;

/** @param titles the present titles by column. */
export function remember(
  choice: ChoiceByHand,
  remembered: Remembered | null,
  titles: readonly string[],
): ChoiceByHand {
  if (remembered === null) return choice;
  const { fields, rows } = remembered;
  return { ...choice, fields, rows, market: marketOf(choice.market, remembered, titles) };
}

function marketOf(
  found: Choice['market'],
  { market, columns }: Remembered,
  titles: readonly string[],
): Choice['market'] {
  if (market === null) {
    const column = currentColumn(columns?.market, titles);
    return column === null ? found : { kind: 'column', column };
  }
  const isNews =
    found.kind === 'column' && !columns?.declined.includes(titles[found.column - 1] ?? '');
  return isNews ? found : { kind: 'one', market };
}

/** Where a column is now according to its title; null: it cannot be told. */
export function currentColumn(
  seen: Seen | null | undefined,
  titles: readonly string[],
): number | null {
  if (!seen) return null;
  if (titles[seen.column - 1] === seen.title) return seen.column;
  const at = seen.title === '' ? -1 : titles.indexOf(seen.title);
  return at < 0 ? null : at + 1;
}

/** @param layout the layout of the run that was started with the choice. */
export function memorise(store: Platform['documentStore'], choice: Choice, layout: Layout): void {
  const { sheetId, rows, fields, market } = choice;
  const one = market.kind === 'one' ? market.market : null;
  const seen = (wanted: ColumnKey): Seen | null => {
    const known = layout.columns.find(({ key }) => key === wanted);
    const isShort = known !== undefined && known.title.length <= REMEMBERED_CHARS;
    return isShort ? { title: known.title, column: known.column } : null;
  };
  const declined = one === null ? [] : layout.others.filter(isMarketTitle).slice(0, DECLINED_MAX);
  const columns = { product: seen('product'), market: seen('market'), declined };
  const others = memoryOf(store).filter(([id]) => id !== sheetId);
  const memory: Memory = [[sheetId, { rows, fields, market: one, columns }], ...others];
  store.write(MEMORY_NAME, listText(memory.slice(0, SHEETS_REMEMBERED)));
}

const PERCENT_NAME = 'bulk-percent';

const percentIn = (store: Platform['documentStore']) =>
  storedItems(store.read(PERCENT_NAME), z.string());

/**
 * Whether ROI from this key was already shown as a percentage in this sheet; then a different
 * format was chosen by a person. A name also stands for every longer name that begins with it.
 */
export const isPercentIn = (store: Platform['documentStore'], name: string): boolean =>
  percentIn(store).some((one) => one.startsWith(name));

export function notePercent(store: Platform['documentStore'], name: string): void {
  const names = [name, ...percentIn(store).filter((one) => one !== name)];
  store.write(PERCENT_NAME, listText(names.slice(0, SHEETS_REMEMBERED)));
}

/** Once ROI is a plain number again, so that the next percentage is ours as well. */
export const forgetPercent = (store: Platform['documentStore'], name: string): void =>
  store.write(PERCENT_NAME, listText(percentIn(store).filter((one) => !one.startsWith(name))));

/**
 * Names a sheet together with the key that is used in it, and apart from that if its ROI is a
 * percentage as sent.
 */
export const percentName = (sheetId: number, fingerprint: string, unit?: RoiUnit): string =>
  `${sheetId} ${unit === 'percent' ? '%' : ''}${fingerprint}`;
