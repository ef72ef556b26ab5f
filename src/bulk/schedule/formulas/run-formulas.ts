// A schedule's work on the formulas of the spreadsheet.

import { isFailure } from '../../../analysis/failure';
import type { SheetPlatform } from '../../../platform/sheet-ports';
import { scheduleProblem } from '../problem';
import type { ZoneOffset } from '../recurrence';
import { failedWith, type Report } from '../run-list';
import { callsLeft, type Schedule } from '../schedule';
import { momentWords } from '../words';
import { deadlineOf } from './deadline';
import { refreshFormulas } from './refresh';

const HOUR_MS = 3_600_000;

export function runFormulas(
  platform: SheetPlatform,
  schedule: Schedule,
  untilMs: number,
  zone: ZoneOffset,
): Report {
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const report = refreshFormulas(platform, {
    notBeforeMs: sinceMs - schedule.settings.maxAgeHours * HOUR_MS,
    sinceMs,
    callsMax: callsLeft(schedule, nowMs),
    untilMs: deadlineOf(platform, schedule, untilMs),
  });
  if (isFailure(report)) return failedWith(report);
  const { refreshed, failed, calls, left, goesOnMs } = report;
  const problem =
    goesOnMs === undefined
      ? report.problem
      : scheduleProblem('cells-over', momentWords(goesOnMs, zone));
  return { refreshed, failed, calls, isThrough: left === 0, ...(problem && { problem }) };
}
