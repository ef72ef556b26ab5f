// A copy of a spreadsheet that carries a shared key: nothing is spent with it until somebody says so.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { ObservedCall } from 'apps-script-host/call';
import { copyOf } from 'apps-script-host/document-copy';
import type { ListShown } from '../../src/sidebar/api/schedules';
import { atWork, CHOICE, granted, sheetOf, US_ASINS, workOff } from './bulk-list';
import { EVERY_MORNING } from './schedule-list';
import { createWorld, DEMO, documentOf, OWNER, type World } from './world';

const SOMEBODY = 'somebody@example.com';
const COPIED =
  /^Not analyzed: the key shared in the original makes no calls in this copy\. To allow it, open /;
const [FIRST = '', SECOND = '', ...LIST] = US_ASINS.slice(0, 6);

let world: World;
afterEach(() => world?.stop());

/** The original with a shared key that has answered once, and a copy of all that it stores. */
async function copied(observe: (call: ObservedCall) => void = () => {}): Promise<void> {
  const sheet = sheetOf(LIST);
  const original = { ...sheet.document, editors: [SOMEBODY] };
  const copy = copyOf(original, { ...documentOf('copy'), editors: [SOMEBODY] });
  world = createWorld({ host: { documents: [original, copy], observe } });
  expect(await world.connect()).toMatchObject({ ok: true });
  expect((await world.show('ANALYZE', FIRST, 'US', 'profit')).ok).toBe(true);
  world.host.stores.properties.copy('document/sheet-1', 'document/copy');
}

const calls = () => world.service().arrived;

async function cellIn(documentId: string, asin: string, userEmail = OWNER) {
  const cell = { functionName: 'ANALYZE', args: [asin, 'US', 'profit'], door: 'cell' } as const;
  const { ok, error } = await world.run({ ...cell, userEmail, documentId });
  return ok ? 'figures' : String(error?.message);
}

const inCopy = (method: string, payload: object = {}, userEmail = SOMEBODY) =>
  world.rpc(method, payload, userEmail, 'copy');

