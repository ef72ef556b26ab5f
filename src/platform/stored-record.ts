// Records in the stores and in the cache: read by their schema, and set aside where they are damaged.

import * as z from 'zod/mini';
import { type Platform, RECORD_LOCK_WAIT_MS, storedJson, storedList } from './ports';

/** The value, with the members that its schema names. null: it does not fit. */
export function fitting<Value>(schema: z.ZodMiniType<Value>, value: unknown): Value | null {
  const read = z.safeParse(schema, value);
  return read.success ? read.data : null;
}

/** The record in a text. null: nothing is stored, or it is damaged or of another version. */
export const storedAs = <Value>(
  text: string | null | undefined,
  schema: z.ZodMiniType<Value>,
): Value | null => fitting(schema, storedJson(text));

/** Whether a newer version of the add-on, which knows a later form of the record, has stored it. */
export const isOfNewer = (version: number, text: string | null): boolean =>
  storedAs(text, z.object({ version: z.number().check(z.gt(version)) })) !== null;

/** The items of a stored list that fit the schema. */
export function storedItems<Value>(
  text: string | null | undefined,
  item: z.ZodMiniType<Value>,
): readonly Value[] {
  const read = storedList<unknown>(text).map((one) => fitting(item, one));
  return read.filter((one) => one !== null);
}

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
  kept: Readonly<Record<string, z.ZodMiniType>>,
): boolean {
  function damaged() {
    const all = documentStore.readAll();
    return Object.entries(kept).flatMap(([name, item]) => {
      const text = all[name] ?? '[]';
      const [, home, json] = /^(\w*)(.*)/s.exec(text) ?? [];
      return z.safeParse(z.union([item, z.array(item)]), storedJson(json)).success
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
