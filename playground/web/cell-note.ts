// A cell's note, which Univer carries in the cell's own data wherever the cell goes.
import type { ICellData, Nullable } from '@univerjs/core';

export const NOTE = 'note';

/** '' where there is none. */
export const noteIn = (cell: Nullable<Pick<ICellData, 'custom'>>): string =>
  String(cell?.custom?.[NOTE] ?? '');
