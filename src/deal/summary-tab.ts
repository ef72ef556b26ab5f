// The tab with a list's summary: formulas that follow the list, a column for each market, and a
// chart of verdicts and one of ROI. Pure.
//
// The formulas work in every locale: they use semicolons and no decimals. Ranges begin at the
// header, so that rows inserted right below it are included, and go down to the end of the sheet.

import { columnLetters } from '../google/cells';
import type { NewTab, TabChart } from '../google/new-tab';
import { moneyIn, PERCENT } from '../product/cell-formats';
import { RULE_NAMES } from '../product/deal-rules';
import {
  DEFAULT_MARKET,
  MARKETS,
  type Market,
  marketPattern,
  marketRow,
  otherMarkets,
} from '../product/market';
import { ESTIMATED, type Verdict } from '../product/verdict';
import type { CostColumns } from './decision-plan';
import type { ListInspection } from './list';
import { HEADER_STYLE } from './rules-tab';
import { type DecidedRow, VERDICTS } from './summary';

/** The input of a summary. */
export interface Summarized {
  readonly look: ListInspection;
  readonly costs: CostColumns;
  readonly rows: readonly DecidedRow[];
}

/** The lower ends of the bands in percent; each band ends where the next begins. */
const ROI_FROM = [null, 0, 15, 30, 50, 100] as const;
const ROI_WORDS = ['Under 0%', '0 to 15%', '15 to 30%', '30 to 50%', '50 to 100%', '100% and more'];

const sum = (...factors: readonly string[]) => `=ARRAYFORMULA(SUM(${factors.join('*')}))`;
const numberOr = (cells: string, value: string, otherwise: string) =>
  `IF(ISNUMBER(${cells});${value};${otherwise})`;
const positive = (cells: string) => numberOr(cells, `IF(${cells}>0;${cells};1)`, '1');
/** 1 if the test holds, else 0. An error in one cell of the list must not make every sum an error. */
const holds = (test: string) => `IFERROR((${test})*1;0)`;
const is = (verdicts: string, verdict: string) => holds(`${verdicts}="${verdict}"`);

/** The list's cells for the formulas; null: the list has no such column. */
function listCells({ look, costs }: Summarized) {
  const { headerRow, productColumn, marketColumn, market, decisions } = look;
  const sheet = `'${look.sheet.name.replaceAll("'", "''")}'`;
  const below = (column: number) => {
    const letters = columnLetters(column);
    return `${sheet}!$${letters}$${headerRow}:$${letters}`;
  };
  const down = (column: number | null | undefined) => (column == null ? null : below(column));
  return {
    verdict: down(decisions.verdict?.column),
    why: down(decisions.why?.column),
    landed: down(decisions.landedCost?.column),
    profit: down(decisions.myProfit?.column),
    roi: down(decisions.myRoi?.column),
    product: below(productColumn),
    market: market === 'column' ? down(marketColumn) : null,
    quantity: down(costs.quantity?.column),
    pack: down(costs.pack?.column) ?? RULE_NAMES.pack,
    multipack: down(costs.multipack?.column) ?? RULE_NAMES.multipack,
  };
}

type Cells = ReturnType<typeof listCells>;

const matches = (cells: string, pattern: string) =>
  holds(`REGEXMATCH(LOWER(TRIM(${cells}));"${pattern}")`);

/** Whether the product is a link to this market. */
function isLinkTo(cells: string, market: Market): string {
  const { host, keepa } = marketRow(market);
  return matches(cells, `${host.replace(/[.]/g, '\\.')}(/|%2f)|keepa\\.com/#!product/${keepa}-`);
}

/**
 * 1 for rows of a market and 0 for others, by the same patterns as `readMarket`. If the market is
 * blank, it is that of the product's link, else the default one.
 */
function isOf(market: Market, { market: cells, product }: Cells): string {
  if (cells === null) return '1';
  const links = otherMarkets(DEFAULT_MARKET).map((one) => isLinkTo(product, one));
  const isMeant = market === DEFAULT_MARKET ? `(1-${links.join('-')})` : isLinkTo(product, market);
  return `(${matches(cells, marketPattern(market))}+${holds(`TRIM(${cells})=""`)}*${isMeant})`;
}

/** How many sales the packs of a row make. A quantity of 0 buys nothing, a blank counts as one. */
function salesOf({ quantity: cells, pack, multipack }: Cells): string {
  const packs = cells === null ? '1' : numberOr(cells, `IF(${cells}>=0;${cells};1)`, '1');
  return `${packs}*(${positive(pack)}/${positive(multipack)})`;
}

/** A line of the tab: its label, and the formula for each market. */
interface Line {
  readonly label: string;
  readonly of: (market: Market, letter: string, row: number) => string;
  readonly format?: (market: Market) => string;
}

/** Lines under a line of titles, with a blank line below them. */
interface Table {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly chart?: string;
}

