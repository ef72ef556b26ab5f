// Where digests come from: the book of runs with the spreadsheet, and with each person when they last looked.

import type { Platform } from '../../platform/ports';
import { storedJson } from '../stored-json';
import { type Digest, type DigestEntry, digestOf, withRun } from './digest';
import { homeList } from './home-list';

const BOOK_NAME = 'schedule-digest';

/** With the person, for all their spreadsheets. */
const SEEN_NAME = 'schedule-seen';
const SPREADSHEETS_MAX = 100;

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

/** Moments by spreadsheet, with one more; those of the spreadsheets used last stay. */
export function withMoment(
  moments: Readonly<Record<string, number>>,
  home: string,
  atMs: number,
): Readonly<Record<string, number>> {
  const newest = Object.entries({ ...moments, [home]: atMs }).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(newest.slice(0, SPREADSHEETS_MAX));
}

/** @param home names the spreadsheet, as people have several. */
export function digestStore(parts: Parts, home: string): DigestStore {
  const { userStore } = parts;
  const book = homeList<DigestEntry>(parts, BOOK_NAME, home);
  const seen = () => (storedJson(userStore.read(SEEN_NAME)) ?? {}) as Record<string, number>;
  const seenMs = () => Number(seen()[home]) || 0;
  return {
    seenMs,
    lookSince: (sinceMs) => digestOf(book.read(), sinceMs),
    look: () => digestOf(book.read(), seenMs()),
    note: (entry) => book.change((before) => withRun(before, entry)),
    putAway(nowMs) {
      userStore.write(SEEN_NAME, JSON.stringify(withMoment(seen(), home, nowMs)));
    },
  };
}
