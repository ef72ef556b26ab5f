// Starts the sidebar's page: the one file that touches what the browser and Google provide.
import { render } from 'preact';
import { createDraftStore } from './draft-store';
import { createRpcClient, type ScriptRunner } from './rpc-client';
import { Sidebar } from './sidebar';

declare global {
  interface Window {
    readonly google?: { readonly script: { readonly run: ScriptRunner } };
  }
}

const root = document.getElementById('sidebar');
if (root === null) throw new Error('page.html has no element with the id "sidebar"');

const rpc = createRpcClient({
  runner: window.google?.script.run ?? null,
  isOnline: () => navigator.onLine,
});

// The shell's own first paint, which needs no script, is replaced by the same picture.
root.textContent = '';
const drafts = createDraftStore(() => window.sessionStorage);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
render(<Sidebar rpc={rpc} drafts={drafts} pause={pause} />, root);
