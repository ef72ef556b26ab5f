// Five thousand products whose replies carry much besides figures: a recalculation pays for none again.

import { expect, it } from '@jest/globals';
import { createInlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { BUILT, distIn } from '../build-once';
import { BASE_URL, documentOf } from '../doors/world';

const PRODUCTS = 5_000;
/** So many as one formula gets in its time. */
const EACH = 250;
const REPLY_BYTES = 12_000;

const ASINS = Array.from({ length: PRODUCTS }, (_, at) => `B0${String(10_000_000 + at)}`);
const FORMULAS = Array.from({ length: PRODUCTS / EACH }, (_, at) =>
  ASINS.slice(at * EACH, (at + 1) * EACH).map((asin) => [asin]),
);

/** Sixty fields, as services have them that pass on all that Amazon says of a product. */
const others = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`field_${at}`, 'x'.repeat(REPLY_BYTES / 60)]),
);

it('5,000 products of 12 KB are paid for once', () => {
  let calls = 0;
  const internet = createSandboxedInternet({
    [new URL(BASE_URL).host]: ({ body }) => {
      calls += 1;
      const asin = new URLSearchParams(body).get('asin');
      const figures = { profit: 9.85, roi: 0.85, fees: 11.6, eligible: true, rank_drops_30d: 12 };
      const text = JSON.stringify({ asin, ...figures, ...others });
      return { kind: 'answer', status: 200, headers: {}, body: text, delayMs: 200 };
    },
  });
  const grid = createPlainGrid({ maxRows: 10 });
  const host = createInlineHost({
    ...{ dist: distIn(BUILT), seed: 1, internet },
    documents: [{ ...documentOf('sheet-1'), model: grid }],
  });
  const run = (functionName: string, ...args: readonly unknown[]): unknown => {
    const door = functionName === 'rpc' ? 'sidebar' : 'cell';
    const { ended, value } = host.call({ functionName, args, door });
    expect(ended).toBe('returned');
    return value;
  };
  const quota = { calls: 20, perSeconds: 1, burst: 40 };
  run('rpc', 'connection.save', {
    ...{ baseUrl: BASE_URL, apiKey: 'demo-key-large', quota, sharing: 'spreadsheet' },
  });
  const calculate = () => FORMULAS.map((range) => run('ANALYZE', range, 'US', 'profit'));
  const first = calculate();
  expect(first.flat(2)).toEqual(ASINS.map(() => 9.85));
  expect(calls).toBe(PRODUCTS);
  for (let round = 0; round < 2; round += 1) {
    expect(calculate()).toEqual(first);
    expect(calls).toBe(PRODUCTS);
  }
});
