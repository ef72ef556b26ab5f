// Schemas for what the page sends and what is stored: records, choices, numbers, texts and lists.
// zod parses records; values are checked by functions of this file.

import * as z from 'zod/mini';
import { type Platform, RECORD_LOCK_WAIT_MS, storedJson, storedList } from './ports';

export type Schema = z.ZodMiniType;

/** A record with these members and no others. */
export const record = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.strictObject(members);

/** A record with at least these members; others, from another version of the add-on, are kept. */
export const atLeast = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.looseObject(members);

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

export const upTo = (most: number) => wholeNumber(most, 0);

export const number = () => z.custom<number>(Number.isFinite);

/** A text within these lengths; a longer one is rejected unread. */
export const text = (charsMax = Number.MAX_SAFE_INTEGER, charsMin = 0) =>
  z.custom<string>(
    (sent) => typeof sent === 'string' && sent.length >= charsMin && sent.length <= charsMax,
  );

export const textLike = (pattern: RegExp) =>
  z.custom<string>((sent) => typeof sent === 'string' && pattern.test(sent));

/** A value that fits at least one of the schemas. */
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

/** A list without duplicates. */
export const setOf = <Schema extends z.ZodMiniType>(item: Schema) => {
  const list = listOf(item);
  return z.custom<z.infer<Schema>[]>(
    (sent) => z.safeParse(list, sent).success && new Set(Object(sent)).size === Object(sent).length,
  );
};

/** A record of any names whose values fit the schema. */
export const byName = <Schema extends z.ZodMiniType>(item: Schema) =>
  z.custom<Record<string, z.infer<Schema>>>(
    (sent) => fits(atLeast({}), sent) && fits(listOf(item), Object.values(Object(sent))),
  );

/** A value that passes a given check, for checks that stored connections have to pass as well. */
export const that = <Value>(isFit: (sent: unknown) => sent is Value) => z.custom<Value>(isFit);

/** The payload of most methods: an empty record. */
export const nothing = () => record({});

export const fits = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success;

/**
 * Parses a stored text by its schema. null: nothing is stored, or it is damaged or of another
 * version.
 */
export function storedAs<Value>(text: string | null | undefined, schema: Schema) {
  const value = storedJson(text);
  return fits(schema, value) ? (value as Value) : null;
}

/** The items of a stored list that fit the schema. */
export const storedItems = <Item>(text: string | null | undefined, schema: Schema) =>
  storedList<Item>(text).filter((one) => fits(schema, one));

/**
 * Moves unreadable records aside: the whole text is kept under `<name>-aside`, and of a list the
 * readable items stay in place. Returns whether anything was moved, so that the person is told
 * once. It costs one property call if all is well, else three.
 *
 * @param kept by name: the schema of the stored record, or of the items of the stored list. A
 * spreadsheet's identity may precede a list.
 */
export function setAside(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  kept: Readonly<Record<string, Schema>>,
): boolean {
  function damaged() {
    const all = documentStore.readAll();
    return Object.entries(kept).flatMap(([name, item]) => {
      const text = all[name] ?? '[]';
      const [, home, json] = /^(\w*)(.*)/s.exec(text) ?? [];
      return fits(either(item, listOf(item)), storedJson(json))
        ? []
        : [{ [`${name}-aside`]: text, [name]: home + JSON.stringify(storedItems(json, item)) }];
    });
  }
  if (damaged().length === 0) return false;
  const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
    const found = damaged();
    return found.length > 0 && documentStore.writeAll(Object.assign({}, ...found));
  });
  return outcome.held && outcome.value;
}
