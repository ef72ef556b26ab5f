// Which columns of a list hold what an offer costs: by their titles and cells, and by what a person says
// where these leave it open. Pure.

import type { SheetCell } from '../google/cells';
import {
  COST_KEYS,
  type CostKey,
  EXTRAS,
  type Extra,
  QUANTITY_READINGS,
  type QuantityReading,
  RATE_READINGS,
  type RateReading,
} from '../product/cost';
import { hasVat, isOtherMoney, MARKETS, type Market, VAT_MARKETS } from '../product/market';
import type { VatSide } from '../product/vat';
import { amountIn, type ColumnValues, isAmount, openRates } from './column-values';
import type {
  AskedKey,
  ColumnsMeant,
  CostColumns,
  CostMeant,
  CostQuestion,
  ListColumn,
  PackUse,
} from './cost-choice';
import type { GroupMarket } from './marked-list';
import { includedIn, readTitles } from './read-titles';
import {
  countsCases,
  type Meaning,
  quantityReading,
  readTitle,
  sideIn,
  type TitleReading,
} from './title-words';

/** A column with as many of its cells as are at hand. */
export interface SampledColumn extends ListColumn {
  readonly values?: ColumnValues;
  /** Of each, whether its format shows it as a percentage: 0.05 as "5%". */
  readonly arePercent?: () => readonly boolean[];
}

/** Without its cells: the page needs none, and a date among them could not be sent there. */
const withoutCells = ({ column, letter, title }: SampledColumn): ListColumn => {
  return { column, letter, title };
};

/** The columns of a list that are a person's own. */
interface OwnColumns {
  readonly columns: readonly SampledColumn[];
  /** The title of the products, or "ASIN" where they are such: it says what kind of list this is. */
  readonly products?: string;
  /** Whose money costs are in, unless the list is of both markets; left out: it does not count. */
  readonly market?: GroupMarket;
  readonly isOfBoth?: boolean;
  /** Whether the rules say how many units are in a case. */
  readonly hasCaseSize?: boolean;
  /** Those of which a person has said that they hold nothing that counts. */
  readonly ignored?: readonly number[];
}

/** What an offer's columns are, and what is to be asked first. */
export interface OfferColumns {
  readonly costs: CostColumns;
  /** What the pack size does to the cost; left out: there is none. */
  readonly packUse?: PackUse;
  /** What the title of the cost says of VAT; null: nothing. */
  readonly side: VatSide | null;
  /** Units in the case, by the title of the cost: "Cost (per case of 12)". */
  readonly caseSize: number | null;
  /** What the cost has in it already. */
  readonly included: readonly Extra[];
  /** How discounts are read; null: there are none yet that leave it open. */
  readonly discountAs: RateReading | null;
  readonly quantityAs: QuantityReading;
  readonly questions: readonly CostQuestion[];
  /** Columns whose titles say something that counts for sellers, and that nothing is worked out from. */
  readonly unused: readonly ListColumn[];
  /** Columns whose titles say what a person says is nothing of the list's. */
  readonly ignored: readonly ListColumn[];
}

/** Of units that are sold as one, or of a part of a case: what a pack is, only a person can say. */
const MAY_BE_SOLD_RANK = 5;

interface ListReading {
  readonly found: CostColumns;
  /** The columns that each role may be. */
  readonly asked: ReadonlyMap<AskedKey, readonly ListColumn[]>;
  readonly per: 'unit' | 'case' | null;
  readonly packs: readonly ListColumn[];
  readonly unused: readonly ListColumn[];
}

/** Whether a market of the list has VAT, else what its columns say of it is not used. */
const bearsVat = ({ market = 'column', isOfBoth }: OwnColumns): boolean =>
  market === 'column' || isOfBoth === true || hasVat(market);

/** A fact of the catalogue, as Keepa's *Number of Items*: mostly 1, and never how many one sells together. */
const isOfCatalogue = ({ title }: ListColumn) => readTitle(title).meanings.has('catalogueCount');

/** What a title is about that is nothing of an offer's costs, whatever else it says. */
const ELSE: readonly Meaning[] = [
  ...(['code', 'itemCode', 'barcode', 'asin', 'title', 'name', 'description', 'sku'] as const),
  ...(['number', 'id', 'marketplace', 'country'] as const),
];

/**
 * Whether a column of numbers may hold what counts, but nothing is worked out from it: "Prep and shipping",
 * "Discount £", "Allowance", a "Packing cost" beside the cost. Only a title that is clearly about something
 * else is passed over.
 */
