// Every stored record, damaged in twenty ways, at every door: for `npm run records`, and a sample for the tests.

import { BUILT, distIn } from '../build-once';
import { CHOICE, granted, runAll, sheetOf, US_ASINS, worldWith } from '../doors/bulk-list';
import { schedule } from '../doors/schedule-list';
import type { World } from '../doors/world';

/** As a script of the spreadsheet's own would: it writes into the same stores. */
const PLANT = `function plant(stores) {
  var all = { document: PropertiesService.getDocumentProperties(), user: PropertiesService.getUserProperties() };
  for (var scope in all) all[scope].setProperties(stores[scope] || {}, true);
  CacheService.getDocumentCache().putAll(stores.cache || {}, 21600);
}`;

type Values = Readonly<Record<string, string>>;
type Stores = Readonly<Record<'document' | 'user' | 'cache', Values>>;

/** What may have become of a text: cut short, another type, another time, another's. */
const CORRUPTIONS: Readonly<Record<string, (text: string) => string>> = {
  empty: () => '',
  'a blank': () => ' ',
  null: () => 'null',
  true: () => 'true',
  'a number': () => '7',
  'no number': () => '1e999',
  'a text': () => '"text"',
  'a list': () => '[]',
  'a list of null': () => '[null]',
  'a list of lists': () => '[[[]]]',
  'an object': () => '{}',
  'another version': () => '{"version":99}',
  'no version': (text) => text.replace(/"version":\d+,?/, ''),
  'cut in half': (text) => text.slice(0, text.length >> 1),
  'without its end': (text) => text.slice(0, -1),
  'numbers as null': (text) => text.replace(/:-?\d+(\.\d+)?/g, ':null'),
  'numbers as text': (text) => text.replace(/:(-?\d+(\.\d+)?)/g, ':"$1"'),
  'texts as numbers': (text) => text.replace(/:"[^"]*"/g, ':5'),
  'lists as null': (text) => text.replace(/:\[/g, ':null,"x":['),
  'no JSON at all': () => '\u0000<html>\t\n',
};

const MUG = 'B0XKT7M4QN';

/** What is called, and as whom Google runs it. */
const DOORS: readonly (readonly [
  door: 'cell' | 'sidebar' | 'clock' | 'menu' | 'open',
  ...call: readonly [string, ...unknown[]],
])[] = [
  ['cell', 'ANALYZE', MUG, 'US', 'profit, age'],
  ['cell', 'ANALYZE', [[MUG], [US_ASINS[20]]], 'US', 'all', 1],
  ['cell', 'ANALYZE_MAX_BUY', MUG, 'US'],
  ...(['connection.status', 'connection.check', 'list.look', 'jobs.status'] as const).map(
    (method) => ['sidebar', 'rpc', method, {}] as const,
  ),
  ...(['schedule.look', 'schedule.history'] as const).map(
    (method) => ['sidebar', 'rpc', method, {}] as const,
  ),
  ['sidebar', 'rpc', 'schedule.seen', { atMs: 0 }],
  ['sidebar', 'rpc', 'connection.share', { sharing: 'spreadsheet' }],
  ['sidebar', 'rpc', 'connection.relearn', {}],
  ['sidebar', 'rpc', 'formulas.refresh', { maxMs: 3_000, onlyFailed: false }],
  ['sidebar', 'rpc', 'jobs.preview', CHOICE],
  ['sidebar', 'rpc', 'jobs.start', CHOICE],
  ['sidebar', 'rpc', 'schedule.switch', { id: 's1', isOn: true }],
  ['sidebar', 'rpc', 'deals.look', { list: null, market: null, cost: null, shows: 'offers' }],
  ['sidebar', 'rpc', 'waiting.work', { maxMs: 2_000 }],
  ['sidebar', 'rpc', 'schedule.run', { id: 's1', maxMs: 3_000 }],
  ['menu', 'runDiagnostics'],
  ['open', 'onOpen'],
  ['clock', 'onSchedule'],
];

/** Records with much in them, in which one member may be damaged and the rest whole. */
const DEEP = /^(schedule|job$|g:|d:|key-day|google-day)/;

/** Doors that read all of them. */
const DEEP_DOORS: readonly string[] = [
  ...['ANALYZE', 'connection.status', 'list.look', 'jobs.preview', 'onSchedule'],
  ...['schedule.look', 'schedule.history', 'schedule.switch', 'schedule.run'],
];

/** What may stand in the place of a member; undefined: nothing. */
const MEMBERS: readonly unknown[] = [null, 'text', 7, [null], {}, undefined];

/** The ways to every member, of lists to those of the first item. */
function waysIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined);
  return members.flatMap(([name, one]) => [[name], ...waysIn(one).map((way) => [name, ...way])]);
}

