// Builds that stay as long as nothing changes that they depend on: for tests and for the playground.

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
import { dirname, join, resolve } from 'node:path';
import type { Variant } from './variant';

const ROOT = resolve(__dirname, '../..');

/**
 * Builds into a folder, which nobody else may change; anew only after something changed that a build
 * depends on, whoever built it before.
 */
export function keepBuilt(folder: string, variant: Variant): Promise<void> {
  return keep(folder, stampOf(SOURCES, SOURCE_FOLDERS), async (outDir) => {
    // Of those who come for what is built, few build: the tools for it take a moment to load.
    const { buildAddOn } = await import('./add-on');
    await buildAddOn({ ...variant, outDir });
  });
}

/**
 * What `make` puts into a folder stays there as long as the stamp is the same.
 *
 * @param stamp stands for all that it is made of
 */
export async function keep(
  folder: string,
  stamp: string,
  make: (outDir: string) => Promise<void>,
): Promise<void> {
  if (stampIn(folder) === stamp) return;
  mkdirSync(dirname(folder), { recursive: true });
  // Two processes may build at a time; each puts a whole folder in place.
  const ours = mkdtempSync(`${folder}-`);
  await make(join(ours, 'dist'));
  writeFileSync(stampFileOf(join(ours, 'dist')), stamp);
  replace(folder, ours);
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

/** Beside the folder: a build is exactly its four files. */
const stampFileOf = (folder: string) => `${folder}.stamp`;

function stampIn(folder: string): string | null {
  const file = stampFileOf(folder);
  return existsSync(file) && existsSync(folder) ? readFileSync(file, 'utf8') : null;
}

/** Files and all that is in folders, by their paths from the root of the project. */
export function stampOf(files: readonly string[], folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files, ...folders.flatMap(filesIn)]) {
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
