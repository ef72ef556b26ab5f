// Reads the options of `npm run screenshots` and `npm run listing`: which pictures to take and
// where to save them.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

export interface Pictures {
  isWanted(name: string): boolean;
  /** The file's path. Its folder exists. */
  fileOf(name: string): string;
  /**
   * Prints the result and ends the process, which open browsers and playgrounds would otherwise
   * keep alive.
   */
  end(): never;
}

/** @param folder the usual place of the pictures */
export function readPictures(folder: string): Pictures {
  const { only, to } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      to: { type: 'string', default: folder },
    },
  }).values;
  const taken: string[] = [];
  return {
    isWanted: (name) => only.length === 0 || only.includes(name),
    fileOf(name) {
      const file = join(to, `${name}.png`);
      mkdirSync(dirname(file), { recursive: true });
      taken.push(name);
      return file;
    },
    end() {
      const missing = only.filter((name) => !taken.includes(name));
      for (const name of missing) console.error(`There is no picture ${name}.`);
      console.log(`Pictures: ${taken.length} in ${to}`);
      process.exit(missing.length === 0 ? 0 : 1);
    },
  };
}
