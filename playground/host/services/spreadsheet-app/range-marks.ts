// What lies over a range's cells, as a script sees it: merges, notes, links, filter, who may edit.

import type { PartOf } from '../../service';
import type { Place, RichText } from './calls';
import type { Making } from './making';
import { filled, fittingRows } from './making';
import { protectRange } from './protection';

export function markMembers(making: Making, place: Place, self: () => object) {
  const { call, range } = making;
  const first: Place = { ...place, rowCount: 1, columnCount: 1 };
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const richText = (content: RichText) => richTextOf(making, content);
  return {
    getMergedRanges: () => call('spreadsheet.read.getMergedRanges', place).map(range),
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
    getRichTextValue: () =>
      richText(call('spreadsheet.read.getRichTextValues', first)[0]?.[0] ?? null),
    getRichTextValues: () =>
      call('spreadsheet.read.getRichTextValues', place).map((row) => row.map(richText)),
    createFilter: () => {
      call('spreadsheet.write.createFilter', place);
      return filterOf(making, place);
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>;
}

/** A note that is null or an empty text is none. */
function noteText(note: unknown): string {
  return note === null || note === undefined ? '' : String(note);
}

function richTextOf({ guard }: Making, content: RichText): object | null {
  if (!content) return null;
  return guard('RichTextValue', {
    getText: () => content.text,
    getLinkUrl: () => (content.link === '' ? null : content.link),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.RichTextValue>);
}

export function filterOf({ call, guard, range }: Making, place: Place): object {
  return guard('Filter', {
    getRange: () => range(place),
    remove: () => call('spreadsheet.write.removeFilter', place.sheetId),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Filter>);
}
