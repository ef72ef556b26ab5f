// Commands to a run: pause, resume, stop, retry; and what the time trigger goes on with.

import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { SheetPlatform } from '../platform/ports';
import { columnOf } from '../table/columns';
import { list } from '../table/table';
import { type Choice, isHeldUp, isOver, type Run, stopped } from './run';
import { isAlive, runStore } from './run-store';
import { startRun } from './start';
import { cleanUp, runOf, runWorker } from './worker';

/** Younger than this a run is between two slices and not left alone. */
const LEFT_ALONE_MS = 60_000;

/** While a service is down each try costs calls and rows: about one an hour. */
const HELD_UP_MS = 50 * 60_000;

const over = (): Failure => runProblem('run-ended');
const busy = (): Failure => runProblem('busy');

/** Whether a person's clock is to go on with a run, where nobody is at it. */
export function awaitsClock(run: Run, person: string, nowMs: number): boolean {
  if (run.by !== person) return false;
  if (run.state === 'running') return nowMs >= run.touchedMs + LEFT_ALONE_MS;
  return run.state === 'stuck' && isHeldUp(run) && nowMs >= run.touchedMs + HELD_UP_MS;
}

/** What held it up has passed, as far as can be known without a call. */
function goesOn(platform: SheetPlatform, { id }: Run): boolean {
  const engine = openEngine(platform, platform.clock.nowMs());
  if (isFailure(engine) || engine.gate.stopped() !== undefined) return false;
  return !isFailure(resumeRun(platform, id));
}

export function pauseRun(platform: SheetPlatform, runId: string): Run | Failure {
  const store = runStore(platform);
  // One that is starting looks for the command when it is through.
  store.command(runId, 'pause');
  const touchedMs = platform.clock.nowMs();
  const run = store.change((now) =>
    now?.id === runId && (now.state === 'running' || now.state === 'stuck')
      ? { ...now, state: 'paused', problem: null, touchedMs }
      : now,
  );
  if (run !== undefined) return run?.id === runId ? run : over();
  // The record says nothing of it: a slice that heard it would only be called again.
  store.command(runId, null);
  return busy();
}

/**
 * Whoever goes on with a run has it from then on: the clock and the key of the person who paused it, or
 * was held up, are theirs to spend alone.
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
    const engine = openEngine(platform, touchedMs);
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
    (now) => (now.scheduled === undefined ? runOf(now, 'stopped', nowMs) : null),
  );
  if (run === undefined) {
    store.command(runId, null);
    return busy();
  }
  if (run?.id !== runId) return over();
  // Marks that could not be taken away are when somebody stops it again.
  if (wasOver && run.state !== 'stopped') return run;
  if (!isAlive(store.look(run.id).writer, nowMs)) cleanUp(platform, run);
  return run;
}

/** A new run over the rows that failed in one that is over, wherever they are by now. */
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
 * Goes on with a run that was left alone, or that waited for something to pass, by its person's own
 * clock: with somebody else's key it would cost them calls, and answers belong to an account. What it
 * leaves, it finds again.
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
