// Which columns of a list hold what an offer costs: by their titles, and by what a person says where
// a title can mean two things. Pure.

import { seenText, visibleText } from '../product/cell-text';
import { COST_KEYS, COST_TITLES, type CostKey } from '../product/cost';
import { isOtherMoney, MARKETS } from '../product/market';
import { withoutVatSide } from '../product/vat';
import type { GroupMarket } from './marked-list';

/** A column of a list with its header. */
export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** Columns that were chosen by the person or recognised by their titles. */
export type CostColumns = { readonly [Key in CostKey]?: ListColumn };

const formOf = (title: string) =>
  visibleText(title)
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/\b(gbp|usd)\b/g, '')
    .replace(/[^a-z]/g, '');

/** Titles for the price of one unit, which is not divided by the pack size. */
const OF_A_UNIT = /unit|each|peritem/;

/** Titles for the price of a whole case or pack. */
const OF_A_PACK = /case|pack/;

/** Titles of pack sizes that may also be how many units are sold as one. */
const MAY_BE_SOLD = /^(pack|packsize|packqty|packquantity|unitsperpack|itemsperpack|perpack)$/;

/** Possible titles of the column with product names. */
const NAME = /^(product )?(title|name|description|item|product)( name| title| description)?$/i;

/** What a pack size does to a cost: nothing to a unit's, or units are sold together. */
export const PACK_USES = ['ignored', 'divides', 'multiplies'] as const;

export type PackUse = (typeof PACK_USES)[number];

/** What the titles of a cost and a pack size may mean, likeliest first. */
function packUses(cost: string, pack: string): readonly PackUse[] {
  const sold = MAY_BE_SOLD.test(formOf(pack)) ? (['multiplies'] as const) : [];
  if (OF_A_UNIT.test(formOf(cost))) return ['ignored', ...sold];
  return OF_A_PACK.test(formOf(cost)) ? ['divides'] : ['ignored', 'divides', ...sold];
}

/** The column that a person, or a decision, takes for the cost. */
export interface CostMeant {
  readonly column: ListColumn;
  /** What the pack size does; undefined: the titles say it, or there is none. */
  readonly pack?: PackUse | undefined;
}

/** A choice of the cost, with the column of pack sizes that it is about. */
export interface CostChoice extends CostMeant {
  readonly packColumn?: ListColumn;
}

/** The columns of a list that are a person's own. */
interface OwnColumns {
  readonly columns: readonly ListColumn[];
  /** Whose money costs are in, unless the list is of both markets; left out: it does not count. */
  readonly market?: GroupMarket;
  readonly isOfBoth?: boolean;
}

/**
 * The cost columns by their titles. Each column has at most one meaning. Where a price
 * may be that of a unit or of a pack, there is no cost until the person says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 */
export function costColumnsOf(own: OwnColumns, chosen?: CostMeant): CostColumns {
  const found = titledCosts(own, chosen?.column);
  const { cost, pack } = found;
  if (cost === undefined || pack === undefined) return found;
  const [clear, ...others] = packUses(cost.title, pack.title);
  const use = chosen?.pack ?? (others.length === 0 ? clear : undefined);
  if (use === 'divides') return found;
  const { pack: _, ...ofUnit } = found;
  if (use === 'ignored') return ofUnit;
  if (use === 'multiplies') return { ...ofUnit, multipack: found.multipack ?? pack };
  const { cost: __, ...unclear } = found;
  return unclear;
}

/** What a person may choose as the cost, with each thing that the titles may mean. */
export function costsToChoose(own: OwnColumns): readonly CostChoice[] {
  return own.columns.filter(mayBeCost).flatMap((column): readonly CostChoice[] => {
    const { pack } = titledCosts(own, column);
    const uses = pack === undefined ? [] : packUses(column.title, pack.title);
    if (pack === undefined || uses.length === 1) return [{ column }];
    return uses.map((use) => ({ column, pack: use, packColumn: pack }));
  });
}

/** Names, counts and rates are no amounts. */
const mayBeCost = ({ title }: ListColumn): boolean =>
  !NAME.test(seenText(title)) &&
  (['quantity', 'pack', 'multipack', 'discount'] as const).every((key) => rankOf(key, title) < 0);

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (own: OwnColumns): boolean => titledCosts(own).cost !== undefined;

/** How likely a title means this; −1: it does not. "Unit cost ex VAT" is "Unit cost". */
const rankOf = (key: CostKey, title: string): number =>
  Math.max(...[title, withoutVatSide(title)].map((one) => COST_TITLES[key].indexOf(formOf(one))));

/** What titles call currencies: "£", "US$", "EUR". */
const MONEY = /\b(USD|GBP|EUR|CAD|AUD|CNY|RMB)\b|EURO|(?<![A-Z])[A-Z]{1,2}\p{Sc}|\p{Sc}/gu;

/**
 * Whether the money that a title names speaks against this meaning: "Cost (USD)" in a list of the UK,
 * and "Discount £", which is no rate.
 */
function isMisnamed({ market = 'column', isOfBoth }: OwnColumns, key: CostKey, title: string) {
  const named = title.toUpperCase().match(MONEY) ?? [];
  if (key === 'discount') return named.length > 0;
  if (key !== 'cost') return false;
  const markets = market === 'column' || isOfBoth ? MARKETS : [market];
  return named.some((money) => markets.every((one) => isOtherMoney(money, one)));
}

function titledCosts(own: OwnColumns, chosen?: ListColumn): CostColumns {
  const found: Partial<Record<CostKey, ListColumn>> = {};
  if (chosen !== undefined) found.cost = chosen;
  for (const key of COST_KEYS.filter((one) => found[one] === undefined)) {
    const [best] = own.columns
      .filter(({ column }) => column !== chosen?.column)
      .filter(({ title }) => !isMisnamed(own, key, title))
      .map((one) => ({ one, rank: rankOf(key, one.title) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank);
    if (best) found[key] = best.one;
  }
  return found;
}

/** The column with product names, if there is one. */
export const nameColumnOf = ({ columns }: OwnColumns): number | undefined =>
  columns.find(({ title }) => NAME.test(seenText(title)))?.column;

/** What the decisions of a list take for the cost. */
export function costInUse({ cost, pack, multipack }: CostColumns): CostMeant | undefined {
  if (cost === undefined) return undefined;
  const isOfPack = OF_A_PACK.test(formOf(cost.title)) && multipack === undefined;
  if (isOfPack || pack !== undefined) return { column: cost, pack: 'divides' };
  return { column: cost, pack: multipack === undefined ? 'ignored' : 'multiplies' };
}
