// The change log: a tab of its own, where changes are added at the top and the oldest lines go.

import { type RecordedRow, wholeSeconds } from '../analysis/analysis-row';
import { inUseSinceMs } from '../analysis/analysis-tab';
import { emptyTab, METADATA_KEY } from '../analysis/tab-layout';
import { type Engine, openEngine } from '../engine/engine';
import { type Failure, fail, isFailure, runProblem, sentences } from '../failures/failure';
import { troubleLog } from '../failures/trouble-log';
import { type Area, areaOf, type SheetCell, stretches } from '../google/cells';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import type { Metadata, Sheet } from '../google/sheet';
import { addSheet, sheetNamed, sheetsWithMetadata } from '../google/spreadsheet';
import { isBlank } from '../product/asin';
import {
  AUTOMATIC,
  MOMENT,
  MOMENT_WIDTH,
  moneyIn,
  NUMBER,
  PERCENT,
  TEXT,
} from '../product/cell-formats';
import { fieldKind, fieldOfName } from '../product/fields';
import { DEFAULT_MARKET, isMarket } from '../product/market';
import { type LogLine, logLines } from './changes';

const TITLE = 'Analysis changes';

/** The tab is found by this metadata, whatever its name, also in a copy of the spreadsheet. */
const METADATA: Metadata = { on: 'sheet', at: 0, value: 'changes' };

/** The first row with these headers is followed by the lines. */
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];

/** The number of rows that people may have inserted above the headers. */
const ABOVE_MAX = 10;

/** More lines would slow down the spreadsheet, and nobody reads them. */
export const LINES_MAX = 2_000;

/** Lines are deleted this many at a time, because finding them takes as long as writing some. */
const TRIMMED_AT = LINES_MAX + 200;

interface Log {
  readonly sheet: Sheet;
  readonly headerRow: number;
  readonly lastRow: number;
  readonly maxRows: number;
  readonly lastColumn: number;
}

const areaAt = (row: number, rowCount: number): Area => areaOf(row, 1, rowCount, HEADERS.length);

const closed = (sheet: Sheet): Failure => runProblem('log-protected', sheet.name() ?? TITLE);
const full = (): Failure => runProblem('log-full');
const busy = (): Failure => runProblem('sheet-busy', `the sheet "${TITLE}"`);

/** Since when rows are written with the key and the way of reading that are in use, by the tab's times. */
export const comparableSinceMs = ({ platform, scope }: Engine): number =>
  wholeSeconds(inUseSinceMs(platform, scope));

export const isRoiFraction = ({ connection }: Engine): boolean =>
  connection.settings.roiUnit !== undefined;

/**
 * Logs the changes of a job that no schedule has started, so no rule marks them. The caller holds the
 * document's lock. Rows that had no figures before cost nothing. What the log does not take is noted
 * for the support report.
 */
export function logRecorded(platform: Platform, rows: readonly RecordedRow[]): void {
  const known = rows.filter(({ before }) => before !== null && before.analyzedMs !== null);
  const engine = known.length === 0 ? null : openEngine(platform);
  // Without a connection nothing can have been asked.
  if (engine === null || isFailure(engine)) return;
  const lines = logLines(known, [], comparableSinceMs(engine), platform.clock.nowMs());
  const problem = unlessBusy(() => logChanges(lines, isRoiFraction(engine)));
  if (problem === null) return;
  const { message } = sentences(problem);
  troubleLog(platform.cache, platform.clock).note(`The change log: ${message}`);
}

/**
 * Adds lines at the top of the log, which is made with the first ones. The caller holds the
 * document's lock, since two executions that insert rows could overwrite each other's.
 *
 * @param roiIsFraction whether ROI is shown as a percentage.
 * @returns why they are not there; null: they are.
 */
export function logChanges(lines: readonly LogLine[], roiIsFraction: boolean): Failure | null {
  if (lines.length === 0) return null;
  const log = openLog();
  if (isFailure(log)) return log;
  const { sheet, headerRow, maxRows } = log;
  const first = headerRow + 1;
  if (!sheet.canEdit(areaAt(first, Math.max(1, maxRows - headerRow)))) return closed(sheet);
  const added = lines.slice(0, LINES_MAX);
  const area = areaAt(first, added.length);
  const formats = added.map((line) => formatsOf(line, roiIsFraction));
  const steps = [
    () => sheet.insertRows(first, added.length),
    () => sheet.setFormats(area, formats),
    () => sheet.write(area, added.map(cellsOf)),
  ];
  for (const step of steps) {
    const outcome = step();
    if (outcome === 'protected') return closed(sheet);
    if (outcome === 'full') return full();
    if (outcome === 'gone') return busy();
  }
  // Only a read makes sure that buffered writes are carried out.
  if (sheet.values(areaAt(first, 1)) === null) return busy();
  const lineCount = log.lastRow - headerRow + added.length;
  if (lineCount > TRIMMED_AT) trim({ ...log, lastRow: headerRow + lineCount });
  return null;
}

/**
 * Deletes the oldest lines, those first that no rule has marked, and the rows that an execution left
 * blank which was cut off before it wrote. Everything else in the sheet belongs to people.
 */
