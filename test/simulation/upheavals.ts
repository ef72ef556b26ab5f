// Worlds in which the owner makes one large change during a run: deletes a column, all cells or the
// tab, or copies the tab or the spreadsheet.

import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, seedFrom } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue, SheetModel } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { faultsOf, type Plan, type Truth, tooManyCalls, type WorldReport } from './bulk';
import { ASINS, type BulkWorld, connect, createBulkWorld, DOCUMENT, OWNER } from './bulk-world';
import { driveRun, type Habits } from './person';
import { lostOrDoubled, tableOf, wrongsOf } from './verdict';

const SHEET = 0;
const COPY = 'copy';

/**
 * The range of service calls for the change: those of a start and the first waves of these lists.
 */
const CALLS_MAX = 170;

const OURS = [
  'Profit',
  'ROI',
  'Fees',
  'Eligible',
  'Rank drops 30d',
  'Analysis status',
  'Analyzed at',
];

const KINDS = ['a column', 'products', 'all cells', 'the tab', 'a copied tab', 'a copy'] as const;
type Kind = (typeof KINDS)[number];

const UNDISTURBED: Habits = { killOf: () => ({}), absenceMs: () => 0, sliceMs: 300_000 };

/** Correct messages if the tab is gone, which is not undone here. */
const GONE = /sheet was deleted|No products were found|no longer where it was|chosen for another/;

/** The messages before there is a run that could ask for its columns. */
const NOTHING_THERE = /^No products were found|these rows have no products/i;

/**
 * Whether the owner undoes the change once the run asks for it; otherwise the run is stopped and a
 * new one started.
 */
function isTakenBack(kind: Kind, seed: number): boolean {
  return kind !== 'a column' || createRandom(seedFrom(seed, 'taken back')).chance(0.5);
}

export function upheaval(dist: HostOptions['dist'], truth: Truth, seed: number): Plan {
  const name = `upheaval ${seed}`;
  return { name, run: () => played(name, dist, truth, seed) };
}

function played(name: string, dist: HostOptions['dist'], truth: Truth, seed: number): WorldReport {
  const random = createRandom(seedFrom(seed, 'upheaval'));
  const kind = random.pick(KINDS);
  const asins = ASINS.slice(0, random.integer(4, 40));
  const title = random.pick(OURS);
  const killAt = random.chance(0.3) ? random.integer(1, 250) : 0;
  const killedCall = random.integer(1, 4);
  let callsLeft = Number.POSITIVE_INFINITY;
  let copied: Copied | null = null;
  const world: BulkWorld = createBulkWorld({
    ...{ dist, seed, asins },
    faults: faultsOf(seed),
    betweenCalls: ({ document, operation }) => {
      callsLeft -= 1;
      // Not during a write, because nobody wants a copy of half-written cells.
      if (callsLeft > 0 || operation.startsWith('spreadsheet.write')) return [];
      if (kind === 'a copy') copied = copyOfBook(world);
      if (kind === 'a copied tab') copied = tabBeside(world);
      const acts = actsOf(kind, title, document.model);
      // Waits for a column that does not exist yet.
      if (copied !== null || acts.length > 0) callsLeft = Number.POSITIVE_INFINITY;
      return acts;
    },
  });
  connect(world);
  callsLeft = random.integer(1, CALLS_MAX);
  const takesBack = isTakenBack(kind, seed);
  const habits: Habits = {
    ...UNDISTURBED,
    killOf: (call) => (call === killedCall && killAt > 0 ? { killAtCall: killAt } : {}),
  };
  const undo = () => world.host.act({ do: 'undo' }, { documentId: DOCUMENT });
  let story = driveRun(world, habits, () => (takesBack ? undo() : stop(world)));
  if (kind !== 'the tab' && NOTHING_THERE.test(story.problem ?? '')) {
    undo();
    story = driveRun(world, UNDISTURBED, undo);
  }
  const repeated = [...world.calls.values()].reduce((sum, calls) => sum + calls - 1, 0);
  const problem = story.problem ?? '';
  const isGone = kind === 'the tab' && GONE.test(problem);
  const inTheCopy = copied === null ? [] : wrongsOfCopy(copied, world, asins, truth);
  const wrongs = [
    ...(problem === '' || isGone || story.isTold ? [] : [problem]),
    ...(isGone || story.isTold ? [] : wrongsIn(world, asins, truth)),
    ...inTheCopy,
    // A run that was stopped and started again still has its answers.
    ...tooManyCalls(story, repeated, world.faults),
  ];
  return { name: `${name} (${kind})`, wrongs, repeated, isTold: story.isTold };
}

