// Who may edit what: asked before every change on behalf of a script.

import { say } from '../../messages';
import type { Caller } from '../../service';
import { ServiceException } from '../../service';
import type { Protection } from '../../sheet/marks';
import type { Rectangle, SheetModel } from '../../sheet/model';
import { meet, without } from '../../sheet/rectangle';
import type { Place } from './calls';

/** Whom a protection lets through: the owner always, and everybody whom it only warns. */
export function mayEdit({ userEmail, document }: Caller, protection: Protection): boolean {
  if (protection.isWarningOnly || userEmail === document?.ownerEmail) return true;
  return protection.editors.includes(userEmail);
}

/** Whether nothing among these cells is protected against the caller. */
export function isEditable(caller: Caller, model: SheetModel, place: Place): boolean {
  return model.protections(place.sheetId).every((protection) => {
    if (mayEdit(caller, protection)) return true;
    const { rectangle, unprotected } = protection;
    if (rectangle) return !meet(rectangle, place);
    return (
      unprotected.reduce<Rectangle[]>(
        (rest, open) => rest.flatMap((each) => without(each, open)),
        [place],
      ).length === 0
    );
  });
}

export function checkEditable(caller: Caller, model: SheetModel, place: Place): void {
  if (!isEditable(caller, model, place)) throw new ServiceException(say('protected'));
}

/**
 * For what changes a sheet as a whole, or (with lines) its rows and columns: what is left open in a
 * protected sheet may be written to, and no more than that. A range is touched by what meets all
 * the lines.
 */
export function checkSheetEditable(
  caller: Caller,
  model: SheetModel,
  sheetId: number,
  ...lines: readonly Rectangle[]
): void {
  const isTouched = (rectangle: Rectangle) =>
    lines.length > 0 && lines.every((line) => meet(line, rectangle));
  const isInTheWay = (protection: Protection) =>
    !mayEdit(caller, protection) && (!protection.rectangle || isTouched(protection.rectangle));
  if (model.protections(sheetId).some(isInTheWay)) throw new ServiceException(say('protected'));
}
