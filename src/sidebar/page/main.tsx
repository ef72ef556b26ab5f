// The sidebar: the status of the connection, tabs, the page that is shown, messages and the bottom
// bar; and its start.

import '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chip, report, startConnection } from './connection/connection';
import { connectionPage } from './connection/connection-page';
import { line } from './connection/formulas';
import type { ChipText } from './connection/status';
import { listPage, startListPage } from './list/list-page';
import { elsewhereText, startOffer } from './list/stages';
import { startSchedule } from './schedule/schedule';
import { schedulePage } from './schedule/schedule-page';
import * as app from './ui/app';
import { BottomBar, MessageArea, panelId, Tabs, tabId } from './ui/frame';
import { type Explained, HelpContext, HelpPanel } from './ui/help';
import type { Messages, Page, PageId } from './ui/page';
import { busyText, UI_TEXTS } from './ui/texts';

interface ConnectionChipProps {
  readonly chip: ChipText;
  /** Shows the Settings page; null while it is shown. */
  readonly open: (() => void) | null;
}

function ConnectionChip({ chip: { tone, parts }, open }: ConnectionChipProps) {
  const classes = ['chip', tone].join(' ');
  const content = (
    <>
      <span class="dot" aria-hidden="true" />
      {parts.map((part, index) => (
        <span key={part} class={index === 0 ? 'gives-way' : 'stays'}>
          {index > 0 && <span class="between"> · </span>}
          {part}
        </span>
      ))}
    </>
  );
  if (open === null) return <p class={classes}>{content}</p>;
  return (
    <button class={classes} type="button" title={UI_TEXTS.openConnection} onClick={open}>
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

function Sidebar() {
  useEffect(() => {
    startListPage(() => app.shownPage.value === 'connection' && report.value !== null);
    startSchedule();
  }, []);
  const list = listPage();
  const pages = [list, schedulePage(), connectionPage(startOffer())];
  const shown = pages.find(({ id }) => id === app.shownPage.value) ?? list;
  useWindow(shown, pages);
  useEntered(shown);

  const { again } = shown;
  const broken: Messages = {
    failure: app.broken.value,
    remedy: again && { label: UI_TEXTS.tryAgain, press: () => again() },
  };
  const { failure = null, ...others } = shown.messages;
  const isBroken = failure === null && app.broken.value !== null;
  const messages = isBroken ? { ...others, ...broken } : shown.messages;
  const waitsFor = app.waitsFor.value;
  const { primary } = shown.buttons;
  // What is under way is shown on its button, and said to those who do not see it.
  const spoken =
    messages.spoken || (primary.isBusy ? `${primary.progress?.words ?? primary.label}.` : '');
  const help = useHelp(shown.id);
  return (
    <HelpContext.Provider value={help.open}>
      <header>
        <ConnectionChip
          chip={chip.value}
          open={shown.id === 'connection' ? null : () => app.goTo('connection')}
        />
        <Tabs pages={pages} shown={shown.id} choose={app.goTo} />
      </header>
      <main>
        {pages.map(({ id, body, isLoading }) => (
          <div
            key={id}
            class="body"
            id={panelId(id)}
            hidden={id !== shown.id}
            aria-busy={isLoading}
            role="tabpanel"
            aria-labelledby={tabId(id)}
          >
            {body}
          </div>
        ))}
      </main>
      <footer class="foot">
        <WaitingLine text={waitsFor ? busyText(waitsFor) : elsewhereText() || line.value} />
        <MessageArea messages={{ ...messages, spoken }} pause={app.pause} />
        <BottomBar buttons={shown.buttons} isAsked={messages.question != null} />
      </footer>
      {help.panel}
    </HelpContext.Provider>
  );
}

const root = document.getElementById('sidebar');
if (root === null) throw new Error('page.html has no element with the id "sidebar"');
if (app.opens === 'new-deal-sheet') app.goTo('list');
// Replaces the first picture, which the page's HTML shows without a script, by the same one.
root.textContent = '';
startConnection();
render(<Sidebar />, root);

// This comes last: if anything above fails, the page has not started.
document.getElementById('not-started')?.remove();
