// Objects that a script can reach: an unknown member throws its name instead of being undefined.

/** JavaScript itself asks for these of any object: JSON.stringify and await. */
const ASKED_BY_THE_LANGUAGE: readonly PropertyKey[] = ['toJSON', 'then'];

/** `more` is what scripts seldom ask for: made at the first question for a member that `target` has not. */
export function guard<Target extends object>(
  name: string,
  target: Target,
  more?: () => object,
): Target {
  let rest = more;
  return new Proxy(target, {
    get(object, member) {
      if (rest && !(member in object) && typeof member === 'string') {
        Object.assign(object, rest());
        rest = undefined;
      }
      if (member === 'toString' && !Object.hasOwn(object, member)) return () => name;
      if (member in object || typeof member === 'symbol') return Reflect.get(object, member);
      if (ASKED_BY_THE_LANGUAGE.includes(member)) return undefined;
      throw new Error(`${name}.${member} is not emulated`);
    },
  });
}

/** An enum as Apps Script has them: each member an object that says its name. */
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
    };
    return [member, Object.freeze(value)] as const;
  });
  return guard(name, Object.fromEntries(entries) as object as Members);
}
