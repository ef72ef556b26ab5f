// Sightings ride along with the reads and writes of other things, and are counted over executions.

import { describe, expect, it } from '@jest/globals';
import type { Told } from '../../src/service/calibration';
import { readSightings, sightingLog } from '../../src/service/observations';
import { memoryCache } from '../memory-store';

const PERCENT: Told = { setting: 'roiUnit', value: 'percent', why: 'ROI came as 85.65.' };

describe('sightings', () => {
  it('cost no call of the cache', () => {
    const cache = memoryCache();
    const log = sightingLog(cache, 'scope');
    log.cache.getAll(['a']);
    log.note('B0XKT7M4QN', [PERCENT]);
    log.cache.putAll({ a: '1' }, 60);
    expect(cache.calls()).toBe(2);
    expect(cache.values.get('a')).toBe('1');
    expect(readSightings(cache, 'scope')).toEqual([{ ...PERCENT, count: 1, asin: 'B0XKT7M4QN' }]);
  });

  it('are counted from one execution to the next, with the first product that showed them', () => {
    const cache = memoryCache();
    for (const asin of ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV']) {
      const log = sightingLog(cache, 'scope');
      log.cache.getAll(['a']);
      log.note(asin, [PERCENT]);
      log.cache.putAll({ a: '1' }, 60);
    }
    expect(readSightings(cache, 'scope')).toEqual([{ ...PERCENT, count: 3, asin: 'B0XKT7M4QN' }]);
    expect(readSightings(cache, 'another')).toEqual([]);
  });

  it('write nothing where nothing was seen, and are few however much is seen', () => {
    const cache = memoryCache();
    const log = sightingLog(cache, 'scope');
    log.cache.getAll(['a']);
    log.note('B0XKT7M4QN', []);
    log.cache.putAll({ a: '1' }, 60);
    expect([...cache.values.keys()]).toEqual(['a']);
    log.note(
      'B0XKT7M4QN',
      Array.from({ length: 50 }, (_, i) => ({ ...PERCENT, value: `v${i}` })),
    );
    log.cache.putAll({ a: '2' }, 60);
    expect(readSightings(cache, 'scope')).toHaveLength(12);
  });

  it.each(['', 'null', '{"a":1}', '[['])('that are damaged count as none (%j)', (text) => {
    const cache = memoryCache();
    cache.putAll({ 's:scope': text }, 60);
    expect(readSightings(cache, 'scope')).toEqual([]);
  });
});
