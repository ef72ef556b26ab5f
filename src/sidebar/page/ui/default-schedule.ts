// Schedules that are offered ready-made: every morning, and after a finished run.
import type { Recurrence } from '../../../schedules/due';
import type { ScheduleSettings } from '../../../schedules/schedule';

/** The defaults: morning is 6:00, a week begins on Monday, and nights last from 22:00 to 6:00. */
export const MORNING = 6;

/** Less than a day, so that a run that ended late yesterday does not postpone today's. */
export const USUAL_HOURS = 20;

export const FORMULAS_EVERY_MORNING: ScheduleSettings = {
  task: { kind: 'formulas' },
  recurrence: { kind: 'daily', hour: MORNING },
  maxAgeHours: USUAL_HOURS,
  callsPerHour: null,
  quiet: null,
  rules: [],
};

const DAILY = ['daily', { kind: 'daily', hour: MORNING }] as const;

/** The rhythms with a name of their own, in the server's form. */
export const AGAIN = [
  DAILY,
  ['weekdays', { kind: 'weekdays', hour: MORNING }],
  ['weekly', { kind: 'weekly', hour: MORNING, weekday: 1 }],
] as const satisfies readonly (readonly [string, Recurrence])[];

export type AgainName = (typeof AGAIN)[number][0];

export const againNamed = (name: string): AgainName =>
  AGAIN.find(([one]) => one === name)?.[0] ?? 'daily';

/** The schedule of a list after a run over it. */
export function againSettings(
  list: { readonly sheetId: number; readonly listId: string },
  name: AgainName,
): ScheduleSettings {
  const [, recurrence] = AGAIN.find(([one]) => one === name) ?? DAILY;
  return {
    ...FORMULAS_EVERY_MORNING,
    recurrence,
    task: { kind: 'list', ...list, rows: 'all' },
  };
}
