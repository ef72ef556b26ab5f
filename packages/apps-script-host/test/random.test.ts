// The playground's seeded randomness: the same twice, and spread as promised.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createRandom, seedFrom } from '../src/random';

describe('a seeded stream', () => {
  it('gives the same numbers for the same seed', () => {
    const first = createRandom(42);
    const second = createRandom(42);
    const draws = Array.from({ length: 50 }, () => [first.next(), second.next()]);
    expect(draws.every(([a, b]) => a === b)).toBe(true);
  });

  it('gives other numbers for another seed', () => {
    expect(createRandom(1).next()).not.toBe(createRandom(2).next());
  });

  it('keeps to the bounds that are asked for', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: -50, max: 50 }),
        fc.nat(50),
        (seed, low, width) => {
          const random = createRandom(seed);
          const whole = random.integer(low, low + width);
          const real = random.between(low, low + width + 1);
          expect(Number.isInteger(whole) && whole >= low && whole <= low + width).toBe(true);
          expect(real >= low && real < low + width + 1).toBe(true);
        },
      ),
    );
  });

  it('has half of its log-normal values below the median', () => {
    const random = createRandom(7);
    const values = Array.from({ length: 4000 }, () => random.logNormal(250, 0.35));
    const below = values.filter((value) => value < 250).length;
    // Three standard deviations of a fair coin tossed 4,000 times are 95.
    expect(Math.abs(below - 2000)).toBeLessThan(95);
  });

  it('has equal log-normal values when nothing spreads them', () => {
    expect(createRandom(7).logNormal(250, 0)).toBe(250);
  });

  it('picks every item sooner or later, and refuses an empty list', () => {
    const random = createRandom(3);
    const picked = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
    expect([...picked].sort()).toEqual(['a', 'b', 'c']);
    expect(() => random.pick([])).toThrow('empty list');
  });
});

describe('a seed made of parts', () => {
  it('depends on where one part ends and the next begins', () => {
    expect(seedFrom('ab', 'c')).not.toBe(seedFrom('a', 'bc'));
    expect(seedFrom(1, 'US')).toBe(seedFrom(1, 'US'));
  });
});
