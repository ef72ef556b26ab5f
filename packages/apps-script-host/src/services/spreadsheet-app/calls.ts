// Defines the calls between the two halves of SpreadsheetApp. Each has the name of the script's own
// call.

import type { Dialog, DialogReply } from '../../dialogs';
import type { ScreenMenu } from '../../service';
import type { OpenEnd } from '../../sheet/a1-notation';
import type { FormatRule } from '../../sheet/book-features';
import type { Axis } from '../../sheet/formula-references';
import type { LineGroup } from '../../sheet/line-groups';
import type { NewProtection } from '../../sheet/marks';
import type { CellValue, Matrix, Rectangle, SheetSize, SortKey } from '../../sheet/model';
import type { TextPart, TextStyle } from '../../sheet/rich-text';
import type { Dimension, Direction, FillSeries, TogglePosition, ValidationCriteria } from './enums';

export interface Place extends Rectangle {
  readonly sheetId: number;
  /** The ends that its notation left open: both of its rows in "D:F". Left out: none. */
  readonly open?: readonly OpenEnd[];
}

export interface BookFacts {
  readonly id: string;
  readonly name: string;
  /** True if it is another than the execution's own. */
  readonly isElsewhere: boolean;
}

/** Where to search for a text: in the whole spreadsheet, in a sheet, or in some of its cells. */
export type SearchScope =
  | { readonly in: 'spreadsheet' }
  | { readonly in: 'sheet'; readonly sheetId: number }
  | { readonly in: 'range'; readonly place: Place };

export interface Search {
  readonly text: string;
  readonly matchCase: boolean;
  readonly matchEntireCell: boolean;
  readonly matchFormulaText: boolean;
  readonly ignoreDiacritics: boolean;
  /** True if the text is a pattern, and `$1` in what replaces it a group of that. */
  readonly isPattern: boolean;
}

/** Several methods of a script that are the same call to the host. */
type Each<Prefix extends string, Methods extends string, Operation> = {
  readonly [Method in Methods as `${Prefix}.${Method}`]: Operation;
};
type Read<Methods extends string, Operation> = Each<'spreadsheet.read', Methods, Operation>;
type Write<Methods extends string, Operation> = Each<'spreadsheet.write', Methods, Operation>;

export type SizeMethod =
  | 'getDataRange'
  | 'getLastColumn'
  | 'getLastRow'
  | 'getMaxColumns'
  | 'getMaxRows';
export type InsertRowsMethod =
  | 'insertRowAfter'
  | 'insertRowBefore'
  | 'insertRowsAfter'
  | 'insertRowsBefore';
export type InsertColumnsMethod =
  | 'insertColumnAfter'
  | 'insertColumnBefore'
  | 'insertColumnsAfter'
  | 'insertColumnsBefore';

export interface EntryCalls {
  'spreadsheet.getActiveSpreadsheet': () => BookFacts | null;
  'spreadsheet.openById': (id: string) => BookFacts;
  'spreadsheet.openByUrl': (url: string) => BookFacts;
  /** 0: as many rows or columns as a new sheet has. */
  'spreadsheet.create': (name: string, rows: number, columns: number) => BookFacts;
  'spreadsheet.flush': () => void;
}

export interface ScreenCalls {
  'spreadsheet.getUi': () => void;
  'spreadsheet.addMenu': (menu: ScreenMenu) => void;
  'spreadsheet.showSidebar': (html: string, title: string) => void;
  'spreadsheet.showModalDialog': (html: string, title: string) => void;
  'spreadsheet.alert': (message: string, title: string) => void;
  /** An alert with more buttons than OK. */
  'spreadsheet.choose': (dialog: Dialog) => DialogReply;
  'spreadsheet.prompt': (dialog: Dialog) => DialogReply;
  'spreadsheet.toast': (message: string, title: string) => void;
}

