// A text that takes long to make and is made of another text alone: kept until that one is another.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** In the folder of what is kept to be used again. */
export const KEPT_TEXTS = 'kept-texts';

const FOLDER = resolve(__dirname, '../../.cache', KEPT_TEXTS);

/**
 * One is kept for each name.
 *
 * @param from everything that the text depends on.
 */
export async function keptText(
  name: string,
  from: string,
  make: () => Promise<string>,
): Promise<string> {
  const file = join(FOLDER, name);
  const hash = createHash('sha256').update(from).digest('hex');
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (known.startsWith(`${hash}\n`)) return known.slice(hash.length + 1);
  const text = await make();
  mkdirSync(FOLDER, { recursive: true });
  // Written beside its place and moved there, as several processes may come at once.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${hash}\n${text}`);
  renameSync(draft, file);
  return text;
}
