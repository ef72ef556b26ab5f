// The sidebar: the status of the connection, tabs, the page that is shown, messages and the bottom
// bar; and its start.

import { render } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { useAnalyzePage } from './analyze/analyze-page';
import { useConnectionPage } from './connection/connection-page';
import type { ChipText } from './connection/texts';
import { useDealsPage } from './deals/deals-page';
import { useSchedulePage } from './schedule/schedule-page';
import { BottomBar, MessageArea, panelId, Tabs, tabId } from './ui/frame';
import { type Explained, HelpContext, HelpPanel } from './ui/help';
import {
  type ConnectedContext,
  createDraftStore,
  type DraftStore,
  firstFrame,
  type Messages,
  type Page,
  type PageContext,
  type PageId,
  shownOf,
  stepFrame,
} from './ui/page';
import { type Browser, createRpcClient, type ScriptRunner } from './ui/rpc-client';
import { UI_TEXTS } from './ui/texts';

interface ConnectionChipProps {
  readonly chip: ChipText;
  /** Shows the Connection page; null while it is shown. */
  readonly open: (() => void) | null;
}

function ConnectionChip({ chip, open }: ConnectionChipProps) {
  const look = ['chip', chip.tone].join(' ');
  const content = (
    <>
      <span class="dot" aria-hidden="true" />
      {chip.parts.map((part, index) => (
        <span key={part} class={index === 0 ? 'gives-way' : 'stays'}>
          {index > 0 && <span class="between"> · </span>}
          {part}
        </span>
      ))}
    </>
  );
  if (open === null) return <p class={look}>{content}</p>;
  return (
    <button class={look} type="button" title={UI_TEXTS.openConnection} onClick={open}>
      {content}
    </button>
  );
}

interface WaitingLineProps {
  /** Empty if there is nothing to say. */
  readonly text: string;
}

/**
 * The live region stays in the document, because one that appears together with its text may not be
 * read out.
 */
function WaitingLine({ text }: WaitingLineProps) {
  return (
    <div class="waiting" aria-live="polite">
      {text !== '' && <p>{text}</p>}
    </div>
  );
}

/** Every page from left to right, including the given Connection page. */
type UsePages = (context: ConnectedContext, connection: Page) => readonly Page[];

interface SidebarProps {
  readonly browser: Browser;
  readonly drafts: DraftStore;
  readonly nowMs: () => number;
  readonly pause: (waitMs: number) => Promise<void>;
  readonly usePages: UsePages;
  readonly opens: string;
}

const SHOWN_PAGE = 'shown-page';

function useFrame({ browser, drafts, nowMs, pause, opens }: SidebarProps) {
  const [frame, dispatch] = useReducer(stepFrame, drafts.read(SHOWN_PAGE), (kept) =>
    firstFrame(kept, opens),
  );
  const turned = useRef(() => {});
  const context = useMemo(
    (): PageContext => ({
      rpc: createRpcClient(browser, {
        ended: (broken) => dispatch({ type: 'callEnded', broken }),
        turned: () => turned.current(),
        pause,
      }),
      drafts,
      nowMs,
      pause,
      opens,
      connectionChanged: () => turned.current(),
      sheetSeen: (name) => dispatch({ type: 'sheetSeen', name }),
      goTo: (page) => {
        drafts.write(SHOWN_PAGE, page);
        dispatch({ type: 'pageChosen', page });
      },
    }),
    [browser, drafts, nowMs, pause, opens],
  );
  return { frame, dispatch, context, turned };
}

/** Listens, wherever the focus is, for Escape and for the return of the internet connection. */
function useWindow(shown: Page, pages: readonly Page[]): void {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') shown.leave?.();
    };
    const onOnline = (): void => {
      for (const page of pages) page.again?.();
    };
    document.addEventListener('keydown', onKeyDown);
    window.addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('online', onOnline);
    };
  });
}

/**
 * Tells a page that it is shown now, because the sheet may have changed meanwhile. This includes
 * the first page.
 */
