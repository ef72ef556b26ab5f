// The columns of decisions beside a list: adds them, fills their formulas in, and leaves alone what
// people typed.

import * as z from 'zod/mini';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { METADATA_KEY } from '../analysis/tab-layout';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, type SheetCell, stretches } from '../google/cells';
import { highlightTexts } from '../google/presentation';
import type { Sheet } from '../google/sheet';
import { cellTextSchema, columnSchema } from '../google/sheet-schemas';
import {
  type Filled,
  kindsBy,
  refusalOf,
  rejection,
  rowsOf,
  writeFormula,
} from '../list/lookup-cells';
import { ensureColumns, freeColumn } from '../list/lookup-columns';
import type { MarkedList } from '../list/marked-list';
import { AUTOMATIC, MONEY, moneyIn, PERCENT, WIDTH_AS_NEW } from '../product/cell-formats';
import { isField } from '../product/fields';
import { vatSideOf } from '../product/vat';
import { type Fits, lazySchema } from '../schema/stored-record';
import {
  costColumn,
  type DecisionMark,
  decisionColumn,
  decisionMarks,
  type ListMarks,
} from './decision-marks';
import {
  betterFormula,
  COST_KEYS,
  type CostKey,
  type DecisionRole,
  decisionFormulas,
  decisionLook,
  decisionTitle,
  formulaIn,
  MARKS,
  numberFormulas,
} from './decision-plan';
import { type ListId, listById, titlesIn } from './list';

/** The columns that hold costs, as the page saw them. */
export const sentCostsSchema = lazySchema(() =>
  z.partialRecord(
    z.literal(COST_KEYS),
    z.strictObject({ column: columnSchema(), title: cellTextSchema() }),
  ),
);

export type SentCosts = Fits<typeof sentCostsSchema>;

export interface Decided {
  /** The number of rows with a product. */
  readonly rows: number;
  /** The number of cells that people have typed into, which stay as they are. */
  readonly kept: number;
  /** The titles of columns that were added. */
  readonly added: readonly string[];
}

/** Columns may move while others are added, so the work is repeated, at most this many times. */
const TRIES_MAX = 5;

/** The number of rows whose formulas are read in one call; a formula has up to 400 characters. */
const ROWS_AT_ONCE = 1_000;

/** The figures that decisions need. A list whose rows name their markets needs the market as well. */
const NEEDED = ['fees', 'sell_price'] as const;

/** Adds what is missing beside the list, notes which columns hold costs, and fills formulas in. */
export function decideOnList(
  tab: AnalysisTab,
  place: ListId,
  sent: SentCosts,
  roiIsFraction: boolean,
): Decided | Failure {
  const first = listById(place);
  if (isFailure(first)) return first;
  const costs = costsNow(titlesIn(first), sent);
  if (isFailure(costs)) return costs;
  const shown = first.isKept ? null : showNeeded(tab, first, roiIsFraction);
  if (shown !== null) return shown;
  markCosts(first, costs);
  const added: string[] = [];
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const list = listById(place);
    if (isFailure(list)) return list;
    const marks = decisionMarks(list.sheet, list.id);
    const wanted = wantedColumns(list, marks);
    const step = markMissing(list, marks, wanted) ?? titleBare(list, marks, added);
    if (step === 'again') continue;
    if (step !== 'done') return step;
    const filled = fill(list, marks, wanted);
    if (isFailure(filled)) return filled;
    highlight(list, marks, true);
    return { rows: rowCount(list), kept: filled.kept, added };
  }
  return runProblem('sheet-busy', 'the headers');
}

/** Where the costs are by now; a failure names one that is gone. */
function costsNow(
  titles: readonly string[],
  sent: SentCosts,
): ReadonlyMap<CostKey, number> | Failure {
  const found = new Map<CostKey, number>();
  for (const key of COST_KEYS) {
    const cost = sent[key];
    if (cost === undefined) continue;
    const isThere = titles[cost.column - 1] === cost.title;
    const column = isThere ? cost.column : titles.indexOf(cost.title) + 1;
    if (column === 0) return runProblem('look-again', cost.title);
    found.set(key, column);
  }
  return found;
}

function showNeeded(tab: AnalysisTab, list: MarkedList, roiIsFraction: boolean): Failure | null {
  const { sheet, headerRow, productColumn, marketColumn } = list;
  const place = { sheetId: sheet.id, headerRow, productColumn, marketColumn };
  for (const { market, defaultMarket, columns } of list.groups) {
    const needed = market === 'column' ? ([...NEEDED, 'market'] as const) : NEEDED;
    const wanted = { market, defaultMarket, columns: needed, roiIsFraction };
    const done = ensureColumns(tab, place, wanted);
    if (isFailure(done)) return done;
    const added = done.groups.find((one) => one.market === market)?.columns.get('market');
    if (added !== undefined && !columns.has('market')) sheet.hideColumns(added, 1);
  }
  return null;
}

