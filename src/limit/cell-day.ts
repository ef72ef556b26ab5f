// The day of formulas: how many calls they have made since its first one, against the cap of a key's owner.

import * as z from 'zod/mini';
import { DAY } from '../failures/duration';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';

/** A day begins with its first call, as Google counts its own. */
export const cellDaySchema = lazySchema(() =>
  z.object({ sinceMs: z.number(), cellCalls: z.number() }),
);

export type CellDay = Fits<typeof cellDaySchema>;

/** A day that lies in the future was recorded by a wrong clock. */
export const isDayOver = ({ sinceMs }: { readonly sinceMs: number }, nowMs: number): boolean =>
  nowMs >= sinceMs + DAY || nowMs < sinceMs;

/** The day at present: a new one if the former one is over. */
export const dayAt = (day: CellDay | undefined, nowMs: number): CellDay =>
  day === undefined || isDayOver(day, nowMs) ? { sinceMs: nowMs, cellCalls: 0 } : day;

/** A stored day; undefined for anything else. */
export const parseCellDay = (text: string | null | undefined): CellDay | undefined =>
  storedAs(text, cellDaySchema()) ?? undefined;
