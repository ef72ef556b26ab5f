// Opens the sidebar's built page in a browser with scripted server replies, for states that a real
// server does not show on demand.
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { RpcFailure } from '../../src/sidebar/api/failure-view';
import type { JobStatus } from '../../src/sidebar/api/jobs';
import type { RpcMethod } from '../../src/sidebar/api/methods';
import type { PageId } from '../../src/sidebar/page/ui/page';

/** What the server does with a call: a reply or `throws`, which fails as Google itself does. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: RpcFailure }
  | { readonly throws: string };

export type Script = Partial<Record<RpcMethod, (payload: unknown) => Answer | Promise<Answer>>>;

export const says = (value: unknown): Answer => ({ ok: true, value });
/** A job with what is left of it: the reply to a start, and to a change of its state. */
export const begins = (status: JobStatus, queue: readonly string[] = ['US B07FZ8S74R']): Answer =>
  says({ status, queue: status.state === 'running' ? queue : [] });
export const refuses = (failure: RpcFailure): Answer => ({ ok: false, failure });
/** A server that never answers. */
export const never = (): Promise<Answer> => new Promise(() => undefined);

/**
 * Never resolved by DNS. Requests for this address are answered here; any other request is a fault.
 */
const ADDRESS = 'https://sidebar.example/';
/** Where nobody has been before, the page opens on the list. */
const shownLast = (page: PageId): string =>
  `sessionStorage.clear(); ${
    page === 'list' ? '' : `sessionStorage.setItem('product-analysis.shown-page', '"${page}"');`
  }`;
/** The page with a script before all of its own, which leaves no trace in the document. */
const beginningWith = (html: string, script: string): string =>
  html.replace(
    /<head[^>]*>/i,
    (head) => `${head}<script>${script} document.currentScript.remove();</script>`,
  );

/** What the pages other than Connection request when they open. */
const OPENING: readonly RpcMethod[] = ['list.look', 'deals.look', 'schedule.look'];

export interface Watch {
  called(method: RpcMethod, payload: unknown): void;
  fault(message: string): void;
}

/** The page that a script is for. */
function pageOf(script: Script): PageId {
  if (script['schedule.look'] !== undefined) return 'schedule';
  return script['list.look'] === undefined ? 'connection' : 'list';
}

/** @param html the page as it is served, not as it is built */
export async function openScripted(
  context: BrowserContext,
  html: string,
  script: Script,
  watch: Watch,
): Promise<Page> {
  const show = await openStage(context);
  return show(html, script, watch);
}

/** Shows the sidebar with these replies, in place of what was shown before. */
export type Stage = (html: string, script: Script, watch: Watch) => Promise<Page>;

/** One page for many scripts, one after the other. */
export async function openStage(context: BrowserContext): Promise<Stage> {
  let html = '';
  let script: Script = {};
  let watch: Watch = { called: () => undefined, fault: () => undefined };
  /** What becomes of these as soon as the page is asked for. */
  let next: (() => void) | null = null;
  /** Numbers what is shown: what the page before still asks for is nobody's. */
  let shown = 0;
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url !== ADDRESS) {
      watch.fault(`asked for ${url}`);
      return route.abort();
    }
    const isReload = next === null;
    next?.();
    next = null;
    const first = isReload ? '' : shownLast(pageOf(script));
    const body = beginningWith(html, `${first} globalThis.shown = ${shown};`);
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => watch.fault(error.message));
  const answer = (method: RpcMethod, payload: unknown, by: number): Answer | Promise<Answer> => {
    if (by !== shown) return never();
    // A list that nobody has analyzed, unless the script says otherwise.
    if (
      method === 'deals.look' &&
      script['list.look'] !== undefined &&
      script[method] === undefined
    )
      return says({ look: null });
    if (method === 'list.selected' && script[method] === undefined) return says(null);
    // Opening calls that the script does not answer, from other pages, wait forever.
    if (OPENING.includes(method) && script[method] === undefined) return never();
    watch.called(method, payload);
    return script[method]?.(payload) ?? { throws: `nobody has an answer to ${method}` };
  };
  await page.exposeFunction('serverAnswers', answer);
  await page.addInitScript({ path: join(__dirname, 'script-run.js') });
  return async (nextHtml, nextScript, nextWatch) => {
    next = () => {
      [html, script, watch] = [nextHtml, nextScript, nextWatch];
      shown += 1;
    };
    await page.goto(ADDRESS);
    return page;
  };
}
