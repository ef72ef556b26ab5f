// What is kept of runs: the digest, in the sidebar and by mail, and the history.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Lock } from '../../src/platform/ports';
import { type DigestBook, type DigestEntry, digestOf, withRun } from '../../src/schedules/digest';
import type { ScheduleRun } from '../../src/schedules/schedule';
import { runHistory } from '../../src/schedules/schedule-store';
import { memoryStore } from '../memory-store';
import { ANN, type ChangesWorld, createChangesWorld } from './changes-world';

const HOUR = 3_600_000;

// A digest adds up what ran since somebody looked last, however long they were away.
describe('a digest', () => {
  const run = (atMs: number, more: Partial<DigestEntry> = {}): DigestEntry => ({
    ...{ atMs, runs: 1, refreshed: 10, failed: 1, calls: 9, changes: 3, marked: {} },
    ...more,
  });

  const bookOf = (...runs: readonly DigestEntry[]) =>
    runs.reduce<DigestBook>((book, entry) => withRun(book, entry), []);

  it('is nothing where nothing ran since', () => {
    expect(digestOf([], 0)).toBeNull();
    expect(digestOf(bookOf(run(5), run(9)), 9)).toBeNull();
  });

  it('adds up runs since then, and what was marked, most rows first', () => {
    const book = bookOf(
      run(5, { marked: { 'Fees doubled': 50 } }),
      run(7, { marked: { 'No longer eligible': 1, 'Fees doubled': 1 } }),
      run(9, { marked: { 'No longer eligible': 2 } }),
    );
    expect(digestOf(book, 5)).toEqual({
      ...{ atMs: 9, sinceMs: 5, runs: 2, refreshed: 20, failed: 2, calls: 18, changes: 6 },
      marked: [
        { words: 'No longer eligible', count: 3, rule: 'No longer eligible' },
        { words: 'Fees doubled', count: 1, rule: 'Fees doubled' },
      ],
    });
  });

  it('begins with the first run for who never put one away', () => {
    expect(digestOf(bookOf(run(5), run(9)), 0)).toMatchObject({ sinceMs: 5, runs: 2 });
  });

  it('has the latest problem', () => {
    const book = bookOf(
      run(1, { problem: { kind: 'unreachable' } }),
      run(2, { problem: { kind: 'timed-out' } }),
      run(3),
    );
    expect(digestOf(book, 0)?.problem).toEqual({ kind: 'timed-out' });
    expect(digestOf(book, 2)).not.toHaveProperty('problem');
  });

  it('loses no run of an hourly schedule in two months, and fits into a property', () => {
    const words = Array.from({ length: 8 }, (_, at) => `Sell price rose over ${at} · é`);
    const marked = Object.fromEntries(words.map((one) => [one, 1_000]));
    const problem = { kind: 'run', why: 'log-protected', what: 'ü'.repeat(80) } as const;
    const hours = Array.from({ length: 1_440 }, (_, at) => run(at * HOUR + 1, { marked, problem }));
    const book = bookOf(...hours);
    expect(Buffer.byteLength(JSON.stringify(book))).toBeLessThan(9 * 1_024);
    expect(digestOf(book, 0)).toMatchObject({ runs: 1_440, refreshed: 14_400, changes: 4_320 });
    expect(digestOf(book, 1_439 * HOUR)).toMatchObject({ runs: 1, refreshed: 10 });
  });
});

