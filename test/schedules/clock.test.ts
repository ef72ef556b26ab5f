// The clock of schedules: missing, silent, refused, without a spreadsheet, in a copy, its day used up.

import { afterEach, describe, expect, it } from '@jest/globals';
import { copyOf } from 'apps-script-host/document-copy';
import { PERMISSIONS } from '../../src/sidebar/diagnostics';
import { BUILT, distIn } from '../build-once';
import { granted, sheetOf, US_ASINS, worldWith } from '../doors/bulk-list';
import { type Shown, schedule, shownIn, shownNow, strike } from '../doors/schedule-list';
import { documentOf, type Envelope, OWNER, type World, type WorldOptions } from '../doors/world';

let world: World;

afterEach(() => world.stop());

/** A copy has the columns of the original, and a list that they mark. */
async function markIn(rpc: (method: string, payload?: object) => Promise<Envelope>): Promise<void> {
  const { choice } = granted(await rpc('list.look'));
  const { status } = granted(await rpc('jobs.start', choice as object));
  const { jobId } = status as { readonly jobId: string };
  granted(await rpc('jobs.setState', { jobId, state: 'stopped' }));
}

describe('a clock in trouble', () => {
  const OTHER = 'other@example.com';

  const LIST = US_ASINS.slice(600, 620);

  const HOURLY = { recurrence: { kind: 'hourly' } };

  const SCOPES = PERMISSIONS.map(({ scope }) => scope);

  const list = () => sheetOf([['Note', 'ASIN'], ...LIST.map((asin) => ['x', asin])]);

  const look = async (userEmail = OWNER) =>
    granted(await world.rpc('schedule.look', {}, userEmail));

  const rpcIn = (documentId: string, method: string, payload: object = {}) =>
    world.rpc(method, payload, OWNER, documentId);

  describe('a permission that was taken back', () => {
    async function expectAskedFor(): Promise<void> {
      await world.pass(1.5);
      expect((await shownNow(world)).problem).toMatchObject({ kind: 'not-permitted' });
      expect(world.service().arrived).toBe(0);
      expect(await look()).toMatchObject({
        problem: { kind: 'not-permitted', grantUrl: expect.stringMatching(/^https:/) },
      });
    }

    it('is told with the way to give it again, and all goes on once it is given', async () => {
      const consents: Record<string, readonly string[]> = {};
      world = await worldWith(list(), { host: { consents } });
      await schedule(world, 's1', {}, HOURLY);
      consents[OWNER] = SCOPES.filter((scope) => !scope.includes('external_request'));
      await expectAskedFor();
      delete consents[OWNER];
      await world.pass(1);
      expect((await look()).problem).toBeUndefined();
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('is not taken back because Google has an address where it could be given', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      expect(world.service().arrived).toBe(LIST.length);
      expect((await look()).problem).toBeUndefined();
    });

    it('is told others as a schedule that has stopped', async () => {
      const consents: Record<string, readonly string[]> = {};
      world = await worldWith(list(), { host: { consents } });
      await schedule(world, 's1', {}, HOURLY);
      consents[OWNER] = [];
      await world.pass(1.5);
      expect(await shownNow(world, 's1', OTHER)).toMatchObject({
        isMine: false,
        problem: { kind: 'schedule', message: expect.stringMatching(/^It has not run since/) },
        remedy: 'schedule.adopt',
      });
    });
  });

  describe('a clock that strikes no more', () => {
    it('is seen by its owner, who sets it again with one press', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      world.host.stores.triggers.uninstall(OWNER);
      expect(await look()).toMatchObject({
        trigger: { state: 'missing' },
        problem: { message: 'Nothing starts your schedules any more. Set the clock again.' },
        remedy: 'schedule.mend',
      });
      const mended = granted(await world.rpc('schedule.mend'));
      expect(mended).toMatchObject({ trigger: { state: 'on' } });
      expect(mended.problem).toBeUndefined();
      await world.pass(1.5);
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('of somebody else is seen by others, of whom one takes the schedule over', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      world.host.stores.triggers.uninstall(OWNER);
      await world.pass(5);
      const { arrived } = world.service();
      expect(await shownNow(world, 's1', OTHER)).toMatchObject({
        problem: {
          message: expect.stringMatching(
            /^It has not run since Mon, Jan 5, 10:\d\d AM\. Ask its owner .* or take it over\.$/,
          ),
        },
        remedy: 'schedule.adopt',
      });
      const { schedules } = granted(await world.rpc('schedule.adopt', { id: 's1' }, OTHER));
      expect(shownIn(schedules)).toMatchObject({ isMine: true });
      await world.pass(20);
      expect(world.service().arrived).toBeGreaterThan(arrived);
      expect((await shownNow(world, 's1', OTHER)).problem).toBeUndefined();
    });

    it('is none while it strikes: nobody takes over what runs as somebody else', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      const { ok, failure } = await world.rpc('schedule.adopt', { id: 's1' }, OTHER);
      expect({ ok, kind: failure?.kind }).toEqual({ ok: false, kind: 'schedule' });
      expect(await shownNow(world)).toMatchObject({ isMine: true });
    });

    it('of somebody without a key keeps to the cap of whose key it spends', async () => {
      world = await worldWith(list());
      granted(await world.connect({ cellsPerDay: 7 }));
      await schedule(world, 's1', {}, HOURLY, OTHER);
      await world.pass(10);
      expect(world.service().arrived).toBe(7);
      expect((await shownNow(world, 's1', OTHER)).problem?.message).toContain('call limit');
      granted(await world.connect({ apiKey: '', cellsPerDay: null }));
      await world.pass(2.5);
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('cannot be replaced by that of somebody without a key, who is told so', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      world.host.stores.triggers.uninstall(OWNER);
      granted(await world.rpc('connection.clear'));
      await world.pass(5);
      const { ok, failure } = await world.rpc('schedule.adopt', { id: 's1' }, OTHER);
      expect([ok, failure?.kind]).toEqual([false, 'no-connection']);
      expect(await shownNow(world, 's1', OTHER)).toMatchObject({ isMine: false });
    });

    it('of somebody else can be ended by others, but spends on nothing that they wish', async () => {
      world = await worldWith(list());
      const { settings, isOn } = await schedule(world, 's1', {}, HOURLY);
      const wish = { ...settings, maxAgeHours: 1 };
      for (const [method, payload] of [
        ['schedule.save', { id: 's1', settings: wish }],
        ['schedule.switch', { id: 's1', isOn: false }],
      ] as const) {
        const { ok, failure } = await world.rpc(method, payload, OTHER);
        expect([ok, failure?.message]).toEqual([
          false,
          'This schedule belongs to someone else. Make your own.',
        ]);
      }
      expect(await shownNow(world)).toMatchObject({ settings, isOn, isMine: true });
      expect(granted(await world.rpc('schedule.remove', { id: 's1' }, OTHER))).toEqual({
        schedules: [],
      });
    });

    it('of who removed the add-on and came back is somebody else’s', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      world.host.stores.triggers.uninstall(OWNER);
      world.host.stores.properties.copy('user/nobody@example.com', `user/${OWNER}`);
      await world.pass(4);
      expect(await shownNow(world)).toMatchObject({ isMine: false, remedy: 'schedule.adopt' });
      granted(await world.rpc('schedule.adopt', { id: 's1' }));
      expect(await shownNow(world)).toMatchObject({ isMine: true });
      expect(world.host.stores.triggers.all()).toHaveLength(1);
    });

    it('cannot be set by who has twenty already, and that is said', async () => {
      const more = Array.from({ length: 20 }, (_, at) => documentOf(`other-${at}`));
      const sheet = list();
      world = await worldWith(sheet, { host: { documents: [sheet.document, ...more] } });
      const task = { kind: 'formulas' };
      const settings = {
        task,
        ...HOURLY,
        maxAgeHours: 1,
        callsPerHour: null,
        quiet: null,
        rules: [],
      };
      for (const { id } of more) granted(await rpcIn(id, 'schedule.save', { id: 's1', settings }));
      await schedule(world, 's1', {}, HOURLY);
      expect(await look()).toMatchObject({
        trigger: { state: 'missing' },
        remedy: 'schedule.mend',
      });
      const { failure } = await world.rpc('schedule.mend');
      expect(failure?.message).toMatch(/^Google allows 20 triggers/);
      expect(world.host.stores.triggers.all()).toHaveLength(20);
    });

    it('strikes more often where the script belongs to a spreadsheet', async () => {
      world = await worldWith(list(), { host: { limits: { firingsApartMs: 60_000 } } });
      await schedule(world, 's1', {}, HOURLY);
      expect(await look()).toMatchObject({ trigger: { everyMinutes: 10 } });
      await world.pass(1.3);
      expect(world.service().arrived).toBe(LIST.length);
      expect(world.host.stores.triggers.all()).toHaveLength(1);
    });
  });

  describe('a trigger that Google has disabled, so that it is listed and fires no more', () => {
    const ids = () => world.host.stores.triggers.all().map(({ uniqueId }) => uniqueId);

    function disableAll(): void {
      for (const id of ids()) world.host.stores.triggers.disableTrigger(id);
    }

    /** Fires once, is disabled, and then hours pass. */
    async function disabledFor(hours: number, options: WorldOptions = {}): Promise<void> {
      world = await worldWith(list(), options);
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      disableAll();
      await world.pass(hours);
    }

    /** The next firing makes new calls, and nothing is wrong any more. */
    async function expectFiring(): Promise<void> {
      const { arrived } = world.service();
      await world.pass(24);
      expect(world.service().arrived).toBeGreaterThan(arrived);
      const { problem, trigger } = await look();
      expect(problem).toBeUndefined();
      expect(trigger).toMatchObject({ state: 'on' });
      expect(trigger).not.toHaveProperty('problem');
    }

    it('is made again once when its owner looks, who is told so', async () => {
      await disabledFor(5);
      const before = ids();
      const told = {
        trigger: {
          state: 'on',
          problem: {
            message: expect.stringMatching(
              /^Google has not started your schedules since Mon, Jan 5, 10:\d\d AM, so the clock was set again\. They start within the hour; if not, run them by hand\.$/,
            ),
          },
        },
      };
      expect(await look()).toMatchObject(told);
      const after = ids();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      expect(await look()).toMatchObject(told);
      expect(ids()).toEqual(after);
      await expectFiring();
      expect(ids()).toEqual(after);
    });

    it('is made again when its owner opens the sidebar at any page', async () => {
      await disabledFor(5);
      const before = ids();
      granted(await world.rpc('connection.status'));
      expect(ids()).not.toEqual(before);
      await expectFiring();
    });

    it('is made again once by two pages that see it at the same moment', async () => {
      await disabledFor(5);
      const pages = ['connection.status', 'schedule.look'].map((method) =>
        world.host.start({
          ...{ functionName: 'rpc', args: [method, {}], door: 'sidebar' },
          userEmail: OWNER,
        }),
      );
      await world.host.run();
      for (const page of pages) expect((await page).value).toMatchObject({ ok: true });
      expect(world.crossed().match(/"operation":"script\.deleteTrigger/g)).toHaveLength(1);
      expect(ids()).toHaveLength(1);
    });

    it('is left alone while it may only be late, or has nothing to start', async () => {
      await disabledFor(2);
      const before = ids();
      granted(await world.rpc('connection.status'));
      expect(ids()).toEqual(before);
      granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
      await world.pass(5);
      expect((await look()).trigger).not.toHaveProperty('problem');
      expect(ids()).toEqual(before);
    });

    it('is not one that fires, for who removed a schedule and makes another', async () => {
      world = await worldWith(list());
      const { settings } = await schedule(world, 's1', {}, HOURLY);
      granted(await world.rpc('schedule.save', { id: 's2', settings }, OTHER));
      world.host.stores.triggers.uninstall(OTHER);
      await world.pass(1.5);
      const before = ids();
      granted(await world.rpc('schedule.remove', { id: 's1' }));
      await world.pass(5);
      granted(await world.rpc('schedule.save', { id: 's3', settings }));
      expect((await look()).trigger).not.toHaveProperty('problem');
      expect(ids()).toEqual(before);
    });

    it('is made again every few hours at most where that does not help', async () => {
      await disabledFor(0);
      world.host.stores.triggers.disable(OWNER);
      const seen: string[] = [];
      for (let hour = 0; hour < 10; hour += 1) {
        await world.pass(1);
        await look();
        seen.push(...ids());
      }
      expect(seen).toHaveLength(10);
      // The first one, and those of three, six and nine hours.
      expect(new Set(seen).size).toBe(4);
    });

    it('may never have fired', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      disableAll();
      await world.pass(5);
      expect(await look()).toMatchObject({
        trigger: { problem: { message: expect.stringMatching(/since Mon, Jan 5, 9:\d\d AM, so/) } },
      });
      await expectFiring();
    });

    it('of somebody else is left to them: others ask for it, or take the schedule over', async () => {
      await disabledFor(5);
      const before = ids();
      expect(await shownNow(world, 's1', OTHER)).toMatchObject({
        problem: { message: expect.stringMatching(/Ask its owner to open this sidebar, or take/) },
        remedy: 'schedule.adopt',
      });
      expect(ids()).toEqual(before);
    });

    it('since a permission was taken back is made again once it is given', async () => {
      const consents: Record<string, readonly string[]> = {};
      world = await worldWith(list(), { host: { consents } });
      await schedule(world, 's1', {}, HOURLY);
      consents[OWNER] = SCOPES.filter((scope) => !scope.includes('external_request'));
      await world.pass(1.5);
      disableAll();
      await world.pass(5);
      const before = ids();
      expect(await look()).toMatchObject({ problem: { kind: 'not-permitted' } });
      expect(ids()).toEqual(before);
      delete consents[OWNER];
      const { problem, trigger } = await look();
      expect(problem).toBeUndefined();
      expect(trigger).toMatchObject({ problem: { kind: 'schedule' } });
      await expectFiring();
    });

    describe('beside one that no record names', () => {
      /** A build that can also make triggers without noting them, as one that is cut off. */
      async function withTriggers(made: readonly string[], documentId = 'sheet-1'): Promise<void> {
        const dist = distIn(BUILT);
        const code = `${dist.code}
          function makeTrigger(handler) { ScriptApp.newTrigger(handler).timeBased().everyHours(1).create(); }`;
        const sheet = list();
        const limits = { firingsApartMs: 60_000, triggersPerDocument: 20 };
        const documents = [sheet.document, documentOf('elsewhere')];
        world = await worldWith(sheet, { host: { dist: { ...dist, code }, limits, documents } });
        for (const handler of made) {
          const call = { functionName: 'makeTrigger', args: [handler], door: 'sidebar' } as const;
          const outcome = await world.run({ ...call, userEmail: OWNER, documentId });
          expect(outcome.ok).toBe(true);
        }
      }

      it('that only the list of the script has', async () => {
        await withTriggers(['onSchedule'], 'elsewhere');
        const before = ids();
        await schedule(world, 's1', {}, HOURLY);
        expect(ids()).toHaveLength(1);
        expect(ids()).not.toEqual(before);
        await expectFiring();
      });

      it('that calls the same function: none of them is left', async () => {
        await withTriggers(['onSchedule', 'onSchedule', 'ofTheirOwn']);
        await schedule(world, 's1', {}, HOURLY);
        disableAll();
        await world.pass(5);
        const [, , theirs] = ids();
        expect(await look()).toMatchObject({ trigger: { state: 'on' } });
        expect(ids()).toEqual([theirs, expect.any(String)]);
        await expectFiring();
      });
    });
  });

  describe('a clock that strikes without a spreadsheet', () => {
    it('is told as one that does not strike, and schedules run by hand', async () => {
      world = await worldWith(list(), { host: { triggersSeeDocument: false } });
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(4.5);
      expect(world.service().arrived).toBe(0);
      expect(await look()).toMatchObject({
        trigger: { problem: { message: expect.stringMatching(/if not, run them by hand\.$/) } },
      });
      const { run } = granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
      expect(run).toMatchObject({ outcome: 'done', refreshed: LIST.length });
    });
  });

  describe('a copy of the spreadsheet', () => {
    it('spends nothing until somebody lets its schedules run there', async () => {
      const sheet = list();
      const copy = copyOf(sheet.document, { ...documentOf('copy') });
      world = await worldWith(sheet, { host: { documents: [sheet.document, copy] } });
      await schedule(world, 's1', {}, HOURLY);
      await markIn((method, payload) => rpcIn('copy', method, payload));
      world.host.stores.properties.copy('document/sheet-1', 'document/copy');
      world.host.stores.triggers.uninstall(OWNER);
      const inCopy = async () => granted(await rpcIn('copy', 'schedule.look'));
      expect(await inCopy()).toMatchObject({
        problem: { message: expect.stringMatching(/^This spreadsheet is a copy/) },
        remedy: 'schedule.useHere',
      });
      await strike(world, { documentId: 'copy' });
      expect(world.service().arrived).toBe(0);
      const after = granted(await rpcIn('copy', 'schedule.useHere'));
      expect(after.problem).toBeUndefined();
      await world.pass(1.5);
      expect(world.service().arrived).toBe(LIST.length);
    });
  });

  describe("the clock's day", () => {
    it('is used to its end on one day of a month, then with room to spare; when it goes on is said', async () => {
      const sheet = sheetOf(US_ASINS.slice(0, 1_500));
      world = await worldWith(sheet);
      await world.connect({ quota: { calls: 1, perSeconds: 10 } });
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(24);
      const minutes = async () =>
        Number(((await look()).limits as { runMsToday: number }).runMsToday) / 60_000;
      // Whoever is still started after 90 minutes has the large allowance.
      expect(await minutes()).toBeGreaterThan(88);
      expect(await minutes()).toBeLessThan(95);
      expect(await shownNow(world)).toMatchObject({
        problem: {
          message: expect.stringMatching(
            /^Google's daily run time .* They continue at Tue, Jan 6, 10:\d\d AM\.$/,
          ),
        },
      });
      const before = world.service().arrived;
      await world.pass(5);
      expect(world.service().arrived).toBeGreaterThan(before);
      await world.pass(17);
      expect(await minutes()).toBeGreaterThan(80);
      expect(await minutes()).toBeLessThan(88);
      expect(await shownNow(world)).toMatchObject({
        problem: { message: expect.stringContaining('They continue at Wed, Jan 7, ') },
      });
    });

    it('of a Workspace account is found out to be a longer one', async () => {
      const sheet = sheetOf(US_ASINS.slice(0, 900));
      const limits = { triggerRuntimePerDayMs: 6 * 60 * 60_000 };
      world = await worldWith(sheet, { host: { limits } });
      await world.connect({ quota: { calls: 1, perSeconds: 10 } });
      await schedule(world, 's1', {}, HOURLY);
      // A day of firings is 24 times five minutes.
      await world.pass(23.5);
      const { runMsToday, runMsPerDay } = (await look()).limits as Record<string, number>;
      expect(runMsToday).toBeGreaterThan(100 * 60_000);
      expect(runMsPerDay).toBe(limits.triggerRuntimePerDayMs);
      expect(await shownNow(world)).not.toHaveProperty('problem');
    });
  });
});

// A copy of a spreadsheet with schedules: it begins with no history and no news of its own, and spends nobody's key.
describe('a copied spreadsheet', () => {
  const SOMEBODY = 'somebody@example.com';

  const LIST = US_ASINS.slice(400, 410);

  const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

  const inCopy = (method: string, payload: object = {}, userEmail = OWNER) =>
    world.rpc(method, payload, userEmail, 'copy');

  /** A list that its schedule has refreshed for some hours, and then a copy with all that is stored. */
  async function copied(draft: object = {}): Promise<void> {
    const sheet = sheetOf(LIST);
    const copy = copyOf(sheet.document, { ...documentOf('copy'), editors: [SOMEBODY] });
    world = await worldWith(sheet, { host: { documents: [sheet.document, copy] } });
    await world.connect(draft);
    await schedule(world, 's1', {}, HOURLY);
    await markIn(inCopy);
    await world.pass(4.5);
    world.host.stores.properties.copy('document/sheet-1', 'document/copy');
  }

  const originalRuns = async () =>
    granted(await world.rpc('schedule.history')).runs as readonly unknown[];

  const runsInCopy = async () =>
    granted(await inCopy('schedule.history')).runs as readonly unknown[];

  it('tells nothing of the runs of the original', async () => {
    await copied();
    expect((await originalRuns()).length).toBeGreaterThan(2);
    expect(await runsInCopy()).toEqual([]);
    expect(granted(await inCopy('schedule.look')).digest).toBeNull();
    const used = granted(await inCopy('schedule.useHere'));
    expect(used.digest).toBeNull();
    expect(shownIn(used.schedules)).toMatchObject({ last: null, isUnderWay: false });
  });

  it('has a history of its own as soon as it has runs', async () => {
    await copied();
    world.host.stores.triggers.uninstall(OWNER);
    const before = await originalRuns();
    granted(await inCopy('schedule.useHere'));
    await world.pass(2.5);
    expect((await runsInCopy()).length).toBeGreaterThan(0);
    expect(await runsInCopy()).not.toContainEqual(before[0]);
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
    expect(problem).toMatchObject({
      message: expect.stringMatching(/^This spreadsheet is a copy/),
    });
    expect((schedules as readonly Shown[]).map(({ isMine }) => isMine)).toEqual([false]);
  });
});
