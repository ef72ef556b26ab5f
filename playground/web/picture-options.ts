// Reads the options of `npm run screenshots` and `npm run listing`: which pictures to take and
// where to save them. `--only NAME` takes one, `--all` every one there is, neither those that are usual.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run screenshots -- [options]; npm run listing -- [options]

  --only NAME   this picture alone; may be given several times
  --all         every one there is, for screenshots also those that no page shows
  --to FOLDER   where they are saved (default: where pages and the Marketplace take them from)
  --help        prints this`;

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

/**
 * @param folder the usual place of the pictures
 * @param isUsual whether a picture is taken when none is named
 */
export function readPictures(
  folder: string,
  isUsual: (name: string) => boolean = () => true,
): Pictures {
  const { only, to, all, help } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      to: { type: 'string', default: folder },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
  if (help) {
    console.log(HELP);
    process.exit();
  }
  const taken: string[] = [];
  return {
    isWanted: (name) => (only.length === 0 ? all || isUsual(name) : only.includes(name)),
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
