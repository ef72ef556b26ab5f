// Members that a spreadsheet and a list of ranges take from other objects. Each passes the call on.

import type { Place } from './calls';
import type { Making } from './making';

type Method = (...args: unknown[]) => unknown;

/** Members of Spreadsheet that act on the sheet in view (reference of Spreadsheet). */
const OF_SHEET_ON_VIEW = [
  ...(['appendRow', 'deleteColumn', 'deleteColumns', 'deleteRow', 'deleteRows'] as const),
  ...(['getColumnWidth', 'getDataRange', 'getFrozenColumns', 'getFrozenRows'] as const),
  ...(['getLastColumn', 'getLastRow', 'getRangeList', 'getSheetId', 'getSheetName'] as const),
  ...(['getSheetValues', 'hideColumn', 'hideRow', 'insertColumnAfter'] as const),
  ...(['insertColumnBefore', 'insertColumnsAfter', 'insertColumnsBefore'] as const),
  ...(['insertRowAfter', 'insertRowBefore', 'insertRowsAfter', 'insertRowsBefore'] as const),
  ...(['isColumnHiddenByUser', 'isRowHiddenByFilter', 'isRowHiddenByUser'] as const),
  ...(['setActiveSelection', 'setColumnWidth', 'setFrozenColumns', 'setFrozenRows'] as const),
  ...(['sort', 'unhideColumn', 'unhideRow', 'autoResizeColumn', 'getRowHeight'] as const),
  ...(['setRowHeight'] as const),
] as const;

/** Members of RangeList that act on each of its ranges (reference of RangeList). */
const OF_EACH_RANGE = [
  ...(['clear', 'clearContent', 'clearFormat', 'clearNote', 'setBackground'] as const),
  ...(['setFontColor', 'setFontWeight', 'setFormula', 'setFormulaR1C1'] as const),
  ...([
    'setNote',
    'setNumberFormat',
    'setValue',
    'breakApart',
    'setBorder',
    'setFontFamily',
  ] as const),
  ...(['setFontLine', 'setFontSize', 'setFontStyle', 'setHorizontalAlignment'] as const),
  ...(['setTextDirection', 'setVerticalAlignment', 'setWrap', 'setWrapStrategy'] as const),
  ...(['clearDataValidations', 'insertCheckboxes', 'removeCheckboxes', 'check'] as const),
  ...(['uncheck', 'trimWhitespace', 'setBackgroundRGB', 'setTextRotation'] as const),
  ...(['setVerticalText'] as const),
] as const;

function forwards<Name extends string>(
  names: readonly Name[],
  pass: (name: Name, args: readonly unknown[]) => unknown,
): Record<Name, Method> {
  const members = names.map((name) => [name, (...args: unknown[]) => pass(name, args)] as const);
  return Object.fromEntries(members) as Record<Name, Method>;
}

const called = (target: object, name: string, args: readonly unknown[]) =>
  (target as Record<string, Method>)[name]?.(...args);

export const sheetOnView = ({ call, sheet }: Making) =>
  forwards(OF_SHEET_ON_VIEW, (name, args) =>
    called(sheet(call('spreadsheet.getActiveRange').sheetId), name, args),
  );

export const eachRange = (making: Making, places: readonly Place[], self: () => object) =>
  forwards(OF_EACH_RANGE, (name, args) => {
    for (const place of places) called(making.range(place), name, args);
    return self();
  });
