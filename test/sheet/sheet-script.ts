// The script that the sheet world runs in the emulated host: the Analysis tab, and lists with their columns.

import type { RowsMeant } from '../../src/analysis/analysis-row';
import {
  type AnalysisTab,
  existingAnalysisTab,
  openAnalysisTab,
} from '../../src/analysis/analysis-tab';
import type { AnalysisRow } from '../../src/analysis/row-record';
import { type Failure, isFailure } from '../../src/failures/failure';
import { googleClock } from '../../src/google/platform';
import { sheetById } from '../../src/google/spreadsheet';
import type { ListLocation, WantedColumns } from '../../src/list/choice';
import type { WantedFormula } from '../../src/list/new-columns';
import { fillInNewRows } from '../../src/list/our-cells';
import { ensureColumns, ensureFormulas, titlesToAdd } from '../../src/list/our-columns';
import { type TaggedList, taggedLists } from '../../src/list/tagged-list';
import { figuresBy } from '../../src/product/fields';

/** A change as data: these members of the row, and these of its figures, become these values. */
export interface DataChange {
  readonly meant: RowsMeant;
  readonly becomes: Partial<Omit<AnalysisRow, 'figures'>> & {
    readonly figures?: Partial<AnalysisRow['figures']>;
  };
}

const blankRow = (key: string): AnalysisRow => ({
  key,
  asin: '',
  market: '',
  status: '',
  figures: figuresBy(() => null),
  analyzedMs: null,
  triedMs: null,
  wantedMs: null,
  changed: '',
  alsoSent: '',
  fetchedWith: '',
  told: '',
});

/** A place as data. */
export type PlaceData = Omit<ListLocation, 'sheet'> & { readonly sheetId: number };

/** A list as data. */
const asData = ({ sheet, blocks: groups, ...list }: TaggedList) => ({
  ...list,
  sheetId: sheet.id,
  groups: groups.map(({ columns, ...group }) => ({
    ...group,
    columns: Object.fromEntries(columns),
  })),
});

export type ListData = ReturnType<typeof asData>;

function inTab<Value>(work: (tab: AnalysisTab) => Value): Value | Failure {
  const tab = openAnalysisTab(googleClock());
  return isFailure(tab) ? tab : work(tab);
}

function placeIn({ sheetId, ...place }: PlaceData): ListLocation {
  const sheet = sheetById(sheetId);
  if (sheet === null) throw new Error(`There is no sheet ${sheetId}.`);
  return { sheet, ...place };
}

/** The list of this id in a sheet. */
function listIn(sheetId: number, id: string): TaggedList {
  const sheet = sheetById(sheetId);
  const list = sheet && taggedLists(sheet).find((one) => one.id === id);
  if (!list) throw new Error(`There is no list ${id}.`);
  return list;
}

export const DOORS = {
  open: () => inTab((tab) => ({ name: tab.name, profit: tab.layout.columns.get('profit') })),
  isThere: () => existingAnalysisTab(googleClock()) !== null,
  record: (changes: readonly DataChange[]) =>
    inTab((tab) =>
      tab.record(
        changes.map(({ meant, becomes }) => [
          meant,
          (before) => {
            const row = before ?? blankRow('key' in meant ? meant.key : '');
            return { ...row, ...becomes, figures: { ...row.figures, ...becomes.figures } };
          },
        ]),
      ),
    ),
  read: () =>
    inTab((tab) => {
      const rows = tab.read();
      return isFailure(rows) ? rows : [...rows];
    }),
  tidy: (needed: readonly string[] = []) =>
    inTab((tab) =>
      tab.tidy(
        () =>
          ({ key }) =>
            needed.includes(key),
      ),
    ),
  ensure: (place: PlaceData, wanted: WantedColumns) =>
    inTab((tab) => {
      const list = ensureColumns(tab, placeIn(place), wanted);
      return isFailure(list) ? list : asData(list);
    }),
  decide: (sheetId: number, id: string, wanted: readonly WantedFormula[]) =>
    inTab((tab) => {
      const made = ensureFormulas(tab, listIn(sheetId, id), [], wanted);
      return isFailure(made) ? made : made.filled;
    }),
  titles: (place: PlaceData, wanted: WantedColumns) => titlesToAdd(placeIn(place), wanted),
  lists(sheetId: number) {
    const sheet = sheetById(sheetId);
    return sheet === null ? [] : taggedLists(sheet).map(asData);
  },
  fillIn: (sheetId: number, id: string) => inTab((tab) => fillInNewRows(tab, listIn(sheetId, id))),
} as const;

Object.assign(globalThis, { doors: DOORS });
