// Schemas of what a sheet consists of: its id, rows, columns, addresses and the contents of cells.

import * as z from 'zod/mini';
import { lazySchema } from '../schema/stored-record';

/** The most rows of a sheet: ten million cells in one column. */
export const ROWS_MAX = 10_000_000;

/** The most columns of a sheet: "ZZZ" is the last one. */
const COLUMNS_MAX = 18_278;

/** The longest texts that the page puts into cells are formulas. */
const TEXT_CHARS_MAX = 10_000;

export const sheetIdSchema = lazySchema(() => z.int().check(z.nonnegative()));

/** Columns count from 1. */
export const columnSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(COLUMNS_MAX)));

export const cellTextSchema = lazySchema(() => z.string().check(z.maxLength(TEXT_CHARS_MAX)));

export const cellSchema = lazySchema(() => z.union([cellTextSchema(), z.number(), z.boolean()]));
