// What a job should do, as a person chose it: where the list is, which of its rows, and what to show.

import * as z from 'zod/mini';
import type { ListedColumn } from '../analysis/row-record';
import { cellTextSchema, columnSchema, ROWS_MAX, sheetIdSchema } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { FIELDS } from '../product/fields';
import { MARKETS, type Market } from '../product/market';
import { type Fits, lazySchema } from '../schema/stored-record';
import type { MarketSource, TaggedList } from './tagged-list';

const DAYS_MAX = 3_650;

/** Longer than any product's key. */
const KEY_CHARS_MAX = 40;

export const choiceSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    /** 0: there is no header, and the first row is a product. */
    headerRow: z.int().check(z.nonnegative(), z.maximum(ROWS_MAX)),
    productColumn: columnSchema(),
    /** The title above the products, by which a column that moved since is known. */
    productTitle: z.exactOptional(cellTextSchema()),
    market: z.union([
      z.strictObject({
        kind: z.literal('column'),
        /** That of the products: each link says its own market. */
        column: columnSchema(),
        /** The same of the markets. */
        title: z.exactOptional(cellTextSchema()),
      }),
      z.strictObject({ kind: z.literal('one'), market: z.literal(MARKETS) }),
    ]),
    rows: z.union([
      z.strictObject({ kind: z.literal(['all', 'selection', 'visible', 'empty', 'failed']) }),
      z.strictObject({
        kind: z.literal('older'),
        days: z.int().check(z.minimum(1), z.maximum(DAYS_MAX)),
      }),
      /** The rows of one product, by its key, asked again whatever is known. */
      z.strictObject({
        kind: z.literal('product'),
        product: z.string().check(z.maxLength(KEY_CHARS_MAX)),
      }),
      /** Those that were selected when the list began to wait, by the keys of their products. */
      z.strictObject({
        kind: z.literal('products'),
        products: z.array(z.string().check(z.maxLength(KEY_CHARS_MAX))),
      }),
    ]),
    /** The figures to show beside the list. */
    fields: z.array(z.literal(FIELDS)),
    /** Whether a column shows the clean ASIN of each row. */
    cleanAsins: z.exactOptional(z.boolean()),
  }),
);

export type Choice = Fits<typeof choiceSchema>;

/** A choice without the product column, for a column that a person picks. */
export type ChoiceByHand = Omit<Choice, 'productColumn'>;

/** Where a list is: as a person chose it, or as it is tagged. */
export interface ListLocation {
  readonly sheet: Sheet;
  /** The id in a list's tags, by which it is then found. */
  readonly id?: string;
  /** 0: there is no header, and the first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  /** The title above the products when they were chosen; left out: there was none. */
  readonly productTitle?: string | undefined;
  readonly marketColumn: number | null;
  /** The same of the markets. */
  readonly marketTitle?: string | undefined;
}

export interface WantedColumns {
  readonly market: MarketSource;
  /** The market of rows that name none. */
  readonly defaultMarket: Market;
  /** What to show of the tab, besides the status and `analyzed_at`, from left to right. */
  readonly columns: readonly ListedColumn[];
  /** Whether ROI is shown as a percentage. */
  readonly roiIsFraction: boolean;
}

export const marketSourceOf = ({ market }: Pick<Choice, 'market'>): MarketSource =>
  market.kind === 'one' ? market.market : 'column';

/** What a list shows by now, as choices: one for each market. */
export const choicesOf = (list: TaggedList): readonly Choice[] =>
  list.blocks.map(({ market, columns }) => ({
    sheetId: list.sheet.id,
    headerRow: list.headerRow,
    productColumn: list.productColumn,
    market:
      market === 'column'
        ? { kind: 'column', column: list.marketColumn ?? list.productColumn }
        : { kind: 'one', market },
    rows: { kind: 'all' },
    fields: FIELDS.filter((field) => columns.has(field)),
    ...(columns.has('asin') && { cleanAsins: true }),
  }));

export const locationOf = (sheet: Sheet, choice: Choice): ListLocation => ({
  sheet,
  headerRow: choice.headerRow,
  productColumn: choice.productColumn,
  productTitle: choice.productTitle,
  ...(choice.market.kind === 'column'
    ? { marketColumn: choice.market.column, marketTitle: choice.market.title }
    : { marketColumn: null }),
});

/**
 * @param defaultMarket of rows that should name one and do not.
 * @param roiIsFraction whether the unit of ROI is known, so that a sheet can show it as a percentage.
 */
export const wantedColumns = (
  choice: Choice,
  defaultMarket: Market,
  roiIsFraction: boolean,
): WantedColumns => ({
  market: marketSourceOf(choice),
  defaultMarket,
  columns: [
    ...(choice.cleanAsins === true ? (['asin'] as const) : []),
    ...FIELDS.filter((field) => choice.fields.includes(field)),
  ],
  roiIsFraction,
});
