// From installed to working: every authorisation mode, missing permissions, and words for each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from 'apps-script-host/host';
import type { ScreenMenu } from 'apps-script-host/service';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { PERMISSIONS } from '../../src/sidebar/diagnostics';
import { BUILT } from '../build-once';
import { createWorld, type World, type WorldOptions } from './world';

const SERVICES = [
  ...['CacheService', 'HtmlService', 'LockService', 'Logger', 'PropertiesService', 'ScriptApp'],
  ...['Session', 'SpreadsheetApp', 'UrlFetchApp', 'Utilities', 'console'],
];
const HELPER = 'helper@example.com';
const SCOPES = PERMISSIONS.map(({ scope }) => scope);
const without = (part: string) => SCOPES.filter((scope) => !scope.includes(part));

let world: World;
afterEach(() => world?.stop());

/** A world of which one sees what it shows. */
function watched(options: WorldOptions['host'] = {}) {
  const seen = { menus: [] as ScreenMenu[], sidebars: [] as string[], messages: [] as string[] };
  const dialogs: string[] = [];
  world = createWorld({
    host: {
      screen: {
        onMenu: (menu) => seen.menus.push(menu),
        onSidebar: (html) => seen.sidebars.push(html),
        onAlert: (message) => seen.messages.push(message),
        onDialog: (html) => dialogs.push(html),
      },
      ...options,
    },
  });
  return { ...seen, dialogs };
}

const choose = (functionName: string, userEmail = 'owner@example.com'): Promise<Outcome> =>
  world.run({ functionName, args: [], door: 'menu', userEmail });

it('loading the script touches no service, whatever the mode', () => {
  const seen: string[] = [];
  const touched = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, member) => {
          seen.push(`${name}.${String(member)}`);
          throw new TypeError('touched');
        },
      },
    );
  const context = createContext(Object.fromEntries(SERVICES.map((name) => [name, touched(name)])));
  const code = readFileSync(join(BUILT, 'Code.js'), 'utf8');
  expect(() => runInContext(code, context)).not.toThrow();
  expect(seen).toEqual([]);
  // Google logs what is thrown, so it says no more than its name.
  expect(() => runInContext('onOpen()', context)).toThrow('The add-on failed with TypeError.');
  expect(seen[0]).toBe('SpreadsheetApp.getUi');
});

describe('the menu', () => {
  it.each([
    ['open', 'NONE'],
    ['open', 'LIMITED'],
    ['open', 'FULL'],
    ['install', 'FULL'],
  ] as const)(
    'is added by %s in the mode %s, which needs nothing but the menu',
    async (door, mode) => {
      const { menus } = watched();
      const functionName = door === 'open' ? 'onOpen' : 'onInstall';
      const opened = await world.run({ functionName, args: [], door, authMode: mode });
      expect(opened).toMatchObject({ ok: true, serviceCalls: 2 });
      expect(world.crossed().match(/"operation":"[^"]+"/g)).toEqual([
        '"operation":"spreadsheet.getUi"',
        '"operation":"spreadsheet.addMenu"',
      ]);
      const captions = menus[0]?.items.map((item) => (item.kind === 'item' ? item.caption : ''));
      expect(captions).toEqual([
        ...['Open sidebar', 'New deal sheet', 'Turn on formulas here', 'Run diagnostics'],
      ]);
    },
  );

  it('names functions that exist and do what they say', async () => {
    const { menus, sidebars, messages, dialogs } = watched();
    void world.host.start({ functionName: 'onOpen', args: [], door: 'open' });
    await world.host.run();
    for (const item of menus[0]?.items ?? [])
      if (item.kind === 'item') expect(await choose(item.functionName)).toMatchObject({ ok: true });
    expect(
      sidebars.map((html) => html.match(/data-locale="[^"]*" data-opens="[^"]*"/)?.[0]),
    ).toEqual([
      'data-locale="en-US" data-opens=""',
      'data-locale="en-US" data-opens="new-deal-sheet"',
    ]);
    expect(dialogs).toHaveLength(1);
    expect(messages).toEqual([expect.stringMatching(/^=ANALYZE is on\. .*#NAME\?/)]);
  });
});

describe('a box un-ticked when Google asked', () => {
  it('for the sidebar: a message says so and where to allow it', async () => {
    const { sidebars, messages } = watched({ consents: { [HELPER]: without('container.ui') } });
    expect(await choose('openSidebar', HELPER)).toMatchObject({ ok: true });
    expect(sidebars).toEqual([]);
    expect(messages).toEqual([
      'The add-on lacks a permission it needs. ' +
        'Allow it here: https://script.google.com/d/emulated-script/authorize',
    ]);
  });

  it('for the sidebar: the diagnostics are shown all the same', async () => {
    const { dialogs, messages } = watched({ consents: { [HELPER]: without('container.ui') } });
    expect(await choose('runDiagnostics', HELPER)).toMatchObject({ ok: true });
    expect(dialogs).toEqual([]);
    expect(messages[0]).toContain('PROBLEM  Permissions: not given: sidebar and dialogs.');
  });

  it('for calls to the service: the check says so and where to allow it', async () => {
    watched({ consents: { 'owner@example.com': without('external_request') } });
    await world.connect();
    expect(await world.rpc('connection.check')).toEqual({
      ok: false,
      failure: {
        kind: 'not-permitted',
        message: 'The add-on lacks a permission it needs.',
        action: 'Choose "Run diagnostics" in the menu to allow it.',
        grantUrl: 'https://script.google.com/d/emulated-script/authorize',
      },
    });
  });

  it.each([
    ['external_request', 'calls to the service'],
    ['spreadsheets', 'this spreadsheet'],
    ['scriptapp', 'schedules'],
  ])('%s: the report names it and links to where it can be allowed', async (part, about) => {
    const { dialogs } = watched({ consents: { [HELPER]: without(part) } });
    await choose('runDiagnostics', HELPER);
    expect(dialogs[0]).toContain(`PROBLEM  Permissions: not given: ${about}.`);
    expect(dialogs[0]).toContain('<a href="https://script.google.com/d/emulated-script/authorize"');
  });

  it('is known by the same list as the manifest', () => {
    const manifest = JSON.parse(readFileSync(join(BUILT, 'appsscript.json'), 'utf8'));
    expect([...SCOPES].sort()).toEqual([...manifest.oauthScopes].sort());
  });
});

describe('a cell that Google lets make no calls', () => {
  it('says so and where to look, and asks for nothing', async () => {
    watched();
    await world.connect();
    const call = { functionName: 'ANALYZE', args: ['B0XKT7M4QN', 'US'], door: 'cell' } as const;
    const outcome = await world.run({ ...call, authMode: 'LIMITED' });
    expect(outcome.error?.message).toBe(
      'Not analyzed: the add-on lacks a permission it needs. ' +
        `See Extensions > ${ADD_ON_NAME} > Run diagnostics`,
    );
  });
});
