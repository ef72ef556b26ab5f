// Loads Univer on Node from one bundled file, made on demand: its parts cannot be required singly.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

export type UniverEngine = typeof import('./univer-entry');

const ROOT = join(__dirname, '../../..');
const ENTRY = join(__dirname, 'univer-entry.ts');

/** A file of its own for each version of Univer and of what we take from it. */
function bundleFile(): string {
  const manifest = readFileSync(join(ROOT, 'node_modules/@univerjs/core/package.json'), 'utf8');
  const entry = readFileSync(ENTRY, 'utf8');
  const key = createHash('sha256').update(manifest).update(entry).digest('hex').slice(0, 12);
  return join(ROOT, '.cache', `univer-${key}.cjs`);
}

export function loadUniver(): UniverEngine {
  const file = bundleFile();
  if (!existsSync(file)) {
    // Written beside its place and moved there, as tests of several processes may come at once.
    const draft = `${file}.${process.pid}`;
    buildSync({
      entryPoints: [ENTRY],
      outfile: draft,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
    renameSync(draft, file);
  }
  return require(file) as UniverEngine;
}
