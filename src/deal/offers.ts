// The offers of a list: the figures, costs and decision of each row, and what the list comes to. Pure.

import { sentences } from '../failures/failure-words';
import { isFailureStatus, whyOfStatus } from '../failures/status';
import type { SheetCell } from '../google/cells';
import { type NameRole, namesBy } from '../list/cost-columns';
import { type ListRow, productOfRow } from '../list/rows';
import type { Product } from '../product/asin';
import { visibleText } from '../product/cell-text';
import type { CostKey, Costs } from '../product/cost';
import { figuresBy } from '../product/fields';
import { DEFAULT_MARKET, type Market, marketRow } from '../product/market';
import { type CostTerms, costsOf, paidIn } from '../product/offer-costs';
import { readQuantity } from '../product/typed-cost';
import { type DealFigures, NOTES, VERDICTS, type Verdict } from '../product/verdict';

/** A row's cell by what it means; undefined: the list has no such column. */
export type CellOf = (
  key: CostKey | NameRole | ('verdict' | 'why' | 'myProfit' | 'myRoi' | 'maxBuy' | 'landedCost'),
) => SheetCell | undefined;

/** A row with content in the product column. */
export interface Offer extends DealFigures, Readonly<Record<NameRole, string>> {
  readonly row: number;
  /** The text of the product cell, shortened for a list. */
  readonly shown: string;
  /** null: the cell names none. */
  readonly product: Product | null;
  /** Why it names none. */
  readonly problem: string | null;
  readonly costs: Costs;
  /** In whose currency the supplier's price is. */
  readonly paidIn: Market;
  /** What converts it to the currency of the product's market. */
  readonly rate: number;
  /** The number of packs; 1 if the list does not say; null: its cell cannot be read. */
  readonly quantity: number | null;
  /** Whether its cell says that it was ordered already. */
  readonly isOrdered: boolean;
  /** Why the latest try brought no figures, and what to do. */
  readonly failure: string | null;
  /** What the formulas say; null: they say nothing, or there are none. */
  readonly verdict: Verdict | null;
  readonly reasons: readonly string[];
  readonly myProfit: number | null;
  readonly myRoi: number | null;
  readonly maxBuy: number | null;
  readonly landedCost: number | null;
}

const numberIn = (cell: SheetCell | null | undefined): number | null =>
  typeof cell === 'number' ? cell : null;

const positive = (cell: SheetCell | null | undefined): number =>
  Math.max(0, numberIn(cell) ?? 0) || 1;

/** A date is what Sheets makes of "6-12". */
const quantityIn = (cell: SheetCell | undefined): number | null =>
  readQuantity(typeof cell === 'object' ? cell.toISOString() : (cell ?? null));

const NOT_ORDERED = '^(|-|–|0|no?|false|n/?a|cancell?ed|returned|refunded)$';

/** A date, a number, "yes": all but what says no. */
const saysOrdered = (cell: SheetCell = ''): boolean =>
  typeof cell === 'object' || !new RegExp(NOT_ORDERED, 'i').test(visibleText(cell));

/** The inverse for a range of cells, in an array formula. FALSE is another word in another language. */
export const notOrderedFormula = (cells: string): string =>
  `IF(ISLOGICAL(${cells});${cells}=FALSE;REGEXMATCH(LOWER(TRIM(${cells}&""));"${NOT_ORDERED}"))`;

/** The offer in a row. @param roiIsFraction whether the unit of ROI is known. */
export function offerIn(
  found: Omit<ListRow, 'isLeftOut'>,
  cellOf: CellOf,
  terms: CostTerms,
  roiIsFraction: boolean,
): Offer {
  const { row, shown, content, tabRow } = found;
  const product = productOfRow(found);
  const market = product?.market ?? DEFAULT_MARKET;
  const verdict = cellOf('verdict');
  return {
    row,
    shown,
    product,
    market,
    ...namesBy((role) => String(cellOf(role) ?? '')),
    problem: content.kind === 'unreadable' ? sentences(content.failure).message : null,
    figures: tabRow?.figures ?? figuresBy(() => null),
    ...(roiIsFraction ? { roiUnit: 'fraction' as const } : {}),
    fetchedAtMs: tabRow?.analyzedMs ?? null,
    failure:
      tabRow !== undefined && isFailureStatus(tabRow.status)
        ? whyOfStatus(tabRow.status, product)
        : null,
    costs: costsOf(cellOf, terms, market),
    paidIn: paidIn(terms, market),
    rate: terms.rate ?? 1,
    quantity: quantityIn(cellOf('quantity')),
    isOrdered: saysOrdered(cellOf('ordered')),
    verdict: VERDICTS.find((word) => word === verdict) ?? null,
    reasons: String(cellOf('why') ?? '')
      .split('; ')
      .filter((reason) => reason !== ''),
    myProfit: numberIn(cellOf('myProfit')),
    myRoi: numberIn(cellOf('myRoi')),
    maxBuy: numberIn(cellOf('maxBuy')),
    landedCost: numberIn(cellOf('landedCost')),
  };
}

