// A list as tags in its sheet say it: developer metadata on its header row and its columns, wherever they are by now.

import * as z from 'zod/mini';
import { LISTED_COLUMNS, type ListedColumn } from '../analysis/row-record';
import { columnLetters } from '../google/cells';
import type { Metadata } from '../google/metadata';
import type { Sheet } from '../google/sheet';
import { sheetById } from '../google/spreadsheet';
import { COST_KEYS, type CostKey, QUANTITY_READINGS, RATE_READINGS } from '../product/cost';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { METADATA_KEY } from '../sheet/own-tab';
import { PACK_USES } from './cost-choice';

/** Where the market of each row comes from: one for all rows, or the one in the list's market column. */
export type MarketSource = Market | 'column';

/** A column of ours: the hidden helper, or one that shows what the tab knows. */
export type LookupRole = 'helper' | ListedColumn;

/** The columns beside a list that show one market. */
export interface MarketBlock {
  readonly market: MarketSource;
  /** What stands in brackets behind its titles. "UK"; '' for the first block of the first list. */
  readonly label: string;
  readonly columns: ReadonlyMap<LookupRole, number>;
}

export interface TaggedList {
  readonly sheet: Sheet;
  /** Names the list in its sheet. A copy of the sheet has a list of the same name. */
  readonly id: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  /** Where rows name their markets: the market of rows that name none. */
  readonly defaultMarket: Market;
  readonly blocks: readonly MarketBlock[];
  /** The person's columns that hold costs, as far as somebody has said so. */
  readonly costs: ReadonlyMap<CostKey, number>;
  /** The person's columns that formulas of ours read: products, markets and costs. */
  readonly bindings: readonly Binding[];
  /** The person's columns that are nothing here, whatever their titles say. */
  readonly ignored: readonly Omit<Binding, 'role' | 'as'>[];
  /** Columns of ours that look nothing up. */
  readonly formulas: readonly FoundTag<FormulaTag>[];
}

/** What a column of a person's is taken for. */
export const BOUND_ROLES = ['product', 'market', ...COST_KEYS] as const;

/** A column of a person's, and what was seen there when it was taken for this. */
export interface Binding {
  readonly role: (typeof BOUND_ROLES)[number];
  readonly column: number;
  /** Its title as it was then (`titleOf`). */
  readonly title: string;
  /** How its cells are read, where a title can mean two things: see `Reading`. */
  readonly as?: Reading;
}

/** Of a cost, what the pack size does to it; of a discount, whether 5 % is 5 or 0.05; of a quantity, what it counts. */
export type Reading = (typeof READINGS)[number];

const READINGS = [...PACK_USES, ...RATE_READINGS, ...QUANTITY_READINGS] as const;

const MARKET_SOURCES = ['column', ...MARKETS] as const;

const listTagSchema = lazySchema(() =>
  z.strictObject({
    list: z.string(),
    /** `ignored`: a person has said that it holds nothing that counts. */
    role: z.literal(['header', 'ignored', ...BOUND_ROLES]),
    /** On a column of a person's: see `Binding`. */
    title: z.exactOptional(z.string()),
    as: z.exactOptional(z.literal(READINGS)),
    /** On the products of a list whose rows name their markets: the market of rows that name none. */
    defaultMarket: z.exactOptional(z.literal(MARKETS)),
  }),
);

const lookupTagSchema = lazySchema(() =>
  z.strictObject({
    list: z.string(),
    role: z.literal(['helper', ...LISTED_COLUMNS]),
    market: z.literal(MARKET_SOURCES),
    label: z.string(),
  }),
);

const formulaTagSchema = lazySchema(() =>
  z.strictObject({
    list: z.string(),
    role: z.string(),
    /** `both`: one column for the whole list. */
    market: z.literal([...MARKET_SOURCES, 'both']),
    /** As it was written, with the roles of columns in place of cells: "{fees}". */
    formula: z.string(),
  }),
);

const tagSchema = lazySchema(() =>
  z.union([listTagSchema(), lookupTagSchema(), formulaTagSchema()]),
);

