// Bundles the playground's page into .cache/, with everything it needs, so that it loads nothing
// from elsewhere.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGE = join(__dirname, 'page');
const CACHE = join(ROOT, '.cache');

/** What the page is made of. */
const SOURCES = ['package-lock.json', 'playground', 'packages/apps-script-host/src'];

/** Stands for all that is in these files and folders, by path from the root of the project. */
function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    hash.update(path);
    hash.update(readFileSync(join(ROOT, path)));
  };
  for (const source of sources) {
    if (source.includes('.')) add(source);
    else
      for (const entry of readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) add(join(entry.parentPath.slice(ROOT.length + 1), entry.name));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Bundles the page unless it is there already: that takes seconds. Returns the folder to serve. */
export async function bundlePage(): Promise<string> {
  const folder = join(CACHE, `playground-page-${hashOf(SOURCES)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE).filter((one) => /^playground-page-[0-9a-f]{12}$/.test(one)))
    rmSync(join(CACHE, name), { recursive: true, force: true });
  const draft = mkdtempSync(`${folder}-`);
  await bundleInto(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process bundled the same in the meantime.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

async function bundleInto(outdir: string): Promise<void> {
  // Whoever finds the page bundled need not load the bundler.
  const { build } = await import('esbuild');
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
