// What the frame itself remembers: which page is shown, and whether Google can be reached.
import type { RpcFailure } from '../../rpc-contract';
import type { Page, PageId } from './page';

export interface FrameState {
  /** Shown last time, if that is known. */
  readonly kept: PageId | null;
  /** Chosen since the sidebar was opened. */
  readonly chosen: PageId | null;
  /** Why the last call did not get through to our server, whichever page made it. */
  readonly broken: RpcFailure | null;
}

export type FrameEvent =
  | { readonly type: 'pageChosen'; readonly page: PageId }
  /** Without a key there is one thing to do; having done it, one stays there. */
  | { readonly type: 'keyMissed' }
  | { readonly type: 'callEnded'; readonly broken: RpcFailure | null };

const PAGE_IDS: readonly PageId[] = ['analyze', 'schedule', 'connection'];

/** `kept` is the page shown last time, of which nothing is certain. */
export function firstFrame(kept: unknown): FrameState {
  return { kept: PAGE_IDS.find((id) => id === kept) ?? null, chosen: null, broken: null };
}

export function stepFrame(state: FrameState, event: FrameEvent): FrameState {
  switch (event.type) {
    case 'pageChosen':
      return { ...state, chosen: event.page };
    case 'keyMissed':
      return state.chosen === null ? { ...state, chosen: 'connection' } : state;
    case 'callEnded':
      return state.broken === event.broken ? state : { ...state, broken: event.broken };
  }
}

/** The page to show; a kept one may be gone from this version. */
export function shownOf(pages: readonly Page[], frame: FrameState, isKeyMissing: boolean): Page {
  const wanted = frame.chosen ?? (isKeyMissing ? 'connection' : frame.kept);
  const shown = pages.find(({ id }) => id === wanted) ?? pages[0];
  if (shown === undefined) throw new Error('The sidebar needs a page.');
  return shown;
}
