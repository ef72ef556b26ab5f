// The spreadsheets of a team over a long period: one with all its lists, and many small ones of a
// collector.

import { type FaultLaw, plannedFaults } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import { createInlineHost, type Firing } from 'apps-script-host/inline/inline-host';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../../playground/api/catalogue';
import type { Reply } from '../book';
import { BASE_URL, type Call, createService } from '../service';
import { COLLECTOR, FORMULA_CELLS, LISTS, OWN_SPREADSHEETS, PEOPLE, QUOTA } from './plan';

/** A Monday at nine in Google's time zone, as in the host. */
const START_MS = Date.UTC(2026, 0, 5, 9);

/** The number of products that people type in. */
const SPARE = 500;

export const TEAM = 'team';
export const ownId = (at: number): string => `own-${at}`;
export const OWN_IDS = Array.from({ length: OWN_SPREADSHEETS }, (_, at) => ownId(at));

/** Free rows for insertions. */
const FREE_ROWS = 500;

const FAULTS: FaultLaw = { rate: 0.0005, againShare: 0.1 };
const KILL_SHARE = 0.01;

/** The service calls of a long firing. */
const CALLS_MAX = 900;

export interface Acting {
  readonly userEmail: string;
  readonly what: 'schedule' | 'person' | 'cell';
}

/** What the page receives. */
export type Said = Omit<Reply, 'end'>;

export interface EnduranceWorld {
  readonly host: ReturnType<typeof createInlineHost>;
  readonly grid: PlainGrid;
  /** The ids of the tabs with lists, in the order of the plan. */
  readonly lists: readonly number[];
  readonly cellsTab: number;
  readonly asins: readonly (readonly string[])[];
  readonly spare: readonly string[];
  readonly rpc: (who: number, method: string, payload?: object, documentId?: string) => Said;
  /** Calculates newly written formulas, as Sheets does at once. */
  readonly recalculate: () => void;
  /** A key that the service knows. */
  readonly keyOf: (who: number, version: number) => string;
}

interface WorldPlan {
  readonly dist: HostOptions['dist'];
  readonly seed: number;
  readonly days: number;
  readonly rows: number;
  /** The most keys that each person may have over time. */
  readonly keys: number;
  readonly onCall: (call: Call, acting: Acting | null) => void;
  readonly onFired: (firing: Firing) => void;
}

