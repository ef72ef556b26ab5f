// Starts a run: claims the spreadsheet for it, makes its columns, marks its rows, notes it down.

import type { Engine } from '../analysis/engine';
import { type Failure, isFailure } from '../analysis/failure';
import { readingOf } from '../connection/connection';
import { isBusy } from '../platform/ports';
import type { Sheet, SheetPlatform, SheetSize } from '../platform/sheet-ports';
import { paceOf } from '../quota/rate';
import type { Choice } from './choice';
import { claim, elsewhere } from './claim';
import { ensureClock } from './clock';
import { formatMarked, formatRoi } from './format-columns';
import type { Job, Scheduled } from './job';
import { type JobStore, jobStore } from './job-store';
import { list } from './list';
import { markRows } from './mark-rows';
import type { Layout } from './our-columns';
import type { RowPicker } from './preflight';
import { prepareColumns } from './prepare-columns';
import { runProblem } from './problem';
import { isPercentIn, memorise, notePercent, percentName } from './remembered';
import { identityOf, isMisplaced, type Row } from './rows';
import { cleanUp } from './run-lane';
import { type Settled, settledPlan } from './settled-plan';

/** All rows of a short list may change while it is started; more often than this they hardly will. */
const STARTS_MAX = 3;

/**
 * Where calls go one by one because the key has no burst, one chain cannot send the next before it
 * has the answer to the last: from this rate on, two do more.
 */
const ONE_CHAIN_CALLS_PER_SECOND = 1.5;

/** What a schedule starts a run with. */
export interface OfSchedule {
  readonly scheduled: Scheduled;
  /** Of the rows of the choice those that are due. */
  readonly pick: RowPicker;
}

export function startRun(platform: SheetPlatform, engine: Engine, choice: Choice): Job | Failure {
  let wish = choice;
  for (let tries = 1; ; tries += 1) {
    const started = beginRun(platform, engine, wish);
    if (!isFailure(started)) return started.job;
    const isEmpty = started.kind === 'run' && started.why === 'no-rows';
    if (!isEmpty || tries === STARTS_MAX) return started;
    const left = leftBehind(jobStore(platform).read(), wish.sheetId);
    // It may have been given a header.
    if (left !== null) wish = { ...wish, headerRow: left.headerRow };
  }
}

/** The run, and the list as it stood when its rows were marked. */
export function beginRun(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
  of?: OfSchedule,
): { readonly job: Job; readonly rows: readonly Row[] } | Failure {
  const { defaultMarket = 'US' } = engine.connection.settings;
  const settled = settledPlan(platform, choice, defaultMarket, of?.pick);
  if (isFailure(settled)) return settled;
  const store = jobStore(platform);
  const left = leftBehind(store.read(), choice.sheetId);
  const { plan, there } = settled;
  const layout = there === null || isFailure(there) ? left : there;
  const claimed = claim(platform, store, plan, { ...choice, layout }, of?.scheduled);
  if (isFailure(claimed)) return claimed;
  const { failure, seen, ...change } = orBusy(() =>
    prepare(platform, engine, settled, left, claimed),
  );
  const nowMs = platform.clock.nowMs();
  const rescue = failure !== null || of !== undefined ? {} : rescueBy(platform);
  const job = store.change((now) =>
    now?.id === claimed.id
      ? { ...now, ...change, ...rescue, ...stateAfter(store, now, failure, nowMs) }
      : now,
  );
  if (failure !== null) {
    // Wherever it was cut short, no marks stay for which nobody would come.
    if (failure.kind === 'google-busy' && job) cleanUp(platform, job);
    return failure;
  }
  if (job === undefined) return runProblem('busy');
  if (job?.id !== claimed.id) {
    if (job?.sheetId !== claimed.sheetId) cleanUp(platform, { ...claimed, ...change });
    return elsewhere(platform, store);
  }
  if (job.state === 'stopped') {
    cleanUp(platform, job);
    store.change((now) => (now?.id === job.id ? { ...now, endedMs: nowMs } : now));
    return runProblem('over');
  }
  // Which kinds are retried is chosen once; the rows of the run before stay remembered.
  const isRetry = choice.rows.kind === 'failed' && choice.rows.kinds !== undefined;
  if (!isRetry && of === undefined) memorise(platform.documentStore, choice, job.layout);
  return { job, rows: seen };
}

/** What somebody wanted of the run while it was being started is kept. */
function stateAfter(
  store: JobStore,
  now: Job,
  failure: Failure | null,
  touchedMs: number,
): Partial<Job> {
  if (failure !== null) return { state: 'stopped', endedMs: touchedMs, touchedMs };
  if (now.state === 'stopped') return { touchedMs };
  return { state: store.look(now).wish === 'pause' ? 'paused' : 'running', touchedMs };
}

/** A person without a clock can run a list all the same. */
function rescueBy(platform: SheetPlatform): Pick<Job, 'rescueMinutes'> {
  try {
    const clock = ensureClock(platform);
    return isFailure(clock) ? {} : { rescueMinutes: clock.everyMinutes };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return {};
  }
}

