// What is kept of runs when a part of it is damaged: it is set aside and told once, and everything goes on.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import {
  choiceOf,
  granted,
  look,
  runAll,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { history, pass, schedule } from '../doors/schedule-list';
import { createWorld, type World } from '../doors/world';

const LIST = US_ASINS.slice(400, 412);

/** As a script of the spreadsheet's own would: it writes into the same stores. */
const PLANT = `function plant(values, cached) {
  PropertiesService.getDocumentProperties().setProperties(values);
  CacheService.getDocumentCache().putAll(cached || {}, 21600);
}`;

let world: World;
let sheet: Sheet;

beforeEach(async () => {
  const { code, ...files } = distIn(BUILT);
  sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  const dist = { ...files, code: `${code}\n${PLANT}` };
  world = createWorld({ sandbox: SANDBOX, host: { dist, documents: [sheet.document] } });
  granted(await world.connect());
});

afterEach(() => world.stop());

const stored = () => world.host.stores.properties.read('document/sheet-1');

async function plant(values: object, cached: object = {}): Promise<void> {
  void world.host.start({ functionName: 'plant', args: [values, cached], door: 'menu' });
  await world.host.run();
}

const runs = async () => granted(await world.rpc('bulk.history')).runs as readonly object[];

describe('what is damaged', () => {
  it.each([
    ['a record that is cut off', (text: string) => text.slice(0, -9)],
    ['a record of null', () => 'null'],
    ['a record without its columns', (text: string) => text.replace('"layout"', '"lay"')],
    ['an empty text', () => ''],
  ])(
    'of a run is set aside and told once, and the list is run over again: %s',
    async (_, damage) => {
      const { runId } = await startRun(world);
      const text = damage(stored()['bulk-run'] ?? '');
      await plant({ 'bulk-run': text });
      expect(await world.rpc('bulk.status')).toEqual({ ok: true, value: null });
      expect(await look(world)).toMatchObject({ run: null, isSetAside: true });
      expect(stored()['bulk-run-aside']).toBe(text);
      expect(await look(world)).toMatchObject({ run: null, isSetAside: false });
      expect(await world.rpc('bulk.run', { runId, worker: 0, maxMs: 9_000 })).toMatchObject({
        failure: { kind: 'run', message: 'This run has ended. Start a new one.' },
      });
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: LIST.length });
      expect(sheet.byHeader(2).Status).not.toBe('');
    },
  );

  it.each(['[null]', '[[[]]]', '[7, {}]', '{"a":1}'])(
    'in what is remembered of percentages counts as nothing: %s',
    async (text) => {
      await plant({ 'bulk-percent': text });
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: LIST.length });
    },
  );

  it('in the log of runs goes alone, and the others stay', async () => {
    await runAll(world);
    await runAll(world);
    const [newest, oldest] = JSON.parse(stored()['bulk-history'] ?? '') as readonly object[];
    await plant({ 'bulk-history': JSON.stringify([newest, null, { ...oldest, endedMs: 'x' }]) });
    expect(await runs()).toHaveLength(1);
    expect(await look(world)).toMatchObject({ isSetAside: true });
    expect(JSON.parse(stored()['bulk-history'] ?? '')).toEqual([newest]);
    expect(await look(world)).toMatchObject({ isSetAside: false });
    expect(await runs()).toHaveLength(1);
  });

  it('of what was chosen for a sheet leaves what is found in it', async () => {
    const before = await choiceOf(world);
    await runAll(world, { fields: ['roi'] });
    const whole = { rows: { kind: 'all' }, fields: [], market: 'US' };
    const memory = [
      [0, { ...whole, rows: null }],
      [7, whole],
    ];
    await plant({ 'bulk-choices': JSON.stringify(memory) });
    expect(await look(world)).toMatchObject({ choice: before, isSetAside: true });
    expect(JSON.parse(stored()['bulk-choices'] ?? '')).toEqual([[7, whole]]);
    expect(await look(world)).toMatchObject({ choice: before, isSetAside: false });
  });

  it('of what schedules did goes alone, under the name of their spreadsheet', async () => {
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 1 });
    await pass(world, 2.5);
    const [home = '', json = ''] = (stored()['schedule-runs'] ?? '').split(/(?=\[)/);
    const [first] = JSON.parse(json) as readonly object[];
    const digest = stored()['schedule-digest'] ?? '';
    await plant({
      'schedule-runs': home + JSON.stringify([first, 7]),
      'schedule-digest': digest.slice(0, -1),
    });
    expect(await history(world)).toHaveLength(1);
    expect(await look(world)).toMatchObject({ isSetAside: true });
    const kept = stored()['schedule-runs'] ?? '';
    expect(kept.slice(0, home.length)).toBe(home);
    expect(JSON.parse(kept.slice(home.length))).toEqual([first]);
    expect(stored()['schedule-digest-aside']).toBe(digest.slice(0, -1));
    expect(await look(world)).toMatchObject({ isSetAside: false });
    await pass(world, 1);
    expect(await history(world)).toHaveLength(2);
  });
});

/** Every way to a member of something, and what may stand in its place. */
function* damagedIn(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const other of [null, 'text', -7, [null], {}, undefined])
      yield { ...value, [name]: other };
    for (const inner of damagedIn(member)) yield { ...value, [name]: inner };
  }
}

describe('what workers tell each other', () => {
  it('may be damaged in any member: the run goes on, and is told with true counts', async () => {
    const { runId } = await startRun(world);
    const leases = {
      0: {
        ...{ owner: 'w0', aliveUntilMs: world.host.nowMs() + 5_000, isDone: false, mends: true },
        ...{ rows: [2, 9], nextCallMs: null, rowsPerMinute: 60, load: 1, heard: { a1: 3 } },
        counters: {
          ...{ answered: 0, cached: 0, failures: { 'not-found': 0 }, calls: 0, workedMs: 0 },
          ...{ kept: 0, lostCount: 0, lost: [] },
        },
      },
      1: {
        ...{ owner: 'a1', aliveUntilMs: world.host.nowMs() + 5_000, isDone: false },
        ...{ nextCallMs: null, calls: 3, bucket: '' },
      },
      work: {
        wanted: 2,
        hands: { a1: { worker: 1, aliveUntilMs: world.host.nowMs() + 5_000, keys: ['B0|US'] } },
      },
    };
    let tried = 0;
    for (const [name, whole] of Object.entries(leases))
      for (const damaged of damagedIn(whole)) {
        await plant({}, { [`b:${String(runId)}:${name}`]: JSON.stringify(damaged) });
        const { value } = await world.rpc('bulk.status');
        expect(value).toMatchObject({ rows: LIST.length, left: LIST.length });
        expect(await world.rpc('bulk.run', { runId, worker: 1, maxMs: 200 })).not.toMatchObject({
          failure: { kind: 'internal' },
        });
        tried += 1;
      }
    expect(tried).toBeGreaterThan(150);
    await world.host.run(world.host.nowMs() + 20_000);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: LIST.length });
  });
});
