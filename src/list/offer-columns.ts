// What the columns of a list are for an offer, and what is asked where titles, cells and a person's words
// leave it open: which cost, what a pack does to it, how rates and quantities are read. Pure.

import {
  COST_KEYS,
  type CostKey,
  EXTRAS,
  type ExtraCost,
  QUANTITY_READINGS,
  type QuantityReading,
  RATE_READINGS,
  type RateReading,
} from '../product/cost';
import type { VatSide } from '../product/vat';
import { openRates } from './column-values';
import type {
  ColumnsMeant,
  CostColumns,
  CostMeant,
  CostQuestion,
  ListColumn,
  PackUse,
} from './cost-choice';
import {
  bearsVat,
  type ListReading,
  type PersonsColumns,
  readList,
  type SampledColumn,
  withoutCells,
} from './cost-columns';
import { includedIn } from './read-titles';
import { countsCases, quantityReading, readTitle, sideIn, type TitleReading } from './title-words';

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
  readonly included: readonly ExtraCost[];
  /** How discounts are read; null: there are none yet that leave it open. */
  readonly discountAs: RateReading | null;
  readonly quantityAs: QuantityReading;
  readonly questions: readonly CostQuestion[];
  /** Columns whose titles say something that counts for sellers, and that nothing is worked out from. */
  readonly unused: readonly ListColumn[];
  /** Columns whose titles say what a person says is nothing of the list's. */
  readonly ignored: readonly ListColumn[];
}

/** What is known while it is not known what the cost is. */
const NO_OFFER = {
  side: null,
  caseSize: null,
  included: [],
  discountAs: null,
  quantityAs: 'cases',
} as const;

interface ReadAs {
  readonly discountAs?: RateReading | undefined;
  readonly quantityAs?: QuantityReading | undefined;
}

/**
 * The cost columns of a list. Where a price may be a unit's or a pack's, there is no cost until the person
 * says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 * @param meant what the person has said about other columns.
 * @param as the readings of discounts and quantities that a person has chosen.
 */
export function offerColumns(
  own: PersonsColumns,
  chosen?: CostMeant,
  meant: ColumnsMeant = {},
  as: ReadAs = {},
): OfferColumns {
  const list = readList(own, chosen?.column);
  const { found, asked, per, unused } = list;
  const said = withMeant(found, bearsVat(own) ? { ...meant, salesTax: null } : meant);
  const { cost, pack: _, ...rest } = said;
  const ask = (columns: readonly ListColumn[]): OfferColumns['questions'] =>
    columns.length === 0 ? [] : [{ role: 'cost', columns }];
  const ignored = [
    ...asked,
    ...Object.entries(found).map(([role, column]) => [role, [column]] as const),
  ]
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

/** Of units that are sold as one, or of a part of a case: what a pack is, only a person can say. */
const MAY_BE_SOLD_RANK = 5;

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
 * leaves it open; a number: a rate that only a person can explain.
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
interface RoleRead<As> {
  readonly as: As;
  readonly questions: readonly CostQuestion[];
}

/** @param isPacked whether a case holds several, so that it matters what is counted. */
function quantityRead(
  column: ListColumn | undefined,
  isPacked: boolean,
  said: QuantityReading | undefined,
): RoleRead<QuantityReading | undefined> {
  const as = column === undefined ? 'cases' : (quantityReading(column.title) ?? said);
  const isOpen = isPacked && as === undefined && column !== undefined;
  return {
    as,
    questions: isOpen ? [{ role: 'quantity', columns: [column], as: QUANTITY_READINGS }] : [],
  };
}

function discountRead(
  { columns }: PersonsColumns,
  discount: ListColumn | undefined,
  said: RateReading | undefined,
): RoleRead<RateReading | null> {
  const rates = columns.find(({ column }) => column === discount?.column);
  const read = said ?? (rates === undefined ? null : ratesIn(rates));
  if (discount === undefined || typeof read !== 'number')
    return { as: typeof read === 'string' ? read : null, questions: [] };
  const example = { as: RATE_READINGS, example: read };
  return { as: null, questions: [{ role: 'discount', columns: [discount], ...example }] };
}

/** The columns as they were found, or as the person has said. Each has at most one meaning. */
function withMeant(found: CostColumns, meant: ColumnsMeant): CostColumns {
  const said: Record<string, ListColumn> = { ...found };
  for (const [key, column] of Object.entries(meant)) {
    for (const key of COST_KEYS) if (said[key]?.column === column?.column) delete said[key];
    if (column) said[key] = column;
    else delete said[key];
  }
  return said;
}

/** What the title of the cost says of VAT. */
const sideOf = ({ columns }: PersonsColumns, cost: TitleReading) =>
  sideIn(
    cost,
    columns.some(({ title }) => readTitle(title).role === 'discount'),
  );

type AskedRoles = ListReading['asked'];

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
  asked: AskedRoles,
  meant: ColumnsMeant,
  uncounted: readonly ListColumn[],
): readonly CostQuestion[] =>
  [...asked]
    .filter(([role]) => role !== 'cost' && !(role in meant))
    .map(([role, columns]) => ({
      role,
      columns: columns.filter((column) => !uncounted.includes(column)),
    }))
    .filter(({ columns }) => columns.length > 0);

/** Whether a column holds none of these: what titles leave open, a person may have said. */
const isFree =
  (costs: CostColumns) =>
  (candidate: ListColumn): boolean =>
    Object.values(costs).every(({ column }) => column !== candidate.column);

/** Amounts that were asked about, where a person has chosen another column: a tariff beside a duty. */
const passedOver = (asked: AskedRoles, meant: ColumnsMeant): readonly ListColumn[] =>
  [...EXTRAS, 'discount' as const].flatMap((role) => {
    const chosen = meant[role];
    return chosen ? (asked.get(role) ?? []).filter(({ column }) => column !== chosen.column) : [];
  });

/** What a person may choose as the cost, with each thing that the titles may mean. */
export function costsToChoose(own: PersonsColumns): readonly CostMeant[] {
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
  return !isRate && !NO_AMOUNTS.some((noAmount) => noAmount === role);
};
