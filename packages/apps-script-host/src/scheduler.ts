// Decides when things happen in the emulated host: one interface with a virtual clock and the
// machine's.

export interface Scheduler {
  /** Milliseconds since 1970, as the scripts see them. */
  readonly nowMs: () => number;
  /**
   * Runs an action at a moment, or at once if that has passed. Returns a function that cancels it.
   */
  readonly at: (momentMs: number, action: () => void, options?: EventOptions) => () => void;
  /** Cancels everything planned and accepts nothing new. */
  readonly stop: () => void;
}

export interface EventOptions {
  /**
   * The event happens when time gets there, but `run` does not wait for it, for example a time-out
   * or an hourly trigger.
   */
  readonly background?: boolean;
}

export interface VirtualScheduler extends Scheduler {
  /**
   * Lets time pass until only background events are left, or up to a moment. `between` runs after
   * every event, so that code waiting for promises which the event settled runs at that moment.
   */
  readonly run: (untilMs: number | null, between: () => Promise<void> | null) => Promise<void>;
  /**
   * Called within an event: runs the next event before this one ends. False if that is not allowed
   * because the caller of `run` has to continue first, or if no event is left.
   */
  readonly advance: () => boolean;
}

interface VirtualEvent {
  readonly momentMs: number;
  /** Order of planning. Events of one moment happen in the order in which they were planned. */
  readonly sequence: number;
  readonly action: () => void;
  readonly background: boolean;
  cancelled: boolean;
}

function isBefore(first: VirtualEvent, second: VirtualEvent): boolean {
  if (first.momentMs !== second.momentMs) return first.momentMs < second.momentMs;
  return first.sequence < second.sequence;
}

/** A binary heap with the earliest event on top. */
function createEventQueue() {
  const heap: VirtualEvent[] = [];
  const swap = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]];
    if (first && second) [heap[one], heap[other]] = [second, first];
  };
  const goesBefore = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]];
    return first !== undefined && second !== undefined && isBefore(first, second);
  };
  const push = (event: VirtualEvent) => {
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!goesBefore(place, parent)) break;
      swap(place, parent);
      place = parent;
    }
  };
  const pop = (): VirtualEvent | undefined => {
    swap(0, heap.length - 1);
    const top = heap.pop();
    let place = 0;
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const earliest = goesBefore(right, left) ? right : left;
      if (!goesBefore(earliest, place)) break;
      swap(place, earliest);
      place = earliest;
    }
    return top;
  };
  return { push, pop, peek: () => heap[0] };
}

export function createVirtualScheduler(startMs: number): VirtualScheduler {
  const queue = createEventQueue();
  let nowMs = startMs;
  let sequence = 0;
  let awaited = 0;
  let isStopped = false;
  let running: { untilMs: number | null; between: () => Promise<void> | null } | null = null;
  /** An outcome has settled, but the code waiting for it has not run since. */
  let owed: Promise<void> | null = null;

  /** Runs the next event. False if none is left until then. */
  function happen(untilMs: number | null): boolean {
    for (;;) {
      const next = queue.peek();
      const isOver = untilMs === null ? awaited === 0 : !next || next.momentMs > untilMs;
      if (isOver || !next) return false;
      queue.pop();
      if (next.cancelled) continue;
      next.cancelled = true;
      if (!next.background) awaited -= 1;
      nowMs = next.momentMs;
      next.action();
      return true;
    }
  }

  return {
    nowMs: () => nowMs,
    at(momentMs, action, { background = false } = {}) {
      sequence += 1;
      const event: VirtualEvent = {
        momentMs: Math.max(momentMs, nowMs),
        sequence,
        action,
        background,
        cancelled: false,
      };
      queue.push(event);
      if (!background) awaited += 1;
      return () => {
        if (event.cancelled) return;
        event.cancelled = true;
        if (!background) awaited -= 1;
      };
    },
    async run(untilMs, between) {
      running = { untilMs, between };
      for (;;) {
        const settled = owed ?? between();
        owed = null;
        if (settled) await settled;
        if (isStopped) return;
        if (!happen(untilMs)) break;
      }
      running = null;
      if (untilMs !== null) nowMs = Math.max(nowMs, untilMs);
    },
    advance() {
      if (running === null || owed !== null || isStopped) return false;
      owed = running.between();
      return owed === null && happen(running.untilMs);
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** The longest wait that setTimeout accepts, in ms (a signed 32-bit number). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock, which can be moved forward. */
export interface RealScheduler extends Scheduler {
  /** Whatever was planned for the skipped time happens at once, in its order. */
  readonly skip: (ms: number) => void;
  /** How far this clock is ahead of the machine's, in ms. */
  readonly skippedMs: () => number;
}

interface Plan {
  readonly momentMs: number;
  readonly happen: () => void;
  readonly background: boolean;
  callOff: () => void;
}

export function createRealScheduler(): RealScheduler {
  const planned = new Set<Plan>();
  let skippedMs = 0;
  let isStopped = false;
  const nowMs = () => Date.now() + skippedMs;
  const callOffOf = ({ momentMs, happen, background }: Plan) => {
    const waitMs = Math.min(momentMs - nowMs(), LONGEST_TIMEOUT_MS);
    return waitMs > 0 ? timeout(happen, waitMs, background) : immediate(happen);
  };
  return {
    nowMs,
    skippedMs: () => skippedMs,
    at(momentMs, action, { background = false } = {}) {
      if (isStopped) return () => {};
      const happen = () => {
        planned.delete(plan);
        action();
      };
      const plan: Plan = { momentMs, happen, background, callOff: () => {} };
      plan.callOff = callOffOf(plan);
      planned.add(plan);
      return () => {
        planned.delete(plan);
        plan.callOff();
      };
    },
    skip(ms) {
      skippedMs += ms;
      const inOrder = [...planned].sort((one, other) => one.momentMs - other.momentMs);
      for (const plan of inOrder) {
        plan.callOff();
        plan.callOff = callOffOf(plan);
      }
    },
    stop() {
      isStopped = true;
      for (const { callOff } of planned) callOff();
    },
  };
}

function immediate(action: () => void): () => void {
  const handle = setImmediate(action);
  return () => clearImmediate(handle);
}

function timeout(action: () => void, waitMs: number, background: boolean): () => void {
  const handle = setTimeout(action, waitMs);
  if (background) handle.unref();
  return () => clearTimeout(handle);
}
