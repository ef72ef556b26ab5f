// Other people in a spreadsheet while a script works on it, at moments and between its calls.

import { describe, expect, it } from '@jest/globals';
import type { BetweenCalls, ComingCall } from '../src/bystanders';
import type { Act } from '../src/sheet/acts';
import { hostOf } from './script-host';
import { contentsOf, documentOf, gridOf, inSheet } from './services/spreadsheet-app/grid-script';

const READ_THEN_WRITE = inSheet(`
  const row = sheet.getRange('A1:A3').getValues().findIndex(([name]) => name === 'b') + 1;
  sheet.getRange(row, 2).setValue('of b');
  SpreadsheetApp.flush();`);

const ON_TOP: Act = { do: 'insertRows', sheetId: 0, first: 1, count: 1 };

async function worldWith(betweenCalls: BetweenCalls, code = READ_THEN_WRITE) {
  const grid = gridOf([['a'], ['b'], ['c']]);
  const host = hostOf(code, { documents: [documentOf(grid)], betweenCalls, workers: 1 });
  const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
  await host.run();
  await host.stop();
  return { grid, host, outcome: await outcome };
}

describe('between two calls', () => {
  it('somebody moves the row that a script has just found', async () => {
    const { grid, outcome } = await worldWith(({ operation }) =>
      operation === 'spreadsheet.write.setValue' ? [ON_TOP] : [],
    );
    expect(outcome.ok).toBe(true);
    expect(contentsOf(grid)).toEqual([
      ['', ''],
      ['a', 'of b'],
      ['b', ''],
      ['c', ''],
    ]);
  });

  it('every call can be met, by its number and name', async () => {
    const coming: ComingCall[] = [];
    const { outcome } = await worldWith((call) => {
      coming.push(call);
      return [];
    });
    expect(coming.map(({ number }) => number)).toEqual(coming.map((_, place) => place + 1));
    expect(coming).toHaveLength(outcome.serviceCalls);
    expect(coming[0]).toMatchObject({
      functionName: 'f',
      operation: 'spreadsheet.getActiveSpreadsheet',
      total: 1,
      document: { id: 'doc-1' },
    });
  });

  it('the same happens for the same acts, and its trace says what', async () => {
    const worldOf = async (first: number) => {
      const act: Act = { do: 'deleteRows', sheetId: 0, first, count: 1 };
      const { host } = await worldWith(({ number }) => (number === 3 ? [act] : []));
      return host;
    };
    const [one, same, other] = [await worldOf(1), await worldOf(1), await worldOf(2)];
    expect(one.traceHash()).toBe(same.traceHash());
    expect(one.traceHash()).not.toBe(other.traceHash());
    expect(one.trace().join('\n')).toMatch(/#0 act {6}doc-1 deleteRows 0!1\+1/);
  });
});

describe('at a moment', () => {
  it('somebody acts while a script sleeps, and takes it back', async () => {
    const grid = gridOf([['a'], ['b']]);
    const code = inSheet(`
      const seen = [];
      for (let look = 0; look < 3; look += 1) {
        seen.push(sheet.getRange('A1').getValue());
        Utilities.sleep(10_000);
      }
      return seen;`);
    const host = hostOf(code, { documents: [documentOf(grid)], workers: 1 });
    const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
    host.act(ON_TOP, { atMs: host.nowMs() + 5_000 });
    host.act({ do: 'undo' }, { atMs: host.nowMs() + 15_000, documentId: 'doc-1' });
    await host.run();
    await host.stop();
    expect((await outcome).value).toEqual(['a', '', 'a']);
  });

  it('somebody acts at once', async () => {
    const grid = gridOf([['a']]);
    const host = hostOf('', { documents: [documentOf(grid)] });
    host.act(ON_TOP);
    expect(contentsOf(grid)).toEqual([[''], ['a']]);
    expect(() => host.act(ON_TOP, { documentId: 'none' })).toThrow(RangeError);
    await host.stop();
  });
});