/** The tag of a row or a column that is a person's. */
export type ListTag = Fits<typeof listTagSchema>;

/** The tag of a column of ours that shows a column of the tab. */
export type LookupTag = Fits<typeof lookupTagSchema>;

/** The tag of a column of ours whose formula works something out. */
export type FormulaTag = Fits<typeof formulaTagSchema>;

/** The tag of a column of ours. In a list no two of these have the same role and market. */
export type OurTag = LookupTag | FormulaTag;

export type Tag = ListTag | OurTag;

/** A tag and where it is by now. */
export interface FoundTag<Of extends Tag = Tag> {
  readonly tag: Of;
  readonly at: number;
  readonly metadata: Metadata;
}

const isListTag = (found: FoundTag): found is FoundTag<ListTag> => !('market' in found.tag);

const isLookupTag = (found: FoundTag): found is FoundTag<LookupTag> => 'label' in found.tag;

const isFormulaTag = (found: FoundTag): found is FoundTag<FormulaTag> => 'formula' in found.tag;

/** The columns of a list that work something out. */
export const formulaTagsOf = (tags: readonly FoundTag[], list: string) =>
  tags.filter(isFormulaTag).filter(({ tag }) => tag.list === list);

/** Whether a tag is on a column that we fill. */
export const isOurTag = (found: FoundTag): found is FoundTag<OurTag> => !isListTag(found);

/** The columns that we fill in a sheet, whichever list they belong to. */
export const filledColumns = (tags: readonly FoundTag[] | null): ReadonlySet<number> =>
  new Set((tags ?? []).filter(isOurTag).map(({ at }) => at));

/** All tags of a sheet, the leftmost first; null: the sheet is gone. */
export function readTags(sheet: Sheet): readonly FoundTag[] | null {
  const metadata = sheet.metadata(METADATA_KEY);
  return metadata && tagsAmong(metadata);
}

/** The tags of lists among all metadata of ours in a sheet. */
export function tagsAmong(metadata: readonly Metadata[]): readonly FoundTag[] {
  const tags = metadata.flatMap((note) => {
    const tag = storedAs(note.value, tagSchema());
    const isAsWritten = tag !== null && note.on === (tag.role === 'header' ? 'row' : 'column');
    return isAsWritten ? [{ tag, at: note.at, metadata: note }] : [];
  });
  return tags.sort((a, b) => a.at - b.at || (a.metadata.value < b.metadata.value ? -1 : 1));
}

/** Tags a row or a column. */
export function addTag(sheet: Sheet, tag: Tag, at: number) {
  const on = tag.role === 'header' ? 'row' : 'column';
  return sheet.addMetadata(METADATA_KEY, { on, at, value: JSON.stringify(tag) });
}

export const removeTag = (sheet: Sheet, { metadata }: FoundTag) =>
  sheet.removeMetadata(METADATA_KEY, metadata);

/** Where a list's header, products, markets or costs are; undefined: not tagged. */
export const listTagOf = (
  tags: readonly FoundTag[],
  list: string,
  role: ListTag['role'],
): FoundTag<ListTag> | undefined =>
  tags.filter(isListTag).find(({ tag }) => tag.list === list && tag.role === role);

/** The columns of a list that are nothing here. */
export const ignoredTagsOf = (
  tags: readonly FoundTag[],
  list: string,
): readonly FoundTag<ListTag>[] =>
  tags.filter(isListTag).filter(({ tag }) => tag.list === list && tag.role === 'ignored');

/** Where a column of ours is; undefined: nowhere. Of two with one role, the leftmost counts. */
export const columnOf = (tags: readonly FoundTag[], tag: OurTag): number | undefined =>
  tags.filter(isOurTag).find((found) => found.tag.list === tag.list && isSameColumn(found.tag, tag))
    ?.at;

export const isSameColumn = (
  a: Pick<OurTag, 'role' | 'market'>,
  b: Pick<OurTag, 'role' | 'market'>,
): boolean => a.role === b.role && a.market === b.market;

