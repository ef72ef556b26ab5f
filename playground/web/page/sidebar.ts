// The sidebar at the right: the add-on's own page in a frame that can reach only its script.
import { element, make } from './elements';
import type { FrameCall, FrameReply, FromFrame, ToFrame } from './frame-messages';

export interface Sidebar {
  readonly show: (title: string, html: string) => void;
  readonly close: () => void;
  readonly settle: (reply: FrameReply) => void;
  /** Sets the clock of the sidebar's page to the playground's. */
  readonly setDaysAhead: (days: number) => void;
}

export interface SidebarOptions {
  readonly daysAhead: number;
  readonly callable: readonly string[];
  /** The script that makes google.script inside the frame. */
  readonly frameScript: string;
  readonly run: (call: FrameCall) => void;
  readonly onResize: () => void;
  readonly focusGrid: () => void;
}

/**
 * What HtmlService allows its pages. The frame has an opaque origin, because Google's pages have a
 * different origin from the sheet's.
 */
export const ALLOWED = [
  'allow-scripts',
  'allow-forms',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-modals',
  'allow-downloads',
].join(' ');

export function createSidebar(options: SidebarOptions): Sidebar {
  const aside = element('sidebar', HTMLElement);
  const place = element('sidebar-frame', HTMLElement);
  const title = element('sidebar-title', HTMLElement);
  let frame: HTMLIFrameElement | null = null;
  let { daysAhead } = options;
  const close = (): void => {
    frame?.remove();
    frame = null;
    aside.hidden = true;
    options.onResize();
    options.focusGrid();
  };
  element('sidebar-close', HTMLButtonElement).addEventListener('click', close);
  aside.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  addEventListener('message', ({ source, data }) => {
    if (frame === null || source !== frame.contentWindow) return;
    const message = data as FromFrame;
    if (message.kind === 'run') options.run(message);
    else if (message.kind === 'close') close();
    else options.focusGrid();
  });
  return {
    show: (caption, html) => {
      frame?.remove();
      frame = make('iframe', {
        title: caption,
        sandbox: ALLOWED,
        srcdoc: withScript(html, { ...options, daysAhead }),
      });
      title.textContent = caption;
      aside.hidden = false;
      place.append(frame);
      frame.focus();
      options.onResize();
    },
    close,
    settle: (reply) => frame?.contentWindow?.postMessage(reply, '*'),
    setDaysAhead: (days) => {
      daysAhead = days;
      frame?.contentWindow?.postMessage({ kind: 'clock', daysAhead } satisfies ToFrame, '*');
    },
  };
}

/**
 * Inserts the script before all scripts of the page, which find google.script there as in Sheets.
 */
function withScript(html: string, { callable, frameScript, daysAhead }: SidebarOptions): string {
  const names = JSON.stringify(callable).replaceAll('"', '&quot;');
  const script = `<script data-callable="${names}" data-days-ahead="${daysAhead}">${frameScript}</script>`;
  return /<head[^>]*>/i.test(html)
    ? html.replace(/<head[^>]*>/i, (head) => head + script)
    : script + html;
}
