// Where digests come from: the book of runs with the spreadsheet, and with each person when they last looked.

import type { Platform } from '../../platform/ports';
import { storedJson, storedList } from '../stored-json';
import { type Digest, type DigestEntry, digestOf, withRun } from './digest';

const BOOK_NAME = 'schedule-digest';

/** With the person, for all their spreadsheets. */
const SEEN_NAME = 'schedule-seen';
const SPREADSHEETS_MAX = 100;

/** Two property calls; whoever holds the lock longer is dead. */
const LOCK_WAIT_MS = 10_000;

type Parts = Pick<Platform, 'documentStore' | 'userStore' | 'lock'>;

export interface DigestStore {
  /** After a run. Two property calls. */
  note(entry: DigestEntry): void;
  /** null: nothing that this person has not put away. Two property calls. */
  look(): Digest | null;
  /** The same since another moment. One property call. */
  lookSince(sinceMs: number): Digest | null;
  /** When this person put the digest away; 0: never. */
  seenMs(): number;
  putAway(nowMs: number): void;
}

/** @param home names the spreadsheet, as people have several. */
export function digestStore({ documentStore, userStore, lock }: Parts, home: string): DigestStore {
  const book = () => storedList<DigestEntry>(documentStore.read(BOOK_NAME));
  const seen = () => (storedJson(userStore.read(SEEN_NAME)) ?? {}) as Record<string, number>;
  const seenMs = () => Number(seen()[home]) || 0;
  return {
    seenMs,
    lookSince: (sinceMs) => digestOf(book(), sinceMs),
    look: () => digestOf(book(), seenMs()),
    note(entry) {
      const add = () => documentStore.write(BOOK_NAME, JSON.stringify(withRun(book(), entry)));
      // Better counted beside another than not at all.
      if (!lock.run(LOCK_WAIT_MS, add).held) add();
    },
    putAway(nowMs) {
      const others = Object.entries(seen()).filter(([name]) => name !== home);
      const newest = others.sort(([, one], [, other]) => other - one);
      const kept = [[home, nowMs] as const, ...newest].slice(0, SPREADSHEETS_MAX);
      userStore.write(SEEN_NAME, JSON.stringify(Object.fromEntries(kept)));
    },
  };
}
