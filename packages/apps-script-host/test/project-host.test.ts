// The package's front, as a project that tests itself uses it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHost, type ProjectHost, type ProjectHostOptions } from '../src/project-host';

const HOUR_MS = 3_600_000;
const opened: ProjectHost[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const host of opened.splice(0)) await host.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Rest = Omit<ProjectHostOptions, 'files' | 'projectDir'>;

function hostOf(files: Readonly<Record<string, string>>, rest: Rest = {}): ProjectHost {
  const host = createHost({ files, ...rest });
  opened.push(host);
  return host;
}

/** A folder with these files, and its host. */
function hostIn(files: Readonly<Record<string, string>>): ProjectHost {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const host = createHost({ projectDir: folder });
  opened.push(host);
  return host;
}

const one = (code: string, rest?: Rest) => hostOf({ 'Code.gs': code }, rest);

describe('several files', () => {
  it('see each other, constants and classes of earlier files at the top level too', async () => {
    const host = hostOf({
      'A.gs': 'const BASE = 2; class Price { constructor(net) { this.net = net; } }',
      'B.gs': 'const TWICE = new Price(BASE).net * 2; function f() { return later() + TWICE; }',
      'C.gs': 'function later() { return 1; }',
    });
    expect(await host.run('f')).toMatchObject({ ok: true, value: 5 });
  });

  it('are evaluated in their order, so that none has yet what a later one declares', async () => {
    const host = hostOf({ 'A.gs': 'const A = B + 1; function f() {}', 'B.gs': 'const B = 1;' });
    const { error, logs } = await host.run('f');
    expect(error).toEqual({ name: 'ReferenceError', message: 'B is not defined' });
    expect(logs.join()).toContain('A.gs:1');
  });

  it('have all their functions before the first statement of any', async () => {
    const host = hostOf({
      'A.gs': "'use strict';\nregister('a'); var first = count();",
      'B.gs':
        'var list; function register(x) { list = (list || []).concat(x); }\nfunction count() { return list.length; }',
      'C.gs': 'function f() { return [first, list]; }',
    });
    expect(await host.run('f')).toMatchObject({ ok: true, value: [1, ['a']] });
  });

  it('keep their lines in stacks though functions come first', async () => {
    const code = "const A = 1;\nfunction f() {\n  throw new Error('no');\n}\nconst B = 2;";
    const { failure } = await hostOf({ 'A.gs': code, 'B.gs': 'const C = 3;' }).run('f');
    expect(failure).toMatchObject({ line: 'A.gs:3', source: "throw new Error('no');" });
  });

  it('declare a constant once', async () => {
    const host = hostOf({ 'A.gs': 'const A = 1; function f() {}', 'B.gs': 'const A = 2;' });
    const { error } = await host.run('f');
    expect(error?.message).toBe("Identifier 'A' has already been declared");
  });

  it('are refused by name where Google refuses them', () => {
    const files = { 'A.gs': '', 'B.gs': 'class A {\n  b = 1;\n}' };
    const refusal = 'Syntax error: ParseError: Unexpected token = line: 2 file: B.gs';
    expect(() => hostOf(files)).toThrow(refusal);
  });
});

describe('a folder', () => {
  const code = 'var order = (typeof order === "undefined" ? "" : order) + ';
  const files = {
    '.clasp.json': '{ "scriptId": "x", "rootDir": "src", "filePushOrder": ["src/z.js"] }',
    'src/b.gs': `${code}"b"; function f() { return order; }`,
    'src/lib/a.js': `${code}"a";`,
    'src/z.js': `${code}"z";`,
    'test.js': 'throw new Error("not pushed");',
  };

  it('is read as clasp pushes it: the named first, the others by name', async () => {
    expect((await hostIn(files).run('f')).value).toBe('zba');
  });

  it('leaves out what .claspignore names', async () => {
    const claspignore = '# tests\n**/**\n!**/*.js\n!b.gs\nlib/**\n';
    expect((await hostIn({ ...files, '.claspignore': claspignore }).run('f')).value).toBe('zb');
  });

  it('without a script is told as that', () => {
    expect(() => hostIn({ 'README.md': '' })).toThrow('There is no script in');
  });
});

