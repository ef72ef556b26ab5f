// Starts a run: clears an orphaned one, acquires the run, adds columns, and marks the rows.

import type { Engine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { about } from '../failures/failure-text';
import { drawName, isBusy, type SheetPlatform } from '../platform/ports';
import { DEFAULT_MARKET } from '../product/market';
import { paceOf } from '../quota/rate';
import type { Layout } from '../table/columns';
import { AUTOMATIC } from '../table/output-columns';
import { identityOf, isMisplaced, type Row } from '../table/row';
import { list, markRows } from '../table/table';
import { emptied } from '../table/write-plan';
import { type Made, prepareColumns, type Settled, settledPlan } from './add-columns';
import { shareOut } from './askers';
import { dressColumns, rescueBy } from './finish-start';
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
} from './run';
import { countsOf, isAlive, type RunStore, runStore } from './run-store';
import { memorise } from './saved-choice';
import { cleanUp, type WorkerEnd, workSlice } from './worker';
import { newSlice, type Slice, tell } from './worker-state';

/** Rows may move again while they are repaired; after this many tries the next firing continues. */
const MENDS_MAX = 4;

/** What a run did, and whether no row shows another product's figures. */
export interface HandedBack {
  readonly counters: Counters;
  readonly isTidy: boolean;
}

/** Ends a run and removes its marks; what it has written stays. */
export function handBack(platform: SheetPlatform, run: Run): HandedBack {
  const store = runStore(platform);
  const nowMs = platform.clock.nowMs();
  const counters = countsOf(store.look(run.id).writer, run);
  store.change((now) => (now?.id === run.id && !hasEnded(now) ? stopped(now, nowMs) : now));
  const rows = cleanUp(platform, run);
  return { counters, isTidy: emptyMisplaced(platform, run, isFailure(rows) ? null : rows) };
}

/**
 * Empties rows that show another product's figures because rows moved during a write, since no
 * further call of the run would repair them. Returns whether none is left.
 *
 * @param seen the list as read after the last write; null: it has to be read.
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

/**
 * A schedule's run that has not ended, not even its start. A paused one is continued by the person
 * who paused it.
 */
export const isUnended = (run: Run): boolean =>
  run.scheduled !== undefined && !hasEnded(run) && run.state !== 'paused';

/**
 * A schedule's run that nobody works on any more was killed, and another run may take its place.
 */
function orphanedRun({ clock }: SheetPlatform, store: RunStore): Run | null {
  const run = store.read();
  const nowMs = clock.nowMs();
  if (run === null || !isUnended(run) || nowMs < run.touchedMs + LEFT_ALONE_MS) return null;
  return isAlive(store.look(run.id).writer, nowMs) ? null : run;
}

/** A run that was touched more recently is between two steps. */
const LEFT_ALONE_MS = 60_000;

/** Removes what an orphaned run of a schedule has left in the way of another run. */
export function clearOrphaned(platform: SheetPlatform, store: RunStore): Counters | null {
  const run = orphanedRun(platform, store);
  return run === null ? null : handBack(platform, run).counters;
}

/**
 * Acquires the run. A spreadsheet has one run at a time, because two would share the key's quota
 * anyway.
 */
