// Guards the objects that a script can reach: reading a member that Google has and this host has not
// throws an error with its name. A member that Google does not have either is undefined.

import { MISSING } from './google-members';

/**
 * Adds the parts of `more`, in order, only when the script reads a member that is not there yet.
 */
export function guard<Target extends object>(
  name: string,
  target: Target,
  ...more: readonly (() => object)[]
): Target {
  let made = 0;
  const makeNext = (object: Target) => {
    Object.assign(object, more[made]?.());
    made += 1;
  };
  const whole = (object: Target): Target => {
    while (made < more.length) makeNext(object);
    return object;
  };
  return new Proxy(target, {
    ownKeys: (object) => Reflect.ownKeys(whole(object)),
    has: (object, member) => Reflect.has(whole(object), member),
    get(object, member) {
      while (made < more.length && typeof member === 'string' && !(member in object))
        makeNext(object);
      if (member === 'toString' && !Object.hasOwn(object, member)) return () => name;
      if (member in object || typeof member === 'symbol') return Reflect.get(object, member);
      if (MISSING[name]?.split(' ').includes(member))
        throw new Error(`${name}.${member} is not emulated`);
      return undefined;
    },
  });
}

/**
 * An enum as in Apps Script: each member is an object whose text is its name. Made when the script
 * first reads it, because every execution has dozens and reads few.
 */
export function enumeration<Members extends object>(
  name: string,
  members: readonly (keyof Members & string)[],
): Members {
  const entry = (member: string, ordinal: number) => {
    const value = {
      name: () => member,
      toString: () => member,
      toJSON: () => member,
      ordinal: () => ordinal,
      /** As Java's enums have it: how far this one stands behind the other. */
      compareTo: (other: { readonly ordinal: () => number }) => ordinal - other.ordinal(),
    };
    return [member, Object.freeze(value)] as const;
  };
  return guard(name, {} as Members, () => Object.fromEntries(members.map(entry)));
}