/** Columns of a start that came to nothing or was cut off: they may be called something else by now. */
function leftBehind(job: Job | null, sheetId: number): Layout | null {
  const isBarren = job?.state === 'starting' || job?.state === 'stopped';
  const isLeft = isBarren && job.counters.workedMs === 0 && job.sheetId === sheetId;
  return isLeft && job.layout.columns.length > 0 ? job.layout : null;
}

type Prepared = Partial<Job> & {
  readonly failure: Failure | null;
  readonly seen: readonly Row[];
};

/** Where Google's services fail, the start has failed as a whole. */
function orBusy(begin: () => Prepared): Prepared {
  try {
    return begin();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { failure: error.refusal, seen: [] };
  }
}

function prepare(
  platform: SheetPlatform,
  engine: Engine,
  settled: Settled,
  left: Layout | null,
  job: Job,
): Prepared {
  const { sheet, rows, all, size } = settled.plan;
  const layout = makeColumns(platform, engine, settled, left, job);
  if (isFailure(layout)) return { failure: layout, seen: [] };
  const shift = settled.choice.headerRow === 0 ? 1 : 0;
  const chosen = rows
    .filter(({ isLocked }) => !isLocked)
    .map((row) => ({ row: row.row + shift, identity: identityOf(row) }));
  const runList = list(sheet, layout, job.market, job.id, shift === 0 ? size : null);
  const marked = markRows(runList, job.id, chosen, shift === 0 ? all : []);
  const now = { layout: runList.layout(), seen: isFailure(marked) ? [] : marked.seen };
  if (isFailure(marked)) {
    // Some rows have their marks by now, and nobody would come for them.
    markRows(runList, job.id, []);
    return { ...now, failure: marked };
  }
  const { count } = marked;
  if (count === 0) return { ...now, failure: runProblem('no-rows') };
  const known = settled.there !== null && shift === 0 ? size : null;
  format(platform, engine, { sheet, ...now, known });
  // Those that were chosen have their marks by now.
  const isPastedOver = now.seen.some(isMisplaced);
  const leftOut = rows.length - chosen.length;
  const isPart = leftOut > 0 ? { leftOut } : {};
  return { ...now, ...isPart, failure: null, rows: count, isPastedOver, lanes: lanesFor(engine) };
}

/** Rows get the formats of their own market; ROI is shown as a percentage as soon as it is known to be a fraction. */
function format(
  { documentStore }: SheetPlatform,
  { connection }: Engine,
  list: {
    readonly sheet: Sheet;
    readonly layout: Layout;
    readonly seen: readonly Row[];
    readonly known: SheetSize | null;
  },
): void {
  const { sheet, layout, seen, known } = list;
  const { roiUnit } = readingOf(connection);
  const name = percentName(sheet.id, connection.fingerprint);
  const wasPercent = isPercentIn(documentStore, name);
  const mendsRoi = roiUnit !== undefined && !wasPercent;
  const roiIsFraction = roiUnit !== undefined || wasPercent;
  formatMarked(sheet, layout, seen, { roiIsFraction, mendsRoi }, known);
  if (!mendsRoi) return;
  // As it was sent before, a fraction is one in the rows of earlier runs as well.
  const before = seen.filter(({ status }) => status.kind === 'ok');
  if (roiUnit === 'fraction' && before.length > 0) formatRoi(sheet, layout, before);
  notePercent(documentStore, name);
}

/**
 * Two starts of one person, whose first was thought lost, must not make the columns twice: only the
 * one that has the claim makes them, nobody can claim meanwhile, and who claims later sees them.
 */
function makeColumns(
  platform: SheetPlatform,
  { connection }: Engine,
  settled: Settled,
  left: Layout | null,
  job: Job,
): Layout | Failure {
  const { choice, seen, there } = settled;
  const { sheet, chosen: rows, size } = settled.plan;
  if (there !== null) return there;
  const store = jobStore(platform);
  const name = percentName(sheet.id, connection.fingerprint);
  const roiIsFraction =
    readingOf(connection).roiUnit !== undefined || isPercentIn(platform.documentStore, name);
  const { lastRow } = size;
  let layout: Layout | Failure | null = null;
  const changed = store.change((now) => {
    if (now?.id !== job.id) return now;
    layout = prepareColumns({ sheet, choice, seen, rows, lastRow, roiIsFraction, left });
    return isFailure(layout) ? now : { ...now, layout };
  });
  if (changed === undefined) return runProblem('busy');
  return layout ?? elsewhere(platform, store);
}

function lanesFor({ connection: { quota } }: Engine): number {
  if (quota === null) return 1;
  const { burst, intervalMs } = paceOf(quota);
  return burst === 1 && 1_000 / intervalMs > ONE_CHAIN_CALLS_PER_SECOND ? 2 : 1;
}