export interface TabCalls {
  /** Sheet ids in the order of the tabs. */
  'spreadsheet.getSheets': () => readonly number[];
  'spreadsheet.getSheetByName': (name: string) => number | null;
  'spreadsheet.getActiveRange': () => Place;
  'spreadsheet.getActiveRangeList': () => readonly Place[];
  'spreadsheet.write.setActiveRange': (place: Place) => void;
  /** The last place is the active range. */
  'spreadsheet.write.setActiveRangeList': (places: readonly Place[]) => void;
  'spreadsheet.write.setActiveSheet': (sheetId: number) => void;
  'spreadsheet.write.insertSheet': (name: string | null, position: number | null) => number;
  /** Puts a copy of the sheet at the end and gives its id. */
  'spreadsheet.write.copySheetTo': (sheetId: number, documentId: string) => number;
  /** Puts a copy of the sheet on view beside it, which is then the one on view. */
  'spreadsheet.write.duplicateActiveSheet': (sheetId: number) => number;
  'spreadsheet.write.deleteSheet': (sheetId: number) => void;
  'spreadsheet.write.setName': (sheetId: number, name: string) => void;
  'spreadsheet.read.getName': (sheetId: number) => string;
  'spreadsheet.read.getSpreadsheetLocale': () => string;
  'spreadsheet.read.getSpreadsheetTimeZone': () => string;
  'spreadsheet.read.getOwner': () => string;
  'spreadsheet.read.getEditors': () => readonly string[];
}

export interface PlaceCalls {
  /** Fails if any of the cells lie outside the sheet. */
  'spreadsheet.getRange': (place: Place) => void;
  /** Notation without a sheet's name refers to this sheet. null: the active sheet. */
  'spreadsheet.getRangeByNotation': (sheetId: number | null, notation: string) => Place;
}

/** The members of SpreadsheetApp.CopyPasteType that are emulated. */
export type PasteType = 'PASTE_NORMAL' | 'PASTE_FORMULA' | 'PASTE_FORMAT' | 'PASTE_VALUES';

/** What a cell accepts, as a script describes it. */
export interface ValidationFacts {
  /** null: a builder that was given none. */
  readonly criteria: ValidationCriteria | null;
  /**
   * The arguments of the criteria: a list, bounds, or the values of a ticked and an unticked
   * checkbox.
   */
  readonly values: readonly CellValue[];
  /** The cells whose values are accepted. null: the criteria list their values. */
  readonly from: Place | null;
  /** True if the choices are not offered in a list. Left out: they are. */
  readonly isListHidden?: boolean;
  readonly help: string | null;
  readonly allowsInvalid: boolean;
}

export type CellCalls = Read<'getValues', (place: Place) => CellValue[][]> &
  Read<
    'getDisplayValues' | 'getFormulas' | 'getFormulasR1C1' | 'getNumberFormats',
    (place: Place) => string[][]
  > &
  Read<'isBlank', (place: Place) => boolean> &
  Read<'findAll', (scope: SearchScope, search: Search) => readonly Place[]> &
  Write<'setValue' | 'setValues', (place: Place, values: Matrix<CellValue>) => void> &
  Write<
    'setFormula' | 'setFormulas' | 'setFormulaR1C1' | 'setFormulasR1C1',
    (place: Place, formulas: Matrix<string>) => void
  > &
  Write<'setNumberFormat' | 'setNumberFormats', (place: Place, formats: Matrix<string>) => void> &
  Write<'setFontWeight', (place: Place, weights: Matrix<string>) => void> &
  Read<'getFontWeights', (place: Place) => string[][]> &
  Read<'getBackgrounds' | 'getFontColors', (place: Place) => string[][]> &
  Write<'setBackground' | 'setFontColor', (place: Place, colours: Matrix<string>) => void> &
  Write<'copyTo', (from: Place, to: Place, what: PasteType, isTransposed: boolean) => void> &
  /** null: removes any rule. */
  Write<'setDataValidation', (place: Place, facts: ValidationFacts | null) => void> &
  Write<'setDataValidations', (place: Place, facts: Matrix<ValidationFacts | null>) => void> &
  Read<'getDataValidations', (place: Place) => (ValidationFacts | null)[][]> &
  /** Cells that hold neither of the checkbox's two values stay unchanged. */
  Write<'check', (place: Place, isChecked: boolean) => void> &
  Write<'removeCheckboxes', (place: Place) => void> &
  /** null: some boxes are ticked and others not, or some cells have no checkbox. */
  Read<'isChecked', (place: Place) => boolean | null> &
  Write<'clear' | 'clearContent' | 'clearFormat', (place: Place) => void> &
  Write<'sort', (place: Place, keys: readonly SortKey[]) => void> &
  Write<'replaceAllWith', (scope: SearchScope, search: Search, replacement: string) => number>;

