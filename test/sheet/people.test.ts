// People who act while the add-on writes: they sort, insert, delete, edit and move things in the Analysis tab
// and in a list, at any call. What is theirs stays, and no figure stands beside another product.

import { expect, it } from '@jest/globals';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellValue, Matrix } from 'apps-script-host/sheet/model';
import fc from 'fast-check';
import { newestByKey, rowIn } from '../../src/analysis/analysis-row';
import type { AnalysisRow } from '../../src/analysis/row-record';
import type { WantedFormula } from '../../src/list/new-columns';
import { FIELDS, fieldKind, figuresBy } from '../../src/product/fields';
import { METADATA_KEY } from '../../src/sheet/own-tab';
import { sampleOf, sampleSize } from '../sample';
import type { DataChange } from './sheet-script';
import { createSheetWorld, type SheetWorld, WANTED } from './sheet-world';

/** A world is checked some 250 times. */
const WORLDS = Array.from({ length: 450 }, (_, seed) => seed);
const SAMPLE = 8;
const CHECKS_OF_ALL = 100_000;
const RECORDS_IN_A_WORLD = 12;
/** How often a person acts just before a call takes effect. */
const ACTS = 0.03;

const PRODUCTS = Array.from({ length: 10 }, (_, product) => product);
const asinOf = (product: number) => `B00000000${product}`;
/** Each product is written in three ways in lists. */
const keysOf = (product: number) =>
  ['', 'ASIN: ', 'https://www.amazon.com/dp/'].map((before) => `${before}${asinOf(product)}|US`);
const KEY = /B00000000(\d)\|US$/i;

const NUMBERS: readonly string[] = FIELDS.filter((field) => fieldKind(field) !== 'flag');
/** A figure says of which writing, which column and which product it is. */
const figureOf = (writing: number, column: string, product: number) =>
  (writing * 10 + NUMBERS.indexOf(column)) * 10 + product;
const belongs = (figure: number, column: string, product: number) =>
  figure % 10 === product && Math.floor(figure / 10) % 10 === NUMBERS.indexOf(column);

/** What people type over a figure. */
const TYPED = -1;

const answerFor = (product: number, writing: number, atMs: number): Partial<AnalysisRow> => ({
  ...{ asin: asinOf(product), market: 'US', status: 'OK' },
  figures: figuresBy((field) =>
    fieldKind(field) === 'flag' ? true : figureOf(writing, field, product),
  ),
  ...{ analyzedMs: atMs, triedMs: atMs, wantedMs: null },
});

/** What a job records: answers for products, and keys that are wanted. */
function changesOf(random: Random, writing: number, nowMs: number): readonly DataChange[] {
  const atMs = Math.floor(nowMs / 1_000) * 1_000;
  return Array.from({ length: random.integer(1, 6) }, (): DataChange => {
    const product = random.pick(PRODUCTS);
    const becomes = answerFor(product, writing, atMs);
    const key = random.pick(keysOf(product));
    if (random.chance(0.2)) return { meant: { key }, becomes: { ...becomes, wantedMs: atMs } };
    return random.chance(0.5)
      ? { meant: { key }, becomes }
      : { meant: { product: `${asinOf(product)}|US` }, becomes };
  });
}

/** The tab's cells, and where its columns are. */
function lookAt({ grid, tabId, tabCells }: SheetWorld) {
  const id = tabId();
  const columns = new Map<string, number>();
  for (const { key, sheetId: where, axis, rectangle, value } of featuresOf(grid).metadata())
    if (key === METADATA_KEY && where === id && axis === 'column' && rectangle)
      columns.set(value ?? '', rectangle.column);
  const lines: Matrix<CellValue> = tabCells();
  const cell = (row: number, column: string) => lines[row - 1]?.[(columns.get(column) ?? 0) - 1];
  return { id, columns, lastRow: lines.length, lastColumn: lines[0]?.length ?? 0, cell };
}

type Look = ReturnType<typeof lookAt>;
const keyAt = (look: Look, row: number) => String(look.cell(row, 'key') ?? '').toLowerCase();

