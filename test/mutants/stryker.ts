// What `npm run stryker` runs: StrykerJS over pure modules, each with the narrow tests that are to catch its mutants.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const FOLDER = '.cache/stryker';
/** For all its processes: what runs the tests is TypeScript. */
const ENVIRONMENT = { ...process.env, NODE_OPTIONS: '--import tsx' };

/** By a short name: the file in `src/`, and its tests in `test/`. */
const MODULES: Readonly<Record<string, readonly [file: string, ...tests: readonly string[]]>> = {
  limit: ['limit/limit', 'limit/limit'],
  pace: ['limit/pace', 'limit/limit'],
  share: ['limit/share', 'limit/limit'],
  changes: ['analysis/changes', 'schedules/changes'],
  'parse-formula': ['formulas/parse-formula', 'formulas/formula-text', 'formulas/reference'],
  asin: ['product/asin', 'product/asin'],
  estimate: ['product/estimate', 'product/estimate'],
  verdict: ['product/verdict', 'deal/verdict'],
  due: ['schedules/due', 'schedules/due', 'schedules/recurrence'],
};

const HELP = `npm run stryker -- [module ...]

  module    one of ${Object.keys(MODULES).join(', ')}
            (the usual ones: all, which takes an hour)

Prints the mutants that no test notices, and the share of those that one does.`;

const configOf = ([file, ...tests]: readonly [string, ...string[]]) => ({
  testRunner: 'in-process',
  plugins: ['./test/mutants/in-process-runner.ts'],
  narrowTests: tests.map((test) => `test/${test}.test.ts`),
  mutate: [`src/${file}.ts`],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  reporters: ['clear-text'],
  clearTextReporter: { logTests: false },
  allowConsoleColors: false,
  tempDirName: `${FOLDER}/sandbox`,
});

function main(names: readonly string[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(MODULES, name));
  if (unknown.length > 0 || names.includes('--help')) {
    console.log(HELP);
    process.exitCode = names.includes('--help') ? 0 : 1;
    return;
  }
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const [name, module] of Object.entries(MODULES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const config = join(FOLDER, `${name}.json`);
    writeFileSync(join(ROOT, config), JSON.stringify(configOf(module as [string, ...string[]])));
    const stryker = join(ROOT, 'node_modules/.bin/stryker');
    const options = { cwd: ROOT, stdio: 'inherit', env: ENVIRONMENT } as const;
    const { status } = spawnSync(stryker, ['run', config], options);
    if (status !== 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2));
