// What the Schedule page says: times of the spreadsheet's clock, what a schedule does and did, what is wrong.
import { describe, expect, it } from '@jest/globals';
import { NOW_MS, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import {
  COPIED,
  DIGEST,
  LOOK,
  MORNING,
  NO_KEY,
  RUN,
} from '../../../../playground/sidebar-states/schedule-replies';
import type { ScheduleOverview } from '../../../../src/sidebar/api/schedules';
import {
  buttonsOf,
  type Effects,
  messagesOf,
  newsOf,
  type ScheduleActions,
} from '../../../../src/sidebar/page/schedule/actions';
import type { ScheduleEvent, ScheduleState } from '../../../../src/sidebar/page/schedule/state';
import {
  clockOf,
  limitsText,
  momentText,
  nextText,
  outcomeText,
  pastText,
  runTimeText,
  whatText,
} from '../../../../src/sidebar/page/schedule/texts';
import { FAILURE, stateAfter, type Type } from './events';

const HOUR = 3_600_000;
const hourly = LOOK.trigger;
/** Whatever the computer's language makes of the space before AM. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('a moment', () => {
  it.each([
    ['Europe/London', NOW_MS, '2:06 PM'],
    ['America/Los_Angeles', NOW_MS, '7:06 AM'],
    ['Asia/Kolkata', NOW_MS, '7:36 PM'],
    // Past midnight there, and not yet in London.
    ['Pacific/Auckland', NOW_MS - 4 * HOUR, 'yesterday 11:06 PM'],
    ['Europe/London', NOW_MS - 15 * HOUR, 'yesterday 11:06 PM'],
    ['Europe/London', NOW_MS + 10 * HOUR, 'tomorrow 12:06 AM'],
    ['Europe/London', NOW_MS - 72 * HOUR, 'Mon, Mar 9 2:06 PM'],
  ])('in %s is told by its own day', (timeZone, atMs, text) => {
    const clock = clockOf(NOW_MS, { ...LOOK, timeZone });
    expect(plain(momentText(atMs, clock))).toBe(text);
  });

  it('is of the computer’s own clock where the zone is not known here', () => {
    expect(clockOf(NOW_MS, { ...LOOK, timeZone: 'Mars/Olympus' }).timeZone).toBeUndefined();
  });

  it('knows tomorrow on the day the clocks are put forward', () => {
    const nowMs = Date.UTC(2026, 2, 28, 23, 30);
    const clock = clockOf(nowMs, LOOK);
    expect(plain(momentText(Date.UTC(2026, 2, 29, 22, 30), clock))).toBe('tomorrow 11:30 PM');
  });
});

describe('when it runs next', () => {
  const clock = clockOf(NOW_MS, LOOK);
  const soon = { ...hourly, everyMinutes: 10 };
  it.each([
    [{}, hourly, 'tomorrow 6:00 AM–7:00 AM'],
    [{}, soon, 'tomorrow 6:00 AM–6:10 AM'],
    [{ isOn: false, nextAtMs: null }, hourly, 'off'],
    [{ isUnderWay: true, nextAtMs: NOW_MS }, hourly, 'continues within the hour'],
    [{ isUnderWay: true, nextAtMs: NOW_MS }, soon, 'continues within 10 min'],
    [{ isUnderWay: true }, hourly, 'continues tomorrow 6:00 AM–7:00 AM'],
    [{ nextAtMs: NOW_MS - 1 }, hourly, 'within the hour'],
    [{ nextAtMs: null }, hourly, 'waits'],
  ])('%j: %s', (change, how, text) => {
    expect(plain(nextText({ ...MORNING, ...change }, how, clock))).toBe(text);
  });
});

describe('in words', () => {
  const { settings } = MORNING;
  it('what a schedule does', () => {
    expect(whatText(settings)).toBe('All rows older than 20 h');
    expect(whatText({ ...settings, maxAgeHours: 0.5 })).toBe('All rows older than 30 min');
    expect(whatText({ ...settings, task: { kind: 'formulas' }, maxAgeHours: 72 })).toBe(
      'All formulas older than 3 days',
    );
    expect(limitsText(settings)).toBe('');
    const quiet = { fromHour: 22, toHour: 6 };
    expect(plain(limitsText({ ...settings, callsPerHour: 1, quiet }))).toBe(
      'At most 1 call an hour · quiet 10:00 PM–6:00 AM',
    );
    expect(plain(limitsText({ ...settings, quiet }))).toBe('Quiet 10:00 PM–6:00 AM');
  });

  it('what a run came to', () => {
    expect(outcomeText(RUN, MORNING)).toBe('371 products · 2 failed');
    const broken = { ...RUN, outcome: 'failed', refreshed: 0, failed: 0 } as const;
    expect(outcomeText(broken, MORNING)).toBe('failed');
    expect(pastText(RUN)).toBe('371 refreshed · 2 failed · 301 calls · 14 changes');
    expect(
      pastText({ ...RUN, failed: 0, calls: 1, changes: 0, byHand: true, outcome: 'part' }),
    ).toBe('371 refreshed · 1 call · partly done · by hand');
    const nothing = { ...RUN, refreshed: 0, failed: 0, calls: 0, changes: 0, byHand: true };
    expect(outcomeText(nothing, MORNING)).toBe('nothing out of date');
    expect(pastText(nothing)).toBe('nothing out of date · 0 calls · by hand');
    const asked = { ...nothing, outcome: 'part' } as const;
    expect(pastText(asked)).toBe('0 refreshed · 0 calls · partly done · by hand');
  });

  it('what Google still allows, never less than is used', () => {
    const limits = { ...LOOK.limits, runMsToday: 61_000 };
    expect(runTimeText(limits)).toBe('2 of 90 min of Google run time used today');
  });
});

/** Hands that note which action was taken. */
function handsOf(state: ScheduleState) {
  const taken: string[] = [];
  const note = (name: string) => () => void taken.push(name);
  const actions = new Proxy({} as ScheduleActions, {
    get: (_target, name) => note(String(name)),
  });
  const effects: Effects = {
    state,
    actions,
    dispatch: ({ type }) => void taken.push(type),
    toConnection: note('toConnection'),
    toAnalyze: note('toAnalyze'),
    newId: () => 'new',
  };
  return { effects, taken };
}

const looked = (change: Partial<ScheduleOverview>): ScheduleEvent => ({
  type: 'lookArrived',
  look: { ...LOOK, ...change },
});

describe('what is wrong with all schedules', () => {
  it.each([
    [{ problem: COPIED, remedy: 'schedule.useHere' }, COPIED.message, 'useHere'],
    [{ trigger: { ...hourly, state: 'missing' } }, 'Nothing starts your schedules', 'mend'],
    [{ trigger: { ...hourly, problem: FAILURE } }, FAILURE.message, undefined],
    [{ problem: NO_KEY }, NO_KEY.message, 'toConnection'],
  ] as const)('has its one remedy: %j', (change, message, remedy) => {
    const { effects, taken } = handsOf(stateAfter(looked(change)));
    const said = messagesOf(effects);
    expect(said.failure?.message).toContain(message);
    said.remedy?.press();
    expect(taken).toEqual(remedy === undefined ? [] : [remedy]);
    expect(newsOf(effects.state)).toBe('needs attention');
  });

  it('waits while something else is asked or typed', () => {
    const copied = looked({ problem: COPIED, remedy: 'schedule.useHere' });
    for (const event of ['editWished', 'removeWished'] as const)
      expect(messagesOf(handsOf(stateAfter(copied, event)).effects).failure).toBeUndefined();
  });

  it('is told of after what went wrong just now', () => {
    const { effects } = handsOf(stateAfter(looked({ problem: COPIED }), 'actAsked', 'actFailed'));
    expect(messagesOf(effects).failure).toBe(FAILURE);
  });
});

describe('the tab', () => {
  it('has news until the digest is put away', () => {
    const state = stateAfter(looked({ digest: DIGEST }));
    expect(newsOf(state)).toBe('has news');
    expect(newsOf(stateAfter(looked({ digest: DIGEST }), 'digestSeen'))).toBe('');
  });
});

describe('progress', () => {
  it('is heard while a list is worked on, and not after it was stopped', () => {
    const said = (...events: readonly (Type | ScheduleEvent)[]) =>
      messagesOf(handsOf(stateAfter('lookArrived', 'runAsked', ...events)).effects);
    expect(said('statusArrived').progress).toBe('187 of 371 products done, 5 failed.');
    const well = { ...RUNNING, failed: 0 };
    expect(said({ type: 'statusArrived', status: well }).progress).toBe(
      '187 of 371 products done.',
    );
    expect(said('statusArrived', 'stopAsked')).toMatchObject({ progress: '', spoken: 'Stopping.' });
  });
});

describe('a run that found everything up to date', () => {
  it('offers to refresh a list anyway', () => {
    const empty = { ...RUN, refreshed: 0, failed: 0, calls: 0, changes: 0 };
    const steps = [{ type: 'sliceDone', run: empty } as const, 'runEnded'] as const;
    const { effects, taken } = handsOf(stateAfter('lookArrived', 'runAsked', ...steps));
    const said = messagesOf(effects);
    expect([said.notice, said.remedy?.label]).toEqual([
      'Everything is up to date.',
      'Refresh anyway',
    ]);
    said.remedy?.press();
    expect(taken).toEqual(['run']);
  });
});

describe('the buttons', () => {
  const first = looked({ schedules: [] });
  it.each<readonly [string, readonly (Type | ScheduleEvent)[], string, string]>([
    ['without a schedule', [first], 'Refresh every morning', 'add'],
    ['with one', ['lookArrived'], 'Add schedule', 'editWished'],
    ['of a form', ['lookArrived', 'editWished'], 'Add schedule', 'save'],
    ['of a run', ['lookArrived', 'runAsked'], 'Stop', 'stop'],
    ['of a removal', ['lookArrived', 'removeWished'], 'Remove schedule', 'remove'],
    ['where nothing was reached', ['lookFailed'], 'Try again', 'load'],
    [
      'where there is nothing to refresh',
      [looked({ schedules: [], lists: [], formulaCells: 0 })],
      'Open Analyze',
      'toAnalyze',
    ],
  ])('%s', (_where, events, label, act) => {
    const { effects, taken } = handsOf(stateAfter(...events));
    const { primary } = buttonsOf(effects, null);
    primary.press?.();
    expect([primary.label, taken]).toEqual([label, [act]]);
  });

  it('lead to the key where there is none, and no schedule either', () => {
    const { effects, taken } = handsOf(stateAfter(first));
    const { primary } = buttonsOf(effects, { connected: false, demo: false });
    primary.press?.();
    expect([primary.label, taken]).toEqual(['Connect a key', ['toConnection']]);
  });
});
