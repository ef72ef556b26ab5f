// The line that a refresh of formulas leaves on the Settings page.
import { expect, it } from '@jest/globals';
import { openPage, says } from '../open-page';

const open = () =>
  openPage<typeof import('../../../../src/sidebar/page/connection/formulas')>(() =>
    require('../../../../src/sidebar/page/connection/formulas'),
  );

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
])('%j: %s', async (counts, text) => {
  const { page, last } = open();
  void page.refresh(false);
  expect(page.line.value).toBe('Refreshing formulas…');
  await last('formulas.refresh').answer(says({ ...NONE, ...counts }));
  expect(page.line.value).toBe(text);
});

it('that a person began goes on where formulas without figures would be refreshed', async () => {
  const { page, last, count } = open();
  void page.refresh(false);
  page.refreshFailed();
  expect([page.line.value, count('formulas.refresh')]).toEqual(['Refreshing formulas…', 1]);
  await last('formulas.refresh').answer(says({ ...NONE, refreshed: 1 }));
  expect(page.line.value).toBe('1 formula refreshed.');
  page.refreshFailed();
  expect(count('formulas.refresh')).toBe(2);
});

it('says how many formulas got the argument', async () => {
  const { page, last } = open();
  void page.addArguments();
  const report = { added: 1_200, refused: 3, left: 0, calls: 9 };
  await last('formulas.follow').answer(says(report));
  expect(page.line.value).toBe('1,200 formulas will follow each refresh. 3 in protected cells.');
});
