// Announces what the selected cell shows, because the grid itself is only a picture to screen
// readers.
import { element } from './elements';
import type { Grid } from './grid';

export interface CellReader {
  /** Call this when the content of the selected cell may have changed. */
  readonly refresh: () => void;
}

export function createCellReader(grid: Grid): CellReader {
  const line = element('cell-value', HTMLElement);
  let isDue = false;
  const read = (): void => {
    isDue = false;
    const sheet = grid.api.getActiveWorkbook()?.getActiveSheet();
    const range = sheet?.getSelection()?.getActiveRange();
    if (!sheet || !range) return;
    const cell = sheet.getRange(range.getRow(), range.getColumn());
    const text = `${cell.getA1Notation()} ${cell.getDisplayValue()}`.trim();
    if (line.textContent !== text) line.textContent = text;
  };
  return {
    refresh: () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(read);
    },
  };
}
