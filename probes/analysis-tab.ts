// Probes of what a tab that lists look up rests on: how fast lookups are, and whether the tab, its
// columns and its cells are found again.

import {
  book,
  type GoogleSheet,
  onScratch,
  putFormula,
  readSheet,
  SCRATCH_KEYS,
  saidBy,
} from './google';

/** The rows of a long list. */
const ROWS = 20_000;
const FIGURES = 8;
const KEY_COLUMN = 1;

/** How long Sheets may take to show what is expected, ms; how often it is looked at, ms. */
const LOOKUPS_WAIT_MS = 100_000;
const NAMED_WAIT_MS = 30_000;
const LOOK_MS = 500;

/** A moment at which an execution stops waiting, ms since 1970. */
export interface Until {
  readonly endMs: number;
}

/** Seconds until something is so, to a tenth: "3.4 s", or "not within 100 s". */
function secondsUntil(isSo: () => boolean, waitMs: number, { endMs }: Until): string {
  const startMs = Date.now();
  const lastMs = Math.min(endMs, startMs + waitMs);
  const passed = () => ((Date.now() - startMs) / 1_000).toFixed(1);
  do {
    if (isSo()) return `${passed()} s`;
    Utilities.sleep(LOOK_MS);
  } while (Date.now() < lastMs);
  return `not within ${passed()} s`;
}

function withRows(sheet: GoogleSheet, rows: number): void {
  const more = rows - sheet.getMaxRows();
  if (more > 0) sheet.insertRowsAfter(sheet.getMaxRows(), more);
}

const keyOf = (row: number): string => `B0${String(row).padStart(8, '0')}|US`;

/** The figure of a key; each round has figures that no other has. */
const figureOf = (row: number, column: number, round: number): number =>
  row * 100 + column * 10 + round;

const figuresOf = (row: number, round: number): number[] =>
  Array.from({ length: FIGURES }, (_, column) => figureOf(row, column, round));

const rowNumbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/**
 * A list of 20,000 keys, each row with an XMATCH into a tab of as many keys and eight INDEX. The
 * list has the keys in the opposite order, and its last one is not in the tab at first.
 */
export function timeLookups(until: Until): string {
  return onScratch(
    (tab) =>
      onScratch((list) => {
        withRows(tab, ROWS);
        withRows(list, ROWS);
        const known = rowNumbers(ROWS - 1);
        tab
          .getRange(1, 1, known.length, 1 + FIGURES)
          .setValues(known.map((row) => [keyOf(row), ...figuresOf(row, 1)]));
        list
          .getRange(1, KEY_COLUMN, ROWS, 1)
          .setValues([...[...known].reverse(), ROWS].map((row) => [keyOf(row)]));
        putLookups(list);
        const first = secondsUntil(() => isShown(list, known, 1), LOOKUPS_WAIT_MS, until);
        if (/^not/.test(first)) return `first: ${first}; ${shownIn(list)}`;

        tab.getRange(1, 2, known.length, FIGURES).setValues(known.map((row) => figuresOf(row, 2)));
        SpreadsheetApp.flush();
        const changed = secondsUntil(() => isShown(list, known, 2), LOOKUPS_WAIT_MS, until);

        tab.getRange(ROWS, 1, 1, 1 + FIGURES).setValues([[keyOf(ROWS), ...figuresOf(ROWS, 2)]]);
        SpreadsheetApp.flush();
        const added = secondsUntil(
          () => isShown(list, rowNumbers(ROWS), 2),
          LOOKUPS_WAIT_MS,
          until,
        );
        return `first: ${first}, change of figures: ${changed}, new key: ${added}`;
      }),
    SCRATCH_KEYS,
  );
}

/** The first row's formulas are copied down, as the add-on does it for decisions. */
function putLookups(list: GoogleSheet): void {
  const keys = `'${SCRATCH_KEYS}'`;
  const first = list.getRange(1, KEY_COLUMN + 1, 1, 1 + FIGURES);
  const figures = 'BCDEFGHI'.split('').map((at) => `=IFNA(INDEX(${keys}!${at}:${at},$B1),"")`);
  first.setFormulas([[`=IF($A1="","",XMATCH($A1,${keys}!A:A,0))`, ...figures]]);
  first.copyTo(list.getRange(2, KEY_COLUMN + 1, ROWS - 1, 1 + FIGURES));
  SpreadsheetApp.flush();
}

/** Whether each row of the list shows the figures of its key. Looks at the last rows first. */
function isShown(list: GoogleSheet, known: readonly number[], round: number): boolean {
  const inList = [...rowNumbers(ROWS - 1).reverse(), ROWS];
  const isKnown = (key: number) => key <= known.length;
  const figures = (down: number, rows: number) =>
    list.getRange(down + 1, KEY_COLUMN + 2, rows, FIGURES).getValues();
  const isRight = (found: readonly unknown[], key: number) =>
    found.every((shown, column) => shown === (isKnown(key) ? figureOf(key, column, round) : ''));
  const isTail = figures(ROWS - 2, 2).every((found, i) =>
    isRight(found, inList[ROWS - 2 + i] ?? 0),
  );
  return isTail && figures(0, ROWS).every((found, down) => isRight(found, inList[down] ?? 0));
}

