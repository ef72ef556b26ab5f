// What a trace tells of a script's work on a sheet, and how long the work takes.

import { expect, it } from '@jest/globals';
import { hostOf } from '../../script-host';
import { documentOf, gridOf, inSheet } from './grid-script';

async function traceOf(body: string) {
  const host = hostOf(inSheet(body), { documents: [documentOf(gridOf())], workers: 1 });
  const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
  await host.run();
  await host.stop();
  const { startedMs, endedMs } = await outcome;
  return { trace: host.trace().join('\n'), tookMs: endedMs - startedMs };
}

it('says which cells were read and written and never what is in them', async () => {
  const { trace } = await traceOf(`
    sheet.getRange(2, 2, 1, 2).setValues([['secret', '=SECRET()']]).setNumberFormat('"secret"');
    sheet.createTextFinder('secret').replaceAllWith('SECRET');
    return sheet.getRange('B2').getValue();`);
  expect(trace).toContain('spreadsheet.write.setValues 0!B2:C2');
  expect(trace).toContain('spreadsheet.read.getValues 0!B2');
  expect(trace).not.toMatch(/secret/i);
});

it('charges for reads and for writes that reach the sheet, but hardly for anything else', async () => {
  const took = async (body: string) =>
    (await traceOf(`const range = sheet.getRange('A1'); ${body}`)).tookMs;
  const known = await took('');
  expect((await took('range.getValues();')) - known).toBeGreaterThanOrEqual(40);
  const flush = 'SpreadsheetApp.flush();';
  expect((await took(flush)) - known).toBeLessThanOrEqual(20);
  expect((await took(`range.setValue(1); ${flush}`)) - known).toBeGreaterThanOrEqual(200);
  expect((await took('range.setValue(1); range.getValue();')) - known).toBeGreaterThanOrEqual(240);
});

it('charges for every cell', async () => {
  const took = async (size: string, body: string) =>
    (await traceOf(`const range = sheet.getRange(1, 1, ${size}); ${body}`)).tookMs;
  const read = 'range.getValues();';
  expect((await took('1000, 26', read)) - (await took('1, 1', read))).toBeGreaterThanOrEqual(100);
  const write = "range.setNumberFormat('@'); SpreadsheetApp.flush();";
  expect((await took('1000, 26', write)) - (await took('1, 1', write))).toBeGreaterThanOrEqual(200);
});
