// The waiting list: what it keeps, in which order, that several cells may add to it at once, and that it
// always fits into cache values.

import { describe, expect, it } from '@jest/globals';
import { type WaitingList, waitingList } from '../../src/engine/waiting-list';
import type { Cache } from '../../src/google/platform';
import { productKey } from '../../src/product/asin';
import { memoryCache } from '../memory-store';

/** Every execution takes the first place that it finds empty. */
const first = { next: () => 0 };
const keyOf = (i: number) => `B0${String(i).padStart(8, '0')}|US`;
const keysFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => keyOf(from + i));

/** The list as it is read: what is wished for, and the numbers of the products. */
const shown = (list: WaitingList) =>
  list
    .read()
    .map(({ wish, products }) => [
      wish,
      products.map((one) => Number(productKey(one).slice(2, 10))),
    ]);

describe('the waiting list', () => {
  it('keeps each product once, in the order in which they came', () => {
    const list = waitingList(memoryCache(), 's1');
    list.add([keyOf(2), keyOf(1)], {}, first);
    list.add([keyOf(3), keyOf(2)], {}, first);
    expect(shown(list)).toEqual([[{}, [2, 1, 3]]]);
    list.remove([keyOf(1)], {});
    expect(shown(list)).toEqual([[{}, [2, 3]]]);
  });

  it('keeps what is wished for, and puts those first whose answers will do for the others', () => {
    const list = waitingList(memoryCache(), 's1');
    list.add([keyOf(1)], {}, first);
    list.add([keyOf(1), keyOf(2)], { tag: 'Monday' }, first);
    list.add([keyOf(3)], { notBeforeMs: 1_760_000_000_000 }, first);
    list.add([keyOf(4)], { tag: 'Monday' }, first);
    expect(shown(list)).toEqual([
      [{ tag: 'Monday' }, [1, 2, 4]],
      [{ notBeforeMs: 1_760_000_000_000 }, [3]],
      [{}, [1]],
    ]);
    list.remove([keyOf(1), keyOf(2), keyOf(4)], { tag: 'Monday' });
    expect(shown(list)).toEqual([
      [{ notBeforeMs: 1_760_000_000_000 }, [3]],
      [{}, [1]],
    ]);
  });

  it('of one connection says nothing about another', () => {
    const cache = memoryCache();
    waitingList(cache, 's1').add([keyOf(1)], {}, first);
    expect(waitingList(cache, 's2').read()).toEqual([]);
  });

  it('fits into cache values, however many wait for however much', () => {
    const cache = memoryCache();
    const list = waitingList(cache, 's1');
    list.add(keysFrom(0, 12_000), {}, first);
    expect(shown(list)).toEqual([[{}, Array.from({ length: 12_000 }, (_, i) => i)]]);
    for (let i = 0; i < 200; i++) list.add([keyOf(i)], { tag: `${i} ${'é'.repeat(57)}` }, first);
    expect(list.read().length).toBeGreaterThan(90);
    list.remove(keysFrom(0, 11_900), {});
    expect(shown(list).at(-1)).toEqual([{}, Array.from({ length: 100 }, (_, i) => 11_900 + i)]);
  });

  it('loses nothing where another cell takes the same place at the same moment', () => {
    const elsewhere = memoryCache();
    waitingList(elsewhere, 's1').add([keyOf(2)], {}, first);
    const cache = memoryCache();
    let isFirst = true;
    /** The other cell has seen the place empty, and writes right after this one. */
    const crossed: Cache = {
      ...cache,
      putAll(values, ttlSeconds) {
        const written = cache.putAll(values, ttlSeconds);
        if (isFirst) for (const [name, text] of elsewhere.values) cache.values.set(name, text);
        isFirst = false;
        return written;
      },
    };
    waitingList(crossed, 's1').add([keyOf(1)], {}, first);
    expect(shown(waitingList(cache, 's1'))).toEqual([[{}, [2, 1]]]);
  });

  it.each(['x', 'null', '{}', '[1]', '[null]', '["B000000000|US"]', '[{"wish":{}}]'])(
    'as %s counts as empty',
    (text) => {
      const cache = memoryCache();
      cache.values.set('w0', text);
      expect(waitingList(cache, 's1').read()).toEqual([]);
    },
  );
});
