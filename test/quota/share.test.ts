// Heartbeats: documents find each other, whatever the cache between them loses or holds.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { HORIZON_MS, idleState, type Pace } from '../../src/quota/rate';
import {
  beat,
  beatNames,
  goodbye,
  inTurn,
  joining,
  needsBeat,
  type Participant,
  sharedPace,
} from '../../src/quota/share-key';

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
    ['promises ten minutes, which is the most', `anna@${NOW}+600000`, 2],
    ['promises a little more than that', `anna@${NOW}+600001`, 1],
    ['is of a slow key, and twice its promise old', `anna@${NOW - 20_000}+10000`, 1],
    ['is of a slow key, and just younger', `anna@${NOW - 19_999}+10000`, 2],
    ['comes behind something that only begins so', `anna@${NOW}+4000x`, 1],
    ['comes within a word', `x-anna@${NOW}+4000`, 1],
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

describe('of two beats of one document', () => {
  const [before, now] = [`anna@${NOW - 1_000}+`, `anna@${NOW}+`];
  const liveWith = (one: string, other: string) =>
    [
      { 'h:f00d:2': one, 'h:f00d:9': other },
      { 'h:f00d:2': other, 'h:f00d:9': one },
    ].map((read) => beatOn(read, null, 'zoe', NOW).record.live);

  it.each([
    ['a goodbye behind a beat', `${before}4000`, `${now}0`, 1],
    ['a beat behind a goodbye', `${before}0`, `${now}4000`, 2],
    ['a goodbye in the same moment', `${now}4000`, `${now}0`, 1],
  ])('the last one counts, whichever is read first: %s', (_how, one, other, live) => {
    expect(liveWith(one, other)).toEqual([live, live]);
  });
});

describe('what a beat leaves behind', () => {
  it('lasts as long as the others count its document, and no longer', () => {
    const { record, write } = beatOn({}, null, 'anna', NOW);
    // It looks again within 1.2 s, and is given up 8 s after that.
    expect(write.value).toBe(`anna@${NOW}+1200`);
    expect(record.liveUntilMs).toBe(NOW + 9_200);
    expect(write.ttlSeconds).toBe(10);
  });

  it('is at most eight beats, its own among them', () => {
    const crowd = Array.from({ length: 9 }, (_, at) => `doc${at}@${NOW}+4000`).join(' ');
    const read = Object.fromEntries(NAMES.map((name) => [name, crowd]));
    const { write } = beat(null, read, me('zoe'), NOW, 0);
    expect(write.value.split(' ')).toHaveLength(8);
    expect(write.value).toContain(`zoe@${NOW}+`);
  });

  it('says goodbye for so long as others would count it, a second at least', () => {
    const { record } = beatOn({}, null, 'anna', NOW);
    expect(goodbye(record, 'f00d', NOW + 1_000)).toEqual({
      ...{ name: 'h:f00d:0', value: `anna@${NOW + 1_000}+0`, ttlSeconds: 9 },
    });
    expect(goodbye(record, 'f00d', NOW + 60_000).ttlSeconds).toBe(1);
  });
});

describe('when a document looks again', () => {
  const OTHER = { 'h:f00d:5': `bert@${NOW + 60_000}+4000` };
  /** A minute after it came, so that it is in no hurry. */
  const settled = (intervalMs: number, read = {}) => {
    const first = beat(null, {}, me('anna', intervalMs), NOW, 0).record;
    const known = { ...first, liveUntilMs: NOW + 120_000 };
    const { record, write } = beat(known, read, me('anna', intervalMs), NOW + 60_000, 0);
    const [, promiseMs] = write.value.split(/[+ ]/);
    return [record.nextBeatMs - record.beatAtMs, Number(promiseMs)];
  };

  it.each([
    ['a fast key', 200, 5_800, 6_000],
    ['ten calls of a slower one', 800, 7_200, 8_000],
    ['10 s of a slow one', 3_000, 7_000, 10_000],
    ['half of the time to its next call', 40_000, 20_000, 40_000],
    ['as long again as it has been there, and five minutes later', 2_000_000, 60_000, 360_000],
  ])('alone: %s', (_of, intervalMs, lookMs, promiseMs) => {
    expect(settled(intervalMs)).toEqual([lookMs, promiseMs]);
  });

  it.each([
    ['4 s less its turn', 200, 3_600, 4_000],
    ['half of 4 s', 1_500, 2_000, 4_000],
    ['half of its turn', 5_000, 5_000, 10_000],
  ])('in company: %s', (_of, intervalMs, lookMs, promiseMs) => {
    expect(settled(intervalMs, OTHER)).toEqual([lookMs, promiseMs]);
  });

  it('is no later than the moment at which it gives up another', () => {
    const read = { 'h:f00d:5': `bert@${NOW - 11_000}+4000` };
    const { record } = beat(null, read, me('anna', 5_000), NOW, 0);
    expect(record).toMatchObject({ live: 2, nextBeatMs: NOW + 1_000 });
  });
});

