// The columns of decisions beside a list: which there are, what they hold, and how verdicts look.

import type { AnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf } from '../google/cells';
import { highlightTexts } from '../google/presentation';
import { type Choice, choicesOf } from '../list/choice';
import type { CostQuestion } from '../list/cost-choice';
import type { WantedFormula } from '../list/new-columns';
import { rowsOf } from '../list/our-cells';
import {
  closeGap,
  ensureFormulas,
  guardTitles,
  removeColumns,
  removeFormulas,
} from '../list/our-columns';
import {
  addTag,
  type Binding,
  BOUND_ROLES,
  type FormulaTag,
  formulaTagsOf,
  ignoredTagsOf,
  listTagOf,
  marketsIn,
  type Reading,
  readTags,
  removeTag,
  type TaggedList,
} from '../list/tagged-list';
import { titleOf } from '../product/cell-text';
import { COST_KEYS, type CostKey } from '../product/cost';
import {
  betterFormula,
  DEAL_COLUMNS,
  type DecisionRole,
  dealFormulas,
  decisionTitle,
  numberFormulas,
} from '../product/deal-formulas';
import { FIELDS, type Field } from '../product/fields';
import { MARKETS, type Market } from '../product/market';
import type { CostTerms } from '../product/offer-costs';
import { decisionFormat, HIGHLIGHTS, styleOf } from './decision-plan';
import { type DealList, type ListId, type ListSelection, listById, openList } from './list';
import { ensureRules, showRulesFor } from './rules';

export interface Decided {
  /** The number of rows with a product. */
  readonly rows: number;
  /** The number of cells that people have typed into, which stay as they are. */
  readonly kept: number;
}

/** The figures that decisions need. A list whose rows name their markets needs the market as well. */
const NEEDED = ['fees', 'sell_price'] as const;

const isNeeded = (field: Field): boolean => NEEDED.some((needed) => needed === field);

/** The parts of adding decisions, in their order, each long enough for a page to tell it. */
export const DECIDE_PARTS = ['rules', 'formulas'] as const;

export type DecidePart = (typeof DECIDE_PARTS)[number];

/**
 * Adds what is missing beside the list, notes which columns hold costs, and fills formulas in.
 *
 * @param until the last part that is done; what is there already costs only a look.
 * @returns null: parts are left.
 */
export function decideOnList(
  tab: AnalysisTab,
  selection: ListSelection,
  roiIsFraction: boolean,
  until: DecidePart = 'formulas',
): Decided | null | Failure {
  const found = ensureRules() ?? openList(selection);
  if (isFailure(found)) return found;
  const [open] = found?.questions ?? [];
  if (open !== undefined) return runProblem('columns-unclear', questionWords(open));
  if (found?.costs.cost === undefined)
    return runProblem('look-again', selection.cost?.title ?? 'Cost');
  // What is read no longer would count as nothing, in every row.
  const lost = found.rebound.find(({ role }) => isCost(role) && found.costs[role] === undefined);
  if (lost !== undefined) return runProblem('look-again', lost.title);
  bindColumns(found);
  showRulesFor(marketsOf(found));
  if (until === 'rules') return null;
  const list = listById({ sheetId: found.list.sheet.id, listId: found.list.id });
  if (isFailure(list)) return list;
  const wanted = wantedDecisions(list, found.terms, roiIsFraction);
  const made = ensureFormulas(tab, list, neededFigures(list, roiIsFraction), wanted);
  if (isFailure(made)) return made;
  hideMarkets(list, made.list);
  highlight(made.list, true);
  const rows = productsIn(made.list);
  const [first] = made.list.formulas.filter(({ tag }) => tag.role === 'verdict');
  // A new list begins with its products.
  if (rows > 0 && first !== undefined) list.sheet.scrollTo(list.headerRow, first.at);
  return { rows, kept: made.filled.kept };
}

/** Which question is open, as its failure names it. */
const questionWords = ({ role, columns: [first] }: CostQuestion): string =>
  first?.title ?? (role === 'pack' ? 'Case size' : role);

const isCost = (role: Binding['role']): role is CostKey => COST_KEYS.some((key) => key === role);

const marketsOf = ({ view: { markets } }: DealList): readonly Market[] =>
  MARKETS.filter((market) => markets.includes(market) || markets.includes('column'));

/** Notes on the person's columns what they hold, that some are nothing, and their titles. */
function bindColumns(deal: DealList): void {
  const { list, costs, packUse, quantityAs, terms, titles } = deal;
  const { sheet, productColumn, marketColumn } = list;
  const columns = { product: productColumn, market: marketColumn ?? undefined };
  const tags = readTags(sheet) ?? [];
  const discount = terms.discountAs ?? undefined;
  const readings = { cost: packUse, discount, quantity: quantityAs };
  for (const role of BOUND_ROLES) {
    const column = isCost(role) ? costs[role]?.column : columns[role];
    const as = readings[role as keyof typeof readings];
    const now = column === undefined ? undefined : { column, title: titles[column - 1] ?? '', as };
    bindColumn(list, listTagOf(tags, list.id, role), role, now);
  }
  const before = ignoredTagsOf(tags, list.id);
  for (const found of before)
    if (Object.values(costs).some(({ column }) => column === found.at)) removeTag(sheet, found);
  for (const { column, title } of deal.ignored)
    if (!before.some(({ at, tag }) => at === column && tag.title === title))
      addTag(sheet, { list: list.id, role: 'ignored', title }, column);
}

