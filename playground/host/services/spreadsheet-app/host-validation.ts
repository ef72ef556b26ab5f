// Data validation that rejects input: asked when what a script has written is brought to the sheet.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import { toA1 } from '../../sheet/a1-notation';
import type { CellContent, Matrix, SheetModel } from '../../sheet/model';
import { meet } from '../../sheet/rectangle';
import type { Place } from './calls';

/** In Google's words. That nothing at all of the call is written then is assumed. */
export function checkValid(model: SheetModel, place: Place, contents: Matrix<CellContent>): void {
  const dropdowns = model.dropdowns(place.sheetId);
  for (const [down, cells] of contents.entries()) {
    for (const [right, content] of cells.entries()) {
      if (content === '' || (typeof content === 'object' && 'formula' in content)) continue;
      const [row, column] = [place.row + down, place.column + right];
      const cell = { row, column, rowCount: 1, columnCount: 1 };
      const met = dropdowns.filter(({ rectangle }) => meet(rectangle, cell));
      if (met.every(({ options }) => options.includes(content))) continue;
      throw new ServiceException(say('rule-violated', toA1(cell)));
    }
  }
}
