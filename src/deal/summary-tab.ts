// The tab with a list's summary: formulas that follow the list, charts of them, and the history of
// its best products, for each currency. Pure.
//
// The formulas work in every locale: they use semicolons and no decimals. Ranges begin at the
// header, so that rows inserted right below it are included, and go down to the end of the sheet.

import type { NewTab, TabChart } from '../platform/new-tab';
import { columnLetters } from '../platform/ports';
import { MOMENT, moneyIn, PERCENT } from '../product/cell-formats';
import { COST_NAMES } from '../product/deal-rules';
import { fieldTitle } from '../product/fields';
import {
  DEFAULT_MARKET,
  MARKETS,
  type Market,
  marketPattern,
  marketRow,
  otherMarkets,
} from '../product/market';
import { type CostColumns, nameColumnOf } from './decision-plan';
import type { ListInspection } from './list';
import { HEADER_STYLE } from './rules-tab';
import type { DecidedRow } from './summary';

/** The input of a summary. */
export interface Summarized {
  readonly look: ListInspection;
  readonly costs: CostColumns;
  readonly rows: readonly DecidedRow[];
  /** The name of the change log; null: there is no log. */
  readonly log: string | null;
}

const VERDICTS = ['Buy', 'Maybe', 'Skip', 'No verdict'] as const;

/** The lower ends of the bands in percent; each band ends where the next begins. */
const ROI_FROM = [null, 0, 15, 30, 50, 100] as const;
const ROI_WORDS = ['Under 0%', '0 to 15%', '15 to 30%', '30 to 50%', '50 to 100%', '100% and more'];

/**
 * Two columns of chart points for each market, at the right end of a new tab of Google's, which has
 * 26 columns.
 */
const WIDTH = 26;
const FIRST_POINTS = WIDTH - 2 * MARKETS.length + 1;
/** The column with the products of the history, in the form in which the log has them. */
const KEYS = FIRST_POINTS - 1;

/** The title is in the first row, followed by one block of numbers and charts for each market. */
const FIRST_BLOCK = 3;
const HISTORY_AT = 28;
/** The most products in a history; each takes two formulas on the log. */
const HISTORY_ROWS = 30;
const BLOCK_ROWS = HISTORY_AT + HISTORY_ROWS + 3;
const CHART_COLUMNS = [4, 8, 12] as const;
const LOWER_CHARTS = 14;

/** A group of a market's numbers: labels with formulas. Its first row has its titles. */
interface Part {
  readonly lines: readonly (readonly [label: string, formula: string])[];
  readonly title: string;
  readonly type: TabChart['type'];
  /** The number of lines in the chart, including the titles. */
  readonly charted: number;
  readonly format?: string;
}

const sum = (...factors: readonly string[]) => `=ARRAYFORMULA(SUM(${factors.join('*')}))`;
const isNumber = (cells: string) => `ISNUMBER(${cells})`;
const numberOr = (cells: string, value: string, otherwise: string) =>
  `IF(${isNumber(cells)};${value};${otherwise})`;
const positive = (cells: string) => numberOr(cells, `IF(${cells}>0;${cells};1)`, '1');
const amount = (cells: string) => numberOr(cells, cells, '0');
/** The page counts in the same way: a quantity of 0 buys nothing, a blank counts as one. */
const packsOf = (cells: string | null) =>
  cells === null ? '1' : numberOr(cells, `IF(${cells}>=0;${cells};1)`, '1');
const quoted = (sheetName: string) => `'${sheetName.replaceAll("'", "''")}'`;

