// A new tab as its maker describes it, with cells, formulas, names, styles and charts, and how it is made.

import { book, formatHere, isFull } from './book';
import { asContent, type SheetCell, stretches } from './cells';
import { beforeWrite } from './lease';
import { serviceCall, serviceCallOr } from './service-call';
import { type Sheet, setWidths } from './sheet';
import { freeName, insertSheet, type NamedCell, namedCell, namedCells } from './spreadsheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

/** The style of the cells at "B3" or "B3:C9". */
interface CellStyle {
  readonly at: string;
  readonly format?: string;
  readonly isBold?: boolean;
  readonly background?: string;
  readonly color?: string;
  /**
   * The cell gets a dropdown that accepts only these words, or only the values of these cells of
   * the tab.
   */
  readonly choices?: string | readonly string[];
}

/**
 * A chart of columns on the sheet. The first row of its data holds the titles, the first column the
 * labels.
 */
export interface TabChart {
  readonly title: string;
  /** The data range, such as "A3:C7". */
  readonly of: string;
  /** The cell at the chart's upper left corner. */
  readonly row: number;
  readonly column: number;
}

/** A cell of a new tab: a value, or a formula with its "=". */
export type TabCell = SheetCell | { readonly formula: string };

export interface NewTab {
  /** A number is appended if another tab has this title. */
  readonly title: string;
  /** From A1 on. Texts are written as texts, even if they look like something else. */
  readonly cells: readonly (readonly TabCell[])[];
  readonly names?: readonly { readonly name: string; readonly at: string }[];
  readonly styles: readonly CellStyle[];
  /** Column widths in pixels, from the first column on. */
  readonly widths: readonly number[];
  readonly frozenRows: number;
  /** By number, ascending. */
  readonly hidden?: { readonly rows: readonly number[]; readonly columns: readonly number[] };
  /** Makes the new tab active; without it the active sheet stays active. */
  readonly isShown?: true;
  /** If another tab already has the first of `names`, that tab is deleted and this one takes its place. */
  readonly replaces?: true;
  readonly charts?: readonly TabChart[];
}

export interface MadeTab {
  readonly sheetId: number;
  readonly name: string;
}

/**
 * Makes a tab. If another one already has the first of its names, that tab stays unless the new one
 * is to replace it.
 */
export function makeTab(tab: NewTab): MadeTab | 'protected' | 'full' {
  const [first] = tab.names ?? [];
  const former = (first && namedCell(first.name)?.sheet) ?? null;
  if (former !== null && !tab.replaces) return { sheetId: former.id, name: former.name() ?? '' };
  return addNewTab(tab, former?.id ?? null);
}

/**
 * Adds the tab behind all others.
 *
 * @param replacedId the sheet whose place it takes; null: none.
 */
function addNewTab(tab: NewTab, replacedId: number | null): MadeTab | 'protected' | 'full' {
  const onView = serviceCall(() => book().getActiveSheet());
  const isOldOnView = serviceCall(() => onView.getSheetId()) === replacedId;
  const old = serviceCall(() => sheetOf(replacedId));
  const oldName = serviceCall(() => old?.getName() ?? '');
  if (old && !serviceCall(() => old.getRange('A1').canEdit())) return 'protected';
  const sheet = leftBehind(tab) ?? insertSheet(tab.title);
  if (typeof sheet === 'string') return sheet;
  try {
    beforeWrite();
    serviceCall(() => {
      fill(sheet, tab);
      SpreadsheetApp.flush();
    });
    serviceCall(() => book().setActiveSheet(tab.isShown || isOldOnView ? sheet : onView));
    beforeWrite();
    takeOver(sheet, replacedId, oldName);
    beforeWrite();
    serviceCall(() => {
      giveNames(tab, sheet);
      sheet.setFrozenRows(tab.frozenRows);
    });
    return serviceCall(() => {
      SpreadsheetApp.flush();
      return { sheetId: sheet.getSheetId(), name: sheet.getName() };
    });
  } catch (error) {
    // Either the old tab is restored, or the new one stays: never both and never neither. Where the
    // lease was lost, too: nobody else knows the new tab.
    serviceCallOr(undefined, () => {
      const replaced = sheetOf(replacedId);
      if (old && !replaced) return;
      if (replaced) giveNames(tab, replaced);
      book().setActiveSheet(onView);
      book().deleteSheet(sheet);
      replaced?.setName(oldName);
    });
    throw error;
  }
}

