// The columns of ours that a list is to have: what each is called, and how it looks.

import { tabFormat, tabTitle } from '../analysis/analysis-row';
import { areaOf, stretches } from '../google/cells';
import {
  COUNT,
  figureFormat,
  LETTER_WIDTH,
  MOMENT_WIDTH,
  MONEY,
  moneyIn,
  WIDTH_AS_NEW,
} from '../product/cell-formats';
import { type DecisionRole, decisionTitle } from '../product/deal-formulas';
import { GAINS, isField, nameForm, PRODUCT_TITLE, STATUS_TITLE } from '../product/fields';
import type { WantedColumns } from './choice';
import type { Heads } from './our-cells';
import {
  blocksOf,
  columnOf,
  type FormulaTag,
  type FoundTag,
  type LookupRole,
  listIds,
  lookupTagsOf,
  type MarketBlock,
  type MarketSource,
  type OurTag,
} from './tagged-list';

/** A column that a list is to have. */
export interface NewColumn {
  readonly tag: OurTag;
  /** Without what tells it from others. */
  readonly title: string;
  /** What stands in brackets behind the title. */
  readonly label: string;
  /** Tells our title from a person's. "Profit (analyzed)" */
  readonly word: 'analyzed' | 'deal';
  /** In pixels. */
  readonly width: number;
  readonly format: string;
  readonly isHidden: boolean;
}

/** A column of ours that works something out, and how it looks. */
export type WantedFormula = Omit<FormulaTag, 'list'> &
  Pick<NewColumn, 'title' | 'width' | 'format' | 'isHidden'>;

/** A list as it is now. */
interface TitledList {
  readonly id: string;
  readonly headerRow: number;
  readonly tags: readonly FoundTag[];
  /** The titles above it, from column A on. */
  readonly titles: readonly string[];
  readonly productColumn: number;
  readonly marketColumn: number | null;
}

/** The columns of a block that are there or wanted. */
export function lookupsFor(list: TitledList, wanted: WantedColumns): readonly NewColumn[] {
  const present = blockFor(list, wanted.market)?.columns.keys() ?? [];
  const label = labelOf(list, wanted);
  const isDecided = list.tags.some(({ tag }) => tag.list === list.id && 'formula' in tag);
  return [...new Set([...rolesOf(wanted), ...present])].map((role) => ({
    tag: { list: list.id, role, market: wanted.market, label },
    title: plainTitle(role, isDecided),
    label,
    word: 'analyzed',
    width: widthOf(role, isDecided),
    format: lookupFormat(role, wanted),
    isHidden: role === 'helper',
  }));
}

/** The columns that work something out. */
export function decisionsFor(
  { tags, id }: TitledList,
  wanted: readonly WantedFormula[],
): readonly NewColumn[] {
  const blocks = blocksOf(tags, id);
  return wanted.map(({ role, market, formula, ...style }) => ({
    tag: { list: id, role, market, formula },
    label: blocks.find((block) => block.market === market)?.label ?? '',
    word: 'deal',
    ...style,
  }));
}

const blockFor = ({ tags, id }: TitledList, market: MarketSource): MarketBlock | undefined =>
  blocksOf(tags, id).find((block) => block.market === market);

/** From left to right. The helper stands last, where it parts nothing when it is hidden. */
function rolesOf({ columns }: WantedColumns): readonly LookupRole[] {
  return [...new Set<LookupRole>([...columns, 'status', 'analyzed_at', 'helper'])];
}

/** Titles of columns that the tab calls otherwise. */
const LOOKUP_TITLES: Partial<Readonly<Record<LookupRole, string>>> = {
  helper: 'Analysis row',
  status: STATUS_TITLE,
  changed: 'What changed',
  asin: 'ASIN (clean)',
};

const WIDTHS: Partial<Readonly<Record<LookupRole, number>>> = {
  changed: 240,
  status: 120,
  analyzed_at: MOMENT_WIDTH,
};

/** @param isDecided whether decisions stand beside it. */
export function plainTitle(role: LookupRole, isDecided = false): string {
  const title = LOOKUP_TITLES[role] ?? (role === 'helper' ? '' : tabTitle(role));
  return isDecided && isServiceFigure(role) ? `${title} (service’s buy price)` : title;
}

