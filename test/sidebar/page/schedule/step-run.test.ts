// What the Schedule page says when a run by hand ends with something left to be done.
import { expect, it } from '@jest/globals';
import { LOOK, RUN } from '../../../../playground/sidebar-states/schedule-replies';
import type { RunShown } from '../../../../src/sidebar/api/schedules';
import type { ScheduleEvent } from '../../../../src/sidebar/page/schedule/state';
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

it('of a schedule that is off, nothing goes on by itself', () => {
  const schedules = LOOK.schedules.map((one) => ({ ...one, isOn: false }));
  const look: ScheduleEvent = { type: 'lookArrived', look: { ...LOOK, schedules } };
  const slice: ScheduleEvent = { type: 'sliceDone', run: PART };
  const { notice } = stateAfter(look, 'runAsked', slice, 'runEnded');
  expect(noticeText(notice)).toBe(
    '40 refreshed with 1 call. The schedule is off: run it again in the next hour for the rest.',
  );
});

it('one that found none left does not say that nothing was due', () => {
  expect(ended({ ...PART, refreshed: 0, calls: 0 })).toBe(`This hour’s calls are used up. ${REST}`);
});
