// The digest: the lines of the change log since a person last looked, and the rows they are about.

import * as z from 'zod/mini';
import { keyOfProduct } from '../analysis/analysis-row';
import { analysisRows } from '../analysis/analysis-tab';
import { type LogLine, loggedLines, readLog, rulesIn } from '../analysis/changes';
import { identityHere } from '../connection/connection-store';
import { type Failure, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { allSheets } from '../google/spreadsheet';
import { listRows } from '../list/rows';
import { showRows } from '../list/show-rows';
import { taggedLists } from '../list/tagged-list';
import { productKey } from '../product/asin';
import { TITLES } from '../product/fields';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { BUY } from './verdicts';

/** How many products that became worth buying are named; further ones are only counted. */
const BUYS_MAX = 5;

export interface NewsDigest {
  readonly sinceMs: number;
  /** When the newest of the lines was written. */
  readonly atMs: number;
  /** How many lines were logged since, also those that the log no longer has. */
  readonly changes: number;
  /** How many products each rule has marked, the rule with the most first. */
  readonly marked: readonly { readonly rule: string; readonly count: number }[];
  /** Some of the products that became worth buying. "B07FZ8S74R US, was Skip" */
  readonly buys: readonly string[];
}

/** The products that a rule has marked. */
export function productsMarked(lines: readonly LogLine[], rule: string): ReadonlySet<string> {
  const met = lines.filter((line) => rulesIn(line.marked).includes(rule));
  return new Set(met.map(keyOfProduct));
}

/**
 * @param lines the newest first.
 * @param logged how many were ever logged.
 * @returns null if none has come since the person looked.
 */
export function digestOf(
  lines: readonly LogLine[],
  { atMs: sinceMs, lines: before }: Seen,
  logged: number,
): NewsDigest | null {
  const news = lines.filter(({ atMs }) => atMs > sinceMs);
  const moments = news.map(({ atMs }) => atMs);
  if (news.length === 0) return null;
  const rules = [...new Set(news.flatMap(({ marked }) => rulesIn(marked)))];
  const counted = rules.map((rule) => ({ rule, count: productsMarked(news, rule).size }));
  const bought = new Map<string, LogLine>();
  // A product that became a Buy several times is named once, as it was the last time.
  for (const line of news.filter(isBuy))
    if (!bought.has(keyOfProduct(line))) bought.set(keyOfProduct(line), line);
  return {
    sinceMs: sinceMs || Math.min(...moments),
    atMs: Math.max(...moments),
    // A count that was lost begins anew.
    changes: Math.max(news.length, logged - before),
    marked: counted.sort((a, b) => b.count - a.count),
    buys: [...bought.values()].slice(0, BUYS_MAX).map(buyText),
  };
}

const isBuy = ({ figure, after }: LogLine): boolean => figure === TITLES.verdict && after === BUY;

const buyText = ({ asin, market, before }: LogLine): string => `${asin} ${market}, was ${before}`;

/** Stored with the person, for all of their spreadsheets. */
const SEEN_NAME = 'schedule-seen';

const SPREADSHEETS_MAX = 100;

/** Up to which moment, ms since 1970, and how many lines had been logged by then. */
const seenSchema = lazySchema(() => z.object({ atMs: z.number(), lines: z.number() }));

type Seen = Fits<typeof seenSchema>;

/** By spreadsheet. */
type SeenEverywhere = Readonly<Record<string, Seen>>;

/** Adds what was seen of a spreadsheet, and keeps the most recently used spreadsheets. */
export function withSeen(all: SeenEverywhere, home: string, seen: Seen): SeenEverywhere {
  const newest = Object.entries({ ...all, [home]: seen }).sort(([, a], [, b]) => b.atMs - a.atMs);
  return Object.fromEntries(newest.slice(0, SPREADSHEETS_MAX));
}

const seenEverywhere = ({ userStore }: Pick<Platform, 'userStore'>): SeenEverywhere =>
  storedAs(userStore.read(SEEN_NAME), z.record(z.string(), seenSchema())) ?? {};

/**
 * What this person has seen of the log.
 *
 * @param home identifies the spreadsheet.
 */
const seenOf = (parts: Pick<Platform, 'userStore'>, home: string): Seen =>
  seenEverywhere(parts)[home] ?? { atMs: 0, lines: 0 };

/** What is news to this person. */
export const digestHere = (platform: Platform, home: string): NewsDigest | null =>
  digestOf(readLog(), seenOf(platform, home), loggedLines(platform.documentStore));

/** Notes that this person has seen what was logged up to this moment. */
export function noteSeen(
  parts: Pick<Platform, 'userStore' | 'documentStore'>,
  home: string,
  atMs: number,
): void {
  // What has come since the person looked is of the newest day, which the log has whole.
  const later = readLog().filter((line) => line.atMs > atMs).length;
  const lines = loggedLines(parts.documentStore) - later;
  const all = withSeen(seenEverywhere(parts), home, { atMs, lines });
  parts.userStore.write(SEEN_NAME, JSON.stringify(all));
}

/**
 * Selects the rows on the sheet whose lists have most of them, and returns their number.
 *
 * @param rule the rule's words.
 */
export function showMarked(platform: Platform, rule: string): number | Failure {
  const { atMs: sinceMs } = seenOf(platform, identityHere(platform));
  const news = readLog().filter(({ atMs }) => atMs > sinceMs);
  const products = productsMarked(news, rule);
  const tabRows = analysisRows(platform.clock);
  if (isFailure(tabRows)) return tabRows;
  const found = allSheets().map((sheet) => {
    const rows = taggedLists(sheet).flatMap((list) => listRows(list, tabRows) ?? []);
    const isMarked = ({ content }: (typeof rows)[number]) =>
      content.kind === 'product' && products.has(productKey(content.product));
    return { sheet, rows: rows.filter(isMarked).map(({ row }) => row) };
  });
  const [most] = found.sort((a, b) => b.rows.length - a.rows.length);
  return most === undefined || most.rows.length === 0 ? 0 : showRows(most.sheet, most.rows);
}