describe('a document that comes back', () => {
  const known = beatOn({}, null, 'anna', NOW).record;
  const at = (nowMs: number) => beatOn({}, known, 'anna', nowMs).record.joinedAtMs;

  it('is still the one that others count until shortly before they give it up', () => {
    expect(at(known.liveUntilMs - 601)).toBe(NOW);
    expect(at(known.liveUntilMs - 600)).toBe(known.liveUntilMs - 600);
  });

  it('joins anew where its clock went back', () => {
    expect(at(NOW - 2_000)).toBe(NOW);
    expect(at(NOW - 2_001)).toBe(NOW - 2_001);
  });

  it('keeps its slot beside one that comes before it, where none is empty', () => {
    const read = Object.fromEntries(NAMES.map((name, at) => [name, `aa${at}@${NOW}+4000`]));
    expect(beatOn(read, known, 'anna', NOW + 1_000, 0.9).record.slot).toBe(known.slot);
  });

  it('waits for nobody who has looked long ago', () => {
    const read = { 'h:f00d:5': `bert@${NOW - 11_000}+4000` };
    expect(beatOn(read, null, 'zoe', NOW).firstSlotNotBeforeMs).toBe(NOW + HORIZON_MS + 600);
  });
});

describe('a part of a pace', () => {
  const PACE: Pace = { intervalMs: 200, burst: 10 };

  it('is all of it for who is alone', () => {
    expect(sharedPace(PACE, 1)).toBe(PACE);
    expect(sharedPace(PACE, 0)).toBe(PACE);
  });

  it.each([
    ['two share what is left of the burst without a reserve of two', PACE, 2, 404, 4],
    ['three', PACE, 3, 606, 2],
    ['more than the burst has calls: one by one', PACE, 12, 2_424, 1],
    ['whole waves have no part: one by one', { ...PACE, isWhole: true }, 2, 404, 1],
  ] as const)('%s', (_how, pace, live, intervalMs, burst) => {
    const share = sharedPace(pace, live);
    expect(share.intervalMs).toBeCloseTo(intervalMs);
    expect(share).toEqual({ intervalMs: share.intervalMs, burst });
  });

  it('begins empty, and not before the others know of it', () => {
    const stop = { reason: 'throttled', untilMs: NOW + 500 } as const;
    const share = sharedPace(PACE, 2);
    const state = joining({ ...idleState(NOW), stop }, share, NOW + 3_000);
    expect(state).toEqual({ stop, tatMs: NOW + 3_000 + 3 * share.intervalMs });
    expect(joining(idleState(NOW + 9_000), share, NOW)).toEqual({ tatMs: NOW + 9_000 });
  });
});

describe('turns by the clock', () => {
  const PACE: Pace = { intervalMs: 200, burst: 10 };
  const turn = (rank: number, live: number, tatMs = NOW, pace = PACE) =>
    inTurn(idleState(tatMs), { live, rank }, pace, NOW).tatMs;

  it('are not taken by one alone, nor by as many as may call at once', () => {
    const state = idleState(NOW);
    expect(inTurn(state, { live: 1, rank: 0 }, { ...PACE, burst: 1 }, NOW)).toBe(state);
    expect(inTurn(state, { live: 8, rank: 3 }, PACE, NOW)).toBe(state);
    expect(inTurn(state, { live: 9, rank: 3 }, PACE, NOW)).not.toBe(state);
    expect(inTurn(state, { live: 2, rank: 1 }, { ...PACE, isWhole: true }, NOW)).not.toBe(state);
  });

  it('come one after the other, as far apart as calls are, and none is over already', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 9, max: 40 }),
        fc.integer({ min: 0, max: 9_000 }),
        (live, tat) => {
          const { intervalMs: roundMs } = sharedPace(PACE, live);
          const earliestMs = NOW + Math.max(150, tat);
          const all = Array.from({ length: live }, (_, rank) => turn(rank, live, NOW + tat));
          for (const tatMs of all) {
            expect(tatMs).toBeGreaterThan(earliestMs - 1);
            expect(tatMs).toBeLessThanOrEqual(earliestMs + roundMs);
          }
          const apart = [...all]
            .sort((a, b) => a - b)
            .map((one, at, us) => one - (us[at - 1] ?? one));
          for (const ms of apart.slice(1)) expect(ms).toBeCloseTo(roundMs / live, 0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are the next ones for who has just had one, to the fraction', () => {
    const { intervalMs: roundMs } = sharedPace(PACE, 9);
    const first = turn(4, 9);
    expect(turn(4, 9, first + roundMs)).toBeCloseTo(first + roundMs, 1);
    expect(turn(4, 9, first + roundMs + 0.4)).toBeCloseTo(first + roundMs, 1);
    expect(turn(4, 9, first + roundMs + 1)).toBeCloseTo(first + 2 * roundMs, 1);
  });

  it('keep the rest of the state', () => {
    const stop = { reason: 'throttled', untilMs: NOW + 500 } as const;
    const state = inTurn({ ...idleState(NOW), stop }, { live: 9, rank: 0 }, PACE, NOW);
    expect(state.stop).toBe(stop);
  });
});
