// Performs "Make a copy" of a spreadsheet: the same sheets with the same sheet ids, under another
// document id.

import type { HostDocument } from './document';
import { featuresOf } from './sheet/book-features';
import { copySheet } from './sheet/cell-copy';
import type { SheetModel } from './sheet/model';
import { createPlainGrid } from './sheet/plain-grid';

/**
 * Names of cells and developer metadata are copied with their places. Hidden rows, filters, merges
 * and protections are not.
 */
export function copyOf(original: HostDocument, copy: Omit<HostDocument, 'model'>): HostDocument {
  return { ...copy, model: copyModel(original.model) };
}

function copyModel(from: SheetModel): SheetModel {
  const [first, ...others] = from.sheets();
  if (first === undefined) throw new Error('A spreadsheet always has a sheet.');
  const to = createPlainGrid({ locale: from.locale(), timeZone: from.timeZone() });
  const wanted = new Map([first, ...others].map(({ id, name }) => [id, name]));
  // Sheet ids count up and are never reused. Ids that no longer exist in the original are therefore
  // created here and deleted again.
  for (let id = 1; id <= Math.max(...wanted.keys()); id += 1)
    to.addSheet(wanted.get(id) ?? `gone ${id}`, to.sheets().length + 1);
  to.renameSheet(0, wanted.get(0) ?? 'gone 0');
  for (const { id } of to.sheets()) {
    if (!wanted.has(id)) to.deleteSheet(id);
    else copySheet(from, to, id);
  }
  featuresOf(to).setNames(featuresOf(from).names());
  featuresOf(to).setMetadata(featuresOf(from).metadata());
  return to;
}
