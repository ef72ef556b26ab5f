// Collects the changes that a scheduled run finds, for the rows, the log and the digest.

import * as z from 'zod/mini';
import type { Reading } from '../cache/entries';
import { type Failure, isFailure } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Area, Cache, Sheet, SheetCell, SheetPlatform } from '../platform/ports';
import { storedItems } from '../platform/stored-record';
import type { Analysis } from '../product/analysis';
import { type Product, productOfKey } from '../product/asin';
import { DEAL_TITLES, suffixOf, titlesOfOurs } from '../product/deal-formulas';
import { becameBuy, type RulesInUse } from '../product/deal-rules';
import { roiUnitOf } from '../product/estimate';
import { FIELDS, type Field, type FieldValue, ruleWords } from '../product/fields';
import { marketRow } from '../product/market';
import type { Listed } from '../runs/preflight';
import type { ChangeHooks } from '../runs/worker-state';
import { type KnownColumn, sideBySide } from '../table/columns';
import { identityOf, isMisplaced, type Row } from '../table/row';
import { type LogLine, logChanges, logLineSchema } from './change-log';
import {
  type Change,
  type ChangeRule,
  changesBetween,
  crossedRules,
  type FieldValues,
  markText,
} from './changes';
import type { ZoneOffset } from './recurrence';

interface ShownFigures {
  /** Values as they are in the sheet, with ROI in the unit of its answer. */
  readonly values: FieldValues;
  /** When the values were fetched, ms since 1970. */
  readonly atMs: number;
}

/**
 * The figures that rows show, by product key; of several rows with one product, the oldest. A row
 * counts if its status says that the figures belong to its product. Costs one call for each group
 * of adjacent columns.
 *
 * @param sinceMs earlier figures are left out, because they were read differently or with another
 * key.
 */
export function shownFigures(
  sheet: Sheet,
  rows: readonly Row[],
  columns: readonly KnownColumn[],
  fields: readonly Field[],
  sinceMs: number,
): ReadonlyMap<string, ShownFigures> {
  const telling = rows.filter(
    (row) => row.status.kind === 'ok' && !isMisplaced(row) && (row.atMs ?? 0) >= sinceMs,
  );
  if (telling.length === 0) return new Map();
  const first = Math.min(...telling.map(({ row }) => row));
  const rowCount = Math.max(...telling.map(({ row }) => row)) - first + 1;
  const cellIn = reader(sheet, { row: first, rowCount }, columns, fields);
  const oldestLast = [...telling].sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  return new Map(
    oldestLast.map((row) => {
      const pairs = fields.map((field) => [field, figureOf(field, cellIn(field, row.row - first))]);
      return [identityOf(row), { values: Object.fromEntries(pairs), atMs: row.atMs ?? 0 }];
    }),
  );
}

function reader(
  sheet: Sheet,
  place: Pick<Area, 'row' | 'rowCount'>,
  columns: readonly KnownColumn[],
  fields: readonly Field[],
): (field: Field, down: number) => SheetCell | undefined {
  const wanted = columns.filter(({ key }) => fields.some((field) => field === key));
  const cells = new Map<string, readonly (SheetCell | undefined)[]>();
  for (const group of sideBySide(wanted)) {
    const column = group[0]?.column ?? 1;
    const rows = sheet.values({ ...place, column, columnCount: group.length }) ?? [];
    for (const [at, { key }] of group.entries())
      cells.set(
        key,
        rows.map((row) => row[at]),
      );
  }
  return (field, down) => cells.get(field)?.[down];
}

/** The figure in a cell; undefined if somebody has replaced it with something else. */
function figureOf(field: Field, cell: SheetCell | undefined): FieldValue | undefined {
  if (typeof cell === 'number') return cell;
  const isWord = typeof cell === 'boolean' || (typeof cell === 'string' && cell !== '');
  return field === 'eligible' && isWord ? cell : undefined;
}

/**
 * The profits of each product's offers after the buyer's own costs; null: the list has no such
 * column.
 */
