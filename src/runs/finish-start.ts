// The parts of a start that are done later: the look of the columns, and the clock that continues
// an abandoned run.

import { readingOf } from '../connection/connection';
import type { Engine } from '../engine/engine';
import { isFailure } from '../failures/failure';
import { isBusy, type SheetPlatform, type SheetSize } from '../platform/ports';
import { type ColumnKey, columnOf, type Layout } from '../table/columns';
import { formatColumns, formatMarked, formatRoi } from '../table/formats';
import { outputColumn, WIDTH_AS_NEW } from '../table/output-columns';
import type { Row } from '../table/row';
import type { Run } from './run';
import { runStore } from './run-store';
import { forgetPercent, isPercentIn, notePercent, percentName } from './saved-choice';
import { ensureClock } from './trigger';

/**
 * Gives new columns their title format and widths, and rows the number formats of their market. ROI
 * is shown as a percentage as soon as it is known to be a fraction.
 *
 * @param keys the new columns.
 * @param known the sheet's size, measured after they were added.
 */
export function dressColumns(
  { documentStore, spreadsheet }: SheetPlatform,
  { connection }: Engine,
  run: Pick<Run, 'sheetId' | 'startedMs'>,
  layout: Layout,
  keys: readonly ColumnKey[],
  rows: readonly Row[],
  known: SheetSize | null,
): void {
  const sheet = spreadsheet.sheet(run.sheetId);
  if (sheet === null) return;
  const fresh = layout.columns.filter(({ key }) => keys.includes(key));
  const [first] = fresh;
  const widths = fresh.map(({ key }) => outputColumn(key)?.width ?? WIDTH_AS_NEW);
  if (first)
    sheet.dress(layout.headerRow, first.column, widths, columnOf(layout, 'product') ?? null);
  const { roiUnit } = readingOf(connection);
  const name = percentName(run.sheetId, connection.fingerprint, roiUnit);
  const wasPercent = isPercentIn(documentStore, name);
  // What was settled before, or with another key, does not hold for values that come as sent.
  const ofSheet = percentName(run.sheetId, '');
  const mendsRoi = !wasPercent && (roiUnit !== undefined || isPercentIn(documentStore, ofSheet));
  const roiIsFraction = roiUnit !== undefined || wasPercent;
  // Rows below the last product may be filled later, and their formats are not known yet.
  const filled = rows.filter(({ content }) => content.kind !== 'blank');
  const lastRow = filled[filled.length - 1]?.row ?? 0;
  if (first) formatColumns({ sheet, keys, rows, shift: 0, lastRow, roiIsFraction, known }, layout);
  const isOld = layout.columns.some(
    ({ key }) => outputColumn(key) !== undefined && !keys.includes(key),
  );
  const ofRun = rows.filter(
    ({ status, atMs }) => status.kind === 'queued' || (atMs ?? 0) >= run.startedMs,
  );
  if (isOld) formatMarked(sheet, layout, ofRun, { roiIsFraction, mendsRoi }, known);
  if (!mendsRoi) return;
  if (roiUnit === undefined) {
    forgetPercent(documentStore, ofSheet);
    return;
  }
  // Values sent as fractions before the unit was settled are fractions in the rows of earlier runs,
  // too.
  const before = rows.filter(({ status }) => status.kind === 'ok');
  if (roiUnit === 'fraction' && before.length > 0) formatRoi(sheet, layout, before);
  notePercent(documentStore, name);
}

/** A person without a clock trigger can run a list all the same. */
export function rescueBy(platform: SheetPlatform): Pick<Run, 'rescueMinutes'> {
  try {
    const clock = ensureClock(platform);
    return isFailure(clock) ? {} : { rescueMinutes: clock.everyMinutes };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return {};
  }
}

/** Makes sure of the clock and removes the rest of the start from the record. */
export function finishStart(platform: SheetPlatform, { id, scheduled }: Run): void {
  const rescue = scheduled === undefined ? rescueBy(platform) : {};
  runStore(platform).change((now) => {
    if (now?.id !== id) return now;
    const { toDress: _, ...rest } = now;
    return { ...rest, ...rescue };
  });
}
