// What the Schedule page says when a run by hand ends with something left to be done.
import { expect, it } from '@jest/globals';
import { RUN } from '../../../../playground/sidebar-states/schedule-replies';
import type { RunShown } from '../../../../src/sidebar/api/schedules';
import { noticeText } from '../../../../src/sidebar/page/schedule/texts';
import { stateAfter } from './events';

const REST = 'The rest continues in the next hour.';
const PART: RunShown = {
  ...RUN,
  outcome: 'part',
  refreshed: 40,
  failed: 0,
  calls: 1,
  changes: 0,
};

const ended = (run: RunShown) =>
  noticeText(stateAfter('lookArrived', 'runAsked', { type: 'sliceDone', run }, 'runEnded').notice);

it('a run that used up the calls of the hour says that the rest goes on', () => {
  expect(ended(PART)).toBe(`40 refreshed with 1 call. ${REST}`);
});

it('one that found none left does not say that nothing was due', () => {
  expect(ended({ ...PART, refreshed: 0, calls: 0 })).toBe(`This hour’s calls are used up. ${REST}`);
});
