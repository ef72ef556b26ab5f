// A list as metadata marks it in its sheet: its header row and its columns, wherever they are by now,
// and the formulas of ours by which its rows look figures up in the Analysis tab and decide on them.

import * as z from 'zod/mini';
import { TAB_COLUMNS, type TabColumn } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { areaOf, columnLetters, type SheetCell, stretches } from '../google/cells';
import type { Metadata, Sheet } from '../google/sheet';
import { sheetById } from '../google/spreadsheet';
import { KEYLESS_CLASS, keyText, TITLE_CHARS, titleOf } from '../product/cell-text';
import { COST_KEYS, type CostKey, QUANTITY_READINGS, RATE_READINGS } from '../product/cost';
import { DEFAULT_MARKET, MARKETS, type Market } from '../product/market';
import { CHECK_COLUMNS, isInOwnColumn, isInPlace, TITLES_OK } from '../product/own-row';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { type FormulaColumn, isOfOurs, withoutTab } from '../sheet/filled-formulas';
import { METADATA_KEY } from '../sheet/own-tab';
import { PACK_USES } from './cost-choice';

/** Which market a group of columns is for: one for all rows, or that of the list's market column. */
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
  /** Where rows name their markets: that of rows which do not. */
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
    /** On the products of a list whose rows name their markets: that of rows which do not. */
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

/** A column of the tab as formulas name it: `'Analysis'!C5:C5`. */
interface TabPlace {
  readonly name: string;
  readonly column: number;
}

const whole = ({ name, column }: TabPlace) => `'${name.replace(/'/g, "''")}'!C${column}:C${column}`;

/** Row numbers of the tab are smaller. Formulas hold it in digits, for 10^6 is worked out anew in each of them. */
const ROWS = 1_000_000;

/**
 * Its own row and the row of the tab that holds the row's key: 5000012 in row 5. Blank beside a blank
 * cell and where a cell has moved, also on the tab, whose rows repeat their keys; #N/A: the tab has no
 * such key. In R1C1 notation a formula is the same text in every row.
 */
function helperFormula(
  list: MarkedList,
  own: number,
  market: GroupMarket,
  keys: TabPlace,
  again: TabPlace,
): string {
  const { headerRow, productColumn, marketColumn, defaultMarket } = list;
  const product = `RC${productColumn}`;
  const isNamed = market === 'column' && marketColumn !== null;
  // Without a column of markets, rows that should name theirs find nothing.
  const cell = `RC${marketColumn ?? productColumn}`;
  const key =
    market === 'column'
      ? `${product}&"|"&IF(${cell}="";"${defaultMarket}";${cell})`
      : `${product}&"|${market}"`;
  const read = [productColumn, ...(isNamed ? [marketColumn] : [])];
  const isMeant = [
    ...read.map((column) => isInPlace(`RC${column}`, `R${headerRow}C${column}`)),
    isInOwnColumn(`R${headerRow}C${own}`),
    `${product}<>""`,
  ].join(';');
  const found = `XMATCH(k;${whole(keys)};0)`;
  const isRepeated = `INDEX(${whole(again)};n)=k`;
  const seen = `REGEXREPLACE(${key};"${KEYLESS_CLASS}";"")`;
  return `=IF(AND(${isMeant});LET(k;${seen};n;${found};IF(${isRepeated};ROW()*${ROWS}+n;));)`;
}

/** What the tab holds in that row; blank where the helper is not this row's, or in another sheet. */
const figureFormula = (helper: number, shown: TabPlace): string =>
  `=IFERROR(INDEX(${whole(shown)};(RC${helper}-ROW()*${ROWS})/(SHEET(RC${helper})=SHEET())))`;

/** Where a column of this role works something out for a market; undefined: nowhere. */
export const formulaColumn = (
  { formulas }: Pick<MarkedList, 'formulas'>,
  role: string,
  market: FormulaMark['market'],
): number | undefined => formulas.find(({ mark }) => isSameColumn(mark, { role, market }))?.at;

/**
 * A formula in R1C1 notation, for the cells of this column. "{fees}" stands for the row's cell in the
 * column of that role, be it the list's, the market's or the whole list's; "{verdict UK}" for that of
 * another market; "{fees!}" for the column's title, "{own!}" for that of the formula's own column.
 */
