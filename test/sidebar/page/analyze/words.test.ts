// Why rows want a look or failed, in the words of the page.
import { describe, expect, it } from '@jest/globals';
import { FINISHED, PREVIEW, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { RowNote } from '../../../../src/sidebar/api/jobs';
import {
  barcodesText,
  costText,
  endBarcodesText,
  failedWords,
  failuresOf,
  tooManyText,
} from '../../../../src/sidebar/page/analyze/texts';
import { leftText, rowWhy } from '../../../../src/sidebar/page/ui/texts';

const OF = { asin: '0975124838', market: 'UK' } as const;

const ROW = { row: 7, shown: '975124838' };

describe('a row of a preview', () => {
  it.each<[RowNote, string]>([
    [{ ...ROW, why: 'An ASIN has ten letters.' }, 'An ASIN has ten letters.'],
    [{ ...ROW, first: 4 }, 'The same product as in row 4.'],
    [{ ...ROW, repair: 'leading-zeros', ...OF }, 'Read as 0975124838: restored leading zeros.'],
    [{ ...ROW, repair: 'isbn-13', ...OF }, 'Read as 0975124838: an ISBN-13.'],
    [{ ...ROW, repair: 'link', ...OF }, 'Read as 0975124838: a link.'],
    [
      { ...ROW, repair: 'foreign-link', ...OF },
      'Read as 0975124838: a link to another market, asked for in UK.',
    ],
    [{ ...ROW, repair: 'no-market', ...OF }, 'Read as 0975124838: no market in its row, so UK.'],
  ])('%j', (row, text) => {
    expect(rowWhy(row)).toBe(text);
  });
});

describe('barcodes', () => {
  it('are named in the tab, which the job lists them in', () => {
    expect(barcodesText(2)).toBe(
      '2 are barcodes. Once the run has listed them, type their ASINs in the tab “Analysis”.',
    );
    expect(endBarcodesText(1)).toBe('1 is a barcode: type its ASIN in the tab “Analysis”.');
  });
});

describe('an estimate', () => {
  it('is no number of seconds that is wrong before it is read', () => {
    expect([3_000, 40_000, 230_000].map(leftText)).toEqual([
      'a few seconds left',
      '40 s left',
      '4 min left',
    ]);
  });
});

describe('the cost of a job', () => {
  it('tells a list without a product from one that is up to date', () => {
    expect(costText({ ...PREVIEW, products: 0, calls: 0 })).toBe('No products in these rows');
    expect(costText({ ...PREVIEW, calls: 0 })).toBe('No calls needed: all up to date');
    expect(costText({ ...PREVIEW, expectedMs: null })).toBe('301 calls · time not known yet');
  });
});

describe('a job that takes more calls than the owner of a shared key allows today', () => {
  it.each([
    [null, null],
    [PREVIEW.calls, null],
    [1, 'allows 1 more call today. The rest'],
    [0, 'allows no more calls today. The rest'],
  ])('with %p left', (capCallsLeft, words) => {
    const text = tooManyText({ ...PREVIEW, capCallsLeft });
    if (words === null) expect(text).toBe(null);
    else expect(text).toContain(words);
  });
});

describe('what failed', () => {
  const ran = { jobId: FINISHED.jobId, unreadable: 12, barcodes: 0, choice: {} } as never;

  it('has the rows that cannot be read with it, at the end and where they are known', () => {
    const unreadable = { kind: 'bad-asin', products: 12 };
    expect(failuresOf(FINISHED, ran)).toEqual([unreadable, ...FINISHED.failures]);
    expect(failuresOf(FINISHED, null)).toEqual(FINISHED.failures);
    expect(failuresOf(RUNNING, ran)).toEqual(RUNNING.failures);
    expect(failuresOf({ ...FINISHED, jobId: 'other' }, ran)).toEqual(FINISHED.failures);
  });
});

describe('products that failed', () => {
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
    ['run', 'These rows failed.', undefined, false],
    ['of-a-later-version', 'These rows failed.', undefined, false],
  ])('for %s are told with what they need', (kind, message, action, canRetry) => {
    const words = { kind, products: 3, message, canRetry };
    expect(failedWords({ kind, products: 3 })).toEqual(
      action === undefined ? words : { ...words, action },
    );
  });

  it('are one row where it is one', () => {
    expect(failedWords({ kind: 'bad-asin', products: 1 })).toMatchObject({
      message: 'No product can be read in this row.',
      action: 'Correct it, then run the rows that failed before.',
    });
  });
});