function shownIn(list: GoogleSheet): string {
  const [shown = []] = list.getRange(1, KEY_COLUMN + 1, 1, 2).getDisplayValues();
  return `the first row shows ${JSON.stringify(shown)}`;
}

const R1C1 = '=IF(R[0]C[-1]="","",R[0]C[-1]*2)';

/** One call that sets a formula in 20,000 rows, and whether its text is read back as it was set. */
export function timeR1C1(): string {
  return onScratch((sheet) => {
    withRows(sheet, ROWS);
    sheet.getRange(1, 1, ROWS, 1).setValues(rowNumbers(ROWS).map((row) => [row]));
    SpreadsheetApp.flush();
    const cells = sheet.getRange(1, 2, ROWS, 1);
    const startMs = Date.now();
    cells.setFormulaR1C1(R1C1);
    SpreadsheetApp.flush();
    const tookMs = Date.now() - startMs;
    const texts = new Set(cells.getFormulasR1C1().flat());
    const others = [...texts].filter((text) => text !== R1C1);
    const last = sheet.getRange(ROWS, 2).getValue();
    const read = others.length === 0 ? 'as it was set' : `as ${others.slice(0, 2).join(' and ')}`;
    return `${(tookMs / 1_000).toFixed(1)} s, read back ${read}, last row ${last}`;
  });
}

const SHEET_MARK = 'probe-sheet';
const COLUMN_MARK = 'probe-column';

/** Marks a sheet and its second column, moves both, and looks for the marks. */
export function findMarks(): string {
  return onScratch((sheet) => {
    const steps = [
      step('sheet', () => {
        sheet.addDeveloperMetadata(SHEET_MARK, 'analysis', ofProject());
        return isMarked(sheet);
      }),
      step('sheet after a new name', () => {
        sheet.setName(SCRATCH_KEYS);
        return isMarked(sheet);
      }),
      step('sheet after a move', () => {
        sheet.activate();
        book().moveActiveSheet(1);
        return isMarked(sheet);
      }),
      step('column', () => {
        sheet.getRange('B:B').addDeveloperMetadata(COLUMN_MARK, 'status', ofProject());
        return columnOf(sheet) === 2;
      }),
      step('column after an insertion', () => {
        sheet.insertColumnsBefore(1, 1);
        return columnOf(sheet) === 3;
      }),
      step('column after a move', () => {
        sheet.moveColumns(sheet.getRange('C:C'), 1);
        return columnOf(sheet) === 1;
      }),
    ];
    return steps.join(', ');
  });
}

const ofProject = () => SpreadsheetApp.DeveloperMetadataVisibility.PROJECT;

function isMarked(sheet: GoogleSheet): boolean {
  const found = book().createDeveloperMetadataFinder().withKey(SHEET_MARK).find();
  const ids = found.map((mark) => mark.getLocation().getSheet()?.getSheetId());
  return ids.join() === String(sheet.getSheetId());
}

function columnOf(sheet: GoogleSheet): number | undefined {
  const [mark] = sheet.createDeveloperMetadataFinder().withKey(COLUMN_MARK).find();
  return mark?.getLocation().getColumn()?.getColumn();
}

/** "column: found", "column: not found" or Google's words for why it could not be tried. */
function step(what: string, isSo: () => boolean): string {
  try {
    return `${what}: ${isSo() ? 'found' : 'not found'}`;
  } catch (error) {
    return `${what}: ${saidBy(error)}`;
  }
}

/** A protection that only warns: whether a script may set it, find it again and write under it. */
export function warnOnly(): string {
  return onScratch((sheet) => {
    sheet.protect().setDescription('probe').setWarningOnly(true);
    SpreadsheetApp.flush();
    const [found] = sheet.getProtections(SpreadsheetApp.ProtectionType.SHEET);
    const isFound = found?.isWarningOnly() === true;
    sheet.getRange(1, 1).setValue('written');
    SpreadsheetApp.flush();
    const isWritten = sheet.getRange(1, 1).getValue() === 'written';
    return `${isFound ? 'set' : 'not set'}, the script ${isWritten ? 'still writes' : 'cannot write'}`;
  });
}

const NAMED = 'PROBE_NAMED';

/** A cell that names a cell of another tab, which then changes. */
export function timeNamedCell(until: Until): string {
  return onScratch((sheet) => {
    const named = sheet.getRange(1, 1);
    named.setValue('one');
    book().setNamedRange(NAMED, named);
    try {
      putFormula('named cell', `=PROBE("named cell",${NAMED})`);
      const shows = (text: string) => () => foundIn('named cell') === text;
      const first = secondsUntil(shows('seen: one'), NAMED_WAIT_MS, until);
      if (/^not/.test(first)) return `first: ${first}, the cell shows ${foundIn('named cell')}`;
      named.setValue('two');
      SpreadsheetApp.flush();
      return `calculated again: ${secondsUntil(shows('seen: two'), NAMED_WAIT_MS, until)}`;
    } finally {
      // Before its sheet is gone: a name of nothing is not found any more.
      removeName();
    }
  });
}

/** Removes the name that an execution left that was cut off. */
export function removeName(): void {
  for (const named of book().getNamedRanges()) if (named.getName() === NAMED) named.remove();
}

const foundIn = (id: string): string | undefined =>
  readSheet()?.lines.find((line) => line.id === id)?.found;