export type MoveCalls = Write<'moveTo', (from: Place, to: Place) => void> &
  /** The cells behind these move down or up, or right or left. */
  Write<'insertCells' | 'deleteCells', (place: Place, along: Dimension) => void> &
  Write<'autoFill', (from: Place, to: Place, how: FillSeries) => void> &
  Write<'autoFillToNeighbor', (from: Place, how: FillSeries) => void> &
  /** null: the character that divides the texts is to be found. */
  Write<'splitTextToColumns', (place: Place, delimiter: string | null) => void> &
  Write<'randomize', (place: Place) => void>;

/** A group with its lines as a range, and the line where its toggle is. */
export interface GroupFacts extends LineGroup {
  readonly controlIndex: number;
  readonly place: Place;
}

export type GroupCalls = Write<
  'shiftRowGroupDepth' | 'shiftColumnGroupDepth',
  (place: Place, delta: number) => void
> &
  Write<'collapseGroups' | 'expandGroups', (place: Place) => void> &
  Read<
    'getRowGroupDepth' | 'getColumnGroupDepth',
    (sheetId: number, axis: Axis, line: number) => number
  > &
  Read<'getGroupControlPosition', (sheetId: number, axis: Axis) => TogglePosition> &
  Write<
    'setGroupControlPosition',
    (sheetId: number, axis: Axis, position: TogglePosition) => void
  > &
  Read<'getGroup', (sheetId: number, axis: Axis, line: number, depth: number) => GroupFacts> &
  Write<'setGroup', (sheetId: number, group: GroupFacts, isCollapsed: boolean) => void> &
  Write<'removeGroup', (sheetId: number, group: GroupFacts) => void> &
  Write<'setAllGroups', (sheetId: number, axis: Axis, isCollapsed: boolean) => void> &
  Write<'expandGroupsUpToDepth', (sheetId: number, axis: Axis, depth: number) => void>;

export type SheetCalls = Read<SizeMethod, (sheetId: number) => SheetSize> &
  Read<'getFrozenRows', (sheetId: number) => number> &
  Write<'setFrozenRows', (sheetId: number, rows: number) => void> &
  Read<'getFrozenColumns', (sheetId: number) => number> &
  Write<'setFrozenColumns', (sheetId: number, columns: number) => void> &
  Read<'getColumnWidth', (sheetId: number, column: number) => number> &
  Write<
    'setColumnWidth' | 'setColumnWidths',
    (sheetId: number, firstColumn: number, count: number, pixels: number) => void
  > &
  Write<'appendRow', (sheetId: number, values: readonly CellValue[]) => void> &
  Write<InsertRowsMethod, (sheetId: number, beforeRow: number, count: number) => void> &
  Write<InsertColumnsMethod, (sheetId: number, beforeColumn: number, count: number) => void> &
  /** Moves a range's rows or columns before the one with that number. */
  Write<'moveRows' | 'moveColumns', (sheetId: number, lines: Place, before: number) => void> &
  Write<'deleteRow' | 'deleteRows', (sheetId: number, firstRow: number, count: number) => void> &
  Write<
    'deleteColumn' | 'deleteColumns',
    (sheetId: number, firstColumn: number, count: number) => void
  >;

/** A protected range or sheet, as the calling execution sees it. */
export interface ProtectionFacts {
  readonly id: number;
  readonly kind: 'RANGE' | 'SHEET';
  readonly place: Place;
  readonly unprotected: readonly Place[];
  readonly isWarningOnly: boolean;
  readonly canEdit: boolean;
  readonly editors: readonly string[];
  readonly description: string;
  readonly rangeName?: string;
}

/** A cell's text with its links and styles. null: the cell does not hold text. */
export type RichText = {
  readonly text: string;
  /** That of the whole text. '': there is none. */
  readonly link: string;
  /** How the cell shows its text. Left out: as a new cell does. */
  readonly base?: TextStyle;
  /** Left out: no part of the text has a style or link of its own. */
  readonly parts?: readonly TextPart[];
} | null;

