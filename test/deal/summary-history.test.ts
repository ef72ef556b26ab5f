// What became of a list's best products, drawn in its summary from the change log, on the emulated host.

import { afterEach, describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { arrivalsOf } from '../../playground/api/state';
import type { ListInspection } from '../../src/deal/list';
import { summaryTab } from '../../src/deal/summary-tab';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { analyze, type DealWorld, dealsPage, dealWorld, decide } from '../doors/deal-list';
import { FORMS } from '../product/asin-forms';

let made: DealWorld | undefined;

afterEach(async () => {
  await made?.world.stop();
  made = undefined;
});

const FIELDS = ['profit', 'roi', 'fees', 'sell_price'];
const HISTORY_ROWS = 30;
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];
const day = (date: number) => new Date(Date.UTC(2026, 0, date));

async function decidedList(
  rows: readonly (readonly CellValue[])[],
  {
    titles = ['ASIN', 'Cost', 'Title'],
    ...options
  }: Parameters<typeof dealWorld>[1] & {
    readonly titles?: readonly string[];
  } = {},
): Promise<DealWorld> {
  made = await dealWorld([titles, ...rows], { maxRows: rows.length + 5, ...options });
  await analyze(made.world, { fields: FIELDS });
  granted(await decide(made.world));
  return made;
}

/** The log as jobs leave it, the newest on top. */
async function writeLog(
  { world, sheet: { grid } }: DealWorld,
  lines: readonly (readonly CellValue[])[],
): Promise<number> {
  await world.rpc('deals.log');
  const log = grid.sheets().find(({ name }) => name === 'Analysis changes')?.id ?? -1;
  grid.write(log, 1, 1, [HEADERS, ...lines]);
  const { maxRows } = grid.size(log);
  grid.deleteRows(log, lines.length + 3, maxRows - lines.length - 2);
  return log;
}

/** Presses the button, and finds the tab. */
async function summarize({ world, sheet }: DealWorld): Promise<number> {
  const page = dealsPage(world);
  await page.actions.load();
  await page.actions.summarize();
  const found = sheet.grid.sheets().find(({ name }) => name === 'Summary');
  if (!found) throw new Error(`No summary: ${JSON.stringify(page.stateNow().view)}`);
  return found.id;
}

interface Best {
  readonly product: CellValue;
  readonly verdict: CellValue;
  readonly roi: CellValue;
  readonly line: readonly number[] | null;
  readonly last: CellValue;
  readonly name: CellValue;
}

/** The table of the best products of each market, without its empty rows. */
function bestIn({ sheet }: DealWorld, id: number): readonly (readonly Best[])[] {
  const { grid, sparkline } = sheet;
  const { lastRow } = grid.size(id);
  const cells = grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: 6 });
  const heads = cells.flatMap(([title], at) => (title === 'Best products' ? [at + 1] : []));
  return heads.map((head) =>
    cells.slice(head, head + HISTORY_ROWS).flatMap((row, at) => {
      const [product = '', verdict = '', roi = '', line = '', last = '', name = ''] = row;
      expect(line).toBe('');
      const drawn = sparkline(id, head + 1 + at, 4);
      expect(drawn?.type ?? 'line').toBe('line');
      const points = drawn?.points ?? null;
      return product === '' ? [] : [{ product, verdict, roi, line: points, last, name }];
    }),
  );
}

const lineOf = (best: readonly Best[] | undefined, product: CellValue | undefined) =>
  best?.find((one) => one.product === product)?.line;