function stop(world: BulkWorld): void {
  const runId = world.rpc('bulk.status').value?.runId;
  if (runId !== undefined) world.rpc('bulk.stop', { runId });
}

function actsOf(kind: Kind, title: string, model: SheetModel): readonly Act[] {
  if (!model.sheets().some(({ id }) => id === SHEET)) return [];
  const { lastRow, lastColumn } = model.size(SHEET);
  if (lastRow === 0) return [];
  const top = { row: 1, column: 1, rowCount: 1, columnCount: lastColumn };
  const titles = (model.values(SHEET, top)[0] ?? []).map(String);
  const first = titles.indexOf(kind === 'products' ? 'ASIN' : title) + 1;
  const blank = Array.from({ length: lastRow }, () => titles.map((): CellValue => ''));
  const does: Partial<Record<Kind, readonly Act[]>> = {
    'a column': first > 0 ? [{ do: 'deleteColumns', sheetId: SHEET, first, count: 1 }] : [],
    products: [{ do: 'deleteColumns', sheetId: SHEET, first, count: 1 }],
    'all cells': [{ do: 'edit', sheetId: SHEET, row: 1, column: 1, contents: blank }],
    'the tab': [{ do: 'deleteSheet', sheetId: SHEET }],
  };
  if (kind === 'the tab' && model.sheets().length === 1) model.addSheet('Other', 2);
  return does[kind] ?? [];
}

/** The copy and its content at the time of copying. */
interface Copied {
  readonly grid: PlainGrid;
  readonly sheetId: number;
  readonly documentId: string;
  readonly before: string;
}

const copiedTo = (documentId: string, grid: PlainGrid, sheetId: number): Copied => ({
  ...{ documentId, grid, sheetId },
  before: JSON.stringify(tableOf({ grid, sheetId })),
});

function copyOfBook({ host }: BulkWorld): Copied {
  const copy = { id: COPY, name: 'Copy', ownerEmail: OWNER, editors: [] };
  return copiedTo(COPY, host.copyDocument(DOCUMENT, copy, true).model as PlainGrid, SHEET);
}

function tabBeside({ host, grid }: BulkWorld): Copied {
  host.act({ do: 'copySheet', sheetId: SHEET }, { documentId: DOCUMENT });
  return copiedTo(DOCUMENT, grid, grid.sheets().at(-1)?.id ?? SHEET);
}

/**
 * No run of the original changes the copy, and a run over the copy completes it like the original.
 */
function wrongsOfCopy(
  { grid, sheetId, documentId, before }: Copied,
  { host, rpc }: BulkWorld,
  asins: readonly string[],
  truth: Truth,
): readonly string[] {
  if (JSON.stringify(tableOf({ grid, sheetId })) !== before)
    return ['What was copied is no longer as it was.'];
  const firstCell = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
  grid.select({ sheetId, rectangle: firstCell });
  const place = {
    host,
    rpc: (method: string, payload?: object) => rpc(method, payload, {}, { documentId }),
  };
  const { problem, isTold } = driveRun(place, UNDISTURBED);
  const wrongs = isTold ? [] : wrongsIn({ grid, sheetId }, asins, truth);
  return [...(problem === null ? [] : [problem]), ...wrongs].map((one) => `In the copy: ${one}`);
}

type Place = Pick<BulkWorld, 'grid' | 'sheetId'>;

function wrongsIn(place: Place, asins: readonly string[], truth: Truth): readonly string[] {
  const table = tableOf(place);
  const none = { renamed: new Map(), typed: new Set<string>(), typedOver: new Set<string>() };
  const there = new Map(asins.map((asin) => [asin, 1]));
  const expected = { truth, ...none, handled: new Set<CellValue>() };
  return [...wrongsOf(table, expected), ...lostOrDoubled(table, 'ASIN', there)];
}
