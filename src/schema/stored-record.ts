// Records in the stores and in the cache: JSON that is read by its schema. Pure.

import * as z from 'zod/mini';

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

export function storedJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

export function storedList<T>(text: string | null | undefined): readonly T[] {
  const list = storedJson(text);
  return Array.isArray(list) ? list : [];
}

/** Whether a value has every member of the example with the same type, at every depth. */
export const isLike = <Shape>(value: unknown, example: Shape): value is Shape =>
  typeof value === typeof example &&
  (typeof value !== 'object' ||
    (value !== null &&
      Object.entries(Object(example)).every(([name, member]) =>
        isLike(Reflect.get(value, name), member),
      )));

/** The value, with the members that its schema names. null: it does not fit. */
export function fitting<Value>(schema: z.ZodMiniType<Value>, value: unknown): Value | null {
  const read = z.safeParse(schema, value);
  return read.success ? read.data : null;
}

/** The record in a text. null: nothing is stored, or it is damaged or has another form. */
export const storedAs = <Value>(
  text: string | null | undefined,
  schema: z.ZodMiniType<Value>,
): Value | null => fitting(schema, storedJson(text));

/** The items of a stored list that fit the schema. */
export function storedItems<Value>(
  text: string | null | undefined,
  item: z.ZodMiniType<Value>,
): readonly Value[] {
  const read = storedList<unknown>(text).map((stored) => fitting(item, stored));
  return read.filter((value) => value !== null);
}

/**
 * The length of a text in UTF-8, in bytes. Each half of a surrogate pair counts two; JSON escapes
 * lone halves.
 */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/**
 * Google's page "Quotas for Google services" allows 9 KB for a property; the rest is for a name
 * that may precede the list.
 */
const LIST_BYTES_MAX = 8_900;

/** A list as text for one property: as many of its first entries as fit. */
export function listText(list: readonly unknown[]): string {
  const text = JSON.stringify(list);
  return bytesOf(text) > LIST_BYTES_MAX ? listText(list.slice(0, -1)) : text;
}
