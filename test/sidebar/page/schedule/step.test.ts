// The Schedule page's states: what each event does to each view, and what it must not do.
import { describe, expect, it } from '@jest/globals';
import { RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import {
  DIGEST,
  LOOK,
  MORNING,
  RUN,
  SCHEDULES,
} from '../../../../playground/sidebar-states/schedule-replies';
import {
  firstState,
  type ScheduleEvent,
  schedulesOf,
  step,
} from '../../../../src/sidebar/page/schedule/state';
import { noticeText } from '../../../../src/sidebar/page/schedule/texts';
import { EVENTS, FAILURE, listOf, NEW_FORM, stateAfter, type Type } from './events';

const LISTED = ['lookArrived'] as const;
const EDITED = ['lookArrived', 'editWished'] as const;
const RUNS = ['lookArrived', 'runAsked'] as const;

/** What does nothing where it does not belong. */
const IDLE: readonly (readonly [string, readonly Type[], readonly Type[]])[] = [
  [
    'before anything is known',
    [],
    [
      'editWished',
      'formChanged',
      'saveAsked',
      'saved',
      'removeWished',
      'actAsked',
      'actDone',
      'actFailed',
      'digestSeen',
      'runAsked',
      'left',
    ],
  ],
  [
    'in a list',
    LISTED,
    [
      'lookAsked',
      'lookFailed',
      'formChanged',
      'foldToggled',
      'problemsFound',
      'saveAsked',
      'statusArrived',
      'sliceDone',
      'linkLost',
      'stopAsked',
      'runEnded',
      'historyArrived',
      'historyFailed',
      'left',
    ],
  ],
  ['in a run', RUNS, ['runAsked']],
  ['while it is saved', [...EDITED, 'saveAsked'], ['left']],
];

describe('an event that does not fit', () => {
  it.each(IDLE)('changes nothing %s', (_where, way, events) => {
    const state = stateAfter(...way);
    const changed = events.filter((type) => step(state, EVENTS[type]) !== state);
    expect(changed).toEqual([]);
  });
});

describe('a look', () => {
  it('that fails can be asked for again', () => {
    const state = stateAfter('lookFailed');
    expect(state.view).toEqual({ at: 'unreached', failure: FAILURE });
    expect(step(state, EVENTS.lookAsked).view).toEqual({ at: 'loading' });
  });

  it('that comes by itself leaves what is typed, asked and confirmed', () => {
    const newer: ScheduleEvent = { type: 'lookArrived', look: { ...LOOK, formulaCells: 7 } };
    const edited = step(stateAfter(...EDITED), newer);
    expect(edited.edit?.form).toEqual(NEW_FORM);
    expect(listOf(edited).look.formulaCells).toBe(7);
    expect(listOf(step(stateAfter(...LISTED, 'removeWished'), newer)).removing).toBe(MORNING.id);
    expect(listOf(step(stateAfter(...LISTED, 'actAsked'), newer)).look.formulaCells).toBe(214);
  });
});

describe('a switch', () => {
  it('moves at once, and back if it was refused', () => {
    const isOn = (...events: readonly Type[]) =>
      schedulesOf(listOf(stateAfter(...LISTED, ...events)))[0]?.isOn;
    expect([isOn(), isOn('actAsked'), isOn('actAsked', 'actDone')]).toEqual([true, false, false]);
    expect(isOn('actAsked', 'actFailed')).toBe(true);
    expect(listOf(stateAfter(...LISTED, 'actAsked', 'actFailed')).failure).toBe(FAILURE);
  });
});

describe('a form', () => {
  it('takes the place of the list, and Escape gives it back', () => {
    const state = stateAfter(...EDITED);
    expect([state.edit?.form, state.focus]).toEqual([NEW_FORM, { to: 'schedule-title' }]);
    const left = step(state, EVENTS.left);
    expect([left.edit, left.focus]).toEqual([null, { to: 'schedule-add' }]);
    const form = { ...NEW_FORM, id: MORNING.id };
    const changing = stateAfter('lookArrived', { type: 'editWished', form }, 'left');
    expect(changing.focus).toEqual({ to: `schedule-edit-${MORNING.id}` });
  });

  it('that was kept is there before the list is', () => {
    const state = [EVENTS.lookArrived].reduce(step, firstState(NEW_FORM));
    expect(state.edit?.form).toEqual(NEW_FORM);
  });

  it('opens the fold in which something is wrong, and goes there', () => {
    const state = stateAfter(...EDITED, 'problemsFound');
    expect(state.edit?.open).toEqual({ rules: false, more: true });
    expect(state.focus).toEqual({ to: 'schedule-calls' });
    const first = stateAfter(...EDITED, {
      type: 'problemsFound',
      problems: { roi: 'No.', maxAge: 'No.' },
    });
    expect(first.edit?.open).toEqual({ rules: true, more: false });
    expect(first.focus).toEqual({ to: 'schedule-maxAge' });
  });

  it('no longer calls wrong what is mended, and calls nothing wrong before it is sent', () => {
    const problems = { maxAge: 'No.', calls: 'No.' };
    const wrong = stateAfter(...EDITED, { type: 'problemsFound', problems });
    const form = { ...NEW_FORM, maxAge: '24', calls: 'many' };
    const mended = step(wrong, { type: 'formChanged', form });
    expect(Object.keys(mended.edit?.problems ?? {})).toEqual(['calls']);
    const typing = stateAfter(...EDITED, { type: 'formChanged', form });
    expect(typing.edit?.problems).toEqual({});
  });

  it('is closed when it is saved, and stays as it is when it was refused', () => {
    const saved = stateAfter(...EDITED, 'formChanged', 'saveAsked', 'saved');
    expect([saved.edit, noticeText(saved.notice)]).toEqual([null, 'Added. It is on.']);
    expect(listOf(saved).look.schedules).toHaveLength(3);
    const refused = stateAfter(...EDITED, 'formChanged', 'saveAsked', 'saveFailed');
    expect(refused.edit).toMatchObject({ form: { maxAge: '48' }, isSaving: false });
    expect(listOf(refused).failure).toBe(FAILURE);
  });

  it('stays open where another schedule is made meanwhile, as by a finished run', () => {
    const state = stateAfter(...EDITED, { ...EVENTS.saved, id: 'other' });
    expect(state.edit?.form).toEqual(NEW_FORM);
  });

  it('says what was done to a schedule that was there before', () => {
    const form = { ...NEW_FORM, id: MORNING.id };
    const changed: ScheduleEvent = { type: 'saved', id: MORNING.id, schedules: SCHEDULES };
    const state = stateAfter('lookArrived', { type: 'editWished', form }, 'saveAsked', changed);
    expect(noticeText(state.notice)).toBe('Schedule saved.');
  });
});

describe('a removal', () => {
  it('is asked first, and Escape keeps the schedule', () => {
    const asked = stateAfter(...LISTED, 'removeWished');
    expect([listOf(asked).removing, asked.focus]).toEqual([MORNING.id, { to: 'schedule-keep' }]);
    const kept = step(asked, EVENTS.left);
    expect(listOf(kept).removing).toBeNull();
    expect(kept.focus).toEqual({ to: `schedule-remove-${MORNING.id}` });
  });

  it('is said when it is done', () => {
    const asked = { act: 'remove', id: MORNING.id } as const;
    const state = stateAfter(
      ...LISTED,
      'removeWished',
      { type: 'actAsked', asked },
      { type: 'actDone', schedules: [] },
    );
    expect(noticeText(state.notice)).toBe('Schedule removed.');
    expect(listOf(state)).toMatchObject({ removing: null, asked: null, look: { schedules: [] } });
  });
});

describe('a run by hand', () => {
  const ended = (...events: readonly (Type | ScheduleEvent)[]) =>
    noticeText(stateAfter(...RUNS, ...events, 'runEnded').notice);

  it('adds up what its calls came to', () => {
    const { running } = stateAfter(...RUNS, 'sliceDone', 'sliceDone');
    expect(running?.totals).toEqual({ refreshed: 742, failed: 4, calls: 602, changes: 28 });
    expect(ended('sliceDone')).toBe('371 refreshed with 301 calls, 2 failed. 14 changes noted.');
  });

  it('says when there was nothing to be done, and when it was stopped', () => {
    const empty = { ...RUN, refreshed: 0, failed: 0, calls: 0, changes: 0 };
    expect(ended({ type: 'sliceDone', run: empty })).toBe('Everything is up to date.');
    expect(ended('stopAsked')).toBe('Stopped. What was written stays.');
    const one = { ...empty, refreshed: 40, calls: 1 };
    expect(ended('stopAsked', { type: 'sliceDone', run: one })).toBe(
      'Stopped. 40 refreshed with 1 call.',
    );
  });

  it('shows how far it is, but not the run before it', () => {
    expect(stateAfter(...RUNS, 'statusArrived').running?.status).toBe(RUNNING);
    const over = { ...RUNNING, state: 'done' } as const;
    const state = stateAfter(...RUNS, { type: 'statusArrived', status: over });
    expect(state.running?.status).toBeNull();
  });

  it('says that the line is lost until it is heard again', () => {
    expect(stateAfter(...RUNS, 'linkLost').running?.isLost).toBe(true);
    expect(stateAfter(...RUNS, 'linkLost', 'statusArrived').running?.isLost).toBe(false);
    expect(stateAfter(...RUNS, 'linkLost', 'sliceDone').running?.isLost).toBe(false);
  });

  it('says why it broke, and gives the focus back to its verb', () => {
    const state = stateAfter(...RUNS, { type: 'runEnded', failure: FAILURE });
    expect(listOf(state).failure).toBe(FAILURE);
    expect([state.running, state.notice]).toEqual([null, null]);
    expect(state.focus).toEqual({ to: `schedule-run-${MORNING.id}` });
  });
});

describe('what happened meanwhile', () => {
  it('is gone once it was put away', () => {
    const look = { ...LOOK, digest: DIGEST };
    const state = stateAfter({ type: 'lookArrived', look }, 'digestSeen');
    expect(listOf(state).look).toEqual(LOOK);
  });

  it.each([
    [3, 3, '3 rows selected in the sheet.'],
    [5, 4, '4 of 5 rows selected in the sheet.'],
    [3, 0, 'These rows are no longer in the sheet.'],
  ])('of %i rows of which %i are there: %s', (wanted, shown, text) => {
    const { notice } = stateAfter(...LISTED, { type: 'rowsShown', wanted, shown });
    expect(noticeText(notice)).toBe(text);
  });

  it('is unfolded, and what comes too late is not', () => {
    expect(stateAfter('historyToggled', 'historyArrived').past.at).toBe('known');
    expect(stateAfter('historyToggled', 'historyFailed').past.at).toBe('failed');
    expect(stateAfter('historyToggled', 'historyToggled', 'historyArrived').past.at).toBe('folded');
  });
});
