// Google's refusals in the languages of its accounts: every door tells them apart in all of them.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host';
import { inWords, LOCALES, type Locale, say } from 'apps-script-host/messages';
import type { Act } from 'apps-script-host/sheet/acts';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { PERMISSIONS } from '../../src/sidebar/diagnostics';
import { atWork, granted, sheetOf, US_ASINS, worldWith } from './bulk-list';
import { schedule, strike } from './schedule-list';
import { BASE_URL, createWorld, DEMO, documentOf, OWNER, type World } from './world';

let world: World;
afterEach(() => world?.stop());

const HELPER = 'helper@example.com';
const LIST = US_ASINS.slice(40, 60);

type Play = (locale: Locale) => Promise<unknown>;
type Case = readonly [string, Play, RegExp];

const without = (part: string) =>
  PERMISSIONS.map(({ scope }) => scope).filter((scope) => !scope.includes(part));

const listOf = () => sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, 'note'])]);

async function connected(locales: Locale, host: Partial<HostOptions> = {}, draft: object = {}) {
  world = createWorld({ host: { workers: 2, locales, ...host } });
  granted(
    await world.rpc('connection.save', {
      baseUrl: BASE_URL,
      ...DEMO,
      sharing: 'spreadsheet',
      ...draft,
    }),
  );
  return [...world.service().catalogue.asins.US].slice(-5);
}

const shown = async (asin = '') =>
  (await world.show('ANALYZE', asin, 'US', 'profit')).error?.message;

const failureOf = async (method: string, payload: object = {}, userEmail = OWNER) =>
  (await world.rpc(method, payload, userEmail)).failure?.message;

const NEW_SHEET = { kind: 'wholesale', hasSamples: false };

type During = (grid: PlainGrid, listId: number, tabId: number) => Act | null;

/** What a job over the list says at its end, when this was done just before its n-th such call. */
async function jobWhile(locales: Locale, operation: RegExp, at: number, during: During) {
  const sheet = listOf();
  const { grid } = sheet;
  grid.addSheet('Another', 2);
  let seen = 0;
  const betweenCalls = (call: { readonly operation: string }) => {
    seen += operation.test(call.operation) ? 1 : 0;
    if (seen !== at) return [];
    seen += 1;
    const tabId = grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? -1;
    const act = during(grid, sheet.id, tabId);
    return act === null ? [] : [act];
  };
  const document = { ...sheet.document, editors: [HELPER] };
  world = await worldWith({ document }, { host: { workers: 2, locales, betweenCalls } });
  const choice = granted(await world.rpc('list.look', {}, HELPER)).choice as object;
  const started = await world.rpc('jobs.start', choice, HELPER);
  if (!started.ok) return started.failure?.message;
  const { status, queue: products } = atWork(started);
  const { jobId } = status;
  const asked = granted(await world.rpc('jobs.ask', { jobId, products, maxMs: 20_000 }, HELPER));
  const { answers, calls } = asked;
  const recorded = await world.rpc('jobs.record', { jobId, answers, calls }, HELPER);
  if (seen <= at) return `There were only ${seen} such calls.`;
  return recorded.failure?.message ?? String(granted(recorded).state);
}

