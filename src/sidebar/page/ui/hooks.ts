// Hooks that several pages use: focus, kept input, and the return to the window.

import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { DraftStore } from './page';

/** Each new object is a new request; the same object is followed once. */
export interface FocusRequest {
  /** The id of an element. */
  readonly to: string;
}

export function useFocus(wish: FocusRequest | null): void {
  useLayoutEffect(() => {
    if (wish !== null) document.getElementById(wish.to)?.focus();
  }, [wish]);
}

/** @param value null: nothing is kept any more. */
export function useKept(drafts: DraftStore, name: string, value: unknown): void {
  // Stores before the next paint, so that a choice survives even if the sidebar is closed at once.
  useLayoutEffect(() => {
    if (value === null) drafts.forget(name);
    else drafts.write(name, value);
  }, [drafts, name, value]);
}

/** A person who switches between sheet and sidebar causes a refresh at most this often. */
const REFRESH_EVERY_MS = 3_000;

/**
 * @param titleId an element of the page that depends on the sheet; while it is not visible, nothing
 * is refreshed.
 */
export function useReturn(
  titleId: string,
  isWished: boolean,
  nowMs: () => number,
  refresh: () => Promise<void>,
): void {
  useEffect(() => {
    let askedMs = nowMs();
    const onFocus = (): void => {
      const isShown = document.getElementById(titleId)?.checkVisibility() === true;
      if (!isWished || !isShown || nowMs() < askedMs + REFRESH_EVERY_MS) return;
      askedMs = nowMs();
      void refresh();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [titleId, isWished, nowMs, refresh]);
}
