// A record of schedules of which a part is damaged: the others run, what cannot be read is kept and told until
// somebody makes a schedule again.

import { afterEach, describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { granted, sheetOf, US_ASINS } from '../doors/bulk-list';
import { history, pass, schedule, strike, worldWith } from '../doors/schedule-list';
import type { World } from '../doors/world';

const LIST = US_ASINS.slice(300, 306);
const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

/** As a script of the spreadsheet's own would: it writes into the same store. */
const PLANT =
  "function plant(text) { PropertiesService.getDocumentProperties().setProperty('schedules', text); }";

let world: World;
afterEach(() => world.stop());

type Stored = { readonly list: readonly object[] };
const stored = () => world.host.stores.properties.read('document/sheet-1').schedules ?? '';
const read = () => JSON.parse(stored()) as Stored & { readonly aside?: readonly unknown[] };

/** Two schedules, the second as it is made; then the text of both becomes another one. */
async function damaged(damage: (all: Stored) => string): Promise<void> {
  const { code, ...files } = distIn(BUILT);
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  world = await worldWith(sheet, { host: { dist: { ...files, code: `${code}\n${PLANT}` } } });
  await schedule(world, 's1', {}, HOURLY);
  await schedule(world, 's2', {}, { ...HOURLY, recurrence: { kind: 'daily', hour: 6 } });
  const args = [damage(read())];
  void world.host.start({ functionName: 'plant', args, door: 'menu' });
  await world.host.run();
}

const look = async () => granted(await world.rpc('schedule.look'));
const idsIn = ({ schedules }: Readonly<Record<string, unknown>>) =>
  (schedules as readonly { readonly id: string }[]).map(({ id }) => id);

const TOLD = {
  kind: 'schedule',
  message: 'A schedule here was damaged and cannot run. Make it again.',
};

/** The second of the two with something else in the place of a member, or in its own place. */
const second = (change: (one: object) => unknown) => (all: Stored) =>
  JSON.stringify({ ...all, list: all.list.map((one, at) => (at === 1 ? change(one) : one)) });

describe('a schedule that cannot be read', () => {
  it.each<[string, (one: object) => unknown]>([
    ['null', () => null],
    ['a number', () => 7],
    ['without anything', () => ({})],
    ['without settings', (one) => ({ ...one, settings: null })],
    ['that comes round on no day', (one) => ({ ...one, settings: { recurrence: {} } })],
    ['without what it called', (one) => ({ ...one, spent: null })],
  ])('is kept and told, and the others run: %s', async (_how, change) => {
    await damaged(second(change));
    const before = await look();
    expect(idsIn(before)).toEqual(['s1']);
    expect(before.problem).toMatchObject(TOLD);
    await pass(world, 1.5);
    expect(world.service().arrived).toBe(LIST.length);
    expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: LIST.length }]);
    expect(read().aside).toHaveLength(1);
    expect((await look()).problem).toMatchObject(TOLD);
    await schedule(world, 's3', {}, HOURLY);
    expect((await look()).problem).toBeUndefined();
    expect(idsIn(await look())).toEqual(['s1', 's3']);
    expect(read()).not.toHaveProperty('aside');
  });

  it('is gone from sight once somebody removes another one, too', async () => {
    await damaged(second(() => null));
    expect((await look()).problem).toMatchObject(TOLD);
    granted(await world.rpc('schedule.remove', { id: 's1' }));
    expect(await look()).not.toHaveProperty('problem');
  });
});

describe('a record of schedules that cannot be read', () => {
  it.each<[string, (all: Stored) => string]>([
    ['cut in half', (all) => JSON.stringify(all).slice(0, 300)],
    ['a list of null', () => '[null]'],
    ['a record without a list', (all) => JSON.stringify({ ...all, list: null })],
  ])('is kept and told, until a schedule is made again: %s', async (_how, damage) => {
    await damaged(damage);
    const text = stored();
    expect(await look()).toMatchObject({ schedules: [], problem: TOLD });
    expect(await strike(world)).toMatchObject({ ok: true });
    expect(stored()).toBe(text);
    expect(await look()).toMatchObject({ schedules: [], problem: TOLD });
    await schedule(world, 's1', {}, HOURLY);
    expect(idsIn(await look())).toEqual(['s1']);
    expect(await look()).not.toHaveProperty('problem');
    await pass(world, 1.5);
    expect(world.service().arrived).toBe(LIST.length);
  });
});

describe('what a schedule only tells of the past', () => {
  it.each<[string, object]>([
    ['a problem that only a newer version knows', { problem: { kind: 'of-tomorrow' } }],
    ['a last run without a time', { last: { startedMs: 'now' } }],
  ])('is left out where it cannot be read, and the schedule runs: %s', async (_what, more) => {
    await damaged((all) =>
      JSON.stringify({ ...all, list: all.list.map((one) => ({ ...one, ...more })) }),
    );
    expect(idsIn(await look())).toEqual(['s1', 's2']);
    expect(await look()).not.toHaveProperty('problem');
    await pass(world, 1.5);
    expect(world.service().arrived).toBe(LIST.length);
  });
});
