// Alignment, wrapping, fonts and borders of cells, on behalf of a script.

import type { Operations } from '../../service';
import { type Lines, lookIn, withLines, withLook } from '../../sheet/cell-looks';
import type { Matrix, SheetModel } from '../../sheet/model';
import type { Border, LookCalls, Place } from './calls';
import { onCells, onOwnCells } from './host-cells';
import { LOOK_CALLS } from './looks';

type ChangeLook = (look: string, down: number, right: number) => string;

function changeLooks(model: SheetModel, place: Place, change: ChangeLook): void {
  const { sheetId, row, column } = place;
  const looks = model
    .looks(sheetId, place)
    .map((cells, down) => cells.map((look, right) => change(look, down, right)));
  model.setLooks(sheetId, row, column, looks);
}

/** Both cells have the line that lies between them. */
function linesOf(place: Place, border: Border, down: number, right: number): Lines {
  const { horizontal, vertical } = border;
  const isLastRow = down === place.rowCount - 1;
  const isLastColumn = right === place.columnCount - 1;
  const wanted = {
    top: down === 0 ? border.top : horizontal,
    left: right === 0 ? border.left : vertical,
    bottom: isLastRow ? border.bottom : horizontal,
    right: isLastColumn ? border.right : vertical,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, line]) => line !== undefined));
}

export function lookOperations(): Operations<LookCalls> {
  const reads = LOOK_CALLS.map(({ calls, of }) => [
    `spreadsheet.read.get${calls}`,
    onCells((model, place) =>
      model.looks(place.sheetId, place).map((row) => row.map((look) => lookIn(look, of))),
    ),
  ]);
  const writes = LOOK_CALLS.map(({ calls, of }) => [
    `spreadsheet.write.set${calls}`,
    onOwnCells((model, place, texts: Matrix<string | null>) =>
      changeLooks(model, place, (look, down, right) => {
        const text = texts[down]?.[right] ?? null;
        return text === null ? look : withLook(look, of, text);
      }),
    ),
  ]);
  return {
    ...(Object.fromEntries([...reads, ...writes]) as Operations<LookCalls>),
    'spreadsheet.write.setBorder': onOwnCells((model, place, border: Border) =>
      changeLooks(model, place, (look, down, right) =>
        withLines(look, linesOf(place, border, down, right)),
      ),
    ),
  };
}
