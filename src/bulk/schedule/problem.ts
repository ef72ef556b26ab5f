// Why a schedule does not run, as a value of the one table of failures.

import { type Failure, fail } from '../../analysis/failure';
import type { ScheduleProblem } from '../../analysis/schedule-problem';

/** Headers may be of any length, and schedules are kept with their problem. */
const CHARS_MAX = 200;

/** @param what names what it is about, where the words of the table do. */
export const scheduleProblem = (why: ScheduleProblem, what = ''): Failure =>
  fail({ kind: 'schedule', why, what: what.slice(0, CHARS_MAX) });