export function createEnduranceWorld(plan: WorldPlan): EnduranceWorld {
  const { dist, seed, days, rows, keys, onCall, onFired } = plan;
  const random = createRandom(seedFrom(seed, 'endurance'));
  const counts = LISTS.map(({ share }) => Math.max(3, Math.round((rows * share) / 100)));
  const needed = counts.reduce((sum, count) => sum + count, 0) + SPARE + FORMULA_CELLS;
  const catalogue = createCatalogue(1, needed);
  const all = [...catalogue.asins.US].slice(-needed);
  const take = (count: number) => all.splice(0, count);
  const spare = take(SPARE);
  const inCells = take(FORMULA_CELLS);
  const asins = counts.map(take);
  const { grid, lists, cellsTab } = bookOf(asins, inCells);
  const keyOf = (who: number, version: number) => `key-${who}-${version % keys}`;
  let acting: Acting | null = null;
  let isLost = false;
  const { internet } = createService({
    catalogue,
    keys: Object.fromEntries(
      PEOPLE.flatMap((_, who) => Array.from({ length: keys }, (_, at) => [keyOf(who, at), QUOTA])),
    ),
    outages: outagesOf(random, days),
    isLost: () => isLost,
    onCall: (call) => onCall(call, acting),
  });
  const host = createInlineHost({
    ...{ dist, seed, internet },
    startMs: START_MS,
    sheetsFailUnderLock: true,
    documents: [
      {
        ...{ id: TEAM, name: 'Products', model: grid },
        ...{ ownerEmail: PEOPLE[0] ?? '', editors: PEOPLE.slice(1) },
      },
      ...OWN_IDS.map((id, at) => ({
        ...{ id, name: id, ownerEmail: PEOPLE[COLLECTOR] ?? '', editors: [] },
        model: smallBook(spare.slice(10 * at, 10 * at + 5)),
      })),
    ],
    observe: () => {
      isLost = false;
    },
    onFault: (fault) => {
      isLost = fault.startsWith('after urlFetch');
    },
    onFiring: (execution) => fired(random, execution),
    onFired: (firing) => {
      onFired(firing);
      acting = null;
    },
  });
  function fired(chance: Random, execution: Execution): Execution {
    acting = { userEmail: execution.userEmail ?? '', what: 'schedule' };
    const isKilled = chance.chance(KILL_SHARE);
    const killAtCall = chance.integer(1, chance.chance(0.5) ? 12 : 250);
    const faults = plannedFaults(chance, FAULTS, CALLS_MAX);
    return { ...execution, faults, ...(isKilled ? { killAtCall } : {}) };
  }
  function call(execution: Execution & { readonly userEmail: string }, what: Acting['what']) {
    acting = { userEmail: execution.userEmail, what };
    return host.call(execution);
  }
  const rpc: EnduranceWorld['rpc'] = (who, method, payload = {}, documentId = TEAM) => {
    const userEmail = PEOPLE[who] ?? '';
    const execution = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    const { ended, value, error } = call({ ...execution, userEmail, documentId }, 'person');
    if (ended === 'returned') return value as Said;
    throw new Error(`${method} ${ended}: ${error?.message}`);
  };
  const known = new Map<number, string>();
  /** What the cell holds that all formulas here name. */
  function refreshValue(): CellValue {
    const cell = featuresOf(grid)
      .names()
      .find(({ name }) => name === 'ANALYZE_REFRESH');
    if (!cell?.rectangle) return '';
    return grid.values(cell.sheetId, cell.rectangle)[0]?.[0] ?? '';
  }
  function recalculate(): void {
    const { lastRow } = grid.size(cellsTab);
    const area = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: 2 };
    const formulas = grid.formulas(cellsTab, area);
    grid.values(cellsTab, area).forEach(([asin], down) => {
      const formula = formulas[down]?.[1] ?? '';
      const refreshed = refreshValue();
      const wish = `${formula} ${Number(refreshed)}`;
      if (known.get(down) === wish) return;
      known.set(down, wish);
      const texts = [...formula.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
      const userEmail = PEOPLE[0] ?? '';
      const args = [asin, ...texts, refreshed];
      const cell = { functionName: 'ANALYZE', args, door: 'cell' } as const;
      const end = call({ ...cell, userEmail, documentId: TEAM }, 'cell');
      const shown = end.ended === 'returned' ? (end.value as number) : '#ERROR!';
      grid.setComputed(cellsTab, 2 + down, 2, shown ?? '');
    });
  }
  return { host, grid, lists, cellsTab, asins, spare, rpc, recalculate, keyOf };
}

/** Outages of a few hours, about one in ten days. */
function outagesOf(random: Random, days: number) {
  return Array.from({ length: Math.ceil(days / 10) }, () => {
    const fromMs = START_MS + random.integer(24, 24 * days) * 3_600_000;
    return { fromMs, toMs: fromMs + random.integer(20, 240) * 60_000 };
  });
}

const rowsOf = (asins: readonly string[]) => [
  ['ASIN', 'Note'],
  ...asins.map((asin) => [asin, `note of ${asin}`]),
];

function bookOf(asins: readonly (readonly string[])[], inCells: readonly string[]) {
  const [first = [], ...others] = asins;
  const grid = createPlainGrid({ maxRows: first.length + FREE_ROWS, maxColumns: 12 });
  grid.write(0, 1, 1, rowsOf(first));
  const lists = others.map((some, at) => {
    const id = grid.addSheet(`List ${at + 2}`, at + 2);
    const missing = some.length + FREE_ROWS - grid.size(id).maxRows;
    if (missing > 0) grid.insertRows(id, grid.size(id).maxRows + 1, missing);
    grid.write(id, 1, 1, rowsOf(some));
    return id;
  });
  const cellsTab = grid.addSheet('Cells', 1 + grid.sheets().length);
  const cells = inCells.map((asin, at) => [
    asin,
    { formula: `=ANALYZE(A${at + 2},"US","profit",ANALYZE_REFRESH)` },
  ]);
  grid.write(cellsTab, 1, 1, [['Asked', 'Profit'], ...cells]);
  return { grid, lists: [0, ...lists], cellsTab };
}

function smallBook(asins: readonly string[]) {
  const grid = createPlainGrid({ maxRows: 100, maxColumns: 12 });
  grid.write(0, 1, 1, rowsOf(asins));
  return grid;
}

export const connection = (key: string, sharing: 'me' | 'spreadsheet') => ({
  ...{ baseUrl: BASE_URL, apiKey: key, quota: QUOTA, sharing },
});
