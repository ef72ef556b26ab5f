// Which pictures are taken and where they go: what `npm run screenshots` and `npm run listing` are told.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

export interface Pictures {
  isWanted(name: string): boolean;
  /** Its folder is there. */
  fileOf(name: string): string;
  /** Says what became of it, and ends: browsers and playgrounds would keep the process. */
  end(): never;
}

/** @param folder where they usually go. */
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
