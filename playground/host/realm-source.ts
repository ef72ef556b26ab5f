// Builds the platform's half in the script into one string, once per process.

import { join } from 'node:path';
import { buildSync } from 'esbuild';

let built: string | null = null;

/**
 * Service files hold both halves; what only the host's half needs falls away here. The result must
 * not ask for modules, since a script's context has none.
 */
export function realmSource(): string {
  built ??= build();
  return built;
}

function build(): string {
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
