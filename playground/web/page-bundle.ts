// Bundles the playground's page into .cache/, with everything it needs, so that it loads nothing
// from elsewhere.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const PAGE = join(__dirname, 'page');
const BUILT = join(__dirname, '../../.cache/playground-page');

/** Returns the folder to serve. */
export async function bundlePage(): Promise<string> {
  mkdirSync(BUILT, { recursive: true });
  await build({
    entryPoints: [
      { in: join(PAGE, 'main.ts'), out: 'page' },
      { in: join(PAGE, 'page.css'), out: 'page' },
      { in: join(PAGE, 'script-frame.ts'), out: 'script-frame' },
    ],
    outdir: BUILT,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  for (const file of ['index.html', 'icon.svg']) copyFileSync(join(PAGE, file), join(BUILT, file));
  return BUILT;
}