describe('a cell', () => {
  it('shows what its function returns, whatever case the formula is in', async () => {
    const host = one('function double(x) { return x * 2; }', { cells: [[4, '5'], ['six']] });
    expect((await host.cell('=DOUBLE(A1)')).value).toBe(8);
    expect((await host.cell('=Double(B1)')).value).toBe(10);
  });

  it('gets references as values, a range as rows, and dates as dates', async () => {
    const host = one('function F(range, day) { return [range, day.getUTCFullYear()]; }', {
      cells: [
        ['a', 1],
        ['', '2026-01-05'],
      ],
    });
    const { value } = await host.cell('=F(A1:B1,B2)');
    expect(value).toEqual([[['a', 1]], 2026]);
  });

  it('shows an error, and nothing where nothing is returned', async () => {
    const host = one('function F() { throw new Error("no"); }\nfunction G() {}\nfunction P_() {}');
    expect(await host.cell('=F()')).toMatchObject({
      value: '#ERROR!',
      error: { name: 'Error', message: 'no' },
    });
    expect((await host.cell('=G()')).value).toBe('');
    expect(await host.cell('=H()')).toMatchObject({ value: '#NAME?', ended: 'refused' });
    expect((await host.cell('=P_()')).value).toBe('#NAME?');
  });

  it('may not do what cells may not do', async () => {
    const host = one('function F() { SpreadsheetApp.getUi(); }');
    const { value, error } = await host.cell('=F()');
    expect(value).toBe('#ERROR!');
    expect(error?.message).toMatch(/getUi/);
  });

  it('is worked out when somebody edits what it names', async () => {
    const host = one('function DOUBLE(x) { return x * 2; }');
    await host.edit('A1', [[1, '=DOUBLE(A1)']]);
    expect(host.values('B1')).toEqual([[2]]);
    await host.edit('A1', [[21]]);
    expect(host.values('A1:B1')).toEqual([[21, 42]]);
  });

  it('tells how its function ended, since it shows no more than that it failed', async () => {
    const host = one(
      "function HALF(x) {\n  if (x % 2) throw new Error('Odd.');\n  return x / 2;\n}",
    );
    await host.edit('A1', [[3, '=HALF(A1)']]);
    expect([host.values('B1'), host.lastRun('A1')]).toEqual([[['#ERROR!']], null]);
    expect(host.lastRun('B1')).toMatchObject({
      ...{ ok: false, error: { message: 'Odd.' } },
      failure: { line: 'Code.gs:2', source: "if (x % 2) throw new Error('Odd.');" },
    });
    await host.edit('A1', [[4]]);
    expect(host.lastRun('B1')).toMatchObject({ ok: true, value: 2 });
  });

  it('is one execution of all that there were, by whoever started them', async () => {
    const host =
      one(`function install() { ScriptApp.newTrigger('note').timeBased().everyHours(1).create(); }
      function note() { throw new Error('No.'); }
      function onEdit() {}
      function F() { return 1; }`);
    await host.run('install');
    await host.edit('A1', [['=F()']]);
    await host.advance(1.5 * 3_600_000);
    const told = host.executions().map(({ functionName, door, ok }) => [functionName, door, ok]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ['install', 'menu', true],
        ['F', 'cell', true],
        ['onEdit', 'edit', true],
      ]),
    );
    expect(told[3]).toEqual(['note', 'clock', false]);
    expect(host.executions()[3]?.failure?.line).toBe('Code.gs:2');
  });

  it('is found by the name that a user has given it', async () => {
    const host = one(
      `function f() {
        const book = SpreadsheetApp.getActive();
        book.setNamedRange('prices', book.getRange('A1:A2'));
        return [book.getRange('prices'), book.getActiveSheet().getRange('Prices')].map((range) =>
          range.getValues().flat());
      }`,
      { cells: [[1], [2]] },
    );
    expect((await host.run('f')).value).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('is one call of a function', async () => {
    await expect(one('').cell('=1+1')).rejects.toThrow('=1+1 is not one call');
    const dated = one('function F() {}').cell('=F(DATE(2026,1,1))');
    await expect(dated).rejects.toThrow("await host.edit('A1', [['=F(DATE(2026,1,1))']])");
    expect(() => one('').values('Nowhere!A1')).toThrow('There are no cells Nowhere!A1.');
  });
});