/** What a person does, and the keys whose rows it destroys or changes; null: those of all. */
function actIn(look: Look, random: Random): { act: Act; touched: readonly string[] | null } {
  const { id: sheetId, columns, lastRow, lastColumn } = look;
  const places = [...columns.values()];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const row = random.integer(2, lastRow);
  const line = { row, column: 1, rowCount: 1, columnCount: lastColumn };
  const edit = (name: string, value: CellValue) => ({
    act: { do: 'edit', sheetId, row, column: columns.get(name) ?? 1, contents: [[value]] } as const,
    touched: [keyAt(look, row), String(value).toLowerCase()],
  });
  const dice = random.integer(1, 100);
  if (dice <= 30) {
    const column = random.pick(places);
    const rectangle = { ...line, row: 2, rowCount: lastRow - 1 };
    const keys = [{ column, ascending: random.chance(0.5) }];
    return { act: { do: 'sort', sheetId, rectangle, keys }, touched: [] };
  }
  if (dice <= 50)
    return {
      act: { do: 'insertRows', sheetId, first: row, count: random.integer(1, 3) },
      touched: [],
    };
  if (dice <= 65) {
    const count = Math.min(random.integer(1, 2), lastRow - row + 1);
    const touched = [keyAt(look, row), keyAt(look, row + count - 1)];
    return { act: { do: 'deleteRows', sheetId, first: row, count }, touched };
  }
  if (dice <= 72) return edit('key', `of mine ${random.integer(1, 9)}|US`);
  if (dice <= 80) return edit(random.pick(NUMBERS), TYPED);
  if (dice <= 86) {
    const to = random.integer(2, lastRow + 1);
    const touched = to === row ? [] : [keyAt(look, to)];
    return { act: { do: 'cutPaste', sheetId, from: line, row: to, column: 1 }, touched };
  }
  if (dice <= 92)
    return {
      act: { do: 'insertColumns', sheetId, first: random.integer(1, last + 1), count: 1 },
      touched: [],
    };
  if (dice <= 98) {
    const before = random.integer(first, last + 1);
    return {
      act: { do: 'moveColumns', sheetId, first: random.pick(places), count: 1, before },
      touched: [],
    };
  }
  return {
    act: { do: 'deleteColumns', sheetId, first: random.pick(places), count: 1 },
    touched: null,
  };
}

const counts = {
  ...{ records: 0, raced: 0, acts: 0, rowChecks: 0, reportedChecks: 0 },
  ...{ wrongFigures: 0, lostOrStale: 0, stillTwice: 0, askedAgain: 0, refused: 0 },
};

interface Scene {
  readonly world: SheetWorld;
  /** What was reported as recorded, and no person changed since. */
  readonly reported: Map<string, AnalysisRow>;
  readonly random: Random;
  isBusy: boolean;
  writing: number;
}

function sceneOf(seed: number): Scene {
  const random = createRandom(seedFrom('people in the tab', seed));
  const scene: Scene = {
    random,
    reported: new Map(),
    isBusy: false,
    writing: 0,
    world: createSheetWorld([[]], {
      maxRows: 60,
      betweenCalls: ({ operation }) => {
        if (!scene.isBusy || !operation.startsWith('spreadsheet.') || !random.chance(ACTS))
          return [];
        const look = lookAt(scene.world);
        if (look.lastRow < 3) return [];
        const { act, touched } = actIn(look, random);
        counts.acts += 1;
        for (const key of touched ?? [ALL]) destroyed.add(key);
        return [act];
      },
    }),
  };
  scene.world.call('open');
  return scene;
}

/** The keys whose rows a person changed during the present writing. */
const destroyed = new Set<string>();
/** Stands for every key. */
const ALL = 'all';

