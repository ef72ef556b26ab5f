// What changed in rows of the Analysis tab, the rules that the changes meet, and the change log: a tab of
// its own, where lines are added at the top and the oldest go.

import * as z from 'zod/mini';
import { openEngine } from '../engine/doors';
import type { Engine } from '../engine/engine';
import { DAY, momentsIn } from '../failures/duration';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { sentences } from '../failures/failure-words';
import type { SheetCell } from '../google/cells';
import { MOMENT } from '../google/moment-format';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { localeHere, zoneHere } from '../google/spreadsheet';
import { isBlank } from '../product/asin';
import { AUTOMATIC, MOMENT_WIDTH, moneyIn, NUMBER, PERCENT, TEXT } from '../product/cell-formats';
import {
  FIELDS,
  type Field,
  type Figures,
  fieldKind,
  fieldOfName,
  fieldTitle,
  figureCell,
  figuresBy,
  isFraction,
  ruleWords,
} from '../product/fields';
import { DEFAULT_MARKET, isMarket } from '../product/market';
import { type Fits, lazySchema } from '../schema/stored-record';
import { addLines, type LineCells, type LogTab, readLines } from '../sheet/log-tab';
import { ownTabs } from '../sheet/own-tab';
import { lastFigures, type RecordedRow } from './analysis-row';
import { baselineOf, withBaseline } from './baseline';
import type { AnalysisRow } from './row-record';

type Figure = Figures[Field];

/** One figure of a product before and after. */
interface Change {
  readonly field: Field;
  readonly before: Figure;
  readonly after: Figure;
}

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

/** Money is in the market's currency; ROI is a fraction as in a sheet. */
const boundSchema = lazySchema(() => z.number().check(z.minimum(-BOUND_MAX), z.maximum(BOUND_MAX)));

/** A kind of change that marks a row. */
export const changeRuleSchema = lazySchema(() => {
  const field = z.literal(FIELDS);
  return z.union([
    z.strictObject({ kind: z.literal(['no-longer-eligible', 'became-eligible', 'became-buy']) }),
    z.strictObject({ kind: z.literal(['fell-under', 'rose-over']), field, bound: boundSchema() }),
    z.strictObject({ kind: z.literal('doubled'), field }),
  ]);
});

export type ChangeRule = Fits<typeof changeRuleSchema>;

/**
 * Smaller differences come from rounding and not from the market. A fraction such as ROI changes in
 * smaller steps than money.
 */
const noiseOf = (field: Field): number => (fieldKind(field) === 'ratio' ? 0.0005 : 0.005);

/**
 * The figures of a row that differ from the last ones of the same key, in the order of the fields. A
 * figure that was unknown before is no change, and neither is one that a failure has cleared.
 */
export function changesIn({ before, after }: RecordedRow): readonly Change[] {
  if (before === null || after.analyzedMs === null) return [];
  return changesBetween(lastFigures(before, after.fetchedWith), after.figures);
}

/** @param before null: none are known. */
function changesBetween(before: Figures | null, after: Figures): readonly Change[] {
  if (before === null) return [];
  return FIELDS.flatMap((field) => {
    const old = before[field];
    const now = after[field];
    return old === null || isSame(field, old, now) ? [] : [{ field, before: old, after: now }];
  });
}

function isSame(field: Field, old: Figure, now: Figure): boolean {
  if (typeof old !== 'number' || typeof now !== 'number') return old === now;
  return Math.abs(old - now) < noiseOf(field);
}

/** A rule that was met earlier is not met again by a later change. */
function meets(rule: ChangeRule, { field, before, after }: Change): boolean {
  if (!('field' in rule)) {
    // A verdict depends on the seller's own costs, which the list has.
    if (rule.kind === 'became-buy' || field !== 'eligible' || after === null) return false;
    // They differ, so only one of them is true.
    return (rule.kind === 'became-eligible' ? after : before) === true;
  }
  if (rule.field !== field || typeof before !== 'number' || typeof after !== 'number') return false;
  if (rule.kind === 'doubled') return before > 0 && after >= 2 * before;
  const sign = rule.kind === 'rose-over' ? 1 : -1;
  // A step of rounding over the bound was no change, so it met no rule when it happened.
  return sign * (before - rule.bound) < noiseOf(field) && sign * (after - rule.bound) > 0;
}

const BETWEEN_RULES = '; ';

/** "No longer eligible; ROI fell under 20%" */
const rulesText = (words: readonly string[]): string => words.join(BETWEEN_RULES);

/** The rules that a text of the log names. */
export const rulesIn = (text: string): readonly string[] =>
  text === '' ? [] : text.split(BETWEEN_RULES);

/** The text for a row that met these rules. "No longer eligible; ROI fell under 20% · Sat, Nov 21, 6:04 AM" */
export const markText = (words: readonly string[], moment: string): string =>
  `${rulesText(words)} · ${moment}`;