describe('the best products of a summary', () => {
  it.each(['en_US', 'de_DE'])(
    'have their ROI over time beside them in a spreadsheet of %s, else their profit',
    async (locale) => {
      const [first = '', second = '', third = ''] = US_ASINS;
      const link = `https://www.amazon.com/Mug-12oz/dp/${second}?psc=1`;
      const world = await decidedList(
        [
          [first, 2, 'Mug'],
          [link, 3, 'Lamp'],
          [third, 4, 'Book'],
        ],
        { locale },
      );
      const log = await writeLog(world, [
        [day(9), first, 'US', 'ROI', 0.3, 0.25, ''],
        [day(9), second, 'US', 'Profit', 5, 6.5, ''],
        [day(8), first, 'UK', 'ROI', 0.7, 0.1, ''],
        [day(8), first, 'US', 'Eligible', true, false, ''],
        [day(7), first, 'US', 'Profit', 9, 8, ''],
        [day(6), first, 'US', 'ROI', 0.4, 0.3, ''],
        ['a note', first, 'US', 'ROI', 1, 2, ''],
      ]);
      const asked = arrivalsOf(world.world.service()).length;
      const id = await summarize(world);
      const [best] = bestIn(world, id);
      expect(best).toHaveLength(3);
      expect(lineOf(best, first)).toEqual([0.4, 0.3, 0.25]);
      expect(lineOf(best, link)).toEqual([5, 6.5]);
      expect(lineOf(best, third)).toBeNull();
      const shown = best?.find(({ product }) => product === first);
      expect(shown).toMatchObject({ name: 'Mug', last: day(9) });
      // A run puts what is new on top, whatever the log is called since.
      const { grid, people } = world.sheet;
      people({ do: 'renameSheet', sheetId: log, name: "Jo's history" });
      grid.insertRows(log, 2, 1);
      grid.write(log, 2, 1, [[day(10), first, 'US', 'ROI', 0.25, 0.45, '']]);
      expect(lineOf(bestIn(world, id)[0], first)).toEqual([0.4, 0.3, 0.25, 0.45]);
      expect(arrivalsOf(world.world.service())).toHaveLength(asked);
    },
  );

  it('are the Buys and then the others, by ROI, and follow a cost', async () => {
    const world = await decidedList(
      US_ASINS.slice(0, 8).map((asin, at) => [asin, 1 + 3 * (at % 5), `Item ${at}`]),
    );
    await writeLog(world, []);
    const id = await summarize(world);
    const rankOf = (verdict: CellValue) =>
      ['Buy', 'Maybe', 'Skip', 'No verdict'].indexOf(`${verdict}`);
    const expected = () =>
      Array.from({ length: 8 }, (_, at) => world.sheet.byHeader(at + 2))
        .map((row, at) => ({ product: row.ASIN, verdict: row.Verdict, roi: row['My ROI'], at }))
        .filter(({ verdict }) => verdict !== '')
        .sort(
          (a, b) =>
            rankOf(a.verdict ?? '') - rankOf(b.verdict ?? '') ||
            (typeof b.roi === 'number' ? b.roi : -9) - (typeof a.roi === 'number' ? a.roi : -9) ||
            a.at - b.at,
        )
        .map(({ product }) => product);
    const shown = () => bestIn(world, id)[0]?.map(({ product }) => product);
    expect(new Set(bestIn(world, id)[0]?.map(({ verdict }) => verdict)).size).toBeGreaterThan(1);
    expect(shown()).toEqual(expected());
    const [best] = shown() ?? [];
    const row = Array.from({ length: 8 }, (_, at) => at + 2).find(
      (one) => world.sheet.byHeader(one).ASIN === best,
    );
    world.sheet.type(row ?? 2, 2, 9_999);
    expect(shown()).toEqual(expected());
    expect(shown()?.[0]).not.toBe(best);
  });

  it('are thirty of a long list, of each market', async () => {
    const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
    const uk = [...asins.UK].find((one) => !asins.US.has(one)) ?? '';
    const us = [...asins.US].slice(0, HISTORY_ROWS + 3);
    const world = await decidedList(
      [...us.map((asin) => [asin, 2, 'Item', 'US']), [uk, 2, 'Item', 'UK']],
      { titles: ['ASIN', 'Cost', 'Title', 'Market'] },
    );
    await writeLog(world, [
      [day(9), uk, 'UK', 'ROI', 0.2, 0.3, ''],
      [day(8), us[0] ?? '', 'UK', 'ROI', 0.2, 0.3, ''],
    ]);
    const [ofUs, ofUk] = bestIn(world, await summarize(world));
    expect([ofUs?.length, ofUk?.length]).toEqual([HISTORY_ROWS, 1]);
    expect(ofUs?.every(({ line }) => line === null)).toBe(true);
    expect(lineOf(ofUk, uk)).toEqual([0.2, 0.3]);
  });

  it('have no more changes drawn than Google draws, the newest ones', async () => {
    const [asin = ''] = US_ASINS;
    const world = await decidedList([[asin, 2, 'Item']]);
    const newest = day(9).getTime();
    const change = (at: number) => [
      new Date(newest - at * 60_000),
      asin,
      'US',
      'ROI',
      (249 - at) / 1_000,
      (250 - at) / 1_000,
      '',
    ];
    await writeLog(
      world,
      Array.from({ length: 250 }, (_, at) => change(at)),
    );
    const [best] = bestIn(world, await summarize(world));
    const line = lineOf(best, asin);
    expect(line).toHaveLength(201);
    expect([line?.[0], line?.at(-1)]).toEqual([0.05, 0.25]);
  });

  it('have what is noted later in a log that the button has made, once', async () => {
    const [first = '', second = ''] = US_ASINS;
    const world = await decidedList([first, second].map((asin) => [asin, 2, 'Item']));
    const { grid } = world.sheet;
    const logs = () => grid.sheets().filter(({ name }) => name.startsWith('Analysis changes'));
    expect(logs()).toHaveLength(0);
    const id = await summarize(world);
    expect(bestIn(world, id)[0]?.map(({ line }) => line)).toEqual([null, null]);
    await summarize(world);
    const [log, ...more] = logs();
    expect(more).toEqual([]);
    grid.insertRows(log?.id ?? -1, 2, 1);
    grid.write(log?.id ?? -1, 2, 1, [[day(6), first, 'US', 'ROI', 0.2, 0.3, '']]);
    const again = grid.sheets().find(({ name }) => name === 'Summary')?.id ?? -1;
    expect(lineOf(bestIn(world, again)[0], first)).toEqual([0.2, 0.3]);
  });

  it('are left out where there can be no log, and the rest is there all the same', async () => {
    const world = await decidedList(US_ASINS.slice(0, 2).map((asin) => [asin, 2, 'Item']));
    const refusing: typeof world.world.rpc = (method, payload, by) =>
      method === 'deals.log'
        ? world.world.rpc(method, { refused: 1 } as never, by)
        : world.world.rpc(method, payload, by);
    const id = await summarize({ ...world, world: { ...world.world, rpc: refusing } });
    expect(bestIn(world, id)).toEqual([]);
    expect(world.sheet.grid.values(id, { row: 4, column: 1, rowCount: 1, columnCount: 2 })).toEqual(
      [['Verdict', 'Products']],
    );
  });
});

