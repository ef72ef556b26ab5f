// Records what happened, one line per event in fixed columns, with a hash of all lines.

import { createHash } from 'node:crypto';

export interface Trace {
  readonly record: (momentMs: number, executionId: number, event: string, detail: string) => void;
  readonly lines: () => readonly string[];
  /** SHA-256 of every line so far, including those no longer kept. */
  readonly hash: () => string;
}

/** Widths of the columns in characters: milliseconds since 1970, execution, event. */
const MOMENT_WIDTH = 13;
const EXECUTION_WIDTH = 6;
const EVENT_WIDTH = 8;

export function createTrace(linesKept: number): Trace {
  const hash = createHash('sha256');
  let lines: string[] = [];
  /**
   * How many of `lines` are in the hash. Hashing each line separately takes longer than making the
   * line.
   */
  let hashed = 0;
  const hashAll = () => {
    if (hashed < lines.length) hash.update(`${lines.slice(hashed).join('\n')}\n`);
    hashed = lines.length;
  };
  return {
    record(momentMs, executionId, event, detail) {
      const moment = String(momentMs).padStart(MOMENT_WIDTH);
      const execution = `#${executionId}`.padStart(EXECUTION_WIDTH);
      const line = `${moment} ${execution} ${event.padEnd(EVENT_WIDTH)} ${detail}`.trimEnd();
      lines.push(line);
      // Half of the lines are dropped at once, so that the others are not moved for every new line.
      if (lines.length <= 2 * linesKept) return;
      hashAll();
      lines = lines.slice(-linesKept);
      hashed = lines.length;
    },
    lines: () => lines,
    hash() {
      hashAll();
      return hash.copy().digest('hex');
    },
  };
}
