// What each way of starting a script may call, as the editor add-on lifecycle says.

import { expect, it } from '@jest/globals';
import { outcomeOf } from './script-host';

const CALLS = {
  cache: "CacheService.getUserCache().get('a')",
  properties: "PropertiesService.getUserProperties().getProperty('a')",
  lock: 'LockService.getUserLock().tryLock(0)',
  fetch: "UrlFetchApp.fetch('https://nowhere.example.com')",
  triggers: 'ScriptApp.getProjectTriggers()',
  utilities: 'Utilities.getUuid()',
  locale: 'Session.getActiveUserLocale()',
} as const;

const STORES = ['cache', 'properties', 'lock'] as const;
const HARMLESS = ['utilities', 'locale'] as const;

it.each([
  ['NONE', HARMLESS],
  ['LIMITED', [...STORES, ...HARMLESS]],
  ['CUSTOM_FUNCTION', [...STORES, 'fetch', ...HARMLESS]],
  ['FULL', [...STORES, 'fetch', 'triggers', ...HARMLESS]],
] as const)('in mode %s exactly these may be called: %j', async (authMode, allowed) => {
  const callable: string[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const { error } = await outcomeOf(`function f() { ${call}; }`, { authMode });
    if (!error?.message.startsWith('You do not have permission to call')) callable.push(name);
  }
  expect(callable).toEqual([...allowed]);
});