describe('the form in which a product stands', () => {
  /** What the tab reads of so many cells at once. */
  function keysOf(cells: readonly CellValue[]): readonly CellValue[] {
    const column = (at: number, title: string) => ({
      column: at,
      letter: columnLetters(at),
      title,
    });
    const look = {
      ...{ sheet: { id: 0, name: 'Sheet1' }, listId: '1', rows: 1, columns: [], figures: [] },
      ...{ headerRow: 1, productColumn: 1, marketColumn: null, market: 'US', markets: ['US'] },
      decisions: {
        ...{ myProfit: column(2, 'My profit'), myRoi: column(3, 'My ROI') },
        verdict: column(4, 'Verdict'),
      },
      ...{ costsInUse: {}, roiScale: 1, rules: null },
    } as const satisfies ListInspection;
    const tab = summaryTab({ look, costs: {}, rows: [], log: 'Log' });
    const key = tab?.formulas.find(({ formula }) => formula.includes('REGEXEXTRACT("0000'));
    const [, column_ = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(key?.at ?? '') ?? [];
    const grid = createPlainGrid({ maxRows: 200 });
    grid.write(
      0,
      Number(row),
      1,
      cells.map((cell) => [cell]),
    );
    const at = [...column_].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    grid.write(0, Number(row), at, [[{ formula: key?.formula ?? '' }]]);
    calculating(grid, { nowMs: () => 0 });
    const area = { row: Number(row), column: at, rowCount: cells.length, columnCount: 1 };
    return grid.values(0, area).flat();
  }

  it('leads to the lines of that product alone', () => {
    const forms = FORMS.filter(
      (one): one is typeof one & { cell: CellValue } =>
        (typeof one.cell === 'string' && one.cell.trim() !== '') || typeof one.cell === 'number',
    );
    let found = 0;
    for (let at = 0; at < forms.length; at += HISTORY_ROWS) {
      const some = forms.slice(at, at + HISTORY_ROWS);
      const keys = keysOf(some.map(({ cell }) => cell));
      const wrong = some.flatMap(({ cell, asin }, place) => {
        const key = String(keys[place] ?? '');
        // What is no product for us has no figures, and so no place among the best.
        if (key === '' || asin === null) return [];
        found += 1;
        return asin.startsWith(key) ? [] : [{ cell, asin, key }];
      });
      expect(wrong).toEqual([]);
    }
    expect(found).toBeGreaterThan(forms.filter(({ asin }) => asin !== null).length / 2);
  });
});
