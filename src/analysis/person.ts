// The name of a person, by which their jobs, schedules and leases are told from others'.

import { drawName, type Platform } from '../google/platform';

const NAME = 'person';

/** One property call for an execution, which asks several times. */
const names = new WeakMap<object, string>();

/** A random name, drawn when first asked for and always the same. */
export function personOf({ userStore, random }: Pick<Platform, 'userStore' | 'random'>): string {
  const name = names.get(userStore) ?? userStore.read(NAME) ?? drawn();
  names.set(userStore, name);
  return name;

  function drawn(): string {
    const fresh = drawName(random);
    userStore.write(NAME, fresh);
    return fresh;
  }
}
