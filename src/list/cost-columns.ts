// Which columns of a list hold what an offer costs, by their titles and cells. Pure.

import type { SheetCell } from '../google/cells';
import { COST_KEYS, type CostKey, EXTRAS } from '../product/cost';
import { hasVat, isOtherMoney, MARKETS, type Market, VAT_MARKETS } from '../product/market';
import { amountIn, type ColumnValues, isAmount } from './column-values';
import type { AskedKey, CostColumns, ListColumn } from './cost-choice';
import { includedIn, readTitles } from './read-titles';
import type { MarketSource } from './tagged-list';
import { readTitle, sideIn, type TitleMeaning, type TitleReading } from './title-words';

/** A column with as many of its cells as are at hand. */
export interface SampledColumn extends ListColumn {
  readonly values?: ColumnValues;
  /** Of each, whether its format shows it as a percentage: 0.05 as "5%". */
  readonly arePercent?: () => readonly boolean[];
}

/** Without its cells: the page needs none, and a date among them could not be sent there. */
export const withoutCells = ({ column, letter, title }: SampledColumn): ListColumn => {
  return { column, letter, title };
};

/** The columns of a list that are a person's own. */
export interface PersonsColumns {
  readonly columns: readonly SampledColumn[];
  /** The title of the products, or "ASIN" where they are such: it says what kind of list this is. */
  readonly products?: string;
  /** Whose money costs are in, unless the list is of both markets; left out: it does not count. */
  readonly market?: MarketSource;
  readonly isOfBoth?: boolean;
  /** Whether the rules say how many units are in a case. */
  readonly hasCaseSize?: boolean;
  /** Columns that hold nothing that counts, as a person has said. */
  readonly ignored?: readonly number[];
}

export interface ListReading {
  readonly found: CostColumns;
  /** The columns that each role may be. */
  readonly asked: ReadonlyMap<AskedKey, readonly ListColumn[]>;
  readonly per: 'unit' | 'case' | null;
  readonly packs: readonly ListColumn[];
  readonly unused: readonly ListColumn[];
}

/** Whether a market of the list has VAT, else what its columns say of it is not used. */
export const bearsVat = ({ market = 'column', isOfBoth }: PersonsColumns): boolean =>
  market === 'column' || isOfBoth === true || hasVat(market);

/** A fact of the catalogue, as Keepa's *Number of Items*: mostly 1, and never how many one sells together. */
const isOfCatalogue = ({ title }: ListColumn) => readTitle(title).meanings.has('catalogueCount');

/** What a title is about that is nothing of an offer's costs, whatever else it says. */
const ELSE: readonly TitleMeaning[] = [
  ...(['code', 'itemCode', 'barcode', 'asin', 'title', 'name', 'description', 'sku'] as const),
  ...(['number', 'id', 'marketplace', 'country'] as const),
];

/**
 * Whether a column of numbers may hold what counts, but nothing is worked out from it: "Prep and shipping",
 * "Discount £", "Allowance", a "Packing cost" beside the cost. Only a title that is clearly about something
 * else is passed over.
 */
function isPassedBy({ title, values = [] }: SampledColumn): boolean {
  const { meanings, text } = readTitle(title);
  const says = (...words: readonly TitleMeaning[]) => words.some((word) => meanings.has(word));
  const isRate = says('discount', 'coupon', 'rebate');
  // "6+1", "3 for 2"
  const isOffer = / (deals?|offers?|promos?|promotions?|multi ?buy) $/.test(text);
  const isOfText = isRate || isOffer || says('multipack', 'saleUnits');
  const counts = isOfText ? (value: SheetCell) => /\S/.test(String(value)) : isAmount;
  const isSum = / (total|ext|extended|line|amount|value) /.test(text);
  const isOfSeller = / (storage|returns?|ads?|advertising|marketing|ppc) /.test(text);
  const isForeign = says('foreign') && !says('prep', 'shipping') && !isSum && !isOfSeller;
  const isFee = says('fba') && !says('prep', 'shipping');
  const isSale = says('sale') && !says('prep', 'shipping', 'quantity', 'units');
  const isElse = says(...ELSE) || (!isRate && (isSale || isForeign || isFee));
  return !isElse && values.some(counts);
}