function claim(
  platform: SheetPlatform,
  store: RunStore,
  { sheet, rule, rows }: Plan,
  choice: Pick<Choice, 'fields' | 'rows'> & { readonly layout: Layout | null },
  of: OfSchedule | undefined,
  named: Pick<Run, 'id' | 'workers'>,
): Run | Failure {
  const { clock } = platform;
  clearOrphaned(platform, store);
  const nowMs = clock.nowMs();
  const by = store.person();
  const first: Run = {
    ...named,
    version: RUN_VERSION,
    by,
    state: 'starting',
    startedMs: nowMs,
    endedMs: null,
    touchedMs: nowMs,
    sheetId: sheet.id,
    sheetName: sheet.name() ?? '',
    // If this start is cut off, the execution that notices can remove its marks.
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
  return run === first ? run : elsewhere({ clock }, store);
}

/**
 * Whether another run is in the way. A person who starts again on the same sheet takes over their
 * own unfinished start, which was cut off.
 */
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

/** The rows of a short list may change during the start, but rarely more often than this. */
const STARTS_MAX = 3;

/** What a schedule adds to a start. */
export interface OfSchedule {
  readonly scheduled: Scheduled;
  /** Answers must have been fetched at or after this moment, ms since 1970. */
  readonly notBeforeMs: number;
  /** Picks the due rows from the choice. */
  readonly pick: RowPicker;
}

/** A start that continues with its own run, so that nothing is leased or read twice. */
interface Ahead {
  /**
   * The page chooses the run's id, because it calls the first asker at the same time as the start.
   */
  readonly runId: string;
  readonly maxMs: number;
  slice?: Slice;
}

export function startRun(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
  ahead?: Ahead,
): Run | Failure {
  let wish = choice;
  for (let tries = 1; ; tries += 1) {
    const started = beginRun(platform, engine, wish, undefined, ahead);
    if (!isFailure(started)) return started.run;
    const isEmpty = started.kind === 'run' && started.why === 'no-rows';
    if (!isEmpty || tries === STARTS_MAX) return started;
    const left = leftBehind(runStore(platform).read(), wish.sheetId);
    // A header may have been added to it.
    if (left !== null) wish = { ...wish, headerRow: left.headerRow };
  }
}

/** Starts a run and works on it for at most `maxMs`. */
export function startAndWork(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
  ahead: Ahead,
): WorkerEnd | Failure {
  const run = startRun(platform, engine, choice, ahead);
  if (isFailure(run)) return run;
  const { slice } = ahead;
  if (slice && run.state === 'running') return workSlice(slice);
  if (slice) dismiss(slice);
  return { againInMs: null };
}

/** Nothing is to be asked for, so askers that are already there leave. */
function dismiss(slice: Slice): void {
  slice.wanted = 1;
  slice.hands.clear();
  tell(slice, { isDone: true });
}

/** Starts a run; returns it with the list as it was when its rows were marked. */
export function beginRun(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
  of?: OfSchedule,
  ahead?: Ahead,
): { readonly run: Run; readonly rows: readonly Row[] } | Failure {
  const { defaultMarket = DEFAULT_MARKET } = engine.connection.settings;
  const settled = settledPlan(platform, choice, defaultMarket, of?.pick);
  if (isFailure(settled)) return settled;
  const store = runStore(platform);
  const left = leftBehind(store.read(), choice.sheetId);
  const { plan, there } = settled;
  const layout = there === null || isFailure(there) ? left : there;
  const id = ahead?.runId ?? drawName(platform.random);
  const named = { id, workers: firstWorkers(engine) };
  const claimed = claim(platform, store, plan, { ...choice, layout }, of, named);
  if (isFailure(claimed)) return claimed;
  const { failure, seen, ...change } = orBusy(() =>
    prepare(platform, engine, settled, left, claimed, ahead),
  );
  const nowMs = platform.clock.nowMs();
  const rescue = failure !== null || of || ahead ? {} : rescueBy(platform);
  const slice = ahead?.slice;
  // The lease is written before the record says that the run is under way, so that nobody else
  // begins to write.
  if (slice && failure === null) shareOut(slice, engine);
  else if (slice) dismiss(slice);
  const run = store.change((now) =>
    now?.id === claimed.id
      ? { ...now, ...change, ...rescue, ...stateAfter(store, now, failure, nowMs) }
      : now,
  );
  if (failure?.kind === 'google-busy' || run === undefined) {
    // After an incomplete start no marks may remain that nobody would work on, and the record must
    // know the new columns.
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
  // A choice of kinds to retry, or of one product, applies once; the earlier selection of rows
  // stays remembered.
  const { rows } = choice;
  const isOnce = rows.kind === 'product' || (rows.kind === 'failed' && rows.kinds !== undefined);
  const remember = () => memorise(platform.documentStore, choice, run.layout);
  const isKept = !isOnce && of === undefined;
  if (isKept && ahead === undefined) remember();
  if (slice) Object.assign(slice, { run, rows: seen, chores: isKept ? [remember] : [] });
  return { run, rows: seen };
}

/** Keeps a command that a person gave while the run was being started. */
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

/** Columns of a start that failed or was cut off; they may have been renamed since. */
function leftBehind(run: Run | null, sheetId: number): Layout | null {
  const isBarren = run?.state === 'starting' || run?.state === 'stopped';
  const isLeft = isBarren && run.counters.workedMs === 0 && run.sheetId === sheetId;
  return isLeft && run.layout.columns.length > 0 ? run.layout : null;
}

type Prepared = Partial<Run> & {
  readonly failure: Failure | null;
  readonly seen: readonly Row[];
};

/** If Google's services fail, the whole start has failed. */
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
  ahead: Ahead | undefined,
): Prepared {
  const { sheet, rows, all, size } = settled.plan;
  const waits = ahead !== undefined && canWaitForFormats(settled.plan, settled.choice);
  const columns = makeColumns(platform, settled, left, run);
  if (isFailure(columns)) return { failure: columns, seen: [] };
  const { layout, keys } = columns;
  const shift = settled.choice.headerRow === 0 ? 1 : 0;
  const open = rows.filter(({ isLocked }) => !isLocked);
  const chosen = open.map((row) => ({ row: row.row + shift, identity: identityOf(row) }));
  const runList = list(sheet, layout, run.market, run.id, shift === 0 ? size : null);
  const store = runStore(platform);
  if (ahead) {
    const lease = { platform, store, run: { ...run, layout }, worker: 0, owner: run.id };
    const parts = { ...lease, look: store.look(run.id), maxMs: ahead.maxMs, mends: false };
    ahead.slice = newSlice({ ...parts, list: runList }, sheet);
    ahead.slice.queue = open;
    shareOut(ahead.slice, engine, 1);
  }
  const isOurs = () => store.read()?.id === run.id;
  const marked = markRows(runList, run.id, chosen, shift === 0 ? all : [], isOurs);
  const now = { layout: runList.layout(), seen: isFailure(marked) ? [] : marked.seen };
  if (isFailure(marked)) {
    if (!isOurs()) return { ...now, failure: elsewhere(platform, store) };
    // Some rows are marked by now, and nobody would work on them.
    markRows(runList, run.id, []);
    return { ...now, failure: marked };
  }
  const { count } = marked;
  if (count === 0) return { ...now, failure: runProblem('no-rows') };
  if (!waits) {
    const rightmost = Math.max(...now.layout.columns.map((one) => one.column));
    const known = {
      ...size,
      lastColumn: Math.max(size.lastColumn, rightmost),
      maxColumns: Math.max(size.maxColumns, rightmost),
    };
    const { layout: own, seen } = now;
    dressColumns(platform, engine, run, own, keys, seen, shift === 0 ? known : null);
  }
  // The chosen rows are marked by now.
  const isPastedOver = now.seen.some(isMisplaced);
  const leftOut = rows.length - chosen.length;
  const isPart = leftOut > 0 ? { leftOut } : {};
  const later = ahead === undefined ? {} : { toDress: waits ? keys : [] };
  return { ...now, ...isPart, ...later, failure: null, rows: count, isPastedOver };
}

/**
 * Adds columns while the run is acquired. If a person starts twice because the first start seemed
 * lost, the columns must not be made twice: only the start that has the run makes them, no other
 * can acquire it meanwhile, and a later one sees them.
 */
function makeColumns(
  platform: SheetPlatform,
  { choice, plan, seen, there }: Settled,
  left: Layout | null,
  run: Run,
): Made | Failure {
  if (there !== null) return isFailure(there) ? there : { layout: there, keys: [] };
  const store = runStore(platform);
  let made = null as Made | Failure | null;
  const changed = store.change((now) => {
    if (now?.id !== run.id) return now;
    made = prepareColumns({ plan, choice, seen, left });
    // If a later step fails or is cut off, the next start uses these columns.
    return isFailure(made) ? now : { ...now, layout: made.layout };
  });
  if (changed === undefined) return runProblem('busy');
  return made ?? elsewhere(platform, store);
}

/**
 * Whether the first figures may be written before their columns are formatted. They may not if
 * these cells have a format such as text or date, which would turn figures into something else.
 */
function canWaitForFormats({ columns, sheet, size }: Plan, { headerRow }: Choice): boolean {
  if (columns.added.length === 0) return true;
  const column = Math.min(size.lastColumn + 1, size.maxColumns);
  const columnCount = size.maxColumns - column + 1;
  const formats = sheet.formats({ row: headerRow + 1, column, rowCount: 1, columnCount });
  return formats?.flat().every((format) => format === AUTOMATIC) ?? false;
}

/**
 * The assumed duration of a wave until the first one is measured. Superfluous workers leave within
 * seconds.
 */
const SUPPOSED_WAVE_MS = 5_000;

/**
 * The number of workers at the start. While the key's limit is being learned from refusals, a
 * single worker asks.
 */
function firstWorkers({ connection: { quota } }: Engine): number {
  if (quota === null) return 1;
  const { burst, intervalMs } = paceOf(quota);
  return workersFor(SUPPOSED_WAVE_MS / (burst * intervalMs), 1);
}
