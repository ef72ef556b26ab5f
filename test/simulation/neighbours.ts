// Other people in the spreadsheet of a simulated run: what they do next, drawn from a seed, and a
// record of it.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Random } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue, SheetModel } from 'apps-script-host/sheet/model';
import { noteOf, remarkOf } from './bulk-world';

export interface NeighbourOptions {
  readonly random: Random;
  readonly sheetId: number;
  /** The share of a script's calls before which somebody does something. */
  readonly share: number;
  /** Whether they change columns in addition to rows, headers and the sheet's name. */
  readonly movesColumns: boolean;
  /** Whether they paste blocks of products, empty the add-on's cells, filter and undo. */
  readonly areBusyHands?: boolean;
  /** The list's products, in order; `others` are typed in. */
  readonly asins: readonly string[];
  readonly others: readonly string[];
}

export interface Neighbours {
  readonly betweenCalls: BetweenCalls;
  /** How often each product must be in the list after people's changes. */
  readonly there: ReadonlyMap<string, number>;
  readonly typed: ReadonlySet<string>;
  readonly typedOver: ReadonlySet<string>;
  /**
   * What people typed into the add-on's columns; '' if a cell was emptied, or an undo may have
   * emptied it.
   */
  readonly handled: ReadonlySet<CellValue>;
  /** Present titles by original ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Undoes the renaming of a column that once had this title. */
  readonly giveBack: (model: SheetModel, title: string) => void;
  readonly acts: () => number;
  readonly movesColumns: boolean;
  /** People stop editing. */
  readonly leave: () => void;
}

/** If columns change, the share of such changes among all acts. */
const COLUMN_SHARE = 0.3;

/**
 * Rows, headers and the sheet's name change at any time, as fast as chance dictates. A change of
 * columns, however, is isolated by a pause: for this long before and after it nobody does anything
 * else, and nobody reacts to a header that is missing for an instant because it is being restored.
 * A header renamed or a row typed in that instant could not be distinguished from what the
 * misplaced write has left. Restoring may take two seconds more, when people are at work again;
 * what a run then reports as not restored is counted separately, and what it does not report is an
 * error.
 */
const COLUMN_ACT_MS = 1_000;

const OWN_TITLES = ['Profit', 'Fees', 'Eligible', 'Analysis status', 'Analyzed at', 'ASIN'];

const ASIN_CHARS = 10;
const ASIN = /^[0-9B][0-9A-Z]{9}$/;

