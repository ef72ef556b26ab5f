// Refreshes the due products of a list: writes what is wanted, works off the queue, and reports.

import type { RecordedRow } from '../analysis/analysis-row';
import { type AnalysisTab, openAnalysisTab } from '../analysis/analysis-tab';
import { noteInUse } from '../analysis/freshness';
import { type Engine, openEngine } from '../engine/engine';
import { HOUR } from '../failures/duration';
import { type Failure, isFailure, lasts, runProblem, scheduleProblem } from '../failures/failure';
import { areaOf } from '../google/cells';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { sheetById } from '../google/spreadsheet';
import { drainQueue } from '../jobs/drain';
import { failedProducts, isOver, type Job } from '../jobs/job';
import { jobStore } from '../jobs/job-store';
import { stop } from '../jobs/set-state';
import { beginJob, jobInTheWay } from '../jobs/start';
import { paceOf } from '../limit/limit';
import { fillInNewRows } from '../list/lookup-cells';
import { ensureColumns } from '../list/lookup-columns';
import { type LookupGroup, type MarkedList, markedLists } from '../list/marked-list';
import { type KnownRows, type ListRow, productOf } from '../list/rows';
import { productKey } from '../product/asin';
import { ruleWords } from '../product/fields';
import { failureOfStop } from '../service/response';
import {
  BECAME_BUY,
  becameBuy,
  type LogLine,
  logLines,
  markText,
  type Verdicts,
  wordsMet,
} from './changes';
import { affordable, dueProducts } from './due';
import { readNotes, readVerdicts, rowsOf } from './list-rows';
import { changeLogger, comparableSinceMs, isRoiFraction } from './log-recorded';
import type { ZoneOffset } from './recurrence';
import { callsLeft, type ListTask, type Schedule } from './schedule';

/** The result of one run of a schedule. */
export interface Report {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** The number of lines added to the change log. */
  readonly changes: number;
  /** Nothing more is due. */
  readonly isThrough: boolean;
  /** Somebody has stopped the run. */
  readonly wasStopped?: boolean;
  /** The name of the list's sheet by now. */
  readonly sheetName?: string;
  /** Why the run did not do all that was due. */
  readonly problem?: Failure | undefined;
  /** Why some changes are not in the log, or not marked. */
  readonly unlogged?: Failure | undefined;
}

const NOTHING = { refreshed: 0, failed: 0, calls: 0, changes: 0, isThrough: false };

export const failedWith = (problem: Failure): Report => ({ ...NOTHING, problem });

export interface ListRun {
  readonly platform: Platform;
  readonly schedule: Schedule;
  readonly task: ListTask;
  /** No call begins after this moment, ms since 1970. */
  readonly untilMs: number;
  readonly zone: ZoneOffset;
}

export function runList(run: ListRun): Report {
  const { platform, schedule, untilMs } = run;
  const engine = openEngine(platform);
  if (isFailure(engine)) return failedWith(engine);
  const stopped = stopOf(engine, untilMs);
  if (stopped !== null) return failedWith(stopped);
  const begun = platform.lock.run(RECORD_LOCK_WAIT_MS, () => begin(run, engine));
  if (!begun.held) return failedWith(scheduleProblem('busy'));
  const work = begun.value;
  if (isFailure(work)) return failedWith(work);
  const sheetName = work.list.sheet.name() ?? schedule.sheetName;
  if (work.job === null) return { ...NOTHING, isThrough: work.left === 0, sheetName };
  return { ...drain(run, engine, work, work.job), sheetName };
}

/** Why no call would be made, if that lasts beyond this firing or the service is in trouble. */
function stopOf({ gate, platform }: Engine, untilMs: number): Failure | null {
  const stopped = gate.stopped();
  if (stopped === undefined) return null;
  if (stopped.untilMs <= untilMs && stopped.status === undefined) return null;
  return failureOfStop(stopped, platform.clock.nowMs());
}

/** What a run of the schedule has begun. */
interface Work {
  readonly list: MarkedList;
  readonly tab: AnalysisTab;
  readonly known: KnownRows;
  /** null: there is nothing to ask. */
  readonly job: Job | null;
  /** How many more products are due, or will be at the next firing. */
  readonly left: number;
}

