// What the cells' custom functions answered: each call is executed once, many calls side by side.
import { encode } from '../host/wire';
import type { CellAnswer, CellCall, CellOutcome, CellPlace } from './cell-call';

export interface CellMemo {
  /** The answer, if there is one; otherwise the call is queued and the cell waits. */
  readonly answer: (call: CellCall, place: CellPlace) => CellAnswer;
  /** Failed calls are tried again when next asked for, as they are when a file is opened. */
  readonly forgetFailures: () => void;
  /** Calls that have not been answered yet. */
  readonly pendingCount: () => number;
  /** Resolves when the next answer is there. */
  readonly nextAnswer: () => Promise<void>;
}

export interface CellMemoOptions {
  /** Never rejects: a failure is an outcome. */
  readonly execute: (call: CellCall) => Promise<CellOutcome>;
  /** The cells that waited for an answer which is there now. */
  readonly onAnswered: (places: readonly CellPlace[]) => void;
  readonly atOnce?: number;
}

interface Entry {
  readonly call: CellCall;
  readonly waiting: CellPlace[];
  outcome: CellOutcome | null;
}

/** Apps Script runs 30 executions of one person at once; Sheets sends cells at that pace. */
const EXECUTIONS_AT_ONCE = 30;

export function createCellMemo(options: CellMemoOptions): CellMemo {
  const { execute, onAnswered, atOnce = EXECUTIONS_AT_ONCE } = options;
  const entries = new Map<string, Entry>();
  const queue: Entry[] = [];
  const watchers: (() => void)[] = [];
  let running = 0;
  const start = (): void => {
    while (running < atOnce) {
      const entry = queue.shift();
      if (entry === undefined) return;
      running += 1;
      void execute(entry.call).then((outcome) => {
        running -= 1;
        entry.outcome = outcome;
        onAnswered(entry.waiting);
        for (const watcher of watchers.splice(0)) watcher();
        start();
      });
    }
  };
  return {
    answer: (call, place) => {
      const key = encode([call.functionName, call.args]);
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { call, waiting: [], outcome: null };
        entries.set(key, entry);
        queue.push(entry);
        start();
      }
      if (entry.outcome !== null) return entry.outcome;
      entry.waiting.push(place);
      return { kind: 'pending' };
    },
    forgetFailures: () => {
      for (const [key, entry] of entries) {
        if (entry.outcome?.kind === 'failure') entries.delete(key);
      }
    },
    pendingCount: () => running + queue.length,
    nextAnswer: () => new Promise((resolve) => watchers.push(resolve)),
  };
}
