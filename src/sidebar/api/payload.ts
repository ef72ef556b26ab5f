// What the page may send: records, choices, numbers, texts, lists. zod reads records, and checks of our own their values.

import * as z from 'zod/mini';

/** Members by name and no others. */
export const record = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.strictObject(members);

/** A member that may be left out. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.exactOptional(schema);

export const oneOf = <const Choice>(...choices: readonly Choice[]) =>
  z.custom<Choice>((sent) => choices.some((choice) => choice === sent));

export const flag = () => oneOf(true, false);

export const numberWithin = (least: number, most: number) =>
  z.custom<number>((sent) => typeof sent === 'number' && sent >= least && sent <= most);

export const wholeNumber = (most: number, least = 1) =>
  z.custom<number>(
    (sent) => Number.isInteger(sent) && Number(sent) >= least && Number(sent) <= most,
  );

/** A longer text is not looked at. */
export const text = (charsMax: number, charsMin = 0) =>
  z.custom<string>(
    (sent) => typeof sent === 'string' && sent.length >= charsMin && sent.length <= charsMax,
  );

export const textLike = (pattern: RegExp) =>
  z.custom<string>((sent) => typeof sent === 'string' && pattern.test(sent));

/** Whatever one of the schemas takes. */
export const either = <Schemas extends readonly z.ZodMiniType[]>(...schemas: Schemas) =>
  z.custom<z.infer<Schemas[number]>>((sent) =>
    schemas.some((schema) => z.safeParse(schema, sent).success),
  );

export const orNone = <Schema extends z.ZodMiniType>(schema: Schema) => either(schema, oneOf(null));

export const listOf = <Schema extends z.ZodMiniType>(
  item: Schema,
  most = Number.MAX_SAFE_INTEGER,
) =>
  z.custom<z.infer<Schema>[]>(
    (sent) =>
      Array.isArray(sent) &&
      sent.length <= most &&
      sent.every((one) => z.safeParse(item, one).success),
  );

/** A list with nothing in it twice. */
export const setOf = <Schema extends z.ZodMiniType>(item: Schema) => {
  const list = listOf(item);
  return z.custom<z.infer<Schema>[]>(
    (sent) => z.safeParse(list, sent).success && new Set(Object(sent)).size === Object(sent).length,
  );
};

/** What passes a check that the stored record of a connection has to pass as well. */
export const that = <Value>(isFit: (sent: unknown) => sent is Value) => z.custom<Value>(isFit);

/** What most methods are sent. */
export const nothing = () => record({});
