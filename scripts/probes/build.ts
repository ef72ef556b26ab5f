// Builds the script of the probes, with the add-on's own manifest: what they find holds for its permissions.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scriptOf, writeFolder } from '../build/add-on';
import { checkManifest } from '../build/manifest-check';
import { dialogOf } from '../build/sidebar-page';

const PROJECT = resolve(__dirname, '../..');

const HANDLERS: readonly string[] = [
  ...['onOpen', 'onProbeClock', 'probePage', 'removeProbes'],
  ...['runLongProbes', 'runProbes', 'showProbes', 'watchClock'],
];

/** What stood in `outDir` before is gone. */
export function buildProbes(outDir: string) {
  const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
  const manifest = read('appsscript.json');
  checkManifest(manifest);
  const script = { entry: 'probes/entry.ts', customFunctions: ['PROBE'], handlers: HANDLERS };
  return writeFolder(outDir, {
    'appsscript.json': manifest,
    'Code.js': scriptOf(script),
    'Report.html': dialogOf('report.html', read('probes/report.html')),
  });
}
