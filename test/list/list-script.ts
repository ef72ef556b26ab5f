// The script that the tests of a list's columns run in the emulated host: lists and the tab at Google.

import type { AnalysisRow } from '../../src/analysis/analysis-row';
import { type AnalysisTab, openAnalysisTab } from '../../src/analysis/analysis-tab';
import { type Failure, isFailure } from '../../src/failures/failure';
import { googleClock } from '../../src/google/platform';
import { sheetById } from '../../src/google/spreadsheet';
import type { ListPlace, WantedColumns } from '../../src/list/choice';
import { type MarkedList, markedLists } from '../../src/list/marked-list';
import type { WantedFormula } from '../../src/list/new-columns';
import { fillInNewRows } from '../../src/list/our-cells';
import { ensureColumns, ensureFormulas, titlesToAdd } from '../../src/list/our-columns';
import { figuresBy } from '../../src/product/fields';

/** A list as data. */
const asData = ({ sheet, groups, ...list }: MarkedList) => ({
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

/** A place as data. */
export type PlaceData = Omit<ListPlace, 'sheet'> & { readonly sheetId: number };

function placeIn({ sheetId, ...place }: PlaceData): ListPlace {
  const sheet = sheetById(sheetId);
  if (sheet === null) throw new Error(`There is no sheet ${sheetId}.`);
  return { sheet, ...place };
}

/** The list of this id in a sheet. */
function listIn(sheetId: number, id: string): MarkedList {
  const sheet = sheetById(sheetId);
  const list = sheet && markedLists(sheet).find((one) => one.id === id);
  if (!list) throw new Error(`There is no list ${id}.`);
  return list;
}

export type RowData = Partial<Omit<AnalysisRow, 'figures'>> & {
  readonly key: string;
  readonly figures?: Partial<AnalysisRow['figures']>;
};

const rowOf = ({ figures = {}, ...data }: RowData): AnalysisRow => ({
  asin: '',
  market: '',
  status: 'OK',
  analyzedMs: null,
  triedMs: null,
  wantedMs: null,
  changed: '',
  alsoSent: '',
  fetchedWith: '',
  told: '',
  ...data,
  figures: { ...figuresBy(() => null), ...figures },
});

export const DOORS = {
  record: (rows: readonly RowData[]) =>
    inTab((tab) => {
      const recorded = tab.record(rows.map((row) => [{ key: row.key }, () => rowOf(row)]));
      return isFailure(recorded) ? recorded : recorded.length;
    }),
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
    return sheet === null ? [] : markedLists(sheet).map(asData);
  },
  fillIn: (sheetId: number, id: string) => inTab((tab) => fillInNewRows(tab, listIn(sheetId, id))),
} as const;

Object.assign(globalThis, { listDoors: DOORS });
