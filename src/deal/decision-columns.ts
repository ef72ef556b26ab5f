// The columns of decisions beside a list: adds them, fills their formulas in, and leaves alone what
// people typed.

import type { AnalysisTab } from '../analysis/analysis-tab';
import { METADATA_KEY } from '../analysis/tab-layout';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf } from '../google/cells';
import { highlightTexts } from '../google/presentation';
import type { Sheet } from '../google/sheet';
import {
  type Filled,
  kindsBy,
  type Rows,
  refusalOf,
  rejection,
  rowsOf,
  stretches,
  TRIES_MAX,
  writeFormula,
} from '../list/lookup-cells';
import { ensureColumns, freeColumn } from '../list/lookup-columns';
import type { MarkedList } from '../list/marked-list';
import { AUTOMATIC, MONEY, moneyIn, PERCENT, WIDTH_AS_NEW } from '../product/cell-formats';
import { COST_KEYS } from '../product/cost';
import { betterFormula, dealFormulas, numberFormulas } from '../product/deal-formulas';
import { isField } from '../product/fields';
import { vatSideOf } from '../product/vat';
import {
  addMark,
  costColumn,
  type DecisionMark,
  decisionColumn,
  decisionMarks,
  type ListMarks,
  removeMark,
} from './decision-marks';
import { DECISION_ROLES, decisionLook, decisionTitle, formulaIn, MARKS } from './decision-plan';
import {
  type DealList,
  type ListId,
  type ListSelection,
  listById,
  openList,
  titlesIn,
} from './list';
import { ensureRules } from './rules';

export interface Decided {
  /** The number of rows with a product. */
  readonly rows: number;
  /** The number of cells that people have typed into, which stay as they are. */
  readonly kept: number;
}

/** The figures that decisions need. A list whose rows name their markets needs the market as well. */
const NEEDED = ['fees', 'sell_price'] as const;

/** Adds what is missing beside the list, notes which columns hold costs, and fills formulas in. */
export function decideOnList(
  tab: AnalysisTab,
  selection: ListSelection,
  roiIsFraction: boolean,
): Decided | Failure {
  const found = ensureRules() ?? openList(selection);
  if (isFailure(found)) return found;
  if (found?.costs.cost === undefined)
    return runProblem('look-again', selection.cost?.title ?? 'Cost');
  markCosts(found);
  const { list: before } = found;
  const shown = before.isKept ? null : showNeeded(tab, before, roiIsFraction);
  if (shown !== null) return shown;
  const place = { sheetId: before.sheet.id, listId: before.id };
  // Columns may move while others are added.
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const list = listById(place);
    if (isFailure(list)) return list;
    const marks = decisionMarks(list.sheet, list.id);
    const wanted = wantedColumns(list, marks, roiIsFraction);
    const step = markMissing(list, marks, wanted) ?? titleBare(list, marks);
    if (step === 'again') continue;
    if (step !== 'done') return step;
    const filled = fill(list, marks, wanted);
    if (isFailure(filled)) return filled;
    highlight(list, marks, true);
    return { rows: productsIn(list), kept: filled.kept };
  }
  return runProblem('sheet-busy', 'the headers');
}

/** Notes on the person's columns which costs they hold. */
function markCosts({ list: { sheet, id }, marks, costs }: DealList): void {
  for (const one of marks.costs)
    if (costs[one.mark.role]?.column !== one.column) removeMark(sheet, one);
  for (const role of COST_KEYS) {
    const column = costs[role]?.column;
    if (column !== undefined && costColumn(marks, role) !== column)
      addMark(sheet, { list: id, role }, column);
  }
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

const isOfBoth = ({ groups }: MarkedList): boolean =>
  ['US', 'UK'].every((wanted) => groups.some(({ market }) => market === wanted));

type Wanted = Pick<DecisionMark, 'role' | 'market' | 'formula'>;

/** Every column of decisions with its formula: of each market, then of the list; hidden ones last. */
function wantedColumns(
  list: MarkedList,
  marks: ListMarks,
  roiIsFraction: boolean,
): readonly Wanted[] {
  const costs = marks.costs.map(({ mark }) => mark.role);
  const side = vatSideOf(titlesIn(list)[(costColumn(marks, 'cost') ?? 0) - 1] ?? '');
  const ofList = { costs, side, isOfBoth: isOfBoth(list), roiIsFraction };
  const ofGroups = list.groups.flatMap(({ market, columns }): readonly Wanted[] => {
    const fields = [...columns.keys()].filter(isField);
    const formulas = Object.entries(dealFormulas({ ...ofList, market, fields }));
    return formulas.map(([role, formula]) => ({ role: role as Wanted['role'], market, formula }));
  });
  const market = list.groups[0]?.market ?? 'column';
  const all: readonly Wanted[] = [
    ...ofGroups,
    ...(ofList.isOfBoth
      ? [{ role: 'better', market: 'both', formula: betterFormula() } as const]
      : []),
    ...numberFormulas({ ...ofList, market }).map((one) => ({ ...one, market: 'both' as const })),
  ];
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
    const outcome = addMark(sheet, { list: id, ...mark }, first + at);
    const refusal = refusalOf(outcome, areaOf(headerRow, first + at));
    if (refusal !== null) return refusal;
  }
  return 'again';
}

