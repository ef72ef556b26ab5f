// Which rows of a list are due, in which order, and how many of them can be refreshed now.

import { keptAnswers } from '../cache/last-good';
import type { Engine } from '../engine/engine';
import { lasts } from '../failures/failure';
import type { Answer } from '../product/analysis';
import { isBlank } from '../product/asin';
import { nameForm } from '../product/fields';
import { paceOf } from '../quota/rate';
import type { Listed } from '../runs/preflight';
import { identityOf, isMisplaced, type Row, shownOf } from '../table/row';
import { unmarked } from '../table/status';
import { callsLeft, type ListTask, type Schedule } from './schedule';

/** A problem that passes is tried again at the next firing, which may come a little early. */
const TRY_AGAIN_MS = 30 * 60_000;

/** A product that failed for so long while others did not is left until the schedule comes round again. */
const TRY_FOR_MS = 24 * 3_600_000;

export interface DueRule extends Pick<ListTask, 'rows' | 'order'> {
  readonly nowMs: number;
  /** When the schedule came round. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Nothing at all was answered the last time: it is the service, and no product is to blame. */
  readonly isDown: boolean;
  readonly isStarred: (row: number) => boolean;
}

/** The rows to be refreshed, the most urgent first. */
function dueRows(rows: readonly Row[], rule: DueRule): readonly Row[] {
  const due = rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'now');
  const ages = new Map(due.map((row) => [row.row, settledMs(row) ?? Number.NEGATIVE_INFINITY]));
  const age = ({ row }: Row) => ages.get(row) ?? 0;
  const star = ({ row }: Row) => (rule.isStarred(row) ? 0 : 1);
  const stalest = (a: Row, b: Row) => (age(a) === age(b) ? 0 : age(a) - age(b));
  const starred = (a: Row, b: Row) => star(a) - star(b);
  const [first, then] = rule.order === 'starred' ? [starred, stalest] : [stalest, starred];
  return [...due].sort((a, b) => first(a, b) || then(a, b) || a.row - b.row);
}

/** How many rows failed a moment ago and have their next try at the next firing. */
const dueSoon = (rows: readonly Row[], rule: DueRule): number =>
  rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'soon').length;

function isMeant(row: Row, { rows, isStarred }: DueRule): boolean {
  if (row.isLocked || row.content.kind === 'blank') return false;
  if (rows === 'failed') return unmarked(row.status).kind === 'failed';
  return rows === 'all' || isStarred(row.row);
}

function turnOf(row: Row, { nowMs, sinceMs, maxAgeMs, isDown }: DueRule): 'now' | 'soon' | null {
  const atMs = settledMs(row);
  if (atMs === null) return 'now';
  // What cannot be read is told already, and changes only with the cell.
  if (row.content.kind === 'unreadable') return null;
  if (atMs < sinceMs - maxAgeMs) return 'now';
  if (row.status.kind !== 'failed' || lasts(row.status.failure)) return null;
  if (!isDown && nowMs - sinceMs >= TRY_FOR_MS) return null;
  return nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When the product that stands there now was answered or tried; null: not that anybody knows. */
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
 * As many rows as there are calls for, with all others of the same products.
 *
 * @param isFree whether a product has an answer that is new enough.
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

const TITLES: readonly string[] = ['star', 'starred', '★', '⭐'];

/** What an unticked box holds is no star. */
const isMarked = (cell: unknown) => !isBlank(cell) && cell !== false && cell !== 'FALSE';

/**
 * Their numbers; none where no column is headed so. null: the rows are no longer as they were read,
 * so nobody knows which of them these stars belong to. At most two calls.
 */
function starredRows(
  { sheet, headerRow, titles, lastRow, productColumn }: Listed,
  rows: readonly Row[],
): ReadonlySet<number> | null {
  const at = titles.findIndex((title) => TITLES.includes(nameForm(String(title))));
  if (at < 0 || lastRow <= headerRow) return new Set();
  const below = { row: headerRow + 1, rowCount: lastRow - headerRow, columnCount: 1 };
  const [stars = [], products = []] = [at + 1, productColumn].map(
    (column) => sheet.values({ ...below, column }) ?? [],
  );
  const isSame = ({ row, shown }: Row) => shownOf(products[row - below.row]?.[0]) === shown;
  if (!rows.every(isSame)) return null;
  return new Set(stars.flatMap(([cell], down) => (isMarked(cell) ? [below.row + down] : [])));
}

const HOUR_MS = 3_600_000;

/** From the look at the clock to the first call, and a little, so that hardly a mark is left over. */
const AROUND_MS = 8_000;

/** While the rate is still found out: more than any key gives in the time of a firing. */
const CALLS_UNKNOWN = 2_000;

/** So many rows of one firing are marked at most, however many of them cost nothing. */
const ROWS_MAX = 20_000;

/** For a run that is being planned, so that the list is read once. */
export function duePicker(
  engine: Engine,
  schedule: Schedule,
  { rows: wanted, order }: Pick<ListTask, 'rows' | 'order'>,
  untilMs: number,
) {
  const nowMs = engine.platform.clock.nowMs();
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR_MS;
  const sinceMs = schedule.sinceMs ?? nowMs;
  const notBeforeMs = sinceMs - maxAgeMs;
  const callsMax = callsLeft(schedule, nowMs);
  let [taken, left] = [0, 0];
  let free: ReadonlyMap<string, Answer> = new Map();
  return {
    scheduled: { id: schedule.id, notBeforeMs, callsMax },
    /** How many rows were taken, and how many are left: due all the same, or at the next firing. */
    counts: () => ({ taken, left }),
    /** What is known of them already. */
    known: () => free,
    pick(rows: readonly Row[], listed: Listed): readonly Row[] {
      const stars = starredRows(listed, rows);
      if (stars === null) {
        left = 1;
        return [];
      }
      const isStarred = (row: number) => stars.has(row);
      const { refreshed = 0, failed = 0 } = schedule.last ?? {};
      const isDown = refreshed === 0 && failed > 0;
      const rule = { rows: wanted, order, nowMs, sinceMs, maxAgeMs, isDown, isStarred };
      const urgent = dueRows(rows, rule);
      free = answeredSince(engine, urgent, notBeforeMs);
      const calls = Math.min(
        callsMax ?? Number.POSITIVE_INFINITY,
        callsIn(engine, untilMs - nowMs),
      );
      const rowsNow = affordable(urgent, calls, (key) => free.has(key)).slice(0, ROWS_MAX);
      // Without a product among them there is nothing to run for: what cannot be read says so itself.
      const isWorthIt = rowsNow.some(({ content }) => content.kind === 'product');
      taken = isWorthIt ? rowsNow.length : 0;
      left = dueSoon(rows, rule) + urgent.length - rowsNow.length;
      return isWorthIt ? rowsNow : [];
    },
  };
}

/** Products whose answer is new enough, wherever it is kept. */
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
  const unknown = keys.filter((key) => !cached.has(key));
  return new Map([...fit, ...keptAnswers(engine.lastGood, unknown, wish)]);
}

/** About how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  // No burst: the gate forgets within the hour, and begins with an empty bucket.
  return Math.max(1, Math.floor((leftMs - AROUND_MS) / paceOf(quota).intervalMs));
}
