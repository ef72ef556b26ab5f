// A new tab as the page describes it, with cells, formulas, names, styles and charts, and how it is
// made.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../schema/stored-record';
import { asContent } from './cells';
import { setRules, textMarkSchema } from './presentation';
import { serviceCall, serviceCallOr } from './service-call';
import { book } from './sheet';
import {
  addressSchema,
  cellSchema,
  cellTextSchema,
  columnSchema,
  rowSchema,
} from './sheet-schemas';
import { insertSheet } from './spreadsheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

/** Wider than any screen. */
const PIXELS_MAX = 2_000;

/** More than fit on a screen. */
const FROZEN_ROWS_MAX = 2_000;

/** The width of a column. */
const pixelsSchema = lazySchema(() => z.int().check(z.nonnegative(), z.maximum(PIXELS_MAX)));

/** The style of the cells at "B3" or "B3:C9". */
const cellStyleSchema = lazySchema(() =>
  z.strictObject({
    at: addressSchema(),
    format: z.exactOptional(cellTextSchema()),
    isBold: z.exactOptional(z.boolean()),
    background: z.exactOptional(cellTextSchema()),
    color: z.exactOptional(cellTextSchema()),
    /**
     * The cell gets a dropdown that accepts only these words, or only the values of these cells of
     * the tab.
     */
    choices: z.exactOptional(z.union([addressSchema(), z.array(cellTextSchema())])),
  }),
);

/**
 * A chart of columns on the sheet. The first row of its data holds the titles, the first column the
 * labels.
 */
const tabChartSchema = lazySchema(() =>
  z.strictObject({
    title: cellTextSchema(),
    /** The data range, such as "A3:C7". */
    of: addressSchema(),
    /** The cell at the chart's upper left corner. */
    row: rowSchema(),
    column: columnSchema(),
  }),
);

export type TabChart = Fits<typeof tabChartSchema>;

export const newTabSchema = lazySchema(() =>
  z.strictObject({
    /** A number is appended if another tab has this title. */
    title: cellTextSchema(),
    /**
     * From A1 on; all rows have the same length. Texts are written as texts, even if they look like
     * something else.
     */
    cells: z.array(z.array(cellSchema())),
    formulas: z.array(z.strictObject({ at: addressSchema(), formula: cellTextSchema() })),
    names: z.array(z.strictObject({ name: cellTextSchema(), at: addressSchema() })),
    styles: z.array(cellStyleSchema()),
    /** Column widths in pixels, from the first column on. */
    widths: z.array(pixelsSchema()),
    frozenRows: z.int().check(z.nonnegative(), z.maximum(FROZEN_ROWS_MAX)),
    /** Makes the new tab active; without it the active sheet stays active. */
    isShown: z.exactOptional(z.literal(true)),
    /**
     * If another tab already has the first of `names`, that tab is deleted and this one takes its
     * place.
     */
    replaces: z.exactOptional(z.literal(true)),
    charts: z.exactOptional(z.array(tabChartSchema())),
    /** The styles of texts in a column, from a row down. */
    marked: z.exactOptional(
      z.strictObject({
        column: columnSchema(),
        firstRow: rowSchema(),
        marks: z.array(textMarkSchema()),
      }),
    ),
  }),
);

export type NewTab = Fits<typeof newTabSchema>;

/**
 * Adds the tab behind all others.
 *
 * @param replacedId the sheet whose place it takes; null: none.
 */
export function addNewTab(
  tab: NewTab,
  replacedId: number | null,
): { readonly sheetId: number; readonly name: string } | 'protected' | 'full' {
  const onView = serviceCall(() => book().getActiveSheet());
  const isOldOnView = serviceCall(() => onView.getSheetId()) === replacedId;
  const old = serviceCall(() => sheetOf(replacedId));
  const oldName = serviceCall(() => old?.getName() ?? '');
  if (old && !serviceCall(() => old.getRange('A1').canEdit())) return 'protected';
  const sheet = insertSheet(tab.title);
  if (typeof sheet === 'string') return sheet;
  try {
    serviceCall(() => {
      fill(sheet, tab);
      SpreadsheetApp.flush();
    });
    serviceCall(() => book().setActiveSheet(tab.isShown || isOldOnView ? sheet : onView));
    serviceCall(() => giveNames(tab.names, sheet));
    takePlace(sheet, replacedId, oldName);
    return serviceCall(() => {
      SpreadsheetApp.flush();
      return { sheetId: sheet.getSheetId(), name: sheet.getName() };
    });
  } catch (error) {
    // Either the old tab is restored, or the new one stays: never both and never neither.
    serviceCallOr(undefined, () => {
      const there = sheetOf(replacedId);
      if (old && !there) return;
      if (there) giveNames(tab.names, there);
      book().setActiveSheet(onView);
      book().deleteSheet(sheet);
      there?.setName(oldName);
    });
    throw error;
  }
}

/** Deletes a tab that could not be finished. @param onViewId the sheet that comes into view. */
export function deleteNewTab(sheetId: number, onViewId: number): void {
  serviceCallOr(undefined, () => {
    const sheet = sheetOf(sheetId);
    const other = sheetOf(onViewId);
    if (other) book().setActiveSheet(other);
    if (sheet) book().deleteSheet(sheet);
  });
}

function fill(sheet: GoogleSheet, tab: NewTab): void {
  const { cells, widths, marked } = tab;
  sheet
    .getRange(1, 1, cells.length, cells[0]?.length ?? 1)
    .setValues(cells.map((row) => row.map(asContent)));
  for (const { at, formula } of tab.formulas) sheet.getRange(at).setFormula(formula);
  for (const { at, format, isBold, background, color, choices } of tab.styles) {
    const range = sheet.getRange(at);
    if (format !== undefined) range.setNumberFormat(format);
    if (isBold !== undefined) range.setFontWeight(isBold ? 'bold' : 'normal');
    if (background !== undefined) range.setBackground(background);
    if (color !== undefined) range.setFontColor(color);
    if (choices !== undefined) {
      const rule = SpreadsheetApp.newDataValidation();
      if (typeof choices === 'string') rule.requireValueInRange(sheet.getRange(choices), true);
      else rule.requireValueInList([...choices], true);
      range.setDataValidation(rule.setAllowInvalid(false).build());
    }
  }
  widths.forEach((pixels, at) => {
    sheet.setColumnWidth(at + 1, pixels);
  });
  sheet.setFrozenRows(tab.frozenRows);
  if (marked) setRules(sheet, marked.column, marked.firstRow, marked.marks, []);
  if (!tab.charts) return;
  // Removes charts that an earlier, interrupted try has left.
  for (const chart of sheet.getCharts()) sheet.removeChart(chart);
  for (const chart of tab.charts) draw(sheet, chart);
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

/** Moves the names to the new tab. Until the new tab is filled, the old one keeps them. */
function giveNames(names: NewTab['names'], sheet: GoogleSheet): void {
  for (const { name, at } of names) book().setNamedRange(name, sheet.getRange(at));
}

/** Deletes the old tab as the very last step, so that everything before can be undone. */
function takePlace(sheet: GoogleSheet, replacedId: number | null, name: string): void {
  serviceCall(() => {
    const old = sheetOf(replacedId);
    if (!old) return;
    old.setName(`${name} ${sheet.getSheetId()}`);
    sheet.setName(name);
    book().deleteSheet(old);
  });
}
