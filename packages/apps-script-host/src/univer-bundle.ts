// Loads Univer on Node from one bundled file, because its parts cannot be required individually. A
// built package includes the formula engine; anything else is bundled on demand.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/** What calculating a formula needs. */
export type FormulaUniver = typeof import('./univer-formula-entry');
export type UniverEngine = typeof import('./univer-entry');

/** Lies beside the modules of a built package, which has no bundler. Brotli makes a quarter of it. */
export const FORMULA_FILE = 'univer-formula.built.cjs.br';

const FORMULA_ENTRY = 'univer-formula-entry.ts';
const ENTRY = 'univer-entry.ts';

export function loadUniver(): UniverEngine {
  return require(bundled(ENTRY)) as UniverEngine;
}

export function loadFormulaUniver(): FormulaUniver {
  const brought = join(__dirname, FORMULA_FILE);
  if (!existsSync(brought)) return require(bundled(FORMULA_ENTRY)) as FormulaUniver;
  const source = brotliDecompressSync(readFileSync(brought)).toString('utf8');
  const made = { exports: {} };
  compileFunction(source, ['module', 'exports', 'require'], { filename: brought })(
    made,
    made.exports,
    require,
  );
  return made.exports as FormulaUniver;
}

/** Bundles the engine for a package. Returns the folders of `node_modules` that it is made from. */
export function bundleFormulaUniver(outfile: string): ReadonlySet<string> {
  const inputs = bundle(FORMULA_ENTRY, outfile, true);
  writeFileSync(outfile, brotliCompressSync(readFileSync(outfile)));
  const folders = inputs.flatMap(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return new Set(folders);
}

/** The source files of the bundle, relative to the folder in which this process runs. */
function bundle(entry: string, outfile: string, isSmall: boolean): readonly string[] {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { metafile } = buildSync({
    entryPoints: [join(__dirname, entry)],
    outfile,
    bundle: true,
    metafile: true,
    minify: isSmall,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return parts.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

/**
 * Univer's packages define each field of an object by a function call, which takes a tenth of a
 * formula's time. Plain assignments replace the calls for names that begin with "_", because no
 * accessor has such a name.
 */
const PLAIN_FIELDS = [
  /^(\s*)_defineProperty\d*\(this, "(_\w+)", (.*)\);$/gm,
  '$1this.$2 = $3;',
] as const;

/** One file for each version of Univer and of the entry files. */
function bundled(entry: string): string {
  const root = join(__dirname, '../../..');
  const manifest = readFileSync(join(root, 'node_modules/@univerjs/core/package.json'), 'utf8');
  const hash = createHash('sha256').update(manifest);
  for (const name of new Set([entry, FORMULA_ENTRY]))
    hash.update(readFileSync(join(__dirname, name), 'utf8'));
  hash.update(String(PLAIN_FIELDS));
  const key = hash.digest('hex').slice(0, 12);
  const file = join(root, '.cache', `${entry.replace('-entry.ts', '')}-${key}.cjs`);
  if (existsSync(file)) return file;
  // The file is written under a temporary name and then renamed, because tests of several processes
  // may build it at once.
  const draft = `${file}.${process.pid}`;
  bundle(entry, draft, false);
  writeFileSync(draft, readFileSync(draft, 'utf8').replace(...PLAIN_FIELDS));
  renameSync(draft, file);
  return file;
}
