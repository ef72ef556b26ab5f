// What the cells' custom functions answered: each call is executed once, many side by side.
import { encode } from 'apps-script-host/wire';
import type { CellAnswer, CellCall, CellOutcome, CellPlace } from './cell-call';

export interface CellMemo {
  /** The answer, if there is one; otherwise the call is made and the cell waits. */
  readonly answer: (call: CellCall, place: CellPlace) => CellAnswer;
  /** Failed calls are made again when next asked for, as they are when a file is opened. */
  readonly forgetFailures: () => void;
  /** Calls that have not been answered yet. */
  readonly pendingCount: () => number;
  /** Resolves when the next answer is there. */
  readonly nextAnswer: () => Promise<void>;
}

export interface CellMemoOptions {
  /** Never rejects: a failure is an outcome. How many run at once is the host's to decide. */
  readonly execute: (call: CellCall) => Promise<CellOutcome>;
  /** The cells that waited for an answer which is there now. */
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
