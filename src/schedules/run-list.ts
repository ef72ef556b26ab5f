// Refreshes the due rows of a list and reports the result.

import { rulesInUse } from '../deal/rules-in-use';
import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, lasts, runProblem, scheduleProblem } from '../failures/failure';
import { isBusy, type SheetCell, type SheetPlatform } from '../platform/ports';
import type { Answer } from '../product/analysis';
import type { RowPicker } from '../runs/preflight';
import {
  type Choice,
  type Counters,
  failedRows,
  isHeldUp,
  isOver,
  type Reading,
  type Run,
} from '../runs/run';
import { runStore } from '../runs/run-store';
import { beginRun, emptyMisplaced, handBack } from '../runs/start';
import { runWorker } from '../runs/worker';
import { failureOfStop } from '../service/response';
import { columnOf, type KnownColumn, located } from '../table/columns';
import { identityOf, type Row } from '../table/row';
import {
  type ChangeReport,
  type ChangeTracker,
  changeKeeper,
  ownProfits,
  shownFigures,
} from './change-tracker';
import { duePicker } from './due-rows';
import type { ZoneOffset } from './recurrence';
import type { LastLayout, ListTask, Schedule } from './schedule';

/** Other columns that are remembered; they only help to tell columns with the same title apart. */
const OTHERS_MAX = 20;

/** The columns by which the list is found again. Columns of figures may come and go. */
const LASTING_COLUMNS: readonly string[] = ['product', 'market', 'status', 'at'];

/** A long title is remembered by its beginning and end, which distinguish it from others. */
const TITLE_CHARS_MAX = 60;
const END_CHARS = 20;

/** A column's title in the form in which it is remembered and compared. */
function shortTitle(cell: SheetCell): string {
  const title = String(cell).trim();
  if (title.length <= TITLE_CHARS_MAX) return title;
  const begin = title.slice(0, TITLE_CHARS_MAX - END_CHARS - 1);
  return `${begin}…${title.slice(-END_CHARS)}`;
}

function seenOf({ sheetName, layout: { columns, others } }: Run, reading: Reading): LastLayout {
  const lasting = columns.filter(({ key }) => LASTING_COLUMNS.includes(key));
  return {
    sheetName: shortTitle(sheetName),
    columns: lasting.map((one) => ({ ...one, title: shortTitle(one.title) })),
    others: others.slice(0, OTHERS_MAX),
    reading,
  };
}

/**
 * Since when answers are read as now. Figures that were obtained with another key or read
 * differently must not count as changes. For a schedule that has never finished, the last run of
 * any schedule tells it.
 */
function readingNow({ scope, platform }: Engine, { seen }: Schedule, run: Run | null): Reading {
  const before = seen?.reading ?? run?.scheduled?.reading;
  return before?.of === scope ? before : { of: scope, sinceMs: platform.clock.nowMs() };
}

/** Extends that time if answers read in the same way are older. */
function withOlder(reading: Reading, answers: ReadonlyMap<string, Answer>): Reading {
  const moments = [...answers.values()].flatMap((one) =>
    one.ok ? [one.analysis.fetchedAtMs] : [],
  );
  const sinceMs = moments.reduce((a, b) => Math.min(a, b), reading.sinceMs);
  return { ...reading, sinceMs };
}

/** The number of rows at the top of the sheet in which headers are searched for. */
const TOP_ROWS = 20;