/** The columns of a list that look something up, the leftmost first. */
export const lookupTagsOf = (
  tags: readonly FoundTag[],
  list: string,
): readonly FoundTag<LookupTag>[] =>
  tags.filter(isLookupTag).filter(({ tag }) => tag.list === list);

/** The markets that a list has columns of, where not each row names its own. */
export const marketsIn = ({ blocks }: Pick<TaggedList, 'blocks'>): readonly Market[] =>
  MARKETS.filter((candidate) => blocks.some(({ market }) => market === candidate));

/** The blocks of a list, the leftmost first. */
export function blocksOf(tags: readonly FoundTag[], list: string): readonly MarketBlock[] {
  const blocks = new Map<MarketSource, MarketBlock & { columns: Map<LookupRole, number> }>();
  for (const { tag, at } of lookupTagsOf(tags, list)) {
    const { market, label, role } = tag;
    const block = blocks.get(market) ?? { market, label, columns: new Map() };
    blocks.set(market, block);
    // Of two columns with one role, the leftmost counts.
    if (!block.columns.has(role)) block.columns.set(role, at);
  }
  return [...blocks.values()];
}

/** A list by its id; null: its header or its products are not tagged any more. */
export function listOf(sheet: Sheet, tags: readonly FoundTag[], id: string): TaggedList | null {
  const header = listTagOf(tags, id, 'header');
  const product = listTagOf(tags, id, 'product');
  if (header === undefined || product === undefined) return null;
  return {
    sheet,
    id,
    headerRow: header.at,
    productColumn: product.at,
    marketColumn: listTagOf(tags, id, 'market')?.at ?? null,
    defaultMarket: product.tag.defaultMarket ?? DEFAULT_MARKET,
    blocks: blocksOf(tags, id),
    costs: new Map(
      COST_KEYS.flatMap((key) => {
        const at = listTagOf(tags, id, key)?.at;
        return at === undefined ? [] : [[key, at] as const];
      }),
    ),
    bindings: BOUND_ROLES.flatMap((role) => {
      const found = listTagOf(tags, id, role);
      if (found === undefined) return [];
      const { title = '', as } = found.tag;
      return [{ role, column: found.at, title, ...(as && { as }) }];
    }),
    ignored: ignoredTagsOf(tags, id).map(({ tag, at }) => ({ column: at, title: tag.title ?? '' })),
    formulas: formulaTagsOf(tags, id),
  };
}

/** The ids of the lists that leave a tag in a sheet. */
export const listIds = (tags: readonly FoundTag[]): readonly string[] =>
  [...new Set(tags.map(({ tag }) => tag.list))].sort((a, b) => Number(a) - Number(b));

/** The lists of a sheet, in the order of their product columns. */
export const taggedLists = (sheet: Sheet): readonly TaggedList[] =>
  listsAmong(sheet, readTags(sheet) ?? []);

/** The lists that these tags of a sheet make, in the order of their product columns. */
export const listsAmong = (sheet: Sheet, tags: readonly FoundTag[]): readonly TaggedList[] =>
  listIds(tags)
    .flatMap((id) => listOf(sheet, tags, id) ?? [])
    .sort((a, b) => a.productColumn - b.productColumn);

/** The list with this id; null: it is gone, or its sheet is. */
export function taggedList(at: {
  readonly sheetId: number;
  readonly listId: string;
}): TaggedList | null {
  const sheet = sheetById(at.sheetId);
  return (sheet && taggedLists(sheet).find(({ id }) => id === at.listId)) ?? null;
}

/** "Products", or with the column if the sheet has several lists: "Products, column C". */
export function listName({ sheet, productColumn }: TaggedList): string {
  const name = sheet.name() ?? '';
  return taggedLists(sheet).length < 2 ? name : `${name}, column ${columnLetters(productColumn)}`;
}

/** Where a column of this role works something out for a market; undefined: nowhere. */
export const formulaColumn = (
  { formulas }: Pick<TaggedList, 'formulas'>,
  role: string,
  market: FormulaTag['market'],
): number | undefined => formulas.find(({ tag }) => isSameColumn(tag, { role, market }))?.at;
