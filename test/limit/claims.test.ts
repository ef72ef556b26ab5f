// Claims: what one execution asks is left alone by the others, until its lease ends.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Claims, freeOf, withClaims, withoutClaims } from '../../src/limit/claims';

const NOW = 1_760_000_000_000;

describe('a claim', () => {
  const claims = withClaims({}, ['a', 'b'], 'one', NOW + 1_000, NOW);

  it('is held against others until its lease ends', () => {
    expect(freeOf(claims, ['a', 'c'], 'two', NOW)).toEqual({ free: ['c'], others: ['a'] });
    expect(freeOf(claims, ['a'], 'two', NOW + 999)).toEqual({ free: [], others: ['a'] });
    expect(freeOf(claims, ['a'], 'two', NOW + 1_000)).toEqual({ free: ['a'], others: [] });
  });

  it('is never held against its owner', () => {
    expect(freeOf(claims, ['a', 'b'], 'one', NOW)).toEqual({ free: ['a', 'b'], others: [] });
  });

  it('is given back by its owner alone', () => {
    expect(withoutClaims(claims, ['a'], 'one')).toEqual({ b: [NOW + 1_000, 'one'] });
    expect(withoutClaims(claims, ['a', 'b'], 'two')).toEqual(claims);
    expect(withoutClaims(claims, [], 'one')).toEqual(claims);
  });

  it('that has ended leaves the record when another is made', () => {
    const later = withClaims(claims, ['c'], 'two', NOW + 9_000, NOW + 1_000);
    expect(later).toEqual({ c: [NOW + 9_000, 'two'] });
  });

  it('on a name like any of an object holds like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    expect(freeOf({}, names, 'two', NOW)).toEqual({ free: names, others: [] });
    const odd = JSON.parse(JSON.stringify(withClaims({}, names, 'one', NOW + 1, NOW))) as Claims;
    expect(freeOf(odd, names, 'two', NOW)).toEqual({ free: [], others: names });
  });

  it('is held by at most one execution, whoever asks for what when', () => {
    const turn = fc.record({
      owner: fc.constantFrom('one', 'two', 'three'),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
      stepMs: fc.nat(800),
    });
    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        let shared: Claims = {};
        let nowMs = NOW;
        const asking = new Map<string, { owner: string; untilMs: number }>();
        for (const { owner, names, stepMs } of turns) {
          nowMs += stepMs;
          const { free, others } = freeOf(shared, names, owner, nowMs);
          expect([...free, ...others].sort()).toEqual([...names].sort());
          for (const name of free) {
            const other = asking.get(name);
            const taken = other !== undefined && other.owner !== owner && other.untilMs > nowMs;
            expect(taken).toBe(false);
            asking.set(name, { owner, untilMs: nowMs + 1_000 });
          }
          shared = withClaims(shared, free, owner, nowMs + 1_000, nowMs);
        }
      }),
    );
  });
});
