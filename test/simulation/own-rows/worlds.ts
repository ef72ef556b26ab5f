// Worlds of one person in one list with decisions, who cuts, drags, shifts, sorts, copies and pastes, alone or
// between the calls of a job. After each act every cell is judged.

import { calculating } from 'apps-script-host/calculation';
import { copyOf } from 'apps-script-host/document-copy';
import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { NOT_REGISTERED } from '../../deal/worked-examples';
import { type Book, connect, createBook, DOCUMENT, KEYS, OWNER, type Who } from '../book';
import { ASINS } from '../service';
import { drawAct, type KindName } from './acts';
import { type Bound, boundIn, type Wrong, wrongLines, wrongsIn } from './checker';
import {
  AS_COLLEAGUE,
  analyze,
  copySpends,
  dealWish,
  given,
  NOTE,
  othersFigures,
  shoppingLines,
  sortTears,
} from './doors';
import { LIST, listView } from './view';

type Dist = HostOptions['dist'];

/** The products of the list, and those that people type, of which some were never analyzed. */
const ROWS = 8;
const FROM = 900;
const PRODUCTS = ASINS.slice(FROM, FROM + ROWS);
const TYPED = ASINS.slice(FROM, FROM + ROWS + 4);

/** A title below them leads here. */
const LINKED = ASINS[FROM + ROWS + 4] ?? '';

/** What belongs to every state of a sheet after an act. */
export interface State {
  readonly world: string;
  readonly kinds: readonly KindName[];
  /** Whether any act so far was in hidden columns of the add-on. */
  readonly isHidden: boolean;
  readonly wrongs: readonly string[];
}

type Told = (state: State) => void;

const stateOf = (world: string, who: Person, wrongs: readonly Wrong[]): State => ({
  ...{ world, kinds: [...who.kinds], isHidden: who.isHidden() },
  wrongs: wrongs.map(({ words }) => words),
});

function listOf(isMixed: boolean): readonly (readonly CellValue[])[] {
  return PRODUCTS.map((asin, at) =>
    isMixed
      ? [`n${at}`, asin, at % 2 === 1 ? 'UK' : 'US', 2 + at, 1 + (at % 9)]
      : [`n${at}`, asin, 2 + at, at % 3, 1 + (at % 9)],
  );
}

const HEADERS = [NOTE, 'ASIN', 'Cost', 'Prep', 'Qty'];
const MIXED_HEADERS = [NOTE, 'ASIN', 'Market', 'Cost', 'Qty'];

interface Base {
  readonly book: Book;
  readonly bound: Bound;
}

/** Beside every second product a formula of the person's own buys above a figure. */
function typeNotes(grid: PlainGrid): void {
  const figure = columnLetters(listView(grid, LIST).columns.get('profit') ?? 1);
  for (let row = 2; row <= ROWS + 1; row += 2)
    grid.write(LIST, row, 1, [[{ formula: `=IF(${figure}${row}>3;"BUY";"")` }]]);
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
  const linked = { formula: `=HYPERLINK("https://www.amazon.com/dp/${LINKED}";"Blue mug")` };
  book.grid.write(LIST, ROWS + 2, 1, [[`n${ROWS}`, linked, ...(isMixed ? ['US'] : [3]), 3, 1]]);
  connect(book);
  analyze(book);
  const wish = dealWish(book);
  given(book, 'deals.rules', { values: NOT_REGISTERED });
  const decided = wish && given(book, 'deals.decide', wish);
  typeNotes(book.grid);
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

/**
 * A person at work between and during the calls of jobs, their own and a colleague's, who then sorts the list
 * and makes a shopping list of it.
 */
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
  /** What no act in hidden columns excuses. */
  const mustBeNone = (lines: readonly string[]) => {
    if (lines.length > 0)
      tell({ ...stateOf(`job ${seed}`, who, []), isHidden: false, wrongs: lines });
  };
  const toList = () =>
    grid.select({ sheetId: LIST, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
  connect(book, KEYS[1], AS_COLLEAGUE);
  if (random.chance(0.7)) grid.write(LIST, 3, 1, [[{ formula: '=E3+E4' }]]);
  mustBeNone(sortTears(book));
  act = () => {
    if (who.act()) check();
  };
  for (let round = random.integer(1, 3); round > 0; round -= 1) {
    toList();
    const isCopied = random.chance(0.5);
    const by: Who = random.chance(0.5) ? AS_COLLEAGUE : {};
    analyze(book, by, (job) => {
      if (isCopied && copySpends(book, round, job, by))
        mustBeNone(['the copy has asked for products']);
    });
    check();
  }
  act = null;
  toList();
  if (analyze(book)) mustBeNone(othersFigures(book, bound.isMixed));
  check();
  mustBeNone(sortTears(book));
  check(wrongLines(grid, LIST, shoppingLines(book), bound.isMixed));
}

/** Of so many worlds, one that has a job. */
const JOB_EVERY = 20;

/** What was seen in these worlds. */
export interface Seen {
  readonly worlds: number;
  readonly states: Readonly<Record<'open' | 'hidden', number>>;
  readonly wrong: Readonly<Record<'open' | 'hidden', readonly State[]>>;
}

export function playWorlds(
  dist: Dist,
  seeds: readonly number[],
  onWorld: (at: number) => void = () => {},
): Seen {
  const states = { open: 0, hidden: 0 };
  const wrong = { open: [] as State[], hidden: [] as State[] };
  for (const [at, seed] of seeds.entries()) {
    const play = seed % JOB_EVERY === 0 ? playBesideJob : playAlone;
    play(dist, seed, (state) => {
      const where = state.isHidden ? 'hidden' : 'open';
      states[where] += 1;
      if (state.wrongs.length > 0) wrong[where].push(state);
    });
    onWorld(at + 1);
  }
  return { worlds: seeds.length, states, wrong };
}
