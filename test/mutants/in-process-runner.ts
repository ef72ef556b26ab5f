// How StrykerJS runs the narrow tests of a module: in its own process, without a Jest for each mutant, which takes ten
// times as long. It knows the words that those tests use, and fails on others.

import Module, { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { format } from 'node:util';
import type { MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  TestStatus,
} from '@stryker-mutator/api/test-runner';

type Body = (...args: readonly unknown[]) => unknown;

interface Test {
  /** Its place among all: names need not differ. */
  readonly id: string;
  readonly name: string;
  readonly run: () => unknown;
}

/** What mutated code reads, and writes what it passed into. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: MutantCoverage;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

const shared = globalThis as { __stryker__?: Switches };
shared.__stryker__ ??= {};
const switches = shared.__stryker__;

const fromJest = createRequire(require.resolve('@jest/globals'));

/** The tests that files name while they are loaded. */
function collector() {
  const tests: Test[] = [];
  const around: string[] = [];
  const it = (name: string, body: Body) => {
    tests.push({ id: String(tests.length), name: [...around, name].join(' '), run: () => body() });
  };
  const describe = (name: string, body: Body) => {
    around.push(name);
    body();
    around.pop();
  };
  const withEach = (one: (name: string, body: Body) => void) =>
    Object.assign(one, {
      each: (rows: readonly unknown[]) => (name: string, body: Body) => {
        for (const row of rows) {
          const args: readonly unknown[] = Array.isArray(row) ? row : [row];
          one(format(name, ...args), () => body(...args));
        }
      },
    });
  const words = {
    expect: fromJest('@jest/expect').jestExpect,
    it: withEach(it),
    describe: withEach(describe),
  };
  return { tests, words };
}

const loader = Module as unknown as {
  _load: (name: string, ...more: readonly unknown[]) => unknown;
};
const load = loader._load;

/** Loaded anew, so that no module remembers what the mutant before made it do. */
function testsOf(files: readonly string[]): readonly Test[] {
  const root = process.cwd() + sep;
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(root) && file !== __filename) delete require.cache[file];
  }
  const { tests, words } = collector();
  loader._load = (name, ...more) => (name === '@jest/globals' ? words : load(name, ...more));
  try {
    for (const file of files) require(join(root, file));
  } finally {
    loader._load = load;
  }
  return tests;
}

async function resultOf({ id, name, run }: Test): Promise<TestResult> {
  const beginMs = Date.now();
  const said = () => ({ id, name, timeSpentMs: Date.now() - beginMs });
  try {
    await run();
    return { ...said(), status: TestStatus.Success };
  } catch (error) {
    return { ...said(), status: TestStatus.Failed, failureMessage: String(error) };
  }
}

class InProcessRunner {
  static readonly inject = ['options'] as const;
  private readonly files: readonly string[];

  constructor(options: StrykerOptions) {
    this.files = options.narrowTests as readonly string[];
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun({ coverageAnalysis }: DryRunOptions): Promise<DryRunResult> {
    const results: TestResult[] = [];
    for (const test of testsOf(this.files)) {
      if (coverageAnalysis === 'perTest') switches.currentTestId = test.id;
      results.push(await resultOf(test));
      switches.currentTestId = undefined;
    }
    const { mutantCoverage = { static: {}, perTest: {} } } = switches;
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation } = options;
    const isMeant = ({ id }: Test) => testFilter?.includes(id) ?? true;
    Object.assign(switches, { activeMutant: undefined, hitCount: 0, hitLimit });
    if (mutantActivation === 'static') switches.activeMutant = activeMutant.id;
    let nrOfTests = 0;
    try {
      const tests = testsOf(this.files).filter(isMeant);
      switches.activeMutant = activeMutant.id;
      for (const test of tests) {
        nrOfTests += 1;
        const result = await resultOf(test);
        if (hitLimit !== undefined && (switches.hitCount ?? 0) > hitLimit)
          return { status: MutantRunStatus.Timeout, reason: 'Hit limit reached' };
        if ('failureMessage' in result) {
          const { id, failureMessage } = result;
          return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
        }
      }
    } catch (error) {
      return { status: MutantRunStatus.Error, errorMessage: String(error) };
    } finally {
      switches.activeMutant = undefined;
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }
}

export const strykerValidationSchema = {
  properties: { narrowTests: { type: 'array', items: { type: 'string' } } },
};

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner },
];
