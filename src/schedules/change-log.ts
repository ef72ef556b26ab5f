// The change log: a sheet of its own where each run puts what changed on top, and the oldest goes.

import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import type { Area, Sheet, SheetCell, SheetPlatform } from '../platform/ports';
import { isBlank, type Product } from '../product/asin';
import { fieldTitle } from '../product/fields';
import { formatOf } from '../table/formats';
import { AUTOMATIC, MOMENT, MOMENT_WIDTH, TEXT } from '../table/output-columns';
import { isDate, stretchesOf } from '../table/row';
import type { Change } from './changes';

const TITLE = 'Analysis changes';

/** A sheet with these above its lines is ours, whatever it is called. */
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];

/** Rows that people may have put above the headers. */
const ABOVE_MAX = 10;

/** Many more would slow the spreadsheet, and nobody reads them. */
export const LINES_MAX = 2_000;

/** The sheet's id, by which it is found under any name. */
const SHEET_NAME = 'changes-sheet';

/** Of two runs that put rows in at the same moment, one would write over the other's. */
const LOCK_WAIT_MS = 10_000;

export interface LogLine extends Change {
  /** When the run came upon it. */
  readonly atMs: number;
  readonly product: Product;
  /** The rules that were crossed, in words; '' for none. */
  readonly marked: string;
  readonly roiIsFraction: boolean;
  /** When the figure before was fetched: a line since then that ends in the same figure tells it. */
  readonly sinceMs?: number;
}

type LogParts = Pick<SheetPlatform, 'spreadsheet' | 'documentStore'>;
type Parts = LogParts & Pick<SheetPlatform, 'lock'>;

/**
 * How many lines were written, or why none; what another list's run has told is not told again. One
 * write, whatever their number.
 */
export function logChanges(parts: Parts, lines: readonly LogLine[]): number | Failure {
  const kept = fitting(lines);
  if (kept.length === 0) return 0;
  const added = inTurn(parts, () => {
    const tried = addLines(parts, kept);
    // Somebody deleted the sheet, or its rows, in that very moment.
    return tried === 'gone' ? addLines(parts, kept) : tried;
  });
  if (added !== 'gone') return added;
  return runProblem('sheet-busy', `the sheet "${TITLE}"`);
}

/** One at a time where the lock can be had, else all the same: a run has its lines once. */
function inTurn<Value>({ lock }: Parts, work: () => Value): Value {
  const locked = lock.run(LOCK_WAIT_MS, work);
  return locked.held ? locked.value : work();
}

/** What the log is called, which formulas over it name; it is made where there is none. */
export function logName(parts: Parts): string | null | Failure {
  const log = inTurn(parts, () => openLog(parts));
  return isFailure(log) ? log : log.sheet.name();
}

/** The newest first; where there are too many, those that no rule marked give way. */
function fitting(lines: readonly LogLine[]): readonly LogLine[] {
  const byAge = (one: LogLine, other: LogLine) => other.atMs - one.atMs;
  const isMarked = ({ marked }: LogLine) => Number(marked !== '');
  const ranked = [...lines].sort((a, b) => isMarked(b) - isMarked(a) || byAge(a, b));
  const kept = new Set(ranked.slice(0, LINES_MAX));
  return lines.filter((line) => kept.has(line)).sort(byAge);
}

interface Log {
  readonly sheet: Sheet;
  readonly headerRow: number;
  readonly lastRow: number;
  readonly maxRows: number;
  readonly lastColumn: number;
}

function addLines(parts: Parts, all: readonly LogLine[]): Failure | 'gone' | number {
  const log = openLog(parts);
  if (isFailure(log)) return log;
  const { sheet, headerRow, lastRow, lastColumn, maxRows } = log;
  const [first, count] = [headerRow + 1, Math.max(0, lastRow - headerRow)];
  const linesArea = (rowCount: number): Area => areaAt(first, rowCount);
  if (!sheet.canEdit(linesArea(Math.max(1, maxRows - headerRow)))) return closed(sheet);
  // With what people wrote beside lines.
  const told = count === 0 ? [] : sheet.values({ ...linesArea(count), columnCount: lastColumn });
  if (told === null) return 'gone';
  const lines = all.filter((line) => !told.some((cells) => tells(cells, line)));
  if (lines.length === 0) return 0;
  const formats = lines.map((line) => formatsOf(line));
  const excess = stretchesOf(rowsToGo(first + lines.length, told, LINES_MAX - lines.length));
  const steps = [
    () => sheet.insertRows(first, lines.length),
    () => sheet.setFormats(linesArea(lines.length), formats),
    () => sheet.write(linesArea(lines.length), lines.map(cellsOf)),
    // From below, as what is under a row that goes moves up.
    ...[...excess]
      .reverse()
      .flatMap(([top, ...rest]) => (top ? () => sheet.deleteRows(top.row, rest.length + 1) : [])),
  ];
  for (const step of steps) {
    const outcome = step();
    if (outcome === 'protected') return closed(sheet);
    if (outcome === 'full') return full();
    if (outcome === 'gone') return 'gone';
  }
  // Only what is read is written for certain, and the next run may put rows in from now on.
  return sheet.values(areaAt(first, 1)) === null ? 'gone' : lines.length;
}

