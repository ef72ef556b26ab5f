// Why a schedule cannot be made or does not run, in words for whoever looks at it.

export type ScheduleProblem =
  | 'gone'
  | 'others'
  | 'busy'
  | 'too-many'
  | 'not-stored'
  | 'copied'
  | 'run-in-the-way'
  | 'at-work'
  | 'silent'
  | 'clock-missing'
  | 'clock-refused'
  | 'clock-late'
  | 'no-spreadsheet'
  | 'day-over'
  | 'cut-off'
  | 'cells-over'
  | 'other-key'
  | 'sheet-gone'
  | 'column-gone'
  | 'newer';

export const SCHEDULE_PROBLEMS: Readonly<Record<ScheduleProblem, (what: string) => string>> = {
  gone: () => 'this schedule is no longer there. Reload the page',
  others: () => "this schedule is somebody else's. Make one of your own",
  busy: () => 'somebody else is changing the schedules right now. Try again',
  'too-many': (what) => `a spreadsheet has room for ${what} schedules. Remove one first`,
  'not-stored': () => 'Google has no room for this. Remove a schedule, or try again tomorrow',
  copied: () =>
    'this spreadsheet is a copy, so its schedules spend nothing here. Use them here, or remove them',
  'run-in-the-way': (what) =>
    `a run over a list is ${what}, and the schedule waits for its end. See the Analyze page`,
  'at-work': () =>
    'this schedule is at work already. If it was cut off, it goes on within the hour',
  silent: (what) =>
    `it has not run since ${what}: whoever it runs as may have removed the add-on. Take it over`,
  'clock-missing': () => 'nothing starts your schedules any more. Set the clock again',
  'clock-refused': (what) =>
    what === 'too-many'
      ? 'Google allows 20 triggers, and you have them. Remove the add-on from another spreadsheet, then set the clock again'
      : `Google did not let the add-on set its clock${what === '' ? '' : ` ("${what}")`}, as in a test of the add-on. Try again later, or run the schedule by hand`,
  'clock-late': (what) =>
    `Google has not started your schedules since ${what}. Run them by hand, or wait`,
  'no-spreadsheet': (what) =>
    `Google started your schedules without a spreadsheet at ${what}, so nothing could be refreshed. Run them by hand`,
  'day-over': (what) =>
    `the time that Google gives schedules in a day is used up. They go on at ${what}`,
  'cells-over': (what) =>
    `more formulas would use up what Google lets formulas read in a day. They go on at ${what}`,
  'other-key': () =>
    "formulas here use the key of the spreadsheet's owner. Share your key with this spreadsheet, or ask the owner to refresh them",
  'cut-off': (what) => `its run of ${what} was cut off. It goes on by itself`,
  'sheet-gone': (what) =>
    `the sheet "${what}" was deleted. Undo that, or change the schedule to another sheet`,
  'column-gone': (what) =>
    `the column "${what}" is no longer in the sheet. Undo that, or change the schedule`,
  newer: () => 'the schedules were made by a newer version. Update the add-on',
};
