// Keeps what a scheduled run finds out about changes: for the rows, for the log and for the digest.

import type { Reading } from '../cache/entries';
import { lastGood } from '../cache/last-good';
import { type Failure, isFailure } from '../failures/failure';
import {
  type Area,
  type Cache,
  type Sheet,
  type SheetCell,
  type SheetPlatform,
  storedList,
} from '../platform/ports';
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
import { type LogLine, logChanges } from './change-log';
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
  /** As they stand in the sheet: ROI in the unit of the answer. */
  readonly values: FieldValues;
  /** When they were fetched. */
  readonly atMs: number;
}

/**
 * By product key, of several rows those that are oldest. A row counts whose status tells that its
 * figures are those of its product. One call for each run of columns.
 *
 * @param sinceMs figures from before that moment were read in another way, or with another key.
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

/** What somebody wrote over a figure is none; undefined: nothing is known. */
function figureOf(field: Field, cell: SheetCell | undefined): FieldValue | undefined {
  if (typeof cell === 'number') return cell;
  const isWord = typeof cell === 'boolean' || (typeof cell === 'string' && cell !== '');
  return field === 'eligible' && isWord ? cell : undefined;
}

/** What the buyer's own costs leave of each product, by its offers; null: the list has no such column. */
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

/** The longest life the cache grants; the clock strikes far sooner again. */
const TTL_SECONDS = 21_600;

/** A run that is kept from telling writes them one after the other; what is more is not kept. */
const VALUES = 128;

/** A value of the cache holds 100 KB, and the news of one product take 1.5 KB at most. */
const NEWS_PER_VALUE = 50;

export interface Outbox<News> {
  /** What runs before this one left. One cache call. */
  read(): readonly News[];
  /** Adds news, of this run's that have not been added. One cache call. */
  add(news: readonly News[]): void;
  /** All is told. One cache call, if there was anything. */
  clear(): void;
}

