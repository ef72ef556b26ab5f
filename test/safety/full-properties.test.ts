// A store without room, through the page: what a key is changed to stands in all its records, or in none.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host';
import { BUILT, distIn } from '../build-once';
import { CHOICE, sheetOf } from '../doors/bulk-list';
import { createWorld, OWNER, type World } from '../doors/world';

const MUG = 'B0XKT7M4QN';
const STORES = { document: 'document/sheet-1', user: `user/${OWNER}` } as const;

/** As other scripts of the spreadsheet, or of the person, might: they leave a few bytes and no more. */
const FILL = `function fill(scope, isFull) {
  var all = { document: PropertiesService.getDocumentProperties(), user: PropertiesService.getUserProperties() };
  var store = all[scope];
  for (var size = 9000; size > 0; size = size > 10 ? Math.floor(size / 2) : size - 10)
    for (var at = 0; at < 60; at += 1)
      if (isFull)
        try { store.setProperty('theirs-' + size + '-' + at, Array(size + 1).join('x')); } catch (error) { break; }
      else store.deleteProperty('theirs-' + size + '-' + at);
}`;

let world: World;
afterEach(() => world.stop());

async function opened(host: Partial<HostOptions> = {}): Promise<void> {
  const { code, ...files } = distIn(BUILT);
  world = createWorld({ host: { dist: { ...files, code: `${code}\n${FILL}` }, ...host } });
}

async function fill(scope: keyof typeof STORES, isFull = true): Promise<void> {
  const filled = await world.run({ functionName: 'fill', args: [scope, isFull], door: 'menu' });
  expect(filled).toMatchObject({ ok: true });
}

const keyIn = (store: string): string | undefined => {
  const text = world.host.stores.properties.read(store).connection;
  return text && (JSON.parse(text) as { apiKey: string }).apiKey;
};
const keys = () => Object.values(STORES).map(keyIn);

const OTHER_KEY = 'demo-key-1-per-second';
const OLD_KEY = 'demo-key-5-per-second';

/** More than what it replaces, so that it finds no room. */
const OTHER = {
  apiKey: OTHER_KEY,
  settings: { buyPriceName: 'x'.repeat(60), sellPriceName: 'y'.repeat(60) },
};

const SAID = {
  document: "The add-on's storage for this spreadsheet is full.",
  user: "The add-on's storage for your account is full.",
} as const;
const refusedFor = (scope: keyof typeof STORES) => ({
  ok: false,
  failure: { kind: 'store-full', message: SAID[scope] },
});

const profit = async () => (await world.show('ANALYZE', MUG, 'US', 'profit')).value;

describe.each(['document', 'user'] as const)('%s properties that are full', (scope) => {
  it('take neither a first key nor half of it, and what is full is said', async () => {
    await opened();
    await fill(scope);
    expect(await world.connect()).toMatchObject(refusedFor(scope));
    expect(keys()).toEqual([undefined, undefined]);
  });

  it('leave formulas and people the key they had, and take another once there is room', async () => {
    await opened();
    await world.connect();
    await fill(scope);
    expect(await world.connect(OTHER)).toMatchObject(refusedFor(scope));
    expect(keys()).toEqual([OLD_KEY, OLD_KEY]);
    expect(await profit()).toBe(9.85);
    await fill(scope, false);
    expect(await world.connect(OTHER)).toMatchObject({ ok: true });
    expect(keys()).toEqual([OTHER_KEY, OTHER_KEY]);
  });

  it('let a key be taken back, and removed', async () => {
    await opened();
    await world.connect();
    await fill(scope);
    expect(await world.rpc('connection.share', { sharing: 'me' })).toMatchObject({ ok: true });
    expect(keys()).toEqual([undefined, OLD_KEY]);
    expect(await world.rpc('connection.clear')).toMatchObject({ ok: true });
    expect(keys()).toEqual([undefined, undefined]);
  });
});

describe('a spreadsheet whose properties are full', () => {
  it('is not shared a key with, and then is once there is room', async () => {
    await opened();
    await world.connect({ sharing: 'me' });
    await fill('document');
    const share = () => world.rpc('connection.share', { sharing: 'spreadsheet' });
    expect(await share()).toMatchObject(refusedFor('document'));
    expect(keys()).toEqual([undefined, OLD_KEY]);
    await fill('document', false);
    expect(await share()).toMatchObject({ ok: true });
    expect(keys()).toEqual([OLD_KEY, OLD_KEY]);
  });

  it('answers formulas, but begins no run and no schedule, and says why', async () => {
    const sheet = sheetOf([['ASIN'], [MUG]]);
    await opened({ documents: [sheet.document] });
    await world.connect({ sharing: 'me' });
    await fill('document');
    expect(await profit()).toBe(9.85);
    const before = sheet.values();
    const { arrived } = world.service();
    expect(await world.rpc('jobs.start', CHOICE)).toMatchObject(refusedFor('document'));
    expect(sheet.values()).toEqual(before);
    const settings = {
      ...{ task: { kind: 'formulas' }, recurrence: { kind: 'hourly' }, maxAgeHours: 1 },
      ...{ callsPerHour: null, quiet: null, rules: [] },
    };
    expect(await world.rpc('schedule.save', { id: 's1', settings })).toMatchObject({
      failure: {
        kind: 'schedule',
        message: expect.stringContaining('Google has no room for this'),
      },
    });
    expect(world.service().arrived).toBe(arrived);
  });
});
