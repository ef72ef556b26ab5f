// Schemas that are made when they are first used: every cell evaluates the whole script, and needs
// few of them.

import type * as z from 'zod/mini';

/** As it is, and nothing of it may be changed. */
export type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyDeep<Value[Name]> }
  : Value;

/** What fits a schema, such as `Fits<typeof draftSchema>`. */
export type Fits<Make extends () => z.ZodMiniType> = ReadonlyDeep<z.infer<ReturnType<Make>>>;

/** A schema, or a record of schemas, that is made once, when it is first used. */
export function lazySchema<Schema extends object>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