function withMember(held: unknown, [name = '', ...way]: readonly string[], one: unknown): unknown {
  const copy = Array.isArray(held) ? [...held] : { ...Object(held) };
  const inner = way.length === 0 ? one : withMember(copy[name], way, one);
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}

/** The record as text, damaged in one member after the other. The name of a spreadsheet may stand before a list. */
function damagedInOneMember(text: string): readonly (readonly [how: string, text: string])[] {
  const [, home = '', json = ''] = /^([0-9a-f]*)(.*)$/s.exec(text) ?? [];
  const record: unknown = JSON.parse(json);
  return waysIn(record).flatMap((way) =>
    MEMBERS.map((one) => {
      const how = `${way.join('.')} as ${JSON.stringify(one)}`;
      return [how, home + JSON.stringify(withMember(record, way, one))] as const;
    }),
  );
}

export const ALL = Object.keys(CORRUPTIONS).length;
export const DOORS_COUNT = DOORS.length;

export interface Swept {
  readonly records: number;
  readonly calls: number;
  /** Records that were damaged in one member. */
  readonly members: number;
  /** What no person can make anything of, by record, corruption and door. */
  readonly raw: readonly string[];
}

/** A world in which everything has been stored that a cell, a run and a schedule store. */
async function busyWorld(): Promise<{ readonly world: World; readonly stores: Stores }> {
  const cache: Record<string, string> = {};
  const { code, ...files } = distIn(BUILT);
  const asins = US_ASINS.slice(0, 4);
  const world = await worldWith(sheetOf(asins), {
    host: {
      dist: { ...files, code: `${code}\n${PLANT}` },
      observe: ({ operation, args }) => {
        const [scope, values] = args as readonly [string, unknown];
        if (operation === 'cache.putAll' && scope === 'document') Object.assign(cache, values);
      },
    },
  });
  granted(await world.connect({ sharing: 'me' }));
  granted(await world.connect());
  await world.show('ANALYZE', MUG, 'US', 'profit');
  await runAll(world);
  await schedule(world, 's1', {}, { rules: [{ kind: 'doubled', field: 'roi' }] });
  await world.pass(24);
  const read = (scope: string) => world.host.stores.properties.read(scope);
  return {
    world,
    stores: {
      document: read('document/sheet-1'),
      user: read('user/owner@example.com'),
      cache: { ...cache },
    },
  };
}

/** Why the outcome of a call is raw, or undefined. */
function rawIn(door: string, outcome: Awaited<ReturnType<World['show']>>): string | undefined {
  const { ok, value, error } = outcome;
  const failure = (value as { readonly failure?: { readonly kind: string } } | undefined)?.failure;
  if (failure?.kind === 'internal') return 'internal';
  if (!ok && /NaN|Infinity|undefined|something went wrong/.test(error?.message ?? ''))
    return error?.message;
  if (ok) return undefined;
  return door === 'cell' && error?.message.startsWith('Not analyzed: ')
    ? undefined
    : `${error?.name}: ${error?.message}`;
}

/** @param every one record in so many, crossed with its corruptions in turn. */
export async function sweepRecords(every = 1): Promise<Swept> {
  const { world, stores } = await busyWorld();
  const raw: string[] = [];
  let [records, calls, place, members] = [0, 0, 0, 0];

  async function knock(damaged: Stores, doors: typeof DOORS, what: string): Promise<void> {
    for (const [door, functionName, ...args] of doors) {
      void world.host.start({ functionName: 'plant', args: [damaged], door: 'menu' });
      await world.wait(5_000);
      const outcome = world.host.start({ functionName, args, door });
      await world.wait(60_000);
      calls += 1;
      const fault = rawIn(door, await outcome);
      const where = `${functionName} ${String(args[0] ?? '')}`;
      if (fault !== undefined) raw.push(`${what}, ${where}: ${fault.slice(0, 200)}`);
    }
  }

  for (const scope of ['document', 'user', 'cache'] as const)
    for (const [name, text] of Object.entries(stores[scope])) {
      records += 1;
      for (const [how, corrupt] of Object.entries(CORRUPTIONS)) {
        place += 1;
        if (place % every !== 0) continue;
        const damaged = { ...stores, [scope]: { ...stores[scope], [name]: corrupt(text) } };
        await knock(damaged, DOORS, `${scope} ${name}, ${how}`);
      }
      if (!DEEP.test(name)) continue;
      const doors = DOORS.filter((door) => door.some((one) => DEEP_DOORS.includes(String(one))));
      for (const [how, damagedText] of damagedInOneMember(text)) {
        place += 1;
        if (place % every !== 0) continue;
        members += 1;
        const damaged = { ...stores, [scope]: { ...stores[scope], [name]: damagedText } };
        await knock(damaged, doors, `${name}, ${how}`);
      }
    }
  await world.stop();
  return { records, calls, members, raw };
}
