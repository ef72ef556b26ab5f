// Which products of a list are due, and in what order. Pure.

import { describe, expect, it } from '@jest/globals';
import type { AnalysisRow } from '../../src/analysis/row-record';
import { type DueRule, dueProducts } from '../../src/schedules/due';
import { rowOf } from './rows';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

const RULE: DueRule = {
  rows: 'all',
  nowMs: NOW,
  sinceMs: NOW,
  maxAgeMs: 20 * HOUR,
  fetchedWith: 'key own',
};

/** A row of a list; its product is named by a letter. */
const listed = (row: number, letter: string, known: Partial<AnalysisRow> | null = null) => {
  const asin = `B00000000${letter}`;
  return {
    row,
    shown: asin,
    key: `${asin}|US`,
    content: {
      kind: 'product' as const,
      product: { asin, market: 'US' as const },
      repair: null,
    },
    tabRow: known === null ? undefined : rowOf(asin, known),
    isLeftOut: false,
  };
};

const ok = (hoursAgo: number) => ({ analyzedMs: NOW - hoursAgo * HOUR });
const failed = (status: string, minutesAgo: number) => ({
  status,
  analyzedMs: null,
  triedMs: NOW - minutesAgo * MINUTE,
});

const due = (rows: readonly ReturnType<typeof listed>[], more: Partial<DueRule> = {}) => {
  const { products, soon } = dueProducts(rows, { ...RULE, ...more });
  return { letters: products.map((product) => product.charAt(9)).join(''), soon };
};

describe('by age', () => {
  it('what was never analyzed comes first, then the stalest; what is young stays', () => {
    const rows = [listed(2, 'A', ok(21)), listed(3, 'B', ok(19)), listed(4, 'C', ok(50))];
    expect(due([...rows, listed(5, 'D')]).letters).toBe('DCA');
  });

  it('counts from when the occurrence began', () => {
    const rows = [listed(2, 'A', ok(21))];
    expect(due(rows, { sinceMs: NOW - 2 * HOUR }).letters).toBe('');
  });

  it('a product in several rows is as old as its oldest one, and due once', () => {
    const rows = [listed(2, 'A', ok(30)), listed(3, 'B', ok(40)), listed(4, 'A', ok(50))];
    expect(due(rows).letters).toBe('AB');
  });

  it('figures that came with another key are due, however young', () => {
    expect(due([listed(2, 'A', { ...ok(1), fetchedWith: 'key other' })]).letters).toBe('A');
  });

  it('a row that waits since a firing that was cut off is due', () => {
    const waiting = { status: 'Waiting', analyzedMs: null, triedMs: null, wantedMs: NOW - HOUR };
    expect(due([listed(2, 'A', waiting)]).letters).toBe('A');
  });

  it('a cell that holds no product never is', () => {
    const failure = { kind: 'bad-asin', input: 'x', why: 'barcode' } as const;
    const content = { kind: 'unreadable' as const, failure, market: 'US' as const };
    const rows = [{ ...listed(2, 'A'), content }];
    expect(dueProducts(rows, RULE)).toEqual({ products: [], soon: 0 });
  });
});

describe('what failed', () => {
  it('and may pass is tried again after half an hour, for a day', () => {
    const rows = [listed(2, 'A', failed('No answer', 30)), listed(3, 'B', failed('No answer', 29))];
    expect(due(rows)).toEqual({ letters: 'A', soon: 1 });
    expect(due(rows, { sinceMs: NOW - DAY })).toEqual({ letters: '', soon: 0 });
  });

  it('and lasts is left until it is as old as figures may be', () => {
    const rows = (minutes: number) => [listed(2, 'A', failed('Not found', minutes))];
    expect(due(rows(60))).toEqual({ letters: '', soon: 0 });
    expect(due(rows(21 * 60)).letters).toBe('A');
  });

  it('is all that is asked for where a schedule is for that alone', () => {
    const rows = [
      listed(2, 'A', ok(50)),
      listed(3, 'B', failed('Not found', 50 * 60)),
      listed(4, 'C'),
    ];
    expect(due(rows, { rows: 'failed' }).letters).toBe('B');
  });
});
