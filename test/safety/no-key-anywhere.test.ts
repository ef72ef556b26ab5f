// Executions of every door, by `npm run sweeps` 10,000, with a service that says the key back: no string of it all has the key.

import { describe, expect, it } from '@jest/globals';
import type { ObservedCall } from 'apps-script-host/call';
import type { Execution, HostOptions, Outcome } from 'apps-script-host/host';
import { localeBySeed } from 'apps-script-host/messages';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { BASE_URL, createWorld, FAST, OWNER, reply, type Says, THIEF_URL } from '../doors/world';
import { sampleSize, sweepSize } from '../sample';
import { hostileReply, SECRET, secretsIn } from './hostile-replies';

const WORLDS = sweepSize(8, sampleSize(8, 1));
const EXECUTIONS = sweepSize(1_250, 150);

/** Of virtual time, from one execution to the next: some overlap, and caches and stops run out. */
const PACE_MS = 700;

const USERS = [OWNER, OWNER, 'helper@example.com', 'guest@example.com'];

const PRODUCTS = ['B0XKT7M4QN', 'B0B1C2D3E4', 'B0FAULT500', 'B0NOTFOUND', '0306406152', 'nonsense'];
const FIELDS = ['profit', 'all', '__proto__', 'error', 'message', 'roi, =1+1', SECRET.slice(0, 4)];

const SAVE = { baseUrl: BASE_URL, apiKey: SECRET, quota: null };
const MORNING = {
  task: { kind: 'formulas' },
  recurrence: { kind: 'hourly' },
  ...{ maxAgeHours: 1, callsPerHour: null, quiet: null, rules: [] },
};
const PAYLOADS: readonly (readonly [string, unknown])[] = [
  ['connection.save', { ...SAVE, sharing: 'spreadsheet' }],
  ['connection.save', { ...SAVE, sharing: 'me' }],
  ['connection.save', { ...SAVE, sharing: 'me', quota: { calls: 50, perSeconds: 1, burst: 50 } }],
  ['connection.save', { ...SAVE, apiKey: '', baseUrl: THIEF_URL, sharing: 'me' }],
  // Saved in the wrong place: in an address, in a name, in a place that wants a number.
  ['connection.save', { ...SAVE, baseUrl: `https://${SECRET}`, sharing: 'me' }],
  ['connection.save', { ...SAVE, sharing: SECRET }],
  ['connection.save', { ...SAVE, [SECRET]: SECRET, sharing: 'me' }],
  ['connection.save', { ...SAVE, quota: { calls: SECRET, perSeconds: 1 }, sharing: 'me' }],
  [SECRET, {}],
  ['connection.share', { sharing: 'spreadsheet' }],
  ['waiting.work', { maxMs: 3_000 }],
  ['connection.clear', {}],
  ['schedule.save', { id: 's1', settings: MORNING }],
  ['schedule.save', { id: SECRET, settings: MORNING }],
  ['schedule.run', { id: 's1', maxMs: 3_000 }],
  ...(['schedule.look', 'schedule.history', 'schedule.mend', 'schedule.useHere'] as const).map(
    (method) => [method, {}] as const,
  ),
  ...(['connection.status', 'connection.check'] as const).flatMap((method) =>
    Array.from({ length: 5 }, () => [method, {}] as const),
  ),
];

function cell(random: Random): Pick<Execution, 'functionName' | 'args'> {
  const [product, other] = [random.pick(PRODUCTS), random.pick(PRODUCTS)];
  const asin = random.chance(0.4) ? [[product], [other], ['']] : product;
  const refresh = random.chance(0.5) ? random.integer(1, 1e6) : '';
  const analyze = {
    functionName: 'ANALYZE',
    args: [asin, random.pick(['US', 'UK', '', 'DE']), random.pick(FIELDS), refresh],
  };
  return random.pick([
    ...[analyze, analyze, analyze, analyze, analyze],
    { functionName: 'ANALYZE_MAX_BUY', args: [product, 'US', 0.3] },
    { functionName: 'ANALYZE_WHAT_IF', args: [product, 'US', 10, 20] },
    { functionName: 'ANALYZE_FIELDS', args: [random.pick(FIELDS)] },
  ]);
}

