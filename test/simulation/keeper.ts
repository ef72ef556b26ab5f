// The law of a person's cells: scripts change none of them. They may put formulas of the add-on into
// blank cells, and a title above each column of such formulas. Formulas of ours below the last product are
// cleared; where a row was inserted above at that moment, the product that came there has its own again before
// the execution ends.

import type { Act } from 'apps-script-host/sheet/acts';
import { createDateSerial, isDate } from 'apps-script-host/sheet/date-serial';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { FIELDS, fieldTitle, STATUS_TITLE } from '../../src/product/fields';

export interface Keeper {
  /** Lets a person act. */
  readonly act: (act: Act) => void;
  /**
   * To be called before people act and after an execution: what has changed, a script has.
   *
   * @param executionId of the one that is at work.
   */
  readonly check: (executionId?: number) => void;
  readonly wrongs: readonly string[];
}

/** The lookups of the add-on; people here type no such formulas. */
export const isOurs = (content: CellValue): boolean =>
  typeof content === 'string' && /^=.*\b(?:XMATCH|INDEX)\(/.test(content);

/** A number that is shown as a date is still the same number. */
const plain = (value: CellValue) => (isDate(value) ? days.toSerial(value) : value);
const days = createDateSerial('Etc/UTC');

type Contents = readonly (readonly CellValue[])[];

/** What stands in each cell: its formula, or else its value. */
function contentsOf(grid: PlainGrid, sheetId: number): Contents {
  const { lastRow, lastColumn } = grid.size(sheetId);
  if (lastRow === 0) return [];
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const formulas = grid.formulas(sheetId, area);
  return grid
    .values(sheetId, area)
    .map((row, down) => row.map((value, right) => formulas[down]?.[right] || plain(value)));
}

export function createKeeper(grid: PlainGrid): Keeper {
  /** Undoing is of lists alone: the tab's rows are the add-on's, and move under what was done. */
  let people = createPeople(grid);
  const inOthers = createPeople(grid);
  const wrongs: string[] = [];
  const persons = new Set(grid.sheets().map(({ id }) => id));
  /** What people have typed while this execution was at work. */
  let typed = new Set<string>();
  let atWork: number | undefined;
  /** Formulas of ours that this execution has cleared beside products. */
  let cleared: Cleared[] = [];
  let isChanged = false;
  let before = new Map<number, Contents>();
  grid.onChange(({ kind }) => {
    if (kind !== 'marks') isChanged = true;
  });

  function look(): void {
    const there = new Set(grid.sheets().map(({ id }) => id));
    before = new Map(
      [...persons].filter((id) => there.has(id)).map((id) => [id, contentsOf(grid, id)]),
    );
    isChanged = false;
  }

  function check(executionId?: number): void {
    if (isChanged) compare();
    if (executionId !== atWork) {
      typed = new Set();
      wrongs.push(...cleared.map(({ is }) => is));
      cleared = [];
    }
    atWork = executionId;
  }

  function compare(): void {
    for (const [id, contents] of before) {
      const isThere = grid.sheets().some((sheet) => sheet.id === id);
      const present = isThere ? contentsOf(grid, id) : [];
      const changes = isThere ? changesIn(contents, present, typed) : null;
      if (changes === null) wrongs.push(`the tab ${id} is gone`);
      else {
        wrongs.push(...changes.wrongs);
        const isStill = (one: Cleared) => (present[one.down]?.[one.right] ?? '') === '';
        cleared = cleared.filter((one) => one.sheetId !== id || isStill(one));
        cleared.push(...changes.cleared.map((one) => ({ ...one, sheetId: id })));
      }
      // What was done before cannot be undone in this model without undoing this, too.
      if (changes === null || changes.count > 0) people = createPeople(grid);
    }
    look();
  }

  look();
  return {
    wrongs,
    check,
    act(act) {
      check(atWork);
      // Cells are elsewhere from now on.
      cleared = [];
      if (act.do === 'edit') for (const cell of act.contents.flat()) typed.add(String(cell));
      const known = new Set(grid.sheets().map(({ id }) => id));
      if (act.do === 'undo' || persons.has(act.sheetId)) people(act);
      else {
        inOthers(act);
        // Formulas name the tab and its columns.
        if (!CELLS_ONLY.includes(act.do)) people = createPeople(grid);
      }
      if (act.do === 'deleteSheet') people = createPeople(grid);
      for (const { id } of grid.sheets()) if (!known.has(id)) persons.add(id);
      look();
    },
  };
}

/** Acts in the tab that change no formula elsewhere. */
const CELLS_ONLY: readonly Act['do'][] = ['edit', 'sort', 'cutPaste', 'hideRows'];

/** Products of these lists are ten letters and digits, also inside a link. The cells beside them name them, too. */
const isProduct = (content: CellValue): boolean =>
  typeof content === 'string' &&
  !isOurs(content) &&
  !/^(?:note of|remark on) /.test(content) &&
  /[A-Z0-9]{10}/i.test(content);

interface Cleared {
  readonly sheetId: number;
  readonly down: number;
  readonly right: number;
  readonly is: string;
}

function changesIn(before: Contents, now: Contents, typed: ReadonlySet<string>) {
  const wrongs: string[] = [];
  const cleared: Omit<Cleared, 'sheetId'>[] = [];
  let count = 0;
  const rows = Math.max(before.length, now.length);
  const lastProduct = now.findLastIndex((row) => row.some(isProduct));
  for (let down = 0; down < rows; down += 1) {
    const columns = Math.max(before[down]?.length ?? 0, now[down]?.length ?? 0);
    for (let right = 0; right < columns; right += 1) {
      const [was, is] = [before[down]?.[right] ?? '', now[down]?.[right] ?? ''];
      if (String(was) === String(is)) continue;
      count += 1;
      // What is typed into a column of the add-on while it fills it in cannot be seen in time.
      if (isAllowed(was, is, down) || (isOurs(is) && typed.has(String(was)))) continue;
      // Below the last product a formula of ours has nothing to look up. Who types there meanwhile is not seen.
      if (is === '' && down > lastProduct && (isOurs(was) || typed.has(String(was)))) continue;
      const change = `row ${down + 1}, column ${right + 1}: "${was}" became "${is}"`;
      if (is === '' && isOurs(was)) cleared.push({ down, right, is: change });
      else wrongs.push(change);
    }
  }
  return { wrongs, cleared, count };
}

/** "Profit", "Profit (UK)", "Profit (analyzed)" */
const TITLES = [...FIELDS.map(fieldTitle), STATUS_TITLE, 'Analyzed at', 'Analysis row'];
const isTitle = (content: CellValue) => TITLES.includes(String(content).replace(/ \(.*\)$/, ''));

function isAllowed(was: CellValue, is: CellValue, down: number): boolean {
  if (was !== '' && !isOurs(was)) return false;
  return isOurs(is) || (down === 0 && was === '' && isTitle(is));
}
