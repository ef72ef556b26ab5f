// Which page the sidebar shows, and where a key leads from tab to tab.
import { describe, expect, it } from '@jest/globals';
import {
  type FrameEvent,
  firstFrame,
  type Page,
  type PageId,
  placeAfter,
  shownOf,
  stepFrame,
} from '../../../../src/sidebar/page/ui/page';

const PAGES = (['analyze', 'schedule', 'connection'] as const).map(
  (id): Page => ({ id, name: id, body: null, buttons: { primary: { label: 'Go' } }, messages: {} }),
);
const LOST = { kind: 'page-connection-lost', message: 'The connection was lost.' };

function shownAfter(kept: unknown, ...events: readonly FrameEvent[]): PageId {
  return shownOf(PAGES, events.reduce(stepFrame, firstFrame(kept)), false).id;
}

describe('the page that is shown', () => {
  it.each([null, 7, 'history', {}])('is the first where %j was kept', (kept) => {
    expect(shownAfter(kept)).toBe('analyze');
  });

  it('is the one that was shown last', () => {
    expect(shownAfter('schedule')).toBe('schedule');
  });

  it('is the first where the kept one is not there', () => {
    expect(shownOf(PAGES.slice(2), firstFrame('schedule'), false).id).toBe('connection');
  });

  it('is the chosen one, and Connection as soon as a key is missing', () => {
    const chosen = { type: 'pageChosen', page: 'schedule' } as const;
    expect(shownAfter('connection', chosen)).toBe('schedule');
    expect(shownAfter('schedule', { type: 'keyMissed' })).toBe('connection');
    expect(shownAfter(null, { type: 'keyMissed' }, chosen)).toBe('schedule');
    expect(shownAfter(null, chosen, { type: 'keyMissed' })).toBe('schedule');
    expect(shownOf(PAGES, firstFrame('analyze'), true).id).toBe('connection');
  });

  it('knows why calls do not get through, until one does', () => {
    const state = stepFrame(firstFrame(null), { type: 'callEnded', broken: LOST });
    expect(state.broken).toBe(LOST);
    expect(stepFrame(state, { type: 'callEnded', broken: null }).broken).toBeNull();
    expect(stepFrame(state, { type: 'callEnded', broken: LOST })).toBe(state);
  });
});

describe('a key on the tabs', () => {
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 2, 0],
    ['ArrowLeft', 0, 2],
    ['ArrowLeft', 2, 1],
    ['Home', 1, 0],
    ['End', 0, 2],
    ['Tab', 0, null],
    ['a', 1, null],
  ])('%s leads from %i to %j of three', (key, from, to) => {
    expect(placeAfter(key, from, 3)).toBe(to);
  });
});
