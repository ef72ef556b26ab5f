// Why rows want a look or failed, in the words of the page.
import { describe, expect, it } from '@jest/globals';
import { PREFLIGHT, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { RowWhy } from '../../../../src/runs/preflight';
import {
  failedWords,
  keptText,
  toCheckText,
  tooManyText,
} from '../../../../src/sidebar/page/analyze/texts';
import { rowWhy } from '../../../../src/sidebar/page/ui/texts';

const OF = { asin: '0975124838', market: 'UK' } as const;

describe('a row of a check', () => {
  it.each<[RowWhy, string]>([
    [{ why: 'An ASIN has ten letters.' }, 'An ASIN has ten letters.'],
    [{ first: 4 }, 'The same product as in row 4.'],
    [{ isMerged: true }, 'Cells are merged in it. The row is left out.'],
    [{ isMerged: false }, 'Its status cell holds something else. The row is left out.'],
    [{ repair: 'leading-zeros', ...OF }, 'Read as 0975124838: restored leading zeros.'],
    [{ repair: 'isbn-13', ...OF }, 'Read as 0975124838: an ISBN-13.'],
    [{ repair: 'link', ...OF }, 'Read as 0975124838: a link.'],
    [
      { repair: 'foreign-link', ...OF },
      'Read as 0975124838: a link to another market, asked for in UK.',
    ],
    [{ repair: 'no-market', ...OF }, 'Read as 0975124838: no market in its row, so UK.'],
  ])('%j', (row, text) => {
    expect(rowWhy(row)).toBe(text);
  });
});

describe('cells that hold more than the ASIN', () => {
  it('are to be checked: some may have to stay, so they are no number of changes', () => {
    expect(toCheckText(1)).toBe('1 to check');
    expect(toCheckText(1_200)).toBe('1,200 to check');
  });
});

describe('a run that takes more calls than the owner of a shared key allows today', () => {
  it.each([
    [null, null],
    [PREFLIGHT.calls, null],
    [1, 'allows 1 more call today. The rest'],
    [0, 'allows no more calls today. The rest'],
  ])('with %p left', (capCallsLeft, words) => {
    const text = tooManyText({ ...PREFLIGHT, googleCallsLeft: PREFLIGHT.calls, capCallsLeft });
    if (words === null) expect(text).toBe(null);
    else expect(text).toContain(words);
  });
});

describe('what a run left alone', () => {
  it.each([
    [0, 0, ''],
    [1, 0, '1 cell left as you wrote it'],
    [3, 0, '3 cells left as you wrote them'],
    [0, 1, '1 row left as you wrote it'],
    [3, 1, '1 row and 3 cells left as you wrote them'],
  ])('%d cells and %d rows', (keptCells, leftOut, text) => {
    expect(keptText({ ...RUNNING, keptCells, leftOut })).toBe(text);
  });
});

describe('rows that failed', () => {
  it.each([
    [
      'bad-asin',
      'No product can be read in these rows.',
      'Correct them, then run the rows that failed before.',
      false,
    ],
    [
      'bad-market',
      'The market of these rows is not supported.',
      'Use US or UK, then run the rows that failed before.',
      false,
    ],
    [
      'not-found',
      'This product was not found on this market.',
      'Check the ASIN and the market.',
      false,
    ],
    ['service-busy', 'The service had a problem.', 'Try again later.', true],
    ['timed-out', 'The service took too long to answer.', 'Try again later.', true],
    [
      'not-understood',
      "The service's answers could not be read.",
      'Ask the service operator.',
      false,
    ],
    ['run', expect.stringContaining('these rows'), undefined, false],
    ['of-a-later-version', 'These rows failed.', undefined, false],
  ])('for %s are told with what they need', (kind, message, action, canRetry) => {
    const why = kind === 'run' && { why: 'rejected' };
    const words = { kind, rows: 3, message, canRetry, ...why };
    expect(failedWords({ kind, rows: 3 })).toEqual(
      action === undefined ? words : { ...words, action },
    );
  });
});
