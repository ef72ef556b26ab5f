// When what a script writes reaches the sheet, and what of it a crash leaves.

import { describe, expect, it } from '@jest/globals';
import type { Execution } from '../../../src/host';
import { hostOf } from '../../script-host';
import { contentsOf, documentOf, gridOf, inSheet } from './grid-script';

const WRITE = "sheet.getRange('A1').setValue('written');";

async function leftBy(body: string, execution: Partial<Execution> = {}) {
  const grid = gridOf();
  const host = hostOf(inSheet(body), { documents: [documentOf(grid)], workers: 1 });
  const outcome = host.start({ functionName: 'f', args: [], door: 'menu', ...execution });
  await host.run();
  await host.stop();
  return { contents: contentsOf(grid), outcome: await outcome };
}

const crash = 'for (;;) Utilities.sleep(100000);';

describe('what is written', () => {
  it.each([
    ['is there when a script has ended', WRITE, true],
    ['is there when a script throws', `${WRITE} throw new Error('late');`, true],
    ['is lost when a script is cut off', WRITE + crash, false],
    ['is there once it was flushed', `${WRITE} SpreadsheetApp.flush(); ${crash}`, true],
    ['is there once something was read', `${WRITE} sheet.getName(); ${crash}`, true],
    ['is there once rows have moved', `${WRITE} sheet.insertRowAfter(1); ${crash}`, true],
    ['waits while only the selection moves', `${WRITE} sheet.activate(); ${crash}`, false],
  ])('%s', async (_, body, isThere) => {
    expect((await leftBy(body)).contents).toEqual(isThere ? [['written']] : []);
  });

  it('is seen by the script itself in the order of writing', async () => {
    const body = `
      sheet.getRange('A1:B1').setNumberFormat('@').setValues([['007', 'x']]);
      sheet.getRange('B1').clearContent();
      return sheet.getRange('A1:B1').getValues();`;
    expect((await leftBy(body)).outcome.value).toEqual([['007', '']]);
  });

  it('is not seen by others before', async () => {
    const grid = gridOf();
    const code = `${inSheet(`${WRITE} Utilities.sleep(20000); SpreadsheetApp.flush();`)}
      function look() {
        const range = SpreadsheetApp.getActiveSheet().getRange('A1');
        const before = range.getValue();
        Utilities.sleep(60000);
        return [before, range.getValue()];
      }`;
    const host = hostOf(code, { documents: [documentOf(grid)], workers: 2 });
    const menu = { args: [], door: 'menu' } as const;
    void host.start({ functionName: 'f', ...menu });
    const look = host.start({ functionName: 'look', ...menu }, host.nowMs() + 10_000);
    await host.run();
    await host.stop();
    expect((await look).value).toEqual(['', 'written']);
  });

  it('can find its cells gone, which is said at the flush', async () => {
    const grid = gridOf();
    const body = `sheet.getRange('A1000').setValue(1);
      try { SpreadsheetApp.flush(); } catch (error) { return error.message; }`;
    const host = hostOf(inSheet(body), {
      documents: [documentOf(grid)],
      betweenCalls: ({ operation }) =>
        operation === 'spreadsheet.flush'
          ? [{ do: 'deleteRows', sheetId: 0, first: 2, count: 10 }]
          : [],
    });
    const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect((await outcome).value).toMatch(/outside the dimensions/);
  });

  it.each([1, 2, 3, 4, 5])('is there or not, but nothing between, at crash %i', async (call) => {
    const body = `sheet.getRange('A1:B1').setValues([['written', 'too']]); SpreadsheetApp.flush();`;
    const before = await leftBy(body, { killAtCall: call });
    const later = await leftBy(body, { killAfterCall: call });
    expect(before.outcome.ended).toBe('killed');
    expect(before.contents).toEqual([]);
    expect(later.contents).toEqual(call === 5 ? [['written', 'too']] : []);
  });
});

describe('while custom functions compute', () => {
  it('others wait for the sheet, but not for what is on view', async () => {
    const code = `
      function CELL() { Utilities.sleep(20000); return SpreadsheetApp.getActiveSpreadsheet().getId(); }
      function f(read) {
        const sheet = SpreadsheetApp.getActiveSheet();
        if (read) sheet.getName();
        return Date.now();
      }`;
    const host = hostOf(code, { documents: [documentOf(gridOf())], workers: 3 });
    const startMs = host.nowMs();
    const cell = host.start({ functionName: 'CELL', args: [], door: 'cell' });
    const menu = { functionName: 'f', door: 'menu' } as const;
    const [reads, looks] = [true, false].map((read) =>
      host.start({ ...menu, args: [read] }, startMs + 1_000),
    );
    await host.run();
    await host.stop();
    expect((await cell).value).toBe('doc-1');
    expect(Number((await reads)?.value)).toBeGreaterThanOrEqual((await cell).endedMs);
    expect(Number((await looks)?.value)).toBeLessThan(startMs + 3_000);
  });

  it('one that dies while it waits is let go', async () => {
    const code = `
      function CELL() { Utilities.sleep(25000); }
      function f() { SpreadsheetApp.getActiveSheet().getName(); }`;
    const host = hostOf(code, { documents: [documentOf(gridOf())], limits: { longRunMs: 9_000 } });
    const cell = host.start({ functionName: 'CELL', args: [], door: 'cell' });
    const waits = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect([(await cell).ended, (await waits).ended]).toEqual(['returned', 'timedOut']);
  });
});
