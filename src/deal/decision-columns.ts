// The columns of a decision in a list: formulas written row by row, what a person typed left alone.

import type { Failure } from '../failures/failure';
import { runProblem } from '../failures/failure';
import type { TextMark } from '../platform/ports';
import type { DealPlatform, ListPlace } from './list';

export interface DecisionColumn {
  readonly title: string;
  /** With "{3}" for the cell of column 3 of the list, "{Verdict}" for that of a decision. */
  readonly formula: string;
  readonly kind: 'money' | 'ratio' | 'text';
  readonly width: number;
}

export interface Decisions {
  /** Left to right; one that is missing is added at the end. */
  readonly columns: readonly DecisionColumn[];
  /** The title of the column whose texts are marked. */
  readonly marked: string;
  readonly marks: readonly TextMark[];
}

export interface Decided {
  /** Rows with a product. */
  readonly rows: number;
  /** Cells that a person typed over: they were left as they are. */
  readonly kept: number;
  /** Titles of columns that were added. */
  readonly added: readonly string[];
}

export function applyDecisions(
  _platform: DealPlatform,
  _place: ListPlace,
  _decisions: Decisions,
): Decided | Failure {
  return runProblem('busy');
}

export function removeDecisions(
  _platform: DealPlatform,
  _place: ListPlace,
  _decisions: Decisions,
): Decided | Failure {
  return runProblem('busy');
}
