// The add-on as it is built, once for each way to build it: the doors are tested on the very files
// that would be pushed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepBuilt } from '../scripts/build/kept-build';
import { nameOf, type Variant } from '../scripts/build/variant';

const ROOT = join(__dirname, '..');

/** What is pushed when nothing else is asked for. */
const USUAL: Variant = { loopback: false };

export const BUILT = folderOf(USUAL);

export default async function buildOnce(): Promise<void> {
  await built(USUAL);
}

/** The folder of a build, which nobody may change. */
export async function built(variant: Variant): Promise<string> {
  const folder = folderOf(variant);
  await keepBuilt(folder, variant);
  return folder;
}

/** The dist of a host, read from such a folder. */
export function distIn(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    code: read('Code.js'),
    html: { Diagnostics: read('Diagnostics.html'), Sidebar: read('Sidebar.html') },
    manifest: read('appsscript.json'),
  };
}

function folderOf(variant: Variant): string {
  const name = nameOf(variant);
  // As `npm start` has it, and the commands that make pictures.
  return join(ROOT, name === 'loopback' ? '.cache/playground-dist' : `.cache/test-dist/${name}`);
}
