// The tab with a list's summary: formulas that follow the list, a column for each market, and a
// chart of verdicts and one of ROI.
//
// The formulas work in every locale: they use semicolons and no decimals. Ranges begin at the
// header, so that rows inserted right below it are included, and go down to the end of the sheet.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { columnLetters } from '../google/cells';
import type { MadeTab, NewTab, TabCell } from '../google/new-tab';
import { moneyIn, PERCENT } from '../product/cell-formats';
import { type DecisionRole, decisionTitle, numberRole } from '../product/deal-formulas';
import { RULE_NAMES } from '../product/deal-rules';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { shownNumber } from '../product/own-row';
import { quantityFormula } from '../product/typed-cost';
import { NOTES, VERDICTS } from '../product/verdict';
import { addTab } from '../sheet/own-tab';
import { type DealList, decisionColumn, type ListSelection, openList } from './list';
import { offersOf, type ReadTab } from './offer-rows';
import { notOrderedFormula } from './offers';
import { HEADER_STYLE } from './rules-tab';

/** The bands of ROI: their words, and their ends in percent. */
const BANDS: readonly (readonly [words: string, from: number | null, to: number | null])[] = [
  ['Under 0%', null, 0],
  ['0 to 15%', 0, 15],
  ['15 to 30%', 15, 30],
  ['30 to 50%', 30, 50],
  ['50 to 100%', 50, 100],
  ['100% and more', 100, null],
];

/** A column of the list's sheet, down to its end; undefined: the list has none. */
function columnRange({ view }: DealList, column: number | undefined): string | undefined {
  if (column === undefined) return undefined;
  const letters = columnLetters(column);
  const sheet = `'${view.sheet.name.replaceAll("'", "''")}'`;
  return `${sheet}!$${letters}$${view.headerRow}:$${letters}`;
}

/** The formulas of a market's column. @param verdict the cells of verdicts. */
function formulasOf(deal: DealList, verdict: string, market: Market) {
  const { block, costs } = deal;
  const decision = (role: DecisionRole) => columnRange(deal, decisionColumn(deal, role));
  // As the rows were analyzed.
  const ofRow =
    block.market === 'column' ? columnRange(deal, block.columns.get('market')) : undefined;
  const count = (...tests: readonly string[]) =>
    `=COUNTIFS(${[...tests, ...(ofRow ? [ofRow, `"${market}"`] : [])].join(';')})`;
  const quantity = columnRange(deal, costs.quantity?.column);
  const { caseSize } = deal.terms;
  const ofList = { ...RULE_NAMES, ...(caseSize !== null && { pack: String(caseSize) }) };
  const units = (key: 'pack' | 'multipack') => {
    const read = decision(numberRole(key));
    return read ? shownNumber(read) : ofList[key];
  };
  const bought = quantity ? quantityFormula(quantity) : '1';
  const packs = deal.quantityAs === 'units' ? `ROUNDUP(${bought}/${units('pack')};0)` : bought;
  const ordered = columnRange(deal, costs.ordered?.column);
  const isBought = [
    `(${verdict}="Buy")`,
    ...(ofRow ? [`(${ofRow}="${market}")`] : []),
    ...(ordered ? [notOrderedFormula(ordered)] : []),
  ].join('*');
  const sales = `${isBought}*${packs}*${units('pack')}/${units('multipack')}`;
  return {
    count,
    total: (role: DecisionRole) =>
      `=ARRAYFORMULA(SUM(IFERROR(${sales}*${decision(role) ?? '0'};0)))`,
    band(from: number | null, to: number | null) {
      const roi = decision('myRoi') ?? '0';
      return count(
        ...(from === null ? [] : [roi, `">="&${from}%`]),
        ...(to === null ? [] : [roi, `"<"&${to}%`]),
      );
    },
  };
}

/**
 * The reasons of products that are no Buy with their numbers of products, the most frequent first.
 * It fills the cells below.
 */
