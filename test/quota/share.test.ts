// Heartbeats: documents find each other, whatever the cache between them loses or holds.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { beat, beatNames, goodbye, needsBeat, type Participant } from '../../src/quota/share-key';

const NOW = 1_760_000_000_000;
const NAMES = beatNames('f00d');
const me = (id: string, intervalMs = 200) => ({ id, fingerprint: 'f00d', intervalMs });

/** A beat on a cache that loses nothing: its record, and the cache afterwards. */
function beatOn(
  cache: Readonly<Record<string, string>>,
  record: Participant | null,
  id: string,
  nowMs: number,
  chance = 0,
) {
  const { write, ...rest } = beat(record, cache, me(id), nowMs, chance);
  return { ...rest, write, cache: { ...cache, [write.name]: write.value } };
}

describe('the names of heartbeats', () => {
  it('are sixteen, and fixed for a key', () => {
    expect(NAMES).toHaveLength(16);
    expect([NAMES[0], NAMES[15]]).toEqual(['h:f00d:0', 'h:f00d:15']);
  });
});

describe('a first beat', () => {
  it('that finds nobody starts at once', () => {
    const { record, write, firstSlotNotBeforeMs } = beatOn({}, null, 'anna', NOW, 0.999);
    expect(firstSlotNotBeforeMs).toBeUndefined();
    expect(record).toMatchObject({ id: 'anna', slot: 15, live: 1, rank: 0, joinedAtMs: NOW });
    expect(write.name).toBe('h:f00d:15');
    expect(write.value).toMatch(/^anna@1760000000000\+\d+$/);
  });

  it('that finds another waits until that one has looked and sent what it had booked', () => {
    // Anna promised to look within 6 s; then 2 s of bookings ahead and 0.6 s to settle.
    const cache = { [NAMES[3] ?? '']: `anna@${NOW - 1_000}+6000` };
    const { record, firstSlotNotBeforeMs } = beatOn(cache, null, 'bert', NOW);
    expect(record).toMatchObject({ live: 2, rank: 1, slot: 0 });
    expect(firstSlotNotBeforeMs).toBe(NOW - 1_000 + 6_000 + 2_000 + 600);
  });

  it('takes an empty slot while there is one, and else one of the emptiest', () => {
    const full = Object.fromEntries(NAMES.map((name, i) => [name, `doc${i}@${NOW}+4000`]));
    const { [NAMES[7] ?? '']: _, ...oneFree } = full;
    expect(beatOn(oneFree, null, 'zoe', NOW, 0.3).record.slot).toBe(7);
    const shared = beatOn(full, null, 'zoe', NOW, 0.5);
    expect(shared.record).toMatchObject({ slot: 8, live: 17 });
    expect(shared.cache[NAMES[8] ?? '']).toBe(`zoe@${NOW}+3000 doc8@${NOW}+4000`);
  });

  it.each([
    ['is over 12 s old', `anna@${NOW - 12_000}+4000`, 1],
    ['is just younger', `anna@${NOW - 11_999}+4000`, 2],
    ['comes from the future', `anna@${NOW + 2_001}+4000`, 1],
    ['comes from a clock a little ahead', `anna@${NOW + 2_000}+4000`, 2],
    ['says goodbye', `anna@${NOW}+0`, 1],
    ['promises more than anybody would', `anna@${NOW}+999999`, 1],
    ['has a strange name', `Ann'a@${NOW}+4000`, 1],
    ['is JSON of somebody else', '{"slot":3}', 1],
    ['is empty', '', 1],
    ['is damaged, beside one that is not', `@@+ anna@${NOW}+4000 bert@17`, 2],
  ])('counts as it should where a value %s', (_, value, live) => {
    expect(beatOn({ 'h:f00d:2': value }, null, 'zoe', NOW).record.live).toBe(live);
  });

  it('survives any value', () => {
    const values = fc.dictionary(fc.constantFrom(...NAMES), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (read, chance) => {
        const { record, write } = beat(null, read, me('anna'), NOW, chance);
        expect(record.live).toBe(1);
        expect(NAMES).toContain(write.name);
      }),
    );
  });
});

