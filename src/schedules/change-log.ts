// The change log: a sheet of its own, where each run adds its changes at the top and the oldest
// lines are deleted.

import * as z from 'zod/mini';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Area, Sheet, SheetCell, SheetPlatform } from '../platform/ports';
import { isBlank } from '../product/asin';
import { fieldTitle } from '../product/fields';
import { MARKETS } from '../product/market';
import { formatOf } from '../table/formats';
import { AUTOMATIC, MOMENT, MOMENT_WIDTH, TEXT } from '../table/output-columns';
import { isDate, stretchesOf } from '../table/row';
import { changeSchema } from './changes';

const TITLE = 'Analysis changes';

/** A sheet with these headers is our log, whatever its name. */
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];

/** The number of rows that people may have inserted above the headers. */
const ABOVE_MAX = 10;

/** More lines would slow down the spreadsheet, and nobody reads them. */
export const LINES_MAX = 2_000;

/** The property with the id of the log's sheet, which finds it after a rename. */
const SHEET_NAME = 'changes-sheet';

/**
 * Two runs that insert rows at the same moment could overwrite each other's, so they take turns.
 */
const LOCK_WAIT_MS = 10_000;

export const logLineSchema = lazySchema(() =>
  z.object({
    ...changeSchema().shape,
    /** When the run found the change, ms since 1970. */
    atMs: z.number(),
    product: z.object({ asin: z.string(), market: z.literal(MARKETS) }),
    /** The texts of the rules that the change meets; '' for none. */
    marked: z.string(),
    roiIsFraction: z.boolean(),
    /**
     * When the earlier figure was fetched. If the log already has a line since then that ends in
     * the same figure, this change is already logged.
     */
    sinceMs: z.exactOptional(z.number()),
  }),
);

export type LogLine = Fits<typeof logLineSchema>;

type LogParts = Pick<SheetPlatform, 'spreadsheet' | 'documentStore'>;
type Parts = LogParts & Pick<SheetPlatform, 'lock'>;

/**
 * Writes the lines to the log; returns how many were written, or why none. A change that another
 * list's run has logged is left out. All lines take a single write.
 */
export function logChanges(parts: Parts, lines: readonly LogLine[]): number | Failure {
  const kept = fitting(lines);
  if (kept.length === 0) return 0;
  const added = inTurn(parts, () => {
    const tried = addLines(parts, kept);
    // Somebody has just deleted the sheet or its rows.
    return tried === 'gone' ? addLines(parts, kept) : tried;
  });
  if (added !== 'gone') return added;
  return runProblem('sheet-busy', `the sheet "${TITLE}"`);
}

/** Runs the work under the lock if possible, and else without it: a run has its lines only once. */
function inTurn<Value>({ lock }: Parts, work: () => Value): Value {
  const locked = lock.run(LOCK_WAIT_MS, work);
  return locked.held ? locked.value : work();
}

/**
 * The name of the log's sheet, for formulas that refer to it. If there is no log yet, it is
 * created.
 */
export function logName(parts: Parts): string | null | Failure {
  const log = inTurn(parts, () => openLog(parts));
  return isFailure(log) ? log : log.sheet.name();
}

/**
 * The lines that fit, newest first. If there are too many, lines without a rule are dropped first.
 */
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
  // The existing lines, with what people have written beside them.
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
    // From the bottom up, because rows below a deleted row move up.
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
  // Only a read makes sure that buffered writes are carried out, and the next run may insert rows
  // from now on.
  return sheet.values(areaAt(first, 1)) === null ? 'gone' : lines.length;
}

/**
 * The rows of the oldest lines, and empty rows that a run left which was cut off before it wrote.
 * Everything else in the sheet belongs to people: it is not counted and stays.
 *
 * @param first the row number of the first of `told`.
 * @param room how many lines may stay.
 */
function rowsToGo(
  first: number,
  told: readonly (readonly SheetCell[])[],
  room: number,
): readonly { readonly row: number }[] {
  const rows = told.map((cells, at) => ({ cells, row: first + at }));
  // Somebody may have sorted the log.
  const lines = rows.filter(({ cells }) => isDate(cells[0]));
  const oldest = lines.sort((a, b) => Number(b.cells[0]) - Number(a.cells[0])).slice(room);
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

/** A change of one figure of a product, as the log has it. */
export interface LoggedChange {
  readonly atMs: number;
  /** The title of the figure. */
  readonly figure: string;
  readonly before: number;
  readonly after: number;
}

/**
 * The logged changes of a product's numeric figures, newest first. The product is given by its key.
 */
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

/**
 * Opens the log or creates it. A log that was renamed is still recognised; one that was deleted or
 * emptied is created again.
 */
function openLog(parts: Parts): Log | Failure {
  const { spreadsheet, documentStore } = parts;
  const known = knownLog(parts);
  if (known !== null) return known;
  // A copy of the spreadsheet has the sheet but not the stored id. An empty sheet of this name is
  // left over if Google failed right after creating it.
  const named = spreadsheet.named(TITLE);
  const isOurs = logIn(named) !== null;
  const isEmpty = named?.size()?.lastRow === 1 && named.values(areaAt(1, 1))?.[0]?.every(isBlank);
  const sheet = named !== null && (isOurs || isEmpty) ? named : spreadsheet.add(TITLE);
  if (sheet === 'full') return full();
  if (sheet === 'protected') return fail({ kind: 'protected' });
  if (!isOurs) {
    sheet.write(areaAt(1, 1), [HEADERS]);
    // Using the header as its own model changes only the column width and freezes the header row.
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
  // The text format keeps a text of digits as text, without the apostrophe that the cell would
  // show.
  return [MOMENT, AUTOMATIC, TEXT, TEXT, figure, figure, TEXT];
}
