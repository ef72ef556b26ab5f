// The tab with a list's summary: formulas that follow the list, a column for each market, and a
// chart of verdicts and one of ROI.
//
// The formulas work in every locale: they use semicolons and no decimals. Ranges begin at the
// header, so that rows inserted right below it are included, and go down to the end of the sheet.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { columnLetters } from '../google/cells';
import type { MadeTab, NewTab, TabCell, TabChart } from '../google/new-tab';
import { moneyIn, PERCENT } from '../product/cell-formats';
import { numberRole } from '../product/deal-formulas';
import { RULE_NAMES } from '../product/deal-rules';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { ESTIMATED, VERDICTS } from '../product/verdict';
import { type DecisionRole, decisionTitle } from './decision-plan';
import {
  type DealList,
  type ListSelection,
  offersOf,
  openList,
  placeOf,
  type ReadTab,
} from './list';
import { HEADER_STYLE } from './rules-tab';
import { addTab } from './tabs';

/** The lower ends of the bands in percent; each band ends where the next begins. */
const ROI_FROM = [null, 0, 15, 30, 50, 100] as const;
const ROI_WORDS = ['Under 0%', '0 to 15%', '15 to 30%', '30 to 50%', '50 to 100%', '100% and more'];

/** Lines under a line of titles: each with its label, and its formula in the column of a market. */
interface Table {
  readonly title: string;
  readonly lines: readonly {
    readonly label: string;
    /** @param above the cell of the line so many lines above. */
    readonly of: (market: Market, above: (lines: number) => string) => string;
    readonly format?: (market: Market) => string;
  }[];
  readonly chart?: string;
}

/** A column of the list's sheet, down to its end. */
function rangeOf({ look }: DealList, column: number): string {
  const letters = columnLetters(column);
  const sheet = `'${look.sheet.name.replaceAll("'", "''")}'`;
  return `${sheet}!$${letters}$${look.headerRow}:$${letters}`;
}

function tablesOf(deal: DealList, verdict: string): readonly Table[] {
  const { group, costs } = deal;
  const at = (column: number | undefined) =>
    column === undefined ? undefined : rangeOf(deal, column);
  const decision = (role: DecisionRole) => at(placeOf(deal, role)) ?? '0';
  const roi = decision('myRoi');
  // As the rows were analyzed.
  const ofRow = group.market === 'column' ? at(group.columns.get('market')) : undefined;
  const count = (market: Market, ...tests: readonly string[]) =>
    `=COUNTIFS(${[...tests, ...(ofRow ? [ofRow, `"${market}"`] : [])].join(';')})`;
  // A quantity of 0 buys nothing; what is none counts as one.
  const quantity = at(costs.quantity?.column);
  const packs = quantity ? `IF(ISNUMBER(${quantity})*(${quantity}>=0);${quantity};1)` : '1';
  const units = (key: 'pack' | 'multipack') =>
    at(placeOf(deal, numberRole(key))) ?? RULE_NAMES[key];
  const total = (amount: string) => (market: Market) => {
    const isMeant = `(${verdict}="Buy")${ofRow ? `*(${ofRow}="${market}")` : ''}`;
    const each = `${isMeant}*${packs}*${units('pack')}/${units('multipack')}*${amount}`;
    return `=ARRAYFORMULA(SUM(IFERROR(${each};0)))`;
  };
  const band = (from: number | null, to: number | undefined) => (market: Market) =>
    count(
      market,
      ...(from === null ? [] : [roi, `">="&${from}%`]),
      ...(to === undefined ? [] : [roi, `"<"&${to}%`]),
    );
  return [
    {
      title: 'Verdict',
      lines: VERDICTS.map((one) => ({
        label: one,
        of: (market) => count(market, verdict, `"${one}"`),
      })),
      chart: 'Verdicts',
    },
    {
      title: 'All buys',
      lines: [
        { label: 'Outlay', of: total(decision('landedCost')), format: moneyIn },
        { label: 'Profit', of: total(decision('myProfit')), format: moneyIn },
        {
          label: 'ROI',
          of: (_, above) => `=IF(${above(2)}=0;"";${above(1)}/${above(2)})`,
          format: () => PERCENT,
        },
      ],
    },
    {
      title: 'My ROI',
      lines: ROI_WORDS.map((label, place) => ({
        label,
        of: band(ROI_FROM[place] ?? null, ROI_FROM[place + 1] ?? undefined),
      })),
      chart: 'Products by My ROI',
    },
  ];
}

