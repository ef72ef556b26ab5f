// Moves the focus where a page's state wants it, before the next paint.
import { useLayoutEffect } from 'preact/hooks';

/** A new object is a new wish; the same one is obeyed once. */
export interface FocusWish {
  /** The id of an element. */
  readonly to: string;
}

export function useFocus(wish: FocusWish | null): void {
  useLayoutEffect(() => {
    if (wish !== null) document.getElementById(wish.to)?.focus();
  }, [wish]);
}
