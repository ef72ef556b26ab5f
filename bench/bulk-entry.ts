// The asking half of a run through the add-on's own modules, which measures the gate without a
// sheet.

import { connectionStore } from '../src/connection/connection-store';
import { ask } from '../src/engine/ask';
import { createEngine, type Engine } from '../src/engine/engine';
import { googlePlatform } from '../src/google/platform';
import { HORIZON_MS } from '../src/limit/gate';
import { type Product, productKey } from '../src/product/asin';
import type { Answer } from '../src/product/fields';
import type { SliceReport } from './slice';
import { SLICE_MS, WRITE_EVERY_MS, WRITE_MS } from './slice';

/** A wave that begins at the slice's end still gets its slot, and its answers are still read. */
const LAST_WAVE_MS = 20_000;
const LAST_ANSWERS_MS = 50_000;

/** Nobody watches a single row of a run, so a slow service gets the time it needs. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * The number of rows looked up in the cache at once; missing ones are asked for in smaller parts.
 */
const ROWS_LOOKED_UP = 1_000;

/** The number of rows asked for before the speed of answers is known. */
const ROWS_AT_FIRST = 10;

function openEngine(startMs: number): Engine {
  const platform = googlePlatform();
  const stored = connectionStore(platform).forPerson();
  if (stored.kind !== 'connection') throw new Error('No connection was saved.');
  return createEngine(platform, stored.connection, {
    bookUntilMs: startMs + SLICE_MS + LAST_WAVE_MS,
    bookFastUntilMs: startMs + SLICE_MS + LAST_WAVE_MS,
    endMs: startMs + SLICE_MS + LAST_ANSWERS_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
  });
}

/** One slice of a run: takes products in order until its time is up, and writes as it goes. */
export function benchSlice(asins: readonly string[]): SliceReport {
  const startMs = Date.now();
  const engine = openEngine(startMs);
  const { clock } = engine.platform;
  const products = asins.map((asin): Product => ({ asin, market: 'US' }));
  const answers = new Map<string, Answer>();
  let lookedUp = 0;
  let missing: readonly Product[] = [];
  let writtenMs = startMs;
  const { waveMax } = engine.gate;
  /** Whole waves, as many rows as get answers between two writes. */
  let rowsAtOnce = ROWS_AT_FIRST;
  while (clock.nowMs() < startMs + SLICE_MS) {
    if (missing.length < rowsAtOnce && lookedUp < products.length) {
      const block = products.slice(lookedUp, lookedUp + ROWS_LOOKED_UP);
      lookedUp += block.length;
      const found = engine.cache.find(block.map(productKey), {}, clock.nowMs());
      for (const [key, answer] of found) answers.set(key, answer);
      missing = [...missing, ...block.filter((product) => !found.has(productKey(product)))];
      continue;
    }
    if (missing.length === 0) break;
    const asked = missing.slice(0, rowsAtOnce);
    missing = missing.slice(rowsAtOnce);
    const askedMs = clock.nowMs();
    ask(engine, asked, { horizonMs: HORIZON_MS }, {}, answers);
    const perMs = asked.length / (clock.nowMs() - askedMs);
    rowsAtOnce = Math.max(1, Math.round((perMs * WRITE_EVERY_MS) / waveMax)) * waveMax;
    if (clock.nowMs() < writtenMs + WRITE_EVERY_MS) continue;
    clock.sleep(WRITE_MS);
    writtenMs = clock.nowMs();
  }
  clock.sleep(WRITE_MS);
  return report(products.slice(0, lookedUp), answers);
}

/** Rows without an answer, or that have to wait, come first in the next slice. */
function report(taken: readonly Product[], answers: ReadonlyMap<string, Answer>): SliceReport {
  const isFinal = (answer: Answer | undefined) =>
    answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');
  const again = taken.filter((product) => !isFinal(answers.get(productKey(product))));
  const answered = taken.filter((product) => answers.get(productKey(product))?.ok === true);
  return {
    taken: taken.length,
    again: again.map(({ asin }) => asin),
    answered: answered.length,
  };
}
