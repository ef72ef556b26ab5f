// Number formats of output columns, set without touching formats that people chose.

import type { Area, Sheet, SheetSize, WriteOutcome } from '../platform/ports';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { type ColumnKey, type KnownColumn, type Layout, located, sideBySide } from './columns';
import { AUTOMATIC, moneyIn, NUMBER, OUTPUT_KEYS, outputColumn, PERCENT } from './output-columns';
import type { Row } from './row';
import { productOf } from './row';
import {
  columnOrigins,
  type Frame,
  frameAround,
  type Origins,
  type View,
  viewAfter,
  viewBefore,
} from './snapshot';

const isMoney = (format: string) => MARKETS.some((market) => moneyIn(market) === format);

const isOfRatio = (format: string) => format === NUMBER || format === PERCENT;

/**
 * The format for a cell that already has one. Ours replaces only the automatic format or a money
 * format, which may be another market's.
 *
 * @param isOurs whether we gave ROI the format that it has.
 */
function mendedFormat(there: string, wanted: string, isOurs = false): string {
  const isOfRoi = isOurs && isOfRatio(there) && isOfRatio(wanted);
  const isFree = there === AUTOMATIC || (isMoney(there) && isMoney(wanted)) || isOfRoi;
  return isFree ? wanted : there;
}

/** @param isFraction whether ratios are fractions, which a sheet shows as percentages. */
export function formatOf(key: ColumnKey, market: Market, isFraction: boolean): string {
  return outputColumn(key)?.format(market, isFraction) ?? AUTOMATIC;
}

/** The number of columns beside ours whose formats are restored if ours hit them. */
const NEIGHBOURS = 3;

const TRIES_MAX = 5;

export interface Formatting {
  readonly sheet: Sheet;
  readonly keys: readonly ColumnKey[];
  readonly rows: readonly Row[];
  /** The number of rows inserted above these since they were read. */
  readonly shift: number;
  readonly lastRow: number;
  /** Whether ROI is a fraction, which a sheet shows as a percentage. */
  readonly roiIsFraction: boolean;
  /**
   * Set for existing columns: formats that people chose stay, and rows outside the run are not
   * touched.
   */
  readonly areThere?: true;
  /** Set if the format of ROI is ours and shows values that were read in another way. */
  readonly mendsRoi?: boolean;
  /** The sheet's size as measured a moment ago. */
  readonly known?: SheetSize | null;
}

/**
 * Formats the rows of a run. They may be new or may have had another market before.
 *
 * @param known the sheet's size, measured after the columns were added; null: unknown.
 */
export function formatMarked(
  sheet: Sheet,
  layout: Layout,
  rows: readonly Row[],
  how: Pick<Formatting, 'roiIsFraction' | 'mendsRoi'>,
  known: SheetSize | null,
  keys: readonly ColumnKey[] = OUTPUT_KEYS,
): void {
  const lastRow = rows[rows.length - 1]?.row ?? 0;
  formatColumns({ ...how, sheet, keys, rows, shift: 0, lastRow, known, areThere: true }, layout);
}

/** Shows ROI as a percentage once it is known to be a fraction, if its plain format is ours. */
export function formatRoi(sheet: Sheet, layout: Layout, rows: readonly Row[]): void {
  formatMarked(sheet, layout, rows, { roiIsFraction: true, mendsRoi: true }, null, ['roi']);
}

/**
 * Sets formats by row, so that each row has the format of its own market even after it is moved.
 */
