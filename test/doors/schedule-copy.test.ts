// A copy of a spreadsheet with schedules: it begins with no history and no news of its own, and spends nobody's key.

import { afterEach, expect, it } from '@jest/globals';
import { copyOf } from '../../playground/host/document-copy';
import { granted, sheetOf, US_ASINS } from './bulk-list';
import { pass, type Shown, schedule, shownIn, worldWith } from './schedule-list';
import { documentOf, type Envelope, type World } from './world';

let world: World;
afterEach(() => world.stop());

const OWNER = 'owner@example.com';
const SOMEBODY = 'somebody@example.com';
const LIST = US_ASINS.slice(400, 410);
const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

async function inCopy(method: string, payload: object = {}, userEmail = OWNER): Promise<Envelope> {
  const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
  const outcome = world.host.start({ ...call, userEmail, documentId: 'copy' });
  await world.host.run();
  return (await outcome).value as Envelope;
}

/** A list that its schedule has refreshed for some hours, and then a copy with all that is stored. */
async function copied(draft: object = {}): Promise<void> {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  const copy = copyOf(sheet.document, { ...documentOf('copy'), editors: [SOMEBODY] });
  world = await worldWith(sheet, { host: { documents: [sheet.document, copy] } });
  await world.connect(draft);
  await schedule(world, 's1', {}, HOURLY);
  await pass(world, 4.5);
  world.host.stores.properties.copy('document/sheet-1', 'document/copy');
}

const originalRuns = async () =>
  granted(await world.rpc('schedule.history')).runs as readonly unknown[];
const runsInCopy = async () => granted(await inCopy('schedule.history')).runs as readonly unknown[];

it('tells nothing of the runs of the original', async () => {
  await copied();
  expect((await originalRuns()).length).toBeGreaterThan(2);
  expect(granted(await world.rpc('schedule.look')).digest).not.toBeNull();
  expect(await runsInCopy()).toEqual([]);
  expect(granted(await inCopy('schedule.look')).digest).toBeNull();
  const used = granted(await inCopy('schedule.useHere'));
  expect(used.digest).toBeNull();
  expect(shownIn(used.schedules)).toMatchObject({ last: null, isUnderWay: false });
});

it('has a history and news of its own as soon as it has runs', async () => {
  await copied();
  world.host.stores.triggers.uninstall(OWNER);
  const before = await originalRuns();
  granted(await inCopy('schedule.useHere'));
  await pass(world, 2.5);
  expect((await runsInCopy()).length).toBeGreaterThan(0);
  expect(await runsInCopy()).not.toContainEqual(before[0]);
  expect(granted(await inCopy('schedule.look')).digest).toMatchObject({ runs: 1 });
  expect(await originalRuns()).toEqual(before);
});

it('of which one schedule is run by hand notes that as its own', async () => {
  await copied();
  const before = await originalRuns();
  granted(await inCopy('schedule.run', { id: 's1', maxMs: 300_000 }));
  expect(await runsInCopy()).toMatchObject([{ byHand: true }]);
  expect(await originalRuns()).toEqual(before);
});

it('is not let run by somebody who has no key: nothing would come of it', async () => {
  await copied({ sharing: 'me' });
  const { failure } = await inCopy('schedule.useHere', {}, SOMEBODY);
  expect(failure).toMatchObject({ kind: 'no-connection' });
  const { problem, schedules } = granted(await inCopy('schedule.look', {}, SOMEBODY));
  expect(problem).toMatchObject({ message: expect.stringMatching(/^This spreadsheet is a copy/) });
  expect((schedules as readonly Shown[]).map(({ isMine }) => isMine)).toEqual([false]);
});
