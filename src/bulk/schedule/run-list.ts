// A schedule's work on its list: the due rows, a run over as many as there is time for, and no traces of it.

import type { Answer } from '../../analysis/answer';
import type { Engine } from '../../analysis/engine';
import { type Failure, fail, isFailure } from '../../analysis/failure';
import { failureOfStop } from '../../analysis/interpret';
import type { SheetPlatform } from '../../platform/sheet-ports';
import { paceOf } from '../../quota/rate';
import { emptyMisplaced, handBack } from '../abandoned';
import { openEngine } from '../bulk-engine';
import type { Choice } from '../choice';
import { type Counters, failedRows, isOver, type Job } from '../job';
import { jobStore } from '../job-store';
import { keptAnswers } from '../kept-answers';
import { columnOf, located } from '../our-columns';
import type { RowPicker } from '../preflight';
import { identityOf, type Row } from '../rows';
import { runLane } from '../run-lane';
import { startRun } from '../start';
import { type ChangeKeeper, type ChangeReport, changeKeeper } from './change-keeper';
import { affordable, dueRows, passes } from './due';
import type { ZoneOffset } from './recurrence';
import { callsLeft, type ListTask, type Reading, type Schedule, type Seen } from './schedule';
import { readingNow, seenOf, withOlder } from './seen';
import { shownFigures } from './shown-figures';
import { starredRows } from './stars';

const HOUR_MS = 3_600_000;

/** Reading and marking before the first call, writing and unmarking after the last. */
const AROUND_MS = 12_000;

/** While the rate is still found out: more than any key gives in the time of a firing. */
const CALLS_UNKNOWN = 2_000;

/** So many rows of one firing are marked at most, however many of them cost nothing. */
const ROWS_MAX = 20_000;

/** The sheet's first rows, in which headers are looked for. */
const TOP_ROWS = 20;

/** What one go at a schedule came to. */
export interface Report {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** Nothing is due any more. */
  readonly isThrough: boolean;
  /** Somebody put an end to it for now. */
  readonly wasStopped?: boolean;
  readonly seen?: Seen;
  readonly news?: ChangeReport;
  readonly problem?: Failure;
}

const NOTHING = { refreshed: 0, failed: 0, calls: 0, isThrough: false };

export const failedWith = (problem: Failure): Report => ({ ...NOTHING, problem });

export function runList(
  platform: SheetPlatform,
  schedule: Schedule,
  task: ListTask,
  untilMs: number,
  zone: ZoneOffset,
): Report {
  const { clock } = platform;
  const engine = openEngine(platform, clock.nowMs());
  if (isFailure(engine)) return failedWith(engine);
  const problem = stopOf(engine, untilMs) ?? inTheWay(platform);
  if (problem !== null) return failedWith(problem);
  const choice = choiceNow(platform, schedule, task);
  if (isFailure(choice)) return failedWith(choice);
  const { id, settings } = schedule;
  const told = { id, scope: engine.scope, fields: task.fields, rules: settings.rules, zone };
  const keeper = changeKeeper({ platform, ...told });
  const reading = readingNow(engine, schedule);
  const picked = picker(platform, engine, schedule, { ...task, ...choice }, untilMs);
  const pick: RowPicker = (all, sheet, columns) => {
    const rows = picked.pick(all);
    keeper.compareWith(shownFigures(sheet, rows, columns, keeper.fields, reading.sinceMs));
    return rows;
  };
  const wish = { ...choice, rows: { kind: 'all' as const } };
  const job = startRun(platform, engine, wish, { scheduled: picked.scheduled, pick });
  if (isFailure(job)) {
    if (job.kind !== 'run' || job.why !== 'no-rows') return failedWith(job);
    // A run that was cut off may have done all but save and tell of it.
    engine.cache.save(clock.nowMs());
    return withNews({ ...NOTHING, isThrough: picked.due() === 0 }, keeper);
  }
  runLane(platform, job.id, 0, Math.max(1, untilMs - clock.nowMs()), keeper);
  return withNews(
    reportOf(platform, job, picked.due(), withOlder(reading, picked.known())),
    keeper,
  );
}

/** Last of all: by now nothing of the run is in anybody's way. */
function withNews(report: Report, keeper: ChangeKeeper): Report {
  const news = keeper.finish();
  return { ...(news.problem === undefined ? {} : { problem: news.problem }), ...report, news };
}

/** Why no call would be made, where that lasts longer than this firing. */
function stopOf({ gate, platform }: Engine, untilMs: number): Failure | null {
  const stop = gate.stopped();
  if (stop === undefined || stop.untilMs <= untilMs) return null;
  return failureOfStop(stop, platform.clock.nowMs());
}

/** A run that somebody started, or paused, goes before. */
function inTheWay(platform: SheetPlatform): Failure | null {
  const job = jobStore(platform).read();
  if (job === null || isOver(job, platform.clock.nowMs())) return null;
  const what = { paused: 'paused', stuck: 'stuck' }[String(job.state)] ?? 'under way';
  return fail({ kind: 'schedule', why: 'run-in-the-way', what });
}

