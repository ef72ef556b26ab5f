// A spreadsheet with its own store, which people open who each have a store of theirs.

import { createHash } from 'node:crypto';
import type { ConnectionDraft } from '../../src/connection/connection';
import { type ConnectionStore, connectionStore } from '../../src/connection/connection-store';
import type { Cache } from '../../src/google/platform';
import { freeLock, type MemoryStore, memoryStore } from '../memory-store';

const digest = {
  sha256Hex: (text: string) => createHash('sha256').update(text).digest('hex'),
};
/** Runs are told by it: that too is for the doors. */
const cache: Cache = { getAll: () => ({}), putAll: () => true };

/** Marks of owners: a new one for everybody. */
let marks = 0;
const random = {
  next: () => {
    marks += 1;
    return marks / 1_000;
  },
};
export const ALICES = 'sk-live-alice-0001';
export const BOBS = 'sk-live-bob-000002';

export const draft = (more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  baseUrl: 'https://api.example.com',
  apiKey: ALICES,
  quota: { calls: 5, perSeconds: 1, burst: 10 },
  sharing: 'me',
  ...more,
});

export interface Spreadsheet {
  readonly documentStore: MemoryStore;
  /** The connections as a person sees them who opens this spreadsheet. */
  open(userStore: MemoryStore): OpenedStore;
}

type OpenedStore = Omit<ConnectionStore, 'save'> & {
  save(draft: ConnectionDraft): ReturnType<ConnectionStore['save']>;
};

export function spreadsheet(): Spreadsheet {
  const documentStore = memoryStore();
  return {
    documentStore,
    open(userStore) {
      const store = connectionStore({
        ...{ userStore, documentStore, lock: freeLock, hasher: digest, cache, random },
        spreadsheetId: () => 'sheet-1',
      });
      return { ...store, save: (draft) => store.save(draft, false) };
    },
  };
}

export function keyOf(stored: ReturnType<ConnectionStore['forCells']>): string {
  return stored.kind === 'connection' ? stored.connection.apiKey : stored.kind;
}

export const recordOf = (store: MemoryStore) => store.values.get('connection');
