// The interface between the frame and its pages: what a page shows, and what it keeps.

import type { ComponentChildren } from 'preact';
import type { RpcFailure } from '../../api/failure-view';
import { UI_TEXTS } from './texts';

export interface TextStore {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** Stores JSON under a name. What is read back may be anything and has to be checked. */
export interface DraftStore {
  read(name: string): unknown;
  write(name: string, draft: unknown): void;
  forget(name: string): void;
}

const PREFIX = 'product-analysis.';

/**
 * A store that keeps nothing if it cannot: `open` may throw, as a sandboxed frame without an origin
 * does when storage is used.
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

export const PAGE_IDS = ['list', 'schedule', 'connection'] as const;
export type PageId = (typeof PAGE_IDS)[number];

/** How far a task is that takes long. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  /** What is under way. "Adding columns" */
  readonly words: string;
}

export interface BarButton {
  readonly label: string;
  readonly id?: string;
  /** The id of the form to submit; if left out, `press` is called. */
  readonly form?: string;
  readonly press?: () => void;
  /** Work is under way: the button keeps the focus and its place but does nothing. */
  readonly isBusy?: boolean;
  /** How far that work is, if it is known. */
  readonly progress?: Progress | null;
  /** What it does waits for something that pressing it leads to. */
  readonly isWaiting?: boolean;
  readonly isDangerous?: boolean;
}

/** The button of the Settings page that names the active sheet. */
export const ANALYZE_SHEET = 'connection-analyze';

/** The primary button of a page and an optional secondary one beside it. */
export interface Buttons {
  readonly primary: BarButton;
  readonly second?: BarButton;
  /** What pressing the primary one costs, below it. */
  readonly cost?: string;
}

/** The one remedy for a failure, if a button can provide it. */
export interface Remedy {
  readonly label: string;
  press(): void;
}

/** Where a problem can be solved or looked at again. */
export interface Ways {
  toConnection(): void;
  /** Left out if another button of the page does the same. */
  lookAgain?(): void;
}

/** The remedy that a button provides for a failure, with the same words on every page. */
export function remedyOf({ kind, opensSettings }: RpcFailure, ways: Ways): Remedy | undefined {
  if (opensSettings) return { label: UI_TEXTS.openConnection, press: ways.toConnection };
  const { lookAgain } = ways;
  return kind === 'run' && lookAgain ? { label: UI_TEXTS.lookAgain, press: lookAgain } : undefined;
}

/** What the page says above its buttons; members that are left out are not shown. */
export interface Messages {
  readonly failure?: RpcFailure | null;
  /** The remedy for the failure; without a failure, the next step after the good news. */
  readonly remedy?: Remedy | undefined;
  /** Good news to show once. */
  readonly notice?: string | null;
  /** What the person has to confirm with the buttons. */
  readonly question?: string | null;
  /** For screen readers only: what others see anyway. */
  readonly spoken?: string;
  /** For screen readers only: progress, spoken at most every ten seconds. */
  readonly progress?: string;
}

/** A page at one moment. Its state and work go on while another page is shown. */
export interface Page {
  readonly id: PageId;
  /** The name on its tab. */
  readonly name: string;
  /**
   * Why a person on another page should look, such as "has news", shown as a dot on the tab; '' for
   * nothing.
   */
  readonly news?: string;
  /** Ids in it begin with the name of a part of the page, because hidden pages stay in the document. */
  readonly body: ComponentChildren;
  readonly buttons: Buttons;
  readonly messages: Messages;
  /** Nothing can be read yet. */
  readonly isLoading?: boolean;
  /** Escape was pressed and nothing inside has handled it: closes what Enter opened last. */
  leave?(): void;
  /** The page is shown now, after another one was. */
  enter?(): void;
  /** The connection to Google is back: repeats requests that failed. */
  again?(): void;
}

/** What a page shows at one moment, made where its words are. */
export type View = Pick<Page, 'body' | 'buttons'>;

/** The index that a key leads to in a row that wraps around; null for other keys. */
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