/** A share of something in a column of amounts: a duty of 0.05 in cells that show 5%. */
function isShare({ title, values = [], arePercent }: SampledColumn): boolean {
  const isExtra = EXTRAS.some((extra) => extra === readTitle(title).role);
  const isSmall = (value: SheetCell) => typeof value !== 'number' || value < 1;
  return isExtra && values.every(isSmall) && arePercent?.().some(Boolean) === true;
}

/** The least and the most that sales tax is of a price, with all that states, counties and cities add. */
const TAX_SHARES = [0.01, 0.15] as const;

/**
 * Whether a column holds the sales tax on the cost of its row: by its cells, since lists also write rates and
 * what a whole order bears. A cost has it already whose title says so, and where VAT counts it is none.
 */
function isTaxOn(own: PersonsColumns, cost: ListColumn | undefined, tax: SampledColumn): boolean {
  const paid = own.columns.find(({ column }) => column === cost?.column);
  if (paid === undefined || bearsVat(own) || hasTax(readTitle(paid.title))) return false;
  if (isRate(tax)) return false;
  const shares = (paid.values ?? []).flatMap((cell, row) => {
    const [whole, part] = [amountIn(cell), amountIn(tax.values?.[row] ?? '')];
    return whole && part ? [part / whole] : [];
  });
  const [least, most] = TAX_SHARES;
  return shares.length > 0 && shares.every((share) => share >= least && share <= most);
}

/** Whether its title, a text or a format says that it is a share: "Sales tax %", "8.25%". */
const isRate = ({ title, values = [], arePercent }: SampledColumn): boolean =>
  readTitle(title).meanings.has('rate') ||
  values.some((value) => String(value).includes('%')) ||
  arePercent?.().some(Boolean) === true;

/** Whether a cost says by its title that tax is in it. */
const hasTax = (title: TitleReading): boolean =>
  sideIn(title) === 'With VAT' || includedIn(title).length === EXTRAS.length;

export function readList(own: PersonsColumns, cost?: ListColumn): ListReading {
  const columns = own.columns.map((column) => ({
    ...column,
    title:
      isMisnamed(own, column) || isShare(column) || own.ignored?.includes(column.column)
        ? ''
        : column.title,
  }));
  const chosen = columns.findIndex(({ column }) => column === cost?.column);
  const readings = readTitles(
    [...columns, { title: own.products ?? '' }],
    chosen < 0 ? undefined : chosen,
  );
  const found: Partial<Record<CostKey, ListColumn>> = {};
  const asked = new Map<AskedKey, ListColumn[]>();
  const unused: ListColumn[] = [];
  const taxes: SampledColumn[] = [];
  let per: ListReading['per'] = 'unit';
  for (const [at, sampled] of own.columns.entries()) {
    const column = withoutCells(sampled);
    const { role = null, asks, per: ofCost } = readings[at] ?? {};
    if (role === 'cost') per = ofCost ?? null;
    const isCost = (value: unknown): value is CostKey =>
      COST_KEYS.some((key) => key === value && (key !== 'vatRate' || bearsVat(own)));
    const meant: string | undefined = role ?? asks;
    if (meant === 'salesTax') taxes.push(sampled);
    else if (isCost(role)) found[role] = column;
    else if (isCost(asks) && asks !== 'ordered' && asks !== 'salesTax')
      asked.set(asks, [...(asked.get(asks) ?? []), column]);
    else if (
      meant === 'vatRate' ||
      asks === 'ordered' ||
      isOfCatalogue(column) ||
      (bearsVat(own) && readTitle(column.title).role === 'vatRate') ||
      (role === null && asks === undefined && isPassedBy(sampled))
    )
      unused.push(column);
  }
  const [tax, ...otherTaxes] = taxes.filter((column) => isTaxOn(own, found.cost, column));
  if (tax !== undefined && otherTaxes.length === 0) found.salesTax = withoutCells(tax);
  unused.push(...taxes.map(withoutCells).filter(({ column }) => column !== found.salesTax?.column));
  unused.sort((a, b) => a.column - b.column);
  const packs = found.pack === undefined ? (asked.get('pack') ?? []) : [found.pack];
  asked.delete('pack');
  return { found, asked, per, packs, unused };
}

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (own: PersonsColumns): boolean => {
  const { found, asked } = readList(own);
  return found.cost !== undefined || asked.has('cost');
};