/** Notes on the person's columns which costs they hold. */
function markCosts({ sheet, id }: MarkedList, costs: ReadonlyMap<CostKey, number>): void {
  const { costs: before } = decisionMarks(sheet, id);
  for (const { mark, column } of before)
    if (costs.get(mark.role) !== column) removeOwn(sheet, id, column, mark.role);
  for (const [role, column] of costs)
    if (!before.some((one) => one.mark.role === role && one.column === column))
      sheet.addMetadata(METADATA_KEY, {
        on: 'column',
        at: column,
        value: JSON.stringify({ list: id, role }),
      });
}

/** Removes one mark of a list from a column; other marks of this column stay. */
function removeOwn(sheet: Sheet, list: string, column: number, role: string): void {
  const there = (sheet.metadata(METADATA_KEY) ?? []).filter(
    ({ on, at }) => on === 'column' && at === column,
  );
  sheet.removeMetadata(METADATA_KEY, { on: 'column', at: column });
  for (const noted of there) {
    const mark = JSON.parse(noted.value) as { readonly list?: string; readonly role?: string };
    if (mark.list !== list || mark.role !== role) sheet.addMetadata(METADATA_KEY, noted);
  }
}

/** The markets of a list for which figures are shown. */
const hasMarket = ({ groups }: MarkedList, wanted: 'US' | 'UK') =>
  groups.some(({ market }) => market === wanted);

const isOfBoth = (list: MarkedList): boolean => hasMarket(list, 'US') && hasMarket(list, 'UK');

type Wanted = Pick<DecisionMark, 'role' | 'market' | 'formula'>;

/** Every column of decisions with its formula: of each market, then of the list; hidden ones last. */
function wantedColumns(list: MarkedList, marks: ListMarks): readonly Wanted[] {
  const costs = COST_KEYS.filter((key) => costColumn(marks, key) !== undefined);
  const isOfBothMarkets = isOfBoth(list);
  const side = vatSideOf(titlesIn(list)[(costColumn(marks, 'cost') ?? 0) - 1] ?? '');
  const ofGroups = list.groups.flatMap(({ market, columns }): readonly Wanted[] => {
    const fields = [...columns.keys()].filter(isField);
    const input = { market, fields, costs, side, isOfBoth: isOfBothMarkets };
    return Object.entries(decisionFormulas(input)).map(([role, formula]) => ({
      ...{ role: role as DecisionRole, market, formula },
    }));
  });
  const better = { role: 'better', market: 'both', formula: betterFormula() } as const;
  const ofCosts = isOfBothMarkets ? 'both' : (list.groups[0]?.market ?? 'both');
  const numbers = numberFormulas(ofCosts, costs).map((one) => ({
    ...one,
    market: 'both' as const,
  }));
  const all = [...ofGroups, ...(isOfBothMarkets ? [better] : []), ...numbers];
  const isHidden = ({ role, market }: Wanted) => decisionLook(role, market).isHidden === true;
  return [...all.filter((one) => !isHidden(one)), ...all.filter(isHidden)];
}

/** `again`: something was changed, so that the sheet is read anew. */
type Step = 'done' | 'again' | Failure;

const isSame = (one: Pick<DecisionMark, 'role' | 'market'>, other: typeof one) =>
  one.role === other.role && one.market === other.market;

/** Marks free columns for decisions that have none; null: none is missing. */
function markMissing(
  { sheet, id, headerRow }: MarkedList,
  { decisions }: ListMarks,
  wanted: readonly Wanted[],
): Step | null {
  const missing = wanted.filter((one) => !decisions.some(({ mark }) => isSame(mark, one)));
  if (missing.length === 0) return null;
  const size = sheet.size();
  const noted = sheet.metadata(METADATA_KEY);
  if (size === null || noted === null) return runProblem('sheet-gone');
  const first = freeColumn({ sheet, size, headerRow, noted }, missing.length);
  if (isFailure(first)) return first;
  for (const [at, mark] of missing.entries()) {
    const value = JSON.stringify({ list: id, ...mark });
    const outcome = sheet.addMetadata(METADATA_KEY, { on: 'column', at: first + at, value });
    const refusal = refusalOf(outcome, areaOf(headerRow, first + at));
    if (refusal !== null) return refusal;
  }
  return 'again';
}

