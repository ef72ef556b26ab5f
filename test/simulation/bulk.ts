// The worlds of the bulk simulation: runs that are cut off at every call, and runs while people
// edit the sheet.

import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import {
  ASINS,
  BURST,
  type BulkWorld,
  CALLS_PER_SECOND,
  connect,
  createBulkWorld,
  type Kill,
} from './bulk-world';
import { createNeighbours, type Neighbours } from './neighbours';
import { driveRun, type Habits, type Story } from './person';
import { type Figures, lostOrDoubled, tableOf, truthOf, wrongsOf } from './verdict';

const SLICE_MS = 300_000;
const SHORT_SLICE_MS = 20_000;
const HOUR_MS = 3_600_000;

/** The answers between two writes, which are 6 s and a wave apart. */
const CHUNK_CALLS = 9 * CALLS_PER_SECOND;

const SHORT_LIST = 300;
const LONG_LIST = 2_000;

const NO_PRODUCT = /^these rows have no products/i;

export interface WorldReport {
  readonly name: string;
  readonly wrongs: readonly string[];
  /** Whether the run itself told people to compare rows because columns moved while it wrote. */
  readonly isTold?: boolean;
  /** The number of calls beyond one for each product. */
  readonly repeated: number;
}

export interface Plan {
  readonly name: string;
  readonly run: () => WorldReport;
}

type Dist = HostOptions['dist'];
export type Truth = ReadonlyMap<string, Figures>;

const NEVER: Habits = { killOf: () => ({}), absenceMs: () => 0, sliceMs: SLICE_MS };

/** In the other worlds, starting and working are two calls, as they are for a product's card. */
const isInOne = (seed: number): boolean => seed % 5 === 0;

/** The content that every product's row must have, taken from an undisturbed run. */
export function learnTruth(dist: Dist): Truth {
  const world = createBulkWorld({ dist, seed: 0, asins: ASINS.slice(0, LONG_LIST) });
  connect(world);
  const { problem } = driveRun(world, NEVER);
  if (problem !== null) throw new Error(`The undisturbed run failed: ${problem}`);
  return truthOf(world);
}

/**
 * One world for each service call of an undisturbed run, for both ways to start it; the execution
 * is cut off at that call.
 */
export function killedEverywhere(dist: Dist, truth: Truth): readonly Plan[] {
  const asins = ASINS.slice(0, SHORT_LIST);
  return [false, true].flatMap((isInOne) => {
    const habits = { ...NEVER, isInOne };
    const world = createBulkWorld({ dist, seed: 1, asins });
    connect(world);
    const { serviceCalls } = driveRun(world, habits);
    const way = isInOne ? ', started in one' : '';
    return serviceCalls.flatMap((count, call) =>
      Array.from({ length: count }, (_, at) => ({
        name: `cut off at call ${at + 1} of the sidebar's call ${call + 1}${way}`,
        run: () => {
          const killed = createBulkWorld({ dist, seed: 1, asins });
          const kill: Kill = { killAtCall: at + 1 };
          const killOf = (number: number) => (number === call ? kill : {});
          const name = `cut off at ${call + 1}.${at + 1}${way}`;
          return report(name, killed, { ...habits, killOf }, truth, null);
        },
      })),
    );
  });
}

/**
 * Long lists that are cut off at several calls, with people at work and the sidebar closed for a
 * while.
 */
export function killedAmongPeople(dist: Dist, truth: Truth, seed: number): Plan {
  return {
    name: `long ${seed}`,
    run: () => {
      const random = createRandom(seedFrom(seed, 'long'));
      const kills = new Map(
        Array.from({ length: random.integer(1, 3) }, () => {
          const at = random.integer(1, 400);
          const kill: Kill = random.next() < 0.5 ? { killAtCall: at } : { killAfterCall: at };
          return [random.integer(1, 6), kill] as const;
        }),
      );
      const habits: Habits = {
        killOf: (call) => kills.get(call) ?? {},
        absenceMs: () => (random.next() < 0.3 ? random.integer(0, HOUR_MS) : 0),
        sliceMs: random.next() < 0.5 ? SLICE_MS : SHORT_SLICE_MS,
        isInOne: isInOne(seed),
      };
      return amongPeople(`long ${seed}`, {
        dist,
        truth,
        seed,
        rows: LONG_LIST,
        share: 0.01,
        movesColumns: false,
        habits,
      });
    },
  };
}

/** What people change in short lists that somebody is always editing. */
export type Changes = 'rows' | 'columns' | 'hands';

/**
 * Orders of events of every kind: changes of rows only (unrestricted), of columns as well, or of
 * cells with undo.
 */