/** The list's cells for the formulas; null: the list has no such column. */
function listCells({ look, costs }: Summarized) {
  const { headerRow, productColumn, marketColumn, market, decisions, figures } = look;
  const sheet = quoted(look.sheet.name);
  const below = (column: number) => {
    const letters = columnLetters(column);
    return `${sheet}!$${letters}$${headerRow}:$${letters}`;
  };
  const down = (column: number | null | undefined) => (column == null ? null : below(column));
  const figure = (key: string) => down(figures.find((one) => one.key === key)?.column);
  return {
    verdict: down(decisions.verdict?.column),
    landed: down(decisions.landedCost?.column),
    profit: down(decisions.myProfit?.column),
    roi: down(decisions.myRoi?.column),
    eligible: figure('eligible'),
    drops: figure('rank_drops_30d'),
    product: below(productColumn),
    name: down(nameColumnOf(look)),
    market: market === 'column' ? down(marketColumn) : null,
    quantity: down(costs.quantity?.column),
    pack: down(costs.pack?.column) ?? COST_NAMES.pack,
    multipack: down(costs.multipack?.column) ?? '1',
  };
}

type Cells = ReturnType<typeof listCells>;

/**
 * 1 if the test holds, else 0. An error in one cell of the list must not make every sum an error.
 */
const holds = (test: string) => `IFERROR((${test})*1;0)`;
const matches = (cells: string, pattern: string) =>
  holds(`REGEXMATCH(LOWER(TRIM(${cells}));"${pattern}")`);
const escaped = (text: string) => text.replace(/[.]/g, '\\.');

/** Recognises a market in the same way as `readMarket`. */
const isNamed = (cells: string, market: Market) => matches(cells, marketPattern(market));

/** Whether the product is a link to this market. */
function isLinkTo(cells: string, market: Market): string {
  const { host, keepa } = marketRow(market);
  return matches(cells, `${escaped(host)}(/|%2f)|keepa\\.com/#!product/${keepa}-`);
}

/**
 * 1 for rows of a market and 0 for others. If the market is blank, it is that of the product's
 * link, else the default one.
 */
function isOf(market: Market, { market: cells, product }: Cells): string {
  if (cells === null) return '1';
  const links = otherMarkets(DEFAULT_MARKET).map((one) => isLinkTo(product, one));
  const isMeant = market === DEFAULT_MARKET ? `(1-${links.join('-')})` : isLinkTo(product, market);
  return `(${isNamed(cells, market)}+${holds(`TRIM(${cells})=""`)}*${isMeant})`;
}

const counted = (verdicts: string, verdict: string) => holds(`${verdicts}="${verdict}"`);

/** How many sales the packs of a row make. */
function salesOf({ quantity, pack, multipack }: Cells): string {
  const ofPack = multipack === '1' ? positive(pack) : `${positive(pack)}/${positive(multipack)}`;
  return `${packsOf(quantity)}*(${ofPack})`;
}

/** What all Buys come to, at an amount for each sale. */
const totalOf = (buys: string, cells: Cells, each: string | null) =>
  sum(buys, salesOf(cells), amount(each ?? '0'));

function roiLine(roi: string, market: string, at: number): readonly [string, string] {
  const percent = numberOr(roi, `ROUND(${roi}*100;2)`, '0');
  const [from, to] = [ROI_FROM[at] ?? null, ROI_FROM[at + 1] ?? null];
  const bounds = [
    ...(from === null ? [] : [`(${percent}>=${from})`]),
    ...(to === null ? [] : [`(${percent}<${to})`]),
  ];
  return [ROI_WORDS[at] ?? '', sum(market, `(${isNumber(roi)}*1)`, ...bounds)];
}

/** @param row the row of the part's titles. */
function eligiblePart(eligible: string, rows: string, row: number): Part {
  const [yes, no, unknown] = [`B${row + 1}`, `B${row + 2}`, `B${row + 3}`];
  return {
    ...{ title: 'Eligible', type: 'PIE', charted: 4 },
    lines: [
      ['Yes', sum(rows, holds(`${eligible}=TRUE`))],
      ['No', sum(rows, holds(`(${eligible}=FALSE)*ISLOGICAL(${eligible})`))],
      ['Not known', `${sum(rows)}-${yes}-${no}`],
      ['Eligible share', `=IF(SUM(${yes}:${unknown})=0;"";${yes}/SUM(${yes}:${unknown}))`],
    ],
  };
}

/** Where the parts of a block begin, in rows from its first. */
const PART_AT = { verdicts: 1, roi: 7, eligible: 15, money: 21 };

