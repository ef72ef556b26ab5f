// Schedules that are offered ready-made: every morning, and after a finished run.
import type { Choice } from '../../../runs/run';
import type { Recurrence } from '../../../schedules/recurrence';
import type { ScheduleSettings } from '../../../schedules/schedule';

/** A morning is at six, a week begins on Monday, and nights are from ten to six. */
export const MORNING = 6;

/** Less than a day, so that a run that ended late yesterday does not put off that of today. */
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

/** The rhythms, by a name of their own and as the server knows them. */
export const AGAIN = [
  DAILY,
  ['weekdays', { kind: 'weekdays', hour: MORNING }],
  ['weekly', { kind: 'weekly', hour: MORNING, weekday: 1 }],
] as const satisfies readonly (readonly [string, Recurrence])[];

/** The rows of a choice that mean something at another time as well: all of them, or what failed. */
export function againSettings(choice: Choice, name: string): ScheduleSettings {
  const { sheetId, headerRow, productColumn, market, fields, rows } = choice;
  const [, recurrence] = AGAIN.find(([one]) => one === name) ?? DAILY;
  return {
    ...FORMULAS_EVERY_MORNING,
    recurrence,
    task: {
      kind: 'list',
      sheetId,
      headerRow,
      productColumn,
      market,
      fields,
      rows: rows.kind === 'failed' ? 'failed' : 'all',
      order: 'stalest',
    },
  };
}
