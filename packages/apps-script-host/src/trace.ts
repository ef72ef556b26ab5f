// What happened, one line per event in fixed columns, and a hash of all of it.

import { createHash } from 'node:crypto';

export interface Trace {
  readonly record: (momentMs: number, executionId: number, event: string, detail: string) => void;
  readonly lines: () => readonly string[];
  /** SHA-256 of every line so far, also of those no longer kept. */
  readonly hash: () => string;
}

/** Widths of the columns: milliseconds since 1970, execution, event. */
const MOMENT_WIDTH = 13;
const EXECUTION_WIDTH = 6;
const EVENT_WIDTH = 8;

export function createTrace(linesKept: number): Trace {
  const hash = createHash('sha256');
  let lines: string[] = [];
  /** So many of `lines` are in the hash: a call of it for each line takes longer than the line. */
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
      // Thinned out by halves, so that the rest is not moved for every line.
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