describe('calls at the same moment', () => {
  const code = `
    function F() { return LockService.getScriptLock().tryLock(0) && Utilities.sleep(1000) === undefined; }
    function G() { return PropertiesService.getScriptProperties().getKeys().length; }`;

  it('run beside each other, also when time is let pass or somebody edits meanwhile', async () => {
    const host = one(code);
    const [first, second, third] = await Promise.all([
      host.run('F'),
      host.run('F'),
      host.run('G'),
      host.edit('A1', [[1]]),
      host.advance(HOUR_MS),
    ]);
    expect([first.value, second.value].sort()).toEqual([false, true]);
    expect([first.startedMs, third.startedMs]).toEqual([second.startedMs, second.startedMs]);
  });
});

describe('time', () => {
  const code = `
    function start() { ScriptApp.newTrigger('tick').timeBased().everyMinutes(10).create(); }
    function tick() {
      const properties = PropertiesService.getScriptProperties();
      properties.setProperty('n', String(Number(properties.getProperty('n') || 0) + 1));
    }
    function count() { return PropertiesService.getScriptProperties().getProperty('n'); }`;

  it('lets triggers fire, and takes no time', async () => {
    const host = one(code);
    await host.run('start');
    await host.advance(24 * HOUR_MS);
    // Triggers are late, so the last of the 144 is still to come.
    expect((await host.run('count')).value).toBe('143');
  });

  it('is counted for an add-on as Google counts it', async () => {
    const host = one(code, { profile: 'add-on' });
    expect((await host.run('start')).error?.message).toMatch(/hour/);
  });

  it('may be the machine’s', async () => {
    const host = one('function f() { Utilities.sleep(5); return Date.now(); }', { clock: 'real' });
    const { ok, startedMs, endedMs } = await host.run('f');
    expect([ok, endedMs - startedMs >= 5]).toEqual([true, true]);
    const before = host.nowMs();
    await host.advance(HOUR_MS);
    expect(host.nowMs() - before).toBeGreaterThanOrEqual(HOUR_MS);
  });

  it('passes as Google was measured, or not at all', async () => {
    const slow = await one('function f() {}').run('f');
    expect(slow.endedMs - slow.startedMs).toBeGreaterThan(100);
    const quick = await one('function f() {}', { latency: 'none' }).run('f');
    expect(quick.endedMs - quick.startedMs).toBe(0);
  });
});

