// Finds and starts a headless Chromium: the one named by CHROMIUM, else the system's, else the one from npm.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, LaunchOptions } from 'playwright-core';

const ROOT = resolve(__dirname, '..');
const CACHE = join(ROOT, '.cache');
const SYSTEM_PATHS: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Containers have no user namespaces and no graphics; the pages under test are our own. */
const ARGS: readonly string[] = ['--no-sandbox', '--disable-gpu'];

/** The wrapper keeps the package's libraries and fonts to this one process. */
const WRAPPER = `#!/bin/sh
# Starts the unpacked Chromium with the libraries that came with it.
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;

/** The package's own names a folder that is not there; without any font, a text field crashes. */
function fontsConfig(folder: string): string {
  const dirs = ['/usr/share/fonts', join(folder, 'fonts')].map((path) => `<dir>${path}</dir>`);
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  const doctype = '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  return `<?xml version="1.0"?>\n${doctype}\n<fontconfig>${dirs.join('')}${cache}</fontconfig>\n`;
}

function unpackTo(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const unpacking = mkdtempSync(join(CACHE, 'unpacking-'));
  execFileSync(process.execPath, [join(ROOT, 'scripts/unpack-chromium.mjs')], {
    // The name of a runtime for which the package also unpacks the libraries that a bare machine
    // lacks (nss, nspr, expat). A TMPDIR of its own, since it skips what it finds unpacked.
    env: { ...process.env, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x', TMPDIR: unpacking },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(unpacking, 'chromium.sh'), WRAPPER, { mode: 0o755 });
  writeFileSync(join(unpacking, 'fonts.conf'), fontsConfig(folder));
  try {
    renameSync(unpacking, folder);
  } catch (error) {
    // Another test got there first; its copy is as good.
    rmSync(unpacking, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function checkLibraries(folder: string): void {
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
  const { stdout } = spawnSync('ldd', [join(folder, 'chromium')], { env, encoding: 'utf8' });
  const lines = (stdout ?? '').split('\n').filter((line) => line.includes('not found'));
  const missing = lines.map((line) => line.trim().split(' ')[0]);
  if (missing.length > 0)
    throw new Error(
      `Chromium from npm cannot start here: the system lacks ${missing.join(', ')}. ` +
        'Install them, or a Chromium, or name one in the environment variable CHROMIUM.',
    );
}

function pathFromNpm(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `There is no Chromium from npm for ${process.platform} ${process.arch}: install one, ` +
        'or name one in the environment variable CHROMIUM.',
    );
  const manifest = join(ROOT, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = join(CACHE, `chromium-${version}-with-fonts`);
  if (!existsSync(folder)) unpackTo(folder);
  checkLibraries(folder);
  return join(folder, 'chromium.sh');
}

/**
 * Where the browser is. `wanted` is a file, or `npm` for what a bare machine would use. The first
 * use of the one from npm unpacks 200 MB, in about 2 s.
 */
export function chromiumPath(wanted = process.env.CHROMIUM ?? ''): string {
  if (wanted === 'npm') return pathFromNpm();
  if (wanted === '') return SYSTEM_PATHS.find((path) => existsSync(path)) ?? pathFromNpm();
  if (!existsSync(wanted)) throw new Error(`CHROMIUM names a file that is not there: ${wanted}`);
  return wanted;
}

/**
 * On a busy machine Chromium dies at its start now and then (SIGSEGV before there is a page), which says
 * nothing of what it was to show: it is started once more.
 */
const started = <Started>(start: () => Promise<Started>): Promise<Started> => start().catch(start);

const optionsFor = (executablePath: string, args: readonly string[]): LaunchOptions => ({
  executablePath,
  args: [...ARGS, ...args],
});

export async function launchChromium(
  executablePath = chromiumPath(),
  args: readonly string[] = [],
): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return started(() => chromium.launch(optionsFor(executablePath, args)));
}

/** One for several processes, each of which connects to its endpoint. */
export async function serveChromium() {
  const { chromium } = await import('playwright-core');
  const server = await started(() => chromium.launchServer(optionsFor(chromiumPath(), [])));
  return { endpoint: server.wsEndpoint(), stop: () => server.close() };
}
