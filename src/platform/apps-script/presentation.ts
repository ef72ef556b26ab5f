// The presentation port on SpreadsheetApp: conditional formats, styles, filters, sorting, and tabs
// built from a description.

import type { NewTab, TabChart, TextMark } from '../new-tab';
import type { Area, Presentation, WriteOutcome } from '../ports';
import { serviceCall, serviceCallOr } from './service-call';
import { asContent, book, CELL, insertSheet } from './spreadsheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;
type Rule = GoogleAppsScript.Spreadsheet.ConditionalFormatRule;

const rangeIn = (sheet: GoogleSheet, { row, column, rowCount, columnCount }: Area) =>
  sheet.getRange(row, column, rowCount, columnCount);

/** @param isOpen whether this person may change the cells in question. */
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

/**
 * A rule is ours if it highlights one of our words in our colour in this column alone. Once a
 * person changes any of these, the rule is theirs.
 */
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

/** The criteria of a filter, by column of the sheet. */
function criteriaOf(filter: Filter) {
  const range = filter.getRange();
  const columns = Array.from({ length: range.getNumColumns() }, (_, at) => range.getColumn() + at);
  return columns.flatMap((column) => {
    const is = filter.getColumnFilterCriteria(column);
    return is ? [{ column, is }] : [];
  });
}

/**
 * Removes the filter's criteria while rows are moved and sets them again afterwards. It is not
 * known whether Google sorts hidden rows, and a filter does not re-examine rows that moved.
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

/** Makes sure the filter begins at column A, so that its column numbers are those of the sheet. */
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
function takePlace(sheet: GoogleSheet, replaced: number | null, name: string): void {
  serviceCall(() => {
    const old = sheetOf(replaced);
    if (!old) return;
    old.setName(`${name} ${sheet.getSheetId()}`);
    sheet.setName(name);
    book().deleteSheet(old);
  });
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
      const isOldOnView = serviceCall(() => onView.getSheetId()) === replaced;
      const old = serviceCall(() => sheetOf(replaced));
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
        takePlace(sheet, replaced, oldName);
        return serviceCall(() => {
          SpreadsheetApp.flush();
          return { sheetId: sheet.getSheetId(), name: sheet.getName() };
        });
      } catch (error) {
        // Either the old tab is restored, or the new one stays: never both and never neither.
        serviceCallOr(undefined, () => {
          const there = sheetOf(replaced);
          if (old && !there) return;
          if (there) giveNames(tab.names, there);
          book().setActiveSheet(onView);
          book().deleteSheet(sheet);
          there?.setName(oldName);
        });
        throw error;
      }
    },
    remove: (sheetId, onView) =>
      serviceCallOr(undefined, () => {
        const [sheet, other] = [sheetOf(sheetId), sheetOf(onView)];
        if (other) book().setActiveSheet(other);
        if (sheet) book().deleteSheet(sheet);
      }),
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