/** 1 for rows of the market with a verdict, else 0. */
const decidedIn = (verdict: string, own: string) =>
  `(${VERDICTS.map((one) => counted(verdict, one)).join('+')})*${own}`;

function partsOf(cells: Cells, market: Market, first: number): readonly (Part & { row: number })[] {
  const { verdict, roi, eligible } = cells;
  if (verdict === null) return [];
  const own = isOf(market, cells);
  const decided = decidedIn(verdict, own);
  const buys = `${counted(verdict, 'Buy')}*${own}`;
  const eligibleRow = first + PART_AT.eligible;
  return [
    {
      ...{ row: first + PART_AT.verdicts, title: 'Verdict', type: 'COLUMN', charted: 5 },
      lines: VERDICTS.map((one) => [one, sum(own, counted(verdict, one))] as const),
    },
    ...(roi === null
      ? []
      : [
          {
            ...{ row: first + PART_AT.roi, title: 'My ROI', charted: ROI_FROM.length + 1 },
            type: 'COLUMN' as const,
            lines: ROI_FROM.map((_, at) => roiLine(roi, own, at)),
          },
        ]),
    ...(eligible === null
      ? []
      : [{ ...eligiblePart(eligible, decided, eligibleRow), row: eligibleRow }]),
    {
      ...{ row: first + PART_AT.money, title: 'Buys', type: 'COLUMN', charted: 3 },
      format: moneyIn(market),
      lines: [
        ['Money needed', totalOf(buys, cells, cells.landed)],
        ['Profit', totalOf(buys, cells, cells.profit)],
      ],
    },
  ];
}

const CHART_TITLES: Readonly<Record<string, string>> = {
  Verdict: 'Verdicts',
  'My ROI': 'Spread of My ROI',
  Eligible: 'Eligible products',
  Buys: 'Money needed and profit of all buys',
};

/** The points of a chart, at the right: rank drops, then profit. */
function pointsOf(cells: Cells, market: Market, column: number) {
  const { drops, profit } = cells;
  if (drops === null || profit === null) return null;
  const isPoint = `${isNumber(drops)}*${isNumber(profit)}*${isOf(market, cells)}>0`;
  const [x, y] = [columnLetters(column), columnLetters(column + 1)];
  const filtered = (values: string) => `=IFERROR(FILTER(${values};${isPoint});"")`;
  return {
    range: `${x}1:${y}`,
    formulas: [
      { at: `${x}2`, formula: filtered(drops) },
      { at: `${y}2`, formula: filtered(profit) },
    ],
  };
}

/**
 * Patterns for an ASIN in a cell or a link, and for the nine digits that both forms of an ISBN
 * share, with or without lost zeros.
 */
const ASIN_IN = '(?:^|[^A-Z0-9]|%2F)(B0[0-9A-Z]{8})(?:[^A-Z0-9]|$)';
const ISBN_IN = '^(?:0*|0{10}978)([0-9]{9})[0-9X]$';
const ISBN_IN_LINK = '/([0-9]{9})[0-9X](?:[^A-Z0-9]|$)';

/** The beginning of each product's ASIN in the log. @param cells the cells with the products. */
function keysOf(cells: string): string {
  const text = `UPPER(TRIM(${cells}))`;
  const part = (of: string, pattern: string, otherwise: string) =>
    `IFERROR(REGEXEXTRACT(${of};"${pattern}");${otherwise})`;
  const isbn = `"0000000000"&SUBSTITUTE(${text};"-";"")`;
  const key = part(text, ASIN_IN, part(isbn, ISBN_IN, part(text, ISBN_IN_LINK, '""')));
  return `=ARRAYFORMULA(IF(${cells}="";"";${key}))`;
}

/** Google draws a few hundred points in a line. */
const POINTS_MAX = 200;

/**
 * For one product: the line of its ROI, or of its profit if ROI never changed, and the time of the
 * latest change.
 */