export type Buy = Offer & { readonly product: Product };

export const buysOf = (offers: readonly Offer[]): readonly Buy[] =>
  offers.filter((offer): offer is Buy => offer.verdict === 'Buy' && offer.product !== null);

/** The number of units in a pack of the supplier's. */
export const packOf = ({ costs }: Offer): number => positive(costs.pack);

/** The offer with its quantity of units as one of whole packs. */
export const inPacks = (offer: Offer): Offer => ({
  ...offer,
  quantity: offer.quantity === null ? null : Math.ceil(offer.quantity / packOf(offer)),
});

/** What the next shopping list has. */
export const ordersOf = (offers: readonly Offer[]): readonly Buy[] =>
  buysOf(offers).filter(({ quantity, isOrdered }) => quantity !== 0 && !isOrdered);

/** The number of sales that the packs of a row make. A quantity that cannot be read is no order. */
const salesOf = (offer: Offer): number =>
  ((offer.quantity ?? 0) * packOf(offer)) / positive(offer.costs.multipack);

/** The totals of what is to be ordered, in one currency. */
export interface MoneyTotals {
  readonly sign: string;
  /** The landed cost of all units. */
  readonly outlay: number;
  readonly profit: number;
}

type Counts = Readonly<Record<Verdict, number>>;

export interface DealSummary {
  readonly rows: number;
  readonly verdicts: Counts;
  /** Rows whose formula is missing or typed over, or that have no figures yet. */
  readonly undecided: number;
  /** One total for each currency; currencies are never added up. */
  readonly money: readonly MoneyTotals[];
  /** For rows that are no Buy: each reason with its number of rows, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
}

/** The reasons that keep a row from being a Buy. */
const reasonsAgainst = ({ verdict, reasons }: Offer): ReadonlySet<string> =>
  new Set(
    verdict === 'Buy' || verdict === null
      ? []
      : reasons.filter((reason) => !NOTES.includes(reason)),
  );

/** Whether a summary counts an offer under this verdict or reason; null: as undecided. */
export const isCountedAs = (offer: Offer, words: string | null): boolean =>
  offer.verdict === words || (words !== null && reasonsAgainst(offer).has(words));

export function summaryOf(offers: readonly Offer[]): DealSummary {
  const counted = (verdict: Verdict | null) =>
    offers.filter((offer) => offer.verdict === verdict).length;
  const reasons = new Map<string, number>();
  for (const reason of offers.flatMap((offer) => [...reasonsAgainst(offer)]))
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return {
    rows: offers.length,
    verdicts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, counted(verdict)])) as Counts,
    undecided: counted(null),
    money: moneyOf(ordersOf(offers)),
    reasons: [...reasons]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((a, b) => b.rows - a.rows),
  };
}

const toPenny = (amount: number) => Math.round(amount * 100) / 100;

function moneyOf(buys: readonly Buy[]): readonly MoneyTotals[] {
  const markets = [...new Set(buys.map(({ product }) => product.market))];
  return markets.map((market) => {
    const own = buys.filter(({ product }) => product.market === market);
    const sum = (amount: (buy: Buy) => number | null) =>
      toPenny(own.reduce((total, buy) => total + (amount(buy) ?? 0) * salesOf(buy), 0));
    return {
      sign: marketRow(market).sign,
      outlay: sum((buy) => buy.landedCost),
      profit: sum((buy) => buy.myProfit),
    };
  });
}