/** The words of the rules that some changes meet, in the order of the rules. */
const wordsOf = (rules: readonly ChangeRule[], changes: readonly Change[]): readonly string[] =>
  rules
    .filter((rule) => changes.some((change) => meets(rule, change)))
    .map((rule) => ruleWords(rule));

/** Who is told of what: a schedule by its id. */
export interface Telling {
  readonly name: string;
  readonly rules: readonly ChangeRule[];
}

/**
 * What has changed since it was last told under this name, or if nothing was, since the row's last
 * figures. It does not matter who has fetched them.
 */
export function newsIn({ before, after }: RecordedRow, name: string): readonly Change[] {
  if (before === null || after.analyzedMs === null) return [];
  const last = baselineOf(before.told, name);
  if (last === null) return changesIn({ before, after });
  return last.fetchedWith === after.fetchedWith ? changesBetween(last.figures, after.figures) : [];
}

const isSameAll = (one: Figures, other: Figures): boolean =>
  FIELDS.every((field) => one[field] === other[field]);

/** The row that notes that its figures are told. What is not sent any more is still what was told. */
export function withNews(row: AnalysisRow, name: string, verdict?: string): AnalysisRow {
  const { fetchedWith } = row;
  if (row.analyzedMs === null) return row;
  const last = baselineOf(row.told, name);
  const old = last?.fetchedWith === fetchedWith ? last.figures : null;
  const figures = figuresBy((field) => row.figures[field] ?? old?.[field] ?? null);
  const told = { fetchedWith, figures, ...(verdict !== undefined && { verdict }) };
  const isTold = last?.verdict === verdict && old !== null && isSameAll(old, figures);
  return isTold ? row : { ...row, told: withBaseline(row.told, name, told) };
}

export const wordsMet = ({ name, rules }: Telling, row: RecordedRow): readonly string[] =>
  wordsOf(rules, newsIn(row, name));

/** A line of the change log. */
export interface LogLine {
  readonly atMs: number;
  readonly asin: string;
  readonly market: string;
  /** The title of what changed: "ROI", "Verdict". */
  readonly figure: string;
  readonly before: string | number;
  /** '' if there is none any more. */
  readonly after: string | number;
  /** The words of the rules that the change meets; '' for none. */
  readonly marked: string;
}

/**
 * The lines for rows as they were written, in the order of the fields: all that changed, and what meets a
 * rule, with the figure that was last told. A product that several rows have, each in its own spelling,
 * gets each line once.
 */
export function logLines(
  rows: readonly RecordedRow[],
  { name, rules }: Telling,
  atMs: number,
): readonly LogLine[] {
  const lines = new Map<string, LogLine>();
  for (const row of rows) {
    const { asin, market } = row.after;
    const changes = new Map(changesIn(row).map((change) => [change.field, change]));
    const met = new Map<Field, string>();
    for (const change of newsIn(row, name)) {
      const words = wordsOf(rules, [change]);
      if (words.length === 0) continue;
      met.set(change.field, rulesText(words));
      changes.set(change.field, change);
    }
    for (const { field, before, after } of changes.values())
      lines.set(`${asin}|${market}|${field}`, {
        atMs,
        asin,
        market,
        figure: fieldTitle(field),
        before: figureCell(before),
        after: figureCell(after),
        marked: met.get(field) ?? '',
      });
  }
  return [...lines.values()];
}

/** Finds what changed in rows that are being written, and tells of it. */
interface ChangeTracker {
  /**
   * The row that is about to be written, with what it meets in the column *Changed*.
   *
   * @param more the words of rules that it meets for another reason.
   */
  marked(before: AnalysisRow, after: AnalysisRow, more?: readonly string[]): AnalysisRow;
  /** Logs rows right after they were written. The caller has the lease. */
  log(rows: readonly RecordedRow[]): Logged;
}

export interface Logged {
  /** The number of lines that were added. */
  readonly changes: number;
  /** Why others are not there. */
  readonly problem: Failure | null;
}

export const NOTHING_LOGGED: Logged = { changes: 0, problem: null };

const TO_NOBODY: Telling = { name: '', rules: [] };

/** Rows that had no figures cost nothing. */
export function changeTracker(platform: Platform, telling = TO_NOBODY): ChangeTracker {
  const { clock } = platform;
  const moment = telling.rules.length > 0 ? momentsIn(zoneHere(), localeHere()) : null;
  return {
    marked(before, after, more = []) {
      if (moment === null) return after;
      const words = [...wordsMet(telling, { before, after }), ...more];
      const told = withNews(after, telling.name);
      if (words.length === 0) return told;
      return { ...told, changed: markText(words, moment(clock.nowMs())) };
    },
    log(rows) {
      const lines = logLines(rows, telling, clock.nowMs());
      if (lines.length === 0) return NOTHING_LOGGED;
      // The rows are written by now, so no later record sees these changes.
      const engine = unlessBusy(() => openEngine(platform, 'list'));
      return isFailure(engine) ? { changes: 0, problem: engine } : logChanges(engine, lines);
    },
  };
}