function recordOnce(scene: Scene): void {
  const { world, random, reported } = scene;
  destroyed.clear();
  scene.writing += 1;
  const acts = counts.acts;
  const changes = changesOf(random, scene.writing, world.host.nowMs());
  scene.isBusy = true;
  const rows: unknown = world.record(...changes);
  scene.isBusy = false;
  counts.records += 1;
  if (counts.acts > acts) counts.raced += 1;
  if (Array.isArray(rows))
    for (const { after } of rows as { after: AnalysisRow }[])
      reported.set(after.key.toLowerCase(), after);
  else {
    // The only reason is a column of theirs between ours.
    expect(rows).toMatchObject({ why: 'tab-columns' });
    counts.refused += 1;
    reported.clear();
  }
  if (destroyed.has(ALL)) reported.clear();
  for (const key of destroyed) reported.delete(key);
  check(scene);
  // The person puts away what stands between our columns, as the message says.
  const { id, columns } = lookAt(world);
  const places = [...columns.values()];
  for (let column = Math.max(...places); column >= Math.min(...places); column -= 1)
    if (!places.includes(column)) world.grid.deleteColumns(id, column, 1);
}

function check({ world, reported }: Scene): void {
  const look = lookAt(world);
  for (let row = 2; row <= look.lastRow; row += 1) {
    const product = Number(KEY.exec(keyAt(look, row))?.[1] ?? Number.NaN);
    if (Number.isNaN(product)) continue;
    counts.rowChecks += 1;
    const isWrong = NUMBERS.some((column) => {
      const figure = look.cell(row, column);
      return typeof figure === 'number' && figure !== TYPED && !belongs(figure, column, product);
    });
    if (isWrong) counts.wrongFigures += 1;
  }
  const now = newestIn(look);
  for (const [key, row] of reported) {
    counts.reportedChecks += 1;
    const there = now.get(key);
    if (JSON.stringify(there) === JSON.stringify({ ...row, key: there?.key })) continue;
    reported.delete(key);
    if (there?.status === 'Waiting' && there.wantedMs !== null) counts.askedAgain += 1;
    else counts.lostOrStale += 1;
  }
}

/** What a list shows: the newest row of each key. */
function newestIn(look: Look): ReadonlyMap<string, AnalysisRow> {
  const rows = Array.from({ length: look.lastRow }, (_, at) => at + 1).filter((row) =>
    keyAt(look, row).includes('|'),
  );
  return newestByKey(rows.map((row) => rowIn((column) => look.cell(row, column))));
}

function tidyOnce(scene: Scene): void {
  scene.world.call('tidy');
  const look = lookAt(scene.world);
  const keys = Array.from({ length: look.lastRow }, (_, at) => keyAt(look, at + 1)).filter((key) =>
    key.includes('|'),
  );
  counts.stillTwice += keys.length - new Set(keys).size;
  check(scene);
}

it('who act in the tab never meet a figure of another product or column, and lose nothing but what is asked again', () => {
  const seeds = sampleOf('people in the tab', WORLDS, SAMPLE);
  for (const seed of seeds) {
    const scene = sceneOf(seed);
    for (let record = 0; record < RECORDS_IN_A_WORLD; record += 1) recordOnce(scene);
    tidyOnce(scene);
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(counts).toMatchObject({ wrongFigures: 0, lostOrStale: 0, stillTwice: 0 });
  // The people were there, and most of what was recorded could be looked for.
  expect(counts.raced).toBeGreaterThan(counts.records / 4);
  expect(counts.reportedChecks).toBeGreaterThan(counts.rowChecks / 4);
  const checks = counts.rowChecks + counts.reportedChecks;
  expect(checks).toBeGreaterThan((CHECKS_OF_ALL * seeds.length) / WORLDS.length / 2);
  if (seeds.length === WORLDS.length) expect(checks).toBeGreaterThan(CHECKS_OF_ALL);
});

/** A column that works something out of another one of ours. */
const TWICE: WantedFormula = {
  role: 'twice',
  market: 'US',
  formula: '=IF({profit}="";"";{profit}*2)',
  ...{ title: 'Twice', width: 100, format: '0.00', isHidden: false },
};

const RUNS = sampleSize(90, 20);
const ROWS = [1, 2, 3, 4, 5];
const place = fc.integer({ min: 1, max: 8 });

const actInList = fc.oneof(
  fc.record({
    do: fc.constantFrom('insertColumns' as const, 'insertRows' as const),
    sheetId: fc.constant(0),
    first: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 2 }),
  }),
  fc
    .record({
      do: fc.constant('moveColumns' as const),
      sheetId: fc.constant(0),
      first: place,
      count: fc.constant(1),
      before: place,
    })
    .filter(({ first, before }) => before < first || before > first + 1),
);

