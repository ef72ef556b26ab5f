// A spreadsheet that calculates, a service, and people who analyze lists in it.

import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { TAB_COLUMNS, tabTitle } from '../../src/analysis/analysis-row';
import { granted, SANDBOX, type Sheet, sheetOf, US_ASINS } from '../doors/bulk-list';
import { createWorld, type World, type WorldOptions } from '../doors/world';

/** Products that the service knows. */
export const ASINS: readonly string[] = US_ASINS.filter((asin) => /^B0/.test(asin));

export const EDITOR = 'editor@example.com';

/** A row of the Analysis tab by its titles. */
export type TabRow = Readonly<Record<string, CellValue>>;

export interface JobWorld extends World {
  readonly sheet: Sheet;
  readonly people: (act: Act) => void;
  /** What the list shows in a row, by title. */
  shown(row: number): Readonly<Record<string, CellValue>>;
  /** The rows of the Analysis tab; empty if there is none. */
  tab(): readonly TabRow[];
  /** Types into a cell of the Analysis tab, in the row with this key. */
  typeInTab(key: string, title: string, value: CellValue): void;
  /** The products that the service was asked for, each as often as it was. */
  asked(): readonly string[];
}

const TITLES: readonly string[] = TAB_COLUMNS.map(tabTitle);

const byTitle = (titles: readonly CellValue[], row: readonly CellValue[] | undefined) =>
  Object.fromEntries(titles.map((title, at) => [String(title), row?.[at] ?? '']));

/** @param rows of the list, its titles first. The connection is already saved. */
export async function jobWorld(
  rows: readonly (readonly CellValue[])[],
  { sandbox, host, ...draft }: WorldOptions & Readonly<Record<string, unknown>> = {},
): Promise<JobWorld> {
  let nowMs = () => 0;
  const sheet = sheetOf(rows, { nowMs: () => nowMs() });
  const document = { ...sheet.document, editors: [EDITOR] };
  const asked: string[] = [];
  const world = createWorld({
    sandbox: { ...SANDBOX, ...sandbox },
    host: {
      ...host,
      documents: [document],
      observe: (call) => {
        host?.observe?.(call);
        if (!call.operation.startsWith('urlFetch.')) return;
        for (const [, asin] of JSON.stringify(call.args).matchAll(/asin\W+([0-9A-Z]{10})/g))
          asked.push(String(asin));
      },
    },
  });
  nowMs = () => world.host.nowMs();
  const { grid } = sheet;
  granted(await world.connect(draft));
  // A start that was cut off may have left an empty tab of the same name.
  const tabId = () =>
    grid.sheets().findLast(({ name }) => /^Analysis( \d)?$/.test(name))?.id ?? null;
  const cellsOf = (id: number) => {
    const { lastRow, lastColumn } = grid.size(id);
    if (lastRow === 0) return [];
    return grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
  };
  const tabCells = () => {
    const id = tabId();
    return id === null ? [] : cellsOf(id);
  };
  const people = createPeople(grid);
  return {
    ...world,
    sheet,
    people,
    shown: (row) => {
      const cells = cellsOf(sheet.id);
      return byTitle(cells[0] ?? [], cells[row - 1]);
    },
    tab: () =>
      tabCells()
        .slice(1)
        .map((row) => byTitle(TITLES, row)),
    typeInTab(key, title, value) {
      const [, ...below] = tabCells();
      const at = below.findIndex((row) => byTitle(TITLES, row).Key === key);
      const column = TITLES.indexOf(title) + 1;
      if (at < 0 || column === 0) throw new Error(`The tab has no ${title} of ${key}.`);
      people({ do: 'edit', sheetId: tabId() ?? -1, row: at + 2, column, contents: [[value]] });
    },
    asked: () => [...asked],
  };
}

/** Lets time pass, with what happens in it. */
export const waitFor = (world: World, ms: number): Promise<void> =>
  world.host.run(world.host.nowMs() + ms);

/** A list of products with a title. */
export const listOf = (asins: readonly string[]): string[][] => [
  ['ASIN'],
  ...asins.map((asin) => [asin]),
];