/** What the log does not take is noted for the support report. The caller has the lease. */
export function logChanges(engine: Engine, lines: readonly LogLine[]): Logged {
  const roiIsFraction = engine.connection.settings.roiUnit !== undefined;
  const problem = unlessBusy(() => addToLog(lines, roiIsFraction));
  if (problem === null) {
    const { documentStore } = engine.platform;
    if (lines.length > 0)
      documentStore.write(LOGGED_NAME, String(loggedLines(documentStore) + lines.length));
    return { changes: lines.length, problem };
  }
  engine.trouble.note(`The change log: ${sentences(problem).message}`);
  return { changes: 0, problem };
}

const LOGGED_NAME = 'lines-logged';

/** How many lines were ever logged. The log keeps some of them. Costs one property call. */
export const loggedLines = (documentStore: Platform['documentStore']): number =>
  Number(documentStore.read(LOGGED_NAME)) || 0;

/** More lines slow the spreadsheet down. */
export const LINES_MAX = 2_000;

/** Of the lines that stay, those that a rule has marked take at most this share if there are others. */
const MARKED_MAX = LINES_MAX / 2;

const LOG: LogTab = {
  tag: 'changes',
  title: 'Analysis changes',
  titles: ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'],
  firstWidth: MOMENT_WIDTH,
  // They are deleted many at a time, because finding them takes as long as writing some.
  linesMax: LINES_MAX + 200,
  staying,
};

/**
 * The lines that stay: those of the newest day, whatever they are; then the newest marked ones up to their
 * share, then the newest of all.
 */
function staying(lines: readonly LineCells[]): ReadonlySet<LineCells> {
  const atMs = ([when]: LineCells) => Number(when);
  const newestFirst = [...lines].sort((one, other) => atMs(other) - atMs(one));
  const dayMs = atMs(newestFirst[0] ?? []) - DAY;
  const stays = new Set(newestFirst.filter((line) => atMs(line) > dayMs));
  const marked = newestFirst.filter((line) => !isBlank(line[6] ?? '')).slice(0, MARKED_MAX);
  for (const line of [...marked, ...newestFirst]) {
    if (stays.size >= LINES_MAX) break;
    stays.add(line);
  }
  return stays;
}

/**
 * Adds lines at the top of the log. The caller has the lease.
 *
 * @param roiIsFraction whether ROI is shown as a percentage.
 * @returns why they are not there; null: they are.
 */
function addToLog(lines: readonly LogLine[], roiIsFraction: boolean): Failure | null {
  if (lines.length === 0) return null;
  const outcome = addLines(
    LOG,
    lines.map((line) => ({ cells: cellsOf(line), formats: formatsOf(line, roiIsFraction) })),
  );
  if (outcome === 'written') return null;
  if (outcome === 'full') return runProblem('log-full');
  if (outcome === 'gone') return runProblem('sheet-busy', `the sheet "${LOG.title}"`);
  const [sheet] = ownTabs(LOG);
  return sheet
    ? runProblem('log-protected', sheet.name() ?? LOG.title)
    : fail({ kind: 'protected' });
}

/** The lines of the log as they stand there; none if there is no log. */
export const readLog = (): readonly LogLine[] =>
  readLines(LOG).map(([when, asin, market, figure, before = '', after = '', marked]) => ({
    atMs: Number(when),
    asin: String(asin),
    market: String(market),
    figure: String(figure),
    before: plain(before),
    after: plain(after),
    marked: String(marked),
  }));

const plain = (cell: SheetCell) => (typeof cell === 'number' ? cell : String(cell));

const cellsOf = ({ atMs, asin, market, figure, before, after, marked }: LogLine): LineCells => [
  ...[new Date(atMs), asin, market, figure, before, after, marked],
];

function formatsOf(line: LogLine, roiIsFraction: boolean): readonly string[] {
  const figure = figureFormat(line, roiIsFraction);
  // The text format keeps a text of digits as text, without the apostrophe that the cell would
  // show.
  return [MOMENT, AUTOMATIC, TEXT, TEXT, figure, figure, TEXT];
}

function figureFormat({ figure, market }: LogLine, roiIsFraction: boolean): string {
  const field = fieldOfName(figure);
  if (field === undefined) return TEXT;
  const kind = fieldKind(field);
  if (kind === 'money') return moneyIn(isMarket(market) ? market : DEFAULT_MARKET);
  if (kind === 'ratio') return isFraction(field, roiIsFraction) ? PERCENT : NUMBER;
  return AUTOMATIC;
}