/** Gives columns of ours that have no title their look and their title. */
function titleBare(list: MarkedList, { decisions }: ListMarks, added: string[]): Step {
  const { sheet, headerRow, productColumn } = list;
  const titles = [...titlesIn(list)];
  const bare = decisions
    .filter(({ column }) => (titles[column - 1] ?? '') === '')
    .sort((a, b) => a.column - b.column);
  const foreign = bare.filter(({ column }) => !isFree(list, column));
  // Columns moved while these were marked.
  for (const { mark, column } of foreign) removeOwn(sheet, list.id, column, mark.role);
  if (foreign.length > 0) return 'again';
  for (const stretch of stretches(bare, ({ column }) => column)) {
    const first = stretch[0]?.column ?? 0;
    const widths = stretch.map(({ mark }) => decisionLook(mark.role, mark.market).width);
    sheet.styleColumns(headerRow, first, widths, productColumn);
    const texts = stretch.map(({ mark }) => {
      const title = freeTitle(mark, list, titles);
      titles.push(title);
      return title;
    });
    const head = areaOf(headerRow, first, 1, stretch.length);
    const refusal = refusalOf(sheet.write(head, [texts]), head);
    if (refusal !== null) return refusal;
    for (const { mark, column } of stretch) setLook(list, mark, column);
    const shown = stretch.map(({ mark }) => !decisionLook(mark.role, mark.market).isHidden);
    added.push(...texts.filter((_, at) => shown[at]));
  }
  return bare.length === 0 ? 'done' : (rejection(sheet) ?? 'done');
}

/** Whether nothing of a person's stands in a column that is marked as ours. */
function isFree({ sheet, headerRow }: MarkedList, column: number): boolean {
  const size = sheet.size();
  if (size === null || column > size.maxColumns) return false;
  const area = areaOf(headerRow, column, Math.max(1, size.lastRow - headerRow + 1));
  const formulas = sheet.formulasR1C1(area) ?? [];
  const values = sheet.values(area) ?? [];
  return values.every(([value], at) => value === '' || (formulas[at]?.[0] ?? '') !== '');
}

/** "Verdict", "Verdict (UK)", "Verdict (UK, deal)" if a person has such a column. */
function freeTitle(
  { role, market }: DecisionMark,
  { groups }: MarkedList,
  taken: readonly string[],
): string {
  const label = groups.find((one) => one.market === market)?.label ?? '';
  const titled = (...behind: readonly string[]) => {
    const parts = behind.filter((part) => part !== '').join(', ');
    return decisionTitle(role) + (parts === '' ? '' : ` (${parts})`);
  };
  const seen = new Set(taken.map((title) => title.toLowerCase()));
  for (let number = 0; ; number += 1) {
    const own = number === 0 ? '' : number === 1 ? 'deal' : `deal ${number}`;
    const title = titled(label, own);
    if (!seen.has(title.toLowerCase())) return title;
  }
}

function setLook(list: MarkedList, { role, market }: DecisionMark, column: number): void {
  const { sheet, headerRow } = list;
  const { kind, isHidden } = decisionLook(role, market);
  // For a list of both markets, the highest cost is in the currency of costs, which may change.
  const isPaid = role === 'maxBuy' && isOfBoth(list);
  const isOne = market !== 'column' && market !== 'both' && !isPaid;
  const money = isOne ? moneyIn(market) : MONEY;
  const format = { money, ratio: PERCENT, number: AUTOMATIC, text: AUTOMATIC }[kind];
  const rows = Math.max(1, (sheet.size()?.maxRows ?? 0) - headerRow);
  sheet.setFormat(areaOf(headerRow + 1, column, rows), format);
  if (isHidden) sheet.hideColumns(column, 1);
}

function rowCount(list: MarkedList): number {
  return rowsOf(list)?.isFilled.filter(Boolean).length ?? 0;
}

/** The formula of a decision for the cells of its column, in R1C1 notation. */
function formulaOf(
  list: MarkedList,
  marks: ListMarks,
  { market }: Pick<DecisionMark, 'market'>,
  column: number,
  formula: string,
): string {
  const group = list.groups.find((one) => one.market === market);
  return formulaIn(column, formula, (name) => {
    const [role = '', other] = name.split(' ');
    if (role === 'product') return list.productColumn;
    if (role === 'market') return list.groups[0]?.columns.get('market');
    const cost = COST_KEYS.find((key) => key === role);
    if (cost !== undefined) return costColumn(marks, cost);
    const asked = (other as DecisionMark['market'] | undefined) ?? market;
    const own = decisionColumn(marks, role as DecisionRole, asked);
    const ofList = decisionColumn(marks, role as DecisionRole, 'both');
    return own ?? ofList ?? group?.columns.get(role as never);
  });
}

/**
 * Writes formulas into cells of ours that are blank or hold another formula of ours.
 *
 * @param wanted what each column should hold; a column that is not wanted any more stays.
 */
