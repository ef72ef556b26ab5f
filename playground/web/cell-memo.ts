// Remembers the answers of custom functions, so that each call is executed only once. Many calls
// run in parallel.
import { encode } from 'apps-script-host/wire';
import type { CellAnswer, CellCall, CellOutcome, CellPlace } from './cell-call';

export interface CellMemo {
  /** The answer if there is one. Otherwise the call is made and the cell waits. */
  readonly answer: (call: CellCall, place: CellPlace) => CellAnswer;
  /** Makes failed calls again when they are next requested, as opening the file does. */
  readonly forgetFailures: () => void;
  /** Number of calls that have not been answered yet. */
  readonly pendingCount: () => number;
  /** Resolves when the next answer is there. */
  readonly nextAnswer: () => Promise<void>;
}

export interface CellMemoOptions {
  /** Never rejects, because a failure is an outcome. The host decides how many run at once. */
  readonly execute: (call: CellCall) => Promise<CellOutcome>;
  /** Reports the cells that waited for an answer that has just arrived. */
  readonly onAnswered: (places: readonly CellPlace[]) => void;
}

interface Entry {
  readonly waiting: CellPlace[];
  outcome: CellOutcome | null;
}

export function createCellMemo({ execute, onAnswered }: CellMemoOptions): CellMemo {
  const entries = new Map<string, Entry>();
  const watchers: (() => void)[] = [];
  let pending = 0;
  const begin = (call: CellCall): Entry => {
    const entry: Entry = { waiting: [], outcome: null };
    pending += 1;
    void execute(call).then((outcome) => {
      pending -= 1;
      entry.outcome = outcome;
      onAnswered(entry.waiting);
      for (const watcher of watchers.splice(0)) watcher();
    });
    return entry;
  };
  return {
    answer: (call, place) => {
      const key = encode([call.functionName, call.args]);
      const entry = entries.get(key) ?? begin(call);
      entries.set(key, entry);
      if (entry.outcome !== null) return entry.outcome;
      entry.waiting.push(place);
      return { kind: 'pending' };
    },
    forgetFailures: () => {
      for (const [key, entry] of entries) {
        if (entry.outcome?.kind === 'failure') entries.delete(key);
      }
    },
    pendingCount: () => pending,
    nextAnswer: () => new Promise((resolve) => watchers.push(resolve)),
  };
}
