// A copy of the project in a temporary folder, in which tests run on source with a fault in it.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { importsOf, readTree } from '../architecture/source-tree';
import { faultyText, type PlacedFault, pathOf, testPathsOf } from './fault';

const NOT_COPIED = ['node_modules', '.git', '.cache', 'dist', 'coverage'];

/** Where the copied project builds to, and keeps what is to be used again. */
const CACHE = '.cache';

/** Named by the version or by a hash of all that it is made of: nothing of a fault is in it unseen. */
const KEYED =
  /^(?:chromium|realm|univer|univer-formula|playground-page)-[^/]*(?:with-fonts|[0-9a-f]{12}(?:\.c?js)?)$/;

/** A file of the copy that takes the place of the build where no test reads what is built. */
const NO_BUILD = 'no-build.cjs';

/** What every test that runs the add-on as it is built imports in the end. */
const BUILDS = /^test\/(?:build-once|bundle\.test|deploy\.test)$|^scripts\/build\/add-on$/;

/** No file that is named beside a fault takes so long by far, so it has no end. */
const ENDLESS_MS = 180_000;

export type Verdict =
  /** A test failed, or had no end. */
  | { readonly kind: 'failed'; readonly said: string }
  | { readonly kind: 'passed' }
  /** No test could even begin, which tells nothing of what they test. */
  | { readonly kind: 'not-run'; readonly said: string };

export interface Workshop {
  /** The folder of the copy. */
  readonly root: string;
  /** A file of it: the project itself may change while tests run. */
  read(path: string): string;
  /** Runs tests on the source as it is, or with a fault. */
  run(tests: readonly string[], named?: string, fault?: PlacedFault): Promise<Verdict>;
  clear(): void;
}

/** Enough of what Jest says to see what went wrong. */
const SAID_CHARS = 2_000;

interface Ended {
  readonly said: string;
  readonly code: number | null;
}

export function openWorkshop(root: string): Workshop {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  const clear = () => rmSync(copy, { recursive: true, force: true });
  for (const name of readdirSync(root).filter((one) => !NOT_COPIED.includes(one)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  writeFileSync(join(copy, NO_BUILD), 'module.exports = () => undefined;\n');
  takeKeyed(join(root, CACHE), join(copy, CACHE));
  const building = testsThatBuild(copy);

  async function runJest(
    tests: readonly string[],
    named: string | undefined,
    workers: number,
  ): Promise<Verdict> {
    // What an earlier fault was built into would hide this one.
    for (const name of readdirSync(join(copy, CACHE)).filter((one) => !KEYED.test(one)))
      rmSync(join(copy, CACHE, name), { recursive: true, force: true });
    const isBuilt = tests.some((test) => building.has(test));
    const ended = await jest(copy, ENDLESS_MS * tests.length, [
      ...['--ci', '--bail', '--silent', '-w', String(workers)],
      ...(isBuilt ? [] : [`--globalSetup=<rootDir>/${NO_BUILD}`]),
      ...(named === undefined ? [] : ['--testNamePattern', named]),
      ...['--runTestsByPath', ...tests],
    ]);
    return ended === null ? { kind: 'failed', said: 'They had no end.' } : verdictOf(ended);
  }

  const read = (path: string) => readFileSync(join(copy, path), 'utf8');
  return {
    root: copy,
    read,
    clear,
    async run(tests, named, fault) {
      if (fault === undefined) return runJest(tests, named, availableParallelism());
      const file = join(copy, pathOf(fault));
      const source = read(pathOf(fault));
      const faulty = faultyText(fault, source);
      if (typeof faulty !== 'string') return { kind: 'not-run', said: faulty.why };
      try {
        writeFileSync(file, faulty);
        // Another fault has the other core.
        return await runJest(testPathsOf(fault), fault.named, 1);
      } finally {
        writeFileSync(file, source);
      }
    },
  };
}

/** What the project has already unpacked and bundled, which takes longer than most of these tests. */
function takeKeyed(from: string, to: string): void {
  mkdirSync(to);
  if (!existsSync(from)) return;
  for (const name of readdirSync(from).filter((one) => KEYED.test(one))) {
    const there = join(from, name);
    if (statSync(there).isDirectory()) symlinkSync(there, join(to, name), 'junction');
    else cpSync(there, join(to, name));
  }
}

/** Tests that need the add-on to be built, through whatever they import. */
function testsThatBuild(root: string): ReadonlySet<string> {
  const files = [...readTree(root, 'test'), ...readTree(root, 'playground')];
  const bare = (path: string) => path.replace(/\.\w+$/, '');
  const imports = new Map(
    files.map((file) => [bare(file.path), importsOf(file).map(({ target }) => target)]),
  );
  const seen = new Map<string, boolean>();
  const builds = (path: string): boolean => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    // While it is looked into, a circle back to it tells nothing.
    seen.set(path, false);
    const does = BUILDS.test(path) || (imports.get(path) ?? []).some(builds);
    seen.set(path, does);
    return does;
  };
  const tests = files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  return new Set(tests.filter((path) => builds(bare(path))));
}

/** What Jest said; null: it had no end. */
function jest(cwd: string, forMs: number, args: readonly string[]): Promise<Ended | null> {
  return new Promise((settle) => {
    const script = join(cwd, 'node_modules/jest/bin/jest.js');
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: 'pipe' });
    const end = () => child.kill('SIGKILL');
    const timer = setTimeout(end, forMs);
    process.once('exit', end);
    const said: string[] = [];
    for (const output of [child.stdout, child.stderr])
      output.on('data', (bytes: Buffer) => said.push(bytes.toString('utf8')));
    child.on('error', ({ message }) => said.push(message));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      process.removeListener('exit', end);
      settle(signal === null ? { said: said.join(''), code } : null);
    });
  });
}

/** By its summary: where one file failed and the others were left out, Jest writes no report. */
export function verdictOf({ said, code }: Ended): Verdict {
  const last = said.slice(-SAID_CHARS);
  if (/^Tests: +[1-9]\d* failed/m.test(said)) return { kind: 'failed', said: last };
  if (code === 0 && /^Tests: .*\b[1-9]\d* passed/m.test(said)) return { kind: 'passed' };
  return { kind: 'not-run', said: last };
}
