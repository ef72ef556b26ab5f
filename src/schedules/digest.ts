// The digest: what happened since a person last looked, how it is stored, and the marked rows to
// show.

import * as z from 'zod/mini';
import { type Failure, isFailure } from '../failures/failure';
import { failureSchema } from '../failures/failure-schema';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { SchedulePlatform } from '../platform/ports';
import {
  bytesOf,
  LIST_BYTES_MAX,
  type Platform,
  type Sheet,
  type SheetPlatform,
} from '../platform/ports';
import { storedAs } from '../platform/stored-record';
import { showRows } from '../runs/show-rows';
import { existingColumns } from '../table/columns';
import { BUYS_MAX } from './change-tracker';
import { marksSince } from './changes';
import { type ZoneOffset, zoneOf } from './recurrence';
import { boundList, identityHere, scheduleStore } from './schedule-store';

/** One run, or several consecutive ones added up; the time is that of the last. */
const digestEntrySchema = lazySchema(() =>
  z.object({
    atMs: z.number(),
    runs: z.number(),
    refreshed: z.number(),
    failed: z.number(),
    calls: z.number(),
    /** The number of lines in the change log. */
    changes: z.number(),
    /** The number of marked products by the text of the rule. */
    marked: z.record(z.string(), z.number()),
    /** Some of the products that became worth buying, each in a line: "B07FZ8S74R US: profit …". */
    buys: z.exactOptional(z.array(z.string())),
    /** The latest reason why a run failed. */
    problem: z.exactOptional(failureSchema()),
  }),
);

export type DigestEntry = Fits<typeof digestEntrySchema>;

/** Newest first. */
export type DigestBook = readonly DigestEntry[];

export interface Digest extends Omit<DigestEntry, 'marked'> {
  readonly sinceMs: number;
  /** `rule` is the value to pass to `showMarked`. */
  readonly marked: readonly {
    readonly words: string;
    readonly count: number;
    readonly rule: string;
  }[];
}

/** Further entries are added up: a person who has missed this many runs wants the totals. */
const ENTRIES_MAX = 40;

/** Adds a run. Old runs are added up and never dropped. */
export function withRun(book: DigestBook, entry: DigestEntry): DigestBook {
  let next: DigestBook = [entry, ...book];
  while (next.length > ENTRIES_MAX || (next.length > 1 && isTooLong(next)))
    next = [...next.slice(0, -2), next.slice(-2).reduce(sumOf)];
  return next;
}

const isTooLong = (book: DigestBook) => bytesOf(JSON.stringify(book)) > LIST_BYTES_MAX;

const COUNTS = ['runs', 'refreshed', 'failed', 'calls', 'changes'] as const;

const productIn = (line: string) => line.slice(0, line.indexOf(':') + 1);

function sumOf(newer: DigestEntry, older: DigestEntry): DigestEntry {
  const marked: Record<string, number> = { ...older.marked };
  for (const [words, count] of Object.entries(newer.marked))
    marked[words] = (marked[words] ?? 0) + count;
  const counts = COUNTS.map((name) => [name, newer[name] + older[name]]);
  const told = [...(newer.buys ?? []), ...(older.buys ?? [])];
  // A product that was reported several times is listed once, with its latest line.
  const isFirst = (line: string, at: number) =>
    told.findIndex((other) => other.startsWith(productIn(line))) === at;
  const buys = told.filter(isFirst).slice(0, BUYS_MAX);
  const sums = { ...older, ...newer, ...Object.fromEntries(counts), marked };
  return { ...sums, ...(buys.length > 0 && { buys }) };
}

/** What happened since; null: nothing. The rule that marked the most rows comes first. */
export function digestOf(book: DigestBook, sinceMs: number): Digest | null {
  const news = book.filter(({ atMs }) => atMs > sinceMs);
  if (news.length === 0) return null;
  const { marked, ...sums } = news.reduce(sumOf);
  const counted = Object.entries(marked).sort(([, one], [, other]) => other - one);
  return {
    ...sums,
    sinceMs: sinceMs || Math.min(...news.map(({ atMs }) => atMs)),
    marked: counted.map(([words, count]) => ({ words, count, rule: words })),
  };
}

const BOOK_NAME = 'schedule-digest';

export const digestKept = () => ({ [BOOK_NAME]: digestEntrySchema() });

/** Stored with the person, for all of their spreadsheets. */
const SEEN_NAME = 'schedule-seen';

const SPREADSHEETS_MAX = 100;

/** By spreadsheet: a moment, ms since 1970. */
export const momentsSchema = lazySchema(() => z.record(z.string(), z.number()));

type Parts = Pick<Platform, 'documentStore' | 'userStore' | 'lock'>;

