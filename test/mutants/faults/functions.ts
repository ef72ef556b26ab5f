// Faults of what cells call.
import type { Fault } from '../fault';

export const FUNCTIONS_FAULTS: readonly Fault[] = [
  {
    file: 'answer-cells.ts',
    words: 'A cell throws the text of a mistake, which Google keeps.',
    from: 'something went wrong in the add-on (${mistakeIn(error)})',
    to: 'something went wrong in the add-on (${error})',
    tests: ['safety/exceptions.test.ts'],
  },
  {
    file: 'answer-cells.ts',
    words: 'A cell that reads rules asks past its end.',
    from: "openEngine(platform, 'cell', startMs + BOOK_MS);",
    to: "openEngine(platform, 'cell', platform.clock.nowMs() + BOOK_MS);",
    tests: ['functions/estimates.test.ts'],
  },
  {
    file: 'answer-cells.ts',
    words: 'Rows that cannot be estimated anyway are asked for.',
    from: 'wish === null || isFailure(wish) ? wish',
    to: 'isFailure(wish) ? wish',
    tests: ['functions/estimates.test.ts'],
    named: 'are taken row by row',
  },
  {
    file: 'answer-cells.ts',
    words: 'Prices in pounds pass for dollars.',
    from: 'asked.read(question.market, ',
    to: 'asked.read(null, ',
    tests: ['functions/estimates.test.ts'],
    named: 'in another currency',
  },
];
