// The package as others install it: plain JavaScript with types, and what needs a bundler built beforehand.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync, transformSync } from 'esbuild';
import { buildRealm, REALM_FILE } from '../src/realm-source';
import { bundleFormulaUniver, FORMULA_FILE } from '../src/univer-bundle';

const ROOT = join(__dirname, '..');
const PROJECT = join(ROOT, '../..');

const { values: GIVEN } = parseArgs({
  options: { out: { type: 'string' }, repository: { type: 'string' } },
});

/** Another folder than the usual one: `--out FOLDER`. */
const OUT = resolve(GIVEN.out ?? join(PROJECT, '.cache/apps-script-host'));

/** For a whole spreadsheet of Univer's, which is a large dependency; its formula engine comes along bundled. */
const AT_HOME: readonly string[] = ['univer-entry', 'univer-formula-entry'];

/** Whatever others wrote of the engine that comes along. */
const LICENCES_FILE = 'univer-formula.licences.txt';

/** What others may import; the rest of package.json's entries is for the playground of this project. */
const PUBLISHED: readonly string[] = [
  ...['.', './host', './inline/inline-host', './internet/http', './internet/sandboxed'],
  './sheet/plain-grid',
];

const PAPERS = ['README.md', 'COVERAGE.md', 'CHANGELOG.md', 'example'];

const names = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

/** A folder of `node_modules`: its licence as it stands there, else the name of it. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}`;
}

function transpile(): void {
  const modules = names(join(ROOT, 'src'))
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => !AT_HOME.includes(name.replace(/\.ts$/, '')));
  buildSync({
    entryPoints: modules.map((name) => join(ROOT, 'src', name)),
    outbase: join(ROOT, 'src'),
    outdir: OUT,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
  });
  for (const name of names(join(ROOT, 'src')).filter((each) => each.endsWith('.cjs')))
    cpSync(join(ROOT, 'src', name), join(OUT, name));
  // Nobody reads it: its frames are in no stack.
  const { code } = transformSync(buildRealm(), { minifyWhitespace: true });
  writeFileSync(join(OUT, REALM_FILE), code);
  const folders = bundleFormulaUniver(join(OUT, FORMULA_FILE));
  writeFileSync(join(OUT, LICENCES_FILE), [...folders].map(licenceOf).join('\n\n'));
}

function declare(): void {
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', OUT], {
    stdio: 'inherit',
  });
  const wanted = new Set<string>();
  const want = (file: string): void => {
    if (wanted.has(file) || !existsSync(file)) return;
    wanted.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\()'(\.[^']+)'/g,
    ))
      want(join(dirname(file), `${path}.d.ts`));
  };
  for (const entry of PUBLISHED) want(join(OUT, `${builtPath(entry)}.d.ts`));
  for (const name of names(OUT).filter((each) => each.endsWith('.d.ts')))
    if (!wanted.has(join(OUT, name))) rmSync(join(OUT, name));
}

const { exports: entries, ...manifest } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as { readonly exports: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>;

/** "./src/host.ts" of the sources is "./host.js" and "./host.d.ts" here. */
function builtPath(entry: string): string {
  const found = Object.entries(entries).find(([name]) => {
    const [before = '', after] = name.split('*');
    return after === undefined ? entry === name : entry.startsWith(before);
  });
  if (found === undefined) throw new Error(`package.json has no entry ${entry}.`);
  const [name, target] = found;
  const rest = entry.slice(name.indexOf('*'));
  return target.replace('*', rest).replace('./src/', './').slice(0, -3);
}

const builtExports = () =>
  Object.fromEntries(
    PUBLISHED.map((entry) => {
      const path = builtPath(entry);
      return [entry, { types: `${path}.d.ts`, default: `${path}.js` }];
    }),
  );

/** Where the project lives: `--repository URL`, else the address that git has for it. */
function whereabouts(): object {
  const url = GIVEN.repository ?? remoteOrigin();
  if (url === undefined) return {};
  const page = url.replace(/^git\+|\.git$/g, '').replace(/^git@([^:]+):/, 'https://$1/');
  return {
    repository: { type: 'git', url: `git+${page}.git`, directory: 'packages/apps-script-host' },
    homepage: `${page}/tree/main/packages/apps-script-host#readme`,
    bugs: `${page}/issues`,
  };
}

function remoteOrigin(): string | undefined {
  const { stdout } = spawnSync('git', ['config', 'remote.origin.url'], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

function describe(): string {
  const { private: _, scripts, devDependencies, ...told } = manifest;
  // Whoever installs it needs no registry: the one dependency comes along.
  const bundleDependencies = Object.keys(told.dependencies as object);
  for (const name of bundleDependencies) bringAlong(name);
  // Here it would be TypeScript, which npx cannot start.
  const bin = { [String(told.name)]: './command.js' };
  const built = { ...told, ...whereabouts(), bin, exports: builtExports(), bundleDependencies };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(built, null, 2)}\n`);
  return `${told.name} ${told.version}`;
}

/** What Node requires of a dependency, and its licence: the same again as a module stays behind. */
function bringAlong(name: string): void {
  const from = dirname(require.resolve(`${name}/package.json`));
  const { main } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  for (const file of ['package.json', 'LICENSE', main])
    cpSync(join(from, file), join(OUT, 'node_modules', name, file));
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
transpile();
declare();
for (const name of PAPERS) cpSync(join(ROOT, name), join(OUT, name), { recursive: true });
cpSync(join(PROJECT, 'LICENSE'), join(OUT, 'LICENSE'));
console.log(`Built ${describe()} in ${OUT}: pack it with npm pack.`);