export function interleaved(dist: Dist, truth: Truth, changes: Changes, seed: number): Plan {
  const name = `${changes} ${seed}`;
  return {
    name,
    run: () => {
      const random = createRandom(seedFrom(seed, 'busy'));
      const [rows, share] = [random.integer(4, 40), 0.02 + random.next() * 0.08];
      const movesColumns = changes === 'columns';
      const areBusyHands = changes === 'hands';
      return amongPeople(name, {
        ...{ dist, truth, seed, rows, share, movesColumns, areBusyHands },
        habits: { ...NEVER, isInOne: isInOne(seed) },
      });
    },
  };
}

/**
 * The shares of service calls that fail temporarily, one in ten of them twice in a row. In half of
 * the worlds none fail.
 */
const FAULT_RATES = [0, 0, 0.002, 0.01];

export function faultsOf(seed: number) {
  const rate = createRandom(seedFrom(seed, 'faults')).pick(FAULT_RATES);
  return { rate, againShare: 0.1 };
}

interface Crowd {
  readonly dist: Dist;
  readonly truth: Truth;
  readonly seed: number;
  readonly rows: number;
  readonly share: number;
  readonly movesColumns: boolean;
  readonly areBusyHands?: boolean;
  readonly habits: Habits;
}

function amongPeople(name: string, crowd: Crowd): WorldReport {
  const { dist, truth, seed, rows, share, movesColumns, areBusyHands = false, habits } = crowd;
  const asins = ASINS.slice(0, rows);
  const neighbours = createNeighbours({
    random: createRandom(seedFrom(seed, 'people')),
    sheetId: 0,
    share,
    ...{ movesColumns, areBusyHands },
    asins,
    others: ASINS.slice(LONG_LIST - 300, LONG_LIST),
  });
  const { betweenCalls } = neighbours;
  const world = createBulkWorld({ dist, seed, asins, betweenCalls, faults: faultsOf(seed) });
  return report(name, world, habits, truth, neighbours);
}

function report(
  name: string,
  world: BulkWorld,
  habits: Habits,
  truth: Truth,
  neighbours: Neighbours | null,
): WorldReport {
  connect(world);
  const giveBack = (title: string) => neighbours?.giveBack(world.grid, title);
  const story = driveRun(world, habits, giveBack);
  const table = tableOf(world);
  const expected = {
    truth,
    renamed: neighbours?.renamed ?? new Map(),
    typed: neighbours?.typed ?? new Set<string>(),
    typedOver: neighbours?.typedOver ?? new Set<string>(),
    handled: neighbours?.handled ?? new Set<CellValue>(),
  };
  const repeated = [...world.calls.values()].reduce((sum, calls) => sum + calls - 1, 0);
  const first = new Map(ASINS.slice(0, table.rows.length).map((asin) => [asin, 1]));
  const there = neighbours?.there ?? first;
  const titleOfAsin = expected.renamed.get('ASIN') ?? 'ASIN';
  const inTheSheet = [...wrongsOf(table, expected), ...lostOrDoubled(table, titleOfAsin, there)];
  // If only rows move, everything can be repaired, whatever a run says.
  const isTold = story.isTold && (neighbours?.movesColumns ?? false);
  const wrongs = [
    // If columns move during a write, it is correct to stop and name the cells.
    ...(isTold || story.problem === null || isTrue(story.problem, there) ? [] : [story.problem]),
    ...(isTold ? [] : inTheSheet),
    ...tooManyCalls(story, repeated, world.faults),
  ];
  return { name, wrongs, repeated, isTold };
}

/** If people have deleted every product, refusing to start is correct. */
function isTrue(problem: string, there: ReadonlyMap<string, number>): boolean {
  return NO_PRODUCT.test(problem) && [...there.values()].every((count) => count === 0);
}

/** Answers that the cache refused twice are not stored. */
const UNKEPT = 'before cache.putAll';

/**
 * What only one execution knew is asked for again after it is cut off. Among Google's faults, only
 * two kinds cost calls: a call of UrlFetchApp whose answers were lost, and two consecutive faults
 * of the cache that holds answers whose rows are not yet written.
 */
export function tooManyCalls(
  { crashes }: Story,
  repeated: number,
  faults: readonly string[],
): readonly string[] {
  const lost = faults.filter((fault) => fault.startsWith('after urlFetch')).length;
  const unkept = faults.filter((fault, at) => fault === UNKEPT && faults[at - 1] === UNKEPT).length;
  const allowed = (crashes + unkept) * CHUNK_CALLS + lost * BURST;
  return repeated > allowed ? [`${repeated} calls were repeated, ${allowed} may be`] : [];
}
