// What a schedule finds changed: marked in the row, listed in a sheet of its own, told in the sidebar and by mail.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { createState, handle } from '../../playground/api/handle';
import { built, distIn } from '../build-once';
import { granted, SANDBOX, type Sheet, sheetOf, US_ASINS } from '../doors/bulk-list';
import { history, pass, schedule, worldWith } from '../doors/schedule-list';
import { BASE_URL, type World } from '../doors/world';

const LIST = US_ASINS.slice(500, 512);
/** Enough for several writes and for answers that are kept in between. */
const MANY = US_ASINS.slice(600, 750);
const CALLS_OF_A_RUN = 340;
const [A = '', B = '', C = ''] = LIST;
const RULES = [{ kind: 'no-longer-eligible' }, { kind: 'fell-under', field: 'roi', bound: 0.2 }];
const GOOD = { eligible: true, roi: 0.3, profit: 6 };
const DAY_HOURS = 24;

let world: World;
let sheet: Sheet;
/** What the service says of a product other than it would. */
let said: Record<string, object>;

beforeEach(() => {
  said = Object.fromEntries(LIST.map((asin) => [asin, GOOD]));
  sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
});
afterEach(() => world.stop());

function changingInternet(): HostOptions['internet'] {
  const { service } = withState(handle, createState(SANDBOX));
  return createSandboxedInternet({
    [new URL(BASE_URL).host]: (request, nowMs) => {
      const reply = service(request, nowMs);
      const asin = Object.keys(said).find((one) => request.body.includes(one));
      if (reply.kind !== 'answer' || asin === undefined) return reply;
      return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body), ...said[asin] }) };
    },
  });
}

/** A schedule every morning at six, and the first morning over. */
async function worldAtWork(more: object = { rules: RULES }, host: Partial<HostOptions> = {}) {
  world = await worldWith(sheet, { host: { internet: changingInternet(), ...host } });
  await schedule(world, 's1', {}, more);
  await pass(world, DAY_HOURS);
}

const mark = (asin: string) => sheet.byHeader(LIST.indexOf(asin) + 2)['What changed'];
const digest = async () => granted(await world.rpc('schedule.look')).digest;
const lastRun = async () => (await history(world))[0];

function logged() {
  const log = sheet.grid.sheets().find(({ name }) => name === 'Analysis changes');
  if (log === undefined) return null;
  const { lastRow } = sheet.grid.size(log.id);
  const area = { row: 2, column: 2, rowCount: lastRow - 1, columnCount: 6 };
  return sheet.grid.values(log.id, area);
}

