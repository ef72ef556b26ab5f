// The bundles that the bench runs: the add-on as it is pushed, and additional entry points for the
// bench alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildAddOn } from '../scripts/build/add-on';

const OUT_DIR = join(__dirname, '../.cache/bench-dist');

export interface Bundles {
  /** The add-on's own four files. */
  readonly code: string;
  readonly html: Readonly<Record<string, string>>;
  readonly manifest: string;
  /** The add-on's code followed by a run without a sheet, which calls the same modules. */
  readonly withBulk: string;
  readonly peers: string;
}

/** The add-on alone. */
export type AddOn = Pick<Bundles, 'code' | 'html' | 'manifest'>;

/** A further bundle for Apps Script, in which the functions of the entry become globals. */
async function doorsOf(entry: string, names: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, entry)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'Bench',
    target: 'es2019',
    define: { __LOOPBACK_ALLOWED__: 'false' },
  });
  const globals = names.map(
    (name) => `function ${name}(...args) { return Bench.${name}(...args); }`,
  );
  return [outputFiles[0]?.text ?? '', ...globals].join('\n');
}

export async function buildBundles(): Promise<Bundles> {
  buildAddOn({ outDir: OUT_DIR, loopback: false });
  const read = (name: string) => readFileSync(join(OUT_DIR, name), 'utf8');
  const code = read('Code.js');
  return {
    code,
    html: { Diagnostics: read('Diagnostics.html'), Sidebar: read('Sidebar.html') },
    manifest: read('appsscript.json'),
    withBulk: `${code}\n${await doorsOf('bulk-entry.ts', ['benchSlice'])}`,
    peers: await doorsOf('peers-entry.ts', ['peerCell', 'peerSlice']),
  };
}
