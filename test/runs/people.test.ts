// What the owner of a list does to the columns of a run while it is at work: deletes one, writes into one, makes a copy.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import {
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
import { createWorld, type World } from '../doors/world';
import { okCell } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(900, 930);

const list = (): Sheet =>
  sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

const OURS = [
  'Profit',
  'ROI',
  'Fees',
  'Eligible',
  'Rank drops 30d',
  'Analysis status',
  'Analyzed at',
];

/** Somebody does something when the script calls a service so often that a run is at work. */
async function meanwhile(sheet: Sheet, atCall: number, act: () => readonly Act[]): Promise<void> {
  let calls = Number.NEGATIVE_INFINITY;
  const betweenCalls = () => {
    calls += 1;
    return calls === atCall ? act() : [];
  };
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], betweenCalls } });
  await world.connect();
  calls = 0;
}

const columnOf = (sheet: Sheet, title: string) => (sheet.values()[0] ?? []).indexOf(title) + 1;

/** Columns with something in them and no title. */
const withoutHeader = (sheet: Sheet) => {
  const [titles = [], ...rows] = sheet.values();
  return titles.flatMap((title, at) =>
    title === '' && rows.some((row) => row[at] !== '') ? [at + 1] : [],
  );
};

describe('a column of ours that its owner deletes', () => {
  /** Before figures are written, as they are, and between two writes. */
  const MOMENTS = [95, 110, 125];

  it.each(OURS.flatMap((title) => MOMENTS.map((atCall) => [title, atCall] as const)))(
    '"%s" at call %d: no figures stand without a header, and the next run makes it again',
    async (title, atCall) => {
      const sheet = list();
      const deleted: number[] = [];
      await meanwhile(sheet, atCall, () => {
        const first = columnOf(sheet, title);
        deleted.push(first);
        return [{ do: 'deleteColumns', sheetId: sheet.id, first, count: 1 }];
      });
      const started = await world.rpc('bulk.start', (await look(world)).choice as object);
      const { runId } = started.ok ? granted(started) : { runId: '' };
      const end = runId === '' ? {} : await runOn(world, String(runId));
      expect(deleted).toEqual([expect.any(Number)]);
      expect(withoutHeader(sheet)).toEqual([]);
      if (runId !== '' && end.state !== 'finished')
        granted(await world.rpc('bulk.stop', { runId }));
      expect(withoutHeader(sheet)).toEqual([]);
      expect(await runAll(world)).toMatchObject({ state: 'finished', left: 0, failed: 0 });
      expect(withoutHeader(sheet)).toEqual([]);
      for (const [at, asin] of LIST.entries())
        expect(sheet.byHeader(at + 2)).toMatchObject({
          ...{ ASIN: asin, Note: `note of ${asin}`, 'Analysis status': okCell(asin) },
          ...{ Profit: expect.any(Number), Fees: expect.any(Number) },
        });
    },
  );
});

describe('a run that lost a column of figures', () => {
  it('leaves no row waiting once somebody stops it', async () => {
    const sheet = list();
    await meanwhile(sheet, 110, () => [
      { do: 'deleteColumns', sheetId: sheet.id, first: columnOf(sheet, 'Fees'), count: 1 },
    ]);
    const { runId } = await startRun(world);
    const end = await runOn(world, runId);
    expect(end).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
    expect(Number(end.left)).toBeGreaterThan(0);
    granted(await world.rpc('bulk.stop', { runId }));
    const [titles = [], ...rows] = sheet.values();
    const statuses = rows.map((row) => String(row[titles.indexOf('Analysis status')]));
    expect(statuses.filter((status) => status.startsWith('Waiting'))).toEqual([]);
  });
});

describe('a product that somebody typed over another one, and that has a row of its own', () => {
  it('does not get that row’s status once a run ends that reached neither', async () => {
    const sheet = list();
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    await runAll(world);
    const [first = '', second = ''] = LIST;
    sheet.grid.write(sheet.id, 2, 1, [[second]]);
    const before = sheet.byHeader(2);
    const { runId } = await startRun(world);
    const waits = { 'Analysis status': expect.stringMatching(/^Waiting/) };
    expect(sheet.byHeader(2)).toMatchObject(waits);
    granted(await world.rpc('bulk.stop', { runId }));
    // The figures are still those of the product before.
    expect(sheet.byHeader(2)).toEqual({ ...before, 'Analysis status': okCell(first) });
    expect(sheet.byHeader(3)).toMatchObject({ 'Analysis status': okCell(second) });
  });
});

describe('a text of somebody in "Analyzed at"', () => {
  it('stays, in a second run as well, and is counted', async () => {
    const sheet = list();
    await meanwhile(sheet, 0, () => []);
    await runAll(world);
    sheet.grid.write(sheet.id, 3, columnOf(sheet, 'Analyzed at'), [['call them first']]);
    for (let run = 0; run < 2; run += 1) {
      expect(await runAll(world)).toMatchObject({ state: 'finished', keptCells: 1 });
      expect(sheet.byHeader(3)['Analyzed at']).toBe('call them first');
    }
  });

  it.each([80, 95, 110, 125])('that is written at call %d of a run stays', async (atCall) => {
    const sheet = list();
    await meanwhile(sheet, atCall, () => {
      const column = columnOf(sheet, 'Analyzed at');
      const contents = [['call them first']];
      return column === 0 ? [] : [{ do: 'edit', sheetId: sheet.id, row: 3, column, contents }];
    });
    expect(await runAll(world)).toMatchObject({ state: 'finished', failed: 0 });
    expect(sheet.byHeader(3)['Analyzed at']).toBe('call them first');
  });
});

describe('a start that is cut off', () => {
  const MANY = US_ASINS.slice(1_000, 1_300);

  it.each([20, 30, 40, 50, 60, 70, 80])(
    'at call %d: the run that follows says how many rows there are',
    async (killAtCall) => {
      const sheet = sheetOf([['ASIN'], ...MANY.map((asin) => [asin])]);
      await meanwhile(sheet, 0, () => []);
      const { choice } = await look(world);
      const start = { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar' } as const;
      const cut = world.host.start({ ...start, killAtCall });
      await world.host.run();
      expect((await cut).ended).toBe('killed');
      const { run } = await look(world);
      const runId = (run as { runId: string } | null)?.runId ?? (await startRun(world)).runId;
      const end = await runOn(world, String(runId));
      expect(end).toMatchObject({ state: 'finished', rows: MANY.length, left: 0, failed: 0 });
      expect(Number(end.answered) + Number(end.cached)).toBe(MANY.length);
    },
  );
});
