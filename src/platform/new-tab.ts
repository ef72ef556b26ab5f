// A new tab as the page describes it: cells, formulas, names, styles and charts.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from './lazy-schema';
import {
  addressSchema,
  cellSchema,
  cellTextSchema,
  columnSchema,
  rowSchema,
} from './sheet-schemas';

/** Wider than any screen. */
const PIXELS_MAX = 2_000;

/** More than fit on a screen. */
const FROZEN_ROWS_MAX = 2_000;

/** The width of a column. */
const pixelsSchema = lazySchema(() => z.int().check(z.nonnegative(), z.maximum(PIXELS_MAX)));

/** A text of a column, and the style of a cell that holds it. */
export const textMarkSchema = lazySchema(() =>
  z.strictObject({
    text: cellTextSchema(),
    /** In the form "#d2e3fc", as all colours. */
    background: cellTextSchema(),
    color: cellTextSchema(),
    isBold: z.boolean(),
  }),
);

export type TextMark = Fits<typeof textMarkSchema>;

/** The style of the cells at "B3" or "B3:C9". */
const cellStyleSchema = lazySchema(() =>
  z.strictObject({
    at: addressSchema(),
    format: z.exactOptional(cellTextSchema()),
    isBold: z.exactOptional(z.boolean()),
    background: z.exactOptional(cellTextSchema()),
    color: z.exactOptional(cellTextSchema()),
    /**
     * The cell gets a dropdown that accepts only these words, or only the values of these cells of
     * the tab.
     */
    choices: z.exactOptional(z.union([addressSchema(), z.array(cellTextSchema())])),
  }),
);

/**
 * A chart of columns on the sheet. The first row of its data holds the titles, the first column the
 * labels.
 */
const tabChartSchema = lazySchema(() =>
  z.strictObject({
    title: cellTextSchema(),
    /** The data range, such as "A3:C7". */
    of: addressSchema(),
    /** The cell at the chart's upper left corner. */
    row: rowSchema(),
    column: columnSchema(),
  }),
);

export type TabChart = Fits<typeof tabChartSchema>;

export const newTabSchema = lazySchema(() =>
  z.strictObject({
    /** A number is appended if another tab has this title. */
    title: cellTextSchema(),
    /**
     * From A1 on; all rows have the same length. Texts are written as texts, even if they look like
     * something else.
     */
    cells: z.array(z.array(cellSchema())),
    formulas: z.array(z.strictObject({ at: addressSchema(), formula: cellTextSchema() })),
    names: z.array(z.strictObject({ name: cellTextSchema(), at: addressSchema() })),
    styles: z.array(cellStyleSchema()),
    /** Column widths in pixels, from the first column on. */
    widths: z.array(pixelsSchema()),
    frozenRows: z.int().check(z.nonnegative(), z.maximum(FROZEN_ROWS_MAX)),
    /** Makes the new tab active; without it the active sheet stays active. */
    isShown: z.exactOptional(z.literal(true)),
    /**
     * If another tab already has the first of `names`, that tab is deleted and this one takes its
     * place.
     */
    replaces: z.exactOptional(z.literal(true)),
    charts: z.exactOptional(z.array(tabChartSchema())),
    /** The styles of texts in a column, from a row down. */
    marked: z.exactOptional(
      z.strictObject({
        column: columnSchema(),
        firstRow: rowSchema(),
        marks: z.array(textMarkSchema()),
      }),
    ),
  }),
);

export type NewTab = Fits<typeof newTabSchema>;