function historyFormulas(log: string, key: string, market: Market) {
  const column = (letter: string) => `${quoted(log)}!$${letter}$1:$${letter}`;
  const isOwn = `(LEFT(${column('B')};LEN(${key}))=${key})*(${column('C')}="${market}")`;
  const own = `FILTER(${quoted(log)}!$A$1:$F;${isOwn}>0)`;
  const part = (at: number) => `CHOOSECOLS(own;${at})`;
  const isLine = [1, 5, 6].map((at) => isNumber(part(at))).join('*');
  const linesOf = (title: string) => `FILTER(own;(${part(4)}="${title}")*${isLine}>0)`;
  const lines = `IFERROR(${linesOf(fieldTitle('roi'))};${linesOf(fieldTitle('profit'))})`;
  const newest = `ARRAY_CONSTRAIN(SORT(${lines};1;FALSE);${POINTS_MAX};6)`;
  // The value before the first change, then the value after each.
  const points = 'VSTACK(INDEX(past;1;5);CHOOSECOLS(past;6))';
  const shown = (value: string) => `=IF(${key}="";"";IFERROR(${value};""))`;
  return {
    line: shown(`LET(own;${own};past;SORT(${newest};1;TRUE);SPARKLINE(${points}))`),
    last: shown(`MAX(FILTER(${column('A')};${isOwn}>0))`),
  };
}

/** The best products of a market with their history: Buys first, then by ROI. */
function historyOf(log: string | null, cells: Cells, market: Market, row: number) {
  const { verdict, roi, product, name } = cells;
  if (log === null || verdict === null) return null;
  const isShown = `${decidedIn(verdict, isOf(market, cells))}>0`;
  const rank = `${counted(verdict, 'Buy')}*3+${counted(verdict, 'Maybe')}*2+${counted(verdict, 'Skip')}`;
  const by = [rank, ...(roi === null ? [] : [numberOr(roi, roi, '-9')])];
  const order = by.map((one) => `FILTER(${one};${isShown});FALSE`).join(';');
  const best = (of: string) =>
    `=IFERROR(ARRAY_CONSTRAIN(SORT(FILTER(${of};${isShown});${order});${HISTORY_ROWS};1);"")`;
  const [first, last] = [row + 1, row + HISTORY_ROWS];
  const key = columnLetters(KEYS);
  const spilled: readonly (readonly [string, string | null])[] = [
    ['A', product],
    ['B', verdict],
    ['C', roi],
    ['F', name],
  ];
  return {
    row,
    titles: ['Best products', 'Verdict', 'My ROI', 'ROI over time', 'Last change', 'Name'],
    // The formulas that read the log come first. They show nothing until the cells that they read
    // here exist.
    formulas: [
      ...Array.from({ length: HISTORY_ROWS }, (_, at) => first + at).flatMap((at) => {
        const { line, last: changed } = historyFormulas(log, `$${key}${at}`, market);
        return [
          { at: `D${at}`, formula: line },
          { at: `E${at}`, formula: changed },
        ];
      }),
      ...spilled.flatMap(([letter, of]) =>
        of === null ? [] : [{ at: `${letter}${first}`, formula: best(of) }],
      ),
      { at: `${key}${first}`, formula: keysOf(`A${first}:A${last}`) },
    ],
    styles: [
      { at: `A${row}:F${row}`, ...HEADER_STYLE },
      { at: `C${first}:C${last}`, format: PERCENT },
      { at: `E${first}:E${last}`, format: MOMENT },
      { at: `${key}${first}:${key}${last}`, color: QUIET },
    ],
  };
}

function blockOf(cells: Cells, market: Market, place: number, log: string | null) {
  const first = FIRST_BLOCK + place * BLOCK_ROWS;
  const parts = partsOf(cells, market, first);
  const history = historyOf(log, cells, market, first + HISTORY_AT);
  const points = pointsOf(cells, market, FIRST_POINTS + 2 * place);
  const drawn = [
    ...parts.map(({ row, title, type, charted }) => ({
      ...{ type, title: CHART_TITLES[title] ?? title },
      of: `A${row}:B${row + charted - 1}`,
    })),
    ...(points === null
      ? []
      : [
          {
            ...{ type: 'SCATTER' as const, of: points.range },
            title: 'My profit (up) by rank drops in 30 days (across)',
          },
        ]),
  ];
  const { currency } = marketRow(market);
  const charts = drawn.map((one, at) => ({
    ...one,
    title: `${one.title}, ${currency}`,
    row: first + (at < CHART_COLUMNS.length ? 0 : LOWER_CHARTS),
    column: CHART_COLUMNS[at % CHART_COLUMNS.length] ?? 4,
  }));
  return { market, first, parts, points, charts, history };
}