/**
 * Copies a sheet behind all others, with every formula as what it shows. Formats and what is hidden stay;
 * dropdowns, the filter and metadata of this key do not.
 */
export function copyAsValues({ googleSheet: from }: Sheet, metadataKey: string): MadeTab | 'full' {
  const seen = serviceCall(() => ({
    name: freeName(`${from.getName()} (values)`),
    values: from.getDataRange().getValues() as SheetCell[][],
    count: book().getNumSheets(),
  }));
  beforeWrite();
  const copy = serviceCall<GoogleSheet | 'full'>(
    () => from.copyTo(book()),
    // The call that failed may have made it.
    () =>
      book().getSheets()[seen.count] ??
      (isFull(from.getMaxRows() * from.getMaxColumns()) ? 'full' : undefined),
  );
  if (copy === 'full') return copy;
  const contents = seen.values.map((row) => row.map(asContent));
  try {
    beforeWrite();
    return serviceCall(() => {
      copy.getFilter()?.remove();
      copy
        .getRange(1, 1, contents.length, contents[0]?.length ?? 1)
        .clearDataValidations()
        .setValues(contents);
      for (const metadata of copy.createDeveloperMetadataFinder().withKey(metadataKey).find())
        metadata.remove();
      copy.setName(seen.name);
      SpreadsheetApp.flush();
      return { sheetId: copy.getSheetId(), name: seen.name };
    });
  } catch (error) {
    serviceCallOr(undefined, () => book().deleteSheet(copy));
    throw error;
  }
}

/** Deletes a tab that could not be finished. @param onViewId the sheet that comes into view. */
export function deleteNewTab(sheetId: number, onViewId: number): void {
  serviceCallOr(undefined, () => {
    const sheet = sheetOf(sheetId);
    const behind = sheetOf(onViewId);
    if (behind) book().setActiveSheet(behind);
    if (sheet) book().deleteSheet(sheet);
  });
}

/**
 * The tab that an execution which was cut off has not finished; null: there is none. It is the last one, with
 * this title and perhaps a number, and it is blank or begins with the same text. Its rows are frozen and its
 * first name is given last, so it has neither; a tab with another's name is finished.
 */
function leftBehind({ title, names = [], cells }: NewTab): GoogleSheet | null {
  const [first, ...otherNames] = names;
  if (first === undefined) return null;
  const last = serviceCall(() => {
    const sheets = book().getSheets();
    const sheet = sheets[sheets.length - 1];
    const name = sheet?.getName() ?? '';
    const isTitled = name.startsWith(title) && /^( \d+)?$/.test(name.slice(title.length));
    if (!sheet || !isTitled || sheet.getFrozenRows() > 0) return null;
    const isOurs = sheet.getRange('A1').getValue() === cells[0]?.[0];
    return isOurs || sheet.getLastRow() === 0 ? { sheet, id: sheet.getSheetId() } : null;
  });
  if (last === null) return null;
  const isOther = ([name, { sheetId }]: readonly [string, NamedCell]) =>
    sheetId === last.id && otherNames.every((sheet) => sheet.name !== name);
  return Object.entries(namedCells(/^/)).some(isOther) ? null : last.sheet;
}

const isFormula = (cell: TabCell): cell is Exclude<TabCell, SheetCell> =>
  typeof cell === 'object' && 'formula' in cell;

const contentOf = (cell: TabCell): SheetCell => (isFormula(cell) ? '' : asContent(cell));

