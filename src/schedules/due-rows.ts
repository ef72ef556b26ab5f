// Which rows of a list are due, in what order, and how many of them can be refreshed now.

import { type ConnectionSettings, readingOf } from '../connection/connection';
import type { Engine } from '../engine/engine';
import { lasts } from '../failures/failure';
import type { SheetCell } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { isBlank } from '../product/asin';
import { DEAL_TITLES, suffixOf, titlesOfOurs } from '../product/deal-formulas';
import { type Field, fieldOfName, nameForm } from '../product/fields';
import { paceOf } from '../quota/rate';
import type { Listed } from '../runs/preflight';
import type { Reading } from '../runs/run';
import { identityOf, isMisplaced, type Row, shownOf } from '../table/row';
import { unmarked } from '../table/status';
import { callsLeft, type ListTask, type Schedule, type WeakRowRule } from './schedule';

/** How often rows are refreshed that are hardly worth a call. */
const SELDOM_MS = 30 * 24 * 3_600_000;

/**
 * How soon a temporary problem is tried again: at the next firing, which may come a little early.
 */
const TRY_AGAIN_MS = 30 * 60_000;

/**
 * A product that fails for this long while others succeed is left until the schedule's next
 * occurrence.
 */
const TRY_FOR_MS = 24 * 3_600_000;

export interface DueRule extends Pick<ListTask, 'rows' | 'order'> {
  readonly nowMs: number;
  /** When the current occurrence began, ms since 1970. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Whether the last run got no answer at all. Then the service is at fault, not a product. */
  readonly isDown: boolean;
  readonly notes: RowNotes;
}

/** The rows to refresh, most urgent first. */
function dueRows(rows: readonly Row[], rule: DueRule): readonly Row[] {
  const due = rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'now');
  const ages = new Map(due.map((row) => [row.row, settledMs(row) ?? Number.NEGATIVE_INFINITY]));
  const age = ({ row }: Row) => ages.get(row) ?? 0;
  const star = ({ row }: Row) => (rule.notes.starred.has(row) ? 0 : 1);
  const stalest = (a: Row, b: Row) => (age(a) === age(b) ? 0 : age(a) - age(b));
  const starred = (a: Row, b: Row) => star(a) - star(b);
  const [first, then] = rule.order === 'starred' ? [starred, stalest] : [stalest, starred];
  return [...due].sort((a, b) => first(a, b) || then(a, b) || a.row - b.row);
}

/** The number of rows that have just failed and are tried again at the next firing. */
const dueSoon = (rows: readonly Row[], rule: DueRule): number =>
  rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'soon').length;

function isMeant(row: Row, { rows, notes }: DueRule): boolean {
  if (row.isLocked || row.content.kind === 'blank' || notes.skipped.has(row.row)) return false;
  if (rows === 'failed') return unmarked(row.status).kind === 'failed';
  return rows === 'all' || notes.starred.has(row.row);
}

