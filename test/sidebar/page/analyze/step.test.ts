// The Analyze page's states as a table: what each event does to each view, and what it must not do.
import { describe, expect, it } from '@jest/globals';
import { LOOK, PREFLIGHT, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import type { BulkStatus } from '../../../../src/sidebar/api/runs';
import {
  type AnalyzeEvent,
  type AnalyzeState,
  firstState,
  step,
} from '../../../../src/sidebar/page/analyze/state';
import {
  costText,
  messagesOf,
  noticeText,
  runTitle,
} from '../../../../src/sidebar/page/analyze/texts';
import { EVENTS, FAILURE, stateAfter, type Type } from './events';

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
    leads: { lookArrived: 'choosing', lookFailed: 'unreached', runFound: 'run' },
  },
  { at: 'unreached', by: ['lookFailed'], leads: { lookAsked: 'loading' } },
  {
    at: 'choosing',
    by: ['lookArrived'],
    leads: { lookAsked: 'loading', cleanupAsked: 'cleanup' },
  },
  {
    at: 'choosing',
    by: ['lookArrived', 'checkAsked'],
    leads: { lookAsked: 'loading', checkArrived: 'checked', cleanupAsked: 'cleanup' },
  },
  {
    at: 'cleanup',
    by: ['lookArrived', 'cleanupAsked'],
    leads: { lookAsked: 'loading', left: 'choosing' },
  },
  {
    at: 'cleanup',
    by: ['lookArrived', 'cleanupAsked', 'cleanupFound'],
    leads: { lookAsked: 'loading', left: 'choosing' },
  },
  {
    at: 'cleanup',
    by: ['lookArrived', 'cleanupAsked', 'cleanupFound', 'cleanupSent'],
    leads: { lookAsked: 'loading' },
  },
  {
    at: 'checked',
    by: ['lookArrived', 'checkAsked', 'checkArrived'],
    leads: { lookAsked: 'loading', left: 'choosing', checkAsked: 'choosing', started: 'run' },
  },
  {
    at: 'checked',
    by: ['lookArrived', 'checkAsked', 'checkArrived', 'startAsked'],
    leads: { lookAsked: 'loading', started: 'run' },
  },
  {
    at: 'run',
    by: ['lookArrived', 'checkAsked', 'checkArrived', 'started'],
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

const RUN = ['lookArrived', 'checkAsked', 'checkArrived', 'started'] as const;
const found = (change: Partial<BulkStatus>): AnalyzeEvent => ({
  type: 'lookArrived',
  look: { ...LOOK, run: { ...RUNNING, ...change } },
});

describe('a choice', () => {
  it('is kept as long as nothing was started with it', () => {
    const chosen = stateAfter('lookArrived', 'chosen');
    expect(chosen.draft).toBe(EVENTS.chosen.choice);
    expect(step(chosen, EVENTS.lookArrived).view).toMatchObject({ choice: EVENTS.chosen.choice });
    expect(stateAfter('lookArrived', 'chosen', ...RUN.slice(1)).draft).toBe(EVENTS.chosen.choice);
    expect(stateAfter(...RUN).draft).toBeNull();
  });

  it('makes the answer to an older check worthless', () => {
    expect(stateAfter('lookArrived', 'checkAsked', 'chosen', 'checkArrived').view).toMatchObject({
      at: 'choosing',
      isChecking: false,
    });
  });

  it('is not touched by a look while it is being checked', () => {
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' } };
    const state = stateAfter('lookArrived', 'checkAsked', { type: 'lookArrived', look });
    expect(state.view).toMatchObject({ isChecking: true, look: LOOK });
  });

  it('says which sheet is in view where the check was asked of another one', () => {
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' } };
    const failure = { kind: 'run', message: 'Another sheet is in view.' };
    const state = stateAfter(
      'lookArrived',
      'checkAsked',
      { type: 'checkFailed', failure },
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
    const failed: AnalyzeEvent = { type: 'checkFailed', failure };
    const state = stateAfter('lookArrived', 'checkAsked', failed, sheet(8, 'Another'));
    expect(step(state, sheet(9, 'A third')).notice).toBeNull();
  });

  it('is checked in another way from the check itself', () => {
    const choice = { ...LOOK.choice, apart: true };
    const state = stateAfter('lookArrived', 'checkAsked', 'checkArrived', {
      type: 'checkAsked',
      choice,
    });
    expect(state.view).toMatchObject({ at: 'choosing', isChecking: true, choice });
    const checked = step(state, { type: 'checkArrived', choice, preflight: PREFLIGHT });
    expect(checked.view).toMatchObject({ at: 'checked', choice });
    expect(checked.draft).toBeNull();
  });

  it('is that of the sheet in view, which may be another one', () => {
    const choice = { ...LOOK.choice, sheetId: 8, productColumn: 2 };
    const look = { ...LOOK, sheet: { id: 8, name: 'Another' }, choice };
    const state = stateAfter('lookArrived', 'chosen', { type: 'lookArrived', look });
    expect(state.view).toMatchObject({ look: { sheet: { name: 'Another' } }, choice });
  });
});

const TITLES: readonly [Partial<BulkStatus>, string][] = [
  [{ state: 'running' }, '207 of 412'],
  [{ state: 'paused' }, 'Paused at 207 of 412'],
  [{ state: 'interrupted' }, 'Run paused at 207 of 412'],
  [{ state: 'stuck' }, 'Held up at 207 of 412'],
  [{ state: 'stopped' }, 'Stopped at 207 of 412'],
  [{ state: 'finished', workedMs: 372_000 }, 'Done in 6 min 12 s'],
  [{ state: 'finished', workedMs: 4_200_000 }, 'Done in 1 h 10 min'],
  [{ state: 'finished', workedMs: 40 }, 'Done in 1 s'],
];
const WAYS = { toConnection: () => undefined, lookAgain: () => undefined };

describe('what is said', () => {
  it.each(TITLES)('of a run %j: %s', (change, title) => {
    const { view } = stateAfter(found(change));
    expect(view.at === 'run' && runTitle(view)).toBe(title);
  });

  it('of progress, for the ear, only while there is some', () => {
    const said = (change: Partial<BulkStatus>) => messagesOf(stateAfter(found(change)), WAYS);
    expect(said({}).progress).toBe('207 of 412 rows done, 5 failed.');
    expect(said({ failed: 0 }).progress).toBe('207 of 412 rows done.');
    expect(said({ state: 'paused' }).progress).toBe('');
    expect(said({ state: 'paused' }).spoken).toBe('Paused at 207 of 412 rows.');
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
      type: 'checkFailed',
      failure: { kind, message: 'It failed.' },
    });
    const remedy = (kind: string) =>
      messagesOf(stateAfter('lookArrived', 'checkAsked', failed(kind)), WAYS).remedy?.label;
    expect(remedy('key-refused')).toBe('Open Connection');
    // The buttons below have it.
    expect(remedy('run')).toBeUndefined();
    expect(remedy('internal')).toBeUndefined();
  });

  it('of a check that may not be started, why', () => {
    const preflight = { ...PREFLIGHT, problem: FAILURE };
    const checked: AnalyzeEvent = { type: 'checkArrived', choice: LOOK.choice, preflight };
    expect(messagesOf(stateAfter('lookArrived', 'checkAsked', checked), WAYS).failure).toBe(
      FAILURE,
    );
  });

  it('of a check that leaves all rows out, that it does, not that they have no products', () => {
    const problem = { kind: 'run', message: 'These rows have no products.' };
    const kept = { count: 5, rows: [] };
    const preflight = { ...PREFLIGHT, products: 0, calls: 0, kept, problem };
    const checked: AnalyzeEvent = { type: 'checkArrived', choice: LOOK.choice, preflight };
    const state = stateAfter('lookArrived', 'checkAsked', checked);
    expect(messagesOf(state, WAYS).failure?.message).toBe(
      'These rows are left out: their status cells hold something else, or cells are merged.',
    );
    expect(costText(preflight)).toBe('No row can be filled');
    expect(costText({ ...preflight, kept: { count: 0, rows: [] } })).toBe(
      'No products in these rows',
    );
  });

  it('begins with what was kept', () => {
    const draft = { ...LOOK.choice, productColumn: 2 };
    const kept = firstState({
      ...{ draft, seenRun: 'k3f9', ran: null, undo: null, both: null, pair: null },
    });
    expect(step(kept, EVENTS.lookArrived).view).toMatchObject({ choice: { productColumn: 2 } });
  });
});