/** The titles of ours, each of which a list has once. */
const OURS = /^(Profit|ROI|Eligible|Twice)\b/;

/** Between two readings of how wide the sheet is. */
const INSERTED = { do: 'insertColumns', sheetId: 0, first: 2, count: 1 } as const;

/** A list of theirs. */
function listOfTheirs(): SheetWorld {
  const rows = ROWS.map((at) => [asinOf(at), at * 1_000, `=${at}+0.5`]);
  const world = createSheetWorld([['ASIN', 'Cost', 'Note'], ...rows]);
  world.fill(...ROWS.map((at) => ({ key: `${asinOf(at)}|US`, figures: { profit: at } })));
  return world;
}

/** Rows by their product: what is theirs, and the profit that stands beside it. */
function rowsIn({ cells, grid, id }: SheetWorld) {
  const all = cells();
  const { lastRow, lastColumn } = grid.size(id);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const formulas = grid.formulas(id, area);
  const profit = String(all.flat().find((cell) => /^Profit\b/.test(String(cell))) ?? '');
  const titles = all.find((row) => row.includes('ASIN') || row.includes(profit)) ?? [];
  return ROWS.map((at) => {
    const line = all.findIndex((row) => row.includes(asinOf(at)));
    const row = all[line] ?? [];
    return {
      hasTheirs:
        row.includes(at * 1_000) &&
        (formulas[line] ?? []).some((formula) => formula === `=${at}+0.5`),
      shown: row[titles.indexOf(profit)] ?? '',
      twice: row[titles.indexOf('Twice')] ?? '',
    };
  });
}

const titlesOfOurs = (world: SheetWorld) =>
  world.cells().flatMap((row) => row.filter((cell) => OURS.test(String(cell))));

it('who act in a list while its columns are made keep what is theirs, or are told, and see no figure beside another product', () => {
  const seen = { acts: 0, told: 0, again: 0 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 160 }),
      actInList,
      fc.boolean(),
      (number, one, isThere) => {
        const world = listOfTheirs();
        if (isThere) {
          world.ensure();
          world.grid.write(world.id, 1, 10, [['Mine'], [11], [12]]);
          world.grid.write(world.id, 2, 4, [[''], ['']]);
        }
        const hasActed = world.actAt(/./, number, one);
        const made = world.call('ensure', [world.place, WANTED]);
        const list = 'kind' in made ? made : world.call('decide', [world.id, made.id, [TWICE]]);
        if (!hasActed()) return;
        seen.acts += 1;
        const rows = rowsIn(world);
        if ('kind' in list && list.kind === 'run' && list.why === 'overwritten') {
          seen.told += 1;
          return;
        }
        if ('kind' in list) seen.again += 1;
        else if (!isThere) expect(titlesOfOurs(world)).toHaveLength(4);
        expect(rows.map(({ hasTheirs }) => hasTheirs)).toEqual(ROWS.map(() => true));
        expect(world.cells().flat()).toEqual(
          expect.arrayContaining(['ASIN', 'Cost', 'Note', ...(isThere ? ['Mine', 11, 12] : [])]),
        );
        for (const [at, { shown, twice }] of rows.entries()) {
          const profit = ROWS[at] ?? 0;
          expect([profit, '', '#REF!']).toContain(shown);
          expect([2 * profit, '', '#REF!']).toContain(twice);
        }
      },
    ),
    { numRuns: RUNS, seed: 33, examples: [[12, INSERTED, false]] },
  );
  expect(seen.acts).toBeGreaterThan(RUNS / 2);
  expect(seen.told).toBeLessThan(6);
}, 120_000);
