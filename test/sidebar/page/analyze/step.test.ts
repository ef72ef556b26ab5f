// The Analyze page's states as a table: what each event does to each view, and what it must not do.
import { describe, expect, it } from '@jest/globals';
import { LOOK, PREVIEW, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { JobStatus } from '../../../../src/sidebar/api/jobs';
import {
  type AnalyzeEvent,
  type AnalyzeState,
  firstState,
  step,
} from '../../../../src/sidebar/page/analyze/state';
import { jobTitle, messagesOf, noticeText } from '../../../../src/sidebar/page/analyze/texts';
import { EVENTS, FAILURE, NOTHING_KEPT, stateAfter, type Type } from './events';

type At = AnalyzeState['view']['at'];

/** One way into every view, and the events that lead from there to another; all others stay. */
const VIEWS: readonly {
  readonly at: At;
  readonly by: readonly Type[];
  readonly leads: Partial<Record<Type, At>>;
}[] = [
  {
    at: 'loading',
    by: [],
    leads: { lookArrived: 'choosing', lookFailed: 'unreached', jobFound: 'job' },
  },
  { at: 'unreached', by: ['lookFailed'], leads: { lookAsked: 'loading' } },
  { at: 'choosing', by: ['lookArrived'], leads: { lookAsked: 'loading' } },
  {
    at: 'choosing',
    by: ['lookArrived', 'previewAsked'],
    leads: { lookAsked: 'loading', previewArrived: 'preview' },
  },
  {
    at: 'preview',
    by: ['lookArrived', 'previewAsked', 'previewArrived'],
    leads: { lookAsked: 'loading', left: 'choosing', started: 'job' },
  },
  {
    at: 'preview',
    by: ['lookArrived', 'previewAsked', 'previewArrived', 'startAsked'],
    leads: { lookAsked: 'loading', started: 'job' },
  },
  {
    at: 'job',
    by: ['lookArrived', 'previewAsked', 'previewArrived', 'started'],
    leads: { lookAsked: 'loading' },
  },
];

describe('a view of the Analyze page', () => {
  it.each(VIEWS)('$at, by $by', ({ at, by, leads }) => {
    const state = stateAfter(...by);
    expect(state.view.at).toBe(at);
    for (const event of Object.values(EVENTS))
      expect([event.type, step(state, event).view.at]).toEqual([
        event.type,
        leads[event.type] ?? at,
      ]);
  });
});

const JOB = ['lookArrived', 'previewAsked', 'previewArrived', 'started'] as const;
const found = (change: Partial<JobStatus>): AnalyzeEvent => ({
  type: 'lookArrived',
  look: { ...LOOK, job: { ...RUNNING, ...change } },
});

describe('a choice', () => {
  it('is kept as long as nothing was started with it', () => {
    const chosen = stateAfter('lookArrived', 'chosen');
    expect(chosen.draft).toBe(EVENTS.chosen.choice);
    expect(step(chosen, EVENTS.lookArrived).view).toMatchObject({ choice: EVENTS.chosen.choice });
    expect(stateAfter('lookArrived', 'chosen', ...JOB.slice(1)).draft).toBe(EVENTS.chosen.choice);
    expect(stateAfter(...JOB).draft).toBeNull();
  });

  it('makes the answer to an older preview worthless', () => {
    expect(
      stateAfter('lookArrived', 'previewAsked', 'chosen', 'previewArrived').view,
    ).toMatchObject({
      at: 'choosing',
      isChecking: false,
    });
  });

  it('is not touched by a look while it is being previewed', () => {
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' } };
    const state = stateAfter('lookArrived', 'previewAsked', { type: 'lookArrived', look });
    expect(state.view).toMatchObject({ isChecking: true, look: LOOK });
  });

  it('says which sheet is in view where the preview was asked of another one', () => {
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' } };
    const failure = { kind: 'run', message: 'Another sheet is in view.' };
    const state = stateAfter(
      'lookArrived',
      'previewAsked',
      { type: 'previewFailed', failure },
      {
        type: 'lookArrived',
        look,
      },
    );
    expect(state.view).toMatchObject({ at: 'choosing', look, isChecking: false, failure: null });
    expect(noticeText(state.notice)).toBe('“Another” is in view now. Press Preview for its rows.');
  });

  it('says so no longer once a third one is in view', () => {
    const sheet = (id: number, name: string): AnalyzeEvent => ({
      type: 'lookArrived',
      look: { ...LOOK, sheet: { id, name } },
    });
    const failure = { kind: 'run', message: 'Another sheet is in view.' };
    const failed: AnalyzeEvent = { type: 'previewFailed', failure };
    const state = stateAfter('lookArrived', 'previewAsked', failed, sheet(8, 'Another'));
    expect(step(state, sheet(9, 'A third')).notice).toBeNull();
  });

  it('is that of the sheet in view, which may be another one', () => {
    const choice = { ...LOOK.choice, sheetId: 8, productColumn: 2 };
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' }, choice };
    const state = stateAfter('lookArrived', 'chosen', { type: 'lookArrived', look });
    expect(state.view).toMatchObject({ look: { sheet: { name: 'Another' } }, choice });
  });
});

const TITLES: readonly [Partial<JobStatus>, string][] = [
  [{ state: 'running' }, '187 of 371'],
  [{ isWorkedOn: false }, 'Run paused at 187 of 371'],
  [{ state: 'paused' }, 'Paused at 187 of 371'],
  [{ state: 'blocked' }, 'Held up at 187 of 371'],
  [{ state: 'stopped' }, 'Stopped at 187 of 371'],
  [{ state: 'done', workedMs: 372_000 }, 'Done in 6 min 12 s'],
  [{ state: 'done', workedMs: 4_200_000 }, 'Done in 1 h 10 min'],
  [{ state: 'done', workedMs: 40 }, 'Done in 1 s'],
];
const WAYS = { toConnection: () => undefined, lookAgain: () => undefined };

describe('what is said', () => {
  it.each(TITLES)('of a job %j: %s', (change, title) => {
    const { view } = stateAfter(found(change));
    expect(view.at === 'job' && jobTitle(view)).toBe(title);
  });

  it('of progress, for the ear, only while there is some', () => {
    const driven = stateAfter(...JOB);
    const spoken = (change: Partial<JobStatus>) =>
      messagesOf(step(driven, { type: 'statusArrived', status: { ...RUNNING, ...change } }), WAYS);
    expect(spoken({}).progress).toBe('187 of 371 products done, 5 failed.');
    expect(spoken({ failed: 0 }).progress).toBe('187 of 371 products done.');
    expect(spoken({ state: 'paused' }).progress).toBe('');
    expect(spoken({ state: 'paused' }).spoken).toBe('Paused at 187 of 371 products.');
  });

  it('of the end, for the ear, and of progress no more', () => {
    const ended: AnalyzeEvent = {
      type: 'statusArrived',
      status: { ...RUNNING, state: 'done', left: 0, answered: 334 },
    };
    const state = step(stateAfter(...JOB), ended);
    // Twelve rows of the preview could not be read, and five products failed.
    expect(messagesOf(state, WAYS)).toMatchObject({
      spoken: 'Done. 366 products answered. 17 need attention.',
      progress: '',
    });
  });

  it.each([
    [12, 12, '12 rows selected in the sheet.'],
    [1, 1, '1 row selected in the sheet.'],
    [412, 200, 'The first 200 of 412 rows are selected.'],
    [12, 0, 'These rows are no longer in the sheet.'],
  ])('of %i rows wanted and %i shown: %s', (wanted, shown, notice) => {
    const state = stateAfter('lookArrived', { type: 'rowsShown', wanted, shown });
    expect(messagesOf(state, WAYS).notice).toBe(notice);
  });

  it('leads to the connection where that is what has to be mended', () => {
    const failed = (kind: string): AnalyzeEvent => ({
      type: 'previewFailed',
      failure: { kind, message: 'It failed.' },
    });
    const remedy = (kind: string) =>
      messagesOf(stateAfter('lookArrived', 'previewAsked', failed(kind)), WAYS).remedy?.label;
    expect(remedy('key-refused')).toBe('Open Connection');
    // It is about single products, and a job that meets many is held up.
    expect(remedy('other-units')).toBe('Open Connection');
    // The buttons below have it.
    expect(remedy('run')).toBeUndefined();
    expect(remedy('internal')).toBeUndefined();
  });

  it('of a preview that may not be started, why', () => {
    const preview = { ...PREVIEW, problem: FAILURE };
    const arrived: AnalyzeEvent = { type: 'previewArrived', choice: LOOK.choice, preview };
    const state = stateAfter('lookArrived', 'previewAsked', arrived);
    expect(messagesOf(state, WAYS).failure).toBe(FAILURE);
  });

  it.each([
    ['fillIn', 14, 0, '14 rows filled in.'],
    ['fillIn', 0, 1, 'Nothing to fill in. 1 cell with something of your own stays.'],
    [
      'keepAsValues',
      412,
      0,
      'Figures in 412 rows are values now. They no longer follow the Analysis tab.',
    ],
    [
      'makeLive',
      400,
      2,
      'Figures in 400 rows are live again. 2 cells with something of your own stay.',
    ],
    ['addCleanAsins', 1, 0, 'A column with the clean ASINs of 1 row was added.'],
  ] as const)('of a list after %s in %i rows, %i kept', (act, rows, kept, notice) => {
    const done: AnalyzeEvent = { type: 'listActDone', act, rows, kept };
    const state = stateAfter('lookArrived', { type: 'listActAsked', act }, done);
    expect(messagesOf(state, WAYS).notice).toBe(notice);
    expect(state.view).toMatchObject({ asked: null });
  });

  it('begins with what was kept', () => {
    const draft = { ...LOOK.choice, productColumn: 2 };
    const kept = firstState({ ...NOTHING_KEPT, draft, seenJob: 'k3f9' });
    expect(step(kept, EVENTS.lookArrived).view).toMatchObject({ choice: { productColumn: 2 } });
  });
});
