// The seam between the frame and its pages: what each page is given, and what it gives to be shown.
import type { ComponentChildren } from 'preact';
import type { ConnectionStatus, RpcFailure } from '../../rpc-contract';
import type { DraftStore } from '../draft-store';
import type { RpcClient } from '../rpc-client';

export type PageId = 'analyze' | 'schedule' | 'connection';

/** What every page is given; the same objects as long as the sidebar is open. */
export interface PageContext {
  readonly rpc: RpcClient;
  readonly drafts: DraftStore;
  /** The page's clock, so that what is drawn from it can be tested. */
  readonly nowMs: () => number;
  pause(waitMs: number): Promise<void>;
  /** Shows another page, as if its tab had been pressed. */
  goTo(page: PageId): void;
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

/** What the page says above its buttons; what is left out is not said. */
export interface Messages {
  readonly failure?: RpcFailure | null;
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