function isLeftOut({ title, values = [] }: SampledColumn): boolean {
  const { meanings, text } = readTitle(title);
  const says = (...words: readonly Meaning[]) => words.some((one) => meanings.has(one));
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
  const isExtra = EXTRAS.some((one) => one === readTitle(title).role);
  const isSmall = (value: SheetCell) => typeof value !== 'number' || value < 1;
  return isExtra && values.every(isSmall) && arePercent?.().some(Boolean) === true;
}

/** The least and the most that sales tax is of a price, with all that states, counties and cities add. */
const TAX_SHARES = [0.01, 0.15] as const;

/**
 * Whether a column holds the sales tax on the cost of its row: by its cells, since lists also write rates and
 * what a whole order bears. A cost has it already whose title says so, and where VAT counts it is none.
 */
function isTaxOn(own: OwnColumns, cost: ListColumn | undefined, tax: SampledColumn): boolean {
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

function readList(own: OwnColumns, cost?: ListColumn): ListReading {
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
    const isCost = (one: unknown): one is CostKey =>
      COST_KEYS.some((key) => key === one && (key !== 'vatRate' || bearsVat(own)));
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
      (role === null && asks === undefined && isLeftOut(sampled))
    )
      unused.push(column);
  }
  const [tax, ...others] = taxes.filter((one) => isTaxOn(own, found.cost, one));
  if (tax !== undefined && others.length === 0) found.salesTax = withoutCells(tax);
  unused.push(...taxes.map(withoutCells).filter(({ column }) => column !== found.salesTax?.column));
  unused.sort((one, other) => one.column - other.column);
  const packs = found.pack === undefined ? (asked.get('pack') ?? []) : [found.pack];
  asked.delete('pack');
  return { found, asked, per, packs, unused };
}

/** What the titles of a cost and of pack sizes may mean, likeliest first. */
function packUses({ per, packs }: ListReading, cost: ListColumn): readonly CostMeant[] {
  const { size } = readTitle(cost.title);
  const as = (pack: PackUse, columns: readonly ListColumn[]) =>
    columns.map((packColumn): CostMeant => ({ column: cost, pack, packColumn }));
  const sold = as(
    'multiplies',
    packs.filter(({ title }) => readTitle(title).rank < MAY_BE_SOLD_RANK),
  );
  const divided = size === undefined ? as('divides', packs) : [];
  if (packs.length === 0 && size === undefined && per !== null) return [{ column: cost }];
  const [packColumn] = packs;
  const ignored = { column: cost, pack: 'ignored' as const, packColumn };
  if (per === 'unit') return [ignored, ...sold];
  const ofCase = divided.length > 0 ? divided : [{ column: cost, pack: 'divides' as const }];
  return per === 'case' ? ofCase : [ignored, ...ofCase, ...sold];
}

/** undefined: a person has to say it. */
function packUseOf(list: ListReading, cost: ListColumn, chosen?: CostMeant): CostMeant | undefined {
  const uses = packUses(list, cost);
  if (chosen?.pack === undefined) {
    // A column of packs that came later changes nothing in what is decided.
    const asItStands = uses.find(({ pack }) => pack === 'ignored');
    return uses.length > 1 ? chosen?.isInUse && asItStands : uses[0];
  }
  const isWhole = chosen.pack === 'ignored' || chosen.packColumn !== undefined;
  return isWhole
    ? chosen
    : uses.find(({ pack, packColumn }) => pack === chosen.pack && !packColumn);
}

/**
 * How a column of discounts is read: by its format, or by a rate of 1 and more. null: it has none that
 * leaves it open; a number: one of which only a person can say what it is.
 */
function ratesIn({ values = [], arePercent }: SampledColumn): RateReading | number | null {
  const [first] = openRates(values);
  if (first === undefined) return null;
  const formats = arePercent?.() ?? [];
  const shown = values.filter((_, at) => formats[at] === true);
  const plain = openRates(values.filter((_, at) => formats[at] !== true));
  const [ofShown] = openRates(shown);
  if (ofShown === undefined) return plain.some((rate) => rate >= 1) ? 'percent' : first;
  return plain.length === 0 ? 'fraction' : ofShown;
}

/** How a column is read, and what only a person can say of it. */
interface Read<As> {
  readonly as: As;
  readonly questions: readonly CostQuestion[];
}

/** @param isPacked whether a case holds several, so that it matters what is counted. */
function quantityRead(
  column: ListColumn | undefined,
  isPacked: boolean,
  said: QuantityReading | undefined,
): Read<QuantityReading | undefined> {
  const as = column === undefined ? 'cases' : (quantityReading(column.title) ?? said);
  const isOpen = isPacked && as === undefined && column !== undefined;
  return {
    as,
    questions: isOpen ? [{ role: 'quantity', columns: [column], as: QUANTITY_READINGS }] : [],
  };
}

