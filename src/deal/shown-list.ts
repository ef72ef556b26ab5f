// A list as the page shows it: what it comes to, what is asked of it, and products worked out line by line.

import { type Failure, isFailure } from '../failures/failure';
import { areaOf, columnLetters } from '../google/cells';
import { selectedAreas } from '../google/spreadsheet';
import type {
  CostColumns,
  CostMeant,
  CostQuestion,
  ListColumn,
  PackUse,
} from '../list/cost-choice';
import type { Binding } from '../list/tagged-list';
import { type Market, VAT_MARKETS, type VatMarket } from '../product/market';
import { type CostTerms, paidIn } from '../product/offer-costs';
import { TITLES_OK } from '../product/own-row';
import { vatGaps } from '../product/vat';
import { type DealList, decisionColumn, type ListSelection, type ListView, openList } from './list';
import { type OfferRow, offerRows, type ReadTab } from './offer-rows';
import { type Offer, summaryOf } from './offers';

/** A column that decisions read and that may be another one by now. */
export interface ChangedColumn {
  readonly role: Binding['role'];
  /** "C" */
  readonly letter: string;
  /** Its title when it was bound, and now. */
  readonly was: string;
  readonly now: string;
  /** Whether another column has that title by now. */
  readonly isElsewhere: boolean;
}

/** A product to work out line by line. */
export interface SampleOffer {
  readonly offer: Offer;
  /** Its row, from column A on; a date is blank. */
  readonly cells: readonly (string | number | boolean)[];
}

/** What is shown of a list: what it comes to, products line by line as well, or each of its offers. */
export const LIST_SHOWS = ['totals', 'sum', 'offers'] as const;

/** A list as the page shows it. */
export interface ShownList {
  readonly look: ListView;
  readonly costs: CostColumns;
  readonly packUse: PackUse | undefined;
  readonly choices: readonly CostMeant[];
  /** What else has to be said before rows are decided. */
  readonly open: readonly CostQuestion[];
  readonly unused: readonly ListColumn[];
  /** What is the same for all offers. */
  readonly terms: CostTerms;
  /**
   * Why decisions say *Check columns*: the columns with other titles than when they were bound; none:
   * one of ours was changed; null: they do not.
   */
  readonly changed: readonly ChangedColumn[] | null;
  /** null: the list has no decisions yet. */
  readonly summary: ReturnType<typeof summaryOf> | null;
  /** Products to work out line by line, where something is to be decided or asked; else none. */
  readonly samples: readonly SampleOffer[];
  /** For cards; else none. */
  readonly offers: readonly Offer[];
  /** The first and last selected row; null: another sheet is active. */
  readonly selected: readonly [number, number] | null;
}

/** The active sheet has no list that was analyzed. */
export interface NoList {
  readonly look: null;
}

export function showList(
  selection: ListSelection,
  shows: (typeof LIST_SHOWS)[number],
  roiIsFraction: boolean,
  readTab: ReadTab,
): ShownList | NoList | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  if (deal === null) return { look: null };
  const { view, costs, terms } = deal;
  const isDecided = decisionColumn(deal, 'verdict') !== undefined;
  const open = VAT_MARKETS.filter((market) => areRowsOf(view, market) && hasVatGaps(terms, market));
  const isOpen = open.length > 0 || terms.currency === null;
  const isSum = shows === 'sum' || (shows === 'totals' && (!isDecided || isOpen));
  const rows = offerRows(deal, readTab, isSum || shows === 'offers', roiIsFraction);
  if (isFailure(rows)) return rows;
  const offers = rows.map(({ offer }) => offer);
  const [area] = selectedAreas();
  return {
    look: view,
    costs,
    packUse: deal.packUse,
    choices: deal.choices,
    open: deal.questions,
    unused: deal.unused,
    terms,
    changed: changedIn(deal),
    summary: isDecided ? summaryOf(offers) : null,
    samples: isSum ? samplesOf(rows, open) : [],
    offers: shows === 'offers' ? offers : [],
    selected: area ? [area.row, area.row + area.rowCount - 1] : null,
  };
}

function changedIn(deal: DealList): readonly ChangedColumn[] | null {
  const { list, block, rebound, titles } = deal;
  const helper = block.columns.get('helper');
  if (helper === undefined || decisionColumn(deal, 'verdict') === undefined) return null;
  const guard = list.sheet.values(areaOf(list.headerRow, helper))?.[0]?.[0];
  if (guard === TITLES_OK) return null;
  return rebound.map(({ role, column, title, now }) => ({
    role,
    letter: columnLetters(column),
    was: title,
    now,
    isElsewhere: titles.some((candidate, at) => candidate === title && at !== column - 1),
  }));
}

/** Whether rows may be of the market. */
const areRowsOf = ({ markets }: ListView, market: Market): boolean =>
  markets.some((shown) => shown === market || shown === 'column');

/** Whether anything has to be said before offers on the market are decided. */
const hasVatGaps = (terms: CostTerms, market: VatMarket): boolean => {
  const taxed = { sale: market, costs: paidIn(terms, market) };
  return vatGaps((key) => terms.inUse[key], taxed, terms.side).length > 0;
};

const SAMPLES_MAX = 20;

/** The first products: before others the ones that are asked about, and the ones with most figures. */
function samplesOf(rows: readonly OfferRow[], open: readonly Market[]): readonly SampleOffer[] {
  const rank = ({ offer: { product, figures, costs } }: OfferRow): number =>
    (product !== null && open.includes(product.market) ? 4 : 0) +
    (figures.sell_price !== null && figures.fees !== null ? 2 : 0) +
    (typeof costs.cost === 'number' ? 1 : 0);
  return rows
    .filter(({ offer }) => offer.product !== null)
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, SAMPLES_MAX)
    .map(({ offer, cells }) => ({
      offer,
      cells: cells.map((cell) => (typeof cell === 'object' ? '' : cell)),
    }));
}
