// Protection: a range or a sheet that not everybody may edit, as a script sees it.

import type { PartOf } from '../../service';
import type { ProtectionFacts } from './calls';
import type { Making } from './making';

/** `type` is a member of ProtectionType. */
export function protectionsOf(making: Making, sheetId: number | null, type: unknown): object[] {
  return making
    .call('spreadsheet.read.getProtections', sheetId)
    .filter(({ kind }) => kind === String(type))
    .map((facts) => protectionOf(making, facts));
}

function protectionOf({ guard, range, protectionTypes }: Making, facts: ProtectionFacts): object {
  const { kind, place, unprotected, isWarningOnly, canEdit, editors, description } = facts;
  return guard('Protection', {
    getProtectionType: () => protectionTypes[kind],
    getRange: () => range(place),
    getUnprotectedRanges: () => unprotected.map(range),
    isWarningOnly: () => isWarningOnly,
    canEdit: () => canEdit,
    getEditors: () =>
      editors.map((email) =>
        guard('User', { getEmail: () => email } satisfies PartOf<GoogleAppsScript.Base.User>),
      ),
    getDescription: () => description,
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Protection>);
}