function discountRead(
  { columns }: OwnColumns,
  discount: ListColumn | undefined,
  said: RateReading | undefined,
): Read<RateReading | null> {
  const rates = columns.find(({ column }) => column === discount?.column);
  const read = said ?? (rates === undefined ? null : ratesIn(rates));
  if (discount === undefined || typeof read !== 'number')
    return { as: typeof read === 'string' ? read : null, questions: [] };
  const example = { as: RATE_READINGS, example: read };
  return { as: null, questions: [{ role: 'discount', columns: [discount], ...example }] };
}

/** What is known while it is not known what the cost is. */
const NO_OFFER = {
  side: null,
  caseSize: null,
  included: [],
  discountAs: null,
  quantityAs: 'cases',
} as const;

/** The columns as they were found, or as the person has said. Each has at most one meaning. */
function asMeant(found: CostColumns, meant: ColumnsMeant): CostColumns {
  const said: Record<string, ListColumn> = { ...found };
  for (const [key, column] of Object.entries(meant)) {
    for (const other of COST_KEYS) if (said[other]?.column === column?.column) delete said[other];
    if (column) said[key] = column;
    else delete said[key];
  }
  return said;
}

/** What the title of the cost says of VAT. */
const sideOf = ({ columns }: OwnColumns, cost: TitleReading) =>
  sideIn(
    cost,
    columns.some(({ title }) => readTitle(title).role === 'discount'),
  );

type Asked = ListReading['asked'];

/**
 * What may be the quantity and counts cases, where a case has a size and the cost is that of a unit: how many
 * are bought cannot be worked out.
 */
function inCases({ asked, packs }: ListReading, quantity: ListColumn | undefined) {
  const columns = [...(quantity ? [quantity] : []), ...(asked.get('quantity') ?? [])];
  return packs.length === 0 ? [] : columns.filter(({ title }) => countsCases(title));
}

/** What is asked about other columns than the cost's. @param uncounted those that cannot be the answer. */
const openIn = (
  asked: Asked,
  meant: ColumnsMeant,
  uncounted: readonly ListColumn[],
): readonly CostQuestion[] =>
  [...asked]
    .filter(([role]) => role !== 'cost' && !(role in meant))
    .map(([role, columns]) => ({
      role,
      columns: columns.filter((one) => !uncounted.includes(one)),
    }))
    .filter(({ columns }) => columns.length > 0);

/** Whether a column holds none of these: what titles leave open, a person may have said. */
const isFree =
  (costs: CostColumns) =>
  (one: ListColumn): boolean =>
    Object.values(costs).every(({ column }) => column !== one.column);

/** Amounts that were asked about, where a person has chosen another column: a tariff beside a duty. */
const passedOver = (asked: Asked, meant: ColumnsMeant): readonly ListColumn[] =>
  [...EXTRAS, 'discount' as const].flatMap((role) => {
    const chosen = meant[role];
    return chosen ? (asked.get(role) ?? []).filter(({ column }) => column !== chosen.column) : [];
  });

interface ReadAs {
  readonly discountAs?: RateReading | undefined;
  readonly quantityAs?: QuantityReading | undefined;
}

/**
 * The cost columns of a list. Where a price may be that of a unit or
 * of a pack, there is no cost until the person says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 * @param meant what the person has said about other columns.
 * @param as the readings of discounts and quantities that a person has chosen.
 */
