// What docs/privacy.md says is kept and sent: every name that the add-on writes through all doors, for how long, and
// every request.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObservedCall } from 'apps-script-host/call';
import { recalculating } from 'apps-script-host/recalculation';
import { BUILT, distIn } from '../build-once';
import {
  granted,
  runAll,
  SANDBOX,
  setState,
  sheetOf,
  startJob,
  US_ASINS,
} from '../doors/bulk-list';
import { schedule, strike } from '../doors/schedule-list';
import { BASE_URL, createWorld, DEMO, type Says, type World } from '../doors/world';

const PAGE = readFileSync(join(__dirname, '../../docs/privacy.md'), 'utf8');

/** How the page calls the stores, by what the host calls them. */
const STORES: Readonly<Record<string, string>> = {
  'properties user': 'your user properties',
  'properties document': "the spreadsheet's document properties",
  'cache document': "the spreadsheet's cache",
};

/** Rows of the page as "store: name"; an ellipsis stands for what differs from case to case. */
const TOLD: readonly string[] = PAGE.split('\n').flatMap((line) => {
  const [, , store = '', names = ''] = line.split('|').map((cell) => cell.trim());
  if (!Object.values(STORES).includes(store)) return [];
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${store}: ${name}`);
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const patternOf = (told: string): RegExp =>
  new RegExp(`^${told.split('…').map(escaped).join('.*')}$`);

/** Names that a call writes, as "store: name". */
function writtenBy({ operation, args }: ObservedCall): readonly string[] {
  const [kind, verb = ''] = operation.split('.');
  if (!['properties', 'cache'].includes(String(kind)) || !/^(set|put)/.test(verb)) return [];
  const [scope, names] = args as readonly [string, string | object];
  const store = STORES[`${kind} ${scope}`] ?? `${kind} ${scope}`;
  return (typeof names === 'string' ? [names] : Object.keys(names)).map(
    (name) => `${store}: ${name}`,
  );
}

/** A service that finds all products closed from some moment on. */
const turning =
  (isTurned: () => boolean): Says =>
  (_asin, own) => {
    const said = own();
    if (said.kind !== 'answer' || said.status !== 200) return said;
    const body = { ...JSON.parse(said.body), eligible: !isTurned() };
    return { ...said, body: JSON.stringify(body) };
  };

const LIST = US_ASINS.slice(0, 20);
const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

/** Cells that calculate at once: the lock is crowded, so some leave a request. */
async function crowd({ host }: World, asins: readonly string[]): Promise<void> {
  for (const asin of asins)
    void host.start({ functionName: 'ANALYZE', args: [asin, 'US', 'profit'], door: 'cell' });
  await host.run();
}

async function people(world: World): Promise<void> {
  const [first = '', second = ''] = US_ASINS;
  granted(await world.rpc('demo.start'));
  granted(await world.connect({ sharing: 'me', quota: null }));
  await world.show('ANALYZE', first, 'US', 'profit');
  granted(await world.connect({ cellsPerDay: 1_000 }));
  await world.show('ANALYZE', [[first], [second], ['B0FAULT500']], 'US', 'profit');
  const many = US_ASINS.slice(0, 300).map((asin) => [asin]);
  await world.show('ANALYZE', many, 'US');
  await world.show('ANALYZE', first, 'US', 'verdict');
  await crowd(world, US_ASINS.slice(400, 440));
  granted(await world.rpc('waiting.work', { maxMs: 20_000 }));
  granted(await world.rpc('formulas.refresh', { maxMs: 60_000, onlyFailed: false }));
  void world.host.start({ functionName: 'runDiagnostics', args: [], door: 'menu' });
  await world.host.run();
  const { status, queue } = await startJob(world);
  const { jobId } = status;
  for (const products of [queue.slice(0, 10), queue.slice(10)]) {
    const args = ['jobs.ask', { jobId, products, maxMs: 20_000 }];
    void world.host.start({ functionName: 'rpc', args, door: 'sidebar' });
  }
  await world.wait(3_000);
  await setState(world, jobId, 'stopped');
  await world.host.run();
  await runAll(world);
}

/** Hours with a schedule, in which products close; then a firing without a spreadsheet. */
async function clock(world: World, turn: () => void): Promise<void> {
  await schedule(world, 's1', {}, { ...HOURLY, rules: [{ kind: 'no-longer-eligible' }] });
  await world.pass(1.5);
  turn();
  await world.pass(2);
  granted(await world.rpc('schedule.seen', { atMs: world.host.nowMs() }));
  await strike(world, { documentId: null });
}

/** Whatever else happens, a key that is refused comes last. */
async function refusal(world: World): Promise<void> {
  await world.connect({ apiKey: 'no-such-key-anywhere' });
  await world.show('ANALYZE', US_ASINS[1], 'UK', 'profit');
}

/** What crossed since the world began, and which names the properties had after each of two rounds. */
const calls: ObservedCall[] = [];
const propertyNames: (readonly string[])[] = [];

beforeAll(async () => {
  let isTurned = false;
  const sheet = sheetOf(LIST);
  const formulas = sheet.grid.addSheet('Formulas', 2);
  sheet.grid.write(formulas, 1, 1, [[{ formula: `=ANALYZE("${US_ASINS[30]}")` }]]);
  const world = createWorld({
    sandbox: SANDBOX,
    says: turning(() => isTurned),
    host: {
      dist: distIn(BUILT),
      documents: [sheet.document],
      observe: (call) => calls.push(call),
    },
  });
  recalculating(world.host, sheet.grid, (name) => name.startsWith('ANALYZE'));
  for (const _round of ['first', 'second']) {
    isTurned = false;
    await people(world);
    await clock(world, () => {
      isTurned = true;
    });
    await refusal(world);
    const { properties } = world.host.stores;
    propertyNames.push(
      ['user/owner@example.com', 'document/sheet-1'].flatMap((store) =>
        Object.keys(properties.read(store)).map((name) => `${store}: ${name}`),
      ),
    );
  }
  await world.stop();
}, 120_000);
afterAll(() => {
  calls.length = 0;
});

describe('what is kept', () => {
  it('is complete, and holds nothing that is not kept', () => {
    const written = new Set(calls.flatMap(writtenBy));
    const told = TOLD.map((text) => ({ text, pattern: patternOf(text) }));
    const isTold = (name: string) => told.some(({ pattern }) => pattern.test(name));
    expect([...written].filter((name) => !isTold(name))).toEqual([]);
    const isWritten = (pattern: RegExp) => [...written].some((name) => pattern.test(name));
    expect(told.filter(({ pattern }) => !isWritten(pattern)).map(({ text }) => text)).toEqual([]);
  });

  it('has no more names after the same days once more', () => {
    const [first = [], second = []] = propertyNames;
    expect(first.length).toBeGreaterThan(10);
    expect(second.filter((name) => !first.includes(name))).toEqual([]);
  });

  it('keeps nothing in a cache for more than six hours', () => {
    const kept = calls.filter(({ operation }) => operation.startsWith('cache.put'));
    expect(kept.length).toBeGreaterThan(100);
    for (const { args } of kept) expect(args.at(-1)).toBeLessThanOrEqual(6 * 3_600);
  });

  it('tells other users of the add-on nothing', () => {
    const shared = calls.filter(
      ({ operation, args }) => operation.startsWith('cache.put') && args[0] === 'script',
    );
    expect(shared).toEqual([]);
  });
});

/** Of a request as it leaves. */
interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: object;
}

it('asks the address that was entered and no other, with nothing but the product, the market and the key', () => {
  const requests = calls
    .filter(({ operation }) => operation.startsWith('urlFetch.'))
    .flatMap(({ args: [one] }) => one as Request | readonly Request[]);
  expect(requests.length).toBeGreaterThan(100);
  for (const { url, method, headers, payload } of requests) {
    expect([url, method]).toEqual([`${BASE_URL}/v1/analyze`, 'POST']);
    expect(Object.keys(headers).sort()).toEqual(['Accept', 'Authorization']);
    expect([`Bearer ${DEMO.apiKey}`, 'Bearer no-such-key-anywhere']).toContain(
      headers.Authorization,
    );
    expect(payload).toEqual({
      kind: 'form',
      fields: {
        asin: expect.stringMatching(/^[A-Z0-9]{10}$/),
        market: expect.stringMatching(/^(?:US|UK)$/),
      },
    });
  }
});
