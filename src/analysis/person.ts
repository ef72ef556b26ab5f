// The name of a person, by which their jobs, schedules and leases are told from others'.

import { drawName, type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';

const NAME = 'person';

/** One property call for an execution, which asks several times. */
const names = new WeakMap<object, string>();

/** A random name, drawn when first asked for and always the same. */
export function personOf({
  userStore,
  random,
  lock,
}: Pick<Platform, 'userStore' | 'random' | 'lock'>): string {
  const stored = () => userStore.read(NAME);
  const name = names.get(userStore) ?? stored() ?? drawn();
  names.set(userStore, name);
  return name;

  /** The lock keeps two first calls of a page from drawing two names: a job of the first would be nobody's. */
  function drawn(): string {
    const draw = () => stored() ?? write();
    const outcome = lock.run(RECORD_LOCK_WAIT_MS, draw);
    return outcome.held ? outcome.value : draw();
  }

  function write(): string {
    const fresh = drawName(random);
    userStore.write(NAME, fresh);
    return fresh;
  }
}