function turnOf(row: Row, rule: DueRule): 'now' | 'soon' | null {
  const { nowMs, sinceMs, isDown, notes } = rule;
  const maxAgeMs = notes.weak.has(row.row) ? Math.max(SELDOM_MS, rule.maxAgeMs) : rule.maxAgeMs;
  const atMs = settledMs(row);
  if (atMs === null) return 'now';
  // An unreadable cell is already reported, and only a change of the cell helps.
  if (row.content.kind === 'unreadable') return null;
  if (atMs < sinceMs - maxAgeMs) return 'now';
  if (row.status.kind !== 'failed' || lasts(row.status.failure)) return null;
  if (!isDown && nowMs - sinceMs >= TRY_FOR_MS) return null;
  return nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When the row's present product was answered or tried, ms since 1970; null: unknown. */
function settledMs(row: Row): number | null {
  const { status, content, atMs } = row;
  if (isMisplaced(row)) return null;
  if (status.kind === 'ok') return atMs;
  if (status.kind !== 'failed') return null;
  const isOther = status.product === null && content.kind === 'product';
  if (content.kind === 'unreadable') return status.triedMs ?? 0;
  return isOther ? null : status.triedMs;
}

/**
 * As many due rows as there are calls for, along with other rows of the same products.
 *
 * @param isFree whether a product has an answer that is recent enough.
 */
function affordable(
  due: readonly Row[],
  callsMax: number,
  isFree: (key: string) => boolean,
): readonly Row[] {
  const paid = new Set<string>();
  return due.filter((row) => {
    const key = identityOf(row);
    if (row.content.kind !== 'product' || paid.has(key) || isFree(key)) return true;
    if (paid.size >= callsMax) return false;
    paid.add(key);
    return true;
  });
}

/** What other columns say about rows, by row number. */
interface RowNotes {
  readonly starred: ReadonlySet<number>;
  /** Rows that somebody has marked to be left out always. */
  readonly skipped: ReadonlySet<number>;
  /** Rows that are hardly worth a call. */
  readonly weak: ReadonlySet<number>;
}

const NO_ROWS: ReadonlySet<number> = new Set();

/** A column of the sheet: how its title is recognised, and which of its cells count. */
interface NoteColumn {
  readonly isTitle: (title: string) => boolean;
  readonly counts: (cell: SheetCell) => boolean;
}

/** The value of an unticked checkbox is no mark. */
const isMarked = (cell: SheetCell) => !isBlank(cell) && cell !== false && cell !== 'FALSE';

const STARRED: NoteColumn = {
  isTitle: (title) => ['star', 'starred', '★', '⭐'].includes(nameForm(title)),
  counts: isMarked,
};

const SKIPPED: NoteColumn = { isTitle: (title) => nameForm(title) === 'skip', counts: isMarked };

/** @param roiUnit the unit of the sheet's ROI figures; if unknown, no row is weak by its ROI. */
function weakColumns(
  { notEligible, roiUnder, verdictSkip }: WeakRowRule,
  { roiUnit }: ConnectionSettings,
  { titles, columns }: Pick<Listed, 'titles' | 'columns'>,
): readonly NoteColumn[] {
  const suffix = suffixOf(columns);
  const there = titles.map((title) => nameForm(String(title)));
  const verdict = titlesOfOurs(DEAL_TITLES.verdict, suffix)
    .map(nameForm)
    .find((form) => there.includes(form));
  const figure = (field: Field) => (title: string) =>
    title.endsWith(suffix) && fieldOfName(title.replace(suffix, '')) === field;
  const isNo = (cell: SheetCell) =>
    !isBlank(cell) && !['true', 'yes'].includes(nameForm(String(cell)));
  const isUnder = (cell: SheetCell) => typeof cell === 'number' && cell < (roiUnder ?? 0);
  return [
    ...(notEligible ? [{ isTitle: figure('eligible'), counts: isNo }] : []),
    ...(roiUnder !== undefined && roiUnit !== undefined
      ? [{ isTitle: figure('roi'), counts: isUnder }]
      : []),
    ...(verdictSkip
      ? [
          {
            isTitle: (title: string) => nameForm(title) === verdict,
            counts: (cell: SheetCell) => nameForm(String(cell)) === 'skip',
          },
        ]
      : []),
  ];
}

/**
 * Reads the columns beside the products; null: rows have moved since they were read, so it is
 * unclear which ones are meant. Costs one call for each column that exists and one more.
 */
function notesOf(
  { sheet, headerRow, titles, lastRow, productColumn }: Listed,
  rows: readonly Row[],
  weak: readonly NoteColumn[],
): RowNotes | null {
  const below = { row: headerRow + 1, rowCount: lastRow - headerRow, columnCount: 1 };
  const cellsAt = (column: number) => sheet.values({ ...below, column }) ?? [];
  let isRead = false;
  function numbers({ isTitle, counts }: NoteColumn): ReadonlySet<number> {
    const at = titles.findIndex((title) => isTitle(String(title)));
    if (at < 0 || below.rowCount <= 0) return NO_ROWS;
    isRead = true;
    const rowsOf = cellsAt(at + 1);
    return new Set(rowsOf.flatMap(([cell = ''], down) => (counts(cell) ? [below.row + down] : [])));
  }
  const notes = {
    starred: numbers(STARRED),
    skipped: numbers(SKIPPED),
    weak: new Set(weak.flatMap((column) => [...numbers(column)])),
  };
  if (!isRead) return notes;
  const products = cellsAt(productColumn);
  const isSame = ({ row, shown }: Row) => shownOf(products[row - below.row]?.[0]) === shown;
  return rows.every(isSame) ? notes : null;
}

const HOUR_MS = 3_600_000;

/**
 * The time between reading the clock and the first call, with a margin, so that hardly any row
 * stays marked without being reached.
 */
const AROUND_MS = 8_000;

/** While the rate is unknown: more calls than any key allows in one firing. */
const CALLS_UNKNOWN = 2_000;

/** The most rows that one firing marks, even if many of them cost nothing. */
const ROWS_MAX = 20_000;

/** Picks the rows for a run that is being planned, so that the list is read only once. */
export function duePicker(
  engine: Engine,
  schedule: Schedule,
  { rows: wanted, order, seldom = {} }: Pick<ListTask, 'rows' | 'order' | 'seldom'>,
  untilMs: number,
  reading?: Reading,
) {
  const nowMs = engine.platform.clock.nowMs();
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR_MS;
  const sinceMs = schedule.sinceMs ?? nowMs;
  const notBeforeMs = sinceMs - maxAgeMs;
  const callsMax = callsLeft(schedule, nowMs);
  let [taken, left] = [0, 0];
  let free: ReadonlyMap<string, Answer> = new Map();
  return {
    notBeforeMs,
    scheduled: { id: schedule.id, callsMax, reading },
    /**
     * The number of rows picked and the number left, which are due as well or at the next firing.
     */
    counts: () => ({ taken, left }),
    /** The answers that already exist for them. */
    known: () => free,
    pick(rows: readonly Row[], listed: Listed): readonly Row[] {
      const notes = notesOf(
        listed,
        rows,
        weakColumns(seldom, readingOf(engine.connection), listed),
      );
      if (notes === null) {
        left = 1;
        return [];
      }
      const { refreshed = 0, failed = 0 } = schedule.last ?? {};
      const isDown = refreshed === 0 && failed > 0;
      const rule = { rows: wanted, order, nowMs, sinceMs, maxAgeMs, isDown, notes };
      const urgent = dueRows(rows, rule);
      free = answeredSince(engine, urgent, notBeforeMs);
      const calls = Math.min(
        callsMax ?? Number.POSITIVE_INFINITY,
        callsIn(engine, untilMs - nowMs),
      );
      const rowsNow = affordable(urgent, calls, (key) => free.has(key)).slice(0, ROWS_MAX);
      // A run needs at least one product; an unreadable cell already says so itself.
      const isWorthIt = rowsNow.some(({ content }) => content.kind === 'product');
      taken = isWorthIt ? rowsNow.length : 0;
      left = dueSoon(rows, rule) + urgent.length - rowsNow.length;
      return isWorthIt ? rowsNow : [];
    },
  };
}

/** Products with a recent enough answer, from the cache or the store. */
function answeredSince(
  engine: Engine,
  rows: readonly Row[],
  notBeforeMs: number,
): ReadonlyMap<string, Answer> {
  const products = rows.filter(({ content }) => content.kind === 'product');
  const keys = [...new Set(products.map(identityOf))];
  if (keys.length === 0) return new Map();
  const wish = { notBeforeMs };
  const cached = engine.cache.find(keys, wish, engine.platform.clock.nowMs());
  const fit = [...cached].filter(([, answer]) => answer.ok || lasts(answer.failure.kind));
  return new Map(fit);
}

/** Roughly how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  // The burst is left out: the gate forgets its state within the hour and then begins with an empty
  // bucket.
  return Math.max(1, Math.floor((leftMs - AROUND_MS) / paceOf(quota).intervalMs));
}
