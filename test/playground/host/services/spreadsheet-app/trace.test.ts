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

it('charges for reads, writes and flushes, but hardly for knowing a range', async () => {
  const range = "const range = sheet.getRange('A1');";
  const { tookMs: known } = await traceOf(range);
  const { tookMs: read } = await traceOf(`${range} range.getValues();`);
  const { tookMs: written } = await traceOf(`${range} range.setValue(1);`);
  const { tookMs: flushed } = await traceOf(`${range} SpreadsheetApp.flush();`);
  expect(read - known).toBeGreaterThanOrEqual(40);
  expect(written - known).toBeGreaterThanOrEqual(40);
  expect(flushed - known).toBeGreaterThanOrEqual(200);
});
