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
/** An empty page of the same origin, which stores the page shown last. */
const EMPTY = `${ADDRESS}empty`;
/** Where nobody has been before, the page opens on the list. */
const shownLast = (page: PageId): string =>
  `sessionStorage.clear(); ${
    page === 'list' ? '' : `sessionStorage.setItem('product-analysis.shown-page', '"${page}"')`
  }`;

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
  await context.route('**/*', (route) => {
    const url = route.request().url();
    const contentType = 'text/html; charset=utf-8';
    if (url === ADDRESS) return route.fulfill({ contentType, body: html });
    if (url === EMPTY) return route.fulfill({ contentType, body: '' });
    watch.fault(`asked for ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => watch.fault(error.message));
  await page.exposeFunction('serverAnswers', (method: RpcMethod, payload: unknown) => {
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
  });
  await page.addInitScript({ path: join(__dirname, 'script-run.js') });
  return async (nextHtml, nextScript, nextWatch) => {
    // What was shown before has left before anything is changed.
    await page.goto(EMPTY);
    [html, script, watch] = [nextHtml, nextScript, nextWatch];
    await page.evaluate(shownLast(pageOf(script)));
    await page.goto(ADDRESS);
    return page;
  };
}
