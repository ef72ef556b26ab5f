// The platform's half in the script as one string: brought along by a built package, else built once per process.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the modules of a built package, which has no bundler. */
export const REALM_FILE = 'realm.built.js';

let known: string | null = null;

export function realmSource(): string {
  const file = join(__dirname, REALM_FILE);
  known ??= existsSync(file) ? readFileSync(file, 'utf8') : buildRealm();
  return known;
}

/**
 * Service files hold both halves; what only the host's half needs falls away here. The result must
 * not ask for modules, since a script's context has none.
 */
export function buildRealm(): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'realm', 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'node',
    target: 'es2022',
    treeShaking: true,
  });
  const source = outputFiles[0]?.text ?? '';
  if (/\brequire\(|\bBuffer\b/.test(source)) {
    throw new Error("A service's half in the script uses what only Node has.");
  }
  return source;
}