/** @param now undefined: none holds it any more. */
function bindColumn(
  { sheet, id }: TaggedList,
  before: ReturnType<typeof listTagOf>,
  role: Binding['role'],
  now: (Pick<Binding, 'column' | 'title'> & { readonly as: Reading | undefined }) | undefined,
): void {
  if (now !== undefined) {
    const { column, title, as } = now;
    if (before?.at === column && before.tag.title === title && before.tag.as === as) return;
    const { as: _, ...rest } = before?.tag ?? {};
    addTag(sheet, { ...rest, list: id, role, title, ...(as && { as }) }, column);
  }
  if (before !== undefined) removeTag(sheet, before);
}

/** A person says that a column is still what it was bound as, whatever its title is now. */
export function keepBound(listId: ListId, role: Binding['role']): Failure | null {
  const list = listById(listId);
  if (isFailure(list)) return list;
  const bound = list.bindings.find((binding) => binding.role === role);
  if (bound === undefined) return runProblem('look-again', role);
  const { sheet, id, headerRow } = list;
  const { column, as } = bound;
  const title = titleOf(sheet.values(areaOf(headerRow, column))?.[0]?.[0]);
  bindColumn(list, listTagOf(readTags(sheet) ?? [], id, role), role, { column, title, as });
  const guarded = guardTitles(list);
  return isFailure(guarded) ? guarded : null;
}

/** The figures that decisions need, for each market of the list. */
const neededFigures = ({ blocks, defaultMarket }: TaggedList, roiIsFraction: boolean) =>
  blocks.map(({ market }) => {
    const columns = market === 'column' ? ([...NEEDED, 'market'] as const) : NEEDED;
    return { market, defaultMarket, columns, roiIsFraction };
  });

/** Hides the column of markets that decisions alone read, where it is new. */
function hideMarkets(before: TaggedList, { sheet, blocks }: TaggedList): void {
  const among = (all: TaggedList['blocks']) =>
    all.flatMap(({ columns }) => columns.get('market') ?? []);
  const [added] = among(blocks);
  if (added !== undefined && among(before.blocks).length === 0) sheet.hideColumns(added, 1);
}

/** Every column of decisions: of each market, then of the list; hidden ones last. */
function wantedDecisions(
  list: TaggedList,
  { side, caseSize, included, discountAs, ratesOf }: CostTerms,
  roiIsFraction: boolean,
): readonly WantedFormula[] {
  const [first, second] = marketsIn(list);
  const isOfBoth = second !== undefined;
  const ofList = {
    costs: [...list.costs.keys()],
    ...{ side, caseSize, included, discountAs, isOfBoth, roiIsFraction },
  };
  const wanted = (
    role: DecisionRole,
    market: FormulaTag['market'],
    formula: string,
  ): WantedFormula => {
    const style = styleOf(role, market);
    const format = decisionFormat(role, market, isOfBoth);
    return { role, market, formula, title: decisionTitle(role), format, ...style };
  };
  const ofBlocks = list.blocks.flatMap(({ market, columns }) => {
    const formulas = dealFormulas({
      ...ofList,
      market,
      fields: FIELDS.filter((field) => columns.has(field) || isNeeded(field)),
    });
    return DEAL_COLUMNS.flatMap((role) => {
      const formula = formulas[role];
      return formula === undefined ? [] : [wanted(role, market, formula)];
    });
  });
  const ofFirst = { ...ofList, market: list.blocks[0]?.market ?? ('column' as const) };
  const numbers = numberFormulas(ofFirst, ratesOf);
  const all = [
    ...ofBlocks,
    ...(first && second ? [wanted('better', 'both', betterFormula([first, second]))] : []),
    ...numbers.map(({ role, formula }) => wanted(role, 'both', formula)),
  ];
  return [...all.filter(({ isHidden }) => !isHidden), ...all.filter(({ isHidden }) => isHidden)];
}

const productsIn = (list: TaggedList): number => rowsOf(list)?.isFilled.filter(Boolean).length ?? 0;

/** Highlights verdicts, or no longer. An extra, so a refusal is no failure. */
function highlight({ sheet, headerRow, formulas }: TaggedList, isShown: boolean): void {
  for (const { tag, at } of formulas)
    if (tag.role === 'verdict') highlightTexts(sheet, at, headerRow + 1, HIGHLIGHTS, isShown);
}

/** Removes our formulas, our titles and the highlighting. What a person typed stays. */
export function removeDecisions(listId: ListId): Decided | Failure {
  const list = listById(listId);
  if (isFailure(list)) return list;
  const { sheet, id } = list;
  highlight(list, false);
  const typedCells = removeFormulas(list);
  if (isFailure(typedCells)) return typedCells;
  // Who is cut off here finds the columns by their marks the next time.
  closeGap(list);
  const tags = readTags(sheet) ?? [];
  const costs = COST_KEYS.flatMap((role) => listTagOf(tags, id, role) ?? []);
  for (const found of [...formulaTagsOf(tags, id), ...costs, ...ignoredTagsOf(tags, id)])
    removeTag(sheet, found);
  return { rows: productsIn(list), kept: typedCells };
}

export interface Removed {
  readonly columns: number;
  /** The number of cells that people have typed into, which stay as they are. */
  readonly kept: number;
  /** What the columns showed, so that they can be added again. */
  readonly shown: readonly Choice[];
}

/** Removes the columns of figures as well. */
export function removeAllColumns(listId: ListId): Removed | Failure {
  const list = listById(listId);
  if (isFailure(list)) return list;
  highlight(list, false);
  const typedCells = removeColumns(list);
  if (isFailure(typedCells)) return typedCells;
  const { blocks, formulas } = list;
  const figures = blocks.reduce((sum, { columns }) => sum + columns.size, 0);
  return { columns: figures + formulas.length, kept: typedCells, shown: choicesOf(list) };
}
