// npm run test:watch: whenever a file is saved, runs the tests that it touches.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { importsOf, readTree, type SourceFile } from './architecture/source-tree';
import { ALL_FAULTS } from './mutants/all-faults';
import { pathOf, testPathsOf } from './mutants/fault';

const ROOT = resolve(__dirname, '..');
const FOLDERS = ['src', 'test', 'packages', 'playground', 'scripts', 'bench'];

/** An editor saves in several steps; ms. */
const SETTLED_MS = 150;

const bare = (path: string): string => path.replace(/\.[jt]sx?$/, '');

/**
 * The tests of a file: itself if it is one; else those that import it, those of its folder that import a
 * file that imports it, those that bear its name, and those that have to notice a fault in it. A test
 * through a door imports nothing of `src/`, as it runs the build.
 *
 * @param path from the project's root, such as "src/schedules/due.ts"
 */
export function testsFor(path: string): readonly string[] {
  if (isTest(path)) return existsSync(join(ROOT, path)) ? [path] : [];
  const importers = readTree(ROOT, 'src').filter((file) => imports(file, [bare(path)]));
  const near = [path, ...importers.map((file) => file.path)].map(bare);
  const folder = `${posix.dirname(path).replace(/^src\//, 'test/')}/`;
  const named = `/${posix.basename(bare(path))}.test.ts`;
  const touched = [...readTree(ROOT, 'test'), ...readTree(ROOT, 'packages')]
    .filter((file) => isTest(file.path))
    .filter(
      (file) =>
        file.path.endsWith(named) ||
        imports(file, file.path.startsWith(folder) ? near : [bare(path)]),
    )
    .map((file) => file.path);
  const noticing = ALL_FAULTS.filter((fault) => pathOf(fault) === path).flatMap(testPathsOf);
  return [...new Set([...touched, ...noticing])].sort();
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');

const imports = (file: SourceFile, modules: readonly string[]): boolean =>
  importsOf(file).some(({ target }) => modules.includes(target));

/** As `npm test` does it, without long files and with samples; a test that was saved runs whole. */
function runTests(paths: readonly string[], isSaved: boolean): Promise<void> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const named = isSaved ? ['--runTestsByPath', ...paths] : ['--passWithNoTests', ...paths];
  return new Promise((done) => {
    const child = spawn(process.execPath, [jest, ...named], { cwd: ROOT, stdio: 'inherit' });
    child.on('close', () => done());
  });
}

function watchTree(): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  async function runChanged(): Promise<void> {
    if (isRunning) return;
    const paths = [...new Set([...changed].flatMap(testsFor))];
    const isSaved = [...changed].every(isTest);
    const names = [...changed].join(', ');
    changed.clear();
    if (paths.length === 0) console.log(`No test is known to touch ${names}.`);
    else {
      isRunning = true;
      console.log(`${names}: ${paths.length} test ${paths.length === 1 ? 'file' : 'files'}`);
      await runTests(paths, isSaved);
      isRunning = false;
      if (changed.size > 0) await runChanged();
    }
  }

  for (const folder of FOLDERS)
    watch(join(ROOT, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(?:[jt]sx?|css|html)$/.test(name)) return;
      changed.add(posix.join(folder, name.split('\\').join('/')));
      clearTimeout(timer);
      timer = setTimeout(() => void runChanged(), SETTLED_MS);
    });
  console.log('Waiting for a file to be saved. Ctrl+C ends it.');
}

if (require.main === module) watchTree();
