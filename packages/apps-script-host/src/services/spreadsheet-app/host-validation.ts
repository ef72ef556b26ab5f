// Data validation that rejects input: asked when what a script has written is brought to the sheet.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import { toA1 } from '../../sheet/a1-notation';
import type { Dropdown } from '../../sheet/marks';
import type { CellContent, Matrix, SheetModel } from '../../sheet/model';
import { meet } from '../../sheet/rectangle';
import type { Choices, Place } from './calls';

/** A dropdown of its own for these cells; the others keep theirs. */
export function setChoices(model: SheetModel, place: Place, choices: Choices | null): void {
  const { sheetId, ...rectangle } = place;
  const others = model.dropdowns(sheetId).filter((each) => !meet(each.rectangle, rectangle));
  const made = choices === null ? [] : [{ rectangle, ...offered(sheetId, choices) }];
  model.setDropdowns(sheetId, [...others, ...made]);
}

function offered(sheetId: number, choices: Choices): Pick<Dropdown, 'options' | 'from'> {
  if ('list' in choices) return { options: choices.list };
  const { sheetId: fromId, ...from } = choices.from;
  if (fromId !== sheetId) throw new ServiceException('Choices of another sheet are not emulated');
  return { options: [], from };
}

function takes(
  model: SheetModel,
  sheetId: number,
  { options, from }: Dropdown,
  content: CellContent,
): boolean {
  const there = from ? model.values(sheetId, from).flat() : [];
  return [...options, ...there].some((option) => option !== '' && option === content);
}

/** In Google's words. That nothing at all of the call is written then is assumed. */
export function checkValid(model: SheetModel, place: Place, contents: Matrix<CellContent>): void {
  const dropdowns = model.dropdowns(place.sheetId);
  for (const [down, cells] of contents.entries()) {
    for (const [right, content] of cells.entries()) {
      if (content === '' || (typeof content === 'object' && 'formula' in content)) continue;
      const [row, column] = [place.row + down, place.column + right];
      const cell = { row, column, rowCount: 1, columnCount: 1 };
      const met = dropdowns.filter(({ rectangle }) => meet(rectangle, cell));
      if (met.every((one) => takes(model, place.sheetId, one, content))) continue;
      throw new ServiceException(say('rule-violated', toA1(cell)));
    }
  }
}
