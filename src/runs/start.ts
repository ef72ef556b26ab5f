// Starts a run: clears an orphaned one, acquires the run, adds columns, marks the rows.

import { readingOf } from '../connection/connection';
import type { Engine } from '../engine/engine';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { about } from '../failures/failure-text';
import { isBusy, type Sheet, type SheetPlatform, type SheetSize } from '../platform/ports';
import { DEFAULT_MARKET } from '../product/market';
import { paceOf } from '../quota/rate';
import { columnOf, type Layout } from '../table/columns';
import { formatColumns, formatMarked, formatRoi } from '../table/formats';
import { outputColumn, WIDTH_AS_NEW } from '../table/output-columns';
import { identityOf, isMisplaced, type Row } from '../table/row';
import { list, markRows } from '../table/table';
import { emptied } from '../table/write-plan';
import { type Made, prepareColumns, type Settled, settledPlan } from './add-columns';
import { workersFor } from './lease';
import type { Plan, RowPicker } from './preflight';
import {
  type Choice,
  type Counters,
  hasEnded,
  isEnding,
  isOver,
  NO_COUNTS,
  RUN_VERSION,
  type Run,
  type Scheduled,
  stopped,
  sum,
} from './run';
import { isAlive, type RunStore, runStore, unrecorded } from './run-store';
import { isPercentIn, memorise, notePercent, percentName } from './saved-choice';
import { ensureClock } from './trigger';
import { cleanUp } from './worker';

/** Rows may move again meanwhile; after so often the next firing sees to it. */
const MENDS_MAX = 4;

/** What a run did, and whether it left no row with another product's figures. */
export interface HandedBack {
  readonly counters: Counters;
  readonly isTidy: boolean;
}

/** Ends a run and takes its marks away; what it did stays. */
export function handBack(platform: SheetPlatform, run: Run): HandedBack {
  const store = runStore(platform);
  const nowMs = platform.clock.nowMs();
  const counters = sum(run.counters, unrecorded(store.look(run.id).writer, run));
  store.change((now) => (now?.id === run.id && !hasEnded(now) ? stopped(now, nowMs) : now));
  const rows = cleanUp(platform, run);
  return { counters, isTidy: emptyMisplaced(platform, run, isFailure(rows) ? null : rows) };
}

/**
 * Rows may have moved while marks and figures were written, and no slice comes that would mend them:
 * no row is to show another product's. Answers whether none did.
 *
 * @param seen the list as it was read after the last write; null: it has to be read.
 */
export function emptyMisplaced(
  { spreadsheet }: SheetPlatform,
  run: Run,
  seen: readonly Row[] | null,
): boolean {
  const sheet = spreadsheet.sheet(run.sheetId);
  if (sheet === null) return true;
  const own = list(sheet, run.layout, run.market, run.id);
  const wrongIn = (rows: readonly Row[]) =>
    rows.filter((row) => isMisplaced(row) && own.isOpen(row));
  if (seen !== null && wrongIn(seen).length === 0) return true;
  let isTidy = true;
  for (let tries = 0; tries < MENDS_MAX; tries += 1) {
    const rows = own.read();
    const wrong = isFailure(rows) ? [] : wrongIn(rows);
    if (wrong.length === 0) break;
    isTidy = false;
    own.write(new Map(wrong.map((row) => [row.row, emptied(row)])));
  }
  return isTidy;
}

/** A schedule's run that has not come to an end, not even its start; who paused it goes on with it. */
export const isUnended = (run: Run): boolean =>
  run.scheduled !== undefined && !hasEnded(run) && run.state !== 'paused';

/** A schedule's run that nobody is at any more was killed: whoever comes next may take its place. */
function orphanedRun({ clock }: SheetPlatform, store: RunStore): Run | null {
  const run = store.read();
  const nowMs = clock.nowMs();
  if (run === null || !isUnended(run) || nowMs < run.touchedMs + LEFT_ALONE_MS) return null;
  return isAlive(store.look(run.id).writer, nowMs) ? null : run;
}

/** Younger than this it is between two steps. */
const LEFT_ALONE_MS = 60_000;

