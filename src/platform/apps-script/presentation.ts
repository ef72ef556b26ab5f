// How sheets look by SpreadsheetApp: marks, styles, filters, order, and tabs made of a description.

import type { Area, NewTab, Presentation, TabChart, TextMark, WriteOutcome } from '../ports';
import { serviceCall, serviceCallOr } from './service-call';
import { asContent, CELL, insertSheet } from './spreadsheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;
type Rule = GoogleAppsScript.Spreadsheet.ConditionalFormatRule;

const book = () => SpreadsheetApp.getActiveSpreadsheet();

const rangeIn = (sheet: GoogleSheet, { row, column, rowCount, columnCount }: Area) =>
  sheet.getRange(row, column, rowCount, columnCount);

/** @param isOpen whether this person may change what is about to be changed. */
function changed(
  sheetId: number,
  change: (sheet: GoogleSheet) => unknown,
  isOpen: (sheet: GoogleSheet) => boolean,
  onRejected: (cell: string) => void = () => {},
): WriteOutcome {
  const sheet = serviceCall(() => book().getSheetById(sheetId));
  if (sheet === null) return 'gone';
  return serviceCall<WriteOutcome>(
    () => {
      change(sheet);
      SpreadsheetApp.flush();
      return 'written';
    },
    (words) => {
      const cell = CELL.exec(words)?.[0];
      if (cell !== undefined) onRejected(cell);
      return cell === undefined && isOpen(sheet) ? undefined : 'protected';
    },
  );
}

const isOpenAt = (at: string) => (sheet: GoogleSheet) => sheet.getRange(at).canEdit();

/** Ours say one of our words in our colour, of this column alone: whoever changes that owns the rule. */
function isOurs(rule: Rule, column: number, marks: readonly TextMark[]): boolean {
  const condition = rule.getBooleanCondition();
  const { TEXT_EQUAL_TO } = SpreadsheetApp.BooleanCriteria;
  if (condition?.getCriteriaType() !== TEXT_EQUAL_TO) return false;
  const [said] = condition.getCriteriaValues();
  const colour = String(condition.getBackground()).toLowerCase();
  return (
    marks.some(({ text, background }) => text === said && background === colour) &&
    rule.getRanges().every((range) => range.getColumn() === column && range.getNumColumns() === 1)
  );
}

function ruleOf(range: GoogleAppsScript.Spreadsheet.Range, mark: TextMark): Rule {
  return SpreadsheetApp.newConditionalFormatRule()
    .whenTextEqualTo(mark.text)
    .setBackground(mark.background)
    .setFontColor(mark.color)
    .setBold(mark.isBold)
    .setRanges([range])
    .build();
}

function setMarks(
  sheet: GoogleSheet,
  column: number,
  firstRow: number,
  marks: readonly TextMark[],
  others: readonly Rule[],
): void {
  const range = sheet.getRange(firstRow, column, sheet.getMaxRows() - firstRow + 1, 1);
  sheet.setConditionalFormatRules([...others, ...marks.map((mark) => ruleOf(range, mark))]);
}

type Filter = GoogleAppsScript.Spreadsheet.Filter;

/** What a filter asks for, by the sheet's columns. */
function criteriaOf(filter: Filter) {
  const range = filter.getRange();
  const columns = Array.from({ length: range.getNumColumns() }, (_, at) => range.getColumn() + at);
  return columns.flatMap((column) => {
    const is = filter.getColumnFilterCriteria(column);
    return is ? [{ column, is }] : [];
  });
}

/**
 * Rows change their places while all of them are on view, and the filter then hides anew: whether
 * Google sorts hidden rows is not known, and a filter does not look again at what moved.
 */
function unfiltered(sheet: GoogleSheet, work: () => unknown): void {
  const filter = sheet.getFilter();
  const criteria = filter ? criteriaOf(filter) : [];
  for (const { column } of criteria) filter?.removeColumnFilterCriteria(column);
  try {
    work();
    SpreadsheetApp.flush();
  } finally {
    for (const { column, is } of criteria) filter?.setColumnFilterCriteria(column, is);
  }
}

/** A filter from the sheet's first column on: its columns count the same in it and in the sheet. */
function filterOver(sheet: GoogleSheet, { row, rowCount, columnCount }: Area, column: number) {
  const there = sheet.getFilter();
  const range = there?.getRange();
  if (there && range && range.getColumn() === 1 && range.getLastColumn() >= column) return there;
  const criteria = there ? criteriaOf(there) : [];
  there?.remove();
  const top = range?.getRow() ?? row;
  const height = Math.max(range?.getNumRows() ?? 0, row + rowCount - top);
  const made = sheet.getRange(top, 1, height, columnCount).createFilter();
  for (const { column: at, is } of criteria) made.setColumnFilterCriteria(at, is);
  return made;
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
  if (marked) setMarks(sheet, marked.column, marked.firstRow, marked.marks, []);
  for (const chart of tab.charts ?? []) draw(sheet, chart);
}

