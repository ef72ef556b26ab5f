// The line that a refresh of formulas leaves on the Connection page.
import { expect, it } from '@jest/globals';
import { refreshedText } from '../../../../src/sidebar/page/connection/texts';

const NONE = { refreshed: 0, failed: 0, left: 0, calls: 0, ownRefresh: 0, sinceMs: 1 };

it.each([
  [{}, 'All formulas are up to date.'],
  [{ refreshed: 1 }, '1 formula refreshed.'],
  [{ failed: 12 }, '12 formulas without figures.'],
  [
    { refreshed: 80, failed: 5, refused: 2 },
    '80 formulas refreshed. 3 without figures. 2 in protected cells.',
  ],
  [{ ownRefresh: 2, left: 7 }, '2 formulas with a refresh value of your own: change that. 7 left.'],
])('%j: %s', (counts, text) => {
  expect(refreshedText({ at: 'done', report: { ...NONE, ...counts } })).toBe(text);
});
