// Keeps what a page wants to have again when the sidebar is opened the next time.
import { useLayoutEffect } from 'preact/hooks';
import type { DraftStore } from '../draft-store';

/** @param value null: there is nothing to be kept any more. */
export function useKept(drafts: DraftStore, name: string, value: unknown): void {
  // Before the next paint: who chooses and closes at once keeps what was chosen, too.
  useLayoutEffect(() => {
    if (value === null) drafts.forget(name);
    else drafts.write(name, value);
  }, [drafts, name, value]);
}
