// onEdit and the installable triggers of a spreadsheet: who is told of what people do in it.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Host, HostOptions } from '../src/host';
import { hostOf } from './script-host';
import { documentOf, gridOf } from './services/spreadsheet-app/grid-script';

let host: Host;
afterEach(() => host.stop());

/** A script that notes every event in the cells below D1, and the grid it runs in. */
function listening(body: string, options: Partial<HostOptions> = {}) {
  const grid = gridOf([['before', 2]]);
  const note = `function note(...words) {
    const sheet = SpreadsheetApp.getActive().getSheets()[0];
    const row = sheet.getRange('D1:D99').getValues().filter(([cell]) => cell !== '').length + 1;
    sheet.getRange(row, 4).setValue(words.join(' '));
  }`;
  host = hostOf(`${note}\n${body}`, { documents: [documentOf(grid)], ...options });
  const edit = (row: number, column: number, contents: readonly (readonly (string | number)[])[]) =>
    host.act({ do: 'edit', sheetId: 0, row, column, contents });
  const noted = async () => {
    await host.run(host.nowMs() + 60_000);
    const column = { row: 1, column: 4, rowCount: 9, columnCount: 1 };
    return grid.values(0, column).flatMap(([cell]) => (cell === '' ? [] : [cell]));
  };
  return { edit, noted };
}

describe('onEdit', () => {
  const simple = `function onEdit(e) {
    note(e.authMode, e.range.getA1Notation(), e.oldValue, e.value, e.source.getName());
  }`;

  it('is told where somebody typed, what stood there and what stands there now', async () => {
    const { edit, noted } = listening(simple);
    edit(1, 1, [['after']]);
    expect(await noted()).toEqual(['LIMITED A1 before after Products']);
  });

  it('is told no values where several cells were pasted', async () => {
    const { edit, noted } = listening(simple);
    edit(1, 1, [['a', 'b']]);
    expect(await noted()).toEqual(['LIMITED A1:B1   Products']);
  });

  it('runs for one edit after the other, and for two that wait; others it never hears of', async () => {
    const { edit, noted } = listening(
      'function onEdit(e) { Utilities.sleep(5000); note(e.value); }',
    );
    for (const row of [1, 2, 3, 4, 5]) edit(row, 1, [[`edit ${row}`]]);
    expect(await noted()).toEqual(['edit 1', 'edit 2', 'edit 3']);
    expect(host.trace().filter((line) => line.includes('dropped'))).toHaveLength(2);
    edit(6, 1, [['later']]);
    expect(await noted()).toEqual(['edit 1', 'edit 2', 'edit 3', 'later']);
  });

  it('hears nothing of what scripts write, or of sorting', async () => {
    const { noted } = listening(`${simple} function f() { note('by script'); }`);
    void host.start({ functionName: 'f', args: [], door: 'menu' });
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 2 };
    host.act({ do: 'sort', sheetId: 0, rectangle, keys: [{ column: 1, ascending: true }] });
    expect(await noted()).toEqual(['by script']);
  });

  it('may not ask other services, as any simple trigger', async () => {
    const { edit, noted } = listening(`function onEdit() {
      try { UrlFetchApp.fetch('https://example.com'); } catch (error) { note(error.message); }
    }`);
    edit(1, 1, [['after']]);
    expect(await noted()).toEqual([expect.stringMatching(/^You do not have permission to call/)]);
  });
});

it('an event tells the range without a call, a tick in capitals, a date as days and who it was', async () => {
  const { edit, noted } = listening(
    `function heard(e) {
      const { rowStart, rowEnd, columnStart, columnEnd } = e.range;
      note(rowStart, rowEnd, columnStart, columnEnd, e.value, e.user.getEmail());
    }
    function install() {
      const builder = ScriptApp.newTrigger('heard').forSpreadsheet(SpreadsheetApp.getActive());
      builder.onEdit();
      builder.create();
    }`,
    { project: 'bound' },
  );
  void host.start({ functionName: 'install', args: [], door: 'menu' });
  await noted();
  edit(2, 1, [['x', 'y']]);
  await noted();
  host.act({ do: 'edit', sheetId: 0, row: 3, column: 2, contents: [[true]] });
  await noted();
  host.act({
    do: 'edit',
    sheetId: 0,
    row: 4,
    column: 2,
    contents: [[new Date('2026-01-05T00:00Z')]],
  });
  expect(await noted()).toEqual([
    '2 2 1 2  owner@example.com',
    '3 3 2 2 TRUE owner@example.com',
    '4 4 2 2 46027 owner@example.com',
  ]);
});

describe('installable triggers of a spreadsheet', () => {
  const installing = (event: string) => `
    function install() {
      const book = SpreadsheetApp.getActive();
      const trigger = ScriptApp.newTrigger('heard').forSpreadsheet(book).${event}().create();
      return [trigger.getEventType() === ScriptApp.EventType.${event === 'onEdit' ? 'ON_EDIT' : 'ON_CHANGE'},
        trigger.getTriggerSource() === ScriptApp.TriggerSource.SPREADSHEETS];
    }
    function heard(e) { note(e.authMode, e.changeType ?? e.value, typeof e.triggerUid); }`;

  it.each([
    ['onEdit', ['FULL after string']],
    [
      'onChange',
      ['FULL EDIT string', 'FULL INSERT_ROW string', 'FULL FORMAT string', 'FULL OTHER string'],
    ],
  ])('%s runs with all that its owner granted', async (event, lines) => {
    const { edit, noted } = listening(installing(event), { project: 'bound' });
    const installed = host.start({ functionName: 'install', args: [], door: 'menu' });
    await noted();
    expect((await installed).value).toEqual([true, true]);
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
    edit(1, 1, [['after']]);
    await noted();
    host.act({ do: 'insertRows', sheetId: 0, first: 30, count: 1 });
    await noted();
    host.act({ do: 'format', sheetId: 0, rectangle, background: '#ff0000' });
    await noted();
    host.act({ do: 'hideRows', sheetId: 0, first: 30, count: 1 });
    await noted();
    host.act({ do: 'select', sheetId: 0, rectangle });
    expect(await noted()).toEqual(lines);
  });
});

describe('a script that belongs to its spreadsheet', () => {
  it.each([
    ['bound', 'made'],
    ['add-on', expect.stringMatching(/1 hour/)],
  ] as const)('%s: a trigger each minute is %s', async (project, outcome) => {
    host = hostOf(
      `function f() {
        ScriptApp.newTrigger('g').timeBased().everyMinutes(1).create();
        ScriptApp.newTrigger('h').timeBased().everyMinutes(5).create();
        return 'made';
      }`,
      { project, documents: [documentOf(gridOf())] },
    );
    const run = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run(host.nowMs() + 10_000);
    const { value, error } = await run;
    expect(value ?? error?.message).toEqual(outcome);
  });
});
