// Protection: a range or a sheet that not every user may edit, as a script sees and makes it.

import type { PartOf } from '../../service';
import type { NewProtection } from '../../sheet/marks';
import type { Place, ProtectionFacts } from './calls';
import type { Making, RangeHandle } from './making';
import { placeOf } from './making';

/** `type` is a member of ProtectionType. */
export function protectionsOf(making: Making, sheetId: number | null, type: unknown): object[] {
  return making
    .call('spreadsheet.read.getProtections', sheetId)
    .filter(({ kind }) => kind === String(type))
    .map((facts) => protectionOf(making, facts));
}

export function protectRange(making: Making, { sheetId, ...rectangle }: Place): object {
  return protectionOf(
    making,
    making.call('spreadsheet.write.protect', { sheetId, rectangle }, null),
  );
}

export function protectSheet(making: Making, sheetId: number): object {
  const whole = { sheetId, rectangle: null };
  return protectionOf(making, making.call('spreadsheet.write.protect', whole, null));
}

/** A script names a user by address or by the object that Google gave it for one. */
type UserHandle = string | { readonly getEmail: () => string };

const emailOf = (user: UserHandle): string => (typeof user === 'string' ? user : user.getEmail());

function protectionOf(making: Making, given: ProtectionFacts): object {
  const { call, guard, range, protectionTypes } = making;
  let facts = given;
  const user = (email: string) =>
    guard('User', { getEmail: () => email } satisfies PartOf<GoogleAppsScript.Base.User>);
  const change = (part: Partial<NewProtection>) => {
    const { id, kind, place, unprotected, isWarningOnly, editors, description } = facts;
    const { sheetId, ...rectangle } = place;
    const now = { unprotected, isWarningOnly, editors, description, ...part };
    const next = { sheetId, rectangle: kind === 'RANGE' ? rectangle : null, ...now };
    facts = call('spreadsheet.write.protect', next, id);
    return self;
  };
  const without = (gone: readonly UserHandle[]) =>
    facts.editors.filter((email) => !gone.map(emailOf).includes(email));
  const withMore = (users: readonly UserHandle[]) => [...facts.editors, ...users.map(emailOf)];
  const self: object = guard('Protection', {
    getProtectionType: () => protectionTypes[facts.kind],
    getRange: () => range(facts.place),
    getUnprotectedRanges: () => facts.unprotected.map(range),
    setUnprotectedRanges: (ranges: RangeHandle[]) =>
      change({ unprotected: ranges.map((each) => placeOf(each)) }),
    isWarningOnly: () => facts.isWarningOnly,
    setWarningOnly: (isWarningOnly: boolean) => change({ isWarningOnly }),
    canEdit: () => facts.canEdit,
    getEditors: () => facts.editors.map(user),
    addEditor: (one: UserHandle) => change({ editors: withMore([one]) }),
    addEditors: (some: UserHandle[]) => change({ editors: withMore(some) }),
    removeEditor: (one: UserHandle) => change({ editors: without([one]) }),
    removeEditors: (some: UserHandle[]) => change({ editors: without(some) }),
    getDescription: () => facts.description,
    setDescription: (description: string) => change({ description: String(description) }),
    remove: () => call('spreadsheet.write.unprotect', facts.place.sheetId, facts.id),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Protection>);
  return self;
}