/** What of a schedule's run is left in the way of somebody else's. */
export function clearOrphaned(platform: SheetPlatform, store: RunStore): Counters | null {
  const run = orphanedRun(platform, store);
  return run === null ? null : handBack(platform, run).counters;
}

/** Names of runs: two of one spreadsheet hardly ever share one. */
const IDS = 36 ** 5;

/** One run in a spreadsheet at a time: they would share the key's quota anyway. */
function claim(
  platform: SheetPlatform,
  store: RunStore,
  { sheet, rule, rows }: Plan,
  choice: Pick<Choice, 'fields' | 'rows'> & { readonly layout: Layout | null },
  of: OfSchedule | undefined,
): Run | Failure {
  const { clock, random } = platform;
  clearOrphaned(platform, store);
  const nowMs = clock.nowMs();
  const by = store.person();
  const id = Math.floor(random.next() * IDS).toString(36);
  const first: Run = {
    version: RUN_VERSION,
    id,
    by,
    state: 'starting',
    startedMs: nowMs,
    endedMs: null,
    touchedMs: nowMs,
    sheetId: sheet.id,
    sheetName: sheet.name() ?? '',
    // Whoever finds that this start was cut off can take its marks away.
    layout: choice.layout ?? { headerRow: 0, columns: [], others: [] },
    fields: choice.fields,
    market: rule,
    rows: rows.length,
    counters: NO_COUNTS,
    problem: null,
    ...(choice.rows.kind === 'product' ? { notBeforeMs: nowMs } : {}),
    ...(of && { scheduled: of.scheduled, notBeforeMs: of.notBeforeMs }),
  };
  const run = store.change((now) => (now !== null && isTaken(now, first, nowMs) ? now : first));
  if (run === undefined) return runProblem('busy');
  if (run?.id === id) return run;
  return elsewhere({ clock }, store);
}

/** Whoever starts again on a sheet while their own start there is not through takes it over: it was cut off. */
function isTaken(run: Run, { by, sheetId }: Run, nowMs: number): boolean {
  const isOwn = run.state === 'starting' && run.by === by && run.sheetId === sheetId;
  return isEnding(run, nowMs) || (!isOver(run, nowMs) && !isOwn);
}

function elsewhere({ clock }: Pick<SheetPlatform, 'clock'>, store: RunStore): Failure {
  const what = whose(store.read(), store.person(), clock.nowMs());
  return runProblem('run-in-progress', what);
}

function whose(run: Run | null, viewer: string, nowMs: number): string {
  if (run === null) return 'somebody else is starting a run in this spreadsheet';
  const who = run.by === viewer ? 'you have' : 'someone else has';
  return (
    `${who} a run over ${run.rows} rows of "${run.sheetName}", started ` +
    `${about(nowMs - run.startedMs)} ago`
  );
}

/** All rows of a short list may change while it is started; more often than this they hardly will. */
const STARTS_MAX = 3;

/** What a schedule starts a run with. */
export interface OfSchedule {
  readonly scheduled: Scheduled;
  /** Answers that were fetched before will not do. */
  readonly notBeforeMs: number;
  /** Of the rows of the choice those that are due. */
  readonly pick: RowPicker;
}

