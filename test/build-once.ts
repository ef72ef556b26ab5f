// The add-on as it is built, once for each way to build it: the doors are tested on the very files
// that would be pushed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAddOn, type Variant } from '../scripts/build/add-on';

/** The folder of each build, which nobody may change; the playground's is where `npm start` has it. */
const FOLDERS = {
  usual: '.cache/test-dist/usual',
  mail: '.cache/test-dist/mail',
  loopback: '.cache/playground-dist',
} as const;

const VARIANTS: Readonly<Record<keyof typeof FOLDERS, Variant>> = {
  usual: { loopback: false },
  mail: { loopback: false, emailDigest: true },
  loopback: { loopback: true },
};

export const built = (name: keyof typeof FOLDERS): string => join(__dirname, '..', FOLDERS[name]);

/** What is pushed when nothing else is asked for. */
export const BUILT = built('usual');

/** Jest calls it once, before the first test. */
export default function buildOnce(): void {
  if (process.env.SAMPLE !== 'whole' && process.env.SAMPLE_SEED !== undefined)
    process.stderr.write(
      `Samples are drawn by seed ${process.env.SAMPLE_SEED}; SAMPLE_SEED draws them again.\n`,
    );
  for (const name of ['usual', 'mail', 'loopback'] as const)
    buildAddOn({ ...VARIANTS[name], outDir: built(name) });
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
