// Commands for a run (pause, resume, stop, retry) and its continuation by the clock trigger.

import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { SheetPlatform } from '../platform/ports';
import { columnOf } from '../table/columns';
import { list } from '../table/table';
import { type Choice, isHeldUp, isOver, type Run, stopped } from './run';
import { countsOf, isAlive, runStore } from './run-store';
import { startRun } from './start';
import { cleanUp, runOf, runWorker } from './worker';

/** A run that was touched more recently is between two calls and not abandoned. */
const LEFT_ALONE_MS = 60_000;

/** While a service is down, each try costs calls and rows, so there is about one an hour. */
const HELD_UP_MS = 50 * 60_000;

const over = (): Failure => runProblem('run-ended');
const busy = (): Failure => runProblem('busy');

/** Whether this person's clock should continue a run that nobody is working on. */
export function awaitsClock(run: Run, person: string, nowMs: number): boolean {
  if (run.by !== person) return false;
  if (run.state === 'running') return nowMs >= run.touchedMs + LEFT_ALONE_MS;
  return run.state === 'stuck' && isHeldUp(run) && nowMs >= run.touchedMs + HELD_UP_MS;
}

/**
 * Resumes a run if the cause that held it up has passed, as far as that is known without a call.
 */
function goesOn(platform: SheetPlatform, { id }: Run): boolean {
  const engine = openEngine(platform);
  if (isFailure(engine) || engine.gate.stopped() !== undefined) return false;
  return !isFailure(resumeRun(platform, id));
}

export function pauseRun(platform: SheetPlatform, runId: string): Run | Failure {
  const store = runStore(platform);
  // A run that is starting looks for the command at the end of its start.
  store.command(runId, 'pause');
  const touchedMs = platform.clock.nowMs();
  const run = store.change((now) =>
    now?.id === runId && (now.state === 'running' || now.state === 'stuck')
      ? { ...now, state: 'paused', problem: null, touchedMs }
      : now,
  );
  if (run !== undefined) return run?.id === runId ? run : over();
  // The record could not be changed, so the command is withdrawn: a worker that obeyed it would
  // only be called again.
  store.command(runId, null);
  return busy();
}

/**
 * The person who continues a run owns it from then on. The clock and the key of its former owner
 * are theirs alone to use.
 */
function ownedBy(run: Run, me: string): Run {
  if (run.by === me) return run;
  const { rescueMinutes: _, ...rest } = run;
  return { ...rest, by: me };
}

export function resumeRun(platform: SheetPlatform, runId: string): Run | Failure {
  const store = runStore(platform);
  const touchedMs = platform.clock.nowMs();
  const me = store.person();
  const before = store.read();
  if (before?.id === runId && before.by !== me) {
    const engine = openEngine(platform);
    if (isFailure(engine)) return engine;
  }
  store.command(runId, null);
  const run = store.change((now) =>
    now?.id === runId && (now.state === 'paused' || now.state === 'stuck')
      ? { ...ownedBy(now, me), state: 'running', problem: null, touchedMs }
      : now,
  );
  if (run === undefined) return busy();
  return run?.id === runId && run.state === 'running' ? run : over();
}

export function stopRun(platform: SheetPlatform, runId: string): Run | Failure {
  const store = runStore(platform);
  const nowMs = platform.clock.nowMs();
  store.command(runId, 'stop');
  let wasOver = false;
  const run = store.change(
    (now) => {
      if (now === null || now.id !== runId) return now;
      wasOver = isOver(now, nowMs);
      return wasOver ? now : stopped(now, nowMs);
    },
    // A worker that was cut off never records its counts; one at work does when it ends.
    (now) => runOf({ ...now, counters: countsOf(store.look(runId).writer, now) }, nowMs),
  );
  if (run === undefined) {
    store.command(runId, null);
    return busy();
  }
  if (run?.id !== runId) return over();
  // Marks that could not be removed are removed when somebody stops the run again.
  if (wasOver && run.state !== 'stopped') return run;
  if (!isAlive(store.look(run.id).writer, nowMs)) cleanUp(platform, run);
  return run;
}

/** Starts a new run on the rows that failed in one that is over, wherever they are now. */
export function retryRun(
  platform: SheetPlatform,
  engine: Engine,
  runId: string,
  kinds: readonly string[],
): Run | Failure {
  const run = runStore(platform).read();
  if (run?.id !== runId) return over();
  const sheet = platform.spreadsheet.sheet(run.sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const own = list(sheet, run.layout, run.market, run.id);
  const rows = own.read();
  if (isFailure(rows)) return rows;
  const layout = own.layout();
  const market = columnOf(layout, 'market');
  const choice: Choice = {
    sheetId: run.sheetId,
    headerRow: layout.headerRow,
    productColumn: columnOf(layout, 'product') ?? 1,
    market: run.market.kind === 'one' ? run.market : { kind: 'column', column: market ?? 1 },
    rows: { kind: 'failed', kinds, sinceMs: run.startedMs },
    fields: run.fields,
  };
  return startRun(platform, engine, choice);
}

/**
 * Continues a run that was abandoned or waited for a problem to pass, on its owner's clock: with
 * another person's key it would cost them calls, and answers belong to an account. Whatever is left
 * over is continued later.
 */
export function rescueRun(platform: SheetPlatform, maxMs: number): void {
  const store = runStore(platform);
  const run = store.read();
  const nowMs = platform.clock.nowMs();
  if (run === null || !awaitsClock(run, store.person(), nowMs)) return;
  if (run.state === 'stuck' && !goesOn(platform, run)) return;
  if (isAlive(store.look(run.id).writer, nowMs)) return;
  runWorker(platform, run.id, 0, maxMs, { byClock: true });
}