function tablesOf(cells: Cells, verdict: string): readonly Table[] {
  const { landed, profit, roi } = cells;
  const total = (each: string | null) => (market: Market) => {
    const amount = each === null ? '0' : numberOr(each, each, '0');
    return sum(is(verdict, 'Buy'), isOf(market, cells), salesOf(cells), amount);
  };
  const inBand = (at: number) => (market: Market) => {
    const percent = numberOr(roi ?? '0', `ROUND(${roi}*100;2)`, '0');
    const [from, to] = [ROI_FROM[at] ?? null, ROI_FROM[at + 1] ?? null];
    return sum(
      ...[isOf(market, cells), `(ISNUMBER(${roi})*1)`],
      ...(from === null ? [] : [`(${percent}>=${from})`]),
      ...(to === null ? [] : [`(${percent}<${to})`]),
    );
  };
  const counted = (one: Verdict) => (market: Market) => sum(is(verdict, one), isOf(market, cells));
  return [
    {
      title: 'Verdict',
      lines: VERDICTS.map((one) => ({ label: one, of: counted(one) })),
      chart: 'Verdicts',
    },
    {
      title: 'All buys',
      lines: [
        { label: 'Outlay', of: total(landed), format: moneyIn },
        { label: 'Profit', of: total(profit), format: moneyIn },
        {
          label: 'ROI',
          of: (_, letter, row) =>
            `=IF(${letter}${row - 2}=0;"";${letter}${row - 1}/${letter}${row - 2})`,
          format: () => PERCENT,
        },
      ],
    },
    {
      title: 'My ROI',
      lines: ROI_WORDS.map((label, at) => ({ label, of: inBand(at) })),
      chart: 'Products by My ROI',
    },
  ];
}

/**
 * The reasons of products that are no Buy with their numbers of products, the most frequent first.
 * It fills the cells below.
 */
function reasonsFormula(verdict: string, why: string): string {
  const others = VERDICTS.filter((one) => one !== 'Buy').map((one) => is(verdict, one));
  const parts = `TOCOL(SPLIT(FILTER(${why};(${others.join('+')})*${holds(`${why}<>""`)}>0);"; ";FALSE);1)`;
  const counts = 'MAP(each;LAMBDA(one;SUM((kinds=one)*1)))';
  const lines = `SORT(FILTER(HSTACK(each;${counts});each<>"${ESTIMATED}");2;FALSE)`;
  return `=ARRAYFORMULA(IFERROR(LET(kinds;${parts};each;UNIQUE(kinds);${lines});""))`;
}

/** Where the first chart is. Charts are some 13 rows high, and stand below each other. */
const CHART_AT = { row: 3, column: 5 };
const CHART_ROWS = 15;

/**
 * The tab for `deals.tab`, one for each list, identified by a name that contains the list's number;
 * null: the list has no decisions yet.
 */
export function summaryTab(summarized: Summarized): NewTab | null {
  const { look, rows } = summarized;
  const cells = listCells(summarized);
  const { verdict, why } = cells;
  if (verdict === null) return null;
  const there = MARKETS.filter((one) => rows.some(({ product }) => product?.market === one));
  const found = there.length > 0 ? there : [DEFAULT_MARKET];
  const markets = look.market === 'column' ? found : [look.market];
  const last = columnLetters(1 + markets.length);
  const texts: string[][] = [[`Summary of “${look.sheet.name}”`], []];
  const formulas: { at: string; formula: string }[] = [];
  const styles: NewTab['styles'][number][] = [{ at: 'A1', isBold: true }];
  const charts: TabChart[] = [];
  for (const { title, lines, chart } of tablesOf(cells, verdict)) {
    const head = texts.push([title, ...markets]);
    styles.push({ at: `A${head}:${last}${head}`, ...HEADER_STYLE });
    for (const { label, of, format } of lines) {
      const row = texts.push([label]);
      for (const [at, market] of markets.entries()) {
        const letter = columnLetters(2 + at);
        formulas.push({ at: `${letter}${row}`, formula: of(market, letter, row) });
        if (format) styles.push({ at: `${letter}${row}`, format: format(market) });
      }
    }
    const row = CHART_AT.row + charts.length * CHART_ROWS;
    const of = `A${head}:${last}${texts.length}`;
    if (chart) charts.push({ title: chart, of, ...CHART_AT, row });
    texts.push([]);
  }
  if (why !== null) {
    const head = texts.push(['Why the others fail', 'Products']);
    styles.push({ at: `A${head}:B${head}`, ...HEADER_STYLE });
    formulas.push({ at: `A${head + 1}`, formula: reasonsFormula(verdict, why) });
  }
  const width = Math.max(...texts.map((row) => row.length));
  return {
    title: 'Summary',
    cells: texts.map((row) => [...row, ...Array<string>(width - row.length).fill('')]),
    ...{ formulas, styles, charts },
    names: [{ name: `LIST_SUMMARY_${look.sheet.id}`, at: 'A1' }],
    widths: [190, 110, 110],
    frozenRows: 1,
    replaces: true,
  };
}