/**
 * Where the oldest lines stand, and empty rows, as a run leaves them that was cut off before it wrote.
 * What else there is in the sheet is somebody's own: it is not counted, and keeps its row.
 *
 * @param first the row of the first of `told`.
 * @param room for so many lines.
 */
function rowsToGo(
  first: number,
  told: readonly (readonly SheetCell[])[],
  room: number,
): readonly { readonly row: number }[] {
  const rows = told.map((cells, at) => ({ cells, row: first + at }));
  const oldest = rows.filter(({ cells }) => isDate(cells[0])).slice(room);
  const besideLine = (row: (typeof rows)[number]) => (oldest.includes(row) ? HEADERS.length : 0);
  return rows.filter((row) => row.cells.slice(besideLine(row)).every(isBlank));
}

function tells(
  [when, asin, market, title, , figure]: readonly SheetCell[],
  { product, field, after, sinceMs = Number.POSITIVE_INFINITY }: LogLine,
): boolean {
  const isSame = asin === product.asin && market === product.market && figure === (after ?? '');
  return isSame && title === fieldTitle(field) && Number(when) >= sinceMs;
}

const areaAt = (row: number, rowCount: number): Area => ({
  row,
  column: 1,
  rowCount,
  columnCount: HEADERS.length,
});

const closed = (sheet: Sheet): Failure => runProblem('log-protected', sheet.name() ?? TITLE);
const full = (): Failure => runProblem('log-full');

/** A change of a product's figure, as it stands in the log. */
export interface LoggedChange {
  readonly atMs: number;
  /** The figure's title. */
  readonly figure: string;
  readonly before: number;
  readonly after: number;
}

/** Numbers of a product that changed, as the log has them, the newest first; it is named by its key. */
export function changesOf(parts: LogParts, product: string): readonly LoggedChange[] {
  const log = knownLog(parts) ?? logIn(parts.spreadsheet.named(TITLE));
  if (log === null) return [];
  const { sheet, headerRow, lastRow } = log;
  const count = lastRow - headerRow;
  const lines = (count > 0 && sheet.values(areaAt(headerRow + 1, count))) || [];
  return lines.flatMap(([when, asin, market, figure, before, after]) => {
    const isOfProduct = `${asin}|${market}` === product && isDate(when);
    return isOfProduct && typeof before === 'number' && typeof after === 'number'
      ? [{ atMs: Number(when), figure: String(figure), before, after }]
      : [];
  });
}

function knownLog({ spreadsheet, documentStore }: LogParts): Log | null {
  const id = documentStore.read(SHEET_NAME);
  return id === null ? null : logIn(spreadsheet.sheet(Number(id)));
}

/** A sheet of ours that was renamed is still the log; one that was deleted or emptied is made anew. */
function openLog(parts: Parts): Log | Failure {
  const { spreadsheet, documentStore } = parts;
  const known = knownLog(parts);
  if (known !== null) return known;
  // As in a copy of the spreadsheet, which has the sheet and not what was remembered of it. An empty
  // one is left where Google failed after it was made.
  const named = spreadsheet.named(TITLE);
  const isOurs = logIn(named) !== null;
  const isEmpty = named?.size()?.lastRow === 1 && named.values(areaAt(1, 1))?.[0]?.every(isBlank);
  const sheet = named !== null && (isOurs || isEmpty) ? named : spreadsheet.add(TITLE);
  if (sheet === 'full') return full();
  if (sheet === 'protected') return fail({ kind: 'protected' });
  if (!isOurs) {
    sheet.write(areaAt(1, 1), [HEADERS]);
    // It looks like itself: what is new are the width and that the titles stay on view.
    sheet.dress(1, 1, [MOMENT_WIDTH], 1);
  }
  documentStore.writeAll({ [SHEET_NAME]: String(sheet.id) });
  return logIn(sheet) ?? runProblem('sheet-busy', `the sheet "${TITLE}"`);
}

function logIn(sheet: Sheet | null): Log | null {
  const size = sheet?.size() ?? null;
  if (sheet === null || size === null || size.maxColumns < HEADERS.length) return null;
  const top = sheet.values(areaAt(1, Math.min(ABOVE_MAX, size.maxRows)));
  const isHeader = (row: readonly SheetCell[]) =>
    HEADERS.every((title, at) => String(row[at]).trim() === title);
  const headerRow = (top ?? []).findIndex(isHeader) + 1;
  if (headerRow === 0) return null;
  return { sheet, headerRow, ...size };
}

function cellsOf({ atMs, product, field, before, after, marked }: LogLine): readonly SheetCell[] {
  const { asin, market } = product;
  const figures = [before ?? '', after ?? ''];
  return [new Date(atMs), asin, market, fieldTitle(field), ...figures, marked];
}

function formatsOf({ product, field, roiIsFraction }: LogLine): readonly string[] {
  const figure = formatOf(field, product.market, roiIsFraction);
  // What is all digits stays a text by an apostrophe, which a cell of texts would show.
  return [MOMENT, AUTOMATIC, TEXT, TEXT, figure, figure, TEXT];
}
