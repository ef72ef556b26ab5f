// Which rows a firing takes: by age, by mark, by what stands beside them, and by how many calls there are.

import { describe, expect, it } from '@jest/globals';
import { fail } from '../../src/failures/failure';
import type { SheetCell } from '../../src/platform/ports';
import { type Analysis, answered, unanswered } from '../../src/product/analysis';
import type { Listed } from '../../src/runs/preflight';
import { duePicker } from '../../src/schedules/due-rows';
import { type ListTask, newSchedule, type Schedule } from '../../src/schedules/schedule';
import { type Row, readRow } from '../../src/table/row';
import { failedText, okText, queuedText } from '../../src/table/status';
import { asin, createWorld, NOW } from '../engine/asking-world';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_AGE_HOURS = 20;
/** What is older is due. */
const DUE_MS = NOW - MAX_AGE_HOURS * HOUR_MS;

const productOf = (row: number) => ({ asin: asin(row), market: 'US' as const });
const keyOf = (row: number) => `${asin(row)}|US`;
const NOT_FOUND = fail({ kind: 'not-found' });
const TIMED_OUT = fail({ kind: 'timed-out' });

interface RowTold {
  readonly product?: SheetCell;
  readonly status?: string;
  readonly atMs?: number;
  readonly formula?: string;
}

const cellsOf = (row: number, { product = asin(row), status, atMs, formula }: RowTold) => ({
  product,
  market: undefined,
  status,
  statusFormula: formula,
  at: atMs === undefined ? undefined : (new Date(atMs) as SheetCell),
});

const rowOf = (row: number, told: RowTold = {}): Row =>
  readRow(row, cellsOf(row, told), { kind: 'one', market: 'US' });

/** A row with figures of its own that were fetched then. */
const fetched = (row: number, atMs: number) => rowOf(row, { status: okText(productOf(row)), atMs });
const failed = (row: number, failure: typeof NOT_FOUND | typeof TIMED_OUT, triedMs: number) =>
  rowOf(row, { status: failedText(failure, productOf(row), triedMs) });

interface Told {
  readonly task?: Partial<ListTask>;
  readonly schedule?: Partial<Schedule>;
  readonly callsPerHour?: number | null;
  readonly untilMs?: number;
  readonly quota?: { calls: number; perSeconds: number; burst: number } | null;
  readonly roiUnit?: 'fraction' | 'percent';
  /** By title, what stands below it from row 2 on; the first column is that of the products. */
  readonly beside?: Readonly<Record<string, readonly SheetCell[]>>;
  readonly statusTitle?: string;
  readonly shownNow?: readonly SheetCell[];
  readonly known?: readonly (readonly [row: number, atMs: number])[];
  readonly cached?: readonly number[];
  readonly cachedFailures?: Readonly<Record<number, typeof NOT_FOUND | typeof TIMED_OUT>>;
}

const analysisAt = (fetchedAtMs: number): Analysis => ({
  figures: {
    ...{ profit: 1, roi: null, fees: null, eligible: null },
    ...{ rank_drops_30d: null, buy_price: null, sell_price: null },
  },
  extras: [],
  fetchedAtMs,
});

