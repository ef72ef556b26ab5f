// The add-on as it is built, once for each way to build it: the doors are tested on the very files
// that would be pushed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAddOn, type Variant } from '../scripts/build/add-on';
import { buildProbes } from '../scripts/probes/build';

/** The folder of each build, which nobody may change; the playground's is where `npm start` has it. */
const FOLDERS = {
  usual: '.cache/test-dist/usual',
  probes: '.cache/test-dist/probes',
  loopback: '.cache/playground-dist',
} as const;

const VARIANTS: Readonly<Record<Exclude<keyof typeof FOLDERS, 'probes'>, Variant>> = {
  usual: { loopback: false },
  loopback: { loopback: true },
};

export const built = (name: keyof typeof FOLDERS): string => join(__dirname, '..', FOLDERS[name]);

/** What is pushed when nothing else is asked for. */
export const BUILT = built('usual');

/** Before the first test. */
export default function buildOnce(): void {
  if (process.env.SAMPLE !== 'whole' && process.env.SAMPLE_SEED !== undefined)
    process.stderr.write(
      `Samples are drawn by seed ${process.env.SAMPLE_SEED}; SAMPLE_SEED draws them again.\n`,
    );
  for (const name of ['usual', 'loopback'] as const)
    buildAddOn({ ...VARIANTS[name], outDir: built(name) });
  buildProbes(built('probes'));
}

/** The dist of a host, read from such a folder. */
export function distIn(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const pages = readdirSync(folder).filter((file) => file.endsWith('.html'));
  return {
    code: read('Code.js'),
    html: Object.fromEntries(pages.map((file) => [file.replace('.html', ''), read(file)])),
    manifest: read('appsscript.json'),
  };
}
