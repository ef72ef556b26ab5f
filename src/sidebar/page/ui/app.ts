// What all pages share: the way to the server, the clock, what is kept, and which page is shown.

import { computed, effect, type Signal, signal, untracked } from '@preact/signals-core';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import { createDraftStore, PAGE_IDS, type PageId } from './page';
import { createRpcClient, type ScriptRunner } from './rpc-client';

declare global {
  var google: { readonly script: { readonly run: ScriptRunner } } | undefined;
}

export const nowMs = () => performance.timeOrigin + performance.now();
/** The id of something that is made now, by one person. */
export const newId = () => Math.floor(nowMs()).toString(36);
export const pause = (waitMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, waitMs));
/** What the menu opened the sidebar for; '' for nothing in particular. */
export const opens = globalThis.document?.getElementById('sidebar')?.dataset.opens ?? '';
const drafts = createDraftStore(() => window.sessionStorage);

/** Why the last call, of whichever page, did not reach our server. */
export const broken = signal<RpcFailure | null>(null);
/** What a call, of whichever page, waits for before it goes on by itself. */
export const waitsFor = signal<RpcFailure | null>(null);
/** null until the server has answered. */
export const connection = signal<ConnectionStatus | null>(null);
/** The name of the active sheet when a page last read it. */
export const sheetName = signal<string | null>(null);
export const isKeyMissing = computed(() => connection.value?.connected === false);

/** The page that was shown last, also before the sidebar was opened; it may no longer exist. */
const lastPage = kept<PageId | null>('shown-page', null, '');
/** The page chosen since the sidebar was opened. */
const chosenPage = signal<PageId | null>(null);
export const shownPage = computed((): PageId => {
  const wanted = chosenPage.value ?? (isKeyMissing.value ? 'connection' : lastPage.value);
  return PAGE_IDS.find((id) => id === wanted) ?? 'list';
});
/** Shows another page, as if its tab had been pressed. */
export const goTo = (page: PageId): void => {
  chosenPage.value = page;
  lastPage.value = page;
};
// Without a key the only thing to do is to connect one; after that the Settings page stays.
effect(() => {
  if (isKeyMissing.value) chosenPage.value ??= 'connection';
});

const browser = {
  runner: globalThis.google?.script.run ?? null,
  isOnline: () => navigator.onLine,
};
/** Does what is due when a page meets a key that gets no answers, or gets them again. */
export const turned = { act: () => {} };
const forgetting: (() => void)[] = [];
/** What a page forgets once a person has set the key right: what it was refused for is over. */
export const onMended = (forget: () => void): void => void forgetting.push(forget);
export const keyMended = (): void => {
  for (const forget of forgetting) forget();
};

export const rpc = createRpcClient(browser, {
  ended: (failure) => {
    broken.value = failure;
  },
  turned: () => turned.act(),
  waits: (busy) => {
    waitsFor.value = busy;
  },
  pause,
});

/** A signal whose value outlives the page, until the next version of it; null is not kept. */
export function kept<Value>(name: string, first: Value, version = __VERSION__): Signal<Value> {
  const place = name + version;
  const value = signal((drafts.read(place) as Value | null) ?? first);
  effect(() => (value.value === null ? drafts.forget(place) : drafts.write(place, value.value)));
  return value;
}

/** Gives an element the focus and unfolds what it is in. */
export function reveal(element: HTMLElement | null): void {
  let fold = element?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement?.closest('details');
  }
  element?.focus();
}

/** Does something whenever this is so, also because it changes; what is done changes nothing of that. */
export const when = (is: () => unknown, act: () => unknown) =>
  effect(() => void (is() && untracked(act)));

/** An element that is there once the page has been drawn. */
export const focus = (id: string): void =>
  void setTimeout(() => reveal(document.getElementById(id)));

/** A person who switches between sheet and sidebar causes a refresh at most this often. */
const REFRESH_EVERY_MS = 3_000;

const isAnyShown = (ids: readonly string[]): boolean =>
  ids.some((id) => document.getElementById(id)?.checkVisibility() === true);

/** Acts again and again while a person is in the sheet and one of these elements is visible. */
export async function whileInSheet(
  ids: readonly string[],
  everyMs: number,
  act: () => unknown,
): Promise<never> {
  for (;;) {
    await pause(everyMs);
    if (!document.hidden && !document.hasFocus() && isAnyShown(ids)) await act();
  }
}

/** Refreshes for a person whose focus or pointer returns from the sheet, while one of these elements is visible. */
export function onReturn(ids: readonly string[], refresh: () => unknown): void {
  let lastMs = nowMs();
  const back = () => {
    if (!isAnyShown(ids) || nowMs() < lastMs + REFRESH_EVERY_MS) return;
    lastMs = nowMs();
    refresh();
  };
  window.addEventListener('focus', back);
  window.addEventListener('mouseover', ({ relatedTarget }) => {
    if (relatedTarget === null) back();
  });
}