function trim({ sheet, headerRow, lastRow, lastColumn }: Log): void {
  const first = headerRow + 1;
  const area = { ...areaAt(first, lastRow - headerRow), columnCount: lastColumn };
  const rows = (sheet.values(area) ?? []).map((cells, at) => ({ cells, row: first + at }));
  const isMarked = (cells: readonly SheetCell[]) => Number(!isBlank(cells[6] ?? ''));
  // Somebody may have sorted the log.
  const lines = rows.filter(({ cells }) => isMoment(cells[0]));
  const excess = lines
    .sort(
      (a, b) => isMarked(b.cells) - isMarked(a.cells) || Number(b.cells[0]) - Number(a.cells[0]),
    )
    .slice(LINES_MAX);
  const ownCells = (row: (typeof rows)[number]) => (excess.includes(row) ? HEADERS.length : 0);
  const going = rows.filter((row) => row.cells.slice(ownCells(row)).every(isBlank));
  // From the bottom up, because rows below a deleted row move up.
  for (const [{ row: top }, ...rest] of [...stretches(going, ({ row }) => row)].reverse())
    sheet.deleteRows(top, rest.length + 1);
}

/** The lines of the log as they stand there; none if there is no log. */
export function readLog(): readonly LogLine[] {
  const log = existingLog();
  const rowCount = log === null ? 0 : log.lastRow - log.headerRow;
  if (log === null || rowCount <= 0) return [];
  const cells = log.sheet.values(areaAt(log.headerRow + 1, rowCount)) ?? [];
  return cells.flatMap(([when, asin, market, figure, before = '', after = '', marked]) =>
    isMoment(when)
      ? [
          {
            atMs: Number(when),
            asin: String(asin),
            market: String(market),
            figure: String(figure),
            before: plain(before),
            after: plain(after),
            marked: String(marked),
          },
        ]
      : [],
  );
}

/** Of what a cell can hold, only dates are objects. */
const isMoment = (cell: SheetCell | undefined): cell is Date => typeof cell === 'object';

const plain = (cell: SheetCell) => (typeof cell === 'object' ? String(cell) : cell);

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
export function changesOf(product: string): readonly LoggedChange[] {
  return readLog().flatMap(({ atMs, asin, market, figure, before, after }) =>
    `${asin}|${market}` === product && typeof before === 'number' && typeof after === 'number'
      ? [{ atMs, figure, before, after }]
      : [],
  );
}

/** A log that has lost its headers is left alone, and a new one is made. */
function openLog(): Log | Failure {
  const log = existingLog();
  if (log !== null) return log;
  const sheet = leftBehind() ?? addSheet(TITLE);
  if (sheet === 'full') return full();
  if (sheet === 'protected') return fail({ kind: 'protected' });
  sheet.write(areaAt(1, 1), [HEADERS]);
  // Using the header as its own model changes only the column width and freezes the header row.
  sheet.styleColumns(1, 1, [MOMENT_WIDTH], 1);
  sheet.addMetadata(METADATA_KEY, METADATA);
  return logIn(sheet) ?? busy();
}

/** A tab that an execution has added, and not marked because it was cut off. */
function leftBehind(): Sheet | null {
  const named = sheetNamed(TITLE);
  return named !== null && logIn(named) !== null ? named : emptyTab(named);
}

function existingLog(): Log | null {
  for (const sheet of sheetsWithMetadata(METADATA_KEY)) {
    const noted = sheet.metadata(METADATA_KEY) ?? [];
    const isLog = noted.some(({ on, value }) => on === 'sheet' && value === METADATA.value);
    const log = isLog ? logIn(sheet) : null;
    if (log !== null) return log;
  }
  return null;
}

function logIn(sheet: Sheet): Log | null {
  const size = sheet.size();
  if (size === null || size.maxColumns < HEADERS.length) return null;
  const top = sheet.values(areaAt(1, Math.min(ABOVE_MAX, size.maxRows)));
  const isHeader = (row: readonly SheetCell[]) =>
    HEADERS.every((title, at) => String(row[at]).trim() === title);
  const headerRow = (top ?? []).findIndex(isHeader) + 1;
  return headerRow === 0 ? null : { sheet, headerRow, ...size };
}

function cellsOf(line: LogLine): readonly SheetCell[] {
  const { atMs, asin, market, figure, before, after, marked } = line;
  return [new Date(atMs), asin, market, figure, before, after, marked];
}

function formatsOf(line: LogLine, roiIsFraction: boolean): readonly string[] {
  const figure = figureFormat(line, roiIsFraction);
  // The text format keeps a text of digits as text, without the apostrophe that the cell would
  // show.
  return [MOMENT, AUTOMATIC, TEXT, TEXT, figure, figure, TEXT];
}

function figureFormat({ figure, market }: LogLine, roiIsFraction: boolean): string {
  const field = fieldOfName(figure);
  if (field === undefined) return TEXT;
  const kind = fieldKind(field);
  if (kind === 'money') return moneyIn(isMarket(market) ? market : DEFAULT_MARKET);
  if (kind === 'ratio') return roiIsFraction ? PERCENT : NUMBER;
  return AUTOMATIC;
}
