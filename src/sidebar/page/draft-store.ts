// Keeps what was typed, never a key, for when the sidebar is closed and opened again.

export interface TextStore {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** JSON under the name of the page that keeps it; what is read back has to be looked through. */
export interface DraftStore {
  read(name: string): unknown;
  write(name: string, draft: unknown): void;
  forget(name: string): void;
}

const PREFIX = 'product-analysis.';

/**
 * `open` may throw: a sandboxed frame without an origin has no storage and says so by throwing.
 * Then nothing is kept, and nothing else changes.
 */
export function createDraftStore(open: () => TextStore): DraftStore {
  const attempt = <Value>(act: (store: TextStore) => Value, otherwise: Value): Value => {
    try {
      return act(open());
    } catch {
      return otherwise;
    }
  };
  return {
    read: (name) =>
      attempt<unknown>((store) => JSON.parse(store.getItem(PREFIX + name) ?? 'null'), null),
    write: (name, draft) =>
      attempt((store) => store.setItem(PREFIX + name, JSON.stringify(draft)), undefined),
    forget: (name) => attempt((store) => store.removeItem(PREFIX + name), undefined),
  };
}