/** What titles call currencies: "£", "US$", "EUR". */
const MONEY = /\b(USD|GBP|EUR|CAD|AUD|CNY|RMB)\b|EURO|(?<![A-Z])[A-Z]{1,2}\p{Sc}|\p{Sc}/gu;

/**
 * Whether the money that a title names speaks against what it says: "Cost (USD)" in a list of the UK,
 * and "Discount £", which is no rate.
 */
function isMisnamed(
  { market = 'column', isOfBoth }: PersonsColumns,
  { title }: ListColumn,
): boolean {
  const named = title.toUpperCase().match(MONEY) ?? [];
  if (named.length === 0) return false;
  const { role } = readTitle(title);
  if (role === 'discount') return true;
  if (role !== 'cost') return false;
  const markets = market === 'column' || isOfBoth ? MARKETS : [market];
  return named.some((money) => markets.every((market) => isOtherMoney(money, market)));
}

/**
 * The one market whose money or tax the costs name: in their title, "Cost ex VAT (£)", in their texts or in
 * their formats; null: none, or several.
 */
export function marketOfCosts(
  own: PersonsColumns,
  formatsOf: (column: ListColumn) => readonly string[],
): Market | null {
  const { found, asked } = readList(own);
  const costs = found.cost ? [found.cost] : (asked.get('cost') ?? []);
  const namedIn = (texts: readonly string[]) => {
    const money = texts.flatMap((text) => text.toUpperCase().match(MONEY) ?? []);
    if (money.length === 0) return [];
    return MARKETS.filter((market) => money.every((code) => !isOtherMoney(code, market)));
  };
  const tellers: readonly ((cost: ListColumn) => readonly Market[])[] = [
    ({ title }) => namedIn([title]),
    ({ title }) => (/\bv\.?a\.?t\b/i.test(title) ? VAT_MARKETS : []),
    ({ column }) => {
      const { values = [] } = own.columns.find((candidate) => candidate.column === column) ?? {};
      return namedIn(values.filter((value) => typeof value === 'string'));
    },
    // "[$£-809]#,##0.00"
    (cost) => namedIn(formatsOf(cost).map((format) => format.replace(/\[\$/g, ''))),
  ];
  for (const tell of tellers) {
    const markets = new Set(costs.flatMap(tell));
    if (markets.size > 0) return markets.size === 1 ? ([...markets][0] ?? null) : null;
  }
  return null;
}

/** What names a product, and whom it is bought from. */
export type NameRole = 'name' | 'supplier' | 'itemNumber' | 'barcode';

export const namesBy = <Value>(of: (role: NameRole) => Value): Record<NameRole, Value> => ({
  name: of('name'),
  supplier: of('supplier'),
  itemNumber: of('itemNumber'),
  barcode: of('barcode'),
});

/** The columns with names, where there are such. */
export function nameColumnsIn(
  columns: readonly SampledColumn[],
): Readonly<Record<NameRole, number | undefined>> {
  const readings = readTitles(columns);
  return namesBy((role) => columns.find((_, at) => readings[at]?.role === role)?.column);
}
