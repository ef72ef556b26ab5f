// Marks the rows of a run in their status column: the marks move along with the rows, whoever moves them.

import { type Failure, isFailure } from '../analysis/failure';
import type { List } from './list-contract';
import { runProblem } from './problem';
import { keptIn, queuedText, withKept, withoutKept } from './row-status';
import { identityOf, type Row } from './rows';

/** Rows in one write of marks. */
const MARKS_AT_ONCE = 10_000;

/** Rows between two marked ones are written back as they are up to this number. */
const BRIDGE_ROWS_MAX = 500;

/** Rows may move while they are marked; more often than this they hardly will. */
const ROUNDS_MAX = 16;

/** A row as it was chosen: where it stood, and what stood in it. */
export interface ChosenRow {
  readonly row: number;
  readonly identity: string;
}

/** How many rows are marked, and all rows as they were seen then. */
export interface Marked {
  readonly count: number;
  readonly seen: readonly Row[];
}

/**
 * Marks the chosen rows, wherever they are by now, and no others: these get back what stood there.
 * Rows with one content are the same to it, except that those chosen go before others.
 *
 * @param planned all rows as they were read a moment ago: where they still stand so, they are not
 *   read again before they are marked.
 */
export function markRows(
  list: List,
  jobId: string,
  chosen: readonly ChosenRow[],
  planned: readonly Row[] = [],
): Marked | Failure {
  // Of rows that are where they were it is known whether cells are merged; the others have to be
  // looked at, and those that did not take their mark.
  let locksMerged = false;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const isAsPlanned = round === 0 && planned.length > 0 && list.isStill(planned);
    const rows = isAsPlanned ? planned : list.read({ locksMerged, isMeasured: round > 0 });
    if (isFailure(rows)) return rows;
    if (!locksMerged && !areInPlace(rows, chosen)) {
      locksMerged = true;
      continue;
    }
    locksMerged ||= round > 0;
    const wanted = wantedRows(rows, chosen);
    const wrong = rows.filter((row) => !row.isLocked && isWrong(row, wanted.has(row.row), jobId));
    if (wrong.length === 0) return { count: wanted.size, seen: rows };
    const text = ({ row, status, statusText }: Row) => {
      const before = status.kind === 'queued' ? status.before : withoutKept(statusText.trim());
      return withKept(wanted.has(row) ? queuedText(jobId, before) : before, keptIn(statusText));
    };
    for (const { first, texts, seen } of segments(rows, wrong, text)) {
      const problem = list.writeStatus(first, texts, seen);
      if (problem !== null) return problem;
    }
  }
  return runProblem('restless', 'the rows of this run');
}

function areInPlace(rows: readonly Row[], chosen: readonly ChosenRow[]): boolean {
  const there = new Map(rows.map((row) => [row.row, row]));
  return chosen.every(({ row, identity }) => {
    const now = there.get(row);
    return now !== undefined && identityOf(now) === identity;
  });
}

/** There is one run at a time: marks of another one were left by a start that was cut off. */
function isWrong({ status }: Row, isWanted: boolean, jobId: string): boolean {
  if (status.kind !== 'queued') return isWanted;
  return !isWanted || status.jobId !== jobId;
}

function wantedRows(rows: readonly Row[], chosen: readonly ChosenRow[]): ReadonlySet<number> {
  const wanted = new Set<number>();
  const there = new Map(rows.filter(({ isLocked }) => !isLocked).map((row) => [row.row, row]));
  const moved = new Map<string, number>();
  for (const { row, identity } of chosen) {
    const now = there.get(row);
    if (now !== undefined && identityOf(now) === identity) wanted.add(row);
    else moved.set(identity, (moved.get(identity) ?? 0) + 1);
  }
  if (moved.size === 0) return wanted;
  for (const row of there.values()) {
    const count = moved.get(identityOf(row)) ?? 0;
    if (count === 0 || wanted.has(row.row)) continue;
    wanted.add(row.row);
    moved.set(identityOf(row), count - 1);
  }
  return wanted;
}

/** Runs of rows for one write each: those to change, and few enough between them as they are. */
function segments(rows: readonly Row[], changed: readonly Row[], text: (row: Row) => string) {
  const isChanged = new Set(changed.map(({ row }) => row));
  const found: { first: number; texts: string[]; seen: string[] }[] = [];
  let run: { first: number; texts: string[]; seen: string[]; used: number } | null = null;
  const close = () => {
    if (run === null) return;
    const { first, texts, seen, used } = run;
    found.push({ first, texts: texts.slice(0, used), seen: seen.slice(0, used) });
    run = null;
  };
  for (const row of rows) {
    const wants = isChanged.has(row.row);
    if (row.isLocked || (run === null && !wants)) {
      close();
      continue;
    }
    run ??= { first: row.row, texts: [], seen: [], used: 0 };
    run.seen.push(row.statusText);
    run.texts.push(wants ? text(row) : row.statusText);
    if (wants) run.used = run.texts.length;
    const isLong = run.texts.length - run.used > BRIDGE_ROWS_MAX;
    if (isLong || run.texts.length >= MARKS_AT_ONCE) close();
  }
  close();
  return found;
}
