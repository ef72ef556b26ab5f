// A list in the spreadsheet's properties, which a copy of the spreadsheet begins anew: there it is not its own.

import type { Platform } from '../../platform/ports';
import { storedList } from '../stored-json';

/** Two property calls; whoever holds the lock longer is dead. */
const LOCK_WAIT_MS = 10_000;

export interface HomeList<T> {
  /** One property call. */
  read(): readonly T[];
  /** Changes it with nobody else at it. Two property calls. */
  change(next: (now: readonly T[]) => readonly T[]): void;
}

/**
 * @param name of the property.
 * @param home names the spreadsheet at hand, and stands before the list.
 */
export function homeList<T>(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  name: string,
  home: string,
): HomeList<T> {
  function read(): readonly T[] {
    const text = documentStore.read(name) ?? '';
    return storedList(text.startsWith(home) ? text.slice(home.length) : null);
  }
  return {
    read,
    change(next) {
      const write = () => documentStore.write(name, home + JSON.stringify(next(read())));
      // Better written beside somebody else's than not at all.
      if (!lock.run(LOCK_WAIT_MS, write).held) write();
    },
  };
}