export function ownProfits(
  { sheet, columns, titles, headerRow, lastRow }: Listed,
  rows: readonly Row[],
): ReadonlyMap<string, readonly number[]> | null {
  const column =
    titlesOfOurs(DEAL_TITLES.myProfit, suffixOf(columns))
      .map((title) => titles.indexOf(title) + 1)
      .find((at) => at > 0) ?? 0;
  if (column === 0) return null;
  const area = { row: headerRow + 1, column, rowCount: lastRow - headerRow, columnCount: 1 };
  const cells = sheet.values(area) ?? [];
  const found = new Map<string, readonly number[]>();
  for (const row of rows) {
    const [cell] = cells[row.row - area.row] ?? [];
    const key = identityOf(row);
    if (typeof cell === 'number') found.set(key, [...(found.get(key) ?? []), cell]);
  }
  return found;
}

/** The longest time that Google's cache keeps a value. The clock fires long before it ends. */
const TTL_SECONDS = 21_600;

/**
 * Cache values for pending changes; a run that cannot log its changes uses one after the other.
 * When all are used, further changes are lost.
 */
const VALUES = 128;

/** A cache value holds 100 KB, and the changes of one product take 1.5 KB at most. */
const NEWS_PER_VALUE = 50;

export interface Outbox<News> {
  /** The changes that earlier runs have left. Costs one cache call. */
  read(): readonly News[];
  /** Adds changes of this run that were not added before. Costs one cache call. */
  add(news: readonly News[]): void;
  /** Clears the outbox after everything was logged. Costs one cache call if there was anything. */
  clear(): void;
}

/** @param id identifies the schedule, which never runs twice at the same time. */
function outbox<News>(cache: Cache, id: string, item: () => z.ZodMiniType<News>): Outbox<News> {
  const names = Array.from({ length: VALUES }, (_, at) => `untold:${id}:${at}`);
  let used: readonly string[] = [];
  return {
    read() {
      const texts = cache.getAll(names);
      used = names.filter((name) => (texts[name] ?? '') !== '');
      return used.flatMap((name) => storedItems(texts[name], item()));
    },
    add(news) {
      const free = names.filter((name) => !used.includes(name));
      const values = free.flatMap((name, at) => {
        const some = news.slice(at * NEWS_PER_VALUE, (at + 1) * NEWS_PER_VALUE);
        return some.length === 0 ? [] : [[name, JSON.stringify(some)] as const];
      });
      if (values.length === 0) return;
      cache.putAll(Object.fromEntries(values), TTL_SECONDS);
      used = [...used, ...values.map(([name]) => name)];
    },
    clear() {
      if (used.length === 0) return;
      cache.putAll(Object.fromEntries(used.map((name) => [name, ''])), TTL_SECONDS);
      used = [];
    },
  };
}

export interface ChangeKeeperOptions {
  readonly platform: Pick<
    SheetPlatform,
    'spreadsheet' | 'documentStore' | 'cache' | 'lock' | 'clock'
  >;
  /** The id of the schedule. */
  readonly id: string;
  /**
   * The fingerprint of the connection in use. Figures obtained with another one are not compared.
   */
  readonly fingerprint: string;
  readonly reading?: Reading;
  /** The fields to log. Fields of the rules are logged as well. */
  readonly fields: readonly Field[];
  readonly rules: readonly ChangeRule[];
  /** The rules that decide what is worth buying; null: not asked for, or unknown. */
  readonly dealRules: RulesInUse | null;
  readonly zone: ZoneOffset;
}

/** How many are named; further ones are only counted. */
export const BUYS_MAX = 5;

const BUY_CHARS_MAX = 160;

export interface ChangeReport {
  /** The number of lines in the change log. */
  readonly changes: number;
  /** The number of marked products by the text of the rule. */
  readonly marked: Readonly<Record<string, number>>;
  /** The first products that are now worth buying, each in one line. */
  readonly buys: readonly string[];
  /** Why the changes are not in the log. Everything else of the run is complete. */
  readonly problem?: Failure;
}

export interface ChangeTracker extends ChangeHooks {
  /** The fields to compare: those that are logged and those of the rules. */
  readonly fields: readonly Field[];
  /**
   * What the rows show before the run writes them, by product key. Each call replaces what an
   * earlier one gave.
   */
  compareWith(
    shown: ReadonlyMap<string, ShownFigures>,
    profits: ReadonlyMap<string, readonly number[]> | null,
  ): void;
  finish(): ChangeReport;
}

