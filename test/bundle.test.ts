// The four files as they would be pushed: what Google and Sheets see of them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'acorn';
import { buildAddOn } from '../scripts/build/add-on';
import { BUILT, built } from './build-once';

/** On purpose not the build's own list: people's sheets and triggers hold on to these names. */
const CUSTOM_FUNCTIONS = {
  ANALYZE: ['asin', 'market', 'fields', 'refresh'],
  ANALYZE_ASIN: ['text'],
  ANALYZE_FIELDS: ['fields'],
  ANALYZE_MAX_BUY: ['asin', 'market', 'target_roi', 'refresh'],
  ANALYZE_WHAT_IF: ['asin', 'market', 'buy_price', 'sell_price', 'refresh'],
};
const HANDLERS = [
  ...['enableFunctions', 'newDealSheet', 'onInstall', 'onOpen', 'onSchedule', 'openSidebar'],
  ...['rpc', 'runDiagnostics'],
];
const NAMES = [...Object.keys(CUSTOM_FUNCTIONS), ...HANDLERS, 'AddOn'].sort();

const read = (name: string): string => readFileSync(join(BUILT, name), 'utf8');

describe('the built add-on', () => {
  it('is exactly a manifest, a script and two pages', () => {
    expect(readdirSync(BUILT).sort()).toEqual([
      ...['Code.js', 'Diagnostics.html', 'Sidebar.html', 'appsscript.json'],
    ]);
  });

  it('has the same bytes when it is built again, and leaves nothing behind of an earlier build', async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'bundle-'));
    mkdirSync(join(outDir, 'older'));
    writeFileSync(join(outDir, 'older.js'), 'let older;');
    buildAddOn({ outDir, loopback: false });
    expect(readdirSync(outDir).sort()).toEqual(readdirSync(BUILT).sort());
    for (const name of readdirSync(BUILT))
      expect(readFileSync(join(outDir, name)).equals(readFileSync(join(BUILT, name)))).toBe(true);
    rmSync(outDir, { recursive: true });
  });

  it('differs for the playground in nothing but the permission to use loopback', async () => {
    const folder = built('loopback');
    const playground = (name: string) => readFileSync(join(folder, name), 'utf8');
    for (const name of ['appsscript.json', 'Diagnostics.html', 'Sidebar.html'])
      expect(playground(name)).toBe(read(name));
    expect(playground('Code.js')).not.toBe(read('Code.js'));
  });

  it('asks for the four scopes and the V8 runtime', () => {
    const manifest = JSON.parse(read('appsscript.json'));
    expect(manifest.runtimeVersion).toBe('V8');
    expect([...manifest.oauthScopes].sort()).toEqual([
      'https://www.googleapis.com/auth/script.container.ui',
      'https://www.googleapis.com/auth/script.external_request',
      'https://www.googleapis.com/auth/script.scriptapp',
      'https://www.googleapis.com/auth/spreadsheets.currentonly',
    ]);
  });
});

describe('Code.js', () => {
  it('loads where no service of Google exists, and adds the listed names and no other', () => {
    const context = createContext({});
    const before = new Set(Object.getOwnPropertyNames(runInContext('globalThis', context)));
    runInContext(read('Code.js'), context);
    const after: string[] = Object.getOwnPropertyNames(runInContext('globalThis', context));
    // zod keeps its settings in a global, a plain object that no cell can call.
    const own = after.filter((name) => !before.has(name) && name !== '__zod_globalConfig');
    expect(own.sort()).toEqual(NAMES);
  });

  it('is free of syntax newer than 2020', () => {
    expect(() => parse(read('Code.js'), { ecmaVersion: 2020, sourceType: 'script' })).not.toThrow();
  });

  it('makes no code of text, as zod would with its full-size objects', () => {
    expect(read('Code.js')).not.toMatch(/\beval\(|\bnew Function\b|\ballowsEval\b/);
  });

  it('names functions as the source does, so that a stack trace can be read', () => {
    const context = createContext({ SpreadsheetApp: {}, stack: '' });
    runInContext(read('Code.js'), context);
    runInContext('SpreadsheetApp.getUi = () => { stack = new Error().stack; throw 1 }', context);
    runInContext('try { onOpen() } catch {}', context);
    const stack = String(runInContext('stack', context));
    for (const name of ['addMenu', 'orPlainly', 'onOpen']) expect(stack).toContain(`at ${name} `);
  });

  it.each(Object.entries(CUSTOM_FUNCTIONS))(
    'declares %s with named parameters right under a JSDoc that describes each of them',
    (name, parameters) => {
      const declaration = `function ${name}(${parameters.join(', ')}) {`;
      const above = read('Code.js').split(`\n${declaration}`)[0] ?? '';
      expect(above).not.toBe(read('Code.js'));
      expect(above.endsWith(' */')).toBe(true);
      const doc = above.slice(above.lastIndexOf('/**'));
      expect(doc).toContain('@customfunction');
      const described = [...doc.matchAll(/@param \{[^}]*\} (\w+) \S/g)].map(([, found]) => found);
      expect(described).toEqual(parameters);
    },
  );

  it.each(HANDLERS)('keeps %s out of the autocompletion of cells', (name) => {
    const above = read('Code.js').split(`\nfunction ${name}(`)[0] ?? '';
    expect(above).not.toBe(read('Code.js'));
    expect(
      above.trimEnd().endsWith('*/') && above.includes('@customfunction', above.lastIndexOf('/**')),
    ).toBe(false);
  });
});

describe('Sidebar.html', () => {
  it('has no schema and none of what makes them, and stays below its size', () => {
    expect(read('Sidebar.html')).not.toContain('._zod');
    expect(read('Sidebar.html').length).toBeLessThan(206_000);
  });

  it('has the licences of the libraries that are pushed', () => {
    const [, notices = ''] =
      /<template id="notices">([\s\S]*?)<\/template>/.exec(read('Sidebar.html')) ?? [];
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const licence = readFileSync(join('node_modules', name, 'LICENSE'), 'utf8').trim();
      const [holder = '', terms = ''] = licence.split(/\n\n(?=Permission)/);
      expect(notices).toContain(`${name}\n${holder}\n`);
      expect(notices).toContain(terms);
    }
  });

  it('calls no service of Google, which no browser has', () => {
    expect(read('Sidebar.html')).not.toMatch(
      /SpreadsheetApp|PropertiesService|CacheService|UrlFetchApp/,
    );
  });

  it('has one style, and beside its script the one that watches its start, all written into it', () => {
    const html = read('Sidebar.html');
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html.match(/<style>[^<]+<\/style>/g)).toHaveLength(1);
  });
});

describe.each([['Diagnostics.html'], ['Sidebar.html']])('the page %s', (name) => {
  it('names nothing that a browser would load', () => {
    const markup = read(name).replace(/<script>[\s\S]*?<\/script>/g, '');
    expect(markup).not.toMatch(/\b(?:src|srcset|data|poster)\s*=/i);
    expect(markup).not.toMatch(/<link|@import|url\((?!['"]?(?:data:|#))/i);
  });

  it('asks nothing of anybody but by the way that Google gives it', () => {
    const scripts = [...read(name).matchAll(/<script>([\s\S]*?)<\/script>/g)].join('\n');
    expect(scripts.length).toBeGreaterThan(100);
    expect(scripts).not.toMatch(
      /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|\bimport\(|new Image|\.src=|window\.open/,
    );
  });

  it('starts with its doctype, so that browsers keep to the standard', () => {
    expect(read(name)).toMatch(/^<!doctype html>/i);
  });
});
