// Worlds of one job over a list: cut off at every service call, among people who are always at work
// in the list and in the Analysis tab, and of two people at once.

import { calculating } from 'apps-script-host/calculation';
import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import {
  type Book,
  COLLEAGUE,
  connect,
  createBook,
  DOCUMENT,
  KEYS,
  type Kill,
  LIST,
  OWNER,
  QUOTA,
  rowOf,
  type Who,
} from './book';
import { createKeeper, type Keeper } from './keeper';
import {
  figuresAreTheProducts,
  limitIsKept,
  nothingIsAskedTwice,
  rowsAreAnswered,
  wordsAreOurs,
} from './laws';
import { analyze, createDesk, type Desk, type Page } from './page';
import { clearTab, nextActs, SPELLINGS } from './people';
import { seenRows, tabIn } from './seen';
import { ASINS } from './service';

type Dist = HostOptions['dist'];

export interface WorldReport {
  readonly name: string;
  readonly wrongs: readonly string[];
  readonly calls: number;
  /** Columns of the list moved while their formulas were written, and the job named the cells. */
  readonly isTold?: boolean;
}

export interface Plan {
  readonly name: string;
  readonly run: () => Promise<WorldReport>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const SHORT_LIST = 60;

/** Lists begin behind the products that people type in. */
const FROM = 500;

/** Rows with a column of markets, or of one market for all. */
const rowsFor = (random: Random, count: number, isMixed: boolean) =>
  ASINS.slice(FROM, FROM + count).map((asin) => {
    const row = rowOf(random.pick(SPELLINGS)(asin));
    return isMixed ? [...row, random.pick(['US', 'US', 'UK', 'uk', ''])] : row;
  });

const HEADERS = ['Note', 'ASIN', 'Remark'];

/** The shares of service calls that fail temporarily; in half of the worlds none do. */
const FAULT_RATES = [0, 0, 0.002, 0.01];
const faultsOf = (seed: number) => ({
  rate: createRandom(seedFrom(seed, 'faults')).pick(FAULT_RATES),
  againShare: 0.1,
});

/** Calls of a page that ask the service: what is cut off there may lose a wave. */
const asksService = (method: string): boolean => /^jobs\.ask/.test(method);

/** What is wrong in a world where nobody is at work any more. */
function wrongsIn(book: Book, grids: readonly PlainGrid[], kills: number): readonly string[] {
  return [
    ...grids.flatMap((grid) => figuresAreTheProducts(grid, book.service.callsOf)),
    ...limitIsKept(book),
    ...nothingIsAskedTwice(book, QUOTA, { kills, faults: book.faults }),
  ];
}

/** Turns to the list before the next try. */
function toList({ grid }: Book): true {
  grid.select({ sheetId: LIST, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
  return true;
}

/** One calm job at the end: every row is answered, whatever happened before. */
async function calmJob(desk: Desk, book: Book, hasGaps: boolean): Promise<readonly string[]> {
  const page = desk.open();
  const { problem } = await desk.until(analyze(page, () => toList(book)));
  if (problem !== null) return [`a calm job at the end: ${problem}`];
  return rowsAreAnswered(book.grid, LIST, hasGaps ? undefined : book.service.callsOf);
}

/** One world for each service call of an undisturbed job, whose execution is cut off there. */
export async function killedEverywhere(dist: Dist): Promise<readonly Plan[]> {
  const counts: number[] = [];
  await playJob(dist, () => ({}), counts);
  return counts.flatMap((count, call) =>
    Array.from({ length: count }, (_, at) => {
      const name = `cut off at call ${at + 1} of the page's call ${call + 1}`;
      const killOf = (number: number) => (number === call ? { killAtCall: at + 1 } : {});
      return {
        name,
        run: async () => ({ name, ...(await playJob(dist, killOf)) }),
      };
    }),
  );
}

/** @param counts gets the number of service calls of each execution. */
async function playJob(dist: Dist, killOf: (call: number) => Kill, counts: number[] = []) {
  const random = createRandom(1);
  const rows = ASINS.slice(FROM, FROM + SHORT_LIST).map(rowOf);
  const book = createBook({ dist, seed: 1, rows });
  connect(book);
  const keeper = createKeeper(book.grid);
  let [calls, kills] = [0, 0];
  const { call } = book.host;
  const host = {
    ...book.host,
    call: (execution: Parameters<typeof call>[0]) => {
      const end = call(execution);
      counts.push(end.serviceCalls);
      if (end.ended !== 'returned' && asksService(String(execution.args[0]))) kills += 1;
      return end;
    },
  };
  const desk = createDesk({ ...book, host }, random);
  const kill = () => {
    calls += 1;
    return killOf(calls - 1);
  };
  const { problem } = await desk.until(analyze(desk.open({ kill }), () => toList(book)));
  keeper.check();
  const wrongs = [
    ...(problem === null ? [] : [problem]),
    ...keeper.wrongs,
    ...wrongsIn(book, [book.grid], kills),
    ...rowsAreAnswered(book.grid, LIST, book.service.callsOf),
  ];
  return { wrongs, calls: book.service.calls.length };
}

/** A person who closes the page now and then, and comes back. */
async function visits(
  desk: Desk,
  book: Book,
  random: Random,
  open: () => Page,
  putRight: (words: string) => boolean,
) {
  for (let visit = 0; visit < 3; visit += 1) {
    const page = open();
    const staysMs = random.chance(0.6) ? Number.POSITIVE_INFINITY : random.integer(1, 60) * 1_000;
    const story = analyze(page, putRight);
    const ended =
      staysMs === Number.POSITIVE_INFINITY
        ? await desk.until(story)
        : await desk.until(Promise.race([story, page.pause(staysMs).then(() => null)]));
    if (ended !== null) return ended;
    page.close();
    book.host.wait(random.pick([0, MINUTE_MS, 10 * MINUTE_MS, 2 * HOUR_MS]));
  }
  return desk.until(analyze(open(), putRight));
}

/** Short lists in which somebody is always at work, in the list and in the tab. */
export function amongPeople(dist: Dist, seed: number): Plan {
  const name = `people ${seed}`;
  return { name, run: async () => ({ name, ...(await playPeople(dist, seed)) }) };
}

async function playPeople(dist: Dist, seed: number) {
  const random = createRandom(seedFrom(seed, 'people'));
  const share = 0.02 + random.next() * 0.08;
  const isMixed = random.chance(0.3);
  let keeper: Keeper | null = null;
  let areAtWork = true;
  let hasGaps = false;
  let kills = 0;
  const book: Book = createBook({
    ...{ dist, seed, faults: faultsOf(seed) },
    headers: isMixed ? [...HEADERS, 'Market'] : HEADERS,
    rows: rowsFor(random, random.integer(4, 40), isMixed),
    betweenCalls: ({ executionId }) => {
      if (keeper === null) return [];
      keeper.check(executionId);
      if (areAtWork && random.chance(share))
        for (const act of nextActs(book.grid, random)) {
          // The figures of a column of the tab that somebody deletes are gone until the next call.
          if (act.do === 'deleteColumns' && act.sheetId === tabIn(book.grid)) hasGaps = true;
          keeper.act(act);
        }
      return [];
    },
  });
  connect(book);
  keeper = createKeeper(book.grid);
  const desk = createDesk(book, random);
  const killed = random.chance(0.3) ? random.integer(1, 8) : 0;
  let calls = 0;
  const kill = (method: string): Kill => {
    calls += 1;
    if (calls !== killed) return {};
    if (asksService(method)) kills += 1;
    const at = random.integer(1, 60);
    return random.chance(0.5) ? { killAtCall: at } : { killAfterCall: at };
  };
  const told: string[] = [];
  const putRight = (words: string) => {
    told.push(words);
    for (const act of clearTab(book.grid)) keeper?.act(act);
    return toList(book);
  };
  const { problem } = await visits(desk, book, random, () => desk.open({ kill }), putRight);
  if (problem !== null) told.push(problem);
  areAtWork = false;
  const inBetween = figuresAreTheProducts(book.grid, book.service.callsOf);
  for (let acts = clearTab(book.grid); acts.length > 0; acts = clearTab(book.grid))
    for (const act of acts) keeper.act(act);
  const atEnd = hasProducts(book.grid) ? await calmJob(desk, book, hasGaps) : [];
  keeper.check();
  const isTold = told.some((words) => TOLD.test(words));
  const inTheSheet = [
    ...inBetween,
    ...atEnd,
    ...keeper.wrongs,
    ...figuresAreTheProducts(book.grid, book.service.callsOf),
  ];
  const wrongs = [
    ...(isTold ? [] : inTheSheet),
    ...wordsAreOurs(told),
    ...limitIsKept(book),
    ...nothingIsAskedTwice(book, QUOTA, { kills, faults: book.faults }),
  ];
  return { wrongs, calls: book.service.calls.length, isTold };
}

/** Whoever reads this compares the cells that it names. */
const TOLD = /moved while .* were written/;

/** Without its products or their column there is no list any more. */
function hasProducts(grid: PlainGrid): boolean {
  const rows = seenRows(grid, LIST);
  if (rows.length > 0) return rows.some(({ product }) => product !== '');
  const { lastRow, lastColumn } = grid.size(LIST);
  if (lastRow < 2) return false;
  const area = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
  const texts = grid.values(LIST, area).flat().map(String);
  return texts.some((text) => /^.?[0-9B][0-9A-Z]{9}$/i.test(text));
}

/** Two people over one list, or each over a copy of their own, with two keys or with one. */
export function twoPeople(dist: Dist, seed: number): Plan {
  const name = `pair ${seed}`;
  return { name, run: async () => ({ name, ...(await playPair(dist, seed)) }) };
}

const COPY = 'copy';

async function playPair(dist: Dist, seed: number) {
  const random = createRandom(seedFrom(seed, 'pair'));
  const areApart = random.chance(0.5);
  const book = createBook({
    ...{ dist, seed, faults: faultsOf(seed) },
    rows: rowsFor(random, random.integer(20, 200), false),
  });
  const { grid, host } = book;
  // In one spreadsheet the owner may as well have two pages open.
  const isOne = !areApart && random.chance(0.3);
  const key = areApart && random.chance(0.5) ? KEYS[0] : KEYS[1];
  const grids = [grid];
  if (areApart) {
    const copy = { id: COPY, name: 'Copy', ownerEmail: COLLEAGUE, editors: [] };
    const made = host.copyDocument(DOCUMENT, copy, true).model as PlainGrid;
    calculating(made, { nowMs: host.nowMs });
    grids.push(made);
  }
  const people: readonly Who[] = [
    { userEmail: OWNER, documentId: DOCUMENT },
    { userEmail: isOne ? OWNER : COLLEAGUE, documentId: areApart ? COPY : DOCUMENT },
  ];
  connect(book, KEYS[0], people[0]);
  if (!isOne) connect(book, key, people[1]);
  const keepers = grids.map(createKeeper);
  const desk = createDesk(book, random);
  let kills = 0;
  const stories = await desk.until(
    Promise.all(
      people.map((who) => {
        const killed = random.chance(0.2) ? random.integer(1, 6) : 0;
        let calls = 0;
        const kill = (method: string): Kill => {
          calls += 1;
          if (calls !== killed) return {};
          if (asksService(method)) kills += 1;
          return { killAtCall: random.integer(1, 60) };
        };
        const page = desk.open({ who, kill });
        return page.pause(random.integer(0, 20_000)).then(() => analyze(page, () => toList(book)));
      }),
    ),
  );
  for (const keeper of keepers) keeper.check();
  // A key asks for each of two spreadsheets that share it, and again for what one of them has lost.
  const isShared = areApart && key === KEYS[0];
  const lost = book.faults.filter((fault) => fault.startsWith('after urlFetch')).length;
  const waves = isShared ? lost + Math.ceil(grid.size(LIST).lastRow / QUOTA.burst) : 0;
  const wrongs = [
    ...stories.flatMap(({ problem }, at) => (problem === null ? [] : [`person ${at}: ${problem}`])),
    ...keepers.flatMap(({ wrongs: all }) => all),
    ...grids.flatMap((one) => rowsAreAnswered(one, LIST, book.service.callsOf)),
    ...wrongsIn(book, grids, kills + waves),
  ];
  return { wrongs, calls: book.service.calls.length };
}
