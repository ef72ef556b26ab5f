// Other people in the spreadsheet of a simulated run: what they do next, drawn from a seed, and a count of it.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Random } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import type { SheetModel } from 'apps-script-host/sheet/model';
import { noteOf, remarkOf } from './bulk-world';

export interface NeighbourOptions {
  readonly random: Random;
  readonly sheetId: number;
  /** Of the calls of a script, before how many somebody does something. */
  readonly share: number;
  /** Whether they change columns as well as rows, headers and the sheet's name. */
  readonly movesColumns: boolean;
  /** The products of the list, in order; others are typed in. */
  readonly asins: readonly string[];
  readonly others: readonly string[];
}

export interface Neighbours {
  readonly betweenCalls: BetweenCalls;
  /** How often each product stands in the list by what people did. */
  readonly there: ReadonlyMap<string, number>;
  readonly typed: ReadonlySet<string>;
  readonly typedOver: ReadonlySet<string>;
  /** Present titles by first ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Undoes what a column was renamed to since it was called so. */
  readonly giveBack: (model: SheetModel, title: string) => void;
  readonly acts: () => number;
  readonly movesColumns: boolean;
  /** They go home. */
  readonly leave: () => void;
}

/** Of the acts where columns change, those that change them. */
const COLUMN_SHARE = 0.3;

/**
 * Rows, headers and the sheet's name change at any time, as fast as chance has it. Where columns
 * change as well, one law is kept: such a change stands alone. Within so long before it and after it
 * nobody does anything else, and nobody answers to a header that is missing for an instant, because
 * it is being put back: a header that is renamed, or a row that is typed, in that instant cannot be
 * told from what the write that met the change has left there. Putting back may take two seconds
 * more, and people are at work again by then: what a run then says it could not put back is counted
 * by itself, what it does not say is wrong.
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
  /** By the person's own cells where the product's holds something else until it is put back. */
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

  /** In one step, as a paste is: product, note and remark stand side by side unless a column came. */
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

  /** A new one, one without a title that goes, or one that is dragged to another place. */
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

  return {
    there,
    typed,
    typedOver,
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
      const kind = kinds[random.integer(0, kinds.length - 1)];
      return kind?.(document.model) ?? [];
    },
  };
}
