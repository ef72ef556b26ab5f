// Bundles the playground's page into .cache/, with everything it needs, so that it loads nothing
// from elsewhere.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keep, stampOf } from '../../scripts/build/kept-build';

const PAGE = join(__dirname, 'page');
const BUILT = join(__dirname, '../../.cache/playground-page');

/** What the page is made of. */
const SOURCES = ['package.json', 'package-lock.json'];
const SOURCE_FOLDERS = ['playground', 'packages/apps-script-host/src'];

/** Bundles the page unless what it is made of is as before. Returns the folder to serve. */
export async function bundlePage(): Promise<string> {
  await keep(BUILT, stampOf(SOURCES, SOURCE_FOLDERS), bundleInto);
  return BUILT;
}

async function bundleInto(outdir: string): Promise<void> {
  // Whoever finds the page bundled need not load the bundler.
  const { build } = await import('esbuild');
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: [
      { in: join(PAGE, 'main.ts'), out: 'page' },
      { in: join(PAGE, 'page.css'), out: 'page' },
      { in: join(PAGE, 'script-frame.ts'), out: 'script-frame' },
    ],
    outdir,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  for (const file of ['index.html', 'icon.svg']) copyFileSync(join(PAGE, file), join(outdir, file));
}
