// What the product card is served: the row that is selected, its times, its past, and one call that refreshes it alone.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf, type SandboxOptions } from '../../playground/api/state';
import type { ReadRows } from '../../src/deal/list';
import { choiceOf, granted, runAll, runOn, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type DealWorld, dealWorld, lookAt } from '../doors/deal-list';
import { pass, schedule } from '../doors/schedule-list';
import { BASE_URL } from '../doors/world';
import { openly } from '../table/status-cells';

const HOUR_MS = 3_600_000;
/** Monday, 5 January 2026, 9:00 UTC: when the host's time begins. */
const START_MS = Date.UTC(2026, 0, 5, 9);
const FIELDS = ['profit', 'roi', 'fees', 'sell_price'];

type Value = Readonly<Record<string, unknown>>;

let made: DealWorld;

afterEach(() => made.world.stop());

const offers = (count: number): CellValue[][] =>
  US_ASINS.slice(0, count).map((asin, at) => [asin, 4 + at]);

async function analyzed(count: number, sandbox: SandboxOptions = {}): Promise<DealWorld> {
  made = await dealWorld([['ASIN', 'Cost'], ...offers(count)], {
    sandbox: { ...SANDBOX, ...sandbox },
  });
  await runAll(made.world, { fields: FIELDS });
  return made;
}

const calls = () => arrivalsOf(made.world.service()).length;

async function rows(columns: readonly number[]): Promise<ReadRows> {
  const { place } = await lookAt(made.world);
  return granted(await made.world.rpc('deals.rows', { ...place, columns })) as unknown as ReadRows;
}

const product = (asin: unknown) => ({
  rows: { kind: 'product', product: `${asin}|US` },
  fields: FIELDS,
});

describe('the rows of a list', () => {
  it('come with what is selected, as long as their sheet is on view', async () => {
    const { sheet } = await analyzed(3);
    const select = (sheetId: number, row: number) =>
      sheet.grid.select({ sheetId, rectangle: { row, column: 2, rowCount: 2, columnCount: 1 } });
    select(sheet.id, 3);
    expect((await rows([1])).selected).toEqual([3, 4]);
    const place = (await lookAt(made.world)).place;
    const other = sheet.grid.addSheet('Notes', 1);
    select(other, 1);
    const away = granted(await made.world.rpc('deals.rows', { ...place, columns: [1] }));
    expect(away.selected).toBeNull();
  });

  it('say when they were analyzed', async () => {
    await analyzed(1);
    const { look } = await lookAt(made.world);
    const at = look.figures.find(({ key }) => key === 'at')?.column ?? 0;
    const [first] = (await rows([at])).rows;
    const ageMs = made.world.host.nowMs() - Date.parse(String(first?.cells[0]));
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThan(HOUR_MS);
  });
});

describe('one product of a list', () => {
  it('is asked anew by one call, which writes its row alone', async () => {
    const { world, sheet } = await analyzed(4);
    const before = sheet.values();
    const asked = calls();
    await pass(world, 1);
    const run = await runAll(world, product(US_ASINS[1]));
    expect(run).toMatchObject({ state: 'finished', rows: 1, answered: 1, calls: 1 });
    expect(calls()).toBe(asked + 1);
    const changed = sheet.values().flatMap((row, at) => {
      const isSame = JSON.stringify(row) === JSON.stringify(before[at]);
      return isSame ? [] : [at + 1];
    });
    expect(changed).toEqual([3]);
  });

  it('is found where rows have moved, and nothing is asked where it is gone', async () => {
    const { world, sheet } = await analyzed(4);
    sheet.people({ do: 'insertRows', sheetId: sheet.id, first: 2, count: 1 });
    const asked = calls();
    await pass(world, 1);
    await runAll(world, product(US_ASINS[1]));
    expect(calls()).toBe(asked + 1);
    const at = (row: number) => Number(sheet.byHeader(row)['Analyzed at']);
    expect(at(4)).toBeGreaterThan(at(3));
    const gone = await choiceOf(world, product('B000000000'));
    expect(await world.rpc('bulk.start', gone)).toMatchObject({ ok: false });
    expect(calls()).toBe(asked + 1);
  });

  it('is not what the next run begins with', async () => {
    const { world } = await analyzed(3);
    await runAll(world, product(US_ASINS[0]));
    expect(await choiceOf(world)).toMatchObject({ rows: { kind: 'all' } });
  });

  it('keeps its figures where the service cannot answer', async () => {
    const outages = [{ fromMs: START_MS + HOUR_MS, toMs: Number.MAX_SAFE_INTEGER }];
    const { world, sheet } = await analyzed(2, { outages });
    const before = sheet.byHeader(2);
    await pass(world, 2);
    const { runId } = granted(
      await world.rpc('bulk.start', await choiceOf(world, product(US_ASINS[0]))),
    );
    await runOn(world, runId);
    expect(sheet.byHeader(2).Profit).toBe(before.Profit);
    expect(openly(sheet.values()[1] ?? [])).not.toContain('OK');
  });
});

