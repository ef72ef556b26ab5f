// What `npm run walks` runs: through how many files and functions of src/ a call goes, by what V8 saw of it.

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import type { Execution } from 'apps-script-host/host-contract';
import { readableAddOn } from '../../scripts/build/add-on';
import { createFaultWorld, type FaultWorld } from '../simulation/faults/fault-world';
import { SCENARIOS } from '../simulation/faults/scenarios';

/** A walk's title, and the scenario of the fault sweep whose call it is; the sweep's worlds hold six rows. */
const WALKS: readonly (readonly [title: string, scenario: string])[] = [
  ['a cell that asks the service', 'a fresh cell'],
  ['a cell answered from the cache', 'a cached cell'],
  ['the start of a job', 'jobs.start (1)'],
  ["a job's calls", 'jobs.ask (1)'],
  ["a job's answers", 'jobs.record (1)'],
  ['a firing with rows due', 'a firing with rows due for the first time'],
  ['a firing with nothing due', 'a firing with nothing due'],
];

interface Covered {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function watcher() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** What was executed since it was asked last. Answers come at once: the script runs on this stack. */
    seen(): readonly Covered[] {
      let result: readonly Covered[] = [];
      session.post('Profiler.takePreciseCoverage', (_error, answer) => {
        result = answer.result;
      });
      return result;
    },
    end: () => session.disconnect(),
  };
}

/** Where each file begins, by the lines that the bundler puts before the modules. */
function filesOf(code: string) {
  const starts = [...code.matchAll(/^ *\/\/ (\S+\.tsx?)$/gm)].map((found) => ({
    at: found.index,
    file: found[1] ?? '',
  }));
  return (offset: number): string | undefined => starts.findLast(({ at }) => at <= offset)?.file;
}

/** How often each function of the script was called, by where it begins. */
function countsIn(covered: readonly Covered[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { functions } of covered.filter(({ url }) => url === 'Code.js'))
    for (const { ranges } of functions) {
      const [whole] = ranges;
      if (whole === undefined) continue;
      counts.set(whole.startOffset, (counts.get(whole.startOffset) ?? 0) + whole.count);
    }
  return counts;
}

/** @param atLoad what loading the script calls by itself, which every execution does before its call. */
function walkOf(code: string, covered: readonly Covered[], atLoad: ReadonlyMap<number, number>) {
  const fileAt = filesOf(code);
  const passed = [...countsIn(covered)]
    .filter(([at, count]) => count > (atLoad.get(at) ?? 0))
    .map(([at]) => fileAt(at) ?? '')
    .filter((file) => file.startsWith('src/'));
  return { files: new Set(passed).size, functions: passed.length };
}

function prepared(world: FaultWorld, scenario: string): Execution {
  const found = SCENARIOS.find(({ name }) => name === scenario);
  if (found === undefined)
    throw new Error(`No scenario ${scenario}; there are ${SCENARIOS.map(({ name }) => name)}.`);
  return found.prepare(world);
}

async function main(): Promise<void> {
  const code = readableAddOn();
  const manifest = readFileSync(join(__dirname, '../../appsscript.json'), 'utf8');
  const dist = { code, html: {}, manifest };
  const watch = watcher();
  const loaded = createFaultWorld(dist);
  watch.seen();
  loaded.run({ functionName: 'none', args: [], door: 'cell' });
  const atLoad = countsIn(watch.seen());
  console.log('files of src/ | functions | of');
  for (const [title, scenario] of WALKS) {
    const world = createFaultWorld(dist);
    const execution = prepared(world, scenario);
    watch.seen();
    const { ended } = world.run(execution);
    const { files, functions } = walkOf(code, watch.seen(), atLoad);
    console.log(`${String(files).padStart(13)} | ${String(functions).padStart(9)} | ${title}`);
    if (ended !== 'returned') throw new Error(`${title}: ${ended}`);
  }
  watch.end();
}

void main();