/** What a filter hides in a column: the listed displayed texts, and what does not meet the criteria. */
export interface FilterFacts {
  readonly hiddenTexts: readonly string[];
  /** A member of BooleanCriteria. null: none. */
  readonly criteria: string | null;
  /** Its arguments. A relative date is its name. */
  readonly values: readonly unknown[];
}

/** Merges as one block, row by row, or column by column. */
export type MergeKind = 'block' | 'across' | 'vertically';

export type MarkCalls = Read<
  'isRowHiddenByFilter' | 'isRowHiddenByUser',
  (sheetId: number, row: number) => boolean
> &
  Write<'hideRows' | 'showRows', (sheetId: number, firstRow: number, count: number) => void> &
  Read<'getFilter', (sheetId: number) => Place | null> &
  Write<'createFilter', (place: Place) => void> &
  Write<'removeFilter', (sheetId: number) => void> &
  Read<'getColumnFilterCriteria', (sheetId: number, column: number) => FilterFacts | null> &
  Write<
    'setColumnFilterCriteria',
    (sheetId: number, column: number, criteria: FilterFacts | null) => void
  > &
  Read<'getMergedRanges', (place: Place) => readonly Place[]> &
  Write<'merge', (place: Place, kind: MergeKind) => void> &
  Write<'breakApart', (place: Place) => void> &
  Read<'getDataRegion', (place: Place, dimension: Dimension | null) => Place> &
  Read<'getNextDataCell', (place: Place, direction: Direction) => Place> &
  Read<'isPartOfMerge' | 'canEdit', (place: Place) => boolean> &
  Read<'getNotes', (place: Place) => string[][]> &
  Write<'setNote' | 'setNotes', (place: Place, notes: Matrix<string>) => void> &
  Read<'getRichTextValues', (place: Place) => RichText[][]> &
  Write<
    'setRichTextValues',
    (place: Place, texts: Matrix<{ text: string; parts: readonly TextPart[] }>) => void
  > &
  Read<'getProtections', (sheetId: number | null) => readonly ProtectionFacts[]> &
  /** Creates a protection or replaces an existing one. Each has its own number. */
  Write<'protect', (protection: NewProtection, instead: number | null) => ProtectionFacts> &
  Write<'unprotect', (sheetId: number, id: number) => void>;

/** The looks of a cell by the names of Range's members: getFontSize, getFontSizes … */
export type LookName =
  | 'FontFamily'
  | 'FontLine'
  | 'FontSize'
  | 'FontStyle'
  | 'HorizontalAlignment'
  | 'TextDirection'
  | 'VerticalAlignment'
  | 'Wrap'
  | 'WrapStrategy';

/** FontFamily → FontFamilies. */
export type Plural<Name extends string> = Name extends `${infer Start}y`
  ? `${Start}ies`
  : `${Name}s`;

/** The line on each side. null: no line; undefined: unchanged. */
export type Border = Readonly<
  Record<'top' | 'left' | 'bottom' | 'right' | 'vertical' | 'horizontal', string | null | undefined>
>;

/** Looks that Range's members show as objects. */
type ObjectLook = 'BackgroundThemes' | 'FontThemes' | 'TextRotations';

export type LookCalls = Read<`get${Plural<LookName> | ObjectLook}`, (place: Place) => string[][]> &
  /** null: the cell stays unchanged. */
  Write<
    `set${Plural<LookName> | ObjectLook}`,
    (place: Place, texts: Matrix<string | null>) => void
  > &
  Write<'setBorder', (place: Place, border: Border) => void>;

/** A chart as a script describes it. It is never drawn here. */
export interface ChartFacts {
  /** null: the chart is not in a sheet yet. */
  readonly id: number | null;
  readonly type: string;
  readonly ranges: readonly Place[];
  /** Number of header rows above its figures. */
  readonly headers: number;
  readonly position: readonly number[];
  readonly options: Readonly<Record<string, unknown>>;
}

export type ChartCalls = Read<'getCharts', (sheetId: number) => readonly ChartFacts[]> &
  Write<'insertChart' | 'updateChart', (sheetId: number, chart: ChartFacts) => void> &
  Write<'removeChart', (sheetId: number, chartId: number) => void>;

