// Protection: a range or a sheet that not every user may edit, as a script sees and makes it.

import { say } from '../../messages';
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
    const { id, kind, place, unprotected, isWarningOnly, editors, description, rangeName } = facts;
    const { sheetId, open: _, ...rectangle } = place;
    const named = rangeName === undefined ? {} : { rangeName };
    const now = { unprotected, isWarningOnly, editors, description, ...named, ...part };
    const next = { sheetId, rectangle: kind === 'RANGE' ? rectangle : null, ...now };
    facts = call('spreadsheet.write.protect', next, id);
    return self;
  };
  /** Protects other cells of its sheet. */
  const protect = (range: Place, name?: string) => {
    const { sheetId, open: _, ...rectangle } = range;
    if (facts.kind === 'SHEET' || sheetId !== facts.place.sheetId)
      throw new Error(
        'Protecting a range instead of a sheet, or in another sheet, is not emulated',
      );
    const { rangeName: _name, ...rest } = facts;
    facts = name === undefined ? rest : { ...rest, rangeName: name };
    return change({ rectangle });
  };
  const protectNamed = (name: string) => {
    const isMeant = (each: { readonly name: string }) =>
      each.name.toLowerCase() === name.toLowerCase();
    const found = call('spreadsheet.read.getNamedRanges').find(isMeant);
    if (!found?.place) throw making.exception(say('no-range-name', name));
    return protect(found.place, found.name);
  };
  const without = (gone: readonly UserHandle[]) =>
    facts.editors.filter((email) => !gone.map(emailOf).includes(email));
  const withMore = (users: readonly UserHandle[]) => [...facts.editors, ...users.map(emailOf)];
  const self: object = guard('Protection', {
    getProtectionType: () => protectionTypes[facts.kind],
    getRange: () => range(facts.place),
    setRange: (next: RangeHandle) => protect(placeOf(next)),
    getRangeName: () => facts.rangeName ?? null,
    setRangeName: (name: string) => protectNamed(String(name)),
    setNamedRange: (named: { readonly getName: () => string }) => protectNamed(named.getName()),
    /** The spreadsheet belongs to no domain. */
    canDomainEdit: () => false,
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
