// Commands to a run: pause, resume, stop, retry; and what the time trigger goes on with.

import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { SheetPlatform } from '../platform/ports';
import { columnOf } from '../table/columns';
import { list } from '../table/table';
import { type Choice, isHeldUp, isOver, type Job, stopped } from './run';
import { isAlive, runStore } from './run-store';
import { startRun } from './start';
import { cleanUp, runOf, runWorker } from './worker';

/** Younger than this a run is between two slices and not left alone. */
const LEFT_ALONE_MS = 60_000;

/** While a service is down each try costs calls and rows: about one an hour. */
const HELD_UP_MS = 50 * 60_000;

const over = (): Failure => runProblem('over');
const busy = (): Failure => runProblem('busy');

/** Whether a person's clock is to go on with a run, where nobody is at it. */
export function awaitsClock(job: Job, person: string, nowMs: number): boolean {
  if (job.by !== person) return false;
  if (job.state === 'running') return nowMs >= job.touchedMs + LEFT_ALONE_MS;
  return job.state === 'stuck' && isHeldUp(job) && nowMs >= job.touchedMs + HELD_UP_MS;
}

/** What held it up has passed, as far as can be known without a call. */
function goesOn(platform: SheetPlatform, { id }: Job): boolean {
  const engine = openEngine(platform, platform.clock.nowMs());
  if (isFailure(engine) || engine.gate.stopped() !== undefined) return false;
  return !isFailure(resumeRun(platform, id));
}

export function pauseRun(platform: SheetPlatform, jobId: string): Job | Failure {
  const store = runStore(platform);
  // One that is starting looks for the command when it is through.
  store.command(jobId, 'pause');
  const touchedMs = platform.clock.nowMs();
  const job = store.change((now) =>
    now?.id === jobId && (now.state === 'running' || now.state === 'stuck')
      ? { ...now, state: 'paused', problem: null, touchedMs }
      : now,
  );
  if (job !== undefined) return job?.id === jobId ? job : over();
  // The record says nothing of it: a slice that heard it would only be called again.
  store.command(jobId, null);
  return busy();
}

/**
 * Whoever goes on with a run has it from then on: the clock and the key of the person who paused it, or
 * was held up, are theirs to spend alone.
 */
function ownedBy(job: Job, me: string): Job {
  if (job.by === me) return job;
  const { rescueMinutes: _, ...rest } = job;
  return { ...rest, by: me };
}

export function resumeRun(platform: SheetPlatform, jobId: string): Job | Failure {
  const store = runStore(platform);
  const touchedMs = platform.clock.nowMs();
  const me = store.person();
  const before = store.read();
  if (before?.id === jobId && before.by !== me) {
    const engine = openEngine(platform, touchedMs);
    if (isFailure(engine)) return engine;
  }
  store.command(jobId, null);
  const job = store.change((now) =>
    now?.id === jobId && (now.state === 'paused' || now.state === 'stuck')
      ? { ...ownedBy(now, me), state: 'running', problem: null, touchedMs }
      : now,
  );
  if (job === undefined) return busy();
  return job?.id === jobId && job.state === 'running' ? job : over();
}

export function stopRun(platform: SheetPlatform, jobId: string): Job | Failure {
  const store = runStore(platform);
  const nowMs = platform.clock.nowMs();
  store.command(jobId, 'stop');
  let wasOver = false;
  const job = store.change(
    (now) => {
      if (now === null || now.id !== jobId) return now;
      wasOver = isOver(now, nowMs);
      return wasOver ? now : stopped(now, nowMs);
    },
    (now) => (now.scheduled === undefined ? runOf(now, 'stopped', nowMs) : null),
  );
  if (job === undefined) {
    store.command(jobId, null);
    return busy();
  }
  if (job?.id !== jobId) return over();
  // Marks that could not be taken away are when somebody stops it again.
  if (wasOver && job.state !== 'stopped') return job;
  if (!isAlive(store.look(job.id).writer, nowMs)) cleanUp(platform, job);
  return job;
}

/** A new run over the rows that failed in one that is over, wherever they are by now. */
export function retryRun(
  platform: SheetPlatform,
  engine: Engine,
  jobId: string,
  kinds: readonly string[],
): Job | Failure {
  const job = runStore(platform).read();
  if (job?.id !== jobId) return over();
  const sheet = platform.spreadsheet.sheet(job.sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const own = list(sheet, job.layout, job.market, job.id);
  const rows = own.read();
  if (isFailure(rows)) return rows;
  const layout = own.layout();
  const market = columnOf(layout, 'market');
  const choice: Choice = {
    sheetId: job.sheetId,
    headerRow: layout.headerRow,
    productColumn: columnOf(layout, 'product') ?? 1,
    market: job.market.kind === 'one' ? job.market : { kind: 'column', column: market ?? 1 },
    rows: { kind: 'failed', kinds, sinceMs: job.startedMs },
    fields: job.fields,
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
  const job = store.read();
  const nowMs = platform.clock.nowMs();
  if (job === null || !awaitsClock(job, store.person(), nowMs)) return;
  if (job.state === 'stuck' && !goesOn(platform, job)) return;
  if (isAlive(store.look(job.id).writer, nowMs)) return;
  runWorker(platform, job.id, 0, maxMs, { byClock: true });
}
