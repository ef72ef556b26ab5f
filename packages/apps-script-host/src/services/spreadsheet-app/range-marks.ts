// What lies over a range's cells, as a script sees it: merges, notes, links, filter, permission to
// edit.

import type { PartOf } from '../../service';
import type { FilterFacts, Place, ValidationFacts } from './calls';
import { toldValues, whenMembers } from './criteria';
import type { Making } from './making';
import { filled, fittingRows } from './making';
import { protectRange } from './protection';
import { richTextMembers } from './rich-text';
import { validationBuilder, validationFacts, validationOf } from './validation';

export function markMembers(making: Making, place: Place, self: () => object) {
  const { call, range } = making;
  const first: Place = { ...place, rowCount: 1, columnCount: 1 };
  const chain = (change: () => void) => {
    change();
    return self();
  };
  return {
    getMergedRanges: () => call('spreadsheet.read.getMergedRanges', place).map(range),
    merge: () => chain(() => call('spreadsheet.write.merge', place, 'block')),
    mergeAcross: () => chain(() => call('spreadsheet.write.merge', place, 'across')),
    mergeVertically: () => chain(() => call('spreadsheet.write.merge', place, 'vertically')),
    breakApart: () => chain(() => call('spreadsheet.write.breakApart', place)),
    isPartOfMerge: () => call('spreadsheet.read.isPartOfMerge', place),
    canEdit: () => call('spreadsheet.read.canEdit', place),
    protect: () => protectRange(making, place),
    getNote: () => call('spreadsheet.read.getNotes', first)[0]?.[0] ?? '',
    getNotes: () => call('spreadsheet.read.getNotes', place),
    setNote: (note: string | null) =>
      chain(() => call('spreadsheet.write.setNote', place, filled(place, noteText(note)))),
    setNotes: (notes: unknown[][]) => {
      const rows = fittingRows(making, place, 'setNotes', notes).map((row) => row.map(noteText));
      return chain(() => call('spreadsheet.write.setNotes', place, rows));
    },
    clearNote: () => chain(() => call('spreadsheet.write.setNote', place, filled(place, ''))),
    ...richTextMembers(making, place, self),
    ...validationMembers(making, place, chain),
    getFilter: () => {
      const filter = call('spreadsheet.read.getFilter', place.sheetId);
      // "Returns the filter on the sheet this range belongs to."
      return filter && filterOf(making, filter);
    },
    createFilter: () => {
      call('spreadsheet.write.createFilter', place);
      return filterOf(making, place);
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>;
}

function validationMembers(making: Making, place: Place, chain: (change: () => void) => object) {
  const { call } = making;
  const handle = (facts: ValidationFacts | null) => facts && validationOf(making, facts);
  const set = (facts: ValidationFacts | null) =>
    call('spreadsheet.write.setDataValidation', place, facts);
  return {
    setDataValidation: (rule: object | null) => chain(() => set(validationFacts(rule))),
    setDataValidations: (rules: (object | null)[][]) => {
      const rows = fittingRows(making, place, 'setDataValidations', rules);
      const facts = rows.map((row) => row.map(validationFacts));
      return chain(() => call('spreadsheet.write.setDataValidations', place, facts));
    },
    getDataValidation: () =>
      handle(call('spreadsheet.read.getDataValidations', place)[0]?.[0] ?? null),
    getDataValidations: () =>
      call('spreadsheet.read.getDataValidations', place).map((row) => row.map(handle)),
    clearDataValidations: () => chain(() => set(null)),
    /**
     * "Sets the value of each cell" to the unticked value. Google does not say whether the rule
     * warns of other input or rejects it. Here it rejects.
     */
    insertCheckboxes: (...values: unknown[]) => {
      const builder = validationBuilder(making) as unknown as CheckboxBuilder;
      const rule = builder
        .requireCheckbox(...values)
        .setAllowInvalid(false)
        .build();
      const facts = validationFacts(rule);
      return chain(() => {
        set(facts);
        const [, unchecked = values.length === 0 ? false : ''] = facts?.values ?? [];
        call('spreadsheet.write.setValue', place, filled(place, unchecked));
      });
    },
    removeCheckboxes: () => chain(() => call('spreadsheet.write.removeCheckboxes', place)),
    check: () => chain(() => call('spreadsheet.write.check', place, true)),
    uncheck: () => chain(() => call('spreadsheet.write.check', place, false)),
    isChecked: () => call('spreadsheet.read.isChecked', place),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>;
}

interface CheckboxBuilder {
  readonly requireCheckbox: (...values: unknown[]) => CheckboxBuilder;
  readonly setAllowInvalid: (isAllowed: boolean) => CheckboxBuilder;
  readonly build: () => object;
}

/** A note that is null or an empty text counts as no note. */
function noteText(note: unknown): string {
  return note === null || note === undefined ? '' : String(note);
}

/**
 * Google: "the 1-indexed position of the column", without saying whether of the sheet or of the
 * filter. Here it is the sheet's. A filter that begins further right throws an error, because there
 * the two differ.
 */
export function filterOf(making: Making, place: Place): object {
  const { call, guard, range } = making;
  const { sheetId } = place;
  const known = (column: number) => {
    if (place.column > 1)
      throw new Error('Criteria of a filter that does not begin in column A are not emulated');
    return column;
  };
  /** The published types do not have it. */
  const sortSpecs: object = {
    getColumnSortSpec: (column: number) => {
      const sorted = call('spreadsheet.read.getFilterSort', sheetId);
      const isSorted = sorted?.column === known(column);
      return guard('SortSpec', {
        getDimensionIndex: () => column,
        isAscending: () => isSorted && sorted.ascending,
        /** Measured by gas-fakes on GitHub: it fails where the column is not sorted. */
        getSortOrder: () => {
          if (!isSorted)
            throw new Error(
              'Unexpected error while getting the method or property getSortOrder on object SpreadsheetApp.SortSpec.',
            );
          return making.sortOrders[sorted.ascending ? 'ASCENDING' : 'DESCENDING'];
        },
      });
    },
  };
  const self: object = guard('Filter', {
    getRange: () => range(place),
    remove: () => call('spreadsheet.write.removeFilter', sheetId),
    sort: (column: number, ascending: boolean) => {
      call('spreadsheet.write.sortFilter', sheetId, {
        column: known(column),
        ascending: Boolean(ascending),
      });
      return self;
    },
    ...sortSpecs,
    getColumnFilterCriteria: (column: number) => {
      const facts = call('spreadsheet.read.getColumnFilterCriteria', sheetId, known(column));
      return facts && filterCriteriaOf(making, facts);
    },
    setColumnFilterCriteria: (column: number, criteria: object | null) => {
      const facts = criteria && describedCriteria.get(criteria);
      if (facts === undefined) throw new Error('A filter takes criteria that were built.');
      call('spreadsheet.write.setColumnFilterCriteria', sheetId, known(column), facts);
      return self;
    },
    removeColumnFilterCriteria: (column: number) => {
      call('spreadsheet.write.setColumnFilterCriteria', sheetId, known(column), null);
      return self;
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Filter>);
  return self;
}

const describedCriteria = new WeakMap<object, FilterFacts>();

function filterCriteriaOf(making: Making, facts: FilterFacts): object {
  const criteria = making.guard('FilterCriteria', {
    ...toldCriteria(making, () => facts),
    copy: () => filterCriteriaBuilder(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.FilterCriteria>);
  describedCriteria.set(criteria, facts);
  return criteria;
}

/** What criteria and their builder tell. Visible values are those of a pivot table's filter. */
function toldCriteria(making: Making, facts: () => FilterFacts) {
  return {
    getCriteriaType: () => {
      const { criteria } = facts();
      return criteria === null ? null : (making.booleanCriteria[criteria] ?? null);
    },
    getCriteriaValues: () => toldValues(making, facts().criteria, facts().values),
    getHiddenValues: () => [...facts().hiddenTexts],
    getVisibleValues: () => [],
  };
}

/** developers.google.com/apps-script/reference/spreadsheet/filter-criteria-builder */
export function filterCriteriaBuilder(
  making: Making,
  from: FilterFacts = { hiddenTexts: [], criteria: null, values: [] },
): object {
  let facts = from;
  const change = (part: Partial<FilterFacts>) => {
    facts = { ...facts, ...part };
    return self;
  };
  const self: object = making.guard('FilterCriteriaBuilder', {
    ...whenMembers(making, 'FilterCriteriaBuilder', (criteria, values) =>
      change({ criteria, values }),
    ),
    setHiddenValues: (values: string[]) => change({ hiddenTexts: values.map(String) }),
    ...toldCriteria(making, () => facts),
    copy: () => filterCriteriaBuilder(making, facts),
    build: () => filterCriteriaOf(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.FilterCriteriaBuilder>);
  return self;
}