describe('a shared key in a copy', () => {
  it('spends nothing in cells, which say what to do, and goes on in the original', async () => {
    await copied();
    const before = calls();
    expect(await cellIn('copy', FIRST)).toMatch(COPIED);
    expect(await cellIn('copy', SECOND, SOMEBODY)).toMatch(COPIED);
    expect(calls()).toBe(before);
    expect(await cellIn('sheet-1', SECOND)).toBe('figures');
    expect(calls()).toBe(before + 1);
  });

  it('spends nothing through the sidebar of who has no other: check, waiting, refresh, run', async () => {
    await copied();
    await cellIn('copy', SECOND);
    const before = calls();
    expect(await inCopy('connection.check')).toMatchObject({ failure: { kind: 'copied' } });
    await inCopy('connection.relearn');
    await inCopy('waiting.work', { maxMs: 60_000 });
    await inCopy('formulas.refresh', { maxMs: 60_000, onlyFailed: false });
    expect(await inCopy('jobs.preview', CHOICE)).toMatchObject({
      value: { problem: { kind: 'copied' } },
    });
    const started = await inCopy('jobs.start', CHOICE);
    if (started.ok) {
      const { status, queue: products } = atWork(started);
      await inCopy('jobs.ask', { jobId: status.jobId, products, maxMs: 60_000 });
    }
    expect(await cellIn('copy', SECOND)).toMatch(COPIED);
    expect(calls()).toBe(before);
  });

  it('spends nothing in schedules of who has no other, by hand or by the clock, and says why', async () => {
    await copied();
    const before = calls();
    // Columns of ours mark the list. They cost no call.
    const { status } = atWork(await inCopy('jobs.start', CHOICE));
    granted(await inCopy('jobs.setState', { jobId: status.jobId, state: 'stopped' }));
    const [list] = granted(await inCopy('schedule.look')).lists as readonly ListShown[];
    const { sheetId, listId } = list ?? {};
    const task = { kind: 'list', sheetId, listId, rows: 'all' };
    const settings = { ...EVERY_MORNING, task, recurrence: { kind: 'hourly' } };
    expect(await inCopy('schedule.save', { id: 's1', settings })).toMatchObject({ ok: true });
    const refused = { outcome: 'failed', calls: 0, problem: { kind: 'copied' } };
    const byHand = await inCopy('schedule.run', { id: 's1', maxMs: 300_000 });
    expect(byHand).toMatchObject({ value: { run: refused } });
    await world.pass(5);
    const look = await inCopy('schedule.look');
    expect(look).toMatchObject({ value: { schedules: [{ last: { ...refused, byHand: false } }] } });
    expect(calls()).toBe(before);
    // Once somebody says so, the same clock does what is due.
    expect(await inCopy('connection.useHere')).toMatchObject({ ok: true });
    await world.pass(2);
    expect(calls()).toBe(before + LIST.length);
  });

  it('is told on the page, and allowed there once for everybody', async () => {
    await copied();
    expect((await inCopy('connection.status')).value).toMatchObject({
      payer: {
        kind: 'copied',
        text: expect.stringMatching(
          /^The original's key \(…\S+\) makes no calls .* until you allow it\.$/,
        ),
      },
      stopped: { kind: 'copied' },
    });
    const { value } = await inCopy('connection.useHere');
    expect(value).toMatchObject({ payer: { kind: 'shared' } });
    expect(value).not.toHaveProperty('stopped');
    expect(await cellIn('copy', SECOND)).toBe('figures');
    expect(await inCopy('connection.check')).toMatchObject({ ok: true });
    // The original is at home where it was.
    expect((await world.rpc('connection.status')).value).toMatchObject({
      payer: { kind: 'yours' },
    });
    expect(await cellIn('sheet-1', SECOND)).toBe('figures');
  });

  it('is not let in by a run of its owner with their own, nor by a check', async () => {
    await copied();
    expect((await inCopy('connection.status', {}, OWNER)).value).toMatchObject({
      payer: { kind: 'copied' },
    });
    expect(await inCopy('connection.check', {}, OWNER)).toMatchObject({ ok: true });
    const before = calls();
    expect(await cellIn('copy', SECOND)).toMatch(COPIED);
    expect(calls()).toBe(before);
  });

  it('is allowed as well by its owner, who shares it there again', async () => {
    await copied();
    const share = { sharing: 'spreadsheet' };
    const { value } = await inCopy('connection.share', share, OWNER);
    expect(value).toMatchObject({ payer: { kind: 'yours' } });
    expect(await cellIn('copy', SECOND)).toBe('figures');
  });

  it('is looked for where the cache forgot the gate, and costs a cached cell nothing', async () => {
    const seen: ObservedCall[] = [];
    await copied((call) => seen.push(call));
    const looks = () => seen.filter(({ operation }) => operation.startsWith('spreadsheet')).length;
    seen.length = 0;
    expect(await cellIn('sheet-1', FIRST)).toBe('figures');
    expect(await cellIn('sheet-1', SECOND)).toBe('figures');
    expect(looks()).toBe(0);
    world.host.stores.cache.wipe();
    expect(await cellIn('sheet-1', SECOND)).toBe('figures');
    expect(looks()).toBeGreaterThan(0);
  });

  it('asks nobody where nothing is shared: a key of one’s own is its owner’s everywhere', async () => {
    await copied();
    await world.connect({ ...DEMO, sharing: 'me' });
    world.host.stores.properties.copy('document/sheet-1', 'document/copy');
    world.host.stores.cache.wipe();
    expect(await cellIn('copy', SECOND)).toBe('figures');
  });
});

describe('a run that is under way as its spreadsheet is copied', () => {
  it('has stopped in the copy, which says so once and spends nothing, and goes on in the original', async () => {
    const sheet = sheetOf(US_ASINS.slice(0, 30));
    let model = sheet.grid;
    const copy = {
      ...documentOf('copy'),
      get model() {
        return model;
      },
    };
    world = createWorld({ host: { documents: [sheet.document, copy] } });
    granted(await world.connect());
    const choice = granted(await world.rpc('list.look')).choice as object;
    const { status, queue } = atWork(await world.rpc('jobs.start', choice));
    const { jobId } = status;
    const ask = { jobId, products: queue, maxMs: 2_000 };
    const { answers, calls: made } = granted(await world.rpc('jobs.ask', ask));
    granted(await world.rpc('jobs.record', { jobId, answers, calls: made }));
    model = copyOf(sheet.document, documentOf('copy')).model as typeof model;
    world.host.stores.properties.copy('document/sheet-1', 'document/copy');
    const before = calls();
    expect(before).toBeLessThan(30);

    const { answers: none, status: seen } = granted(await inCopy('jobs.ask', ask, OWNER));
    expect([none, seen]).toMatchObject([[], { state: 'stopped' }]);
    expect(await inCopy('list.look', {}, OWNER)).toMatchObject({
      value: { job: { jobId, state: 'stopped', answered: before } },
    });
    expect((await inCopy('list.look', {}, OWNER)).value?.job).toBeNull();
    expect(await inCopy('jobs.setState', { jobId, state: 'running' }, OWNER)).toMatchObject({
      value: { status: { state: 'stopped' }, queue: [] },
    });
    await world.wait(120_000);
    expect(calls()).toBe(before);

    const rest = atWork(await world.rpc('jobs.setState', { jobId, state: 'running' }));
    expect(await workOff(world, rest)).toMatchObject({ state: 'done', answered: 30 });
  });
});
