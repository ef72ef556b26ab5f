// The sidebar as a whole: chip and tabs on top, the pages, and below them messages and buttons.
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { ConnectionChip } from './connection/connection-chip';
import { useConnectionPage } from './connection/use-connection-page';
import type { DraftStore } from './draft-store';
import { BottomBar } from './frame/bottom-bar';
import { firstFrame, shownOf, stepFrame } from './frame/frame-state';
import { MessageArea } from './frame/message';
import type { ConnectedContext, Messages, Page, PageContext } from './frame/page';
import { panelId, Tabs, tabId } from './frame/tabs';
import { type Browser, createRpcClient } from './rpc-client';
import { WaitingLine } from './waiting/waiting-line';

/** Every page from left to right; the given one, Connection, among them. */
export type UsePages = (context: ConnectedContext, connection: Page) => readonly Page[];

interface SidebarProps {
  readonly browser: Browser;
  readonly drafts: DraftStore;
  readonly nowMs: () => number;
  readonly pause: (waitMs: number) => Promise<void>;
  readonly usePages: UsePages;
}

const SHOWN_PAGE = 'shown-page';

function useFrame({ browser, drafts, nowMs, pause }: SidebarProps) {
  const [frame, dispatch] = useReducer(stepFrame, drafts.read(SHOWN_PAGE), firstFrame);
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
      goTo: (page) => {
        drafts.write(SHOWN_PAGE, page);
        dispatch({ type: 'pageChosen', page });
      },
    }),
    [browser, drafts, nowMs, pause],
  );
  return { frame, dispatch, context, turned };
}

/** What is heard wherever the focus is: Escape, and that the internet is back. */
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

/** Meanwhile the sheet may have changed: whoever wants to know is told. */
function useEntered({ id, enter }: Page): void {
  const last = useRef(id);
  useEffect(() => {
    if (last.current === id) return;
    last.current = id;
    enter?.();
  });
}

export function Sidebar(props: SidebarProps) {
  const { frame, dispatch, context, turned } = useFrame(props);
  const connection = useConnectionPage(context);
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
    remedy: again && { label: 'Try again', press: () => again() },
  };
  const { failure = null, ...others } = shown.messages;
  const messages = failure === null ? { ...others, ...broken } : shown.messages;
  const isOneOfSeveral = pages.length > 1;
  return (
    <>
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
    </>
  );
}
