// Guards the objects that a script can reach: reading an unknown member throws an error with its
// name instead of returning undefined.

/** JavaScript itself reads these members of any object, for JSON.stringify and await. */
const ASKED_BY_THE_LANGUAGE: readonly PropertyKey[] = ['toJSON', 'then'];

/**
 * Adds the parts of `more`, in order, only when the script reads a member that is not there yet.
 */
export function guard<Target extends object>(
  name: string,
  target: Target,
  ...more: readonly (() => object)[]
): Target {
  let made = 0;
  return new Proxy(target, {
    get(object, member) {
      while (made < more.length && typeof member === 'string' && !(member in object)) {
        Object.assign(object, more[made]?.());
        made += 1;
      }
      if (member === 'toString' && !Object.hasOwn(object, member)) return () => name;
      if (member in object || typeof member === 'symbol') return Reflect.get(object, member);
      if (ASKED_BY_THE_LANGUAGE.includes(member)) return undefined;
      throw new Error(`${name}.${member} is not emulated`);
    },
  });
}

/** An enum as in Apps Script: each member is an object whose text is its name. */
export function enumeration<Members extends object>(
  name: string,
  members: readonly (keyof Members & string)[],
): Members {
  const entries = members.map((member, ordinal) => {
    const value = {
      name: () => member,
      toString: () => member,
      toJSON: () => member,
      ordinal: () => ordinal,
      /** As Java's enums have it: how far this one stands behind the other. */
      compareTo: (other: { readonly ordinal: () => number }) => ordinal - other.ordinal(),
    };
    return [member, Object.freeze(value)] as const;
  });
  return guard(name, Object.fromEntries(entries) as object as Members);
}
