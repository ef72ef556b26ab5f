// The person at the sidebar: looks, starts, keeps the chain of slices going, and comes back after a crash.

import type { BulkWorld, Kill, Reply } from './bulk-world';

/** More calls than any run of these lists takes. */
const CALLS_MAX = 120;

/** After a call that failed the page tries again so much later. */
const MINUTE_MS = 60_000;
const RETRY_MS = 4_000;

export interface Habits {
  /** How the n-th call of the sidebar is cut off, the look being the first. */
  readonly killOf: (call: number) => Kill;
  /** How long the sidebar stays closed after a crash, ms; it is opened again then. */
  readonly absenceMs: (call: number) => number;
  readonly sliceMs: number;
  /** The run is started by the call that then works on it, as the page does; else by two. */
  readonly isInOne?: boolean;
}

export interface Story {
  /** What became of the run: its last status. */
  readonly status: Readonly<Record<string, unknown>> | null;
  /** Service calls of each call of the sidebar. */
  readonly serviceCalls: readonly number[];
  readonly crashes: number;
  readonly problem: string | null;
  /** The run said that columns moved while it wrote, and that it could not put everything back. */
  readonly isTold: boolean;
}

const TOLD = /not everything could be put back/;

const GONE = /The column "(.+)" is no longer in the sheet/;

type Place = Pick<BulkWorld, 'host' | 'rpc'>;

/** Drives a run to its end. */
export function driveRun(world: Place, habits: Habits, giveBack?: GiveBack): Story {
  const steps = runSteps(world, habits, giveBack);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Answers a run that asks for a column: gives its header the title back, say, that somebody renamed. */
export type GiveBack = (title: string) => void;

/**
 * A person's way with a run, one step for each call of the sidebar, before which others may have their
 * turn. Whatever is cut off is done again, as the page and a person would.
 */
export function* runSteps(
  world: Place,
  habits: Habits,
  giveBack: GiveBack = () => undefined,
): Generator<void, Story> {
  const serviceCalls: number[] = [];
  let crashes = 0;
  let stuck = 0;
  let isTold = false;
  let seenRun: string | null = null;
  function* call(method: string, payload?: object): Generator<void, Reply> {
    yield;
    const reply = world.rpc(method, payload, habits.killOf(serviceCalls.length));
    serviceCalls.push(reply.serviceCalls);
    if (reply.end.ended !== 'returned') {
      crashes += 1;
      world.host.wait(RETRY_MS + habits.absenceMs(serviceCalls.length));
    }
    return reply;
  }
  /** Whether the run asked for a header, which has its title again then. */
  const undo = (problem = '') => {
    const [, gone] = GONE.exec(problem) ?? [];
    if (gone !== undefined) giveBack(gone);
    return gone !== undefined;
  };
  /** Whoever starts a run and works on it in one call is told by that call, too. */
  const note = (shown: object) => {
    const status = shown as { state: string; problem?: { message: string } };
    isTold ||= TOLD.test(status.problem?.message ?? '');
    return status;
  };
  const story = (status: Story['status'], problem: string | null): Story => ({
    status,
    serviceCalls,
    crashes,
    problem,
    isTold,
  });

  while (serviceCalls.length < CALLS_MAX) {
    const look = yield* call('bulk.look');
    if (look.value === undefined) continue;
    const run = look.value.run as { runId: string; state: string; isMine: boolean } | null;
    // The page shows somebody else's run, and waits for its end.
    if (run?.isMine === false) {
      world.host.wait(RETRY_MS);
      continue;
    }
    // Where the answer to its last call was lost, the page shows the end of the run it has seen. A second
    // run would have nothing to go by for headers that were renamed during the first.
    if (run === null && seenRun !== null) {
      const last = (yield* call('bulk.status')).value;
      if (last === undefined) continue;
      if (last?.runId === seenRun && last.state === 'finished') return story(last, null);
    }
    const started = run ?? (yield* startNew(call, look.value, habits, serviceCalls.length));
    if (started === null) continue;
    // Google failed before anything was done, and the page says when to try again.
    if (typeof started === 'string' && started.startsWith('google-busy')) {
      world.host.wait(MINUTE_MS);
      continue;
    }
    // People who move rows all the time are asked to let be for a moment, and do.
    if (typeof started === 'string' && stuck > 3) return story(null, started);
    if (typeof started === 'string') {
      if (!undo(started)) stuck += 1;
      continue;
    }
    seenRun = started.runId;
    note(started);
    if (/^(paused|stuck|starting|pausing)$/.test(started.state))
      yield* call('bulk.resume', { runId: started.runId });
    const status = yield* chain(call, world, started.runId, habits.sliceMs);
    if (status === null) continue;
    const { state, problem } = note(status);
    if (undo(problem?.message)) continue;
    if (state === 'finished') return story(status, null);
    if (state === 'stuck' && stuck > 3) return story(status, JSON.stringify(problem));
    stuck += state === 'stuck' ? 1 : 0;
  }
  return story(null, 'The run does not end.');
}

type Call = (method: string, payload?: object) => Generator<void, Reply>;

function* startNew(
  call: Call,
  look: Readonly<Record<string, unknown>>,
  { isInOne, sliceMs: maxMs }: Habits,
  number: number,
) {
  if (look.choice === null) return 'No products were found.';
  const choice = look.choice as object;
  const { value, failure } =
    isInOne === true
      ? yield* call('bulk.startRun', { choice, runId: `one${number}`, maxMs })
      : yield* call('bulk.start', choice);
  if (failure !== undefined) return `${failure.kind}: ${failure.message}`;
  const begun = isInOne === true ? value?.status : value;
  return (begun as { runId: string; state: string } | null | undefined) ?? null;
}

/** Slice after slice; null: one was cut off, or the page has lost its run. */
function* chain(call: Call, world: Place, runId: string, maxMs: number) {
  for (let slices = 0; slices < CALLS_MAX; slices += 1) {
    const { value } = yield* call('bulk.run', { runId, worker: 0, maxMs });
    if (value === undefined) return null;
    if (value.againInMs === null) return value.status as Readonly<Record<string, unknown>>;
    world.host.wait(Number(value.againInMs));
  }
  return null;
}
