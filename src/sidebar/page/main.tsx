// Starts the sidebar's page: the one file that touches what the browser and Google provide.
import { render } from 'preact';
import { createDraftStore } from './draft-store';
import { usePages } from './pages';
import type { ScriptRunner } from './rpc-client';
import { Sidebar } from './sidebar';

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

// The shell's own first paint, which needs no script, is replaced by the same picture.
root.textContent = '';
render(
  <Sidebar
    browser={browser}
    drafts={createDraftStore(() => window.sessionStorage)}
    nowMs={() => performance.timeOrigin + performance.now()}
    pause={(waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs))}
    usePages={usePages}
  />,
  root,
);

// Not before: what fails above is a page that did not start.
document.getElementById('not-started')?.remove();
