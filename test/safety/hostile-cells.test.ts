// Thousands of hostile replies through the real door: every cell shows a figure, a text or a failure.

import { afterAll, describe, expect, it } from '@jest/globals';
import { FIELDS } from '../../src/product/fields';
import { createWorld, FAST, reply, type World } from '../doors/world';
import { sampleSize } from '../sample';
import { SECRET, secretsIn } from './hostile-replies';
import { lastingReply } from './lasting-reply';

const FORMULAS = sampleSize(30, 6);
const ROWS = 100;

let world: World | undefined;
afterAll(() => world?.stop());

/** Ten letters and digits that are told from each other by their number. */
const asin = (number: number) => `B${number.toString(36).toUpperCase().padStart(9, '0')}`;

function isCell(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'boolean' || typeof value === 'string';
}

describe(`${FORMULAS * ROWS} hostile replies to formulas`, () => {
  it('give rows of cells, each of them asked once, and no cell has the key', async () => {
    // All at once are more than Google takes in a short time, which is not what is tried here.
    world = createWorld({
      says(asin) {
        const { status, body, headers } = lastingReply(asin);
        return reply(status, body, headers);
      },
      host: { limits: { urlFetchInShortTime: FORMULAS * ROWS } },
    });
    await world.connect({ ...FAST, apiKey: SECRET });
    const formulas = Array.from({ length: FORMULAS }, (_, formula) =>
      Array.from({ length: ROWS }, (__, row) => [asin(formula * ROWS + row)]),
    );
    const started = formulas.map((range) => world?.cell('ANALYZE', range, 'US', FIELDS.join()));
    await world.host.run();
    const outcomes = await Promise.all(started);
    expect(world.requests).toHaveLength(FORMULAS * ROWS);
    let [figures, failures] = [0, 0];
    for (const outcome of outcomes) {
      expect(outcome?.error).toBeUndefined();
      const rows = outcome?.value as unknown[][];
      expect(rows).toHaveLength(ROWS);
      expect(rows.filter((row) => row.length !== FIELDS.length || !row.every(isCell))).toEqual([]);
      failures += rows.filter(([first]) => String(first).startsWith('Not analyzed: ')).length;
      figures += rows.filter(([first]) => typeof first === 'number').length;
      const texts = rows.map(([first]) => first).filter((first) => typeof first === 'string');
      expect(texts.every((text) => text.startsWith('Not analyzed: '))).toBe(true);
    }
    expect(figures).toBeGreaterThan(FORMULAS * ROWS * 0.1);
    expect(failures).toBeGreaterThan(FORMULAS * ROWS * 0.1);
    expect(secretsIn(JSON.stringify(outcomes))).toBe(0);
  });
});