/** What a firing takes of these rows. */
function firing(rows: readonly Row[], told: Told = {}) {
  const { task = {}, beside = {}, untilMs = NOW + 300_000, cached = [] } = told;
  const { callsPerHour = null, quota = { calls: 5, perSeconds: 1, burst: 10 } } = told;
  const world = createWorld({ quota });
  const { connection, ...rest } = world.engine();
  const settings = told.roiUnit === undefined ? {} : { roiUnit: told.roiUnit };
  const engine = { ...rest, connection: { ...connection, settings } };
  const failures = Object.entries(told.cachedFailures ?? {});
  engine.cache.keep(
    new Map([
      ...cached.map((row) => [keyOf(row), answered(analysisAt(NOW))] as const),
      ...failures.map(([row, one]) => [keyOf(Number(row)), unanswered(one)] as const),
    ]),
    {},
    NOW,
  );
  const list: ListTask = {
    ...{ kind: 'list', sheetId: 0, headerRow: 1, productColumn: 1, fields: ['profit'] },
    ...{ market: { kind: 'one', market: 'US' }, rows: 'all', order: 'stalest' },
    ...task,
  };
  const schedule = {
    ...newSchedule(
      's1',
      'me',
      {
        ...{ task: list, recurrence: { kind: 'hourly' }, maxAgeHours: MAX_AGE_HOURS },
        ...{ callsPerHour, quiet: null, rules: [] },
      },
      NOW,
    ),
    ...told.schedule,
  };
  const titles = ['ASIN', ...Object.keys(beside)];
  const lastRow = Math.max(1, ...rows.map(({ row }) => row));
  const shown = new Map(rows.map(({ row, shown: text }) => [row, text]));
  const columns = [told.shownNow, ...Object.values(beside)];
  const reads: number[] = [];
  const sheet = {
    values({ row, column, rowCount }: { row: number; column: number; rowCount: number }) {
      reads.push(column);
      return Array.from({ length: rowCount }, (_, down) => {
        const there = columns[column - 1]?.[row + down - 2];
        return [there ?? (column === 1 ? (shown.get(row + down) ?? '') : '')];
      });
    },
  } as unknown as Listed['sheet'];
  const title = told.statusTitle ?? 'Analysis status';
  const listed: Listed = {
    ...{ sheet, headerRow: 1, productColumn: 1, titles, lastRow },
    columns: [{ key: 'status', column: 9, title }],
  };
  const picker = duePicker(engine, schedule, list, untilMs);
  const picked = picker.pick(rows, listed).map(({ row }) => row);
  return { picked, ...picker.counts(), picker, reads, known: [...picker.known().keys()] };
}

describe('by age', () => {
  it('takes what nobody has analyzed, then the stalest, and leaves what is young', () => {
    const rows = [
      fetched(2, DUE_MS),
      fetched(3, DUE_MS - 1),
      fetched(4, DUE_MS - HOUR_MS),
      rowOf(5),
      fetched(6, DUE_MS - HOUR_MS),
      fetched(7, DUE_MS + HOUR_MS),
    ];
    expect(firing(rows)).toMatchObject({ picked: [5, 4, 6, 3], left: 0 });
    expect(firing(rows).picked).toHaveLength(4);
  });

  it('counts from when the schedule came round', () => {
    const sinceMs = NOW - 2 * HOUR_MS;
    const at = sinceMs - MAX_AGE_HOURS * HOUR_MS;
    const rows = [fetched(2, at), fetched(3, at - 1)];
    const { picked, picker } = firing(rows, { schedule: { sinceMs } });
    expect(picked).toEqual([3]);
    expect(picker.notBeforeMs).toBe(at);
    expect(picker.scheduled).toEqual({ id: 's1', callsMax: null });
  });

  it('takes figures of another product, and those whose time is gone, but no blank row', () => {
    const other = rowOf(2, { status: okText(productOf(9)), atMs: NOW });
    const timeless = rowOf(3, { status: okText(productOf(3)) });
    const blank = rowOf(4, { product: '' });
    expect(firing([other, timeless, blank]).picked).toEqual([2, 3]);
  });

  it('leaves rows whose status is somebody else’s', () => {
    const locked = rowOf(2, { formula: '=1', status: '' });
    const theirs = rowOf(3, { status: 'ask Kim' });
    expect(firing([locked, theirs])).toMatchObject({ picked: [], left: 0 });
  });

  it('takes rows with the mark of a run that is gone', () => {
    expect(firing([rowOf(2, { status: queuedText('k3f9') })]).picked).toEqual([2]);
  });
});

