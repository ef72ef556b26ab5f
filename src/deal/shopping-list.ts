// The products to buy, as a new tab each time and as a file. Pure.

import type { NewTab } from '../google/new-tab';
import type { Product } from '../product/asin';
import { moneyIn } from '../product/cell-formats';
import { type Market, marketRow } from '../product/market';
import { HEADER_STYLE } from './rules-tab';
import type { Buy } from './summary';

const TITLES = ['ASIN', 'Product', 'Market', 'Quantity', 'Pack', 'Units', 'Cost', 'Total', 'Link'];

/** The product's page on its market. */
export const productLink = ({ asin, market }: Product): string =>
  `https://www.${marketRow(market).host}/dp/${asin}`;

type Line = readonly (string | number)[];

function lineOf({ product, name, quantity, pack, cost }: Buy): Line {
  const { asin, market } = product;
  const total = cost === null ? '' : Math.round(cost * quantity * 100) / 100;
  const link = productLink(product);
  return [asin, name, market, quantity, pack, quantity * pack, cost ?? '', total, link];
}

/**
 * The tab for `deals.tab`. An earlier shopping list keeps what people noted in it; the new tab is
 * added beside it.
 *
 * @param paidIn the market whose currency costs are in; null: each product's own market.
 */
export function shoppingTab(buys: readonly Buy[], paidIn: Market | null = null): NewTab {
  const lines = buys.map(lineOf);
  const money = buys.map(({ product }, at) => ({
    at: `G${at + 2}:H${at + 2}`,
    format: moneyIn(paidIn ?? product.market),
  }));
  return {
    title: 'Shopping list',
    cells: [TITLES, ...lines],
    formulas: [],
    names: [],
    styles: [{ at: 'A1:I1', ...HEADER_STYLE }, ...together(money)],
    widths: [110, 260, 70, 80, 60, 60, 80, 90, 260],
    frozenRows: 1,
  };
}

/** Joins consecutive rows of the same format. */
function together(styles: readonly { readonly at: string; readonly format: string }[]) {
  const joined: { at: string; format: string }[] = [];
  for (const { at, format } of styles) {
    const last = joined[joined.length - 1];
    if (last?.format === format) last.at = `${last.at.split(':')[0]}:${at.split(':')[1]}`;
    else joined.push({ at, format });
  }
  return joined;
}

/** Beginnings that other spreadsheet programs would read as a formula. */
const RISKY = /^[=+\-@\t\r]/;

/** Texts that they would read as a number, such as the ISBN 0306406152, which would lose its zero. */
const NUMERIC = /^\s*[\d.,]*\d[\d.,]*(e[+-]?\d+)?\s*$/i;

/** A text as one that other programs leave as it is: `="0306406152"`, `'=IMAGE(A2)`. */
function guarded(text: string): string {
  if (NUMERIC.test(text)) return `="${text}"`;
  return RISKY.test(text) ? `'${text}` : text;
}

function csvCell(cell: string | number): string {
  const text = typeof cell === 'string' ? guarded(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with decimal points in every locale. */
export const shoppingCsv = (buys: readonly Buy[]): string =>
  [TITLES, ...buys.map(lineOf)].map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
