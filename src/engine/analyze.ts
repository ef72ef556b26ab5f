// The one verb of the engine: takes products and returns an answer for each, from samples, the
// cache or the service.

import { isDemo } from '../connection/connection';
import { fail } from '../failures/failure';
import { type Answer, answered, unanswered } from '../product/analysis';
import { type Product, productKey, sampleAsin } from '../product/asin';
import { type Eligibility, figuresBy } from '../product/fields';
import { ask, type Hooks, type Policy } from './ask';
import type { Engine } from './engine';
import { waitingList } from './waiting-list';

type Sample = readonly [
  buy: number,
  sell: number,
  fees: number,
  eligible: Eligibility | null,
  drops: number,
];

/**
 * Good and bad deals, and all four kinds of eligibility: allowed, approval needed, not allowed,
 * unknown.
 */
const SAMPLES: readonly Sample[] = [
  [11.5, 32.99, 11.64, true, 66],
  [9.8, 24.49, 8.91, true, 118],
  [16.2, 42.99, 14.31, true, 41],
  [6.4, 19.99, 6.28, 'needs approval', 138],
  [18.9, 34.99, 9.42, true, 132],
  [19.9, 33.99, 13.2, true, 29],
  [14.5, 25.99, 12.83, true, 12],
  [88, 129.99, 24.15, false, 96],
  [7.8, 18.99, 6.95, true, 74],
  [27.5, 49.99, 13.45, 'needs approval', 105],
  [4.8, 18.95, 6.12, true, 9],
  [23.8, 36.99, 11.07, null, 33],
];

export const SAMPLE_ASINS: readonly string[] = SAMPLES.map((_, i) => sampleAsin(i + 1));

/**
 * The answers while samples are shown, the same on every market. Other products fail with
 * `samples-only`.
 */
function sampleAnswers(products: readonly Product[], nowMs: number): ReadonlyMap<string, Answer> {
  return new Map(products.map((product) => [productKey(product), sampleAnswer(product, nowMs)]));
}

function sampleAnswer({ asin }: Product, nowMs: number): Answer {
  const sample = SAMPLES[SAMPLE_ASINS.indexOf(asin)];
  if (sample === undefined) return unanswered(fail({ kind: 'samples-only' }));
  const [buy_price, sell_price, fees, eligible, rank_drops_30d] = sample;
  const profit = Math.round((sell_price - buy_price - fees) * 100) / 100;
  const roi = Math.round((profit / buy_price) * 10_000) / 10_000;
  return answered({
    figures: {
      ...figuresBy(() => null),
      profit,
      roi,
      fees,
      eligible,
      rank_drops_30d,
      buy_price,
      sell_price,
    },
    extras: [['sample', true]],
    roiUnit: 'fraction',
    isSample: true,
    fetchedAtMs: nowMs,
  });
}

/**
 * An answer for every product, by product key. Each distinct product is asked at most once, within
 * the key's quota and the engine's limits; a product that could not be asked in time gets a
 * `waiting` failure.
 */
export function analyze(
  engine: Engine,
  products: readonly Product[],
  policy: Policy = {},
  hooks: Hooks = {},
): ReadonlyMap<string, Answer> {
  if (isDemo(engine.connection)) return sampleAnswers(products, engine.platform.clock.nowMs());
  const distinct = new Map(products.map((product) => [productKey(product), product] as const));
  if (distinct.size === 0) return new Map();
  const found = engine.cache.find([...distinct.keys()], policy, engine.platform.clock.nowMs());
  hooks.onFound?.(found);
  const missing = [...distinct].filter(([key]) => !found.has(key)).map(([, product]) => product);
  if (missing.length === 0) return found;
  return new Map([...found, ...askFor(engine, missing, policy, hooks)]);
}

/**
 * A cell with one product stores notes only with the first analysis for this time, because a sheet
 * may have thousands of them.
 */
const SAVE_EACH_MS = 3_600_000;

function askFor(
  engine: Engine,
  products: readonly Product[],
  policy: Policy,
  hooks: Hooks,
): ReadonlyMap<string, Answer> {
  const { address } = engine;
  const lastMs = address.answeredMs();
  const asked = new Map<string, Answer>();
  try {
    ask(engine, products, policy, hooks, asked);
  } finally {
    // For the support report. It costs cache calls only if something went wrong.
    const failures = [...asked.values()].flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    if (failures.length > 0) engine.trouble.noteFailures(failures);
  }
  if (policy.listsWaiting === true) listWaiting(engine, asked, policy);
  if (asked.size > 1 || address.answeredMs() - lastMs > SAVE_EACH_MS) engine.saveNotes();
  return asked;
}

function listWaiting(
  { connection, platform }: Engine,
  answers: ReadonlyMap<string, Answer>,
  { notBeforeMs, tag }: Policy,
): void {
  const isWaiting = (answer: Answer) => !answer.ok && answer.failure.kind === 'waiting';
  const waiting = [...answers].filter(([, answer]) => isWaiting(answer)).map(([key]) => key);
  if (waiting.length === 0) return;
  const wish = {
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    ...(tag !== undefined && { tag }),
  };
  waitingList(platform.cache, connection.fingerprint).add(waiting, wish, platform.random);
}