describe('what failed', () => {
  it('and may pass is tried again after half an hour, for a day', () => {
    const sinceMs = NOW - HOUR_MS;
    const rows = [
      failed(2, TIMED_OUT, NOW - 31 * MINUTE_MS),
      // The end of the minute that is named counts.
      failed(3, TIMED_OUT, NOW - 30 * MINUTE_MS),
      failed(4, TIMED_OUT, NOW - 20 * MINUTE_MS),
    ];
    const schedule = { sinceMs };
    expect(firing(rows, { schedule })).toMatchObject({ picked: [2], left: 2 });
    const long = { schedule: { sinceMs: NOW - DAY_MS } };
    expect(firing(rows, long)).toMatchObject({ picked: [], left: 0 });
    const last = { refreshed: 0, failed: 3 } as Schedule['last'];
    const down = { schedule: { sinceMs: NOW - DAY_MS, last } };
    expect(firing(rows, down)).toMatchObject({ picked: [2], left: 2 });
    for (const counts of [
      { refreshed: 1, failed: 3 },
      { refreshed: 0, failed: 0 },
    ]) {
      const up = { schedule: { sinceMs: NOW - DAY_MS, last: counts as Schedule['last'] } };
      expect(firing(rows, up).picked).toEqual([]);
    }
  });

  it('and lasts is left until it is as old as figures may be', () => {
    const rows = [failed(2, NOT_FOUND, NOW - HOUR_MS), failed(3, NOT_FOUND, DUE_MS - MINUTE_MS)];
    expect(firing(rows)).toMatchObject({ picked: [3], left: 0 });
  });

  it('for another product says nothing of this one', () => {
    const other = rowOf(2, { status: failedText(NOT_FOUND, productOf(9), NOW) });
    const nobodys = rowOf(3, { status: failedText(NOT_FOUND, null, NOW) });
    expect(firing([other, nobodys]).picked).toEqual([2, 3]);
  });

  it('is all that is asked for where a schedule is for that alone', () => {
    const task = { rows: 'failed' } as const;
    const rows = [
      rowOf(2),
      failed(3, TIMED_OUT, NOW - HOUR_MS),
      fetched(4, DUE_MS - 1),
      rowOf(5, { status: queuedText('k3f9', failedText(TIMED_OUT, productOf(5), NOW - HOUR_MS)) }),
    ];
    expect(firing(rows, { task }).picked).toEqual([5, 3]);
  });
});

describe('what cannot be read', () => {
  const unreadable = (row: number, status?: string) =>
    rowOf(row, { product: `no such thing ${row}`, ...(status && { status }) });

  it('is told beside products that are asked for, once', () => {
    expect(firing([unreadable(2), rowOf(3)]).picked).toEqual([2, 3]);
    const told = unreadable(2, failedText(fail({ kind: 'timed-out' }), null, NOW - 9 * DAY_MS));
    expect(firing([told, rowOf(3)]).picked).toEqual([3]);
  });

  it('is nothing to run for', () => {
    expect(firing([unreadable(2)])).toMatchObject({ picked: [], left: 0 });
    expect(firing([unreadable(2)]).taken).toBe(0);
  });
});

describe('marks beside the products', () => {
  const rows = [2, 3, 4, 5, 6].map((row) => rowOf(row));

  it.each(['Star', 'starred', '★', '⭐'])('%s: these alone, or these first', (title) => {
    const beside = { [title]: ['', 'x', false, true, 'FALSE'] };
    expect(firing(rows, { beside, task: { rows: 'starred' } }).picked).toEqual([3, 5]);
    expect(firing(rows, { beside, task: { order: 'starred' } }).picked).toEqual([3, 5, 2, 4, 6]);
  });

  it('decide after the age, or before it', () => {
    const aged = [fetched(2, DUE_MS - 1), fetched(3, DUE_MS - 2), fetched(4, DUE_MS - 2)];
    const beside = { Star: ['x', '', 'x'] };
    expect(firing(aged, { beside }).picked).toEqual([4, 3, 2]);
    expect(firing(aged, { beside, task: { order: 'starred' } }).picked).toEqual([4, 2, 3]);
  });

  it('Skip: these never', () => {
    const beside = { ' SKIP ': ['x', '', false, 'no', ''] };
    expect(firing(rows, { beside }).picked).toEqual([3, 4, 6]);
  });

  it('cost a read each, and one more for the products; none where there are none', () => {
    expect(firing(rows).reads).toEqual([]);
    expect(firing(rows, { beside: { Star: ['x'], Note: ['x'], Skip: ['x'] } }).reads).toEqual([
      2, 4, 1,
    ]);
  });

  it('count for nobody where rows have moved meanwhile: the next firing takes them', () => {
    const shownNow = [asin(3), asin(2), asin(4), asin(5), asin(6)];
    const told = { beside: { Skip: ['x'] }, shownNow };
    expect(firing(rows, told)).toMatchObject({ picked: [], left: 1 });
  });
});