function formulaIn(
  list: MarkedList,
  { mark: { market }, at }: Placed<FormulaMark>,
  formula: string,
): string {
  return formula.replace(/\{([a-zA-Z][^}!]*)(!?)\}/g, (_, name: string, isTitle: string) => {
    const there = name === 'own' ? at : columnNamed(list, name, market);
    if (there === undefined) return '#REF!';
    const row = isTitle === '' ? 'R' : `R${list.headerRow}`;
    // Where the formula is copied to another column, its own title stays behind.
    if (name === 'own') return `${row}C${at}`;
    return there === at ? `${row}C` : `${row}C[${there - at}]`;
  });
}

function columnNamed(
  list: MarkedList,
  name: string,
  market: FormulaMark['market'],
): number | undefined {
  const [role = '', other = market] = name.split(' ');
  const group = list.groups.find((one) => one.market === market) ?? list.groups[0];
  return (
    (role === 'product' ? list.productColumn : undefined) ??
    list.costs.get(role as never) ??
    formulaColumn(list, role, other as FormulaMark['market']) ??
    formulaColumn(list, role, 'both') ??
    group?.columns.get(role as never)
  );
}

/**
 * The key of a row as the helper's formula joins it, from the cells of product and market.
 * "B07FZ8S74R|US"
 */
export function rowKey(
  product: unknown,
  market: unknown,
  group: GroupMarket,
  defaultMarket: Market,
): string {
  const named = group === 'column' ? joined(market) || defaultMarket : group;
  return keyText(`${joined(product)}|${named}`);
}

/** A cell's value as "&" joins it to a text. */
function joined(cell: unknown): string {
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '');
}

/** What formulas name the tab and its columns by. */
export type TabReferences = Pick<AnalysisTab, 'name' | 'layout'>;

/**
 * Every column of ours beside a list.
 *
 * @param wanted what decisions should hold; left out: what they hold, and who may not write them gets
 *   figures all the same.
 */
export const ourColumns = (
  list: MarkedList,
  tab: TabReferences,
  wanted?: readonly Omit<FormulaMark, 'list'>[],
): readonly FormulaColumn[] => [
  ...list.groups.flatMap((group) => lookupsIn(list, group, tab)),
  ...decisionsIn(list, wanted).map((one) => ({ ...one, isExtra: wanted === undefined })),
];

/** The columns of a group; none where it lacks its helper, or the tab has just been deleted. */
function lookupsIn(
  list: MarkedList,
  group: LookupGroup,
  tab: TabReferences,
): readonly FormulaColumn[] {
  const helper = group.columns.get('helper');
  const { name } = tab;
  if (helper === undefined || name === '') return [];
  const at = (column: TabColumn) => ({
    name,
    column: tab.layout.columns.get(column) ?? 0,
  });
  return [...group.columns].map(([role, column]) => ({
    column,
    formula:
      role === 'helper'
        ? helperFormula(list, helper, group.market, at('key'), at('key_again'))
        : figureFormula(helper, at(role)),
    helper,
  }));
}

/**
 * The columns that work something out.
 *
 * @param wanted what each should hold, and no others; left out: what they were made for.
 */
export function decisionsIn(
  list: MarkedList,
  wanted: readonly Omit<FormulaMark, 'list'>[] = list.formulas.map(({ mark }) => mark),
): readonly FormulaColumn[] {
  return list.formulas.flatMap((placed) => {
    const now = wanted.find((one) => isSameColumn(one, placed.mark));
    if (now === undefined) return [];
    return {
      column: placed.at,
      formula: formulaIn(list, placed, now.formula),
      former: formulaIn(list, placed, placed.mark.formula),
    };
  });
}

/** Upper and lower case are the same to "=" in a sheet. */
export const isSameTitle = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** A column that has another title than when it was taken for this. */
export interface Rebound extends Binding {
  /** Its title now. */
  readonly now: string;
}

/** The columns of a person's whose titles are others by now. @param titles from column A on. */
export const reboundIn = (
  { bindings }: Pick<MarkedList, 'bindings'>,
  titles: readonly string[],
): readonly Rebound[] =>
  bindings
    .map((one) => ({ ...one, now: titles[one.column - 1] ?? '' }))
    .filter(({ title, now }) => !isSameTitle(title, now));

/** Whether the column of products has the title that it was bound with. */
export function isAtItsProducts({
  sheet,
  headerRow,
  productColumn,
  bindings,
}: MarkedList): boolean {
  const bound = bindings.find(({ role }) => role === 'product');
  const cell = sheet.values(areaOf(headerRow, productColumn))?.[0]?.[0];
  return bound === undefined || isSameTitle(bound.title, titleOf(cell));
}

