// Faults of what the clock does.
import type { Fault } from '../fault';

export const TRIGGERS_FAULTS: readonly Fault[] = [
  {
    file: 'on-schedule.ts',
    words: "The text of a mistake goes into Google's log, and into its mail.",
    from: 'throw plainMistake(error);',
    to: 'throw error;',
    tests: ['safety/exceptions.test.ts'],
  },
  {
    file: 'on-schedule.ts',
    words: 'In a copy of a spreadsheet the clock goes to work.',
    from: "if (all !== null && isCopy(all, home)) return 'a copy';",
    to: '',
    tests: ['schedules/clock.test.ts'],
    named: 'is left alone by the clock',
  },
  {
    file: 'on-schedule.ts',
    words: "The clock works on when Google's day for it is over, and is cut off.",
    from: 'if (goesOnMs !== null) {',
    to: 'if (goesOnMs === 0) {',
    tests: ['schedules/clock.test.ts'],
    named: "the clock's day",
  },
  {
    file: 'on-schedule.ts',
    words: 'Idle visits are counted at a property call each.',
    from: 'if (worked || idleMs > IDLE_MS_MAX) countTime(visit, idleMs);',
    to: 'countTime(visit, idleMs);',
    tests: ['schedules/lists.test.ts'],
    named: 'costs few calls of the stores',
  },
  {
    file: 'on-schedule.ts',
    words: 'Changes that a job finds whose page was closed are not in the log.',
    from: 'continueAbandoned(platform, untilMs, { onRecorded })',
    to: 'continueAbandoned(platform, untilMs)',
    tests: ['schedules/found-changes.test.ts'],
    named: 'the page was closed',
  },
];
