// What was last told of a product and its row no longer shows: its last figures with another key, or before
// it was not found, and what each schedule with rules has told. A text in the row. Pure.

import * as z from 'zod/mini';
import { FIELDS, type Figures, figuresBy } from '../product/fields';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';

/** Figures, whose they are, and what a list said of them. */
export interface Baseline {
  readonly fetchedWith: string;
  readonly figures: Figures;
  readonly verdict?: string;
}

/** By name: `fetchedWith` for the change log, else a schedule. Figures are in the order of the fields. */
const toldSchema = lazySchema(() =>
  z.record(
    z.string(),
    z.object({
      fetchedWith: z.string(),
      figures: z.array(z.union([z.null(), z.number(), z.boolean(), z.string()])),
      verdict: z.exactOptional(z.string()),
    }),
  ),
);

type Told = Fits<typeof toldSchema>;

/** More than ten schedules and the keys of a team. The oldest go. */
const NAMES_MAX = 24;

const toldIn = (text: string): Told => storedAs(text, toldSchema()) ?? {};

/** What was last told under this name; null: nothing was. */
export function baselineOf(text: string, name: string): Baseline | null {
  const told = text === '' ? undefined : toldIn(text)[name];
  if (told === undefined) return null;
  const figures = figuresBy((_, at) => (told.figures[at] ?? null) as Figures[keyof Figures]);
  return { ...told, figures };
}

/** @param last null: nothing any more. */
export function withBaseline(text: string, name: string, last: Baseline | null): string {
  if (text === '' && last === null) return '';
  const { [name]: _, ...others } = text === '' ? {} : toldIn(text);
  const all = Object.entries(others);
  if (last !== null)
    all.push([name, { ...last, figures: FIELDS.map((field) => last.figures[field]) }]);
  const left = all.slice(-NAMES_MAX);
  return left.length === 0 ? '' : JSON.stringify(Object.fromEntries(left));
}
