// The package as others install it: plain JavaScript with types, and what needs a bundler built beforehand.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildRealm, REALM_FILE } from '../src/realm-source';
import { bundleFormulaUniver, FORMULA_FILE } from '../src/univer-bundle';

const ROOT = join(__dirname, '..');
const PROJECT = join(ROOT, '../..');
const OUT = join(PROJECT, '.cache/apps-script-host');

/** For a whole spreadsheet of Univer's, which is a large dependency; its formula engine comes along bundled. */
const AT_HOME: readonly string[] = ['univer-entry', 'univer-formula-entry'];

/** Their types are of Univer's, which is not installed there; nothing that is given out names them. */
const UNTYPED: readonly string[] = [
  ...AT_HOME,
  ...['univer-bundle', 'sheet/formula-engine', 'sheet/native-functions'],
  ...['sheet/google-functions', 'sheet/lookup-functions'],
];

/** Whatever others wrote of the engine that comes along. */
const LICENCES_FILE = 'univer-formula.licences.txt';

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
  writeFileSync(join(OUT, REALM_FILE), buildRealm());
  const folders = bundleFormulaUniver(join(OUT, FORMULA_FILE));
  writeFileSync(join(OUT, LICENCES_FILE), [...folders].map(licenceOf).join('\n\n'));
}

function declare(): void {
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', OUT], {
    stdio: 'inherit',
  });
  for (const name of UNTYPED) rmSync(join(OUT, `${name}.d.ts`), { force: true });
}

/** "./src/host.ts" of the sources is "./host.js" and "./host.d.ts" here; tests stay at home. */
function builtExports(exports: Readonly<Record<string, string>>): object {
  const isBuilt = (target: string) =>
    target.startsWith('./src/') && !UNTYPED.includes(target.slice(6, -3));
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([, target]) => isBuilt(target))
      .map(([entry, target]) => {
        const path = target.replace('./src/', './').slice(0, -3);
        return [entry, { types: `${path}.d.ts`, default: `${path}.js` }];
      }),
  );
}

function describe(): string {
  const {
    private: _,
    scripts,
    devDependencies,
    exports,
    ...told
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // Whoever installs it needs no registry: the one dependency comes along.
  const bundleDependencies = Object.keys(told.dependencies);
  for (const name of bundleDependencies) {
    const from = dirname(require.resolve(`${name}/package.json`));
    cpSync(from, join(OUT, 'node_modules', name), { recursive: true });
  }
  // Here it would be TypeScript, which npx cannot start.
  const bin = { [told.name]: './command.js' };
  const manifest = { ...told, bin, exports: builtExports(exports), bundleDependencies };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return `${told.name} ${told.version}`;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
transpile();
declare();
for (const name of PAPERS) cpSync(join(ROOT, name), join(OUT, name), { recursive: true });
cpSync(join(PROJECT, 'LICENSE'), join(OUT, 'LICENSE'));
console.log(`Built ${describe()} in ${OUT}: pack it with npm pack.`);
