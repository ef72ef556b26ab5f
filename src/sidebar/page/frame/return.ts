// Looks again for who comes back from the sheet: another one may be in view, or have changed.
import { useEffect } from 'preact/hooks';

/** Whoever goes to and fro between sheet and sidebar asks no more often than this. */
const REFRESH_EVERY_MS = 3_000;

/** @param titleId the heading of the page: while it is not seen, nothing is asked. */
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