const CELLS: readonly Case[] = [
  [
    "Google's day of calls elsewhere is spent",
    async (locale) => {
      const asins = await connected(locale, { limits: { urlFetchPerDay: 1 } });
      await shown(asins[0]);
      return shown(asins[1]);
    },
    /^Not analyzed: Google's daily call limit is used up\. Calls continue within 24 hours/,
  ],
  [
    "Google's day of properties is spent",
    async (locale) => {
      const asins = await connected(locale, { limits: { propertyCallsPerDay: 16 } });
      const seen: unknown[] = [];
      for (let tries = 0; tries < 12; tries += 1) seen.push(await shown(asins[0]));
      return seen.at(-1);
    },
    /^Not analyzed: Google's daily call limit is used up/,
  ],
  [
    'too many calls elsewhere in a short time',
    async (locale) => {
      const asins = await connected(locale, { limits: { urlFetchInShortTime: 0 } });
      const text = await shown(asins[0]);
      const google = inWords(say('hurried', 'urlfetch'), locale).slice(0, 20);
      return text?.includes(google) ? text : `without "${google}": ${text}`;
    },
    /^Not analyzed: Google had a problem .*Try again in a minute$/,
  ],
  [
    'an address that nobody has',
    async (locale) => {
      const asins = await connected(locale, {}, { baseUrl: 'https://nobody.example' });
      return shown(asins[0]);
    },
    /^Not analyzed: the service cannot be reached/,
  ],
  [
    'a service that is silent',
    async (locale) => {
      await connected(locale);
      return shown('B0SILENCE0');
    },
    /^Not analyzed: the service took too long to answer/,
  ],
  [
    'locks that Google has had too many calls of',
    async (locale) => {
      const asins = await connected(locale, { limits: { lockOperationsPerSecond: 0 } });
      return shown(asins[0]);
    },
    /^Not analyzed: waiting its turn, about /,
  ],
];

const PAGES: readonly Case[] = [
  [
    'calls elsewhere are not allowed',
    async (locale) => {
      await connected(locale, { consents: { [OWNER]: without('external_request') } });
      return failureOf('connection.check');
    },
    /^The add-on lacks a permission/,
  ],
  [
    'the spreadsheet is not allowed',
    async (locale) => {
      await connected(locale, { consents: { [HELPER]: without('spreadsheets') } });
      return failureOf('deals.newSheet', NEW_SHEET, HELPER);
    },
    /^The add-on lacks a permission/,
  ],
  [
    'a name that another sheet has, in other letters',
    async (locale) => {
      const sheet = sheetOf([['something']]);
      sheet.grid.addSheet('WHOLESALE', 2);
      await connected(locale, { documents: [sheet.document] });
      return granted(await world.rpc('deals.newSheet', NEW_SHEET)).name;
    },
    /^Wholesale 2$/,
  ],
  [
    'a spreadsheet without room',
    async (locale) => {
      const grid = createPlainGrid({ maxRows: 399_000, maxColumns: 25 });
      grid.write(0, 1, 1, [['ASIN'], ...LIST.map((asin) => [asin])]);
      grid.write(0, 1, 2, [Array.from({ length: 24 }, (_, at) => `mine ${at}`)]);
      world = await worldWith(
        { document: { ...documentOf('sheet-1'), model: grid } },
        { host: { workers: 2, locales: locale } },
      );
      const choice = granted(await world.rpc('list.look')).choice as object;
      return failureOf('jobs.start', choice);
    },
    /^The spreadsheet has no room for more columns/,
  ],
  [
    'data validation that rejects what a job writes',
    (locale) =>
      jobWhile(locale, /urlFetch\.fetchAll/, 2, (grid, _listId, tabId) => {
        const rectangle = { row: 2, column: 1, rowCount: LIST.length, columnCount: 10 };
        grid.setDropdowns(tabId, [{ rectangle, options: ['buy', 'leave'] }]);
        return null;
      }),
    /^Data validation blocks Analysis!/,
  ],
  [
    'a tab that is protected while a job is at work',
    (locale) =>
      jobWhile(locale, /urlFetch\.fetchAll/, 2, (_grid, _listId, sheetId) => ({
        ...{ do: 'protect', sheetId, rectangle: null },
      })),
    /^Figures could not be stored: the tab "Analysis" is protected/,
  ],
  [
    'a list that is protected while a job is at work, which writes none of its cells',
    (locale) =>
      jobWhile(locale, /urlFetch\.fetchAll/, 2, (_grid, sheetId) => ({
        ...{ do: 'protect', sheetId, rectangle: null },
      })),
    /^done$/,
  ],
  [
    'cells that are protected just before columns are added',
    (locale) =>
      jobWhile(locale, /write\.insertColumnsAfter|write\.setValues/, 1, (_grid, sheetId) => ({
        ...{ do: 'protect', sheetId, rectangle: null },
      })),
    /^The cells C1:J1 are protected/,
  ],
  [
    'a sheet that goes just before its formulas are written',
    (locale) =>
      jobWhile(locale, /write\.setFormulaR1C1/, 1, (_grid, sheetId) => ({
        ...{ do: 'deleteSheet', sheetId },
      })),
    /^The sheet was deleted/,
  ],
  [
    'a list that goes while a job is at work, which writes none of its cells',
    (locale) =>
      jobWhile(locale, /urlFetch\.fetchAll/, 2, (_grid, sheetId) => ({
        ...{ do: 'deleteSheet', sheetId },
      })),
    /^done$/,
  ],
  [
    'rows of the tab that go while they are read',
    (locale) =>
      jobWhile(locale, /read\.getValues/, 12, (_grid, _listId, sheetId) => ({
        ...{ do: 'deleteRows', sheetId, first: 10, count: 985 },
      })),
    /^(done|running)$/,
  ],
];