describe('the next beat', () => {
  const first = beatOn({}, null, 'anna', NOW);

  it('is due soon after the first, then ever more rarely', () => {
    let { record, cache } = first;
    const gapsMs: number[] = [];
    for (let i = 0; i < 6; i++) {
      gapsMs.push(record.nextBeatMs - record.beatAtMs);
      expect(needsBeat(record, record.nextBeatMs - 1)).toBe(false);
      expect(needsBeat(record, record.nextBeatMs)).toBe(true);
      ({ record, cache } = beatOn(cache, record, 'anna', record.nextBeatMs));
    }
    expect(gapsMs).toEqual([1_000, 1_000, 2_000, 4_000, 5_800, 5_800]);
  });

  it('is due at once where there is none, or where the clock went back', () => {
    expect(needsBeat(null, NOW)).toBe(true);
    expect(needsBeat(first.record, NOW - 2_000)).toBe(false);
    expect(needsBeat(first.record, NOW - 2_001)).toBe(true);
  });

  it('keeps the slot, and does not wait again', () => {
    const other = beatOn(first.cache, null, 'bert', NOW + 500);
    const second = beatOn(other.cache, first.record, 'anna', NOW + 1_000, 0.9);
    expect(second.record).toMatchObject({ slot: first.record.slot, live: 2, joinedAtMs: NOW });
    expect(second.firstSlotNotBeforeMs).toBeUndefined();
  });

  it('remembers somebody whose value the cache lost, until 12 s after the last beat', () => {
    const bert = beatOn(first.cache, null, 'bert', NOW + 500);
    let { record } = beatOn(bert.cache, first.record, 'anna', NOW + 1_000);
    const endMs = bert.record.liveUntilMs;
    for (let nowMs = NOW + 2_000; nowMs < endMs; nowMs += 1_000) {
      ({ record } = beatOn({}, record, 'anna', nowMs));
      expect(record.live).toBe(2);
      expect(record.nextBeatMs).toBeLessThanOrEqual(endMs);
    }
    expect(beatOn({}, record, 'anna', endMs).record.live).toBe(1);
  });

  it('forgets at once who said goodbye, though an older beat is still to be read', () => {
    const bert = beatOn(first.cache, null, 'bert', NOW + 500);
    const { record } = beatOn(bert.cache, first.record, 'anna', NOW + 1_000);
    const { name, value, ttlSeconds } = goodbye(bert.record, 'f00d', NOW + 1_500);
    const cache = { [name]: value, [NAMES[9] ?? '']: bert.write.value };
    expect(beatOn(cache, record, 'anna', NOW + 2_000).record.live).toBe(1);
    expect(NOW + 1_500 + ttlSeconds * 1_000).toBeGreaterThanOrEqual(bert.record.liveUntilMs);
  });

  it('after so long a pause that others forgot it is like a first one', () => {
    const others = { 'h:f00d:5': `bert@${NOW + 59_000}+4000` };
    const { record, firstSlotNotBeforeMs } = beatOn(others, first.record, 'new', NOW + 60_000);
    expect(record).toMatchObject({ id: 'anna', joinedAtMs: NOW + 60_000, live: 2 });
    expect(firstSlotNotBeforeMs).toBe(NOW + 63_000 + 2_600);
  });

  it('moves one of two that chose the same slot, and only one', () => {
    const anna = beatOn({}, null, 'anna', NOW);
    const bert = beatOn({}, null, 'bert', NOW + 10);
    expect(bert.write.name).toBe(anna.write.name);
    const annaStays = beatOn(bert.cache, anna.record, 'anna', NOW + 1_000, 0.5);
    const bertMoves = beatOn(annaStays.cache, bert.record, 'bert', NOW + 1_010, 0.5);
    expect(annaStays.record.slot).toBe(anna.record.slot);
    expect(bertMoves.record.slot).not.toBe(anna.record.slot);
    expect([annaStays.record.live, bertMoves.record.live]).toEqual([2, 2]);
  });

  it('is never further away than a call of a slow key in much company', () => {
    const read = Object.fromEntries(NAMES.map((name, i) => [name, `doc${i}@${NOW}+4000`]));
    const { record } = beat(null, read, me('zoe', 1_000), NOW, 0);
    const { record: later } = beat(record, read, me('zoe', 1_000), NOW + 8_000, 0);
    // 17 documents at one call a second: a call each 17 s, looked for after half of that.
    expect(later.nextBeatMs - later.beatAtMs).toBeLessThanOrEqual(8_500);
    expect(later.liveUntilMs - later.beatAtMs).toBeGreaterThanOrEqual(2 * 8_500);
  });
});

describe('any number of documents that beat in turn', () => {
  it('all know of each other after two rounds, and each has a rank of its own', () => {
    const chances = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(chances, (all) => {
        let cache: Readonly<Record<string, string>> = {};
        let records: readonly (Participant | null)[] = all.map(() => null);
        for (const round of [0, 1])
          records = all.map((chance, i) => {
            const beaten = beatOn(
              cache,
              records[i] ?? null,
              `doc${i}`,
              NOW + 2_000 * round,
              chance,
            );
            cache = beaten.cache;
            return beaten.record;
          });
        expect(records.map((record) => record?.live)).toEqual(all.map(() => all.length));
        expect(new Set(records.map((record) => record?.rank)).size).toBe(all.length);
        expect(Math.max(...Object.values(cache).map((value) => value.length))).toBeLessThan(400);
      }),
    );
  });
});