/** Pixels; wide enough for the whole title. */
const SERVICE_WIDTH = 200;

function widthOf(role: LookupRole, isDecided = false): number {
  if (isDecided && isServiceFigure(role)) return SERVICE_WIDTH;
  return WIDTHS[role] ?? Math.max(WIDTH_AS_NEW, LETTER_WIDTH * plainTitle(role).length);
}

function lookupFormat(role: LookupRole, { market, roiIsFraction }: WantedColumns): string {
  if (role === 'helper') return COUNT;
  if (!isField(role)) return tabFormat(role);
  return figureFormat(role, market === 'column' ? MONEY : moneyIn(market), roiIsFraction);
}

/** What stands in brackets behind the titles of a block: what tells it from those before it. */
function labelOf(list: TitledList, { market }: WantedColumns): string {
  const block = blockFor(list, market);
  if (block !== undefined) return block.label;
  const { tags, id, titles, productColumn, marketColumn } = list;
  const titleAt = (column: number | null, otherwise: string) =>
    titles[(column ?? 0) - 1] || otherwise;
  const hasOtherLists = listIds(tags).some(
    (other) => other !== id && lookupTagsOf(tags, other).length,
  );
  const hasOtherBlocks = lookupTagsOf(tags, id).length > 0;
  const marketTitle = market === 'column' ? titleAt(marketColumn, 'Market') : market;
  return [
    ...(hasOtherLists ? [titleAt(productColumn, PRODUCT_TITLE)] : []),
    ...(hasOtherBlocks ? [marketTitle] : []),
  ].join(', ');
}

/** A title that no other column has. A person's column of the same title stays theirs. */
export function freeTitle(
  { title: plain, label, word }: NewColumn,
  titles: readonly string[],
): string {
  const taken = new Set(titles.map(nameForm));
  for (let number = 0; ; number += 1) {
    const own = number === 0 ? '' : number === 1 ? word : `${word} ${number}`;
    const behind = [label, own].filter((part) => part !== '').join(', ');
    const title = plain + (behind === '' ? '' : ` (${behind})`);
    if (!taken.has(nameForm(title))) return title;
  }
}

const isServiceFigure = (role: LookupRole): boolean => GAINS.some((gain) => gain === role);

/** The title that a column of ours was given, without what tells it from others. */
export const titleOfOurs = (tag: OurTag): string =>
  'formula' in tag ? decisionTitle(tag.role as DecisionRole) : plainTitle(tag.role);

/** The titles of the service's own figures, where these do not say yet, or no longer, that decisions stand beside them. */
export function renamed({ titles, headerRow, tags, id }: TitledList, isDecided: boolean) {
  return blocksOf(tags, id).flatMap(({ label, columns }) =>
    GAINS.flatMap((role) => {
      const at = columns.get(role);
      const [before, after] = [!isDecided, isDecided].map(
        (isBeside) => plainTitle(role, isBeside) + (label && ` (${label})`),
      );
      if (at === undefined || after === undefined || titles[at - 1] !== before) return [];
      return [{ area: areaOf(headerRow, at), texts: [after], width: widthOf(role, isDecided) }];
    }),
  );
}

/** New columns side by side, with the titles that they get. */
export interface NewHeads extends Heads {
  readonly columns: readonly NewColumn[];
}

/** The titles of columns of ours that have none. */
export function headsOf(
  { titles, headerRow, tags }: TitledList,
  columns: readonly NewColumn[],
): readonly NewHeads[] {
  const bare = columns
    .map((column) => ({ ...column, at: columnOf(tags, column.tag) ?? 0 }))
    .filter(({ at }) => at > 0 && (titles[at - 1] ?? '') === '')
    .sort((a, b) => a.at - b.at);
  const taken = [...titles];
  return stretches(bare, ({ at }) => at).map((stretch) => {
    const texts = stretch.map((column) => {
      const title = freeTitle(column, taken);
      taken.push(title);
      return title;
    });
    return { columns: stretch, texts, area: areaOf(headerRow, stretch[0].at, 1, stretch.length) };
  });
}