/** Finds what is due and starts a job for it. The caller holds the document's lock. */
function begin(run: ListRun, engine: Engine): Work | Failure {
  const { platform, schedule, task, untilMs } = run;
  const taken = inTheWay(platform, schedule);
  if (taken !== null) return taken;
  const list = findList(schedule, task);
  if (isFailure(list)) return list;
  const tab = openAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  const filled = fillColumns(run, engine, tab, list);
  if (isFailure(filled)) return filled;
  const known = tab.read();
  if (isFailure(known)) return known;
  const rows = rowsOf(filled, known);
  if (rows === null) return scheduleProblem('sheet-gone', schedule.sheetName);
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR;
  noteInUse(platform, engine.scope, nowMs);
  const scopeSinceMs = comparableSinceMs(engine);
  const rule = { rows: task.rows, order: task.order, nowMs, sinceMs, maxAgeMs, scopeSinceMs };
  const due = dueProducts(rows, { ...rule, ...readNotes(filled) });
  const notBeforeMs = sinceMs - maxAgeMs;
  const free = engine.cache.find(due.products, { notBeforeMs }, nowMs);
  const calls = Math.min(callsMax(schedule, nowMs), callsIn(engine, untilMs - nowMs));
  const wanted = affordable(due.products, calls, (product) => free.has(product));
  const left = due.soon + due.products.length - wanted.size;
  if (wanted.size === 0) return { list: filled, tab, known, job: null, left };
  const isWanted = (row: ListRow) => {
    const product = productOf(row);
    return product !== null && wanted.has(productKey(product));
  };
  // A cell that cannot be read gets its word along with them.
  const meant = rows.filter((row) => isWanted(row) || row.content.kind === 'unreadable');
  const wantedRows = { tab, sheet: filled.sheet, known, rows: meant };
  const started = beginJob(platform, wantedRows, isWanted, {
    startedMs: nowMs,
    listId: filled.id,
    market: filled.groups[0]?.market ?? 'column',
    notBeforeMs,
    scheduleId: schedule.id,
  });
  return isFailure(started) ? started : { list: filled, tab, known, job: started.job, left };
}

/** A job that a person has started or paused goes first, and so does this schedule's own. */
function inTheWay(platform: Platform, schedule: Schedule): Failure | null {
  const job = jobStore(platform).read();
  const taken = jobInTheWay(platform);
  if (job === null || taken === null) return null;
  if (job.scheduleId === schedule.id) return scheduleProblem('at-work');
  return scheduleProblem('run-in-the-way', job.state === 'paused' ? 'paused' : 'under way');
}

function findList({ sheetName }: Schedule, { sheetId, listId }: ListTask): MarkedList | Failure {
  const sheet = sheetById(sheetId);
  if (sheet === null) return scheduleProblem('sheet-gone', sheetName);
  const list = markedLists(sheet).find(({ id }) => id === listId);
  // Without a column of ours, a list shows nothing that could be refreshed.
  if (list !== undefined && list.groups.length > 0) return list;
  return scheduleProblem('list-gone', sheet.name() ?? sheetName);
}

/**
 * Fills new rows in, and adds the column for what rules have marked. Columns that hold values since
 * *Keep as values* stay as they are.
 */
function fillColumns(
  { schedule }: ListRun,
  engine: Engine,
  tab: AnalysisTab,
  list: MarkedList,
): MarkedList | Failure {
  if (list.isKept) return list;
  const marksRows = schedule.settings.rules.length > 0;
  for (const group of list.groups) {
    if (!marksRows || hasChanged(list, group)) continue;
    const added = ensureColumns(
      tab,
      { ...list, sheetId: list.sheet.id },
      {
        market: group.market,
        defaultMarket: group.defaultMarket,
        columns: [...shownIn(group), 'changed'],
        roiIsFraction: isRoiFraction(engine),
      },
    );
    if (isFailure(added)) return added;
  }
  const filled = fillInNewRows(tab, list);
  if (isFailure(filled)) return filled;
  return markedLists(list.sheet).find(({ id }) => id === list.id) ?? list;
}

/** Whether the column is there with its title. A run that was cut off may have marked it only. */
function hasChanged({ sheet, headerRow }: MarkedList, { columns }: LookupGroup): boolean {
  const column = columns.get('changed');
  if (column === undefined) return false;
  const [[title] = []] = sheet.values(areaOf(headerRow, column)) ?? [];
  return title !== undefined && title !== '';
}

const shownIn = ({ columns }: LookupGroup) =>
  [...columns.keys()].flatMap((role) => (role === 'helper' ? [] : [role]));

/**
 * The time between reading the clock and the first call, with a margin, so that hardly any row waits
 * without being reached.
 */
const AROUND_MS = 8_000;

