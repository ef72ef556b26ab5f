// A list as metadata marks it in its sheet: its header row and its columns, wherever they are by now.

import * as z from 'zod/mini';
import { TAB_COLUMNS, type TabColumn } from '../analysis/analysis-row';
import { columnLetters } from '../google/cells';
import type { Metadata } from '../google/metadata';
import type { Sheet } from '../google/sheet';
import { sheetById } from '../google/spreadsheet';
import { COST_KEYS, type CostKey, QUANTITY_READINGS, RATE_READINGS } from '../product/cost';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { METADATA_KEY } from '../sheet/own-tab';
import { PACK_USES } from './cost-choice';

/** Which market a group of columns is for: one for all rows, or the one in the list's market column. */
export type GroupMarket = Market | 'column';

/** A column of ours: the hidden helper, or one that shows a column of the tab. */
export type LookupRole = 'helper' | TabColumn;

/** The columns beside a list that show one market. */
export interface LookupGroup {
  readonly market: GroupMarket;
  /** What stands in brackets behind its titles. "UK"; '' for the first group of the first list. */
  readonly label: string;
  readonly columns: ReadonlyMap<LookupRole, number>;
}

export interface MarkedList {
  readonly sheet: Sheet;
  /** Names the list in its sheet. A copy of the sheet has a list of the same name. */
  readonly id: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  /** Where rows name their markets: the market of rows that name none. */
  readonly defaultMarket: Market;
  readonly groups: readonly LookupGroup[];
  /** The person's columns that hold costs, as far as somebody has said so. */
  readonly costs: ReadonlyMap<CostKey, number>;
  /** The person's columns that formulas of ours read: products, markets and costs. */
  readonly bindings: readonly Binding[];
  /** The person's columns that are nothing here, whatever their titles say. */
  readonly ignored: readonly Omit<Binding, 'role' | 'as'>[];
  /** Columns of ours that look nothing up. */
  readonly formulas: readonly Placed<FormulaMark>[];
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

const MARKETS_OF_GROUPS = ['column', ...MARKETS] as const;

const placeSchema = lazySchema(() =>
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

const lookupSchema = lazySchema(() =>
  z.strictObject({
    list: z.string(),
    role: z.literal(['helper', ...TAB_COLUMNS]),
    market: z.literal(MARKETS_OF_GROUPS),
    label: z.string(),
  }),
);

const formulaSchema = lazySchema(() =>
  z.strictObject({
    list: z.string(),
    role: z.string(),
    /** `both`: one column for the whole list. */
    market: z.literal([...MARKETS_OF_GROUPS, 'both']),
    /** As it was written, with the roles of columns in place of cells: "{fees}". */
    formula: z.string(),
  }),
);

const markSchema = lazySchema(() => z.union([placeSchema(), lookupSchema(), formulaSchema()]));

/** What marks a row or a column of a list. */
export type PlaceMark = Fits<typeof placeSchema>;

/** What marks a column of ours that shows a column of the tab. */
export type LookupMark = Fits<typeof lookupSchema>;

/** What marks a column of ours whose formula works something out. */
export type FormulaMark = Fits<typeof formulaSchema>;

/** What marks a column of ours. In a list no two of these have the same role and market. */
export type OurMark = LookupMark | FormulaMark;

export type Mark = PlaceMark | OurMark;

/** A mark and where it is by now. */
export interface Placed<Of extends Mark = Mark> {
  readonly mark: Of;
  readonly at: number;
  readonly noted: Metadata;
}

const isOfPlace = (one: Placed): one is Placed<PlaceMark> => !('market' in one.mark);

const isOfLookup = (one: Placed): one is Placed<LookupMark> => 'label' in one.mark;

const isOfFormula = (one: Placed): one is Placed<FormulaMark> => 'formula' in one.mark;

/** The columns of a list that work something out. */
export const formulasOf = (marks: readonly Placed[], list: string) =>
  marks.filter(isOfFormula).filter(({ mark }) => mark.list === list);

/** Whether a mark is on a column that we fill. */
export const isOnOurs = (one: Placed): one is Placed<OurMark> => !isOfPlace(one);

/** The columns that we fill in a sheet, whichever list they belong to. */
export const filledColumns = (marks: readonly Placed[] | null): ReadonlySet<number> =>
  new Set((marks ?? []).filter(isOnOurs).map(({ at }) => at));

/** All marks of a sheet, the leftmost first; null: the sheet is gone. */
export function readMarks(sheet: Sheet): readonly Placed[] | null {
  const noted = sheet.metadata(METADATA_KEY);
  return noted && marksAmong(noted);
}

/** The marks of lists among all metadata of ours in a sheet. */
export function marksAmong(noted: readonly Metadata[]): readonly Placed[] {
  const marks = noted.flatMap((one) => {
    const mark = storedAs(one.value, markSchema());
    const isThere = mark !== null && one.on === (mark.role === 'header' ? 'row' : 'column');
    return isThere ? [{ mark, at: one.at, noted: one }] : [];
  });
  return marks.sort((a, b) => a.at - b.at || (a.noted.value < b.noted.value ? -1 : 1));
}

/** Marks a row or a column. */
export function addMark(sheet: Sheet, mark: Mark, at: number) {
  const on = mark.role === 'header' ? 'row' : 'column';
  return sheet.addMetadata(METADATA_KEY, { on, at, value: JSON.stringify(mark) });
}

export const removeMark = (sheet: Sheet, { noted }: Placed) =>
  sheet.removeMetadata(METADATA_KEY, noted);

/** Where a list's header, products, markets or costs are; undefined: not marked. */
export const placeOf = (
  marks: readonly Placed[],
  list: string,
  role: PlaceMark['role'],
): Placed<PlaceMark> | undefined =>
  marks.filter(isOfPlace).find(({ mark }) => mark.list === list && mark.role === role);

/** The columns of a list that are nothing here. */
export const ignoredIn = (marks: readonly Placed[], list: string): readonly Placed<PlaceMark>[] =>
  marks.filter(isOfPlace).filter(({ mark }) => mark.list === list && mark.role === 'ignored');

/** Where a column of ours is; undefined: nowhere. Of two with one role, the leftmost counts. */
export const columnOf = (marks: readonly Placed[], mark: OurMark): number | undefined =>
  marks.filter(isOnOurs).find((one) => one.mark.list === mark.list && isSameColumn(one.mark, mark))
    ?.at;

export const isSameColumn = (
  one: Pick<OurMark, 'role' | 'market'>,
  other: Pick<OurMark, 'role' | 'market'>,
): boolean => one.role === other.role && one.market === other.market;

/** The columns of a list that look something up, the leftmost first. */
export const lookupsOf = (marks: readonly Placed[], list: string): readonly Placed<LookupMark>[] =>
  marks.filter(isOfLookup).filter(({ mark }) => mark.list === list);

/** The markets that a list has columns of, where not each row names its own. */
export const marketsIn = ({ groups }: Pick<MarkedList, 'groups'>): readonly Market[] =>
  MARKETS.filter((one) => groups.some(({ market }) => market === one));

/** The groups of a list, the leftmost first. */
export function groupsOf(marks: readonly Placed[], list: string): readonly LookupGroup[] {
  const groups = new Map<GroupMarket, LookupGroup & { columns: Map<LookupRole, number> }>();
  for (const { mark, at } of lookupsOf(marks, list)) {
    const { market, label, role } = mark;
    const group = groups.get(market) ?? { market, label, columns: new Map() };
    groups.set(market, group);
    // Of two columns with one role, the leftmost counts.
    if (!group.columns.has(role)) group.columns.set(role, at);
  }
  return [...groups.values()];
}

/** A list by its id; null: its header or its products are not marked any more. */
export function listOf(sheet: Sheet, marks: readonly Placed[], id: string): MarkedList | null {
  const header = placeOf(marks, id, 'header');
  const product = placeOf(marks, id, 'product');
  if (header === undefined || product === undefined) return null;
  return {
    sheet,
    id,
    headerRow: header.at,
    productColumn: product.at,
    marketColumn: placeOf(marks, id, 'market')?.at ?? null,
    defaultMarket: product.mark.defaultMarket ?? DEFAULT_MARKET,
    groups: groupsOf(marks, id),
    costs: new Map(
      COST_KEYS.flatMap((key) => {
        const at = placeOf(marks, id, key)?.at;
        return at === undefined ? [] : [[key, at] as const];
      }),
    ),
    bindings: BOUND_ROLES.flatMap((role) => {
      const placed = placeOf(marks, id, role);
      if (placed === undefined) return [];
      const { title = '', as } = placed.mark;
      return [{ role, column: placed.at, title, ...(as && { as }) }];
    }),
    ignored: ignoredIn(marks, id).map(({ mark, at }) => ({ column: at, title: mark.title ?? '' })),
    formulas: formulasOf(marks, id),
  };
}

/** The ids of the lists that leave a mark in a sheet. */
export const listIds = (marks: readonly Placed[]): readonly string[] =>
  [...new Set(marks.map(({ mark }) => mark.list))].sort((a, b) => Number(a) - Number(b));

/** The lists of a sheet, in the order of their product columns. */
export const markedLists = (sheet: Sheet): readonly MarkedList[] =>
  listsAmong(sheet, readMarks(sheet) ?? []);

/** The lists that these marks of a sheet make, in the order of their product columns. */
export const listsAmong = (sheet: Sheet, marks: readonly Placed[]): readonly MarkedList[] =>
  listIds(marks)
    .flatMap((id) => listOf(sheet, marks, id) ?? [])
    .sort((a, b) => a.productColumn - b.productColumn);

/** The list with this mark; null: it is gone, or its sheet is. */
export function markedList(place: {
  readonly sheetId: number;
  readonly listId: string;
}): MarkedList | null {
  const sheet = sheetById(place.sheetId);
  return (sheet && markedLists(sheet).find(({ id }) => id === place.listId)) ?? null;
}

/** "Products", or with the column if the sheet has several lists: "Products, column C". */
export function listName({ sheet, productColumn }: MarkedList): string {
  const name = sheet.name() ?? '';
  return markedLists(sheet).length < 2 ? name : `${name}, column ${columnLetters(productColumn)}`;
}

/** Where a column of this role works something out for a market; undefined: nowhere. */
export const formulaColumn = (
  { formulas }: Pick<MarkedList, 'formulas'>,
  role: string,
  market: FormulaMark['market'],
): number | undefined => formulas.find(({ mark }) => isSameColumn(mark, { role, market }))?.at;