function execution(random: Random): Execution {
  const userEmail = random.pick(USERS);
  const dies = random.chance(0.05) ? { killAtCall: random.integer(1, 15) } : {};
  const draw = random.next();
  if (draw < 0.5) return { ...cell(random), door: 'cell', userEmail, ...dies };
  if (draw < 0.8)
    return {
      functionName: 'rpc',
      args: random.pick(PAYLOADS),
      door: 'sidebar',
      userEmail,
      ...dies,
    };
  const handler = { args: [], userEmail, ...dies };
  if (draw < 0.9) return { functionName: 'onOpen', door: 'open', ...handler };
  if (draw < 0.95) return { functionName: 'onSchedule', door: 'clock', ...handler };
  const functionName = random.pick(['openSidebar', 'runDiagnostics', 'enableFunctions']);
  return { functionName, door: 'menu', ...handler };
}

/** What of a call is none of the places where the key belongs, as text. */
function besides({ operation, args }: ObservedCall): string {
  if (operation === 'properties.set') return JSON.stringify(args.slice(0, 2));
  if (operation === 'utilities.computeDigest') return '';
  if (!operation.startsWith('urlFetch.')) return JSON.stringify(args);
  const hide = (name: string, value: unknown) =>
    name === 'Authorization' && value === `Bearer ${SECRET}` ? '' : value;
  return JSON.stringify(args, hide);
}

/** Every reply is hostile, each in another way. */
const hostileBy =
  (seed: number): Says =>
  (asin, _own, nth) => {
    const random = createRandom(seedFrom('malice', seed, nth));
    if (random.chance(0.01)) return { kind: 'silence' };
    const { status, body, headers } = hostileReply(random, asin);
    return reply(status, body, headers);
  };

interface Traced {
  readonly leaks: readonly string[];
  readonly strings: number;
  /** Calls that carried the key to where it belongs: the others would be no proof without them. */
  readonly carriers: number;
  readonly outcomes: readonly Outcome[];
}

async function trace(seed: number): Promise<Traced> {
  const leaks: string[] = [];
  let [strings, carriers] = [0, 0];
  const look = (where: string, text: string) => {
    strings += 1;
    if (secretsIn(text) > 0) leaks.push(`${where}: ${text.slice(0, 300)}`);
  };
  const observe = (call: ObservedCall) => {
    look(call.operation, besides(call));
    if (secretsIn(JSON.stringify(call.args)) > 0) carriers += 1;
  };
  const screen: HostOptions['screen'] = {
    onSidebar: (html, title) => look('sidebar', html + title),
    onDialog: (html, title) => look('dialog', html + title),
    onAlert: (message, title) => look('message', message + title),
    onToast: (message, title) => look('toast', message + title),
    onMenu: (menu) => look('menu', JSON.stringify(menu)),
  };
  const world = createWorld({
    says: hostileBy(seed),
    host: { observe, screen, workers: 4, seed, locales: localeBySeed(seed) },
  });
  const random = createRandom(seedFrom('executions', seed));
  await world.connect({ ...FAST, apiKey: SECRET });
  const startMs = world.host.nowMs();
  const started = Array.from({ length: EXECUTIONS }, (_, place) =>
    world.host.start(execution(random), startMs + place * PACE_MS),
  );
  await world.host.run();
  const outcomes = await Promise.all(started);
  for (const { value, error, logs } of outcomes)
    look('outcome', JSON.stringify([value, error, logs]));
  for (const line of world.host.trace()) look('trace', line);
  for (const { path, body } of world.requests) look('request', path + body);
  expect(world.stolen).toEqual([]);
  await world.stop();
  return { leaks, strings, carriers, outcomes };
}

describe(`${WORLDS * EXECUTIONS} executions`, () => {
  it.each(Array.from({ length: WORLDS }, (_, world) => world + 1))(
    'of cells, sidebar, menu and clock leave the key nowhere (world %d)',
    async (seed) => {
      const { leaks, strings, carriers, outcomes } = await trace(seed);
      expect(leaks).toEqual([]);
      expect(strings).toBeGreaterThan(EXECUTIONS * 10);
      expect(carriers).toBeGreaterThan(EXECUTIONS / 10);
      // They did something: most ended by themselves, and some died.
      const ended = (how: Outcome['ended']) => outcomes.filter((one) => one.ended === how).length;
      expect(ended('returned')).toBeGreaterThan(EXECUTIONS / 2);
      expect(ended('killed')).toBeGreaterThan(0);
      expect(ended('refused')).toBe(0);
    },
  );
});
