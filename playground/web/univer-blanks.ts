// Makes Univer tell a blank cell from an empty text, as Sheets does.
import type { UniverEngine } from 'apps-script-host/univer-bundle';

const mended = new WeakSet<UniverEngine>();

/**
 * Univer takes the empty text of a formula for a blank in the calculation that makes it, and the blank
 * of a formula for 0 in every later one.
 */
export function tellBlanks(engine: UniverEngine): void {
  if (mended.has(engine)) return;
  mended.add(engine);
  const { CellValueType, NullValueObject } = engine;
  const { prototype } = engine.BaseReferenceObject;
  const { getCellData, getFirstCell } = prototype;
  prototype.getCellData = function (row, column) {
    const cell = getCellData.call(this, row, column);
    if (!cell || cell.p) return cell;
    if ((cell.v ?? null) === null) return null;
    if (cell.v !== '') return cell;
    const isTyped = cell === this.getCurrentActiveSheetData()?.cellData.getValue(row, column);
    const isResult = !isTyped || cell.f || cell.si;
    // With a formula beside it, Univer reads an empty text as one.
    return isResult ? { ...cell, t: CellValueType.STRING, f: '=' } : null;
  };
  prototype.getFirstCell = function () {
    const { startRow, startColumn } = this.getRangePosition();
    const isBlank = startRow >= 0 && !this.getCellData(startRow, startColumn);
    return isBlank ? NullValueObject.create() : getFirstCell.call(this);
  };
}