/** Where the list is by now: what was seen of it last is looked for by its headers. */
function choiceNow(
  { spreadsheet }: SheetPlatform,
  { seen, settings }: Schedule,
  task: ListTask,
): Omit<Choice, 'rows'> | Failure {
  const sheet = spreadsheet.sheet(task.sheetId);
  const size = sheet?.size();
  if (!sheet || !size)
    return fail({ kind: 'schedule', why: 'sheet-gone', what: seen?.sheetName ?? '' });
  const { sheetId, headerRow, productColumn, market, fields } = task;
  const marksChanges = settings.rules.length > 0;
  if (seen === undefined)
    return { sheetId, headerRow, productColumn, market, fields, marksChanges };
  const rowCount = Math.min(headerRow + TOP_ROWS, size.maxRows);
  const area = { row: 1, column: 1, rowCount, columnCount: size.maxColumns };
  const { columns, others } = seen;
  const now = located({ headerRow, columns, others }, sheet.values(area) ?? []);
  if (typeof now === 'string') return fail({ kind: 'schedule', why: 'column-gone', what: now });
  const marketColumn = columnOf(now, 'market');
  return {
    sheetId,
    fields,
    marksChanges,
    headerRow: now.headerRow,
    productColumn: columnOf(now, 'product') ?? productColumn,
    market: marketColumn === undefined ? market : { kind: 'column', column: marketColumn },
  };
}

/** Picks the rows of this firing while the run is planned, so that the list is read once. */
function picker(
  platform: SheetPlatform,
  engine: Engine,
  schedule: Schedule,
  task: ListTask,
  untilMs: number,
) {
  const nowMs = platform.clock.nowMs();
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR_MS;
  const sinceMs = schedule.sinceMs ?? nowMs;
  const notBeforeMs = sinceMs - maxAgeMs;
  const callsMax = callsLeft(schedule, nowMs);
  let due = 0;
  let free: ReadonlyMap<string, Answer> = new Map();
  return {
    scheduled: { id: schedule.id, notBeforeMs, callsMax },
    /** Rows that were due when the list was read. */
    due: () => due,
    /** What is known of them already. */
    known: () => free,
    pick(rows: readonly Row[]): readonly Row[] {
      const stars = starredRows(platform, task);
      const isStarred = (row: number) => stars.has(row);
      const urgent = dueRows(rows, { ...task, nowMs, sinceMs, maxAgeMs, isStarred });
      free = answeredSince(engine, urgent, notBeforeMs);
      const calls = Math.min(
        callsMax ?? Number.POSITIVE_INFINITY,
        callsIn(engine, untilMs - nowMs),
      );
      const taken = affordable(urgent, calls, (key) => free.has(key)).slice(0, ROWS_MAX);
      // Without a product among them there is nothing to run for: what cannot be read says so itself.
      const isWorthIt = taken.some(({ content }) => content.kind === 'product');
      due = isWorthIt ? urgent.length : urgent.length - taken.length;
      return isWorthIt ? taken : [];
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
  const fit = [...cached].filter(([, answer]) => answer.ok || !passes(answer.failure.kind));
  const unknown = keys.filter((key) => !cached.has(key));
  return new Map([...fit, ...keptAnswers(engine, unknown, wish)]);
}

/** About how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  const { burst, intervalMs } = paceOf(quota);
  return Math.max(1, Math.floor(burst + Math.max(0, leftMs - AROUND_MS) / intervalMs));
}

/** The run is over, whatever became of it: nobody is to find it in the way. */
function reportOf(platform: SheetPlatform, started: Job, due: number, reading: Reading): Report {
  const now = jobStore(platform).read();
  const job = now?.id === started.id ? now : started;
  const isOpen = !isOver(job, platform.clock.nowMs());
  const counters = isOpen && job.state !== 'paused' ? handBack(platform, job) : job.counters;
  const passing = Object.entries(counters.failures).filter(([kind]) => passes(kind));
  const counts = countsOf(counters);
  // Rows that came or went meanwhile are looked for at the next firing.
  const isAll = counts.refreshed + counts.failed >= due;
  const isTidy = job.state !== 'paused' && emptyMisplaced(platform, job) === 0;
  const isThrough = job.state === 'finished' && isAll && isTidy && passing.length === 0;
  const { problem } = job;
  return {
    ...counts,
    isThrough,
    wasStopped: job.state === 'stopped' || job.state === 'paused',
    seen: seenOf(job, reading),
    ...(problem === null ? {} : { problem: ofSchedule(problem, job.sheetName) }),
  };
}

const countsOf = (counters: Counters) => ({
  refreshed: counters.answered + counters.cached,
  failed: failedRows(counters),
  calls: counters.calls,
});

/** What befell the run, in a schedule's words: there is no run that could be stopped. */
function ofSchedule(problem: Failure, sheetName: string): Failure {
  if (problem.kind !== 'run') return problem;
  if (problem.why === 'sheet-gone')
    return fail({ kind: 'schedule', why: 'sheet-gone', what: sheetName });
  if (problem.why === 'columns-gone')
    return fail({ kind: 'schedule', why: 'column-gone', what: problem.what });
  return problem;
}
