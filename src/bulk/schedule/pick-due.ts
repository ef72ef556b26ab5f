// Picks the rows of a firing: those that are due, as many as there are calls and time for.

import type { Answer } from '../../analysis/answer';
import type { Engine } from '../../analysis/engine';
import { lasts } from '../../analysis/failure';
import { paceOf } from '../../quota/rate';
import { keptAnswers } from '../kept-answers';
import type { Listed } from '../preflight';
import { identityOf, type Row } from '../rows';
import { affordable, dueRows, dueSoon } from './due';
import { callsLeft, type ListTask, type Schedule } from './schedule';
import { starredRows } from './stars';

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
  return new Map([...fit, ...keptAnswers(engine, unknown, wish)]);
}

/** About how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  // No burst: the gate forgets within the hour, and begins with an empty bucket.
  return Math.max(1, Math.floor((leftMs - AROUND_MS) / paceOf(quota).intervalMs));
}