function useEntered({ id, enter }: Page): void {
  const last = useRef<PageId | null>(null);
  useEffect(() => {
    if (last.current === id) return;
    last.current = id;
    enter?.();
  });
}

/**
 * Manages the help panel. The browser returns the focus by itself; if its element has disappeared,
 * the focus goes to the page's tab.
 */
function useHelp(shown: PageId) {
  const [about, setAbout] = useState<Explained | null>(null);
  const closed = (): void => {
    const isBack = document.activeElement?.matches('.link') === true;
    setAbout(null);
    if (!isBack) document.getElementById(tabId(shown))?.focus();
  };
  return { open: setAbout, panel: <HelpPanel about={about} closed={closed} /> };
}

function Sidebar(props: SidebarProps) {
  const { frame, dispatch, context, turned } = useFrame(props);
  const connection = useConnectionPage(context, frame.sheet);
  turned.current = () => connection.page.again?.();
  const { status } = connection;
  const connected = useMemo(() => ({ ...context, connection: status }), [context, status]);
  const pages = props.usePages(connected, connection.page);
  const isKeyMissing = status?.connected === false;
  const shown = shownOf(pages, frame, isKeyMissing);
  useWindow(shown, pages);
  useEntered(shown);
  useEffect(() => {
    if (isKeyMissing) dispatch({ type: 'keyMissed' });
  }, [isKeyMissing, dispatch]);

  const { again } = shown;
  const broken: Messages = {
    failure: frame.broken,
    remedy: again && { label: UI_TEXTS.tryAgain, press: () => again() },
  };
  const { failure = null, ...others } = shown.messages;
  const isBroken = failure === null && frame.broken !== null;
  const messages = isBroken ? { ...others, ...broken } : shown.messages;
  const isOneOfSeveral = pages.length > 1;
  const help = useHelp(shown.id);
  return (
    <HelpContext.Provider value={help.open}>
      <header>
        <ConnectionChip
          chip={connection.chip}
          open={shown.id === 'connection' ? null : () => context.goTo('connection')}
        />
        {isOneOfSeveral && <Tabs pages={pages} shown={shown.id} choose={context.goTo} />}
      </header>
      <main>
        {pages.map(({ id, body, isLoading }) => (
          <div
            key={id}
            class="body"
            id={panelId(id)}
            hidden={id !== shown.id}
            aria-busy={isLoading}
            {...(isOneOfSeveral && { role: 'tabpanel', 'aria-labelledby': tabId(id) })}
          >
            {body}
          </div>
        ))}
      </main>
      <footer class="foot">
        <WaitingLine text={connection.waiting} />
        <MessageArea messages={messages} pause={context.pause} />
        <BottomBar buttons={shown.buttons} isAsked={messages.question != null} />
      </footer>
      {help.panel}
    </HelpContext.Provider>
  );
}

const usePages: UsePages = (context, connection) => {
  const schedule = useSchedulePage(context);
  const deals = useDealsPage(context);
  const { card, next, runEnded } = deals;
  const end = { make: schedule.make, deals: card, next, seen: runEnded };
  return [useAnalyzePage(context, end), deals.page, schedule.page, connection];
};

declare global {
  interface Window {
    readonly google?: { readonly script: { readonly run: ScriptRunner } };
  }
}

const root = document.getElementById('sidebar');
if (root === null) throw new Error('page.html has no element with the id "sidebar"');

const browser = {
  runner: window.google?.script.run ?? null,
  isOnline: () => navigator.onLine,
};

// Replaces the first picture, which the page's HTML shows without a script, by the same one.
root.textContent = '';
render(
  <Sidebar
    browser={browser}
    drafts={createDraftStore(() => window.sessionStorage)}
    nowMs={() => performance.timeOrigin + performance.now()}
    pause={(waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs))}
    usePages={usePages}
    opens={root.dataset.opens ?? ''}
  />,
  root,
);

// This comes last: if anything above fails, the page has not started.
document.getElementById('not-started')?.remove();
