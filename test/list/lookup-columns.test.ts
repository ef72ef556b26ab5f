// The columns beside a list that look its figures up: made, filled in, kept and made live again.

import { describe, expect, it } from '@jest/globals';
import { createListWorld } from './list-world';

const [A, B, C] = ['B000000001', 'B000000002', 'B000000003'] as const;
const MOMENT = Date.UTC(2026, 10, 21, 6, 4);

describe('try', () => {
  it('works', () => {
    const world = createListWorld([
      ['ASIN', 'Cost'],
      [A, 1],
      [B, 2],
      ['', ''],
      [C, 3],
    ]);
    world.record(
      { key: `${A}|US`, figures: { profit: 1.5, roi: 0.25, eligible: true }, analyzedMs: MOMENT },
      { key: `${B}|US`, figures: { profit: 2.5 }, analyzedMs: MOMENT },
    );
    const before = Date.now();
    const list = world.ensure();
    console.log(Date.now() - before, JSON.stringify(list), JSON.stringify(world.cells(), null, 1));
    for (let c = 3; c < 9; c++) console.log(world.formula(2, c));
  });
});