/** The result of one run of a schedule. */
export interface Report {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** Nothing more is due. */
  readonly isThrough: boolean;
  /** Somebody has stopped the run. */
  readonly wasStopped?: boolean;
  readonly seen?: LastLayout;
  readonly news?: ChangeReport;
  readonly problem?: Failure | undefined;
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
  const engine = openEngine(platform);
  if (isFailure(engine)) return failedWith(engine);
  const before = runStore(platform).read();
  const problem = stopOf(engine, untilMs) ?? inTheWay(platform, schedule, before);
  if (problem !== null) return failedWith(problem);
  engine.gate.wake();
  const choice = choiceNow(platform, schedule, task);
  if (isFailure(choice)) return failedWith(choice);
  const { rules } = schedule.settings;
  const dealRules = rules.some(({ kind }) => kind === 'became-buy')
    ? rulesInUse(platform.cache, () => platform.spreadsheet)
    : null;
  const keeper = changeKeeper({
    platform,
    id: schedule.id,
    fingerprint: engine.connection.fingerprint,
    reading: engine.reading,
    fields: task.fields,
    rules,
    dealRules,
    zone,
  });
  const reading = readingNow(engine, schedule, before);
  const picked = duePicker(engine, schedule, task, untilMs, reading);
  let all: readonly Row[] = [];
  const pick: RowPicker = (filled, listed) => {
    const rows = picked.pick(filled, listed);
    all = filled;
    const shown = shownFigures(listed.sheet, rows, listed.columns, keeper.fields, reading.sinceMs);
    keeper.compareWith(shown, dealRules && ownProfits(listed, rows));
    return rows;
  };
  const wish = { ...choice, rows: { kind: 'all' as const } };
  const { scheduled, notBeforeMs } = picked;
  const started = beginRun(platform, engine, wish, { scheduled, notBeforeMs, pick });
  if (isFailure(started)) {
    const why = started.kind === 'run' ? started.why : null;
    if (why === 'run-ended') return { ...NOTHING, wasStopped: true };
    // Of two runs that begin at the same moment, only one succeeds.
    const isTwice = why === 'run-in-progress' && isAtWork(runStore(platform).read(), schedule);
    if (why !== 'no-rows') return failedWith(isTwice ? atWork() : started);
    return withNews({ ...NOTHING, isThrough: picked.counts().left === 0 }, keeper);
  }
  const { run, rows } = started;
  const leftMs = Math.max(1, untilMs - clock.nowMs());
  const end = runWorker(platform, run.id, 0, leftMs, { changes: keeper, rows, byClock: true });
  const known = {
    ...picked.counts(),
    all,
    reading: withOlder(reading, picked.known()),
    rows: isFailure(end) ? null : (end.seen ?? null),
    isHindered: !isFailure(end) && end.isHindered === true,
  };
  return orCounted(platform, run, () => withNews(reportOf(platform, run, known), keeper));
}

/**
 * Reports a run. If Google fails after the run, its calls still count in their hour, and the rest
 * is done next time.
 */
function orCounted(platform: SheetPlatform, run: Run, report: () => Report): Report {
  try {
    return report();
  } catch (error) {
    if (!isBusy(error)) throw error;
    const { counters } = runNow(platform, run);
    return { ...countsOf(counters), isThrough: false, problem: error.refusal };
  }
}

function runNow(platform: SheetPlatform, started: Run): Run {
  const now = runStore(platform).read();
  return now?.id === started.id ? now : started;
}

/** Writes the changes last, when the run no longer blocks anybody. */
function withNews(report: Report, keeper: ChangeTracker): Report {
  const news = keeper.finish();
  return { ...report, problem: report.problem ?? news.problem, news };
}

/**
 * Why no call would be made, if that lasts beyond this firing or the service itself is in trouble.
 */
function stopOf({ gate, platform }: Engine, untilMs: number): Failure | null {
  const stop = gate.stopped();
  if (stop === undefined || (stop.untilMs <= untilMs && stop.status === undefined)) return null;
  return failureOfStop(stop, platform.clock.nowMs());
}

/**
 * Whether the schedule is already running, for example by hand while the clock fires, or in two
 * browser tabs.
 */
const isAtWork = (run: Run | null, { id }: Schedule): boolean =>
  run?.scheduled?.id === id && (run.state === 'running' || run.state === 'starting');

const atWork = () => scheduleProblem('at-work');

/** A run that somebody has started or paused takes precedence. */
function inTheWay({ clock }: SheetPlatform, schedule: Schedule, run: Run | null): Failure | null {
  if (run === null || isOver(run, clock.nowMs())) return null;
  if (isAtWork(run, schedule)) return atWork();
  const stuck = isHeldUp(run) ? 'held up and tried again every hour' : 'stuck';
  const what = { paused: 'paused', stuck }[String(run.state)] ?? 'under way';
  return scheduleProblem('run-in-the-way', what);
}

