// Four kinds of script that people write for Sheets, as the host must run them: written here, after
// what such programs do in the field.

import { describe, expect, it } from '@jest/globals';
import { createSandboxedInternet, type SandboxReply } from '../src/internet/sandboxed';
import { hostOf, resultOf } from './script-host';
import { contentsOf, documentOf, gridOf } from './services/spreadsheet-app/grid-script';

const json = (value: unknown): SandboxReply => ({
  kind: 'answer',
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
  delayMs: 50,
});

describe('a function that imports JSON into cells', () => {
  const internet = createSandboxedInternet({
    'data.example.com': () =>
      json({
        items: [
          { name: 'a', price: { net: 1.5 } },
          { name: 'b', tags: ['x', 'y'] },
        ],
      }),
  });
  const code = `
    /** @customfunction */
    function IMPORT_FIELDS(url, path, fields) {
      var options = null;
      var cache = CacheService.getScriptCache();
      var key = Utilities.base64Encode(Utilities.computeDigest(Utilities.DigestAlgorithm.MD5, url));
      var text = cache.get(key);
      if (text === null) {
        text = UrlFetchApp.fetch(url, options).getContentText();
        cache.put(key, text, 300);
      }
      var list = path.split('.').reduce(function (at, name) { return at[name]; }, JSON.parse(text));
      var names = Array.isArray(fields) ? fields[0] : String(fields).split(/\\s*,\\s*/);
      return [names].concat(list.map(function (item) {
        return names.map(function (name) {
          var value = name.split('/').reduce(function (at, part) {
            return at === undefined || at === null ? undefined : at[part];
          }, item);
          return value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : value;
        });
      }));
    }`.replaceAll('\\\\', '\\');

  it('gives a table with its headers, asked once for many cells', async () => {
    const host = hostOf(code, { internet });
    const call = () =>
      host.start({
        functionName: 'IMPORT_FIELDS',
        args: ['https://data.example.com/list', 'items', 'name, price/net, tags'],
        door: 'cell',
      });
    const table = [
      ['name', 'price/net', 'tags'],
      ['a', 1.5, ''],
      ['b', '', '["x","y"]'],
    ];
    const first = call();
    await host.run();
    const second = call();
    await host.run();
    expect([(await first).value, (await second).value]).toEqual([table, table]);
    expect(host.stores.urlFetch.requestsToday('owner@example.com')).toBe(1);
    await host.stop();
  });
});

describe('a store of tokens, as sign-in libraries keep one', () => {
  const internet = createSandboxedInternet({
    'login.example.com': (request) =>
      json({ access_token: `t-${request.body.length}`, expires_in: 3_600 }),
  });
  const code = `
    function tokenStore(properties, cache, lock) {
      function read() {
        var text = cache.get('token') || properties.getProperty('token');
        if (text && !cache.get('token')) cache.put('token', text, 21600);
        return text ? JSON.parse(text) : null;
      }
      function isFresh(token) { return token !== null && token.expires - Date.now() / 1000 > 60; }
      return {
        get: function () {
          var token = read();
          if (isFresh(token)) return token.value;
          lock.waitLock(10000);
          try {
            token = read();
            if (isFresh(token)) return token.value;
            var reply = JSON.parse(UrlFetchApp.fetch('https://login.example.com/token', {
              method: 'post',
              payload: { grant_type: 'refresh_token', refresh_token: 'r' },
              muteHttpExceptions: true,
            }).getContentText());
            var next = { value: reply.access_token, expires: Date.now() / 1000 + reply.expires_in };
            properties.setProperty('token', JSON.stringify(next));
            cache.put('token', JSON.stringify(next), 21600);
            return next.value;
          } finally {
            lock.releaseLock();
          }
        },
        reset: function () { properties.deleteProperty('token'); cache.remove('token'); },
        url: function () {
          return 'https://login.example.com/authorize?state=' + encodeURIComponent(
            ScriptApp.newStateToken().withMethod('signedIn').withTimeout(3600).createToken());
        },
      };
    }
    function store() {
      return tokenStore(PropertiesService.getUserProperties(), CacheService.getUserCache(),
        LockService.getUserLock());
    }
    function f() { return store().get(); }
    function reset() { store().reset(); return store().url(); }`;

  it('asks for a token once, however many executions want one at the same time', async () => {
    const host = hostOf(code, { internet });
    const run = (functionName: string) => host.start({ functionName, args: [], door: 'menu' });
    const all = [run('f'), run('f'), run('f')];
    await host.run();
    const tokens = await Promise.all(all.map(async (outcome) => (await outcome).value));
    expect(new Set(tokens).size).toBe(1);
    expect(host.stores.urlFetch.requestsToday('owner@example.com')).toBe(1);
    const reset = run('reset');
    await host.run();
    expect((await reset).value).toMatch(/^https:\/\/login\.example\.com\/authorize\?state=./);
    expect(host.stores.properties.read('user/owner@example.com')).toEqual({});
    await host.stop();
  });
});

