// The waiting list: what it keeps, in which order, and that it always fits into one cache value.

import { describe, expect, it } from '@jest/globals';
import { type WaitingList, waitingList } from '../../src/engine/waiting-list';
import type { Lock } from '../../src/platform/ports';
import { productKey } from '../../src/product/asin';
import { memoryCache } from '../memory-store';

const lock: Lock = { run: (_waitMs, body) => ({ held: true, value: body() }) };
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
    const list = waitingList(memoryCache(), lock, 's1');
    list.add([keyOf(2), keyOf(1)], {});
    list.add([keyOf(3), keyOf(2)], {});
    expect(shown(list)).toEqual([[{}, [2, 1, 3]]]);
    list.remove([keyOf(1)], {});
    expect(shown(list)).toEqual([[{}, [2, 3]]]);
  });

  it('keeps what is wished for, and puts those first whose answers will do for the others', () => {
    const list = waitingList(memoryCache(), lock, 's1');
    list.add([keyOf(1)], {});
    list.add([keyOf(1), keyOf(2)], { tag: 'Monday' });
    list.add([keyOf(3)], { notBeforeMs: 1_760_000_000_000 });
    list.add([keyOf(4)], { tag: 'Monday' });
    expect(shown(list)).toEqual([
      [{ notBeforeMs: 1_760_000_000_000 }, [3]],
      [{ tag: 'Monday' }, [1, 2, 4]],
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
    waitingList(cache, lock, 's1').add([keyOf(1)], {});
    expect(waitingList(cache, lock, 's2').read()).toEqual([]);
  });

  it('fits into one cache value, however many wait for however much', () => {
    const cache = memoryCache();
    const list = waitingList(cache, lock, 's1');
    list.add(keysFrom(0, 20_000), {});
    for (let i = 0; i < 40; i++) list.add([keyOf(i)], { tag: `${i} ${'é'.repeat(57)}` });
    expect(list.read()).toHaveLength(1);
    list.remove(keysFrom(0, 4_900), {});
    for (let i = 0; i < 40; i++) list.add([keyOf(i)], { tag: `${i} ${'é'.repeat(57)}` });
    expect(list.read()).toHaveLength(30);
    expect(shown(list).at(-1)).toEqual([{}, Array.from({ length: 100 }, (_, i) => 4_900 + i)]);
  });

  it.each(['x', 'null', '{}', '[1]', '[null]', '["B000000000|US"]', '[{"wish":{}}]'])(
    'as %s counts as empty',
    (text) => {
      const cache = memoryCache();
      cache.values.set('w:s1', text);
      expect(waitingList(cache, lock, 's1').read()).toEqual([]);
    },
  );
});