// The digest by mail and in the sidebar: who is told what, how often, and what never goes out.
describe('a digest that is told', () => {
  const DAY = 24 * HOUR;

  const OTHER = { documentId: 'sheet-2' };

  let world: ChangesWorld;

  let start: number | undefined;

  beforeEach(async () => {
    start = undefined;
    world = await createChangesWorld();
  });

  afterEach(() => world.stop());

  const sent = () => world.host.stores.mail.sent();

  function entry(more: Partial<DigestEntry> = {}): DigestEntry {
    const sums = { runs: 1, refreshed: 40, failed: 0, calls: 38, changes: 5 };
    return { atMs: world.host.nowMs(), ...sums, marked: {}, ...more };
  }

  const MARKED = { marked: { 'No longer eligible': 3 } };

  /** A run at this hour of the day that so many days lie before. */
  async function ranAt(day: number, hour: number, more: Partial<DigestEntry>, by = {}) {
    const firstMs = world.host.nowMs() - (world.host.nowMs() % DAY);
    start ??= firstMs + DAY;
    await world.host.run(start + day * DAY + hour * HOUR);
    await world.call('ran', [entry(more)], by);
  }

  describe('the mail', () => {
    it('tells in plain text what was marked, to the person whose clock it is', async () => {
      await ranAt(0, 6, MARKED, { userEmail: ANN });
      expect(sent()).toHaveLength(1);
      const { to, from, subject, body } = sent()[0] ?? { body: '' };
      expect([to, from]).toEqual([ANN, ANN]);
      expect(subject).toBe('Product Analysis: 3 products marked in "Products"');
      expect(body).toContain('No longer eligible: 3\n');
      expect(body).toContain('40 rows refreshed, 38 calls, 5 lines in the change log.');
      expect(body).toContain('https://docs.google.com/spreadsheets/d/sheet-1/edit');
      expect(body).not.toContain('wrong');
    });

    it('tells what went wrong with the one thing to do', async () => {
      await ranAt(0, 6, { problem: { kind: 'key-refused' } });
      const { subject, body } = sent()[0] ?? { body: '' };
      expect(subject).toBe('Product Analysis: a schedule did not run in "Products"');
      expect(body).toContain('Latest problem: The service refused the key. Check it under');
    });

    it('points at the sidebar for what only its page has words for', async () => {
      const problem = { kind: 'schedule', why: 'column-gone', what: 'Profit' } as const;
      await ranAt(0, 6, { problem });
      const { body } = sent()[0] ?? { body: '' };
      expect(body).toContain('The Schedule page of the sidebar says why.');
      expect(body).not.toContain('column-gone');
    });

    it('does not go out where nothing was marked and nothing went wrong', async () => {
      await ranAt(0, 6, { changes: 50, failed: 2 });
      expect(sent()).toEqual([]);
    });

    it('goes out once a day, with all that happened since the last', async () => {
      await ranAt(0, 6, MARKED);
      await ranAt(0, 7, MARKED);
      await ranAt(0, 23, { marked: { 'Fees doubled': 1 } });
      expect(sent()).toHaveLength(1);
      await ranAt(1, 5, {});
      expect(sent()).toHaveLength(2);
      expect(sent()[1]?.body).toContain('No longer eligible: 3\nFees doubled: 1\n');
      await ranAt(2, 5, {});
      expect(sent()).toHaveLength(2);
    });

    it('says nothing of what the person has put away', async () => {
      await ranAt(0, 6, MARKED);
      await ranAt(0, 8, MARKED);
      await world.call('putAway', [world.host.nowMs()]);
      await ranAt(1, 6, {});
      expect(sent()).toHaveLength(1);
    });

    it('is one a day for all spreadsheets of a person, who take turns', async () => {
      for (const day of [0, 1, 2, 3]) {
        await ranAt(day, 6, MARKED);
        await ranAt(day, 7, MARKED, OTHER);
      }
      const about = sent().map(({ subject }) => /in "(\w+)/.exec(subject)?.[1]);
      expect(about).toEqual(['Products', 'Other', 'Products', 'Other']);
      expect(sent().every(({ subject }) => !subject.includes('\n'))).toBe(true);
    });

    it('is not held up by a spreadsheet that waited and has nothing to tell any more', async () => {
      await ranAt(0, 6, MARKED);
      await ranAt(0, 7, MARKED, OTHER);
      await ranAt(1, 6, MARKED);
      await ranAt(2, 6, MARKED);
      expect(sent().map(({ subject }) => subject.includes('Other'))).toEqual([false, false]);
    });

    it('that Google does not take is sent with the next run, and nothing is lost', async () => {
      await world.stop();
      world = await createChangesWorld({ mailRecipientsPerDay: 1 });
      await ranAt(0, 6, MARKED);
      // Google's day is 24 hours from the first mail.
      await ranAt(1, 5, MARKED);
      expect(sent()).toHaveLength(1);
      await ranAt(1, 7, {});
      expect(sent()).toHaveLength(2);
      expect(sent()[1]?.body).toContain('No longer eligible: 3');
    });
  });

  describe('the digest of a person', () => {
    it('is there until they put it away, whatever others do', async () => {
      await ranAt(0, 6, MARKED);
      const look = (userEmail?: string) =>
        world.call('look', [], userEmail === undefined ? {} : { userEmail });
      expect(await look()).toMatchObject({ runs: 1, marked: [{ words: 'No longer eligible' }] });
      await world.call('putAway', [world.host.nowMs()]);
      expect(await look()).toBeNull();
      expect(await look(ANN)).toMatchObject({ runs: 1 });
      await ranAt(0, 7, {});
      expect(await look()).toMatchObject({ runs: 1, marked: [] });
      expect(await look(ANN)).toMatchObject({ runs: 2 });
    });

    it('leads to the rows, below a header wherever it is', async () => {
      const other = world.grid.addSheet('Second', 2);
      world.grid.write(other, 3, 1, [
        ['ASIN', 'What changed'],
        ['A', 'No longer eligible · 21 Nov 06:04'],
        ['B', 'Fees doubled · 21 Nov 06:04'],
        ['C', 'No longer eligible; Fees doubled · 21 Nov 07:04'],
        ['D', 'No longer eligible · 20 Nov 06:04'],
      ]);
      await world.host.run(Date.UTC(2026, 10, 22));
      const since = Date.UTC(2026, 10, 21);
      expect(await world.call('show', [[0, other, 99], 'No longer eligible', since])).toBe(2);
      expect(await world.call('show', [[0, other, 99], 'Rank drops doubled', since])).toBe(0);
    });
  });
});

// The history of a schedule's runs: how many of them are kept, and that they fit into a property.
describe('the history of runs', () => {
  const lock: Lock = { run: (_waitMs, body) => ({ held: true, value: body() }) };

  const runAt = (startedMs: number, more: Partial<ScheduleRun> = {}): ScheduleRun => ({
    ...{ startedMs, tookMs: 0, name: 'Every hour', outcome: 'done', refreshed: 1, failed: 0 },
    ...{ calls: 1, changes: 0, byHand: false },
    ...more,
  });

  const historyOf = () => runHistory({ documentStore: memoryStore(), lock }, 'home');

  it('has the thirty newest, the newest first', () => {
    const history = historyOf();
    for (let at = 0; at < 50; at++) history.add(runAt(at));
    const started = history.read().map(({ startedMs }) => startedMs);
    expect(started).toEqual(Array.from({ length: 30 }, (_, at) => 49 - at));
  });

  it('has fewer where each has a long problem, and the newest all the same', () => {
    const history = historyOf();
    const problem = { kind: 'schedule', why: 'column-gone', what: '界'.repeat(200) } as const;
    for (let at = 0; at < 50; at++) history.add(runAt(at, { outcome: 'failed', problem }));
    const kept = history.read();
    expect(kept.length).toBeGreaterThan(5);
    expect(kept[0]).toMatchObject({ startedMs: 49, problem });
  });
});