describe('what goes wrong', () => {
  const code = `function f() {
    const properties = PropertiesService.getScriptProperties();
    properties.setProperty('a', '1');
    properties.setProperty('b', '1');
  }`;
  const kept = async (host: ProjectHost) => {
    await host.run('f');
    return Object.keys(host.stores.properties.read('script')).join();
  };

  it('is a crash at a call, before or after its effect, of the next execution alone', async () => {
    expect(await kept(one(code).kill({ beforeCall: 2 }))).toBe('a');
    expect(await kept(one(code).kill({ afterCall: 2 }))).toBe('a,b');
    const host = one(code).kill({ beforeCall: 1 });
    expect((await host.run('f')).ended).toBe('killed');
    expect((await host.run('f')).ended).toBe('returned');
  });

  it('is a service that fails, in the language of the account', async () => {
    const host = one('function f() { UrlFetchApp.fetch("https://a.example"); }', {
      faults: { rate: 1 },
      locale: 'de',
      seed: 2,
    });
    expect((await host.run('f')).error?.message).toMatch(/Dienstfehler|Serverfehler/);
  });

  it('comes out the same for the same seed, and is in the trace', async () => {
    const traceOf = async (seed: number) => {
      const host = one(code, { faults: { rate: 0.5 }, seed });
      await Promise.all([host.run('f'), host.run('f'), host.cell('=F()')]);
      return host.trace().join('\n');
    };
    const [first, again, other] = [await traceOf(1), await traceOf(1), await traceOf(2)];
    expect(first).toBe(again);
    expect(first).not.toBe(other);
    expect(first).toMatch(/#3 call {5}properties\.set script a/);
  });

  it('is a member that is not there, which says its name', async () => {
    const host = one('function f() { return SpreadsheetApp.getActive().getImages(); }');
    expect((await host.run('f')).error?.message).toBe('Spreadsheet.getImages is not emulated');
  });

  it('is a service, an advanced service or a library that is not there', async () => {
    const libraries = [{ userSymbol: 'Underscore', libraryId: 'x', version: '1' }];
    const enabledAdvancedServices = [{ userSymbol: 'Sheets', serviceId: 'sheets', version: 'v4' }];
    const dependencies = { libraries, enabledAdvancedServices };
    const host = createHost({
      files: {
        'appsscript.json': JSON.stringify({ dependencies }),
        'Code.gs': `function f(name) {
          return { form: () => FormApp.create('x'), sheets: () => Sheets.Spreadsheets,
            library: () => Underscore.load(), other: () => Moment.moment() }[name]();
        }`,
      },
    });
    const said = async (name: string) => (await host.run('f', name)).error?.message.split('. ')[0];
    expect([await said('form'), await said('sheets'), await said('library')]).toEqual([
      ...['FormApp.create is not emulated', 'Sheets.Spreadsheets is not emulated'],
      'Underscore.load is not emulated',
    ]);
    expect(await said('other')).toBe('Moment is not defined');
  });

  it('is told with its line, its call and its limit', async () => {
    const code = [
      'function quota() {',
      "  for (const day of ['a', 'b']) CacheService.getScriptCache().put(day, 'x');",
      "  PropertiesService.getScriptProperties().setProperty('k', 'x');",
      '  MailApp.sendEmail("a@example.com", "s", "b");',
      '}',
      'function large() {',
      "  PropertiesService.getScriptProperties().setProperty('k', 'x'.repeat(9217));",
      '}',
      "function wrapped() { try { large(); } catch (error) { throw new Error('mine'); } }",
    ].join('\n');
    const host = createHost({ files: { 'Code.gs': code }, limits: { mailRecipientsPerDay: 0 } });
    expect((await host.run('quota')).failure).toMatchObject({
      ...{ line: 'Code.gs:4', source: 'MailApp.sendEmail("a@example.com", "s", "b");' },
      call: { name: 'MailApp.sendEmail', number: 4 },
      limit: { name: 'mailRecipientsPerDay', value: 0 },
    });
    expect((await host.run('large')).failure).toMatchObject({
      line: 'Code.gs:7',
      limit: { name: 'bytes of a value', value: 9_216 },
    });
    const { failure } = await host.run('wrapped');
    expect([failure?.line, failure?.call, failure?.limit]).toEqual([
      'Code.gs:9',
      undefined,
      undefined,
    ]);
    expect((await host.kill({ afterCall: 2 }).run('quota')).failure).toEqual({
      call: { name: 'CacheService.put', number: 2 },
    });
  });

  it('may be set lower', async () => {
    const host = one('function f() { UrlFetchApp.fetch("https://a.example"); }', {
      sites: { 'a.example': () => 'ok' },
      limits: { urlFetchPerDay: 1 },
    });
    expect((await host.run('f')).ok).toBe(true);
    expect((await host.run('f')).error?.message).toMatch(/urlfetch/i);
  });
});

describe('what people see', () => {
  const files = {
    'Code.gs': `
      function onOpen() {
        SpreadsheetApp.getUi().createMenu('Prices').addItem('Show', 'show').addToUi();
      }
      function show() {
        SpreadsheetApp.getUi().showSidebar(
          HtmlService.createHtmlOutputFromFile('Page').setTitle('Prices'));
      }
      function sum(a, b) { return a + b; }
      function quiet() {}`,
    'Page.html': '<script>// a word\nrun();</script>',
  };

  it('is a menu, and a page whose calls reach the script', async () => {
    const host = hostOf(files);
    const menu = await host.open();
    expect(menu).toMatchObject({ caption: 'Prices', items: [{ functionName: 'show' }] });
    const sidebar = await host.openSidebar('show');
    expect([sidebar.title, sidebar.html]).toEqual(['Prices', '<script>\nrun();</script>']);
    expect((await sidebar.run('sum', 1, 2)).value).toBe(3);
    expect((await sidebar.run('hidden_')).ended).toBe('refused');
  });

  it('may be made by constants, variables and methods', async () => {
    const host = one(`
      const onOpen = () =>
        SpreadsheetApp.getUi().createMenu('Menu').addItem('One', 'menu.item1').addToUi();
      var onEdit = function (e) { e.range.setNote('edited'); };
      const menu = { item1() { return 'chosen'; } };
      const TWICE = (x) => 2 * x;
      function install() { ScriptApp.newTrigger('menu.tick').timeBased().everyHours(1).create(); }
      menu.tick = () => PropertiesService.getScriptProperties().setProperty('tick', 'yes');
      function note() { return SpreadsheetApp.getActiveSheet().getRange('A1').getNote(); }`);
    expect(await host.open()).toMatchObject({ items: [{ functionName: 'menu.item1' }] });
    expect((await host.run('menu.item1')).value).toBe('chosen');
    await host.edit('A1', [[4, '=TWICE(A1)']]);
    expect([host.values('B1'), (await host.run('note')).value]).toEqual([[[8]], 'edited']);
    expect((await host.cell('=twice(5)')).value).toBe(10);
    await host.run('install');
    await host.advance(2 * HOUR_MS);
    expect(host.stores.properties.read('script')).toEqual({ tick: 'yes' });
  });

  it('is an error where the project cannot be read or onOpen throws', async () => {
    await expect(one('function f( {').open()).rejects.toThrow('onOpen failed: SyntaxError');
    const throwing = one("function onOpen() {\n  throw new Error('No menu.');\n}");
    await expect(throwing.open()).rejects.toThrow(
      "onOpen failed: Error: No menu. (Code.gs:2 | throw new Error('No menu.');)",
    );
  });

  it('is nothing where a function shows nothing', async () => {
    await expect(hostOf(files).openSidebar('quiet')).rejects.toThrow('quiet showed no page.');
    expect(await one('').open()).toBeNull();
  });
});

describe('a web app', () => {
  const code = `
    function doGet(e) {
      if (e.parameter.as === 'json')
        return ContentService.createTextOutput(JSON.stringify([e.parameters.id, e.queryString]))
          .setMimeType(ContentService.MimeType.JSON);
      if (e.parameter.as === 'number') return 1;
      if (e.parameter.as === 'nothing') return;
      return HtmlService.createHtmlOutput('<script>/* x */y()</script>').setTitle('Orders');
    }
    function doPost(e) {
      return ContentService.createTextOutput(e.postData.contents + e.pathInfo);
    }
    function book() { return SpreadsheetApp.getActive(); }`;
  const web = () => one(code, { profile: 'web' });

  it('answers with pages and texts', async () => {
    const host = web();
    expect((await host.visit()).value).toEqual({
      kind: 'html',
      content: '<script>y()</script>',
      title: 'Orders',
    });
    const json = await host.visit({ parameters: { as: 'json', id: ['1', '2'] } });
    const content = '[["1","2"],"as=json&id=1&id=2"]';
    expect(json.value).toEqual({ kind: 'text', content, mimeType: 'JSON' });
    const posted = await host.visit({ path: '/12', body: 'x' });
    expect(posted.value).toMatchObject({ content: 'x/12' });
  });

  it('has to return something that is served', async () => {
    const host = web();
    const said = async (as: string) => (await host.visit({ parameters: { as } })).error?.message;
    expect(await said('number')).toMatch(/not a supported return type/);
    expect(await said('nothing')).toMatch(/did not return anything/);
  });

  it('has no active spreadsheet', async () => {
    expect((await web().run('book')).value).toBeNull();
  });
});
