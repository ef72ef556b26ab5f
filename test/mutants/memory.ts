// What earlier runs found out, so that a run that was cut off goes on where it stopped.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Memory {
  has(hash: string): boolean;
  add(hash: string): void;
}

/** Hashes of what was found to be as it should; anything else in the file counts as nothing. */
function readHashes(file: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** @param isFresh forgets what was there. */
export function fileMemory(file: string, isFresh: boolean): Memory {
  const known = new Set(isFresh ? [] : readHashes(file));
  return {
    has: (hash) => known.has(hash),
    add(hash) {
      known.add(hash);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([...known], null, 1));
    },
  };
}