/** In pixels: three beside each other, two in the height of a block of the summary. */
const CHART_SIZE = { width: 390, height: 260 };

function draw(sheet: GoogleSheet, { type, title, of, row, column }: TabChart): void {
  const chart = sheet
    .newChart()
    .setChartType(Charts.ChartType[type])
    .addRange(sheet.getRange(of))
    .setNumHeaders(1)
    .setPosition(row, column, 0, 0)
    .setOption('title', title)
    .setOption('width', CHART_SIZE.width)
    .setOption('height', CHART_SIZE.height)
    .setOption('legend', { position: type === 'PIE' ? 'right' : 'none' });
  sheet.insertChart(chart.build());
}

export function appsScriptPresentation(): Presentation {
  return {
    mark: (sheetId, column, firstRow, marks, isShown) =>
      changed(
        sheetId,
        (sheet) => {
          const others = sheet
            .getConditionalFormatRules()
            .filter((rule) => !isOurs(rule, column, marks));
          setMarks(sheet, column, firstRow, isShown ? marks : [], others);
        },
        (sheet) => sheet.getRange(firstRow, column).canEdit(),
      ),
    dressHeaders(sheetId, row, columns, like) {
      // A header that looks like any other cell is no failure.
      serviceCallOr(undefined, () => {
        const sheet = book().getSheetById(sheetId);
        const { PASTE_FORMAT } = SpreadsheetApp.CopyPasteType;
        for (const column of columns) {
          const cell = sheet?.getRange(row, column);
          if (like === null) cell?.clearFormat();
          else if (cell) sheet?.getRange(row, like).copyTo(cell, PASTE_FORMAT, false);
        }
      });
    },
    setWidths(sheetId, widths) {
      serviceCallOr(undefined, () => {
        const sheet = book().getSheetById(sheetId);
        for (const [column, pixels] of widths) sheet?.setColumnWidth(column, pixels);
      });
    },
    filter: (sheetId, area, column, only) =>
      changed(
        sheetId,
        (sheet) => {
          if (only === null) sheet.getFilter()?.removeColumnFilterCriteria(column);
          else
            filterOver(sheet, area, column).setColumnFilterCriteria(
              column,
              SpreadsheetApp.newFilterCriteria().whenTextEqualTo(only).build(),
            );
        },
        (sheet) => rangeIn(sheet, area).canEdit(),
      ),
    sort: (sheetId, area, column, ascending) =>
      changed(
        sheetId,
        (sheet) => unfiltered(sheet, () => rangeIn(sheet, area).sort({ column, ascending })),
        (sheet) => rangeIn(sheet, area).canEdit(),
      ),
    sheetOfName: (name) =>
      serviceCall(() => book().getRangeByName(name)?.getSheet().getSheetId() ?? null),
    add(tab, replaced) {
      const onView = serviceCall(() => book().getActiveSheet());
      const old = replaced === null ? null : serviceCall(() => book().getSheetById(replaced));
      if (old && !serviceCall(() => old.getRange('A1').canEdit())) return 'protected';
      const sheet = insertSheet(tab.title);
      if (typeof sheet === 'string') return sheet;
      try {
        return serviceCall(() => {
          fill(sheet, tab);
          SpreadsheetApp.flush();
          const wasOnView = onView.getSheetId() === replaced;
          book().setActiveSheet(tab.isShown || wasOnView ? sheet : onView);
          const oldName = old?.getName();
          if (old) book().deleteSheet(old);
          if (oldName !== undefined) sheet.setName(oldName);
          // Whoever is known by a name keeps it until this one can take its place.
          for (const { name, at } of tab.names) book().setNamedRange(name, sheet.getRange(at));
          SpreadsheetApp.flush();
          return { sheetId: sheet.getSheetId(), name: sheet.getName() };
        });
      } catch (error) {
        // Whoever tries again gets a tab, not two.
        serviceCallOr(undefined, () => {
          book().setActiveSheet(onView);
          book().deleteSheet(sheet);
        });
        throw error;
      }
    },
    setCells: (sheetId, cells, onRejected) =>
      changed(
        sheetId,
        (sheet) => {
          for (const { at, value } of cells) sheet.getRange(at).setValue(asContent(value));
        },
        (sheet) => cells.every(({ at }) => isOpenAt(at)(sheet)),
        onRejected,
      ),
    shownIn: (sheetId, at) =>
      serviceCall(() => {
        const sheet = book().getSheetById(sheetId);
        return at.map((one) => sheet?.getRange(one).getDisplayValue() ?? '');
      }),
  };
}
