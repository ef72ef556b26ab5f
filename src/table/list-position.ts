// Where a list is in a spreadsheet: its sheet, its header row, and its columns of products and markets.

import * as z from 'zod/mini';
import { lazySchema } from '../platform/lazy-schema';
import { columnSchema, ROWS_MAX, sheetIdSchema } from '../platform/sheet-schemas';
import { MARKETS } from '../product/market';

export const listPositionSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    /** 0: there is no header, and the first row is a product. */
    headerRow: z.int().check(z.nonnegative(), z.maximum(ROWS_MAX)),
    productColumn: columnSchema(),
    market: z.union([
      z.strictObject({ kind: z.literal('column'), column: columnSchema() }),
      z.strictObject({ kind: z.literal('one'), market: z.literal(MARKETS) }),
    ]),
  }),
);
