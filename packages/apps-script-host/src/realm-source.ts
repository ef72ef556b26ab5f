// Provides the platform's half inside the script as one string. A built package ships it; otherwise
// it is built once for each state of this package.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Lies beside the modules of a built package, which has no bundler. */
export const REALM_FILE = 'realm.built.js';

let known: string | null = null;

export function realmSource(): string {
  const file = join(__dirname, REALM_FILE);
  known ??= readFileSync(existsSync(file) ? file : built(), 'utf8');
  return known;
}

/**
 * Cached on disk. Each test file runs in a new process, and starting the bundler takes longer than
 * the bundling itself.
 */
function built(): string {
  const hash = createHash('sha256');
  const names = readdirSync(__dirname, { recursive: true }).map(String).sort();
  for (const name of names.filter((one) => one.endsWith('.ts')))
    hash.update(`${name}\n`).update(readFileSync(join(__dirname, name)));
  const key = hash.digest('hex').slice(0, 12);
  const file = join(__dirname, '../../../.cache', `realm-${key}.js`);
  if (existsSync(file)) return file;
  // The file is written under a temporary name and then renamed, because tests of several processes
  // may build it at once.
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, buildRealm());
  renameSync(draft, file);
  return file;
}

/**
 * Service files hold both halves. Tree shaking removes what only the host's half needs. The result
 * must not require modules, since a script's context has none.
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
