// The add-on as it is built, once for each way to build it: the doors are tested on the very files
// that would be pushed.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildRequest, buildAddOn } from '../scripts/build/add-on';

const ROOT = join(__dirname, '..');

type Variant = Pick<BuildRequest, 'loopback' | 'emailDigest' | 'selfTest'>;

/** What is pushed when nothing else is asked for. */
const USUAL: Variant = { loopback: false };

export const BUILT = folderOf(USUAL);

export default async function buildOnce(): Promise<void> {
  await built(USUAL);
}

/**
 * The folder of a build, which nobody may change. It is built anew only after something changed that
 * a build depends on, whichever run of the tests built it before.
 */
export async function built(variant: Variant): Promise<string> {
  const folder = folderOf(variant);
  const stamp = stampOfSources();
  if (stampIn(folder) === stamp) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  // Two processes may build at a time; each puts a whole folder in place.
  const ours = mkdtempSync(`${folder}-`);
  await buildAddOn({ ...variant, outDir: join(ours, 'dist') });
  writeFileSync(stampFileOf(join(ours, 'dist')), stamp);
  replace(folder, ours);
  return folder;
}

function replace(folder: string, ours: string): void {
  rmSync(stampFileOf(folder), { force: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(join(ours, 'dist'), folder);
    renameSync(stampFileOf(join(ours, 'dist')), stampFileOf(folder));
  } catch (error) {
    // The other one was quicker, and has built the same.
    if (!existsSync(folder)) throw error;
  }
  rmSync(ours, { recursive: true, force: true });
}

/** The dist of a host, read from such a folder. */
export function distIn(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    code: read('Code.js'),
    html: { Sidebar: read('Sidebar.html') },
    manifest: read('appsscript.json'),
  };
}

function folderOf({ loopback, emailDigest = false, selfTest = false }: Variant): string {
  const parts = [loopback && 'loopback', emailDigest && 'mail', selfTest && 'self-test'];
  return join(ROOT, '.cache/test-dist', parts.filter(Boolean).join('-') || 'usual');
}

/** Beside the folder: a build is exactly its three files. */
const stampFileOf = (folder: string) => `${folder}.stamp`;

function stampIn(folder: string): string | null {
  const file = stampFileOf(folder);
  return existsSync(file) && existsSync(folder) ? readFileSync(file, 'utf8') : null;
}

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of [...SOURCES, ...SOURCE_FOLDERS.flatMap(filesIn)]) {
    hash.update(file);
    hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** What a build depends on. */
const SOURCES = [
  ...['appsscript.json', 'package.json', 'package-lock.json', 'docs/troubleshooting.md'],
];
const SOURCE_FOLDERS = ['src', 'scripts/build'];

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).map(String).sort();
  const paths = names.map((name) => join(folder, name));
  return paths.filter((path) => statSync(join(ROOT, path)).isFile());
}
