// The plan of a long period in a team's spreadsheet: lists, schedules with their owners, and what
// people do each day.

import type { Recurrence } from '../../../src/schedules/due';
import type { ScheduleSettings } from '../../../src/schedules/schedule';

/** The members of the team; the first one owns the spreadsheet. */
export const PEOPLE: readonly string[] = Array.from(
  { length: 30 },
  (_, at) => `person-${at}@example.com`,
);

type Limits = Partial<Pick<ScheduleSettings, 'callsPerHour' | 'quiet' | 'rules'>>;

export interface PlannedList extends Limits {
  /** The share of all rows, in hundredths. */
  readonly share: number;
  /** The owner of the schedule. */
  readonly by: number;
  readonly recurrence: Recurrence;
  readonly maxAgeHours: number;
}

/**
 * Large lists are refreshed rarely and small ones often, so that a month costs each person some
 * hours of the clock.
 */
export const LISTS: readonly PlannedList[] = [
  { share: 34, by: 0, recurrence: { kind: 'monthly', hour: 1, day: 8 }, maxAgeHours: 600 },
  { share: 26, by: 1, recurrence: { kind: 'monthly', hour: 2, day: 19 }, maxAgeHours: 600 },
  { share: 14, by: 2, recurrence: { kind: 'weekly', hour: 3, weekday: 6 }, maxAgeHours: 150 },
  { share: 10, by: 3, recurrence: { kind: 'weekly', hour: 4, weekday: 0 }, maxAgeHours: 150 },
  {
    ...{ share: 8, by: 4, maxAgeHours: 150 },
    recurrence: { kind: 'weekly', hour: 20, weekday: 3 },
    quiet: { fromHour: 8, toHour: 18 },
  },
  { share: 4, by: 5, recurrence: { kind: 'weekdays', hour: 6 }, maxAgeHours: 20 },
  {
    ...{ share: 2, by: 5, maxAgeHours: 20 },
    recurrence: { kind: 'daily', hour: 4 },
    rules: [{ kind: 'no-longer-eligible' }, { kind: 'fell-under', field: 'roi', bound: 0.2 }],
  },
  { share: 1, by: 5, recurrence: { kind: 'daily', hour: 22 }, maxAgeHours: 20 },
  { share: 1, by: 1, recurrence: { kind: 'hourly' }, maxAgeHours: 8 },
];

/** The tenth schedule. */
export const FORMULAS: ScheduleSettings = {
  task: { kind: 'formulas' },
  recurrence: { kind: 'daily', hour: 5 },
  ...{ maxAgeHours: 20, callsPerHour: null, quiet: null, rules: [] },
};
export const FORMULAS_BY = 0;
export const FORMULA_CELLS = 60;

/** Some people's keys change now and then: those with schedules and a few more. */
export const KEY_DAYS = 9;

/** One person has more spreadsheets than Google allows triggers. */
export const COLLECTOR = 9;
export const OWN_SPREADSHEETS = 24;
/** The maximum age of answers there, in hours. */
export const OWN_MAX_AGE_HOURS = 20;

export const QUOTA = { calls: 10, perSeconds: 1, burst: 20 };

/** The longest name that Google allows for a tab, in characters of three bytes each. */
export const LONG_NAME = '商'.repeat(100);

/** Tabs with a short list that come and go; more of them than the add-on remembers. */
export const SHORT_TABS = 26;
