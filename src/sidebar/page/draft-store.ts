// Keeps what was typed, never the key, for when the sidebar is closed and opened again.
import { type ConnectionForm, EMPTY_FORM } from './connection/form';
import { settingsFormFrom } from './connection/settings';

export interface TextStore {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

export interface DraftStore {
  read(): ConnectionForm | null;
  write(form: ConnectionForm): void;
  forget(): void;
}

const NAME = 'product-analysis.connection-form';

function formFrom(text: string | null): ConnectionForm | null {
  const kept: unknown = JSON.parse(text ?? 'null');
  if (typeof kept !== 'object' || kept === null) return null;
  const of = (field: keyof ConnectionForm): unknown => Reflect.get(kept, field);
  const perSeconds = of('perSeconds');
  return {
    ...settingsFormFrom(of),
    baseUrl: typeof of('baseUrl') === 'string' ? String(of('baseUrl')) : EMPTY_FORM.baseUrl,
    calls: typeof of('calls') === 'string' ? String(of('calls')) : EMPTY_FORM.calls,
    perSeconds: typeof perSeconds === 'number' ? perSeconds : EMPTY_FORM.perSeconds,
    findOut: of('findOut') === true,
    sharing: of('sharing') === 'spreadsheet' ? 'spreadsheet' : 'me',
  };
}

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
    read: () => attempt((store) => formFrom(store.getItem(NAME)), null),
    write: (form) => attempt((store) => store.setItem(NAME, JSON.stringify(form)), undefined),
    forget: () => attempt((store) => store.removeItem(NAME), undefined),
  };
}
