// A schedule whose property is damaged: the others run, and it is kept and told until somebody makes one again.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, sheetOf, US_ASINS, worldWith } from '../doors/bulk-list';
import { history, schedule } from '../doors/schedule-list';
import { plant, type World, withPlant } from '../doors/world';

const LIST = US_ASINS.slice(300, 306);
const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

let world: World;
afterEach(() => world.stop());

const stored = () => world.host.stores.properties.read('document/sheet-1')['schedule:s2'];

/** Two schedules; then the second is stored as another text. */
async function damaged(damage: (text: string) => string): Promise<void> {
  world = await worldWith(sheetOf(LIST), { host: { dist: withPlant() } });
  await schedule(world, 's1', {}, HOURLY);
  await schedule(world, 's2', {}, { ...HOURLY, recurrence: { kind: 'daily', hour: 6 } });
  await plant(world, { 'schedule:s2': damage(stored() ?? '') });
}

const look = async () => granted(await world.rpc('schedule.look'));
const idsIn = ({ schedules }: Readonly<Record<string, unknown>>) =>
  (schedules as readonly { readonly id: string }[]).map(({ id }) => id);

const TOLD = {
  kind: 'schedule',
  message: 'A schedule here was damaged and cannot run. Make it again.',
};

const changed = (more: object) => (text: string) =>
  JSON.stringify({ ...JSON.parse(text), ...more });

describe('a schedule that cannot be read', () => {
  it.each<[string, (text: string) => string]>([
    ['null', () => 'null'],
    ['cut in half', (text) => text.slice(0, 300)],
    ['without anything', () => '{}'],
    ['without settings', changed({ settings: null })],
    ['that comes round on no day', changed({ settings: { recurrence: {} } })],
    ['without what it called', changed({ spent: null })],
  ])('is kept and told, and the others run: %s', async (_how, damage) => {
    await damaged(damage);
    const text = stored();
    const before = await look();
    expect(idsIn(before)).toEqual(['s1']);
    expect(before.problem).toMatchObject(TOLD);
    await world.pass(1.5);
    expect(world.service().arrived).toBe(LIST.length);
    expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: LIST.length }]);
    expect(stored()).toBe(text);
    expect((await look()).problem).toMatchObject(TOLD);
    await schedule(world, 's3', {}, HOURLY);
    expect((await look()).problem).toBeUndefined();
    expect(idsIn(await look())).toEqual(['s1', 's3']);
    expect(stored()).toBeUndefined();
  });

  it('is gone from sight once somebody removes another one, too', async () => {
    await damaged(() => 'null');
    expect((await look()).problem).toMatchObject(TOLD);
    granted(await world.rpc('schedule.remove', { id: 's1' }));
    expect(await look()).not.toHaveProperty('problem');
  });
});

describe('what a schedule only tells of the past', () => {
  it.each<[string, object]>([
    ['a problem that only a newer version knows', { problem: { kind: 'of-tomorrow' } }],
    ['a last run without a time', { last: { startedMs: 'now' } }],
  ])('is left out where it cannot be read, and the schedule runs: %s', async (_what, more) => {
    await damaged(changed(more));
    expect(idsIn(await look())).toEqual(['s1', 's2']);
    expect(await look()).not.toHaveProperty('problem');
    await world.pass(1.5);
    expect(world.service().arrived).toBe(LIST.length);
  });
});