type Block = ReturnType<typeof blockOf>;

function cellsOf(name: string, blocks: readonly Block[]): NewTab['cells'] {
  const rows = FIRST_BLOCK + blocks.length * BLOCK_ROWS;
  const cells = Array.from({ length: rows }, () => Array<string>(WIDTH).fill(''));
  const put = (row: number, column: number, text: string) => {
    const line = cells[row - 1];
    if (line) line[column - 1] = text;
  };
  put(1, 1, `Summary of “${name}”`);
  for (const [place, { market, first, parts, points, history }] of blocks.entries()) {
    for (const [at, title] of history?.titles.entries() ?? [])
      put(history?.row ?? first, at + 1, title);
    put(first, 1, `${market}, ${marketRow(market).currency}`);
    if (points !== null) {
      put(1, FIRST_POINTS + 2 * place, 'Rank drops in 30 days');
      put(1, FIRST_POINTS + 2 * place + 1, 'My profit');
    }
    for (const { row, title, lines, format } of parts) {
      put(row, 1, title);
      put(row, 2, format === undefined ? 'Products' : 'Amount');
      for (const [at, [label]] of lines.entries()) put(row + 1 + at, 1, label);
    }
  }
  return cells;
}

/** The colour of cells that only formulas and charts read. */
const QUIET = '#80868b';

function stylesOf(blocks: readonly Block[]): NewTab['styles'] {
  const last = columnLetters(WIDTH);
  return [
    { at: 'A1', isBold: true },
    { at: `${columnLetters(FIRST_POINTS)}1:${last}`, color: QUIET },
    ...blocks.flatMap(({ first, parts, history }) => [
      ...(history?.styles ?? []),
      { at: `A${first}`, isBold: true },
      ...parts.flatMap(({ row, title, lines, format }) => [
        { at: `A${row}:B${row}`, ...HEADER_STYLE },
        ...(format === undefined ? [] : [{ at: `B${row + 1}:B${row + lines.length}`, format }]),
        ...(title === 'Eligible' ? [{ at: `B${row + lines.length}`, format: PERCENT }] : []),
      ]),
    ]),
  ];
}

/**
 * The tab for `deals.tab`, one for each list, identified by a name that contains the list's number;
 * null: the list has no decisions yet.
 */
export function summaryTab(summarized: Summarized): NewTab | null {
  const { look, rows, log } = summarized;
  const cells = listCells(summarized);
  if (cells.verdict === null) return null;
  const there = MARKETS.filter((one) => rows.some(({ product }) => product?.market === one));
  const found = there.length > 0 ? there : [DEFAULT_MARKET];
  const inUse = look.market === 'column' ? found : [look.market];
  const blocks = inUse.map((market, at) => blockOf(cells, market, at, log));
  return {
    title: 'Summary',
    cells: cellsOf(look.sheet.name, blocks),
    formulas: blocks.flatMap(({ parts, points, history }) => [
      ...parts.flatMap(({ row, lines }) =>
        lines.map(([, formula], at) => ({ at: `B${row + 1 + at}`, formula })),
      ),
      ...(points?.formulas ?? []),
      ...(history?.formulas ?? []),
    ]),
    names: [{ name: `LIST_SUMMARY_${look.sheet.id}`, at: 'A1' }],
    styles: stylesOf(blocks),
    charts: blocks.flatMap(({ charts }) => charts),
    widths: [130, 110, 90, 160, 130],
    frozenRows: 1,
    replaces: true,
  };
}
