// The invented products that are answered while samples are on.

import { fail } from '../failures/failure';
import { type Product, productKey, sampleAsin } from '../product/asin';
import {
  type Answer,
  answered,
  type Eligibility,
  NEEDS_APPROVAL,
  unanswered,
} from '../product/fields';

type SampleRow = readonly [
  name: string,
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
const SAMPLES: readonly SampleRow[] = [
  ['Stoneware mug', 11.5, 32.99, 11.64, true, 66],
  ['Bamboo cutting board', 9.8, 24.49, 8.91, true, 118],
  ['Steel water bottle', 16.2, 42.99, 14.31, true, 41],
  ['Kids puzzle, 100 pieces', 6.4, 19.99, 6.28, NEEDS_APPROVAL, 138],
  ['Cast iron skillet', 18.9, 34.99, 9.42, true, 132],
  ['Yoga mat', 19.9, 33.99, 13.2, true, 29],
  ['Desk lamp', 14.5, 25.99, 12.83, true, 12],
  ['Noise-cancelling headset', 88, 129.99, 24.15, false, 96],
  ['Silicone baking mat', 7.8, 18.99, 6.95, true, 74],
  ['Vitamin C serum', 27.5, 49.99, 13.45, NEEDS_APPROVAL, 105],
  ['Phone stand', 4.8, 18.95, 6.12, true, 9],
  ['Garden hose nozzle', 23.8, 36.99, 11.07, null, 33],
];

/** As a supplier would offer them: each at the buy price that its answer has. */
export const SAMPLE_LIST = /* @__PURE__ */ SAMPLES.map(([name, buyPrice], at) => ({
  ...{ asin: sampleAsin(at + 1), name, buyPrice },
}));

export const SAMPLE_ASINS: readonly string[] = /* @__PURE__ */ SAMPLE_LIST.map(({ asin }) => asin);

/**
 * The answers while samples are shown, the same on every market. Other products fail with
 * `samples-only`.
 */
export function sampleAnswers(
  products: readonly Product[],
  nowMs: number,
): ReadonlyMap<string, Answer> {
  return new Map(products.map((product) => [productKey(product), sampleAnswer(product, nowMs)]));
}

function sampleAnswer({ asin }: Product, nowMs: number): Answer {
  const sample = SAMPLES[SAMPLE_ASINS.indexOf(asin)];
  if (sample === undefined) return unanswered(fail({ kind: 'samples-only' }));
  const [, buy_price, sell_price, fees, eligible, rank_drops_30d] = sample;
  const profit = Math.round((sell_price - buy_price - fees) * 100) / 100;
  const roi = Math.round((profit / buy_price) * 10_000) / 10_000;
  return answered({
    figures: {
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