export function startRun(platform: SheetPlatform, engine: Engine, choice: Choice): Run | Failure {
  let wish = choice;
  for (let tries = 1; ; tries += 1) {
    const started = beginRun(platform, engine, wish);
    if (!isFailure(started)) return started.run;
    const isEmpty = started.kind === 'run' && started.why === 'no-rows';
    if (!isEmpty || tries === STARTS_MAX) return started;
    const left = leftBehind(runStore(platform).read(), wish.sheetId);
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
): { readonly run: Run; readonly rows: readonly Row[] } | Failure {
  const { defaultMarket = DEFAULT_MARKET } = engine.connection.settings;
  const settled = settledPlan(platform, choice, defaultMarket, of?.pick);
  if (isFailure(settled)) return settled;
  const store = runStore(platform);
  const left = leftBehind(store.read(), choice.sheetId);
  const { plan, there } = settled;
  const layout = there === null || isFailure(there) ? left : there;
  const claimed = claim(platform, store, plan, { ...choice, layout }, of);
  if (isFailure(claimed)) return claimed;
  const { failure, seen, ...change } = orBusy(() =>
    prepare(platform, engine, settled, left, claimed),
  );
  const nowMs = platform.clock.nowMs();
  const rescue = failure !== null || of !== undefined ? {} : rescueBy(platform);
  const run = store.change((now) =>
    now?.id === claimed.id
      ? { ...now, ...change, ...rescue, ...stateAfter(store, now, failure, nowMs) }
      : now,
  );
  if (failure?.kind === 'google-busy' || run === undefined) {
    // Wherever it was cut short, no marks stay for which nobody would come; the record knows new columns.
    const noted = run ?? store.read();
    cleanUp(platform, { ...claimed, ...(noted?.id === claimed.id ? noted : {}), ...change });
  }
  if (failure !== null) return failure;
  if (run === undefined) return runProblem('busy');
  if (run?.id !== claimed.id) {
    if (run?.sheetId !== claimed.sheetId) cleanUp(platform, { ...claimed, ...change });
    return elsewhere(platform, store);
  }
  if (run.state === 'stopped') {
    cleanUp(platform, run);
    store.change((now) => (now?.id === run.id ? { ...now, endedMs: nowMs } : now));
    return runProblem('run-ended');
  }
  // Which kinds are retried, and which product, is chosen once; the rows of the run before stay remembered.
  const { rows } = choice;
  const isOnce = rows.kind === 'product' || (rows.kind === 'failed' && rows.kinds !== undefined);
  if (!isOnce && of === undefined) memorise(platform.documentStore, choice, run.layout);
  return { run, rows: seen };
}

/** What somebody wanted of the run while it was being started is kept. */
function stateAfter(
  store: RunStore,
  now: Run,
  failure: Failure | null,
  touchedMs: number,
): Partial<Run> {
  if (failure !== null) return { state: 'stopped', endedMs: touchedMs, touchedMs };
  if (now.state === 'stopped') return { touchedMs };
  return { state: store.look(now.id).command === 'pause' ? 'paused' : 'running', touchedMs };
}

/** A person without a clock can run a list all the same. */
function rescueBy(platform: SheetPlatform): Pick<Run, 'rescueMinutes'> {
  try {
    const clock = ensureClock(platform);
    return isFailure(clock) ? {} : { rescueMinutes: clock.everyMinutes };
  } catch (error) {
    if (!isBusy(error)) throw error;
    return {};
  }
}

/** Columns of a start that came to nothing or was cut off: they may be called something else by now. */
function leftBehind(run: Run | null, sheetId: number): Layout | null {
  const isBarren = run?.state === 'starting' || run?.state === 'stopped';
  const isLeft = isBarren && run.counters.workedMs === 0 && run.sheetId === sheetId;
  return isLeft && run.layout.columns.length > 0 ? run.layout : null;
}

type Prepared = Partial<Run> & {
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
  run: Run,
): Prepared {
  const { sheet, rows, all, size } = settled.plan;
  const columns = makeColumns(platform, engine, settled, left, run);
  if (isFailure(columns)) return { failure: columns, seen: [] };
  const { layout } = columns;
  const shift = settled.choice.headerRow === 0 ? 1 : 0;
  const chosen = rows
    .filter(({ isLocked }) => !isLocked)
    .map((row) => ({ row: row.row + shift, identity: identityOf(row) }));
  const runList = list(sheet, layout, run.market, run.id, shift === 0 ? size : null);
  const store = runStore(platform);
  const isOurs = () => store.read()?.id === run.id;
  const marked = markRows(runList, run.id, chosen, shift === 0 ? all : [], isOurs);
  const now = { layout: runList.layout(), seen: isFailure(marked) ? [] : marked.seen };
  if (isFailure(marked)) {
    if (!isOurs()) return { ...now, failure: elsewhere(platform, store) };
    // Some rows have their marks by now, and nobody would come for them.
    markRows(runList, run.id, []);
    return { ...now, failure: marked };
  }
  const { count } = marked;
  if (count === 0) return { ...now, failure: runProblem('no-rows') };
  const known = settled.there !== null && shift === 0 ? size : null;
  const hasFormats = columns.areFormatted && isEachIn(settled.plan.chosen, now.seen);
  format(platform, engine, { sheet, ...now, known, hasFormats });
  // Those that were chosen have their marks by now.
  const isPastedOver = now.seen.some(isMisplaced);
  const leftOut = rows.length - chosen.length;
  const isPart = leftOut > 0 ? { leftOut } : {};
  return {
    ...now,
    ...isPart,
    failure: null,
    rows: count,
    isPastedOver,
    workers: firstWorkers(engine),
  };
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
    readonly hasFormats: boolean;
  },
): void {
  const { sheet, layout, seen, known, hasFormats } = list;
  const { roiUnit } = readingOf(connection);
  const name = percentName(sheet.id, connection.fingerprint);
  const wasPercent = isPercentIn(documentStore, name);
  const mendsRoi = roiUnit !== undefined && !wasPercent;
  const roiIsFraction = roiUnit !== undefined || wasPercent;
  if (!hasFormats) formatMarked(sheet, layout, seen, { roiIsFraction, mendsRoi }, known);
  if (!mendsRoi) return;
  // As it was sent before, a fraction is one in the rows of earlier runs as well.
  const before = seen.filter(({ status }) => status.kind === 'ok');
  if (roiUnit === 'fraction' && before.length > 0) formatRoi(sheet, layout, before);
  notePercent(documentStore, name);
}

