// What is noted beside the answers: when the service last answered and how long it took, products in a row
// that ended alike, and those that were lost with a wave.

import * as z from 'zod/mini';
import { type Failure, isFailure } from '../failures/failure';
import { productOfKey } from '../product/asin';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import type { Entry } from './bucket';

const setbacksSchema = lazySchema(() =>
  z.object({
    /** When the first of them came, ms since 1970. */
    sinceMs: z.number(),
    keys: z.array(z.string()),
    /** Those before: the service has answered others since. */
    before: z.array(z.string()),
  }),
);

/** The products for which the service had no proper answer since its last analysis. */
export type Setbacks = Fits<typeof setbacksSchema>;

export const NO_SETBACKS: Setbacks = { sinceMs: 0, keys: [], before: [] };

/** What is after an analysis. */
export const setbacksOver = ({ keys, before }: Setbacks): Setbacks => {
  return { ...NO_SETBACKS, before: [...new Set([...before, ...keys])].slice(-SETBACKS_MAX) };
};

/** Nothing depends on more of them. */
const SETBACKS_MAX = 20;

/** What is noted of the service beside the answers, in one cache value. */
const noteSchema = lazySchema(() =>
  z.object({
    /** When it last gave an analysis, by market, ms since 1970. */
    answered: z.record(z.string(), z.number()),
    /** How long its answers have lately taken, ms. */
    tookMs: z.number(),
    setbacks: setbacksSchema(),
  }),
);

export type Note = Fits<typeof noteSchema>;

const NO_NOTE: Note = { answered: {}, tookMs: 0, setbacks: NO_SETBACKS };

export const noteIn = (text: string | undefined): Note => storedAs(text, noteSchema()) ?? NO_NOTE;

/** As it is stored. */
export const bounded = ({ setbacks, ...note }: Note): Note => ({
  ...note,
  setbacks: { ...setbacks, keys: setbacks.keys.slice(0, SETBACKS_MAX) },
});

/** Products in a row that ended alike, while the service has not answered for any. */
const rowSchema = lazySchema(() =>
  z.object({
    /** The way they ended. */
    way: z.string(),
    ended: z.array(z.tuple([z.string(), z.custom<Failure>(isFailure)])),
    /** How often the others have had to wait since an answer, and until when. */
    rests: z.number(),
    restUntilMs: z.number(),
  }),
);

export type AlikeRow = Fits<typeof rowSchema>;

export const NO_ROW: AlikeRow = { way: '', ended: [], rests: 0, restUntilMs: 0 };

export const storedRow = (text: string | undefined): AlikeRow | null => storedAs(text, rowSchema());

/** By product key: how often a product that was lost with a wave has stayed silent alone. */
const lostSchema = lazySchema(() => z.record(z.string(), z.number()));

export type LostProducts = Fits<typeof lostSchema>;

/** The products of many waves. */
const LOST_MAX = 300;

export const lostIn = (text: string | undefined): LostProducts =>
  storedAs(text, lostSchema()) ?? {};

/** With others that were lost; the oldest go first. */
export const lostWith = (lost: LostProducts, more: LostProducts): LostProducts =>
  Object.fromEntries(Object.entries({ ...lost, ...more }).slice(-LOST_MAX));

/** Without those that have an analysis by now: they may go in a wave again. */
export const lostWithout = (
  lost: LostProducts,
  entries: ReadonlyMap<string, Entry>,
): LostProducts =>
  Object.fromEntries(Object.entries(lost).filter(([key]) => entries.get(key)?.answer.ok !== true));

/** What a wave says of the service. */
export interface News {
  /** Given if they changed; an analysis ends them. */
  readonly setbacks?: Setbacks;
  /** How long it took, ms. */
  readonly tookMs?: number;
}

/** The answers of one wave. */
export interface Wave {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly news: News;
  readonly atMs: number;
}

/** How far the time that answers take counts after another that was faster. */
const TOOK_FADES = 0.7;

/** What is noted of the service after a wave. */
export function noteAfter(note: Note, { entries, news, atMs }: Wave): Note {
  const { setbacks = note.setbacks, tookMs = 0 } = news;
  const ok = [...entries].filter(([, { answer }]) => answer.ok);
  if (ok.length === 0) return { ...note, setbacks };
  const markets = ok.map(([key]) => [productOfKey(key)?.market ?? '', atMs] as const);
  return {
    answered: { ...note.answered, ...Object.fromEntries(markets) },
    tookMs: Math.max(tookMs, Math.round(TOOK_FADES * note.tookMs)),
    setbacks: setbacksOver(setbacks),
  };
}
