// Hides in Univer the columns that a script has hidden, so that no page shows them.
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { SheetModel } from 'apps-script-host/sheet/model';
import type { UniverSheets } from './univer-sheets';

/** What a person shows or hides in a page stays until a script hides or shows the same column. */
export function followHiddenColumns(sheets: UniverSheets, model: SheetModel): void {
  const features = featuresOf(model);
  const known = new Map<number, readonly number[]>();
  features.onLook(() => {
    for (const { id } of model.sheets()) {
      const hidden = features.look(id).hiddenColumns;
      const before = known.get(id) ?? [];
      known.set(id, hidden);
      for (const column of hidden)
        if (!before.includes(column)) sheets.sheet(id).hideColumns(column - 1, 1);
      for (const column of before)
        if (!hidden.includes(column)) sheets.sheet(id).showColumns(column - 1, 1);
    }
  });
}
