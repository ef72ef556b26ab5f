// Decides who may edit what. Every change on behalf of a script asks here first.

import { say } from '../../messages';
import type { Caller } from '../../service';
import { ServiceException } from '../../service';
import type { Protection } from '../../sheet/marks';
import type { Rectangle, SheetModel } from '../../sheet/model';
import { meet, without } from '../../sheet/rectangle';
import type { Place } from './calls';

/**
 * Whether a protection lets the user edit: always for the owner, and for everyone if it only warns.
 */
export function mayEdit({ userEmail, document }: Caller, protection: Protection): boolean {
  if (protection.isWarningOnly || userEmail === document?.ownerEmail) return true;
  return protection.editors.includes(userEmail);
}

/** Whether the caller may edit all of these cells. */
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
 * Checks changes to a sheet as a whole or, with `lines`, to its rows and columns. The open cells of
 * a protected sheet may be written to, but nothing more. A protected range is affected if it meets
 * all of the lines.
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