export function offerColumns(
  own: OwnColumns,
  chosen?: CostMeant,
  meant: ColumnsMeant = {},
  as: ReadAs = {},
): OfferColumns {
  const list = readList(own, chosen?.column);
  const { found, asked, per, unused } = list;
  const said = asMeant(found, bearsVat(own) ? { ...meant, salesTax: null } : meant);
  const { cost, pack: _, ...rest } = said;
  const ask = (columns: readonly ListColumn[]): OfferColumns['questions'] =>
    columns.length === 0 ? [] : [{ role: 'cost', columns }];
  const ignored = [...asked, ...Object.entries(found).map(([role, one]) => [role, [one]] as const)]
    .filter(([role]) => meant[role as CostKey] === null)
    .flatMap(([, columns]) => columns);
  const none = { ...NO_OFFER, unused, ignored };
  if (cost === undefined) return { ...none, costs: said, questions: ask(asked.get('cost') ?? []) };
  const title = readTitle(cost.title);
  const use = packUseOf(list, cost, chosen);
  if (use === undefined) {
    const { cost: __, ...unclear } = said;
    return { ...none, costs: unclear, questions: ask([cost]) };
  }
  const ofCase = use.pack === 'divides' || (use.pack === undefined && per === 'case');
  const uncounted = ofCase ? [] : inCases(list, rest.quantity);
  if (uncounted.some(({ column }) => column === rest.quantity?.column)) delete rest.quantity;
  const pack = use.pack === 'divides' ? use.packColumn : undefined;
  const multipack = use.pack === 'multiplies' ? (use.packColumn ?? rest.multipack) : rest.multipack;
  const caseSize = ofCase && pack === undefined ? (title.size ?? null) : null;
  const isPacked = pack !== undefined || caseSize !== null || (ofCase && own.hasCaseSize === true);
  const quantity = quantityRead(rest.quantity, isPacked, as.quantityAs);
  const discount = discountRead(own, rest.discount, as.discountAs);
  const isOfUnknown = ofCase && pack === undefined && caseSize === null && !own.hasCaseSize;
  return {
    costs: {
      cost,
      ...rest,
      ...(pack && { pack }),
      ...(multipack && { multipack }),
    },
    ...(use.pack && { packUse: use.pack }),
    // What a row says of the sales tax on its cost counts in place of the rules.
    side: rest.salesTax ? 'With VAT' : sideOf(own, title),
    caseSize,
    included: includedIn(title),
    discountAs: discount.as,
    quantityAs: quantity.as ?? 'cases',
    questions: [
      ...(isOfUnknown ? [{ role: 'pack' as const, columns: [] }] : []),
      ...openIn(asked, meant, uncounted),
      ...quantity.questions,
      ...discount.questions,
    ],
    unused: [...unused.filter(isFree(said)), ...uncounted, ...passedOver(asked, meant)],
    ignored,
  };
}

/** What a person may choose as the cost, with each thing that the titles may mean. */
export function costsToChoose(own: OwnColumns): readonly CostMeant[] {
  return own.columns.filter(mayBeCost).flatMap((sampled) => {
    const column = withoutCells(sampled);
    return packUses(readList(own, column), column);
  });
}

/** Names, counts and rates are no amounts. */
const NO_AMOUNTS = [
  ...(['product', 'barcode', 'name', 'market', 'supplier', 'itemNumber', 'quantity'] as const),
  ...(['ordered', 'pack', 'multipack', 'discount', 'vatRate'] as const),
];

const mayBeCost = ({ title }: ListColumn): boolean => {
  const { role, meanings } = readTitle(title);
  const isRate = meanings.has('discount') && !meanings.has('cost');
  return !isRate && !NO_AMOUNTS.some((one) => one === role);
};

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (own: OwnColumns): boolean => {
  const { found, asked } = readList(own);
  return found.cost !== undefined || asked.has('cost');
};

/** What titles call currencies: "£", "US$", "EUR". */
const MONEY = /\b(USD|GBP|EUR|CAD|AUD|CNY|RMB)\b|EURO|(?<![A-Z])[A-Z]{1,2}\p{Sc}|\p{Sc}/gu;

/**
 * Whether the money that a title names speaks against what it says: "Cost (USD)" in a list of the UK,
 * and "Discount £", which is no rate.
 */
function isMisnamed({ market = 'column', isOfBoth }: OwnColumns, { title }: ListColumn): boolean {
  const named = title.toUpperCase().match(MONEY) ?? [];
  if (named.length === 0) return false;
  const { role } = readTitle(title);
  if (role === 'discount') return true;
  if (role !== 'cost') return false;
  const markets = market === 'column' || isOfBoth ? MARKETS : [market];
  return named.some((money) => markets.every((one) => isOtherMoney(money, one)));
}

/**
 * The one market whose money or tax the costs name: in their title, "Cost ex VAT (£)", in their texts or in
 * their formats; null: none, or several.
 */
export function marketOfCosts(
  own: OwnColumns,
  formatsOf: (column: ListColumn) => readonly string[],
): Market | null {
  const { found, asked } = readList(own);
  const costs = found.cost ? [found.cost] : (asked.get('cost') ?? []);
  const namedIn = (texts: readonly string[]) => {
    const money = texts.flatMap((text) => text.toUpperCase().match(MONEY) ?? []);
    if (money.length === 0) return [];
    return MARKETS.filter((market) => money.every((one) => !isOtherMoney(one, market)));
  };
  const tellers: readonly ((cost: ListColumn) => readonly Market[])[] = [
    ({ title }) => namedIn([title]),
    ({ title }) => (/\bv\.?a\.?t\b/i.test(title) ? VAT_MARKETS : []),
    ({ column }) => {
      const { values = [] } = own.columns.find((one) => one.column === column) ?? {};
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
