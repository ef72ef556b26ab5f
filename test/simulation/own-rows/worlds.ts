// Worlds of one person in one list with decisions, who cuts, drags, shifts, sorts, copies and pastes, alone or
// between the calls of a job. After each act every cell is judged.

import { calculating } from 'apps-script-host/calculation';
import { copyOf } from 'apps-script-host/document-copy';
import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { NOT_REGISTERED } from '../../deal/worked-examples';
import { type Book, connect, createBook, DOCUMENT, OWNER } from '../book';
import { ASINS } from '../service';
import { drawAct, type KindName, PUSHED_FIGURES } from './acts';
import { type Bound, BUY, boundIn, type Line, type Wrong, wrongLines, wrongsIn } from './checker';
import { cellsOf, LIST } from './view';

type Dist = HostOptions['dist'];

/** The products of the list, and those that people type, of which some were never analyzed. */
const ROWS = 8;
const FROM = 900;
const PRODUCTS = ASINS.slice(FROM, FROM + ROWS);
const TYPED = ASINS.slice(FROM, FROM + ROWS + 4);

/** What belongs to every state of a sheet after an act. */
export interface State {
  readonly world: string;
  readonly kinds: readonly KindName[];
  /** Whether any act so far was in hidden columns of the add-on. */
  readonly isHidden: boolean;
  readonly wrongs: readonly string[];
  /** Wrong figures of columns of the tab whose cells were pushed up or down alone: not counted as wrong. */
  readonly pushed: readonly string[];
}

type Told = (state: State) => void;

/** @param wrongs of all kinds. */
function stateOf(world: string, who: Person, wrongs: readonly Wrong[]): State {
  const isOfPushed = ({ role }: Wrong) =>
    who.kinds.includes('shiftTabFigures') && [...PUSHED_FIGURES, BUY].some((one) => one === role);
  const words = (some: readonly Wrong[]) => some.map((one) => one.words);
  return {
    ...{ world, kinds: [...who.kinds], isHidden: who.isHidden() },
    wrongs: words(wrongs.filter((one) => !isOfPushed(one))),
    pushed: words(wrongs.filter(isOfPushed)),
  };
}

function listOf(isMixed: boolean): readonly (readonly CellValue[])[] {
  return PRODUCTS.map((asin, at) =>
    isMixed
      ? [`n${at}`, asin, at % 2 === 1 ? 'UK' : 'US', 2 + at, 1 + (at % 9)]
      : [`n${at}`, asin, 2 + at, at % 3, 1 + (at % 9)],
  );
}

const HEADERS = ['Note', 'ASIN', 'Cost', 'Prep', 'Qty'];
const MIXED_HEADERS = ['Note', 'ASIN', 'Market', 'Cost', 'Qty'];

interface Base {
  readonly book: Book;
  readonly bound: Bound;
}

type Value = Readonly<Record<string, unknown>>;

/** What a method of the page gives; null: it failed. */
const given = (book: Book, method: string, payload: object = {}): Value | null =>
  book.rpc(method, payload).value ?? null;

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'buy_price', 'sell_price'];

/** One job over the list, as a page works it off. */
function analyze(book: Book): void {
  const looked = given(book, 'list.look');
  const wish = { ...(looked?.choice as object), rows: { kind: 'all' }, fields: FIELDS };
  const begun = given(book, 'jobs.start', wish);
  const jobId = (begun?.status as Value | undefined)?.jobId;
  let products = (begun?.queue ?? []) as readonly string[];
  for (let round = 0; products.length > 0 && round < 5; round += 1) {
    const asked = given(book, 'jobs.ask', { jobId, products, maxMs: 60_000 });
    const { answers, calls, left } = asked ?? {};
    given(book, 'jobs.record', { jobId, answers, calls });
    products = (left ?? []) as readonly string[];
  }
}

/** The list in view as the List page sees it; null: it sees none. */
function dealWish(book: Book): object | null {
  const value = given(book, 'deals.look', {
    list: null,
    market: null,
    cost: null,
    shows: 'totals',
  });
  const look = value?.look as
    | { readonly sheet: { readonly id: number }; readonly listId: string; readonly market: unknown }
    | undefined;
  if (!look) return null;
  return { list: { sheetId: look.sheet.id, listId: look.listId }, market: look.market, cost: null };
}

