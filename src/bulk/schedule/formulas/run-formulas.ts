// A schedule's work on the formulas of the spreadsheet.

import { isFailure } from '../../../analysis/failure';
import type { SheetPlatform } from '../../../platform/sheet-ports';
import { failedWith, type Report } from '../run-list';
import { callsLeft, type Schedule } from '../schedule';
import { refreshFormulas } from './refresh';

const HOUR_MS = 3_600_000;

export function runFormulas(platform: SheetPlatform, schedule: Schedule, untilMs: number): Report {
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const report = refreshFormulas(platform, {
    notBeforeMs: sinceMs - schedule.settings.maxAgeHours * HOUR_MS,
    stamp: new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' '),
    callsMax: callsLeft(schedule, nowMs),
    untilMs,
  });
  if (isFailure(report)) return failedWith(report);
  const { refreshed, failed, calls, left, problem } = report;
  return { refreshed, failed, calls, isThrough: left === 0, ...(problem && { problem }) };
}
