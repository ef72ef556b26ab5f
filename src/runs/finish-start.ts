// What a start leaves for later: how its columns look, and the clock that goes on with a run left alone.

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
import { isPercentIn, notePercent, percentName } from './saved-choice';
import { ensureClock } from './trigger';

/**
 * New columns get titles like the others and widths, and rows get the formats of their own market; ROI
 * is shown as a percentage as soon as it is known to be a fraction.
 *
 * @param keys the columns that are new. @param known the sheet's size since they are there.
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
  const name = percentName(run.sheetId, connection.fingerprint);
  const wasPercent = isPercentIn(documentStore, name);
  const mendsRoi = roiUnit !== undefined && !wasPercent;
  const roiIsFraction = roiUnit !== undefined || wasPercent;
  // Below the last product rows may come whose formats are not known yet.
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
  // As it was sent before, a fraction is one in the rows of earlier runs as well.
  const before = rows.filter(({ status }) => status.kind === 'ok');
  if (roiUnit === 'fraction' && before.length > 0) formatRoi(sheet, layout, before);
  notePercent(documentStore, name);
}

/** A person without a clock can run a list all the same. */
export function rescueBy(platform: SheetPlatform): Pick<Run, 'rescueMinutes'> {
  try {
    const clock = ensureClock(platform);
    return isFailure(clock) ? {} : { rescueMinutes: clock.everyMinutes };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return {};
  }
}

/** The clock, and the record: nothing is left to be done. */
export function finishStart(platform: SheetPlatform, { id, scheduled }: Run): void {
  const rescue = scheduled === undefined ? rescueBy(platform) : {};
  runStore(platform).change((now) => {
    if (now?.id !== id) return now;
    const { toDress: _, ...rest } = now;
    return { ...rest, ...rescue };
  });
}
