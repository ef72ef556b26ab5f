// The package as it is installed elsewhere: packed, put into an empty folder, and its README followed.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const PROJECT = resolve(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'empty-project-'));
/** A folder of its own: another test may build a release meanwhile. */
const BUILT = mkdtempSync(join(tmpdir(), 'built-package-'));

const run = (program: string, args: readonly string[], cwd = folder) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: environment() });

/** As in a shell: nothing of the Jest that this is, nor of npm where that has started it. */
function environment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(?:npm_|NODE_|JEST_)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

/** Pieces of code whose first line names their file, as the README shows them. */
function writtenFromReadme(): readonly string[] {
  const readme = readFileSync(join(folder, 'node_modules/apps-script-host/README.md'), 'utf8');
  return [...readme.matchAll(/```js\n(\/\/ ([\w.]+):[\s\S]*?)```/g)].map(
    ([, code = '', name = '']) => {
      writeFileSync(join(folder, name), code);
      return name;
    },
  );
}

const LIVES = ['--repository', 'https://code.example/owner/project.git'];

let packed: string;

beforeAll(() => {
  run(
    process.execPath,
    ['--import', 'tsx', join(__dirname, '../scripts/build.ts'), '--out', BUILT, ...LIVES],
    PROJECT,
  );
  packed = run('npm', ['pack', '--silent', '--pack-destination', folder], BUILT).trim();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`]);
});

afterAll(() => {
  for (const one of [folder, BUILT]) rmSync(one, { recursive: true });
});

it('does what its README shows, and the first test takes less than a second', () => {
  expect(writtenFromReadme()).toEqual([
    ...['double.test.mjs', 'month.test.mjs', 'crash.test.mjs', 'race.test.mjs'],
  ]);
  const tap = (file: string) => run(process.execPath, ['--test', '--test-reporter', 'tap', file]);
  expect(tap('race.test.mjs')).toMatch(/^# pass 2$/m);
  expect(tap('month.test.mjs')).toMatch(/^# pass 1$/m);
  expect(tap('crash.test.mjs')).toMatch(/^# pass 2$/m);
  const said = tap('double.test.mjs');
  expect(said).toMatch(/^# pass 2$/m);
  const [, firstMs] = /duration_ms: ([\d.]+)/.exec(said) ?? [];
  const [, wholeMs] = /^# duration_ms ([\d.]+)/m.exec(said) ?? [];
  const [first, whole] = [firstMs, wholeMs].map((ms) => Math.round(Number(ms)));
  process.stdout.write(`Packed host: ${first} ms for the first test, ${whole} ms for its file\n`);
  expect(Number(firstMs)).toBeLessThan(1_000);
});

it("works out formulas of the sheet's own, with nothing else installed", () => {
  const text = [
    "const { createHost } = require('apps-script-host');",
    "const files = { 'Code.gs': '/** @customfunction */ function TWICE(x) { return 2 * x; }' };",
    "const cells = [[1, '=SUM(A1:A3)'], [2, '=COUNTIF(A1:A3,\">1\")'], [3, '=TWICE(B1)']];",
    'const host = createHost({ files, cells });',
    'void (async () => {',
    "  const before = host.values('B1:B2');",
    "  await host.edit('A1', [[10]]);",
    '  await host.advance(60_000);',
    "  console.log(JSON.stringify([before, host.values('B1:B3')]));",
    '})();',
  ].join('\n');
  writeFileSync(join(folder, 'native.js'), text);
  const said = run(process.execPath, ['native.js']);
  const licences = join(folder, 'node_modules/apps-script-host/univer-formula.licences.txt');
  expect(readFileSync(licences, 'utf8')).toMatch(
    /^@univerjs\/engine-formula [\s\S]*Apache License/m,
  );
  expect(JSON.parse(said)).toEqual([
    [[6], [2]],
    [[15], [3], [30]],
  ]);
});

it('is not packed from its source, which says what to do', () => {
  const packing = () => run('npm', ['pack', '-w', 'apps-script-host', '--dry-run'], PROJECT);
  expect(packing).toThrow(/npm pack \.\/\.cache\/apps-script-host/);
});

it('runs its example', () => {
  cpSync(join(folder, 'node_modules/apps-script-host/example'), join(folder, 'example'), {
    recursive: true,
  });
  const said = run(process.execPath, [
    '--test',
    '--test-reporter',
    'tap',
    'example/rates.test.mjs',
  ]);
  expect(said).toMatch(/^# pass 4$/m);
});

/** Words of a line of a shell, of which some are between single quotes. */
const wordsOf = (line: string) => line.match(/'[^']*'|\S+/g)?.map((word) => word.replace(/'/g, ''));

it('does without a test what its README shows', () => {
  const readme = readFileSync(join(folder, 'node_modules/apps-script-host/README.md'), 'utf8');
  const lines = [...readme.matchAll(/^npx .+$/gm)].map(([line]) => wordsOf(line) ?? []);
  // npx comes with Node's npm; --offline keeps it from looking for a newer one elsewhere.
  const said = lines.map(([, ...words]) =>
    run(
      'npx',
      ['--offline', ...words],
      join(folder, 'node_modules/apps-script-host/example/project'),
    ),
  );
  expect(said).toEqual([
    '12\t24\n',
    'One row each morning.\n',
    expect.stringMatching(/^apps-script-host cell \[FOLDER\] FORMULA/),
  ]);
});

it('runs again whenever a file changes, where it is told to watch, and says its version', async () => {
  const watched = mkdtempSync(join(tmpdir(), 'watched-'));
  const code = join(watched, 'Code.gs');
  writeFileSync(code, "function f() { return 'first'; }");
  const command = join(folder, 'node_modules/apps-script-host/command.js');
  const child = spawn(process.execPath, [command, 'run', watched, 'f', '--watch']);
  let said = '';
  const says = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => said.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
    });
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  try {
    await says('first');
    writeFileSync(code, "function f() { return 'second'; }");
    await says('second');
  } finally {
    child.kill();
    rmSync(watched, { recursive: true });
  }
  const { version } = JSON.parse(readFileSync(join(BUILT, 'package.json'), 'utf8'));
  expect(run(process.execPath, [command, '--version'])).toBe(`${version}\n`);
});

it('runs from the packed file alone, in a folder with nothing but a script', () => {
  const bare = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    writeFileSync(join(bare, 'Code.gs'), 'function DOUBLE(x) { return 2 * x; }');
    const words = ['--yes', '--offline', '--package', join(folder, packed), 'apps-script-host'];
    expect(run('npx', [...words, 'cell', '=DOUBLE(21)'], bare)).toBe('42\n');
  } finally {
    rmSync(bare, { recursive: true });
  }
});

it('is small, and says where it comes from', () => {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    repository: { url: 'git+https://code.example/owner/project.git' },
    homepage: expect.stringMatching(/^https:\/\/code\.example\/owner\/project\/tree/),
    bugs: 'https://code.example/owner/project/issues',
    type: 'commonjs',
  });
  expect([manifest.private, manifest.scripts]).toEqual([undefined, undefined]);
  expect(Object.keys(manifest.exports).length).toBeLessThan(10);
  const [told] = JSON.parse(run('npm', ['pack', '--dry-run', '--json'], BUILT));
  expect(told.unpackedSize).toBeLessThan(2_000_000);
});

it('has types', () => {
  mkdirSync(join(folder, 'typed'));
  const text = [
    "import { createHost, type Outcome } from 'apps-script-host';",
    "import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';",
    "const host = createHost({ files: { 'Code.gs': '' }, profile: 'web', limits: { urlFetchPerDay: 1 } });",
    "export const outcome: Promise<Outcome> = host.cell('=F(1)');",
    'export const size = createPlainGrid().size(0).maxRows;',
    'export const said = (one: Outcome): string => (one.ok ? String(one.value) : one.error.message);',
    "createHost({ files: {}, services: { GmailApp: { sendEmail: (to: string) => to } }, answers: ['YES'] });",
    '// @ts-expect-error A service is an object with functions.',
    'createHost({ files: {}, services: { GmailApp: 1 } });',
    '// @ts-expect-error There is no such profile.',
    "createHost({ files: {}, profile: 'document' });",
  ].join('\n');
  writeFileSync(join(folder, 'typed/use.ts'), text);
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck'];
  run(process.execPath, [tsc, ...options, 'typed/use.ts']);
});