describe('the past of a product', () => {
  const history = (asin: unknown, market = 'US') =>
    made.world.rpc('deals.history', { product: `${asin}|${market}` });

  it('is read from the change log: its numbers alone, the newest first', async () => {
    const { sheet } = await analyzed(2);
    const log = sheet.grid.addSheet('Analysis changes', 1);
    const day = (date: number) => new Date(Date.UTC(2026, 0, date));
    const [asin, other] = US_ASINS;
    sheet.grid.write(log, 1, 1, [
      ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'],
      [day(9), asin ?? '', 'US', 'ROI', 0.3, 0.25, ''],
      [day(8), asin ?? '', 'US', 'Eligible', true, false, ''],
      [day(8), other ?? '', 'US', 'ROI', 0.9, 0.8, ''],
      [day(7), asin ?? '', 'UK', 'ROI', 0.7, 0.6, ''],
      [day(6), asin ?? '', 'US', 'ROI', 0.4, 0.3, ''],
      ['a note', asin ?? '', 'US', 'ROI', 1, 2, ''],
    ]);
    const changes = granted(await history(asin));
    expect(changes).toEqual([
      { atMs: day(9).getTime(), figure: 'ROI', before: 0.3, after: 0.25 },
      { atMs: day(6).getTime(), figure: 'ROI', before: 0.4, after: 0.3 },
    ]);
  });

  it('is that of each market, as schedules note it, whatever the log is called since', async () => {
    const profits: Record<string, number> = { US: 5, UK: 7 };
    const { service } = withState(handle, createState(SANDBOX));
    const internet = createSandboxedInternet({
      [new URL(BASE_URL).host]: (request, nowMs) => {
        const reply = service(request, nowMs);
        const isUs = request.body.includes('market=US');
        if (reply.kind !== 'answer') return reply;
        const said = { ...JSON.parse(reply.body), profit: profits[isUs ? 'US' : 'UK'] };
        return { ...reply, body: JSON.stringify(said) };
      },
    });
    const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
    const asin = [...asins.US].find((one) => asins.UK.has(one)) ?? '';
    made = await dealWorld(
      [
        ['ASIN', 'Cost'],
        [asin, 4],
      ],
      { host: { internet } },
    );
    const { world, sheet } = made;
    for (const market of ['US', 'UK']) {
      const choice = { market: { kind: 'one', market }, fields: FIELDS };
      await runAll(world, { ...choice, apart: true });
      await schedule(world, market.toLowerCase(), choice);
    }
    const later = async (us: number, uk: number) => {
      Object.assign(profits, { US: us, UK: uk });
      await pass(world, 26);
    };
    await later(6, 4);
    const log = sheet.grid.sheets().find(({ name }) => name === 'Analysis changes');
    sheet.people({ do: 'renameSheet', sheetId: log?.id ?? -1, name: 'Verlauf' });
    await later(8, 3);
    const past = async (market: string) => {
      const changes = granted(await history(asin, market)) as unknown as readonly Value[];
      return changes.flatMap(({ figure, before, after }) =>
        figure === 'Profit' ? [[before, after]] : [],
      );
    };
    expect(await past('US')).toEqual([
      [6, 8],
      [5, 6],
    ]);
    expect(await past('UK')).toEqual([
      [4, 3],
      [7, 4],
    ]);
    expect(sheet.grid.sheets()).toHaveLength(2);
  });

  it('is empty where nothing was logged', async () => {
    const { world, sheet } = await analyzed(1);
    expect(granted(await history(US_ASINS[0]))).toEqual([]);
    expect(sheet.grid.sheets()).toHaveLength(1);
    expect(await world.rpc('deals.history', { product: 1 })).toMatchObject({
      ok: false,
    });
  });
});
