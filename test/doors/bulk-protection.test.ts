// Runs of a person who may not edit all of the sheet: told before anything is written.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { NewProtection } from '../../playground/host/sheet/marks';
import { granted, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const HELPER = 'helper@example.com';
const LIST = US_ASINS.slice(30, 60);
const PROTECTED = 'These cells are protected, and you may not edit them.';
const list = () =>
  sheetOf([['ASIN', 'Note', 'Profit'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

const area = (row: number, column: number, rowCount: number, columnCount: number) => ({
  row,
  column,
  rowCount,
  columnCount,
});

async function worldWith(sheet: Sheet, ...protections: readonly Omit<NewProtection, 'sheetId'>[]) {
  for (const one of protections) sheet.grid.protect({ sheetId: sheet.id, ...one });
  let waves = 0;
  const later: NewProtection[] = [];
  const document = { ...sheet.document, editors: [HELPER] };
  world = createWorld({
    sandbox: SANDBOX,
    host: {
      documents: [document],
      betweenCalls: ({ operation }) => {
        waves += operation === 'urlFetch.fetchAll' ? 1 : 0;
        return waves === 3
          ? later.splice(0).map((one) => ({ do: 'protect' as const, ...one }))
          : [];
      },
    },
  });
  await world.connect();
  return later;
}

const asHelper = (method: string, payload: object = {}) => world.rpc(method, payload, HELPER);
const choice = async () => granted(await asHelper('bulk.look')).choice as object;
const runOnce = async (jobId: unknown) =>
  granted(await asHelper('bulk.run', { jobId, lane: 0, maxMs: 300_000 })).status as object;

describe('protected against who runs it', () => {
  it.each<[string, Omit<NewProtection, 'sheetId'>]>([
    ['the whole sheet', { rectangle: null }],
    ['a column that is written', { rectangle: area(1, 3, 1_000, 1) }],
    ['some rows', { rectangle: area(10, 1, 3, 26) }],
    ['the header', { rectangle: area(1, 1, 1, 26) }],
    ['where new columns go', { rectangle: area(1, 6, 1_000, 1) }],
  ])('%s: the check says so, a start changes nothing', async (_what, protection) => {
    const sheet = list();
    await worldWith(sheet, protection);
    const before = sheet.values();
    const wish = await choice();
    const checked = granted(await asHelper('bulk.preflight', wish));
    expect(checked).toMatchObject({ rows: 30, problem: { kind: 'protected', message: PROTECTED } });
    expect((await asHelper('bulk.start', wish)).failure?.message).toBe(PROTECTED);
    expect(sheet.values()).toEqual(before);
    expect(granted(await asHelper('bulk.look'))).toMatchObject({ run: null });
    expect(world.service().arrived).toBe(0);
  });

  it.each<[string, Omit<NewProtection, 'sheetId'>]>([
    ['only the products', { rectangle: area(1, 1, 1_000, 2) }],
    ['all but the columns of the run', { rectangle: null, unprotected: [area(1, 3, 1_000, 24)] }],
    ['what only warns', { rectangle: null, isWarningOnly: true }],
    ['what this person may edit', { rectangle: null, editors: [HELPER] }],
  ])('%s: the run is made', async (_what, protection) => {
    const sheet = list();
    await worldWith(sheet, protection);
    const wish = await choice();
    expect(granted(await asHelper('bulk.preflight', wish))).not.toHaveProperty('problem');
    const { jobId } = granted(await asHelper('bulk.start', wish));
    expect(await runOnce(jobId)).toMatchObject({ state: 'finished', answered: 30 });
  });
});

describe('rows that are protected while the run is at work', () => {
  it('hold it up in words; once they are open it goes on and asks nothing twice', async () => {
    const sheet = list();
    const later = await worldWith(sheet);
    const { jobId } = granted(await asHelper('bulk.start', await choice()));
    later.push({ sheetId: sheet.id, rectangle: area(10, 1, 3, 26) });
    expect(await runOnce(jobId)).toMatchObject({
      state: 'stuck',
      problem: { kind: 'protected', message: PROTECTED },
    });
    const { arrived } = world.service();
    const [protection] = sheet.grid.protections(sheet.id);
    sheet.grid.unprotect(sheet.id, protection?.id ?? 0);
    granted(await asHelper('bulk.resume', { jobId }));
    expect(await runOnce(jobId)).toMatchObject({ state: 'finished', left: 0, failed: 0 });
    expect(arrived).toBe(30);
    expect(world.service().arrived).toBe(30);
    const rows = sheet.values().slice(1);
    expect(rows.map((row) => row[7])).toEqual(LIST.map((asin) => `OK ${asin} US`));
  });
});