/** Finds the list's present place by the headers that were remembered. */
function choiceNow(
  { spreadsheet }: SheetPlatform,
  { seen, settings }: Schedule,
  task: ListTask,
): Omit<Choice, 'rows'> | Failure {
  const sheet = spreadsheet.sheet(task.sheetId);
  const size = sheet?.size();
  if (!sheet || !size) return scheduleProblem('sheet-gone', seen?.sheetName ?? '');
  const { sheetId, headerRow, productColumn, market, fields } = task;
  const marksChanges = settings.rules.length > 0;
  const wish = { sheetId, headerRow, productColumn, market, fields, marksChanges };
  if (seen === undefined) return wish;
  const rowCount = Math.min(headerRow + TOP_ROWS, size.maxRows);
  const area = { row: 1, column: 1, rowCount, columnCount: size.maxColumns };
  const { columns, others } = seen;
  const top = (sheet.values(area) ?? []).map((cells) => cells.map(shortTitle));
  const now = located({ headerRow, columns, others }, top);
  if (typeof now === 'string') return scheduleProblem('column-gone', now);
  // If one of these headers was renamed, the next run could not tell whose figures these are.
  const isRenamed = ({ key, title }: KnownColumn, at: number) =>
    ['status', 'at'].includes(key) && now.columns[at]?.title !== title;
  const renamed = columns.find(isRenamed);
  if (renamed !== undefined) return scheduleProblem('column-gone', renamed.title);
  const marketColumn = columnOf(now, 'market');
  return {
    ...wish,
    headerRow: now.headerRow,
    productColumn: columnOf(now, 'product') ?? productColumn,
    market: marketColumn === undefined ? market : { kind: 'column', column: marketColumn },
  };
}

interface Known {
  /**
   * The number of due rows that were taken when the list was read, and how many due rows were not.
   */
  readonly taken: number;
  readonly left: number;
  readonly reading: Reading;
  /** All rows that were not blank when the due ones were picked. */
  readonly all: readonly Row[];
  /** The list as read after the last write; null: not read since then. */
  readonly rows: readonly Row[] | null;
  /** The worker ended although rows and time were left: Google failed or did not give the lock. */
  readonly isHindered: boolean;
}

/** A text of all rows with their products, for comparison. */
const placesIn = (rows: readonly Row[] | null) =>
  rows?.map((one) => identityOf(one) && one.row + identityOf(one)).join('');

/** Ends the run, whatever its result, so that it blocks nothing, and reports it. */
function reportOf(platform: SheetPlatform, started: Run, known: Known): Report {
  const { taken, left, reading, all, rows, isHindered } = known;
  const run = runNow(platform, started);
  const isOpen = !isOver(run, platform.clock.nowMs());
  const isPaused = run.state === 'paused';
  const { counters, isTidy } =
    isOpen && !isPaused
      ? handBack(platform, run)
      : { counters: run.counters, isTidy: !isPaused && emptyMisplaced(platform, run, rows) };
  const passing = Object.entries(counters.failures).filter(([kind]) => !lasts(kind));
  const counts = countsOf(counters);
  // Rows that moved are looked for at the next firing. The count alone is not enough: if a product
  // was added in a second row, more rows were filled than were taken, which must not hide a lost or
  // remaining row.
  const isAll = left + counters.lostCount === 0 && counts.refreshed + counts.failed >= taken;
  // In a list that has changed, another row may be due, or the row that was filled may not be the
  // one that was meant.
  const isStill = placesIn(rows) === placesIn(all);
  const isThrough = run.state === 'finished' && isAll && isTidy && isStill && passing.length === 0;
  // A hindered worker that did some rows continues with the others at once.
  const isIdle = isHindered && isOpen && counts.refreshed + counts.failed === 0;
  const problem = run.problem ?? (isIdle ? runProblem('busy') : undefined);
  return {
    ...counts,
    isThrough,
    wasStopped: run.state === 'stopped' || isPaused,
    seen: seenOf(run, reading),
    problem: ofSchedule(problem, run.sheetName),
  };
}

const countsOf = (counters: Counters) => ({
  refreshed: counters.answered + counters.cached,
  failed: failedRows(counters),
  calls: counters.calls,
});

/** A problem of the run in a schedule's words, since there is no run that a person could stop. */
function ofSchedule(problem: Failure | undefined, sheetName: string): Failure | undefined {
  if (problem?.kind !== 'run') return problem;
  if (problem.why === 'sheet-gone') return scheduleProblem('sheet-gone', sheetName);
  if (problem.why === 'columns-gone') return scheduleProblem('column-gone', problem.what);
  return problem;
}