/** A title cell of ours that is no plain title. In R1C1 notation, or a text. */
export interface TitleCell {
  readonly column: number;
  readonly formula?: string;
  readonly text?: string;
}

/**
 * The title cells of each market's hidden columns: of *Reasons*, the titles of all columns that
 * decisions read, as they were bound; of the helper, a formula that compares them with what they are
 * now. So every decision says *Check columns* at once where another list is pasted over this one.
 *
 * @param cells the title row from column A on.
 */
export function guardsIn(list: MarkedList, cells: readonly SheetCell[]): readonly TitleCell[] {
  const hidden = list.groups.flatMap(({ market, columns }) => [
    columns.get('helper'),
    formulaColumn(list, 'reasons', market),
  ]);
  // Guards that read each other, those of two lists in one row, would be circular.
  const plain = cells
    .map((title, at) => ({ title: titleOf(title), column: at + 1 }))
    .filter(({ title, column }) => !hidden.includes(column) && !isGuard(title))
    .map(({ column }) => column);
  return list.groups.flatMap(({ market, columns }): readonly TitleCell[] => {
    const [helper, bound] = [columns.get('helper'), formulaColumn(list, 'reasons', market)];
    if (helper === undefined || bound === undefined) return [];
    // Those for both markets read costs.
    const decided = list.formulas.filter(
      ({ mark, at }) => [market, 'both'].includes(mark.market) && at !== bound,
    );
    const ours = [...columns.values(), ...decided.map(({ at }) => at)];
    const theirs = new Map(list.bindings.map(({ column, title }) => [column, title]));
    const read = [...new Set([...theirs.keys(), ...ours])]
      .filter((column) => column !== helper && isComparable(cells[column - 1]))
      .sort((a, b) => a - b);
    const text = read
      .map((column) => {
        const now = String(cells[column - 1] ?? '');
        const was = theirs.get(column) ?? titleOf(now);
        return isSameTitle(was, titleOf(now)) ? now : was;
      })
      .join('|');
    const cell = (column: number) => `R${list.headerRow}C${column}`;
    const isSame = `TEXTJOIN("|";FALSE;${read.map(cell).join(';')})=${cell(bound)}`;
    // A reference follows a title that was cut away; a range over the row does not.
    const row = stretches(plain, (column) => column).map(
      (run) => `${cell(run[0])}:${cell(run[run.length - 1] ?? run[0])}`,
    );
    // Not as the bound titles are joined, which may stand among them once somebody has moved columns.
    const framed = (text: string) => `LOWER("||"&${text}&"||")`;
    const shown = framed(`TEXTJOIN("||";FALSE;${row.join(';')})`);
    const lost = `ISERROR(FIND(${framed(`SPLIT(${cell(bound)};"|")`)};${shown}))`;
    const isShown = `SUMPRODUCT(--${lost})=0`;
    return [
      { column: bound, text },
      {
        column: helper,
        formula: `=IFERROR(IF(AND(${isSame};${isShown});"${TITLES_OK}";"${CHECK_COLUMNS}");"${CHECK_COLUMNS}")`,
      },
    ];
  });
}

/** Whether a title is one of these, which are no titles. */
export const isGuard = (title: string): boolean =>
  title === TITLES_OK || title === CHECK_COLUMNS || title.includes('|');

/** Whether a title is the same text for a formula: no date, and not longer than is compared. */
const isComparable = (cell: SheetCell = ''): boolean =>
  typeof cell === 'string' ? titleOf(cell).length < TITLE_CHARS : Number.isInteger(cell);

/** A tab that nothing is looked up in: for comparing formulas apart from the tab that they name. */
export const ANY_TAB: TabReferences = {
  name: 'Analysis',
  layout: { columns: new Map(), first: 0, last: 0 },
};

/** The hidden columns that read cells of a person's, and whether a formula there names other cells. */
export function movesIn(list: MarkedList): readonly {
  readonly column: number;
  isMoved(formula: string): boolean;
}[] {
  const helpers = list.groups.flatMap((group) =>
    lookupsIn(list, group, ANY_TAB).filter(({ column, helper }) => column === helper),
  );
  const readers = decisionsIn(list).filter(({ column }) =>
    list.formulas.some(({ mark, at }) => at === column && mark.role.endsWith('Number')),
  );
  return [...helpers, ...readers].map(({ column, formula }) => {
    const meant = withoutTab(formula);
    return {
      column,
      isMoved: (one) => withoutTab(one) !== meant && isOfOurs(one, formula),
    };
  });
}
