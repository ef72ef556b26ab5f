// What the Analyze page may send, as schemas; built on a call, since cells load this file too.

import * as z from 'zod/mini';
import { FIELDS } from '../analysis/fields';
import { SLICE_MS_MAX } from '../bulk/run-lane';
import { wholeNumber } from '../connection/whole-number';

/** The largest sheet: ten million cells in one column. */
const ROWS_MAX = 10_000_000;
const COLUMNS_MAX = 18_278;
const DAYS_MAX = 3_650;

/** Rows that one click on a list of rows can select; a check lists fewer. */
const ROWS_SHOWN_MAX = 1_000;

export const upTo = (most: number) =>
  z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0 && value <= most));
const shortText = () => z.string().check(z.refine((text) => text.length > 0 && text.length <= 40));

export const jobPayload = () => z.strictObject({ jobId: shortText() });

/** Where a list stands: parts of a schema. */
export const listPlace = () => ({
  sheetId: upTo(Number.MAX_SAFE_INTEGER),
  headerRow: upTo(ROWS_MAX),
  productColumn: wholeNumber(COLUMNS_MAX),
  market: z.union([
    z.strictObject({ kind: z.literal('column'), column: wholeNumber(COLUMNS_MAX) }),
    z.strictObject({ kind: z.literal('one'), market: z.enum(['US', 'UK']) }),
  ]),
});

export function choicePayload() {
  const kind = <Kind extends string>(name: Kind) => z.strictObject({ kind: z.literal(name) });
  return z.strictObject({
    ...listPlace(),
    rows: z.union([
      kind('all'),
      kind('selection'),
      kind('visible'),
      kind('empty'),
      kind('failed'),
      z.strictObject({ kind: z.literal('older'), days: wholeNumber(DAYS_MAX) }),
    ]),
    fields: z.array(z.enum(FIELDS)),
    apart: z.exactOptional(z.boolean()),
  });
}

export const runPayload = () =>
  z.strictObject({ jobId: shortText(), lane: upTo(9), maxMs: wholeNumber(SLICE_MS_MAX) });

export const retryPayload = () =>
  z.strictObject({ jobId: shortText(), kinds: z.array(shortText()) });

export function showPayload() {
  const row = z.strictObject({ row: wholeNumber(ROWS_MAX), shown: z.string() });
  const isShort = (list: readonly unknown[]) => list.length <= ROWS_SHOWN_MAX;
  return z.union([
    z.strictObject({
      sheetId: upTo(Number.MAX_SAFE_INTEGER),
      productColumn: wholeNumber(COLUMNS_MAX),
      rows: z.array(row).check(z.refine(isShort)),
    }),
    z.strictObject({ jobId: shortText(), failed: shortText() }),
  ]);
}