export function formatColumns(formatting: Formatting, first: Layout): WriteOutcome {
  const { sheet, keys, lastRow, shift, known = null } = formatting;
  let layout = first;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const rowCount = lastRow + shift - layout.headerRow;
    const frame =
      known === null ? headerFrame(sheet, layout.headerRow) : frameIn(known, layout.headerRow);
    const before = frame && viewBefore(sheet, frame);
    if (frame === null || before === null) return 'gone';
    const now = located(layout, before.top);
    if (typeof now === 'string') return 'gone';
    layout = now;
    const columns = layout.columns.filter(({ key }) => keys.includes(key));
    if (columns.length === 0 || rowCount <= 0) return 'written';
    const plans = sideBySide(columns).flatMap((group) =>
      planFor(formatting, group, rowCount, layout),
    );
    if (plans.length === 0) return 'written';
    const row = layout.headerRow + 1;
    const leftmost = Math.min(...columns.map(({ column }) => column));
    const column = Math.max(1, leftmost - NEIGHBOURS);
    const rightmost = Math.max(...columns.map((one) => one.column));
    // New columns are the last ones, so nothing moves into them from the right.
    const end = formatting.areThere
      ? Math.min(rightmost + NEIGHBOURS, frame.top.columnCount)
      : leftmost - 1;
    const beside = { row, column, rowCount, columnCount: Math.max(1, end - column + 1) };
    const theirs = sheet.formats(beside);
    for (const { area, formats } of plans) {
      const outcome = sheet.setFormats(area, formats);
      if (outcome === 'protected') return outcome;
    }
    const after = viewAfter(sheet, frame);
    if (after === null || theirs === null) return 'gone';
    const origins = columnOrigins(before, after, layout.headerRow);
    const hit = columns.filter((one) => origins.get(one.column) !== one.column);
    if (hit.length === 0) return 'written';
    for (const one of hit) giveBack(sheet, origins, one.column, beside, theirs);
  }
  return 'written';
}

interface FormatPlan {
  readonly area: Area;
  readonly formats: readonly (readonly string[])[];
}

/** The formats to set for one group of columns; none if every cell has its format. */
function planFor(
  formatting: Formatting,
  group: readonly KnownColumn[],
  rowCount: number,
  { headerRow }: Layout,
): readonly FormatPlan[] {
  const { sheet, rows, areThere, mendsRoi } = formatting;
  const wanted = formatsFor(formatting, group, headerRow);
  const column = group[0]?.column ?? 1;
  const whole = { row: headerRow + 1, column, rowCount, columnCount: group.length };
  if (!areThere) return [{ area: whole, formats: wanted }];
  const row = rows[0]?.row ?? 1;
  const above = row - whole.row;
  const area = { ...whole, row, rowCount: rowCount - above };
  const there = sheet.formats(area) ?? [];
  const isOfRun = new Set(rows.map((one) => one.row));
  const formats = there.map((line, down) =>
    line.map((one, right) =>
      isOfRun.has(row + down)
        ? mendedFormat(one, wanted[above + down]?.[right] ?? one, mendsRoi)
        : one,
    ),
  );
  return String(formats) === String(there) ? [] : [{ area, formats }];
}

/** The frame of the first rows over their full width. */
function headerFrame(sheet: Sheet, headerRow: number): Frame | null {
  const size = sheet.size();
  return size && frameIn(size, headerRow);
}

function frameIn(size: SheetSize, headerRow: number): Frame {
  const area = { row: 1, column: 1, rowCount: 1, columnCount: Math.max(1, size.lastColumn) };
  return frameAround(area, headerRow, size.lastColumn, 6, size);
}

/**
 * @param known the sheet's size as measured a moment ago; if the sheet is smaller by now, it is
 * measured again.
 */
export function headersOf(
  sheet: Sheet,
  headerRow: number,
  known: SheetSize | null = null,
): View | null {
  const view = known && viewAfter(sheet, frameIn(known, headerRow));
  if (view !== null) return view;
  const frame = headerFrame(sheet, headerRow);
  return frame && viewAfter(sheet, frame);
}

function giveBack(
  sheet: Sheet,
  origins: Origins,
  column: number,
  beside: { readonly row: number; readonly column: number; readonly rowCount: number },
  theirs: readonly (readonly string[])[],
): void {
  const from = origins.get(column);
  const formats = theirs.map((row) => [row[(from ?? 0) - beside.column] ?? AUTOMATIC]);
  sheet.setFormats({ row: beside.row, column, rowCount: beside.rowCount, columnCount: 1 }, formats);
}

function formatsFor(
  { rows, shift, lastRow, roiIsFraction }: Formatting,
  columns: readonly KnownColumn[],
  headerRow: number,
) {
  const markets = new Map(rows.map((row) => [row.row + shift, productOf(row)?.market]));
  const usual =
    rows.map((row) => productOf(row)?.market).find((market) => market) ?? DEFAULT_MARKET;
  return Array.from({ length: lastRow + shift - headerRow }, (_, down) => {
    const market = markets.get(headerRow + 1 + down) ?? usual;
    return columns.map(({ key }) => formatOf(key, market, roiIsFraction));
  });
}