/** Bands of two colours in a range. A colour is null where there is no header or footer. */
export interface BandingFacts {
  /** null: not in the sheet yet. */
  readonly id: number | null;
  readonly place: Place;
  readonly axis: 'row' | 'column';
  readonly header: string | null;
  readonly first: string | null;
  readonly second: string | null;
  readonly footer: string | null;
}

/** A rule of conditional formatting as a script describes it. */
export interface FormatRuleFacts extends Omit<FormatRule, 'rectangles'> {
  readonly places: readonly Place[];
}

/** Both null: the spreadsheet; `place` null: the sheet. */
export interface MetadataPlace {
  readonly sheetId: number | null;
  readonly place: Place | null;
}

export interface MetadataFacts {
  readonly id: number;
  readonly key: string;
  readonly value: string | null;
  readonly visibility: 'DOCUMENT' | 'PROJECT';
  readonly sheetId: number | null;
  readonly place: Place | null;
  readonly location: 'COLUMN' | 'ROW' | 'SHEET' | 'SPREADSHEET';
}

export interface MetadataSearch {
  readonly key?: string;
  readonly value?: string;
  readonly id?: number;
  readonly visibility?: string;
  readonly location?: string;
}

/** Where a finder looks: what lies wholly in its place, or also what the place cuts. */
export type MetadataScope = 'exact' | 'within' | 'intersecting';

type MadeMetadata = Pick<MetadataFacts, 'key' | 'value' | 'visibility'>;

export type FeatureCalls = Read<
  'getNamedRanges',
  () => readonly { readonly name: string; readonly place: Place | null }[]
> &
  Write<'setNamedRange', (name: string, place: Place) => void> &
  Write<'renameNamedRange', (name: string, newName: string) => void> &
  Write<'removeNamedRange', (name: string) => void> &
  Read<'getBandings', (sheetId: number) => readonly BandingFacts[]> &
  Write<'setBanding', (banding: BandingFacts) => BandingFacts> &
  Write<'removeBanding', (sheetId: number, id: number) => void> &
  Read<'getFilterSort', (sheetId: number) => SortKey | null> &
  Write<'sortFilter', (sheetId: number, key: SortKey) => void> &
  Read<'getConditionalFormatRules', (sheetId: number) => readonly FormatRuleFacts[]> &
  Write<'setConditionalFormatRules', (sheetId: number, rules: readonly FormatRuleFacts[]) => void> &
  Read<'isColumnHiddenByUser', (sheetId: number, column: number) => boolean> &
  Write<'hideColumns' | 'showColumns', (sheetId: number, first: number, count: number) => void> &
  Read<'getRowHeight', (sheetId: number, row: number) => number> &
  Write<
    'setRowHeight' | 'setRowHeights',
    (sheetId: number, firstRow: number, count: number, pixels: number) => void
  > &
  Write<'autoResizeColumns', (sheetId: number, firstColumn: number, count: number) => void> &
  Read<'hasHiddenGridlines', (sheetId: number) => boolean> &
  Write<'setHiddenGridlines', (sheetId: number, isHidden: boolean) => void> &
  Read<'getTabColor', (sheetId: number) => string | null> &
  Write<'setTabColor', (sheetId: number, color: string | null) => void> &
  Read<'isSheetHidden', (sheetId: number) => boolean> &
  Write<'hideSheet' | 'showSheet', (sheetId: number) => void> &
  Write<'addDeveloperMetadata', (where: MetadataPlace, made: MadeMetadata) => void> &
  Write<'setDeveloperMetadata', (id: number, part: Partial<MadeMetadata>) => void> &
  Write<'moveDeveloperMetadata', (id: number, to: MetadataPlace) => void> &
  Write<'removeDeveloperMetadata', (id: number) => void> &
  Read<
    'getDeveloperMetadata',
    (where: MetadataPlace, how: MetadataScope, wanted: MetadataSearch) => readonly MetadataFacts[]
  >;

export type SpreadsheetCalls = EntryCalls &
  ScreenCalls &
  TabCalls &
  PlaceCalls &
  CellCalls &
  MoveCalls &
  GroupCalls &
  SheetCalls &
  MarkCalls &
  ChartCalls &
  LookCalls &
  FeatureCalls;