function fill(list: MarkedList, marks: ListMarks, wanted: readonly Wanted[]): Filled | Failure {
  const { sheet } = list;
  const rows = rowsOf(list);
  if (rows === null) return runProblem('sheet-gone');
  const filled = new Set<number>();
  let kept = 0;
  for (const { mark, column } of marks.decisions) {
    const now = wanted.find((one) => isSame(one, mark));
    if (now === undefined) continue;
    const formula = formulaOf(list, marks, mark, column, now.formula);
    const isNew = kindsBy(formula);
    const isOld = kindsBy(formulaOf(list, marks, mark, column, mark.formula));
    const places: number[] = [];
    const isRead = eachCell(sheet, column, rows.first, rows.count, (at, text, value) => {
      const there = isNew(text, value);
      const cell = there === 'theirs' && isOld(text, value) !== 'theirs' ? 'stale' : there;
      if (cell === 'theirs') kept += rows.isFilled[at] ? 1 : 0;
      if (cell === 'blank' || cell === 'stale') places.push(at);
    });
    if (!isRead) return runProblem('sheet-gone');
    const refusal = writeFormula(sheet, rows, column, places, formula);
    if (refusal !== null) return refusal;
    for (const at of places) filled.add(at);
    if (now.formula !== mark.formula) remark(sheet, { ...mark, ...now }, column);
  }
  const refused = filled.size > 0 ? rejection(sheet) : null;
  return refused ?? { filled: filled.size, kept };
}

function remark(sheet: Sheet, mark: DecisionMark, column: number): void {
  removeOwn(sheet, mark.list, column, mark.role);
  sheet.addMetadata(METADATA_KEY, { on: 'column', at: column, value: JSON.stringify(mark) });
}

/** Reads a column's cells, by their places from 0. Returns whether they are there. */
function eachCell(
  sheet: Sheet,
  column: number,
  first: number,
  count: number,
  take: (at: number, formula: string, value: SheetCell) => void,
): boolean {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const area = areaOf(first + from, column, Math.min(ROWS_AT_ONCE, count - from));
    const formulas = sheet.formulasR1C1(area);
    const values = sheet.values(area);
    if (formulas === null || values === null) return false;
    values.forEach(([value = ''], at) => {
      take(from + at, formulas[at]?.[0] ?? '', value);
    });
  }
  return true;
}

/** Highlights verdicts, or no longer. An extra, so a refusal is no failure. */
function highlight(
  { sheet, headerRow }: MarkedList,
  { decisions }: ListMarks,
  isShown: boolean,
): void {
  for (const { mark, column } of decisions)
    if (mark.role === 'verdict') highlightTexts(sheet, column, headerRow + 1, MARKS, isShown);
}

/** Fills the decisions of new rows in, and what a deleted column took from them. */
export function extendDecisions(place: ListId): Filled | Failure {
  const list = listById(place);
  if (isFailure(list)) return list;
  const marks = decisionMarks(list.sheet, list.id);
  if (marks.decisions.length === 0) return { filled: 0, kept: 0 };
  return fill(
    list,
    marks,
    marks.decisions.map(({ mark }) => mark),
  );
}

/** Removes our formulas, our titles and the highlighting. What a person typed stays. */
export function removeDecisions(place: ListId): Decided | Failure {
  const list = listById(place);
  if (isFailure(list)) return list;
  const { sheet, id, headerRow } = list;
  const marks = decisionMarks(sheet, id);
  const rows = rowsOf(list);
  if (rows === null) return runProblem('sheet-gone');
  highlight(list, marks, false);
  let kept = 0;
  for (const { mark, column } of marks.decisions) {
    const isOurs = kindsBy(formulaOf(list, marks, mark, column, mark.formula));
    const ours: number[] = [];
    let theirs = 0;
    eachCell(sheet, column, rows.first, rows.count, (at, formula, value) => {
      const cell = isOurs(formula, value);
      if (cell === 'theirs') theirs += 1;
      else if (cell !== 'blank') ours.push(at);
    });
    for (const stretch of stretches(ours, (at) => at)) {
      const area = areaOf(rows.first + (stretch[0] ?? 0), column, stretch.length);
      const refusal = refusalOf(
        sheet.write(
          area,
          stretch.map(() => ['']),
        ),
        area,
      );
      if (refusal !== null) return refusal;
    }
    kept += theirs;
    if (theirs > 0) continue;
    const head = areaOf(headerRow, column);
    const refusal = refusalOf(sheet.write(head, [['']]), head);
    if (refusal !== null) return refusal;
    sheet.styleColumns(headerRow, column, [WIDTH_AS_NEW], null);
    if (decisionLook(mark.role, mark.market).isHidden) sheet.showColumns(column, 1);
  }
  // Formulas are known by the marks of the columns that they read, so these go when all else is done.
  for (const { mark, column } of [...marks.decisions, ...marks.costs])
    removeOwn(sheet, id, column, mark.role);
  return { rows: rowCount(list), kept, added: [] };
}