const CLOCKS: readonly Case[] = [
  [
    'a clock that may strike every hour at most',
    async (locale) => {
      world = await worldWith(listOf(), { host: { locales: locale } });
      await schedule(world);
      return (granted(await world.rpc('schedule.look')).trigger as { state: string }).state;
    },
    /^on$/,
  ],
  [
    'a clock for who has twenty',
    async (locale) => {
      const more = Array.from({ length: 20 }, (_, at) => documentOf(`other-${at}`));
      const sheet = listOf();
      const documents = [sheet.document, ...more];
      world = await worldWith(sheet, { host: { locales: locale, documents } });
      const code = { functionName: 'rpc', door: 'sidebar' } as const;
      const settings = {
        ...{ task: { kind: 'formulas' }, recurrence: { kind: 'hourly' } },
        ...{ maxAgeHours: 1, callsPerHour: null, quiet: null, rules: [] },
      };
      for (const { id } of more) {
        const args = ['schedule.save', { id: 's1', settings }];
        void world.host.start({ ...code, args, documentId: id });
        await world.host.run();
      }
      await schedule(world);
      return failureOf('schedule.mend');
    },
    /^Google allows 20 triggers/,
  ],
  [
    'a clock that is not allowed',
    async (locale) => {
      const consents = { [HELPER]: without('scriptapp') };
      const sheet = listOf();
      const document = { ...sheet.document, editors: [HELPER] };
      world = await worldWith({ document }, { host: { locales: locale, consents } });
      return failureOf('schedule.mend', {}, HELPER);
    },
    /^Google did not let the add-on set its clock/,
  ],
  [
    'a firing for whom properties are spent',
    async (locale) => {
      world = await worldWith(listOf(), {
        host: { locales: locale, limits: { propertyCallsPerDay: 110 } },
      });
      await schedule(world);
      for (let tries = 0; tries < 20; tries += 1) await strike(world);
      const { ok, logs } = await strike(world);
      return `${ok} ${logs.join()}`;
    },
    /^true .*Google's daily call limit is used up/,
  ],
];

const MENUS: readonly Case[] = [
  [
    'a sidebar that is not allowed',
    async (locale) => {
      const messages: string[] = [];
      world = createWorld({
        host: {
          locales: locale,
          consents: { [OWNER]: without('container.ui') },
          screen: { onAlert: (message) => messages.push(message) },
        },
      });
      void world.host.start({ functionName: 'openSidebar', args: [], door: 'menu' });
      await world.host.run();
      return messages.join();
    },
    /^The add-on lacks a permission it needs\. Allow it here: https:/,
  ],
];

const DOORS = { cells: CELLS, 'the page': PAGES, 'the clock': CLOCKS, 'the menu': MENUS };

describe.each(Object.entries(DOORS))('%s', (_door, cases) => {
  describe.each(cases)('%s', (_what, play, expected) => {
    it.each(LOCALES)('is told for what it is where Google speaks %s', async (locale) => {
      expect(await play(locale)).toMatch(expected);
    });
  });
});