/**
 * The reasons of products that are no Buy with their numbers of products, the most frequent first.
 * It fills the cells below.
 */
function reasonsFormula(verdict: string, why: string): string {
  const isOther = `REGEXMATCH(IFERROR(${verdict}&"";"");"^(Maybe|Skip|No verdict)$")`;
  const parts = `TOCOL(SPLIT(FILTER(${why};${isOther}*IFERROR(LEN(${why});0)>0);"; ";FALSE);1)`;
  const counts = 'MAP(each;LAMBDA(one;SUM((kinds=one)*1)))';
  const lines = `SORT(FILTER(HSTACK(each;${counts});each<>"${ESTIMATED}");2;FALSE)`;
  return `=ARRAYFORMULA(IFERROR(LET(kinds;${parts};each;UNIQUE(kinds);${lines});""))`;
}

/** Where the first chart is. Charts are some 13 rows high, and stand below each other. */
const CHART_AT = { row: 3, column: 5 };
const CHART_ROWS = 15;

/** Makes the tab, one for each list, in place of an earlier one. */
export function summarize(selection: ListSelection, readTab: ReadTab): MadeTab | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  const column = deal === null ? undefined : placeOf(deal, 'verdict');
  if (deal === null || column === undefined)
    return runProblem('look-again', decisionTitle('verdict'));
  const { market } = deal.group;
  const offers = market === 'column' ? offersOf(deal, readTab) : [];
  if (isFailure(offers)) return offers;
  const there = MARKETS.filter((one) => offers.some(({ product }) => product?.market === one));
  const ofRows = there.length > 0 ? there : [DEFAULT_MARKET];
  return addTab(tabOf(deal, rangeOf(deal, column), market === 'column' ? ofRows : [market]));
}

/** @param verdict the cells of verdicts. */
function tabOf(deal: DealList, verdict: string, markets: readonly Market[]): NewTab {
  const { look } = deal;
  const why = placeOf(deal, 'why');
  const last = columnLetters(1 + markets.length);
  const cells: TabCell[][] = [[`Summary of “${look.sheet.name}”`], []];
  const styles: NewTab['styles'][number][] = [{ at: 'A1', isBold: true }];
  const charts: TabChart[] = [];
  for (const { title, lines, chart } of tablesOf(deal, verdict)) {
    const head = cells.push([title, ...markets]);
    styles.push({ at: `A${head}:${last}${head}`, ...HEADER_STYLE });
    for (const { label, of, format } of lines) {
      const row = cells.length + 1;
      const letters = markets.map((_, at) => columnLetters(2 + at));
      const formulas = markets.map((market, at) =>
        of(market, (above) => `${letters[at]}${row - above}`),
      );
      cells.push([label, ...formulas.map((formula) => ({ formula }))]);
      if (format)
        styles.push(
          ...markets.map((market, at) => ({ at: `${letters[at]}${row}`, format: format(market) })),
        );
    }
    const row = CHART_AT.row + charts.length * CHART_ROWS;
    if (chart)
      charts.push({ title: chart, of: `A${head}:${last}${cells.length}`, ...CHART_AT, row });
    cells.push([]);
  }
  if (why !== undefined) {
    const head = cells.push(['Why the others fail', 'Products']);
    styles.push({ at: `A${head}:B${head}`, ...HEADER_STYLE });
    cells.push([{ formula: reasonsFormula(verdict, rangeOf(deal, why)) }]);
  }
  return {
    title: 'Summary',
    ...{ cells, styles, charts },
    names: [{ name: `LIST_SUMMARY_${look.sheet.id}`, at: 'A1' }],
    widths: [190, 110, 110],
    frozenRows: 1,
    replaces: true,
  };
}