export interface DigestStore {
  /** Adds a run. Costs two property calls. */
  note(entry: DigestEntry): void;
  /** What this person has not dismissed yet; null: nothing. Costs two property calls. */
  look(): Digest | null;
  /** The same since another moment. Costs one property call. */
  lookSince(sinceMs: number): Digest | null;
  /** When this person dismissed the digest, ms since 1970; 0: never. */
  seenMs(): number;
  putAway(atMs: number): void;
}

/** Adds a moment for a spreadsheet and keeps those of the most recently used spreadsheets. */
export function withMoment(
  moments: Readonly<Record<string, number>>,
  home: string,
  atMs: number,
): Readonly<Record<string, number>> {
  const newest = Object.entries({ ...moments, [home]: atMs }).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(newest.slice(0, SPREADSHEETS_MAX));
}

/** @param home identifies the spreadsheet, since a person may have several. */
export function digestStore(parts: Parts, home: string): DigestStore {
  const { userStore } = parts;
  const book = boundList<DigestEntry>(parts, BOOK_NAME, home, digestEntrySchema);
  const seen = () => storedAs(userStore.read(SEEN_NAME), momentsSchema()) ?? {};
  const seenMs = () => seen()[home] ?? 0;
  return {
    seenMs,
    lookSince: (sinceMs) => digestOf(book.read(), sinceMs),
    look: () => digestOf(book.read(), seenMs()),
    note: (entry) => book.change((before) => withRun(before, entry)),
    putAway(atMs) {
      userStore.write(SEEN_NAME, JSON.stringify(withMoment(seen(), home, atMs)));
    },
  };
}

/** Headers are searched for in this many rows. */
const HEADER_ROWS_MAX = 20;

/** The number of columns that are searched. */
const COLUMNS_MAX = 200;

/**
 * Selects the rows marked since a moment, on the sheet that has the most of them, and returns their
 * number.
 *
 * @param words the text of the rule.
 */
export function showMarked(
  platform: SheetPlatform,
  sheetIds: readonly number[],
  words: string,
  sinceMs: number,
  zone: ZoneOffset,
): number | Failure {
  const nowMs = platform.clock.nowMs();
  const found = [...new Set(sheetIds)].flatMap((id) => {
    const sheet = platform.spreadsheet.sheet(id);
    if (sheet === null) return [];
    const cells = markCells(sheet);
    const rows = cells.flatMap(({ row, cell }) =>
      marksSince(cell, words, sinceMs, nowMs, zone) ? [row] : [],
    );
    return rows.length === 0 ? [] : [{ id, rows }];
  });
  const [most] = found.sort((one, other) => other.rows.length - one.rows.length);
  return most === undefined ? 0 : showRows(platform, most.id, most.rows);
}

/** The cells below the header "What changed"; none if there is no such column. */
function markCells(sheet: Sheet) {
  const size = sheet.size();
  if (size === null || size.lastRow === 0) return [];
  const rowCount = Math.min(HEADER_ROWS_MAX, size.lastRow);
  const columnCount = Math.min(COLUMNS_MAX, size.lastColumn);
  const top = sheet.values({ row: 1, column: 1, rowCount, columnCount }) ?? [];
  for (const [at, titles] of top.entries()) {
    const column = existingColumns(titles, ['change'], () => false).get('change')?.column;
    if (column === undefined) continue;
    const rows = size.lastRow - at - 1;
    const area = { row: at + 2, column, rowCount: rows, columnCount: 1 };
    const cells = rows === 0 ? [] : (sheet.values(area) ?? []);
    return cells.map(([cell], down) => ({ row: at + 2 + down, cell }));
  }
  return [];
}

export interface DigestHere {
  /** What this person has not dismissed yet; null: nothing. */
  look(): Digest | null;
  /** Dismisses what happened up to this moment, left out: up to now. */
  putAway(atMs?: number): void;
  /** Selects the rows that a rule with this text has marked since, and returns their number. */
  show(words: string): number | Failure;
}

export function digestHere(platform: SchedulePlatform): DigestHere {
  const store = digestStore(platform, identityHere(platform));
  return {
    look: store.look,
    putAway: (atMs = platform.clock.nowMs()) => store.putAway(atMs),
    show(words) {
      const all = scheduleStore(platform).read();
      if (isFailure(all)) return all;
      const tasks = (all?.list ?? []).map(({ settings }) => settings.task);
      const sheetIds = tasks.flatMap((task) => (task.kind === 'list' ? [task.sheetId] : []));
      const { timeZone = 'Etc/UTC' } = platform.spreadsheet.place() ?? {};
      const zone = zoneOf(platform.zones, timeZone);
      return showMarked(platform, sheetIds, words, store.seenMs(), zone);
    },
  };
}
