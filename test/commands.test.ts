// Every command that a page names works: it is run here in a form that is soon done, or elsewhere as named.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { COMMANDS, ROOT, textOf } from './documented-commands';
import { sampleOf } from './sample';

/** Where pictures go that nobody keeps. */
const folder = mkdtempSync(join(tmpdir(), 'commands-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Documented {
  /** The commands of pages, as they begin. */
  readonly named: RegExp;
}

interface RunHere extends Documented {
  readonly run: string;
  readonly says: RegExp;
}

/** A test or a step of CI that does the same, with the words in it that do. */
interface RunThere extends Documented {
  readonly by: string;
  readonly words: string;
}

const HERE: readonly RunHere[] = [
  { named: /^npm run build$/, run: 'npm run build', says: /^Built dist: .*Code\.js \d+ bytes/m },
  {
    named: /^npm run bench(?: -- (?:gate|bulk|schedule|laws|cold|calculation|picture)\b.*)?$/,
    run: 'npm run bench -- --help',
    says: /gate [\s\S]*bulk [\s\S]*schedule [\s\S]*laws [\s\S]*cold [\s\S]*calculation [\s\S]*picture /,
  },
  {
    named: /^npm run simulate(?: -- (?:faults|kills))?$/,
    run: 'npm run simulate -- --help',
    says: /-- bulk \| people \| schedule \| endurance \| faults \| kills \| services \| windows/,
  },
  {
    named: /^npm run simulate -- services$/,
    run: 'npm run simulate -- services --runs 1',
    says: /^1 worlds, 0 broken/m,
  },
  {
    named: /^npm run simulate -- people$/,
    run: 'npm run simulate -- people --runs 3',
    says: /own cells and in the tab: 0 of \d+ states wrong[\s\S]*^3 worlds, /m,
  },
  {
    named: /^npm run simulate -- windows$/,
    run: 'npm run simulate -- windows --runs 4',
    says: /^4 laws, 0 broken/m,
  },
  {
    named: /^npm run simulate -- endurance\b/,
    run: 'npm run simulate -- endurance --days 1 --rows 60',
    says: /bytes of a property: [\s\S]*All bounds kept/,
  },
  {
    named: /^npm run walks$/,
    run: 'npm run walks',
    says: /\d+ \| a cell answered from the cache\n[\s\S]*\d+ \| a firing with nothing due/,
  },
  {
    named: /^npm run fuzz$/,
    run: 'npm run fuzz -- --bodies 300 --cells 300',
    says: /300 bodies .* 0 exceptions[\s\S]*300 cells/,
  },
  {
    named: /^npm run mutants$/,
    run: 'npm run mutants -- --help',
    says: /\[folder \.\.\.\] \[options\]/,
  },
  {
    named: /^npm run stryker$/,
    run: 'npm run stryker -- --help',
    says: /one of limit, [\s\S]*verdict/,
  },
  {
    named: /^npm run screenshots$/,
    run: `npm run screenshots -- --only sidebar-help --to ${folder}`,
    says: /^Pictures: 1 in /m,
  },
  {
    named: /^npm run listing$/,
    run: `npm run listing -- --only icon-32 --to ${folder}`,
    says: /^Pictures: 1 in /m,
  },
  {
    named: /^npm run fuzz -w apps-script-host/,
    run: 'npm run fuzz -w apps-script-host -- 40',
    says: /^40 formulas, .* 0 faults/m,
  },
  {
    named: /^npm run release -w apps-script-host/,
    run: 'npm run release -w apps-script-host -- --dry-run --repository https://example.com/host',
    says: /\+ apps-script-host@\d/,
  },
  { named: /^npx clasp login$/, run: 'npx clasp login --help', says: /Log in/i },
  {
    named: /^npm run deploy(?: -- --help)?$/,
    run: 'npm run deploy -- --help',
    says: /--dry-run/,
  },
  {
    named: /^npx jest /,
    run: 'npx jest --listTests test/limit packages/apps-script-host',
    says: /\/test\/limit\/[\s\S]*\/apps-script-host\/test\/|\/apps-script-host\/test\/[\s\S]*\/test\/limit\//,
  },
  { named: /^npx biome check/, run: 'npx biome check src/limit', says: /Checked \d+ files/ },
];

const DEPLOY = 'test/deploy.test.ts';
const PLAYGROUND = 'test/browser/playground.test.ts';
const PACKED = 'packages/apps-script-host/test/packed.test.ts';

const THERE: readonly RunThere[] = [
  { named: /^npm ci$/, by: '.ci/run', words: 'npm ci' },
  { named: /^npm test$/, by: '.ci/run', words: 'npm test' },
  { named: /^npm run test:all$/, by: '.ci/run', words: 'npm run test:all' },
  { named: /^npm run test:watch$/, by: 'test/watch.test.ts', words: 'testsFor(' },
  { named: /^npm run check$/, by: '.ci/run', words: 'npm run check' },
  { named: /^npm start$/, by: PLAYGROUND, words: "startPlayground('--port', '0')" },
  { named: /^npm start -- --headless$/, by: PLAYGROUND, words: "startPlayground('--headless')" },
  {
    named: /^npm start -- --first-run$/,
    by: 'test/browser/sidebar-first-run.test.ts',
    words: 'firstRun: true',
  },
  { named: /^npm run probes -- build$/, by: 'test/build-once.ts', words: 'buildProbes(' },
  {
    named: /^npm run records$/,
    by: 'test/safety/records.test.ts',
    words: 'process.env.RECORDS_EVERY',
  },
  { named: /^npm run sweeps$/, by: 'test/sample.ts', words: 'process.env.SWEEPS' },
  { named: /^npm run deploy -- --create sheet/, by: DEPLOY, words: "run(['--create', 'sheet'])" },
  {
    named: /^npm run deploy -- --create standalone/,
    by: DEPLOY,
    words: "run(['--create', 'standalone'])",
  },
  {
    named: /^npm run deploy -- --create ADDRESS/,
    by: DEPLOY,
    words: 'belongs to the spreadsheet whose address is given',
  },
  {
    named: /^npm run deploy -- --probes/,
    by: DEPLOY,
    words: "run(['--probes', '--create', 'sheet'])",
  },
  { named: /^npm run deploy -- --versioned/, by: DEPLOY, words: "run(['--versioned'])" },
  { named: /^npm run deploy -- --dry-run/, by: DEPLOY, words: "run(['--dry-run'])" },
  {
    named: /^npm run coverage -w apps-script-host$/,
    by: 'packages/apps-script-host/test/coverage.test.ts',
    words: 'coveragePage(all)',
  },
  {
    named: /^npm run peers -w apps-script-host/,
    by: 'packages/apps-script-host/test/peers.test.ts',
    words: 'await judge(',
  },
  {
    named: /^npm run programs -w apps-script-host/,
    by: 'packages/apps-script-host/test/published-programs.test.ts',
    words: 'judge(',
  },
  { named: /^npm run build -w apps-script-host$/, by: PACKED, words: '../scripts/build.ts' },
  { named: /^npx apps-script-host /, by: PACKED, words: "run('npx'" },
  { named: /^npm pack/, by: PACKED, words: "'npm', ['pack'" },
  { named: /^npm install --save-dev \S+\.tgz$/, by: PACKED, words: "'npm', ['install'" },
  {
    named: /^node scripts\/release\.mjs/,
    by: '.github/workflows/release.yml',
    words: 'node scripts/release.mjs',
  },
];

const ROWS: readonly Documented[] = [...HERE, ...THERE];

test('every command that a page names is run here, or where a row of this table says', () => {
  const open = COMMANDS.filter(({ text }) => !ROWS.some(({ named }) => named.test(text)));
  expect(open.map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
  const idle = ROWS.filter(({ named }) => !COMMANDS.some(({ text }) => named.test(text)));
  expect(idle).toEqual([]);
});

test.each(THERE)('$named is run by $by', ({ by, words }) => {
  expect(existsSync(join(ROOT, by))).toBe(true);
  expect(textOf(by)).toContain(words);
});

/** As in a shell: nothing of the Jest that this is, nor of npm where that has started it. */
function environment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(?:npm_|NODE_|JEST_)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

test.each(sampleOf('commands', HERE, 1))('$run', ({ run, says }) => {
  const [program = '', ...args] = run.split(' ');
  const options = { cwd: ROOT, env: environment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  // Where a tool counts what it did, some use one stream and some the other.
  expect({ status, said: stdout + stderr }).toEqual({
    status: 0,
    said: expect.stringMatching(says),
  });
});