/** The changes of one product, as plain JSON because they are cached. */
const newsSchema = lazySchema(() =>
  z.object({
    atMs: z.number(),
    lines: z.array(logLineSchema()),
    words: z.array(z.string()),
    /** A line that says that the product is now worth buying. */
    buy: z.optional(z.nullable(z.string())),
  }),
);

type News = Fits<typeof newsSchema>;

const productNewsSchema = lazySchema(() => z.tuple([z.string(), newsSchema()]));

type ProductNews = Fits<typeof productNewsSchema>;

/**
 * Makes a tracker. A run makes it before its first answer, which costs a property call, and then
 * calls
 * 0. `compareWith(shown)` when its rows are chosen and before they are marked;
 * 1. `take(answers)` wherever answers arrive, including those from the cache (a worker's
 * `onAnswers`);
 * 2. `hold()` before answers are stored or written, so that a run that is cut off loses no changes;
 * 3. `markOf(productKey)` when a row is written: unless undefined, it is the text of the column
 * `change`;
 * 4. `finish()` once, after the last write. It writes the log, which takes about 3 s.
 */
export function changeKeeper(options: ChangeKeeperOptions): ChangeTracker {
  const { platform, rules, dealRules, zone } = options;
  const none: ReadonlyMap<string, Analysis> = new Map();
  const before = { find: () => none, findKnown: () => none };
  const logged = FIELDS.filter((field) => options.fields.includes(field) || concerns(rules, field));
  // A decision depends on every field.
  const fields = dealRules === null ? logged : FIELDS;
  const news = new Map<string, News>();
  const waiting = outbox<ProductNews>(platform.cache, options.id, productNewsSchema);
  let unheld = new Set<string>();
  let left: Map<string, News> | undefined;
  let shown: ReadonlyMap<string, ShownFigures> = new Map();
  let profits: ReadonlyMap<string, readonly number[]> | null = null;

  /** The changes of runs that were cut off. */
  function leftNews(): ReadonlyMap<string, News> {
    if (left !== undefined) return left;
    left = new Map();
    for (const [key, one] of waiting.read()) left.set(key, joined(one, left.get(key)));
    return left;
  }

  function newsOf(key: string): News | undefined {
    const [own, older] = [news.get(key), leftNews().get(key)];
    return own === undefined ? older : joined(own, older);
  }

  return {
    fields,
    compareWith(figures, own) {
      shown = figures;
      profits = own;
    },
    take(answers) {
      const analyses = [...answers].flatMap(([key, answer]) =>
        answer.ok ? [[key, answer.analysis] as const] : [],
      );
      if (analyses.length === 0) return;
      leftNews();
      const [olds, known] = [before.find(), before.findKnown()];
      const atMs = platform.clock.nowMs();
      for (const [key, analysis] of analyses) {
        const [seen, product] = [shown.get(key), productOfKey(key)];
        // A run that was cut off may have written a row without storing its answer.
        const old = olds.get(key) ?? (seen && { ...analysis, fetchedAtMs: 0 });
        if (old === undefined || product === null) continue;
        const row = otherRow(seen, old);
        const last = { old, known: known.get(key) ?? old, shown: row?.values ?? {} };
        const compared = comparable(last.known, analysis, fields);
        const was = beforeOf(last, analysis, compared);
        const changes = changesBetween(
          valuesOf(was, compared, last.known),
          valuesOf(analysis, compared),
        );
        const own = profits && (profits.get(key) ?? []);
        const { sign } = marketRow(product.market);
        const buy = dealRules && becameBuy(was, analysis, own, dealRules, sign);
        if (changes.length === 0 && !buy) continue;
        const boughtWords = buy ? [ruleWords(BECAME_BUY)] : [];
        const wordsOf = (some: readonly Change[]) => [
          ...crossedRules(rules, some).map(ruleWords),
          ...boughtWords,
        ];
        const roiIsFraction = roiUnitOf(analysis) !== undefined;
        const lines = changes
          .filter(({ field }) => logged.includes(field))
          .map((change) => ({
            ...change,
            ...{ atMs, product, roiIsFraction, sinceMs: row?.atMs ?? old.fetchedAtMs },
            marked: wordsOf([change]).join('; '),
          }));
        if (!news.has(key)) unheld.add(key);
        news.set(key, {
          atMs,
          lines,
          words: wordsOf(changes),
          buy: buy && lineOf(product, buy),
        });
      }
    },
    hold() {
      if (unheld.size === 0) return;
      waiting.add([...news].filter(([key]) => unheld.has(key)));
      unheld = new Set();
    },
    markOf(productKey) {
      const { atMs, words } = newsOf(productKey) ?? { atMs: 0, words: [] };
      return words.length === 0 ? undefined : markText(words, atMs, zone);
    },
    finish() {
      const marked: Record<string, number> = {};
      const keys = new Set([...news.keys(), ...leftNews().keys()]);
      const all = [...keys].flatMap((key) => newsOf(key) ?? []);
      for (const { words } of all) for (const one of words) marked[one] = (marked[one] ?? 0) + 1;
      const logged = logChanges(
        platform,
        all.flatMap(({ lines }) => lines),
      );
      waiting.clear();
      const buys = all.flatMap(({ buy }) => buy ?? []).slice(0, BUYS_MAX);
      const came = isFailure(logged) ? { problem: logged } : { changes: logged };
      return { changes: 0, marked, buys, ...came };
    },
  };
}

