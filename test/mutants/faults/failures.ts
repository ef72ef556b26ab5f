// Faults of failures: what follows from each, and what is said of it.
import type { Fault } from '../fault';

export const FAILURES_FAULTS: readonly Fault[] = [
  {
    file: 'failure.ts',
    words: 'A product that is not there is asked for again at once by every cell.',
    from: 'const keepMsOf = (failure: Failure): number => valueFor(ruleOf(failure).keepMs, failure);',
    to: 'const keepMsOf = (failure: Failure): number => 0 * valueFor(ruleOf(failure).keepMs, failure);',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'failure-words.ts',
    words: 'The text of a failure outgrows a cell.',
    from: '.slice(0, CELL_CHARS_MAX);',
    to: '.slice(0);',
    tests: ['failures/failure.test.ts'],
  },
  {
    file: 'trouble-log.ts',
    words: 'One trouble of thirty cells pushes all others out of the report.',
    from: 'atMs - trouble.atMs < SAME_MS);',
    to: 'atMs - trouble.atMs < 0);',
    tests: ['failures/failure.test.ts'],
  },
  {
    file: 'trouble-log.ts',
    words: 'The text of a mistake is passed on by the clock, the menu and cells.',
    from: "/^\\w*Error\\b/.exec(String(thrown))?.[0] ?? 'something unknown'",
    to: 'String(thrown)',
    tests: ['safety/exceptions.test.ts'],
  },
];
