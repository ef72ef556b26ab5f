// Why a run over a list cannot begin or go on, as a value of the one table of failures.

import { type Failure, fail } from '../analysis/failure';
import type { RunProblem } from '../analysis/run-problem';

/** @param what names what it is about, where the words of the table do. */
export const runProblem = (why: RunProblem, what = ''): Failure => fail({ kind: 'run', why, what });
