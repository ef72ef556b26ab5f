// The line that a refresh of formulas leaves on the Connection page.
import { expect, it } from '@jest/globals';
import { refreshedText } from '../../../../src/sidebar/page/connection/texts';

const NONE = { refreshed: 0, failed: 0, left: 0, calls: 0, lacking: 0, ownRefresh: 0 };

it.each([
  [{}, 'All formulas are up to date.'],
  [{ refreshed: 1 }, '1 formula refreshed.'],
  [{ failed: 12 }, '12 formulas without figures.'],
  [
    { refreshed: 80, failed: 3, lacking: 2 },
    '80 formulas refreshed. 3 without figures. 2 not refreshed yet.',
  ],
  [{ left: 7 }, '7 products left to ask for.'],
  [{ ownRefresh: 2 }, '2 formulas with a refresh value of your own: change that.'],
])('%j: %s', (counts, text) => {
  expect(refreshedText({ at: 'done', report: { ...NONE, ...counts } })).toBe(text);
});

it('says how many formulas got the argument', () => {
  const report = { added: 1_200, refused: 3, left: 0, calls: 9 };
  expect(refreshedText({ at: 'added', report })).toBe(
    '1,200 formulas will follow each refresh. 3 in protected cells.',
  );
});