describe('a clean-up that is chosen from a menu', () => {
  const code = `
    function onOpen() {
      SpreadsheetApp.getUi().createMenu('Clean up').addItem('Remove repeated rows', 'f').addToUi();
    }
    function f() {
      const ui = SpreadsheetApp.getUi();
      const reply = ui.prompt('Which column tells rows apart?');
      if (reply.getSelectedButton() !== ui.Button.OK) return 'left alone';
      const sheet = SpreadsheetApp.getActiveSheet();
      const column = sheet.getRange(reply.getResponseText() + '1').getColumn();
      const rows = sheet.getDataRange().getValues();
      const seen = {};
      const kept = rows.filter((row) => {
        const key = String(row[column - 1]).trim().toLowerCase();
        const isNew = !seen[key];
        seen[key] = true;
        return isNew;
      });
      sheet.clearContents();
      sheet.getRange(1, 1, kept.length, kept[0].length).setValues(kept);
      sheet.setFrozenRows(1);
      sheet.setColumnWidth(1, 160);
      SpreadsheetApp.getActiveSpreadsheet().toast(
        Utilities.formatString('%d of %d rows removed', rows.length - kept.length, rows.length));
      return sheet.getActiveCell().getA1Notation();
    }`;
  const rows = [
    ['name', 'asin'],
    ['one', 'B01'],
    ['two', 'b01 '],
    ['three', 'B02'],
  ];

  it('asks, works on the sheet in view and says what it did', async () => {
    const toasts: string[] = [];
    const grid = gridOf(rows);
    const screen = {
      onQuestion: () => ({ button: 'OK', text: 'B' }) as const,
      onToast: (message: string) => void toasts.push(message),
    };
    expect(await resultOf(code, {}, { documents: [documentOf(grid)], screen })).toBe('A1');
    expect(contentsOf(grid)).toEqual([rows[0], rows[1], rows[3]]);
    expect(toasts).toEqual(['1 of 4 rows removed']);
  });

  it('leaves the sheet alone where nobody answers', async () => {
    const grid = gridOf(rows);
    expect(await resultOf(code, {}, { documents: [documentOf(grid)] })).toBe('left alone');
    expect(contentsOf(grid)).toEqual(rows);
  });
});

describe('a trigger that writes a log', () => {
  const code = `
    function install() {
      ScriptApp.getProjectTriggers().forEach((trigger) => ScriptApp.deleteTrigger(trigger));
      ScriptApp.newTrigger('tick').timeBased().everyHours(1).create();
    }
    function tick(e) {
      const book = SpreadsheetApp.getActiveSpreadsheet();
      const log = book.getSheetByName('Log') || book.insertSheet('Log');
      if (log.getLastRow() === 0) log.appendRow(['when', 'trigger']).setFrozenRows(1);
      log.appendRow([new Date(), e.triggerUid === undefined ? 'by hand' : 'by the clock']);
      if (log.getLastRow() > 4) log.deleteRows(2, log.getLastRow() - 4);
    }`;

  it('adds a line each hour and keeps the last three', async () => {
    const grid = gridOf();
    const host = hostOf(code, { documents: [documentOf(grid)], project: 'bound' });
    void host.start({ functionName: 'install', args: [], door: 'menu' });
    await host.run(host.nowMs() + 5.5 * 3_600_000);
    await host.stop();
    const log = grid.sheets().find(({ name }) => name === 'Log')?.id ?? -1;
    const lines = grid.values(log, { row: 1, column: 1, rowCount: 5, columnCount: 2 });
    expect(lines.map(([, how]) => how)).toEqual([
      ...['trigger', 'by the clock', 'by the clock', 'by the clock', ''],
    ]);
    expect(lines[1]?.[0]).toBeInstanceOf(Date);
  });
});
