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
    from: 'schedule.by === me && schedule.home === home',
    to: 'schedule.by === me',
    tests: ['schedules/clock.test.ts'],
    named: 'spends nothing until somebody lets its schedules run there',
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
    words: 'A schedule whose owner took a permission back says nothing.',
    from: 'noteFired(firing, ({ by }) => by === me, { problem });',
    to: 'noteFired(firing, ({ by }) => by === me);',
    tests: ['schedules/clock.test.ts'],
    named: 'is told with the way to give it again',
  },
];
