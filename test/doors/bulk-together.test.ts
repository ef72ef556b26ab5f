// Two people, or one in two windows, who start over the same rows: one run, and words for the other.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  runOn,
  SANDBOX,
  sheetOf,
  startRun,
  US_ASINS,
} from './bulk-list';
import { createWorld, type Envelope, type World } from './world';

let world: World;
afterEach(() => world.stop());

const OWNER = 'owner@example.com';
const OTHER = 'other@example.com';
const LIST = US_ASINS.slice(30, 50);

async function worldOfTwo() {
  const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, 'note'])]);
  const document = { ...sheet.document, editors: [OTHER] };
  world = createWorld({ sandbox: SANDBOX, host: { documents: [document] } });
  await world.connect();
  return sheet;
}

/** Starts by these people, so many ms apart. */
async function starts(first: string, second: string, apartMs: number) {
  const choice = await choiceOf(world);
  const beginMs = world.host.nowMs();
  const start = (userEmail: string, afterMs: number) =>
    world.host.start(
      { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar', userEmail },
      beginMs + afterMs,
    );
  const both = [start(first, 0), start(second, apartMs)];
  await world.host.run();
  return Promise.all(both.map(async (one) => (await one).value as Envelope));
}

const runsOf = (envelopes: readonly Envelope[]) => envelopes.filter(({ ok }) => ok).map(granted);

const APART_MS = [0, 300, 800, 1_500, 3_000];

describe('two people who start at the same moment', () => {
  it.each(APART_MS)(
    '%i ms apart: one runs all rows, the other is told whose run it is',
    async (ms) => {
      const sheet = await worldOfTwo();
      const envelopes = await starts(OWNER, OTHER, ms);
      const [run, ...more] = runsOf(envelopes);
      expect(more).toEqual([]);
      const [failure] = envelopes.flatMap(({ failure: one }) => one ?? []);
      expect(run).toMatchObject({ state: 'running', rows: 20 });
      expect(failure?.message).toMatch(
        /^Someone else has a run over 20 rows of "Sheet1", started about \d+ s ago\. Wait/,
      );
      expect(sheet.values()[0]).toHaveLength(9);
      expect(await runOn(world, run?.jobId)).toMatchObject({ state: 'finished', answered: 20 });
      expect(world.service().arrived).toBe(20);
    },
  );
});

describe('one person who starts again because the first answer did not come', () => {
  it.each([...APART_MS, 1_000, 1_800])(
    '%i ms later: has one run, and its columns once',
    async (ms) => {
      const sheet = await worldOfTwo();
      const envelopes = await starts(OWNER, OWNER, ms);
      const runs = runsOf(envelopes);
      expect(runs).toHaveLength(1);
      const [failure] = envelopes.flatMap(({ failure: one }) => one ?? []);
      expect(failure?.message).toMatch(
        /^You have a run over 20 rows of "Sheet1", started about \d+ s ago/,
      );
      expect(new Set(sheet.values()[0]).size).toBe(9);
      expect(sheet.values()[0]).toHaveLength(9);
      expect(await runOn(world, runs[0]?.jobId)).toMatchObject({ state: 'finished', answered: 20 });
      expect(world.service().arrived).toBe(20);
    },
  );
});

describe('a run of somebody else', () => {
  it('is seen by everybody, and may be paused, gone on with and stopped', async () => {
    await worldOfTwo();
    const { jobId } = await startRun(world);
    const asOther = async (method: string, payload: object = {}) =>
      granted(await world.rpc(method, payload, OTHER));
    expect((await asOther('bulk.look')).run).toMatchObject({ jobId, isMine: false, rows: 20 });
    expect((await look(world)).run).toMatchObject({ jobId, isMine: true });
    expect(await asOther('bulk.pause', { jobId })).toMatchObject({
      state: 'paused',
      isMine: false,
    });
    expect(await asOther('bulk.resume', { jobId })).toMatchObject({ state: 'running' });
    expect(await asOther('bulk.stop', { jobId })).toMatchObject({ state: 'stopped' });
    const { runs } = await asOther('bulk.history');
    expect(runs).toMatchObject([{ outcome: 'stopped', isMine: false }]);
    expect(await runAll(world)).toMatchObject({ state: 'finished', answered: 20 });
  });
});

describe('a list that was answered just now', () => {
  it('is written again without a call, at once', async () => {
    const sheet = await worldOfTwo();
    await runAll(world);
    const { arrived } = world.service();
    expect(await check(world)).toMatchObject({
      products: 20,
      fresh: 20,
      calls: 0,
      expectedMs: 0,
      added: [],
    });
    const fees = sheet.values().map((row) => row[4]);
    sheet.grid.write(sheet.id, 5, 3, [['', '', '', '', '']]);
    expect(await runAll(world)).toMatchObject({ cached: 20, answered: 0, calls: 0 });
    expect(world.service().arrived).toBe(arrived);
    expect(sheet.values().map((row) => row[4])).toEqual(fees);
  });
});
