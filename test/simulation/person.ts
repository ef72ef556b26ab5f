// The person at the sidebar: inspects, starts, keeps the run's calls going, and returns after a
// crash.

import type { BulkWorld, Kill, Reply } from './bulk-world';

/** More calls than any run of these lists takes. */
const CALLS_MAX = 120;

/** The page tries again this long after a failed call. */
const MINUTE_MS = 60_000;
const RETRY_MS = 4_000;

export interface Habits {
  /** How the n-th call of the sidebar is cut off, counting the inspection as the first. */
  readonly killOf: (call: number) => Kill;
  /** How long the sidebar stays closed after a crash, in ms; it is opened again after that. */
  readonly absenceMs: (call: number) => number;
  readonly sliceMs: number;
  /** Whether one call starts the run and works on it, as on the page; otherwise two calls do. */
  readonly isInOne?: boolean;
}

export interface Story {
  /** The final status of the run. */
  readonly status: Readonly<Record<string, unknown>> | null;
  /** The number of service calls in each call of the sidebar. */
  readonly serviceCalls: readonly number[];
  readonly crashes: number;
  readonly problem: string | null;
  /**
   * Whether the run said that columns moved while it wrote and that it could not restore
   * everything.
   */
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

/**
 * Reacts to a run that asks for a column, for example by giving a renamed header its title back.
 */
export type GiveBack = (title: string) => void;

/**
 * A person's handling of a run, one step for each call of the sidebar, before which others may act.
 * Everything that is cut off is repeated, as the page and a person would.
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
  /** Whether the run asked for a header, which then gets its title back. */
  const undo = (problem = '') => {
    const [, gone] = GONE.exec(problem) ?? [];
    if (gone !== undefined) giveBack(gone);
    return gone !== undefined;
  };
  /** A call that starts a run and works on it reports the same. */
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
    // The page shows somebody else's run and waits for its end.
    if (run?.isMine === false) {
      world.host.wait(RETRY_MS);
      continue;
    }
    // If the answer to the last call was lost, the page shows the end of the run it has seen. A
    // second run could not recognise headers that were renamed during the first.
    if (run === null && seenRun !== null) {
      const last = (yield* call('bulk.status')).value;
      if (last === undefined) continue;
      if (last?.runId === seenRun && last.state === 'finished') return story(last, null);
    }
    // The page names such a run itself, so it knows its name even if the answer is lost.
    const named = `one${serviceCalls.length}`;
    if (run === null && habits.isInOne === true) seenRun = named;
    const started = run ?? (yield* startNew(call, look.value, habits, named));
    if (started === null) continue;
    // Google failed before anything was done, and the page says when to try again.
    if (typeof started === 'string' && started.startsWith('google-busy')) {
      world.host.wait(MINUTE_MS);
      continue;
    }
    // People who keep moving rows are asked to stop for a moment, and do.
    if (typeof started === 'string' && stuck > 3) return story(null, started);
    if (typeof started === 'string') {
      isTold ||= TOLD.test(started);
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
  runId: string,
) {
  if (look.choice === null) return 'No products were found.';
  const choice = look.choice as object;
  const { value, failure } =
    isInOne === true
      ? yield* call('bulk.startRun', { choice, runId, maxMs })
      : yield* call('bulk.start', choice);
  if (failure !== undefined) return `${failure.kind}: ${failure.message}`;
  const begun = isInOne === true ? value?.status : value;
  return (begun as { runId: string; state: string } | null | undefined) ?? null;
}

/** Makes the run's calls; null: one was cut off, or the page has lost its run. */
function* chain(call: Call, world: Place, runId: string, maxMs: number) {
  for (let slices = 0; slices < CALLS_MAX; slices += 1) {
    const { value } = yield* call('bulk.run', { runId, worker: 0, maxMs });
    if (value === undefined) return null;
    if (value.againInMs === null) return value.status as Readonly<Record<string, unknown>>;
    world.host.wait(Number(value.againInMs));
  }
  return null;
}
