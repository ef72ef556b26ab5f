// Stands in for zod/mini in Code.js: the five members of it that schemas here are made of, in a tenth of its bytes.

/** The first thing in a value that does not fit: the names that lead to it, or null where all fits. */
type Schema = ((sent: unknown) => readonly string[] | null) & { readonly isOptional?: true };

/** A value for which the check says true. */
export const custom =
  (isFit: (sent: unknown) => unknown): Schema =>
  (sent) =>
    isFit(sent) ? null : [];

const members =
  (isStrict: boolean) =>
  (members: Readonly<Record<string, Schema>>): Schema =>
  (sent) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
    const held = sent as Readonly<Record<string, unknown>>;
    for (const [name, schema] of Object.entries(members)) {
      if (!(name in held) && schema.isOptional) continue;
      const inner = schema(held[name]);
      if (inner !== null) return [name, ...inner];
    }
    // Not `in`: "constructor" is a member of every object.
    const known = Object.keys(members);
    return !isStrict || Object.keys(held).every((name) => known.includes(name)) ? null : [];
  };

/** Members by name, each with its schema, and no others. */
export const strictObject = members(true);

/** The same, and whatever else there is. */
export const looseObject = members(false);

/** A member that may be left out; given as undefined it is not left out. */
export const exactOptional = (schema: Schema): Schema =>
  Object.assign((sent: unknown) => schema(sent), { isOptional: true } as const);

/** What zod answers, as far as it is read here. */
export function safeParse(schema: Schema, sent: unknown) {
  const path = schema(sent);
  return path === null
    ? { success: true, data: sent }
    : { success: false, error: { issues: [{ path }] } };
}
