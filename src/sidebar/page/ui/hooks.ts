// Hooks that pages share: the focus, what is kept for the next time, coming back to the window.

import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { DraftStore } from './page';

/** A new object is a new wish; the same one is obeyed once. */
export interface FocusRequest {
  /** The id of an element. */
  readonly to: string;
}

export function useFocus(wish: FocusRequest | null): void {
  useLayoutEffect(() => {
    if (wish !== null) document.getElementById(wish.to)?.focus();
  }, [wish]);
}

/** @param value null: there is nothing to be kept any more. */
export function useKept(drafts: DraftStore, name: string, value: unknown): void {
  // Before the next paint: who chooses and closes at once keeps what was chosen, too.
  useLayoutEffect(() => {
    if (value === null) drafts.forget(name);
    else drafts.write(name, value);
  }, [drafts, name, value]);
}

/** Whoever goes to and fro between sheet and sidebar asks no more often than this. */
const REFRESH_EVERY_MS = 3_000;

/** @param titleId the heading of the page, or what else tells of the sheet: while it is not seen, nothing is asked. */
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