/**
 * Merges two findings about one product. If the earlier run did not get far enough to log its
 * changes, both contain some of them, and each is listed once.
 */
function joined(newer: News, older: News | undefined): News {
  if (older === undefined) return newer;
  const isNew = (line: LogLine) =>
    newer.lines.every(({ field, before }) => field !== line.field || before !== line.before);
  return {
    atMs: newer.atMs,
    lines: [...newer.lines, ...older.lines.filter(isNew)],
    words: [...new Set([...newer.words, ...older.words])],
    buy: newer.buy ?? older.buy,
  };
}

const BECAME_BUY = { kind: 'became-buy' } as const;

function concerns(rules: readonly ChangeRule[], field: Field): boolean {
  return rules.some((rule) => field === ('field' in rule ? rule.field : 'eligible'));
}

/** Stored times are rounded to the second. */
const SECOND_MS = 1_000;

/** What the row shows if it does not come from the stored answer. */
function otherRow(shown: ShownFigures | undefined, kept: Analysis): ShownFigures | undefined {
  return shown && Math.abs(shown.atMs - kept.fetchedAtMs) > SECOND_MS ? shown : undefined;
}

interface Last {
  readonly old: Analysis;
  /** The old analysis with each missing figure replaced by its last known value. */
  readonly known: Analysis;
  /** Takes precedence over the stored analysis. */
  readonly shown: FieldValues;
}

/**
 * The fields that can be compared. If only one of the two units of ROI is known, ROI may differ by
 * a factor of 100.
 */
function comparable(known: Analysis, now: Analysis, fields: readonly Field[]): readonly Field[] {
  const isRoiAlike = (roiUnitOf(known) === undefined) === (roiUnitOf(now) === undefined);
  return fields.filter((field) => field !== 'roi' || isRoiAlike);
}

function beforeOf({ old, known, shown }: Last, now: Analysis, fields: readonly Field[]): Analysis {
  // A figure that has disappeared is reported once, by the first answer without it.
  const lastOf = (field: Field) =>
    shown[field] ?? (now.figures[field] === null ? old : known).figures[field];
  const last = fields.map((field) => [field, lastOf(field)]);
  return { ...known, figures: { ...known.figures, ...Object.fromEntries(last) } };
}

/** The line for a product that is now worth buying. */
const lineOf = ({ asin, market }: Product, buy: string): string =>
  `${asin} ${market}: ${buy}`.slice(0, BUY_CHARS_MAX);

/** Values with ROI as a fraction if its unit is known, because rules are in fractions. */
function valuesOf(analysis: Analysis, fields: readonly Field[], unit = analysis): FieldValues {
  const scale = roiUnitOf(unit) === 'percent' ? 100 : 1;
  const { roi, ...figures } = analysis.figures;
  const values = { ...figures, roi: roi === null ? null : roi / scale };
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