describe('rows that are hardly worth a call', () => {
  const old = DUE_MS - HOUR_MS;
  const rows = [2, 3, 4, 5].map((row) => fetched(row, old));
  const aged = [fetched(2, NOW - 30 * DAY_MS - 1), fetched(3, NOW - 30 * DAY_MS), ...rows.slice(2)];

  it('are refreshed every thirty days', () => {
    const beside = { Eligible: ['FALSE', false, true, 'Yes'] };
    const task = { seldom: { notEligible: true } } as const;
    expect(firing(rows, { beside, task }).picked).toEqual([4, 5]);
    expect(firing(aged, { beside, task }).picked).toEqual([2, 4, 5]);
    expect(firing(rows, { beside, task: { seldom: {} } }).picked).toEqual([2, 3, 4, 5]);
    expect(firing(rows, { beside: { Eligible: ['', 'no'] }, task }).picked).toEqual([2, 4, 5]);
  });

  it('are those under an ROI, once its unit is known', () => {
    const beside = { ROI: [0.1, 0.2, 'low', 0.3] };
    const task = { seldom: { roiUnder: 0.2 } };
    expect(firing(rows, { beside, task, roiUnit: 'fraction' }).picked).toEqual([3, 4, 5]);
    expect(firing(rows, { beside, task }).picked).toEqual([2, 3, 4, 5]);
    expect(firing(rows, { beside, task: { seldom: {} }, roiUnit: 'fraction' }).picked).toEqual([
      2, 3, 4, 5,
    ]);
  });

  it('are those whose verdict is Skip', () => {
    const beside = { Verdict: ['Skip', ' skip', 'Buy', ''] };
    const task = { seldom: { verdictSkip: true } } as const;
    expect(firing(rows, { beside, task }).picked).toEqual([4, 5]);
    const both = {
      Verdict: ['Skip', 'Skip'],
      'Verdict (deal)': ['Buy', 'Buy', 'Skip'],
    };
    expect(firing(rows, { beside: both, task }).picked).toEqual([2, 3, 5]);
  });

  it('are told by the columns of this market, in a list for both', () => {
    const beside = {
      Eligible: ['no', 'no', 'no', 'no'],
      'Eligible (UK)': ['yes', 'no', 'yes', 'yes'],
      'Verdict (UK)': ['Buy', 'Buy', 'Skip', 'Buy'],
      Verdict: ['Skip', 'Skip', 'Skip', 'Skip'],
    };
    const task = { seldom: { notEligible: true, verdictSkip: true } } as const;
    const told = { beside, task, statusTitle: 'Analysis status (UK)' };
    expect(firing(rows, told).picked).toEqual([2, 5]);
  });
});

describe('calls', () => {
  const rows = [2, 3, 4, 5, 6].map((row) => rowOf(row));

  it('of the hour are not passed, and the same product costs one', () => {
    const twice = rowOf(7, { product: asin(2) });
    const told = { callsPerHour: 2 };
    expect(firing([...rows, twice], told)).toMatchObject({ picked: [2, 3, 7], left: 3 });
    const spent = { hourMs: NOW - (NOW % HOUR_MS), calls: 1 };
    expect(firing(rows, { callsPerHour: 2, schedule: { spent } }).picked).toEqual([2]);
    expect(firing(rows, told).picker.scheduled.callsMax).toBe(2);
  });

  it('are not needed for what is known already, in the cache or as a last good answer', () => {
    const told = {
      ...{ callsPerHour: 1, cached: [2], cachedFailures: { 3: NOT_FOUND, 4: TIMED_OUT } },
      known: [[5, DUE_MS] as const, [6, DUE_MS - MINUTE_MS] as const],
    };
    const { picked, known } = firing(rows, told);
    expect(picked).toEqual([2, 3, 4, 5]);
    expect(known.sort()).toEqual([2, 3, 5].map(keyOf).sort());
  });

  it('are no more than the time gives', () => {
    const many = Array.from({ length: 300 }, (_, at) => rowOf(at + 2));
    const quota = { calls: 5, perSeconds: 1, burst: 10 };
    const taken = (untilMs: number) => firing(many, { quota, untilMs }).taken;
    // Eight seconds go by before the first call.
    expect(taken(NOW + 8_000 + 20_000)).toBe(100);
    expect(taken(NOW + 8_000)).toBe(1);
    expect(taken(NOW)).toBe(1);
  });

  it('may be any number where the limit is to be found out', () => {
    const many = Array.from({ length: 2_100 }, (_, at) => rowOf(at + 2));
    expect(firing(many, { quota: null })).toMatchObject({ taken: 2_000, left: 100 });
  });

  it('that cost nothing are bounded as well', () => {
    const same = Array.from({ length: 20_005 }, (_, at) => rowOf(at + 2, { product: asin(1) }));
    expect(firing(same)).toMatchObject({ taken: 20_000, left: 5 });
  });

  it('are none where no row is due', () => {
    const { picked, known } = firing([fetched(2, NOW)], { cached: [2] });
    expect([picked, known]).toEqual([[], []]);
  });
});
