// What a new schedule starts from: a list as it is found on view, kept fresh every morning. Pure.

import type { Choice } from '../choice';
import type { ScheduleSettings } from './schedule';

/** Before anybody looks. */
const HOUR = 6;

/** A day would leave out what was analyzed a little later yesterday than it is now. */
const MAX_AGE_HOURS = 20;

export function everyMorning({ rows: _, ...list }: Choice): ScheduleSettings {
  return {
    task: { kind: 'list', ...list, rows: 'all', order: 'stalest' },
    recurrence: { kind: 'daily', hour: HOUR },
    maxAgeHours: MAX_AGE_HOURS,
    callsPerHour: null,
    quiet: null,
    rules: [],
  };
}