function reasonsFormula(verdict: string, why: string): string {
  const isOther = `REGEXMATCH(IFERROR(${verdict}&"";"");"^(Maybe|Skip|No verdict)$")`;
  const parts = `TOCOL(SPLIT(FILTER(${why};${isOther}*IFERROR(LEN(${why});0)>0);"; ";FALSE);1)`;
  const counts = 'MAP(each;LAMBDA(one;SUM((kinds=one)*1)))';
  const areReasons = NOTES.map((note) => `(each<>"${note}")`).join('*');
  const lines = `SORT(FILTER(HSTACK(each;${counts});${areReasons});2;FALSE)`;
  return `=ARRAYFORMULA(IFERROR(LET(kinds;${parts};each;UNIQUE(kinds);${lines});""))`;
}

/** Makes the tab, one for each list and market on view, in place of an earlier one. */
export function summarize(selection: ListSelection, readTab: ReadTab): MadeTab | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  const verdict = deal === null ? undefined : columnRange(deal, decisionColumn(deal, 'verdict'));
  if (deal === null || verdict === undefined)
    return runProblem('look-again', decisionTitle('verdict'));
  const { market } = deal.block;
  const offers = market === 'column' ? offersOf(deal, readTab) : [];
  if (isFailure(offers)) return offers;
  const present = MARKETS.filter((market) =>
    offers.some(({ product }) => product?.market === market),
  );
  const ofRows = present.length > 0 ? present : [DEFAULT_MARKET];
  return addTab(tabOf(deal, verdict, market === 'column' ? ofRows : [market]));
}

/** @param verdict the cells of verdicts. */
function tabOf(deal: DealList, verdict: string, markets: readonly Market[]): NewTab {
  const { sheet, listId, market } = deal.view;
  const columns = markets.map((market, at) => ({
    letter: columnLetters(2 + at),
    format: moneyIn(market),
    ...formulasOf(deal, verdict, market),
  }));
  const line = (label: string, of: (column: (typeof columns)[number]) => string): TabCell[] => [
    ...[label, ...columns.map((column) => ({ formula: of(column) }))],
  ];
  const why = columnRange(deal, decisionColumn(deal, 'why'));
  const last = columns[columns.length - 1]?.letter ?? 'B';
  return {
    title: 'Summary',
    cells: [
      [`Summary of “${sheet.name}”`],
      [],
      ['Verdict', ...markets],
      ...VERDICTS.map((other) => line(other, ({ count }) => count(verdict, `"${other}"`))),
      [],
      ['To order', ...markets],
      line('Outlay', ({ total }) => total('landedCost')),
      line('Profit', ({ total }) => total('myProfit')),
      line('ROI', ({ letter }) => `=IF(${letter}10=0;"";${letter}11/${letter}10)`),
      [],
      ['My ROI', ...markets],
      ...BANDS.map(([words, from, to]) => line(words, ({ band }) => band(from, to))),
      [],
      ['Why the others fail', 'Products'],
      [why === undefined ? '' : { formula: reasonsFormula(verdict, why) }],
    ],
    styles: [
      { at: 'A1', isBold: true },
      ...[3, 9, 14].map((row) => ({ at: `A${row}:${last}${row}`, ...HEADER_STYLE })),
      { at: 'A22:B22', ...HEADER_STYLE },
      ...columns.flatMap(({ letter, format }) => [
        { at: `${letter}10:${letter}11`, format },
        { at: `${letter}12`, format: PERCENT },
      ]),
    ],
    // Charts are some 13 rows high, and stand below each other.
    charts: [
      { title: 'Verdicts', of: `A3:${last}7`, row: 3, column: 5 },
      { title: 'Products by My ROI', of: `A14:${last}20`, row: 18, column: 5 },
    ],
    names: [{ name: `LIST_SUMMARY_${sheet.id}_${listId}_${market}`, at: 'A1' }],
    widths: [190, 110, 110],
    frozenRows: 1,
    replaces: true,
  };
}