describe('a schedule with rules', () => {
  it('says nothing of a first morning, and of a second all that changed', async () => {
    await worldAtWork();
    expect(logged()).toBeNull();
    expect(LIST.map(mark).every((cell) => cell === '')).toBe(true);
    said[A] = { ...GOOD, eligible: false };
    said[B] = { ...GOOD, roi: 0.1, profit: 2 };
    said[C] = { ...GOOD, profit: 7 };
    await pass(world, DAY_HOURS);
    expect(logged()).toHaveLength(4);
    expect(logged()).toEqual(
      expect.arrayContaining([
        [A, 'US', 'Eligible', true, false, 'No longer eligible'],
        [B, 'US', 'Profit', 6, 2, ''],
        [B, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%'],
        [C, 'US', 'Profit', 6, 7, ''],
      ]),
    );
    expect(mark(A)).toMatch(/^No longer eligible · 7 Jan 06:\d\d$/);
    expect(mark(B)).toMatch(/^ROI fell under 20% · 7 Jan 06:\d\d$/);
    expect(mark(C)).toBe('');
    expect(await lastRun()).toMatchObject({ outcome: 'done', changes: 4 });
  });

  it('leaves a mark until the next one, or until somebody clears it', async () => {
    await worldAtWork();
    said[A] = { ...GOOD, eligible: false };
    said[B] = { ...GOOD, roi: 0.1 };
    await pass(world, DAY_HOURS);
    const before = mark(A);
    const column = sheet.values()[0]?.indexOf('What changed') ?? 0;
    sheet.grid.write(sheet.id, LIST.indexOf(B) + 2, column + 1, [['']]);
    await pass(world, DAY_HOURS);
    expect([mark(A), mark(B)]).toEqual([before, '']);
    said[A] = { ...GOOD, eligible: false, roi: 0.15 };
    await pass(world, DAY_HOURS);
    expect(mark(A)).toMatch(/^ROI fell under 20% · 9 Jan 06:\d\d$/);
  });

  it('puts away what the person was shown, and not what a later run found', async () => {
    await worldAtWork();
    said[A] = { ...GOOD, eligible: false };
    await pass(world, DAY_HOURS);
    const { atMs } = (await digest()) as { readonly atMs: number };
    said[C] = { ...GOOD, eligible: false };
    await pass(world, DAY_HOURS);
    granted(await world.rpc('schedule.seen', { atMs }));
    expect(await digest()).toMatchObject({ runs: 1, marked: [{ count: 1 }] });
  });

  it('tells it in the sidebar until that is put away, and leads to the rows', async () => {
    await worldAtWork();
    granted(await world.rpc('schedule.seen'));
    expect(await digest()).toBeNull();
    said[A] = { ...GOOD, eligible: false };
    said[C] = { ...GOOD, eligible: 'approval_required' };
    await pass(world, DAY_HOURS);
    expect(await digest()).toMatchObject({
      ...{ runs: 1, refreshed: LIST.length, failed: 0, calls: LIST.length, changes: 2 },
      marked: [{ words: 'No longer eligible', count: 2, rule: 'No longer eligible' }],
    });
    const shown = await world.rpc('schedule.show', { rule: 'No longer eligible' });
    expect(granted(shown)).toEqual({ shown: 2 });
    expect(sheet.grid.selection().sheetId).toBe(sheet.id);
    granted(await world.rpc('schedule.seen'));
    expect(await digest()).toBeNull();
    expect((await world.rpc('schedule.show', { rule: 'No longer eligible' })).value).toEqual({
      shown: 0,
    });
  });
});

describe('what something else heard first', () => {
  const heardByFormula = async (asin: string) => {
    await pass(world, 10);
    expect(await world.show('ANALYZE', asin, 'US', 'roi')).toMatchObject({ value: 0.1 });
  };

  it('is marked in the row that has not shown it yet', async () => {
    await worldAtWork();
    said[B] = { ...GOOD, roi: 0.1, profit: 2 };
    await heardByFormula(B);
    await pass(world, 14);
    expect(mark(B)).toMatch(/^ROI fell under 20% · 7 Jan 06:\d\d$/);
    expect(logged()).toEqual([
      [B, 'US', 'Profit', 6, 2, ''],
      [B, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%'],
    ]);
    const before = mark(B);
    await pass(world, DAY_HOURS);
    expect(logged()).toHaveLength(2);
    expect(mark(B)).toBe(before);
  });

  it('is marked in each list, and stands in the log once', async () => {
    const other = sheet.grid.addSheet('Other', 2);
    sheet.grid.write(other, 1, 1, [['ASIN'], [B], [C]]);
    world = await worldWith(sheet, { host: { internet: changingInternet() } });
    await schedule(world, 's1', {}, { rules: RULES });
    await schedule(
      world,
      's2',
      { sheetId: other, headerRow: 1, productColumn: 1 },
      { rules: RULES },
    );
    await pass(world, DAY_HOURS);
    said[B] = { ...GOOD, roi: 0.1 };
    await pass(world, DAY_HOURS);
    const { lastRow: rowCount, lastColumn: columnCount } = sheet.grid.size(other);
    const shown = sheet.grid.values(other, { row: 1, column: 1, rowCount, columnCount });
    const column = shown[0]?.indexOf('What changed') ?? -1;
    const marks = [mark(B), shown[1]?.[column]];
    expect(marks).toEqual(Array(2).fill(expect.stringMatching(/^ROI fell under 20% · 7 Jan/)));
    expect([mark(C), shown[2]?.[column]]).toEqual(['', '']);
    expect(logged()).toEqual([[B, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%']]);
  });

  it('with another key is no news', async () => {
    await worldAtWork();
    said[B] = { ...GOOD, roi: 0.1 };
    granted(await world.connect({ apiKey: 'demo-key-20-per-second' }));
    await heardByFormula(B);
    await pass(world, 14);
    expect(sheet.byHeader(LIST.indexOf(B) + 2).ROI).toBe(0.1);
    expect([mark(B), logged()]).toEqual(['', null]);
  });
});

describe('a run that is cut off', () => {
  it.each([0.3, 0.5, 0.7, 0.9, 0.98])(
    'after %d of its calls leaves its news to the next, and nothing is lost',
    async (share) => {
      sheet = sheetOf([['ASIN'], ...MANY.map((asin) => [asin])]);
      said = Object.fromEntries(MANY.map((asin) => [asin, GOOD]));
      await worldAtWork({ rules: RULES, maxAgeHours: 1 });
      said = Object.fromEntries(MANY.map((asin) => [asin, { ...GOOD, eligible: false }]));
      const byHand = { functionName: 'rpc', args: ['schedule.run', { id: 's1', maxMs: 300_000 }] };
      const cut = world.host.start({
        ...{ ...byHand, door: 'sidebar' },
        killAfterCall: Math.round(share * CALLS_OF_A_RUN),
      });
      await world.host.run();
      expect((await cut).ended).toBe('killed');
      await pass(world, DAY_HOURS);
      const lines = logged() ?? [];
      expect(new Set(lines.map(([asin]) => asin))).toEqual(new Set(MANY));
      expect(lines.every((line) => line[5] === 'No longer eligible')).toBe(true);
      const marks = MANY.map((_, at) => String(sheet.byHeader(at + 2)['What changed']));
      expect(marks.filter((cell) => !cell.startsWith('No longer eligible · '))).toEqual([]);
      expect(await digest()).toMatchObject({ marked: [{ words: 'No longer eligible' }] });
    },
  );
});

it('calls count in their hour where Google fails at the log after them, and the news is told the next time', async () => {
  const HOUR_CALLS = 8;
  const operations: string[] = [];
  const byHand = {
    functionName: 'rpc',
    args: ['schedule.run', { id: 's1', maxMs: 300_000 }],
    door: 'sidebar',
  } as const;
  async function second(faults: readonly object[]) {
    const observe = ({ operation }: { readonly operation: string }) => operations.push(operation);
    await worldAtWork({ rules: RULES, maxAgeHours: 1, callsPerHour: HOUR_CALLS }, { observe });
    said = Object.fromEntries(LIST.map((asin) => [asin, { ...GOOD, roi: 0.1 }]));
    operations.length = 0;
    const run = world.host.start({ ...byHand, faults } as never);
    await world.host.run();
    return (await run).ok;
  }
  await second([]);
  expect(logged()).toHaveLength(HOUR_CALLS);
  const atCall = operations.lastIndexOf('spreadsheet.write.insertSheet') + 1;
  expect(atCall).toBeGreaterThan(0);
  await world.stop();
  sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  said = Object.fromEntries(LIST.map((asin) => [asin, GOOD]));
  await second([{ atCall, when: 'before', times: 2 }]);
  expect(logged()).toBeNull();
  const calls = () => operations.filter((one) => one.startsWith('urlFetch')).length;
  const before = calls();
  void world.host.start(byHand);
  await world.host.run();
  expect(calls()).toBe(before);
  expect(await history(world)).toMatchObject([{ calls: HOUR_CALLS, outcome: 'part' }, {}, {}]);
  await pass(world, 2);
  expect(logged()).toHaveLength(LIST.length);
});

it('empty rows that a run left in the log, cut off before it wrote them, go with the next change', async () => {
  const operations: string[] = [];
  const byHand = { functionName: 'rpc', args: ['schedule.run', { id: 's1', maxMs: 300_000 }] };
  async function second(kill: { readonly killAfterCall?: number }) {
    const observe = ({ operation }: { readonly operation: string }) => operations.push(operation);
    await worldAtWork({ rules: RULES, maxAgeHours: 1 }, { observe });
    said = Object.fromEntries(LIST.map((asin) => [asin, { ...GOOD, profit: 7 }]));
    await pass(world, DAY_HOURS);
    said = Object.fromEntries(LIST.map((asin) => [asin, { ...GOOD, profit: 8 }]));
    operations.length = 0;
    const run = world.host.start({ ...byHand, door: 'sidebar', ...kill });
    await world.host.run();
    return (await run).ended;
  }
  expect(await second({})).toBe('returned');
  // Between the call that makes room and the one that writes.
  const killAfterCall = operations.lastIndexOf('spreadsheet.write.insertRowsBefore') + 1;
  expect(killAfterCall).toBeGreaterThan(0);
  await world.stop();
  sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  said = Object.fromEntries(LIST.map((asin) => [asin, GOOD]));
  expect(await second({ killAfterCall })).toBe('killed');
  const empty = () => logged()?.filter(([asin]) => asin === '').length;
  expect(empty()).toBe(LIST.length);
  await pass(world, DAY_HOURS);
  expect(empty()).toBe(0);
  expect(logged()).toHaveLength(2 * LIST.length);
});

describe('rows that a run wrote before it was cut off, and kept no answer of', () => {
  /** Cuts a run off, has all products change, and gives those whose change the log does not tell. */
  async function untoldAfter(killAfterCall: number, now: object) {
    const byHand = { functionName: 'rpc', args: ['schedule.run', { id: 's1', maxMs: 300_000 }] };
    const cut = world.host.start({ ...byHand, door: 'sidebar', killAfterCall });
    await world.host.run();
    expect((await cut).ended).toBe('killed');
    const rows = sheet.values();
    const profit = rows[0]?.indexOf('Profit') ?? 0;
    const shown = rows.flatMap((row) => (row[profit] === 7 ? [String(row[0])] : []));
    expect(shown.length).toBeGreaterThan(90);
    said = Object.fromEntries(MANY.map((asin) => [asin, { ...GOOD, ...now }]));
    await pass(world, DAY_HOURS);
    const told = (logged() ?? []).filter(([, , , before]) => before === 7).map(([asin]) => asin);
    return shown.filter((asin) => !told.includes(asin));
  }

  it.each([250, 318])(
    'new ones, cut off after call %d, tell their next change',
    async (killAfterCall) => {
      await worldAtWork({ rules: RULES, maxAgeHours: 1 });
      said = Object.fromEntries(MANY.map((asin) => [asin, { ...GOOD, profit: 7 }]));
      const asins = MANY.map((asin) => [asin]);
      sheet.grid.write(sheet.id, LIST.length + 2, 1, asins);
      expect(await untoldAfter(killAfterCall, { profit: 5 })).toEqual([]);
    },
  );

  it.each([270, 290])(
    'of the first run there ever was, cut off after call %d, tell their next change',
    async (killAfterCall) => {
      sheet = sheetOf([['ASIN'], ...MANY.map((asin) => [asin])]);
      said = Object.fromEntries(MANY.map((asin) => [asin, { ...GOOD, profit: 7 }]));
      world = await worldWith(sheet, { host: { internet: changingInternet() } });
      await schedule(world, 's1', {}, { rules: RULES, maxAgeHours: 1 });
      expect(await untoldAfter(killAfterCall, { profit: 5 })).toEqual([]);
    },
  );

  it('tell a change back to what was kept before', async () => {
    sheet = sheetOf([['ASIN'], ...MANY.map((asin) => [asin])]);
    said = Object.fromEntries(MANY.map((asin) => [asin, GOOD]));
    await worldAtWork({ rules: RULES, maxAgeHours: 1 });
    said = Object.fromEntries(MANY.map((asin) => [asin, { ...GOOD, profit: 7 }]));
    expect(await untoldAfter(244, { profit: 6 })).toEqual([]);
  });
});

describe('a schedule without rules', () => {
  it('has no column for marks, and lists changes all the same', async () => {
    await worldAtWork({});
    said[A] = { ...GOOD, eligible: false };
    await pass(world, DAY_HOURS);
    expect(sheet.values()[0]).not.toContain('What changed');
    expect(logged()).toEqual([[A, 'US', 'Eligible', true, false, '']]);
  });
});

describe('a build with the e-mail digest', () => {
  it('sends the owner of the clock one mail a day, when there is something to tell', async () => {
    const dist = distIn(built('mail'));
    await worldAtWork({ rules: RULES, recurrence: { kind: 'hourly' }, maxAgeHours: 1 }, { dist });
    const sent = () => world.host.stores.mail.sent();
    expect(sent()).toEqual([]);
    said[A] = { ...GOOD, eligible: false };
    await pass(world, 3);
    said[B] = { ...GOOD, eligible: false };
    await pass(world, 3);
    expect(sent()).toHaveLength(1);
    expect(sent()[0]).toMatchObject({
      to: 'owner@example.com',
      subject: 'Product Analysis: 1 product marked in "Products"',
    });
    expect(sent()[0]?.body).not.toContain('demo-key');
  });
});
