// The package stands alone: it reaches for nothing outside of itself that it does not name.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { SERVICES } from '../src/services/not-emulated';

const ROOT = resolve(__dirname, '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const sources = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ts|cjs|mjs)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.includes('node_modules'));

const importsOf = (file: string) =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => ({
    file: relative(ROOT, file),
    target: fileName,
    path: fileName.startsWith('.') ? relative(ROOT, resolve(dirname(file), fileName)) : null,
  }));

const imports = sources.flatMap(importsOf);

it('imports its own files, those of Node, and packages that it names', () => {
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const isKnown = (target: string) =>
    target.startsWith('node:') ||
    builtinModules.includes(target) ||
    // An example imports the package as everybody does.
    target === manifest.name ||
    named.some((name) => target === name || target.startsWith(`${name}/`));
  const foreign = imports.filter(({ target, path }) =>
    path === null ? !isKnown(target) : path.startsWith('..'),
  );
  expect(imports.length).toBeGreaterThan(500);
  expect(foreign).toEqual([]);
});

it('has a semantic version, and its changelog begins with what is new in it', () => {
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const versions = [...changelog.matchAll(/^## (\S+)/gm)].map(([, version]) => version);
  expect(versions[0]).toBe(manifest.version);
  expect(new Set(versions).size).toBe(versions.length);
});

it('names in its README every service that it lacks', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, left = ''] = /^## What it does not do$([\s\S]*?)^##/m.exec(readme) ?? [];
  expect(SERVICES.filter((name) => !left.includes(name))).toEqual([]);
});

it('needs little where it is used', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['acorn']);
});

it('leads from each of its entries to a file', () => {
  const targets: readonly string[] = Object.values(manifest.exports);
  const files = sources.map((file) => `./${relative(ROOT, file)}`);
  const leadsSomewhere = (target: string) => {
    const [before = '', after] = target.split('*');
    return files.some((file) =>
      after === undefined ? file === before : file.startsWith(before) && file.endsWith(after),
    );
  };
  expect(targets.filter((target) => !leadsSomewhere(target))).toEqual([]);
});