export function createNeighbours(options: NeighbourOptions): Neighbours {
  const { random, sheetId, share, movesColumns, asins, others } = options;
  const there = new Map<string, number>();
  for (const asin of asins) there.set(asin, (there.get(asin) ?? 0) + 1);
  const typed = new Set<string>();
  const typedOver = new Set<string>();
  const renamed = new Map<string, string>();
  const handled = new Set<CellValue>();
  /** Acts that can be undone: several at once, with the state before them. */
  const done: {
    readonly acts: number;
    readonly before: ReadonlyMap<string, number>;
    readonly figure: CellValue;
  }[] = [];
  /** The figure that somebody has just emptied or typed over; '' for none. */
  let replaced: CellValue = '';
  let acts = 0;
  let isHome = false;
  let actedMs = Number.NEGATIVE_INFINITY;
  let columnsMs = Number.NEGATIVE_INFINITY;

  const add = (asin: string, count: number) => there.set(asin, (there.get(asin) ?? 0) + count);
  const titlesOf = (model: SheetModel) => {
    const { lastColumn } = model.size(sheetId);
    const area = { row: 1, column: 1, rowCount: 1, columnCount: Math.max(1, lastColumn) };
    return (model.values(sheetId, area)[0] ?? []).map(String);
  };
  const columnOf = (model: SheetModel, title: string) =>
    titlesOf(model).indexOf(renamed.get(title) ?? title) + 1;
  const isWhole = (model: SheetModel) =>
    !movesColumns || ['Note', 'ASIN', 'Remark'].every((title) => columnOf(model, title) > 0);
  const textIn = (model: SheetModel, row: number, title: string) => {
    const column = columnOf(model, title);
    if (column === 0) return '';
    return String(
      model.values(sheetId, { row, column, rowCount: 1, columnCount: 1 })[0]?.[0] ?? '',
    );
  };
  /**
   * If the product cell holds something else until it is restored, the person's own cells identify
   * the row.
   */
  const asinIn = (model: SheetModel, row: number) => {
    const texts = ['ASIN', 'Note', 'Remark'].map((title) => textIn(model, row, title));
    return texts.map((text) => text.slice(-ASIN_CHARS)).find((text) => ASIN.test(text)) ?? '';
  };
  const anyRow = (model: SheetModel) => random.integer(2, Math.max(2, model.size(sheetId).lastRow));

  const kinds: readonly ((model: SheetModel) => readonly Act[])[] = [
    (model) => {
      const { lastRow, lastColumn } = model.size(sheetId);
      if (lastRow < 2) return [];
      const rectangle = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
      const keys = [{ column: random.integer(1, lastColumn), ascending: random.next() < 0.5 }];
      return [{ do: 'sort', sheetId, rectangle, keys }];
    },
    (model) => [{ do: 'insertRows', sheetId, first: anyRow(model), count: random.integer(1, 3) }],
    (model) => {
      const row = anyRow(model);
      const asin = asinIn(model, row);
      if (model.size(sheetId).lastRow < 4) return [];
      if (asin !== '') add(asin, -1);
      return [{ do: 'deleteRows', sheetId, first: row, count: 1 }];
    },
    (model) => {
      const row = anyRow(model);
      const before = asinIn(model, row);
      const asin = others[random.integer(0, others.length - 1)] ?? '';
      if (before !== '') add(before, -1);
      if (before !== '') typedOver.add(before);
      add(asin, 1);
      typed.add(asin);
      return typeRow(model, row, asin);
    },
    (model) => cutAndPaste(model),
    (model) => {
      const title = OWN_TITLES[random.integer(0, OWN_TITLES.length - 1)] ?? '';
      const column = columnOf(model, title);
      if (column === 0 || !isWhole(model)) return [];
      const next = `${title} ${random.integer(100, 999)}`;
      renamed.set(title, next);
      return [{ do: 'edit', sheetId, row: 1, column, contents: [[next]] }];
    },
    () => [{ do: 'renameSheet', sheetId, name: `List ${random.integer(1, 999)}` }],
    (model) => [{ do: 'hideRows', sheetId, first: anyRow(model), count: 1 }],
  ];

  /**
   * Written in one step, like a paste: product, note and remark are adjacent unless a column was
   * inserted between them.
   */
  function typeRow(model: SheetModel, row: number, asin: string): readonly Act[] {
    const cells = [
      ['Note', noteOf(asin)],
      ['ASIN', asin],
      ['Remark', remarkOf(asin)],
    ] as const;
    if (!isWhole(model)) return [];
    return cells.map(([title, text]) => ({
      do: 'edit',
      sheetId,
      row,
      column: columnOf(model, title),
      contents: [[text]],
    }));
  }

  function cutAndPaste(model: SheetModel): readonly Act[] {
    const { lastRow, lastColumn, maxRows } = model.size(sheetId);
    const row = anyRow(model);
    if (lastRow + 1 > maxRows || row === lastRow) return [];
    const from = { row, column: 1, rowCount: 1, columnCount: lastColumn };
    return [{ do: 'cutPaste', sheetId, from, row: lastRow + 1, column: 1 }];
  }

  /** Inserts a column, deletes one without a title, or drags one to another place. */
  function moveColumns(model: SheetModel): readonly Act[] {
    const { lastColumn, maxColumns } = model.size(sheetId);
    const kind = random.next();
    const first = random.integer(1, lastColumn);
    if (kind < 0.2) {
      const untitled = titlesOf(model).indexOf('') + 1;
      return untitled > 0 ? [{ do: 'deleteColumns', sheetId, first: untitled, count: 1 }] : [];
    }
    if (maxColumns > 40) return [];
    const insert: Act = { do: 'insertColumns', sheetId, first, count: 1 };
    return kind < 0.6 ? [insert] : [insert, ...dragTo(model, first)];
  }

  function dragTo(model: SheetModel, to: number): readonly Act[] {
    const { lastRow, lastColumn } = model.size(sheetId);
    const column = random.integer(1, lastColumn);
    const now = column >= to ? column + 1 : column;
    const from = { row: 1, column: now, rowCount: lastRow, columnCount: 1 };
    return [
      { do: 'cutPaste', sheetId, from, row: 1, column: to },
      { do: 'deleteColumns', sheetId, first: now, count: 1 },
    ];
  }

  /** Pastes other products over those of some rows, in one step. */
  function pasteBlock(model: SheetModel): readonly Act[] {
    const { lastRow } = model.size(sheetId);
    const row = anyRow(model);
    const count = Math.min(random.integer(2, 5), lastRow - row + 1);
    const block = Array.from({ length: Math.max(0, count) }, (_, down) => {
      const [before, asin] = [asinIn(model, row + down), random.pick(others)];
      if (before !== '') add(before, -1);
      if (before !== '') typedOver.add(before);
      add(asin, 1);
      typed.add(asin);
      return [noteOf(asin), asin, remarkOf(asin)];
    });
    const column = columnOf(model, 'Note');
    return block.length === 0 ? [] : [{ do: 'edit', sheetId, row, column, contents: block }];
  }

  /** Empties one of the add-on's figures or types another one over it. */
  function handleFigure(model: SheetModel): readonly Act[] {
    const row = anyRow(model);
    const column = columnOf(model, random.pick(['Profit', 'Fees', 'Rank drops 30d']));
    if (column === 0 || asinIn(model, row) === '') return [];
    const text = random.chance(0.5) ? '' : random.integer(100_000, 999_999);
    handled.add(text);
    const cell = { row, column, rowCount: 1, columnCount: 1 };
    replaced = model.values(sheetId, cell)[0]?.[0] ?? '';
    return [{ do: 'edit', sheetId, row, column, contents: [[text]] }];
  }

  function filter(model: SheetModel): readonly Act[] {
    const { lastRow: rowCount, lastColumn: columnCount } = model.size(sheetId);
    const rectangle = { row: 1, column: 1, rowCount, columnCount };
    if (model.filter(sheetId) !== null || rowCount < 2)
      return [{ do: 'filter', sheetId, filter: null }];
    const texts = asins.filter(() => random.chance(0.3)).map(noteOf);
    const hiddenTexts = [{ column: columnOf(model, 'Note'), texts }];
    return [{ do: 'filter', sheetId, filter: { rectangle, hiddenTexts } }];
  }

  /** What returns may be unknown to the run, and what disappears may have left its figures. */
  function undo(): readonly Act[] {
    const last = done.pop();
    if (last === undefined) return [];
    for (const asin of new Set([...there.keys(), ...last.before.keys()])) {
      const [now, then] = [there.get(asin) ?? 0, last.before.get(asin) ?? 0];
      if (now !== then) (then > now ? typed : typedOver).add(asin);
      there.set(asin, then);
    }
    handled.add('');
    // The figure returns by a person's act, possibly into a row that waits for another product's
    // figures.
    handled.add(last.figure);
    return Array.from({ length: last.acts }, () => ({ do: 'undo' }) as const);
  }

  const hands = [pasteBlock, handleFigure, handleFigure, filter];

  /**
   * Only edits are undone, and at once: undoing a move or a deletion brings back a long outdated
   * state.
   */
  function nextOfHands(model: SheetModel): readonly Act[] {
    if (random.chance(0.2)) return undo();
    const before = new Map(there);
    replaced = '';
    const kind = random.chance(0.5) ? random.pick(hands) : random.pick(kinds);
    const next = kind(model);
    const isEdit = next.every((act) => act.do === 'edit' && act.row > 1);
    if (!isEdit) done.length = 0;
    else if (next.length > 0) done.push({ acts: next.length, before, figure: replaced });
    return next;
  }

  return {
    there,
    typed,
    typedOver,
    handled,
    renamed,
    acts: () => acts,
    movesColumns,
    leave: () => {
      isHome = true;
    },
    giveBack(model, title) {
      const first = OWN_TITLES.find((own) => title === own || title.startsWith(`${own} `)) ?? '';
      const column = columnOf(model, first);
      if (column === 0) return;
      renamed.set(first, title);
      model.write(sheetId, 1, column, [[title]]);
    },
    betweenCalls({ document, atMs }) {
      if (isHome || random.next() >= share) return [];
      if (movesColumns && atMs < columnsMs + COLUMN_ACT_MS) return [];
      acts += 1;
      const isLone = atMs >= actedMs + COLUMN_ACT_MS;
      actedMs = atMs;
      if (movesColumns && isLone && random.next() < COLUMN_SHARE) {
        columnsMs = atMs;
        return moveColumns(document.model);
      }
      if (options.areBusyHands === true) return nextOfHands(document.model);
      const kind = kinds[random.integer(0, kinds.length - 1)];
      return kind?.(document.model) ?? [];
    },
  };
}