function fill(sheet: GoogleSheet, tab: NewTab): void {
  const { cells, widths } = tab;
  // First, since Google carries out what it has put off before it hides rows.
  for (const [first, ...rest] of stretches(tab.hidden?.rows ?? [], (row) => row))
    sheet.hideRows(first, 1 + rest.length);
  for (const column of tab.hidden?.columns ?? []) sheet.hideColumns(column);
  const width = Math.max(...cells.map((row) => row.length));
  const contents = cells.map((row) =>
    Array.from({ length: width }, (_, at) => contentOf(row[at] ?? '')),
  );
  sheet.getRange(1, 1, cells.length, width).setValues(contents);
  for (let right = 0; right < width; right += 1) {
    const formulas = cells.flatMap((row, down) => {
      const cell = row[right] ?? '';
      return isFormula(cell) ? [{ row: down + 1, formula: cell.formula }] : [];
    });
    for (const stretch of stretches(formulas, ({ row }) => row))
      sheet
        .getRange(stretch[0].row, right + 1, stretch.length, 1)
        .setFormulas(stretch.map(({ formula }) => [formula]));
  }
  setFormats(sheet, tab);
  for (const { at, isBold, background, color } of tab.styles) {
    if ((isBold ?? background ?? color) === undefined) continue;
    const range = sheet.getRange(at);
    if (isBold !== undefined) range.setFontWeight(isBold ? 'bold' : 'normal');
    if (background !== undefined) range.setBackground(background);
    if (color !== undefined) range.setFontColor(color);
  }
  // Last, since each of what follows would have to carry out what Google has put off before it.
  for (const { at, choices } of tab.styles) {
    if (choices === undefined) continue;
    const rule = SpreadsheetApp.newDataValidation();
    if (typeof choices === 'string') rule.requireValueInRange(sheet.getRange(choices), true);
    else rule.requireValueInList([...choices], true);
    sheet.getRange(at).setDataValidation(rule.setAllowInvalid(false).build());
  }
  setWidths(sheet, 1, widths);
  if (!tab.charts) return;
  // Removes charts that an earlier, interrupted try has left.
  for (const chart of sheet.getCharts()) sheet.removeChart(chart);
  for (const chart of tab.charts) draw(sheet, chart);
}

/** Rows one below the other get their formats in one call: each call waits for cells that compute. */
function setFormats(sheet: GoogleSheet, { styles }: NewTab): void {
  const blocks: { row: number; column: number; width: number; formats: string[] }[] = [];
  for (const { at, format } of styles) {
    if (format === undefined) continue;
    const range = sheet.getRange(at);
    const [row, column, width] = [range.getRow(), range.getColumn(), range.getNumColumns()];
    const last = blocks[blocks.length - 1];
    const isBelow = last?.column === column && last.width === width;
    const formats = Array<string>(range.getNumRows()).fill(formatHere(format));
    if (isBelow && last.row + last.formats.length === row) last.formats.push(...formats);
    else blocks.push({ row, column, width, formats });
  }
  for (const { row, column, width, formats } of blocks)
    sheet
      .getRange(row, column, formats.length, width)
      .setNumberFormats(formats.map((format) => Array<string>(width).fill(format)));
}

/** In pixels: some 13 rows high. */
const CHART_SIZE = { width: 390, height: 260 };

function draw(sheet: GoogleSheet, { title, of, row, column }: TabChart): void {
  const chart = sheet
    .newChart()
    .setChartType(Charts.ChartType.COLUMN)
    .addRange(sheet.getRange(of))
    .setNumHeaders(1)
    .setPosition(row, column, 0, 0)
    .setOption('title', title)
    .setOption('width', CHART_SIZE.width)
    .setOption('height', CHART_SIZE.height)
    .setOption('legend', { position: 'top' });
  sheet.insertChart(chart.build());
}

const sheetOf = (id: number | null) => (id === null ? null : book().getSheetById(id));

/** Moves the names to the new tab, as soon as it has the old one's place. */
function giveNames({ names = [] }: NewTab, sheet: GoogleSheet): void {
  const into = book();
  // The first one, by which the tab is found, comes last.
  for (const { name, at } of [...names].reverse()) into.setNamedRange(name, sheet.getRange(at));
}

/** Deletes the old tab once the new one is filled, so that everything before can be undone. */
function takeOver(sheet: GoogleSheet, replacedId: number | null, name: string): void {
  serviceCall(() => {
    const old = sheetOf(replacedId);
    if (!old) return;
    old.setName(`${name} ${sheet.getSheetId()}`);
    sheet.setName(name);
    book().deleteSheet(old);
  });
}
