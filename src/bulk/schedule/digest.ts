// What happened while nobody looked: runs added up since a person put the last digest away. Pure.

import type { Failure } from '../../analysis/failure';
import { bytesOf } from '../../analysis/lines';

/** One run, or several that followed each other; the moment is that of the last. */
export interface DigestEntry {
  readonly atMs: number;
  readonly runs: number;
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** Lines in the change log. */
  readonly changes: number;
  /** Products that a rule marked, by its words. */
  readonly marked: Readonly<Record<string, number>>;
  /** Why a run came to nothing, the latest. */
  readonly problem?: Failure;
}

/** The newest first. */
export type DigestBook = readonly DigestEntry[];

export interface Digest extends Omit<DigestEntry, 'atMs' | 'marked'> {
  readonly sinceMs: number;
  /** `rule` is what `showMarked` takes. */
  readonly marked: readonly {
    readonly words: string;
    readonly count: number;
    readonly rule: string;
  }[];
}

/** A property holds 9 KB. */
const BYTES_MAX = 8_900;

/** More are added up: who has not looked for so many runs wants to know the sum. */
const ENTRIES_MAX = 40;

/** The book with one more run in it. Old runs are added up, never dropped. */
export function withRun(book: DigestBook, entry: DigestEntry): DigestBook {
  let next: DigestBook = [entry, ...book];
  while (next.length > ENTRIES_MAX || (next.length > 1 && isTooLong(next)))
    next = [...next.slice(0, -2), next.slice(-2).reduce(sumOf)];
  return next;
}

const isTooLong = (book: DigestBook) => bytesOf(JSON.stringify(book)) > BYTES_MAX;

const COUNTS = ['runs', 'refreshed', 'failed', 'calls', 'changes'] as const;

function sumOf(newer: DigestEntry, older: DigestEntry): DigestEntry {
  const marked: Record<string, number> = { ...older.marked };
  for (const [words, count] of Object.entries(newer.marked))
    marked[words] = (marked[words] ?? 0) + count;
  const counts = COUNTS.map((name) => [name, newer[name] + older[name]]);
  return { ...older, ...newer, ...Object.fromEntries(counts), marked };
}

/** null: nothing happened since. What most rows were marked for comes first. */
export function digestOf(book: DigestBook, sinceMs: number): Digest | null {
  const news = book.filter(({ atMs }) => atMs > sinceMs);
  if (news.length === 0) return null;
  const { atMs: _, marked, ...sums } = news.reduce(sumOf);
  const counted = Object.entries(marked).sort(([, one], [, other]) => other - one);
  return {
    ...sums,
    sinceMs: sinceMs > 0 ? sinceMs : Math.min(...news.map(({ atMs }) => atMs)),
    marked: counted.map(([words, count]) => ({ words, count, rule: words })),
  };
}