/** While the rate is unknown: more calls than any key allows in one firing. */
const CALLS_UNKNOWN = 2_000;

const callsMax = (schedule: Schedule, nowMs: number): number =>
  callsLeft(schedule, nowMs) ?? Number.POSITIVE_INFINITY;

/** Roughly how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  return Math.max(1, Math.floor(((leftMs - AROUND_MS) / 1_000) * paceOf(quota).perSecond));
}

/** So many products without a single answer are not to blame themselves. */
const DOWN_MIN = 3;

/** Asks and records until nothing is left or the time is up. */
function drain(
  { platform, schedule, untilMs, zone }: ListRun,
  engine: Engine,
  { list, tab, known, left }: Work,
  begun: Job,
): Report {
  const { clock } = platform;
  const { rules } = schedule.settings;
  const sinceMs = comparableSinceMs(engine);
  const verdictsNow = () => readVerdicts(list.sheet, list.id, known);
  const asksForBuys = rules.some(({ kind }) => kind === BECAME_BUY);
  const verdicts: Verdicts = asksForBuys ? verdictsNow() : new Map();
  const log = changeLogger(isRoiFraction(engine));
  const recorded: RecordedRow[] = [];
  const wordsOf = (row: RecordedRow) => wordsMet(rules, row, sinceMs);
  const marked = (words: readonly string[]) =>
    words.length === 0 ? null : markText(words, clock.nowMs(), zone);
  const { job, problem } = endOf(platform, begun, () =>
    drainQueue(platform, begun, untilMs, {
      callsMax: callsMax(schedule, begun.startedMs),
      changedText: (row) => marked(wordsOf(row)),
      onRecorded(written) {
        recorded.push(...written);
        log.add(logLines(written, rules, sinceMs, clock.nowMs()));
      },
    }),
  );
  function noteBought(): Failure | null {
    const bought = becameBuy(recorded, verdicts, verdictsNow(), sinceMs, clock.nowMs());
    const noted = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
      log.add(bought);
      return markBought(tab, recorded, bought, (row) => marked([...wordsOf(row), NOW_A_BUY]));
    });
    return noted.held ? noted.value : runProblem('busy');
  }
  const unnoted = verdicts.size === 0 ? null : unlessBusy(noteBought);
  const hasPassing = Object.keys(job.counts.failures).some((kind) => !lasts(kind));
  const counts = countsOf(job);
  const isDown = hasPassing && counts.refreshed === 0 && counts.failed >= DOWN_MIN;
  return {
    ...counts,
    changes: log.count(),
    isThrough: job.state === 'done' && left === 0 && !hasPassing,
    wasStopped: job.state === 'stopped' || job.state === 'paused',
    problem: problem ?? (isDown ? runProblem('service-down', String(counts.calls)) : undefined),
    unlogged: log.problem() ?? unnoted ?? undefined,
  };
}

/** What a job of a schedule has come to. */
export const countsOf = ({ counts }: Job): Pick<Report, 'refreshed' | 'failed' | 'calls'> => ({
  refreshed: counts.answered + counts.cached,
  failed: failedProducts(counts),
  calls: counts.calls,
});

/** The job as the work left it, and what kept it from going on. It blocks nobody afterwards. */
function endOf(
  platform: Platform,
  begun: Job,
  work: () => Job | Failure,
): { readonly job: Job; readonly problem: Failure | null } {
  const outcome = unlessBusy(work);
  const noted = jobStore(platform).read();
  const job = !isFailure(outcome) ? outcome : noted?.id === begun.id ? noted : begun;
  if (!isOver(job)) stop(platform, job.id);
  return { job, problem: job.why ?? (isFailure(outcome) ? outcome : null) };
}

const NOW_A_BUY = ruleWords({ kind: BECAME_BUY });

/** Marks the rows of products that became a Buy. The caller holds the document's lock. */
function markBought(
  tab: AnalysisTab,
  recorded: readonly RecordedRow[],
  bought: readonly LogLine[],
  textOf: (row: RecordedRow) => string | null,
): Failure | null {
  const keys = new Set(bought.map(({ asin, market }) => `${asin}|${market}`));
  const rows = recorded.filter(({ after }) => keys.has(`${after.asin}|${after.market}`));
  if (rows.length === 0) return null;
  const written = tab.record(
    rows.map((row) => [
      { key: row.after.key },
      (before) => before && { ...before, changed: textOf(row) ?? before.changed },
    ]),
  );
  return isFailure(written) ? written : null;
}