function baseOf(
  dist: Dist,
  isMixed: boolean,
  more: Partial<Parameters<typeof createBook>[0]>,
): Base {
  const rows = listOf(isMixed);
  const headers = isMixed ? MIXED_HEADERS : HEADERS;
  const book = createBook({ dist, seed: 1, rows, headers, ...more });
  book.grid.insertColumns(LIST, book.grid.size(LIST).maxColumns + 1, 36);
  book.grid.addSheet('Other', 2);
  connect(book);
  analyze(book);
  const wish = dealWish(book);
  given(book, 'deals.rules', { values: NOT_REGISTERED });
  const decided = wish && given(book, 'deals.decide', wish);
  const bound = boundIn(book.grid, LIST);
  if (!decided || bound.factors.size === 0) throw new Error('The list has no decisions.');
  return { book, bound };
}

/** Acts until one cannot be done as the sheet is now. */
function person(grid: PlainGrid, random: Random) {
  const people = createPeople(grid);
  const kinds: KindName[] = [];
  let isHidden = false;
  return {
    kinds,
    isHidden: () => isHidden,
    act(): boolean {
      const drawn = drawAct(grid, random, TYPED);
      if (drawn === null) return false;
      kinds.push(drawn.kind);
      isHidden ||= drawn.isHidden;
      people(drawn.act);
      return true;
    },
  };
}

type Person = ReturnType<typeof person>;

const copies = new Map<boolean, Base>();

/** A person alone with a list that was made once. */
function playAlone(dist: Dist, seed: number, tell: Told): void {
  const random = createRandom(seedFrom(seed, 'alone'));
  const isMixed = random.chance(0.5);
  const { book, bound } = copies.get(isMixed) ?? baseOf(dist, isMixed, {});
  copies.set(isMixed, { book, bound });
  const original = {
    id: DOCUMENT,
    name: 'Products',
    ownerEmail: OWNER,
    editors: [],
    model: book.grid,
  };
  const { model } = copyOf(original, { ...original, id: 'copy' });
  const grid = model as PlainGrid;
  calculating(grid, { nowMs: book.host.nowMs });
  const who = person(grid, random);
  for (let acts = random.integer(1, 4); acts > 0; acts -= 1)
    if (who.act()) tell(stateOf(`alone ${seed}`, who, wrongsIn(grid, bound, book.service.callsOf)));
}

/** A person at work between and during the calls of a job, who then makes a shopping list. */
function playBesideJob(dist: Dist, seed: number, tell: Told): void {
  const random = createRandom(seedFrom(seed, 'job'));
  const share = random.between(0.01, 0.05);
  let act: (() => void) | null = null;
  const base = baseOf(dist, random.chance(0.5), {
    seed,
    betweenCalls: () => {
      if (act !== null && random.chance(share)) act();
      return [];
    },
  });
  const { book, bound } = base;
  const { grid } = book;
  const who = person(grid, random);
  const check = (lines: readonly string[] = []) => {
    const wrongs = wrongsIn(grid, bound, book.service.callsOf);
    const onLists = lines.map((words) => ({ role: 'line', words }));
    tell(stateOf(`job ${seed}`, who, [...wrongs, ...onLists]));
  };
  act = () => {
    if (who.act()) check();
  };
  const toList = () =>
    grid.select({ sheetId: LIST, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
  const before = new Set(grid.sheets().map(({ id }) => id));
  for (let round = random.integer(1, 3); round > 0; round -= 1) {
    toList();
    analyze(book);
    check();
  }
  act = null;
  toList();
  const wish = dealWish(book);
  if (wish !== null) given(book, 'deals.shop', wish);
  const made = grid.sheets().filter(({ id, name }) => !before.has(id) && /^Shopping/.test(name));
  const lines = made
    .flatMap(({ id }): readonly Line[] => cellsOf(grid, id).values.slice(1))
    .filter(([, product]) => product !== 'Total');
  check(wrongLines(grid, LIST, lines, bound.isMixed));
}

/** Of so many worlds, one that has a job. */
const JOB_EVERY = 20;

/** What was seen in these worlds. */
export interface Seen {
  readonly worlds: number;
  readonly states: Readonly<Record<'open' | 'hidden', number>>;
  readonly wrong: Readonly<Record<'open' | 'hidden' | 'pushed', readonly State[]>>;
}

export function playWorlds(
  dist: Dist,
  seeds: readonly number[],
  onWorld: (at: number) => void = () => {},
): Seen {
  const states = { open: 0, hidden: 0 };
  const wrong = { open: [] as State[], hidden: [] as State[], pushed: [] as State[] };
  for (const [at, seed] of seeds.entries()) {
    const play = seed % JOB_EVERY === 0 ? playBesideJob : playAlone;
    play(dist, seed, (state) => {
      const where = state.isHidden ? 'hidden' : 'open';
      states[where] += 1;
      if (state.wrongs.length > 0) wrong[where].push(state);
      if (state.pushed.length > 0) wrong.pushed.push(state);
    });
    onWorld(at + 1);
  }
  return { worlds: seeds.length, states, wrong };
}