/** Gives columns of ours that have no title their look and their title. */
function titleBare(list: MarkedList, { decisions }: ListMarks): Step {
  const { sheet, headerRow, productColumn } = list;
  const titles = [...titlesIn(list)];
  const bare = decisions
    .filter(({ column }) => (titles[column - 1] ?? '') === '')
    .sort((a, b) => a.column - b.column);
  const foreign = bare.filter(({ column }) => !isFree(list, column));
  // Columns moved while these were marked.
  for (const one of foreign) removeMark(sheet, one);
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
  const seen = new Set(taken.map((title) => title.toLowerCase()));
  for (let number = 0; ; number += 1) {
    const own = number === 0 ? '' : number === 1 ? 'deal' : `deal ${number}`;
    const behind = [label, own].filter((part) => part !== '').join(', ');
    const title = decisionTitle(role) + (behind === '' ? '' : ` (${behind})`);
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

const productsIn = (list: MarkedList): number => rowsOf(list)?.isFilled.filter(Boolean).length ?? 0;

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
    const [first = '', other = market] = name.split(' ');
    if (first === 'product') return list.productColumn;
    if (first === 'market') return list.groups[0]?.columns.get('market');
    const cost = COST_KEYS.find((key) => key === first);
    if (cost !== undefined) return costColumn(marks, cost);
    const role = DECISION_ROLES.find((one) => one === first);
    if (role === undefined) return group?.columns.get(first as never);
    const own = decisionColumn(marks, role, other as DecisionMark['market']);
    return own ?? decisionColumn(marks, role, 'both');
  });
}

/** The cells of one of our columns, by their places from 0. */
interface OwnCells {
  readonly blank: readonly number[];
  /** They hold a formula of ours, but not the first of those that were asked for. */
  readonly stale: readonly number[];
  readonly current: readonly number[];
  readonly theirs: readonly number[];
}

/** @param formulas ours: the one that should stand there, then former ones. */
function cellsIn(
  sheet: Sheet,
  { first, count }: Rows,
  column: number,
  formulas: readonly string[],
): OwnCells | null {
  const cells = {
    blank: [] as number[],
    stale: [] as number[],
    current: [] as number[],
    theirs: [] as number[],
  };
  if (count === 0) return cells;
  const area = areaOf(first, column, count);
  const texts = sheet.formulasR1C1(area);
  const values = sheet.values(area);
  if (texts === null || values === null) return null;
  const [kindOf, ...formerKinds] = formulas.map(kindsBy);
  values.forEach(([value = ''], at) => {
    const text = texts[at]?.[0] ?? '';
    const kind = kindOf?.(text, value) ?? 'theirs';
    const isFormer = formerKinds.some((former) => former(text, value) !== 'theirs');
    cells[kind === 'theirs' && isFormer ? 'stale' : kind].push(at);
  });
  return cells;
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
  for (const placed of marks.decisions) {
    const { mark, column } = placed;
    const now = wanted.find((one) => isSame(one, mark));
    if (now === undefined) continue;
    const [formula = '', former = ''] = [now, mark].map((one) =>
      formulaOf(list, marks, mark, column, one.formula),
    );
    const cells = cellsIn(sheet, rows, column, [formula, former]);
    if (cells === null) return runProblem('sheet-gone');
    kept += cells.theirs.filter((at) => rows.isFilled[at]).length;
    const places = [...cells.blank, ...cells.stale].sort((a, b) => a - b);
    const refusal = writeFormula(sheet, rows, column, places, formula);
    if (refusal !== null) return refusal;
    for (const at of places) filled.add(at);
    if (now.formula === mark.formula) continue;
    removeMark(sheet, placed);
    addMark(sheet, { ...mark, ...now }, column);
  }
  const refused = filled.size > 0 ? rejection(sheet) : null;
  return refused ?? { filled: filled.size, kept };
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
    const formula = formulaOf(list, marks, mark, column, mark.formula);
    const cells = cellsIn(sheet, rows, column, [formula]);
    if (cells === null) return runProblem('sheet-gone');
    const ours = [...cells.current, ...cells.stale].sort((a, b) => a - b);
    const refusal = clear(sheet, rows.first, column, ours);
    if (refusal !== null) return refusal;
    kept += cells.theirs.length;
    if (cells.theirs.length > 0) continue;
    const untitled = clear(sheet, headerRow, column, [0]);
    if (untitled !== null) return untitled;
    sheet.styleColumns(headerRow, column, [WIDTH_AS_NEW], null);
    if (decisionLook(mark.role, mark.market).isHidden) sheet.showColumns(column, 1);
  }
  // Formulas are known by the marks of the columns that they read, so these go when all else is done.
  for (const one of [...marks.decisions, ...marks.costs]) removeMark(sheet, one);
  return { rows: productsIn(list), kept };
}

/** Clears the cells of a column at these ascending places. */
function clear(
  sheet: Sheet,
  first: number,
  column: number,
  places: readonly number[],
): Failure | null {
  for (const stretch of stretches(places, (at) => at)) {
    const area = areaOf(first + (stretch[0] ?? 0), column, stretch.length);
    const blanks = stretch.map(() => ['']);
    const refusal = refusalOf(sheet.write(area, blanks), area);
    if (refusal !== null) return refusal;
  }
  return null;
}
