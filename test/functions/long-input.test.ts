// Inputs of a cell that are far too long, or nothing at all: a bound ends their reading, a failure says so.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorld, type World } from '../doors/world';

const MUG = 'B0XKT7M4QN';
const CELL_CHARS_MAX = 50_000;

let world: World;
afterEach(() => world.stop());

async function connected(): Promise<void> {
  world = createWorld();
  await world.connect();
}

describe('a link', () => {
  it('may be as long as a cell behind its host', async () => {
    await connected();
    const link = `https://www.amazon.com/dp/${MUG}/ref=${'x'.repeat(40_000)}`;
    expect((await world.show('ANALYZE', link, '', 'profit')).value).toBe(9.85);
  });
});

describe('fields', () => {
  it.each<[string, unknown]>([
    ['a text', 'profit,'.repeat(7_000)],
    ['an essay', 'a;'.repeat(25_000)],
    ['a row', [Array<string>(201).fill('roi')]],
  ])('of more columns than a formula shows are refused: %s', async (_how, fields) => {
    await connected();
    for (const [name, ...args] of [
      ['ANALYZE', MUG, 'US', fields] as const,
      ['ANALYZE_FIELDS', fields] as const,
    ])
      expect((await world.show(name, ...args)).error?.message).toBe(
        'Not analyzed: one formula can show 200 fields',
      );
  });

  it('with a name that is an essay are told as a slip, and fit a cell', async () => {
    await connected();
    const essay = 'word '.repeat(20_000);
    expect((await world.show('ANALYZE', MUG, 'US', essay)).error?.message?.length).toBeLessThan(
      300,
    );
    const [[shown]] = (await world.show('ANALYZE_FIELDS', essay)).value as [[string]];
    expect(shown.length).toBeLessThan(CELL_CHARS_MAX);
  });
});

describe('a grid without cells', () => {
  it.each(['ANALYZE', 'ANALYZE_ASIN', 'ANALYZE_MAX_BUY', 'ANALYZE_WHAT_IF'])(
    'is a product that is missing, in %s',
    async (name) => {
      await connected();
      for (const grid of [[], [[]], [[], []]]) {
        const { error } = await world.show(name, grid, 'US', ...(name.endsWith('IF') ? [10] : []));
        expect(error?.message).toMatch(/^Not analyzed: the product is missing\. /);
      }
    },
  );

  it('is no market and no field', async () => {
    await connected();
    expect((await world.show('ANALYZE', MUG, [[]], [[], []])).value).toHaveLength(1);
  });
});

it('is never in what a cell throws, which Google keeps, but for forty signs', async () => {
  await connected();
  const essay = Array.from({ length: 9_000 }, (_, at) => `w${at}`).join(' ');
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ['ANALYZE', essay],
    ['ANALYZE', MUG, essay],
    ['ANALYZE', MUG, 'US', essay],
    ['ANALYZE_MAX_BUY', MUG, 'US', essay],
    ['ANALYZE_WHAT_IF', MUG, 'US', essay, essay],
    ['ANALYZE_ASIN', essay],
  ];
  for (const [name, ...args] of calls) {
    const { error, value } = await world.show(name, ...args);
    const said = error?.message ?? String(value);
    expect(said.length).toBeLessThanOrEqual(1_000);
    // Any forty-one signs of it in a row would be found by looking at each.
    const tellsMore = Array.from({ length: said.length - 40 }, (_, at) => said.slice(at, at + 41));
    expect(tellsMore.filter((part) => essay.includes(part))).toEqual([]);
  }
});