/** @param id names what runs: of one name there is one at a time. */
function outbox<News>(cache: Cache, id: string): Outbox<News> {
  const names = Array.from({ length: VALUES }, (_, at) => `untold:${id}:${at}`);
  let used: readonly string[] = [];
  return {
    read() {
      const texts = cache.getAll(names);
      used = names.filter((name) => (texts[name] ?? '') !== '');
      return used.flatMap((name) => storedList<News>(texts[name] ?? null));
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
  /** The schedule's. */
  readonly id: string;
  /** Of the connection that asks: what another one heard is not compared. */
  readonly fingerprint: string;
  readonly reading?: Reading;
  /** What is logged; figures of the rules are logged as well. */
  readonly fields: readonly Field[];
  readonly rules: readonly ChangeRule[];
  /** By which it is decided what is worth buying; null: that is not asked for, or not known. */
  readonly dealRules: RulesInUse | null;
  readonly zone: ZoneOffset;
}

/** More are counted, and not named. */
export const BUYS_MAX = 5;

const BUY_CHARS_MAX = 160;

export interface ChangeReport {
  /** Lines in the change log. */
  readonly changes: number;
  /** Products that a rule marked, by its words. */
  readonly marked: Readonly<Record<string, number>>;
  /** Of the products that are worth buying now the first, each in a line. */
  readonly buys: readonly string[];
  /** Why the changes are not in the log; all else of the run is as it should be. */
  readonly problem?: Failure;
}

export interface ChangeTracker extends ChangeHooks {
  /** What is compared: the fields that are logged, and those of the rules. */
  readonly fields: readonly Field[];
  /** What rows show before the run writes them, by product key; in place of what was said before. */
  compareWith(
    shown: ReadonlyMap<string, ShownFigures>,
    profits: ReadonlyMap<string, readonly number[]> | null,
  ): void;
  finish(): ChangeReport;
}

/** What became of one product; plain JSON, as it waits in the cache. */
interface News {
  readonly atMs: number;
  readonly lines: readonly LogLine[];
  readonly words: readonly string[];
  /** It is worth buying now, in a line. */
  readonly buy?: string | undefined;
}

/**
 * A run makes one before its first answer, which is a property call, and calls it at five places:
 * 0. `compareWith(shown)` when its rows are chosen, and before they are marked;
 * 1. `take(answers)` wherever answers come in, those of the cache too (a worker's `onAnswers`);
 * 2. `hold()` before answers are kept or written, so that a run that is cut off loses no news;
 * 3. `markOf(productKey)` when a row is written: unless undefined, its cell in the column `change`;
 * 4. `finish()` once, after the last write: the log is written then, which takes some 3 s.
 */
export function changeKeeper(options: ChangeKeeperOptions): ChangeTracker {
  const { platform, fingerprint, reading, rules, dealRules, zone } = options;
  // The run saves new analyses by and by: before is what stood there when it began. Read at once, as
  // nothing would tell of an answer that came while Google failed here.
  const { documentStore } = platform;
  const before = lastGood(documentStore, fingerprint, reading, documentStore.readAll());
  const logged = FIELDS.filter((field) => options.fields.includes(field) || concerns(rules, field));
  // A decision takes all there is.
  const fields = dealRules === null ? logged : FIELDS;
  const news = new Map<string, News>();
  const waiting = outbox<readonly [key: string, news: News]>(platform.cache, options.id);
  let unheld = new Set<string>();
  let left: Map<string, News> | undefined;
  let shown: ReadonlyMap<string, ShownFigures> = new Map();
  let profits: ReadonlyMap<string, readonly number[]> | null = null;

  /** Of runs that were cut off. */
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
      const keys = analyses.map(([key]) => key);
      const [olds, known] = [before.find(keys), before.findKnown(keys)];
      const atMs = platform.clock.nowMs();
      for (const [key, analysis] of analyses) {
        const [seen, product] = [shown.get(key), productOfKey(key)];
        // A run that was cut off may have written a row and not kept its answer.
        const old = olds.get(key) ?? (seen && { ...analysis, fetchedAtMs: 0 });
        if (old === undefined || product === null) continue;
        const row = otherRow(seen, old);
        const last = { old, known: known.get(key) ?? old, shown: row?.values ?? {} };
        const was = beforeOf(last, analysis, fields);
        const changes = changesOf(was, last.known, analysis, fields);
        const own = profits && (profits.get(key) ?? []);
        const { sign } = marketRow(product.market);
        const buy = dealRules && becameBuy(was, analysis, own, dealRules, sign);
        if (changes.length === 0 && !buy) continue;
        const boughtWords = buy ? [ruleWords(BECAME_BUY)] : [];
        const words = [...crossedRules(rules, changes).map(ruleWords), ...boughtWords];
        const roiIsFraction = roiUnitOf(analysis) !== undefined;
        const lines = changes
          .filter(({ field }) => logged.includes(field))
          .map((change) => ({
            ...change,
            ...{ atMs, product, roiIsFraction, sinceMs: row?.atMs ?? old.fetchedAtMs },
            marked: [...crossedRules(rules, [change]).map(ruleWords), ...boughtWords].join('; '),
          }));
        if (!news.has(key)) unheld.add(key);
        news.set(key, { atMs, lines, words, ...(buy && { buy: lineOf(product, buy) }) });
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

/** What is told of twice, because the run before got no further, is told once. */
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

/** Times in the store are exact to the second. */
const SECOND_MS = 1_000;

/** What the row shows, where that is not of the answer that was kept. */
function otherRow(shown: ShownFigures | undefined, kept: Analysis): ShownFigures | undefined {
  return shown && Math.abs(shown.atMs - kept.fetchedAtMs) > SECOND_MS ? shown : undefined;
}

interface Last {
  readonly old: Analysis;
  /** With the figures that the old analysis had none for, as they were before that. */
  readonly known: Analysis;
  /** Goes before what was kept. */
  readonly shown: FieldValues;
}

/** As a number without a unit ROI may be a hundred times what it was. */
function comparable(known: Analysis, now: Analysis, fields: readonly Field[]): readonly Field[] {
  const isRoiAlike = (roiUnitOf(known) === undefined) === (roiUnitOf(now) === undefined);
  return fields.filter((field) => field !== 'roi' || isRoiAlike);
}

function beforeOf({ old, known, shown }: Last, now: Analysis, fields: readonly Field[]): Analysis {
  // That a figure is gone is told once: by the first answer that had none.
  const lastOf = (field: Field) =>
    shown[field] ?? (now.figures[field] === null ? old : known).figures[field];
  const last = comparable(known, now, fields).map((field) => [field, lastOf(field)]);
  return { ...known, figures: { ...known.figures, ...Object.fromEntries(last) } };
}

function changesOf(
  before: Analysis,
  known: Analysis,
  now: Analysis,
  fields: readonly Field[],
): readonly Change[] {
  const compared = comparable(known, now, fields);
  return changesBetween(valuesOf(before, compared, known), valuesOf(now, compared));
}

/** Of a product that is worth buying now. */
const lineOf = ({ asin, market }: Product, buy: string): string =>
  `${asin} ${market}: ${buy}`.slice(0, BUY_CHARS_MAX);

/** ROI as a fraction, wherever its unit is known: rules say it so. */
function valuesOf(analysis: Analysis, fields: readonly Field[], unit = analysis): FieldValues {
  const scale = roiUnitOf(unit) === 'percent' ? 100 : 1;
  const { roi, ...figures } = analysis.figures;
  const values = { ...figures, roi: roi === null ? null : roi / scale };
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