/** Whether all that are marked now were there, in the same rows and of the same markets. */
function isEachIn(chosen: readonly Row[], seen: readonly Row[]): boolean {
  const identities = new Map(chosen.map((row) => [row.row, identityOf(row)]));
  return seen
    .filter(({ status }) => status.kind === 'queued')
    .every((row) => identities.get(row.row) === identityOf(row));
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
  run: Run,
): { readonly layout: Layout; readonly areFormatted: boolean } | Failure {
  const { choice, seen, there } = settled;
  const { sheet, chosen: rows, size } = settled.plan;
  if (there !== null) return isFailure(there) ? there : { layout: there, areFormatted: false };
  const store = runStore(platform);
  const name = percentName(sheet.id, connection.fingerprint);
  const roiIsFraction =
    readingOf(connection).roiUnit !== undefined || isPercentIn(platform.documentStore, name);
  const { lastRow } = size;
  let made = null as Made | Failure | null;
  const changed = store.change((now) => {
    if (now?.id !== run.id) return now;
    made = prepareColumns({ sheet, choice, seen, left });
    return isFailure(made) ? now : { ...now, layout: made.layout };
  });
  if (changed === undefined) return runProblem('busy');
  if (made === null) return elsewhere(platform, store);
  if (isFailure(made)) return made;
  const { layout, keys } = made;
  const fresh = layout.columns.filter(({ key }) => keys.includes(key));
  const widths = fresh.map(({ key }) => outputColumn(key)?.width ?? WIDTH_AS_NEW);
  const [{ column } = { column: 0 }] = fresh;
  if (column > 0)
    sheet.dress(layout.headerRow, column, widths, columnOf(layout, 'product') ?? null);
  const shift = choice.headerRow === 0 ? 1 : 0;
  const rightmost = Math.max(...layout.columns.map((one) => one.column));
  const known = {
    ...size,
    lastColumn: Math.max(size.lastColumn, rightmost),
    maxColumns: Math.max(size.maxColumns, rightmost),
  };
  // The record has the new columns by now: where this fails or is cut off, the next start uses them.
  const outcome = formatColumns(
    { sheet, keys, rows, shift, lastRow, roiIsFraction, known: shift === 0 ? known : null },
    layout,
  );
  if (outcome === 'protected') return fail({ kind: 'protected' });
  const areAllNew = layout.columns.every(
    ({ key }) => outputColumn(key) === undefined || keys.includes(key),
  );
  return { layout, areFormatted: areAllNew && outcome === 'written' };
}

/** A wave takes so long until the first one has told: who is not needed leaves within seconds. */
const SUPPOSED_WAVE_MS = 5_000;

/** Where the key's limit is still to be found out, by refusals, one alone does so. */
function firstWorkers({ connection: { quota } }: Engine): number {
  if (quota === null) return 1;
  const { burst, intervalMs } = paceOf(quota);
  return workersFor(SUPPOSED_WAVE_MS / (burst * intervalMs), 1);
}
