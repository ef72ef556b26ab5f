// The seam between the frame and its pages: what a page is given, what it shows, and which one is shown.

import type { ComponentChildren } from 'preact';
import { concernOf } from '../../../failures/failure';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import type { ScheduleShown } from '../../api/schedules';
import type { RpcClient } from './rpc-client';
import { UI_TEXTS } from './texts';

/** Makes a schedule without the page: what went wrong, or the schedule as it is there now. */
export type MakeSchedule = (settings: ScheduleSettings) => Promise<ScheduleShown | RpcFailure>;

export interface TextStore {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** JSON under the name of the page that keeps it; what is read back has to be looked through. */
export interface DraftStore {
  read(name: string): unknown;
  write(name: string, draft: unknown): void;
  forget(name: string): void;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** Each member of the model, as it was kept where that is of the same type. */
export function keptLike<Form extends object>(kept: unknown, model: Form): Form {
  if (!isObject(kept)) return model;
  const members = Object.entries(model).map(([name, usual]) => {
    const value: unknown = Reflect.get(kept, name);
    return [name, typeof value === typeof usual ? value : usual];
  });
  return Object.fromEntries(members) as Form;
}

const PREFIX = 'product-analysis.';

/**
 * `open` may throw: a sandboxed frame without an origin has no storage and says so by throwing.
 * Then nothing is kept, and nothing else changes.
 */
export function createDraftStore(open: () => TextStore): DraftStore {
  const attempt = <Value>(act: (store: TextStore) => Value, otherwise: Value): Value => {
    try {
      return act(open());
    } catch {
      return otherwise;
    }
  };
  return {
    read: (name) =>
      attempt<unknown>((store) => JSON.parse(store.getItem(PREFIX + name) ?? 'null'), null),
    write: (name, draft) =>
      attempt((store) => store.setItem(PREFIX + name, JSON.stringify(draft)), undefined),
    forget: (name) => attempt((store) => store.removeItem(PREFIX + name), undefined),
  };
}

export type PageId = 'analyze' | 'deals' | 'schedule' | 'connection';

/** What every page is given; the same objects as long as the sidebar is open. */
export interface PageContext {
  readonly rpc: RpcClient;
  readonly drafts: DraftStore;
  /** The page's clock, so that what is drawn from it can be tested. */
  readonly nowMs: () => number;
  pause(waitMs: number): Promise<void>;
  /** Shows another page, as if its tab had been pressed. */
  goTo(page: PageId): void;
  /** What the sidebar was opened for; '' for nothing but itself. */
  readonly opens: string;
  /** Another page than Connection has changed it. */
  connectionChanged(): void;
  /** A look at the spreadsheet tells the name of the sheet in view; null where it is not known. */
  sheetSeen(name: string | null): void;
}

/** What the pages beside Connection are told of the key; null until the server has answered. */
export interface ConnectedContext extends PageContext {
  readonly connection: ConnectionStatus | null;
}

export interface BarButton {
  readonly label: string;
  readonly id?: string;
  /** Sends the form of this id; else `press` is called. */
  readonly form?: string;
  readonly press?: () => void;
  /** Work goes on: the button keeps the focus and its place, but does nothing. */
  readonly isBusy?: boolean;
  readonly isDangerous?: boolean;
}

/** The button of the Connection page that names the sheet in view. */
export const ANALYZE_SHEET = 'connection-analyze';

/** The one primary button of a page, and beside it a quiet second. */
export interface Buttons {
  readonly primary: BarButton;
  readonly second?: BarButton;
}

/** The one thing to do about a failure, where a press can do it. */
export interface Remedy {
  readonly label: string;
  press(): void;
}

/** Where what is wrong can be mended, or seen as it is now. */
export interface Ways {
  toConnection(): void;
  /** Left out where a button of the page does the same. */
  lookAgain?(): void;
}

/** What a press can do about a failure; the same words on every page for the same thing. */
export function remedyOf({ kind }: RpcFailure, ways: Ways): Remedy | undefined {
  if (concernOf(kind) === 'connection')
    return { label: UI_TEXTS.openConnection, press: ways.toConnection };
  const { lookAgain } = ways;
  return kind === 'run' && lookAgain ? { label: UI_TEXTS.lookAgain, press: lookAgain } : undefined;
}

/** What the page says above its buttons; what is left out is not said. */
export interface Messages {
  readonly failure?: RpcFailure | null;
  /** Of the failure; where there is none, what can be done after the good news. */
  readonly remedy?: Remedy | undefined;
  /** Good news, said once. */
  readonly notice?: string | null;
  /** What the buttons ask to be confirmed. */
  readonly question?: string | null;
  /** For ears only: what eyes see anyway. */
  readonly spoken?: string;
  /** For ears only, of work that moves: heard at most every ten seconds. */
  readonly progress?: string;
}

/**
 * A page as it is at this moment. A hook makes it, `useAnalyzePage(context)` in `analyze/`, around
 * a reducer of its own: it is called while another page is shown, too, so state and work go on.
 */
export interface Page {
  readonly id: PageId;
  /** The name on its tab. */
  readonly name: string;
  /** Why somebody on another page should look, "has news": a dot on the tab. '' for nothing. */
  readonly news?: string;
  /** Its ids begin with the page's, since hidden pages stay in the document. */
  readonly body: ComponentChildren;
  readonly buttons: Buttons;
  readonly messages: Messages;
  /** Nothing to be read yet. */
  readonly isLoading?: boolean;
  /** Escape was pressed, and nothing inside has taken it: closes what Enter opened last. */
  leave?(): void;
  /** It is shown now, after another page was. */
  enter?(): void;
  /** The connection to Google is back: asks once more for what could not be had. */
  again?(): void;
}

export interface FrameState {
  /** Shown last time, if that is known. */
  readonly kept: PageId | null;
  /** Chosen since the sidebar was opened. */
  readonly chosen: PageId | null;
  /** Why the last call did not get through to our server, whichever page made it. */
  readonly broken: RpcFailure | null;
  /** The name of the sheet in view when a page last looked. */
  readonly sheet: string | null;
}

export type FrameEvent =
  | { readonly type: 'pageChosen'; readonly page: PageId }
  /** Without a key there is one thing to do; having done it, one stays there. */
  | { readonly type: 'keyMissed' }
  | { readonly type: 'callEnded'; readonly broken: RpcFailure | null }
  | { readonly type: 'sheetSeen'; readonly name: string | null };

const PAGE_IDS: readonly PageId[] = ['analyze', 'deals', 'schedule', 'connection'];

/** What the menu opens the sidebar for, and the page on which it is. */
const OPENINGS: Readonly<Record<string, PageId>> = { 'new-deal-sheet': 'deals' };

/** `kept` is the page shown last time, of which nothing is certain. */
export function firstFrame(kept: unknown, opens = ''): FrameState {
  return {
    kept: PAGE_IDS.find((id) => id === kept) ?? null,
    chosen: OPENINGS[opens] ?? null,
    broken: null,
    sheet: null,
  };
}

export function stepFrame(state: FrameState, event: FrameEvent): FrameState {
  switch (event.type) {
    case 'pageChosen':
      return { ...state, chosen: event.page };
    case 'keyMissed':
      return state.chosen === null ? { ...state, chosen: 'connection' } : state;
    case 'callEnded':
      return state.broken === event.broken ? state : { ...state, broken: event.broken };
    case 'sheetSeen':
      return state.sheet === event.name ? state : { ...state, sheet: event.name };
  }
}

/** The page to show; a kept one may be gone from this version. */
export function shownOf(pages: readonly Page[], frame: FrameState, isKeyMissing: boolean): Page {
  const wanted = frame.chosen ?? (isKeyMissing ? 'connection' : frame.kept);
  const shown = pages.find(({ id }) => id === wanted) ?? pages[0];
  if (shown === undefined) throw new Error('The sidebar needs a page.');
  return shown;
}

/** Where a key leads from one of several places in a row; the row has no ends. */
export function placeAfter(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count;
    case 'ArrowLeft':
      return (from + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
