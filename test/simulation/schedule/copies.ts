// Copies that people make of a scheduled list and delete again: no firing changes them or is
// delayed by them.

import type { Random } from 'apps-script-host/random';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { tableOf } from '../verdict';
import { DOCUMENT, type MonthWorld, OWNER } from './month-world';
import { wrongAt } from './record';

const LIST = 0;

export interface Copying {
  readonly atMs: number;
  readonly what: 'copy the tab' | 'delete a copy' | 'copy the spreadsheet';
}

/** A month hardly has more than this. */
const COPYINGS_MAX = 8;

export const planCopies = (random: Random, startMs: number, endMs: number): readonly Copying[] =>
  Array.from({ length: random.integer(0, COPYINGS_MAX) }, () => ({
    atMs: random.integer(startMs, endMs),
    what: random.pick(['copy the tab', 'delete a copy', 'copy the spreadsheet'] as const),
  })).sort((one, other) => one.atMs - other.atMs);

interface Copy {
  readonly madeMs: number;
  readonly grid: PlainGrid;
  readonly sheetId: number;
  /** The content at the time of copying. */
  readonly text: string;
}

const textOf = (grid: PlainGrid, sheetId: number) => JSON.stringify(tableOf({ grid, sheetId }));

export function createCopies({ host, grid }: MonthWorld, planned: readonly Copying[]) {
  let copies: readonly Copy[] = [];
  const wrongs: string[] = [];
  let done = 0;

  const keep = (of: PlainGrid, sheetId: number) => {
    copies = [...copies, { madeMs: host.nowMs(), grid: of, sheetId, text: textOf(of, sheetId) }];
  };
  const check = (copy: Copy) => {
    if (textOf(copy.grid, copy.sheetId) !== copy.text)
      wrongs.push(wrongAt(copy.madeMs, 'a copy that was made then has changed'));
  };

  const does: Readonly<Record<Copying['what'], () => void>> = {
    'copy the tab': () => {
      const before = new Set(grid.sheets().map(({ id }) => id));
      host.act({ do: 'copySheet', sheetId: LIST }, { documentId: DOCUMENT });
      const made = grid.sheets().find(({ id }) => !before.has(id));
      if (made !== undefined) keep(grid, made.id);
    },
    'delete a copy': () => {
      const copy = copies.find((one) => one.grid === grid);
      if (copy === undefined) return;
      check(copy);
      copies = copies.filter((one) => one !== copy);
      host.act({ do: 'deleteSheet', sheetId: copy.sheetId }, { documentId: DOCUMENT });
    },
    'copy the spreadsheet': () => {
      const copy = { id: `copy-${done}`, name: 'Copy', ownerEmail: OWNER, editors: [] };
      keep(host.copyDocument(DOCUMENT, copy, true).model as PlainGrid, LIST);
    },
  };

  return {
    /** Makes and deletes the copies that were planned for before now. */
    untilNow() {
      for (; (planned[done]?.atMs ?? Number.POSITIVE_INFINITY) <= host.nowMs(); done += 1)
        does[planned[done]?.what ?? 'delete a copy']();
    },
    wrongs() {
      for (const copy of copies) check(copy);
      return wrongs;
    },
  };
}
