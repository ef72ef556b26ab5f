// How a sheet shows its rows: texts that are highlighted, a filter, and the order.

import type { Area } from './cells';
import { serviceCall, serviceCallOr } from './service-call';
import type { Sheet, WriteOutcome } from './sheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;
type ConditionalRule = GoogleAppsScript.Spreadsheet.ConditionalFormatRule;

/** A text of a column, and the style of a cell that holds it. */
export interface TextHighlight {
  readonly text: string;
  /** In the form "#d2e3fc", as all colours. */
  readonly background: string;
  readonly color: string;
  readonly isBold: boolean;
}

const rangeIn = (sheet: GoogleSheet, { row, column, rowCount, columnCount }: Area) =>
  sheet.getRange(row, column, rowCount, columnCount);

/**
 * Highlights texts of a column from a row down with rules of conditional formatting. Rules of ours
 * are recognised by their text, colour and column; earlier ones are removed. Other people's rules
 * stay as they are.
 *
 * @param isShown false: our rules are removed and none is added.
 */
export function highlightTexts(
  sheet: Sheet,
  column: number,
  firstRow: number,
  highlights: readonly TextHighlight[],
  isShown: boolean,
): WriteOutcome {
  const { googleSheet } = sheet;
  return sheet.changeNow(
    () => {
      const otherRules = googleSheet
        .getConditionalFormatRules()
        .filter((rule) => !isOurs(rule, column, highlights));
      setRules(googleSheet, column, firstRow, isShown ? highlights : [], otherRules);
    },
    () => googleSheet.getRange(firstRow, column).canEdit(),
  );
}

/**
 * Shows only the rows with this text in a column; null: shows them all again. Filters of other
 * columns stay.
 *
 * @param area the list, including its header row.
 */
export function filterRows(
  sheet: Sheet,
  area: Area,
  column: number,
  only: string | null,
): WriteOutcome {
  const { googleSheet } = sheet;
  return sheet.changeNow(
    () => {
      if (only === null) googleSheet.getFilter()?.removeColumnFilterCriteria(column);
      else
        filterOver(googleSheet, area, column).setColumnFilterCriteria(
          column,
          SpreadsheetApp.newFilterCriteria().whenTextEqualTo(only).build(),
        );
    },
    () => rangeIn(googleSheet, area).canEdit(),
  );
}

/**
 * Puts a filter over columns that are new, or widens the one that ends before them, with what it hides.
 * Others stay as a person has made them. What Google refuses is left undone.
 *
 * @param area the new columns.
 * @param isFirst whether nobody can have removed a filter yet.
 */
export function coverByFilter({ googleSheet }: Sheet, area: Area, isFirst: boolean): void {
  serviceCallOr(undefined, () => {
    const filter = googleSheet.getFilter();
    if (filter === null) {
      if (isFirst) rangeIn(googleSheet, area).createFilter();
      return;
    }
    const range = filter.getRange();
    if (range.getLastColumn() + 1 !== area.column) return;
    const criteria = criteriaOf(filter);
    filter.remove();
    const columnCount = range.getNumColumns() + area.columnCount;
    const wider = { row: range.getRow(), column: range.getColumn(), rowCount: range.getNumRows() };
    const made = rangeIn(googleSheet, { ...wider, columnCount }).createFilter();
    for (const { column, is } of criteria) made.setColumnFilterCriteria(column, is);
  });
}

/** @param area the rows without their header row. */
export function sortRows(
  sheet: Sheet,
  area: Area,
  column: number,
  ascending: boolean,
): WriteOutcome {
  const { googleSheet } = sheet;
  return sheet.changeNow(
    () => unfiltered(googleSheet, () => rangeIn(googleSheet, area).sort({ column, ascending })),
    () => rangeIn(googleSheet, area).canEdit(),
  );
}

/**
 * A rule is ours if it highlights one of our words in our colour in this column alone. Once a
 * person changes any of these, the rule is theirs.
 */
function isOurs(
  rule: ConditionalRule,
  column: number,
  highlights: readonly TextHighlight[],
): boolean {
  const condition = rule.getBooleanCondition();
  const { TEXT_EQUAL_TO } = SpreadsheetApp.BooleanCriteria;
  if (condition?.getCriteriaType() !== TEXT_EQUAL_TO) return false;
  const [shown] = condition.getCriteriaValues();
  const colour = String(condition.getBackground()).toLowerCase();
  return (
    highlights.some(({ text, background }) => text === shown && background === colour) &&
    rule.getRanges().every((range) => range.getColumn() === column && range.getNumColumns() === 1)
  );
}

function formatRuleOf(
  range: GoogleAppsScript.Spreadsheet.Range,
  highlight: TextHighlight,
): ConditionalRule {
  return SpreadsheetApp.newConditionalFormatRule()
    .whenTextEqualTo(highlight.text)
    .setBackground(highlight.background)
    .setFontColor(highlight.color)
    .setBold(highlight.isBold)
    .setRanges([range])
    .build();
}

function setRules(
  sheet: GoogleSheet,
  column: number,
  firstRow: number,
  highlights: readonly TextHighlight[],
  otherRules: readonly ConditionalRule[],
): void {
  const range = sheet.getRange(firstRow, column, sheet.getMaxRows() - firstRow + 1, 1);
  sheet.setConditionalFormatRules([
    ...otherRules,
    ...highlights.map((highlight) => formatRuleOf(range, highlight)),
  ]);
}

type Filter = GoogleAppsScript.Spreadsheet.Filter;

/**
 * Those of the rows that a filter hides by what it says of any column but this one. It costs one call
 * for each row, if there is such a filter.
 *
 * @param ours the column whose criteria we set; undefined: all columns count.
 */
export function filteredOut(
  { googleSheet }: Sheet,
  rows: readonly number[],
  ours?: number,
): ReadonlySet<number> {
  const isTheirs = serviceCall(() => {
    const filter = googleSheet.getFilter();
    if (filter === null || ours === undefined) return filter !== null;
    return criteriaOf(filter).some(({ column }) => column !== ours);
  });
  const isHidden = (row: number) => serviceCall(() => googleSheet.isRowHiddenByFilter(row));
  return new Set(isTheirs ? rows.filter(isHidden) : []);
}

/** Those of the rows that are neither filtered out nor hidden by hand, which is another call for each. */
export function visibleRows(sheet: Sheet, rows: readonly number[]): readonly number[] {
  const hidden = filteredOut(sheet, rows);
  const isShown = (row: number) =>
    !hidden.has(row) && !serviceCall(() => sheet.googleSheet.isRowHiddenByUser(row));
  return rows.filter(isShown);
}

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

/** Makes sure the filter begins at column A, so that it numbers columns as the sheet does. */
function filterOver(sheet: GoogleSheet, { row, rowCount, columnCount }: Area, column: number) {
  const filter = sheet.getFilter();
  const range = filter?.getRange();
  if (filter && range && range.getColumn() === 1 && range.getLastColumn() >= column) return filter;
  const criteria = filter ? criteriaOf(filter) : [];
  filter?.remove();
  const top = range?.getRow() ?? row;
  const height = Math.max(range?.getNumRows() ?? 0, row + rowCount - top);
  const made = sheet.getRange(top, 1, height, columnCount).createFilter();
  for (const { column: at, is } of criteria) made.setColumnFilterCriteria(at, is);
  return made;
}
